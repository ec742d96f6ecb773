//! The head of a file: settings comments, count lines, and layouts that are detected from the first
//! lines.

use super::*;

/// Detects the layouts of samples in the formats of judges and courses.
#[test]
fn auto_reads_the_judges_samples() {
    let grid3 = "1 2 3\n4 5 6\n7 8 0\n";
    let grid4 = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    let column3 = "1\n2\n3\n4\n5\n6\n7\n8\n0\n";
    let cases: Vec<(&str, String, Layout, usize, u64, &str)> = vec![
        ("poj1077", " 2  3  4  1  5  x  7  6  8 ".into(), Layout::Line, 1, 1, "2 3 4/1 5 0/7 6 8"),
        ("hdu1043", "1 2 3 4 5 6 7 8 x\n2 3 4 1 5 x 7 6 8\n".into(), Layout::Line, 2, 1, B3),
        ("uva652", "2\n\n1 2 3 4 5 6 7 8 x\n\n2 3 4 1 5 x 7 6 8\n".into(), Layout::Line, 2, 3, B3),
        (
            "hdu3567",
            "2\n12X453786\n12345678X\n564178X23\n7568X4123\n".into(),
            Layout::Pair,
            2,
            2,
            "1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0",
        ),
        ("lightoj1139", format!("2\n\n{grid3}\n{grid3}"), Layout::Grid, 2, 3, B3),
        ("lightoj15", format!("3\n\n{grid4}\n{grid4}\n{grid4}"), Layout::Grid, 3, 3, B4),
        ("uva10181", format!("2\n{grid4}{grid4}"), Layout::Grid, 2, 2, B4),
        ("uva10181, four boards", format!("4\n{grid4}{grid4}{grid4}{grid4}"), Layout::Grid, 4, 2, B4),
        ("three grids", format!("3\n\n{grid3}\n{grid3}\n{grid3}"), Layout::Grid, 3, 3, B3),
        ("poj3240 rows", format!("3\n{grid3}"), Layout::Sized, 1, 1, B3),
        ("poj3240 line", "3\n1 2 3 4 5 6 7 8 0".into(), Layout::Sized, 1, 1, B3),
        ("luogu", "123456780\n283104765\n".into(), Layout::Digits, 2, 1, B3),
        ("boj1525", grid3.into(), Layout::Grid, 1, 1, B3),
        ("aoj-13c", grid4.into(), Layout::Grid, 1, 1, B4),
        ("leetcode", "[[1,2,3],[4,0,5]]\n".into(), Layout::Json, 1, 1, "1 2 3/4 0 5"),
        ("hackerrank", format!("3\n{column3}"), Layout::Sized, 1, 1, B3),
        ("hackerrank, two", format!("3\n{column3}3\n{column3}"), Layout::Sized, 2, 1, B3),
        ("princeton", format!("3\n {grid3}\n3\n{grid3}"), Layout::Sized, 2, 1, B3),
        ("42", "# made by\n3 # size\n1 2 3 # one\n# two\n4 5 6\n7 8 0\n".into(), Layout::Sized, 1, 2, B3),
        (
            "korf",
            "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n".into(),
            Layout::Line,
            1,
            1,
            "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3",
        ),
        ("commas", "1,2,3,4,5,6,7,8,0\n".into(), Layout::Line, 1, 1, B3),
        (
            "n-puzzle",
            "3\n1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0 8\n".into(),
            Layout::Pair,
            1,
            1,
            "1 2 3/4 5 6/7 8 0 -> 1 2 3/4 5 6/7 0 8",
        ),
        ("rows cols", "2 3\n1 2 3\n4 5 0\n".into(), Layout::Sized, 1, 1, "1 2 3/4 5 0"),
        ("rows cols, line", "2 3\n1 2 3 4 5 0\n2 2\n1 2 3 0".into(), Layout::Sized, 2, 1, "1 2 3/4 5 0"),
        ("2x2 grid", "1 2\n3 0\n".into(), Layout::Grid, 1, 1, "1 2/3 0"),
        ("digit rows", "123\n456\n78_\n".into(), Layout::Grid, 1, 1, B3),
        (
            "4x4 that begins like 2x2",
            "1 2 3 0\n4 5 6 7\n8 9 10 11\n12 13 14 15\n".into(),
            Layout::Grid,
            1,
            1,
            "1 2 3 0/4 5 6 7/8 9 10 11/12 13 14 15",
        ),
        ("2x2 lines", "1 2 3 0\n1 2 0 3\n".into(), Layout::Line, 2, 1, "1 2/3 0"),
        ("count line and digits", "2\n123456780\n123456708\n".into(), Layout::Digits, 2, 2, B3),
        ("count line and sizes", format!("2\n3\n{grid3}3\n{grid3}"), Layout::Sized, 2, 2, B3),
        ("csv", "ID,Board\na,1 2 3 4 5 6 7 8 0\n".into(), Layout::Csv, 1, 2, B3),
    ];
    for (name, text, layout, records, line, first) in cases {
        let out = auto(&text);
        assert_eq!(out.layout.map(Layout::name), Some(layout.name()), "{name}");
        assert_eq!(out.records.len(), records, "{name}: {:?}", out.records);
        assert_eq!((out.records[0].0, out.records[0].2.as_str()), (line, first), "{name}");
        assert!(out.records.iter().all(|(_, _, shown)| !shown.starts_with('!')), "{name}: {:?}", out.records);
        assert_eq!(out.warnings, [""; 0], "{name}");
    }
}

#[test]
fn auto_reads_numbered_lists() {
    let out = auto("1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n2 13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n");
    assert!(out.numbered);
    assert_eq!(out.records[1].1.as_deref(), Some("2"));
    assert_eq!(out.records[1].2, "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6");
}

/// An invalid record at the start of a file does not affect how the file is read.
#[test]
fn an_invalid_first_record_does_not_affect_detection() {
    for (text, layout, good) in [
        ("1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8 0\n", Layout::Line, 1),
        ("oh no\n1 2 3 4 5 6 7 8 0\n", Layout::Line, 1),
        ("112345678\n123456780\n", Layout::Digits, 1),
        ("1 2 3\n4 5 6\n7 8 8\n\n1 2 3\n4 5 6\n7 8 0\n", Layout::Grid, 1),
        ("1 2 3\n4 5\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0\n", Layout::Grid, 1),
        ("3\n1 2 3\n4 5 6\n7 8 8\n3\n1 2 3\n4 5 6\n7 8 0\n", Layout::Sized, 1),
        ("3\n1 2 3\n4 5\n7 8 0\n3\n1 2 3\n4 5 6\n7 8 0\n", Layout::Sized, 1),
        ("3\n1 2 3\n4 5 6\n7 8 8\n", Layout::Sized, 0),
        ("3\n1 2 3\n4 5\n7 8 0\n", Layout::Sized, 0),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n", Layout::Grid, 0),
        ("Puzzles, set one\n1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0 8\n", Layout::Line, 2),
    ] {
        let out = auto(text);
        assert_eq!(out.layout.map(Layout::name), Some(layout.name()), "{text}");
        assert_eq!(out.records.len(), good + 1, "{text}{:?}", out.records);
        assert!(out.records[0].2.starts_with('!'), "{text}");
    }
    // An invalid record after a valid one does not affect detection either.
    assert_eq!(auto("1 2 3 0\n9 9 9\n").layout, Some(Layout::Line));
}

#[test]
fn auto_reads_large_boards_on_one_line() {
    let row = |cells: usize| (0..cells).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ");
    for side in [120, 255] {
        let tiles = row(side * side);
        for (text, layout) in [
            (format!("{side}\n{tiles}\n"), Layout::Sized),
            (format!("{side}\n{tiles}"), Layout::Sized),
            (format!("{side}\n{tiles}\n{side}\n{tiles}\n"), Layout::Sized),
            (format!("{side}\n{tiles}\n{tiles}\n"), Layout::Pair),
            (format!("{tiles}\n{tiles}\n"), Layout::Line),
        ] {
            for reads in [usize::MAX, 5000] {
                let out = read(
                    text.as_bytes(),
                    &InputOptions::default(),
                    &ReadPattern { reads: vec![reads], ..ReadPattern::plain() },
                );
                assert_eq!(out.layout, Some(layout), "{side}");
                assert!(out.records.iter().all(|(_, _, shown)| shown.starts_with("0 1 2 ")), "{side} {layout}");
            }
        }
    }
}

#[test]
fn a_count_before_pairs_is_not_mistaken_for_a_size() {
    let pair = "12X453786\n12345678X\n";
    let (first, solved) = ("1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0", "1 2/3 0 -> 1 2/3 0");
    for count in [1, 2, 9, 300] {
        let text = format!("# taquin: format=pair\n{count}\n\n{}", pair.repeat(count));
        let out = auto(&text);
        assert_eq!(out.records.len(), count);
        // After the comment, the count and an empty line.
        assert_eq!(out.records[0], (4, None, first.into()));
        assert_eq!(out.warnings, [""; 0], "{count}");
    }
    for (text, expected) in [
        ("2\n12X453786\n12345678X\n", format!("2: {first}")),
        ("2\n1230\n1230\n", format!("1: {solved}")),
        ("1230\n1230\n", format!("1: {solved}")),
        ("2500\n1230\n", "1: ! tile 5 is out of range: the tiles of a 2x2 board are 0 to 3".into()),
        ("2\n1 2 3 0 4\n1 2 3 0\n", "1: ! found 5 tiles, a 2x2 board has 4".into()),
        ("1\n2\n1 2 3 0\n1 2 3 0\n", format!("2: {solved}")),
        ("1\n0\n0\n", "1: 0 -> 0".into()),
        ("3\n1 2 3\n4 5 6\n", "1: ! found 3 tiles, a 3x3 board has 9".into()),
        ("2\n", "1: ! found a size, but no start and no goal after it".into()),
    ] {
        assert_eq!(shown(text, &layout(Layout::Pair)), [expected], "{text}");
    }
}

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

/// Most invalid settings are not kept, but the first one that no option replaces is still the
/// reason why the records are invalid.
#[test]
fn many_invalid_settings_take_little_memory() {
    let options = InputOptions { max_record_bytes: usize::MAX, ..InputOptions::default() };
    let mut settings = options::FileSettings::new(&options);
    settings.read(format!("# taquin: {}goal=snial gaol=x", "shape=x ".repeat(100_000)).as_bytes(), 1);
    assert_eq!(settings.mistakes.len(), 10);
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
