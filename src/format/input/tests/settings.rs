//! Settings comments and count lines.

use super::*;

#[test]
fn options_replace_settings() {
    let text = "# taquin: goal=blank-first shape=2x3 format=line numbered=no\n\n1 2 3 4 5 0\n";
    let out = auto(text);
    assert_eq!(out.records[0].2, "1 2 3/4 5 0");
    assert_eq!(out.warnings, [""; 0]);
    assert_eq!(shown(text, &shaped(Layout::Line, 3, 2)), ["3: 1 2/3 4/5 0"]);
}

/// Returns the goal of a file that is read with these options.
fn goal_of(text: &'static [u8], options: &InputOptions) -> String {
    let mut file = FileReader::new("file".into(), StreamBuffer::new(Box::new(text), 1 << 16));
    let piece = file.next_chunk(options, 100, 1 << 20, &mut Vec::new());
    piece.unwrap().unwrap().source.goal.to_string()
}

#[test]
fn only_given_options_replace_settings() {
    let (plain, snail) = (b"123804765\n", b"# taquin: goal=snail\n123804765\n");
    let first = InputOptions { goal: Some("blank-first".parse().unwrap()), ..InputOptions::default() };
    assert_eq!(goal_of(plain, &InputOptions::default()), "blank-last");
    assert_eq!(goal_of(plain, &first), "blank-first");
    assert_eq!(goal_of(snail, &InputOptions::default()), "snail");
    assert_eq!(goal_of(snail, &first), "blank-first");
}

#[test]
fn an_invalid_setting_makes_all_records_invalid() {
    let reason = "setting 'numbered=perhaps': 'perhaps' is neither yes nor no";
    let out = auto("#\n# taquin: shape=2x2 numbered=perhaps gaol=snail alone\n1 2 3 0\n{\n");
    assert_eq!(
        out.records,
        [(3, None, format!("! line 2: {reason}")), (4, None, format!("! line 2: {reason}"))],
        "the first invalid setting is the reason"
    );
    let unknown = "unknown: expected goal=, shape=, format=, numbered=, count-line= or effort=";
    assert_eq!(
        out.warnings,
        [
            format!("file:2: {reason}"),
            format!("file:2: setting 'gaol=snail': {unknown}"),
            format!("file:2: setting 'alone': {unknown}"),
        ]
    );
    let snial = "# taquin: goal=snial\n{\"id\":7,\"board\":[1,2,3,0]}\n";
    let out = auto(snial);
    assert_eq!(out.records[0].1.as_deref(), Some("7"));
    assert!(out.records[0].2.starts_with("! line 1: setting 'goal=snial': 'snial' is not a goal"), "{out:?}");
    // If an option replaces an invalid setting, the setting only causes a warning.
    let requested = InputOptions { goal: Some("snail".parse().unwrap()), ..InputOptions::default() };
    assert_eq!(shown(snial, &requested), ["2: 1 2/3 0"]);
    assert_eq!(read(snial.as_bytes(), &requested, &ReadPattern::plain()).warnings.len(), 1);
    let long = format!("# taquin: goal=snail {}\n1 2 3 0\n", " ".repeat(100));
    let options = InputOptions { max_record_bytes: 50, ..InputOptions::default() };
    assert_eq!(shown(&long, &options), ["2: ! line 1: settings longer than 50 bytes"]);
}

/// Most are not kept, but the first of each name is: an option may replace the ones before it.
#[test]
fn many_invalid_settings_take_little_memory() {
    let mut settings = options::Settings::default();
    settings.read(format!("# taquin: {}goal=snial gaol=x", "shape=x ".repeat(100_000)).as_bytes(), 1, usize::MAX);
    assert_eq!(settings.mistakes.len(), 12);
    let fault = |requested: &InputOptions| {
        let text = format!("# taquin: {}goal=snial gaol=x\n1 2 3 0\n", "shape=x ".repeat(100));
        shown(&text, requested)[0].split(": ").nth(2).map(String::from)
    };
    let shape = shaped(Layout::Line, 2, 2);
    let both = InputOptions { goal: Some("snail".parse().unwrap()), ..shape.clone() };
    assert_eq!(fault(&InputOptions::default()).as_deref(), Some("setting 'shape=x'"));
    assert_eq!(fault(&shape).as_deref(), Some("setting 'goal=snial'"));
    assert_eq!(fault(&both).as_deref(), Some("setting 'gaol=x'"));
}

#[test]
fn settings_after_the_first_record_are_comments() {
    let text = "# a list\n1 2 3 0\n# taquin\n\n # taquin: goal=snail\n0 1 2 3\n# taquin: goal=snail\n";
    for max_records in [1, 100] {
        let out = read(text.as_bytes(), &InputOptions::default(), &ReadPattern { max_records, ..ReadPattern::plain() });
        assert_eq!((out.records.len(), out.warnings.len()), (2, 0));
        assert_eq!(out.records[1].2, "0 1/2 3");
    }
}

#[test]
fn layouts_that_cannot_be_numbered_are_reported() {
    let reason = "records of the layout grid cannot be numbered";
    let out = read(
        b"1 2\n3 0\n\n1 2\n0 3\n",
        &InputOptions { numbered: true, ..layout(Layout::Grid) },
        &ReadPattern { max_records: 1, ..ReadPattern::plain() },
    );
    assert_eq!(out.records.len(), 2);
    assert_eq!(out.records[0].2, "1 2/3 0");
    assert_eq!(out.warnings, [format!("file: --numbered is ignored: {reason}")]);
    let out = auto("# taquin: numbered=yes format=grid\n1 2\n3 0\n");
    assert_eq!(out.records, [(2, None, format!("! line 1: setting 'numbered=yes': {reason}"))]);
    assert_eq!(out.warnings, [format!("file:1: setting 'numbered=yes': {reason}")]);
}

#[test]
fn count_lines_are_checked() {
    let options = InputOptions { count_line: true, ..layout(Layout::Line) };
    let out = read(b"2 # two\n1 2 3 0\n", &options, &ReadPattern::plain());
    assert_eq!(out.records, [(2, None, "1 2/3 0".into())]);
    assert_eq!(out.warnings, ["file: the count line promises 2 records, but the file has 1"]);
    let out = read(b"1 2 3 0\n", &options, &ReadPattern::plain());
    assert_eq!(out.records.len(), 1);
    assert_eq!(out.warnings, ["file:1: expected the number of records; the line is read as a record"]);
}
