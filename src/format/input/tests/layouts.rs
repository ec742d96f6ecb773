//! The records that each layout accepts, and the errors of other records.

use std::sync::Arc;

use super::*;

#[test]
fn lines() {
    let text = "\u{feff}# a list\r\n1 2 3 4 5 6 7 8 0 # solved\r\n\r\n , \n1,2;3\n1 2 3\n1 2 3 4 5 6 7 8 8\n1 _ 2 70000\n1 2 x 3";
    assert_eq!(
        shown(text, &layout(Layout::Line)),
        [
            format!("2: {B3}"),
            "5: ! '2;3' is neither a number nor a blank (0, x, X, _ or .)".into(),
            "6: ! found 3 tiles; a board has a square number of them unless --shape says otherwise".into(),
            "7: ! tile 8 appears twice".into(),
            "8: ! tile '70000' is out of range: no board has more than 65025 cells".into(),
            "9: 1 2/0 3".into(),
        ]
    );
    assert_eq!(
        shown("1 2 3 4 5 0\n1 2 3 0", &shaped(Layout::Line, 2, 3)),
        ["1: 1 2 3/4 5 0", "2: ! found 4 tiles, a 2x3 board has 6"]
    );
    let numbered = InputOptions { numbered: true, ..layout(Layout::Line) };
    let out = read(b"007 1 2 3 0\na 1 2 3 0\n00 0 1 2 3\n", &numbered, &ReadPattern::plain());
    assert_eq!(
        out.records,
        [
            (1, Some("7".into()), "1 2/3 0".into()),
            (2, None, "! expected a record number first, found 'a'".into()),
            (3, Some("0".into()), "0 1/2 3".into()),
        ]
    );
}

#[test]
fn digits() {
    assert_eq!(
        shown("1234567x8\n3120 # two\n12345\n12 30\n12a456780\n", &layout(Layout::Digits)),
        [
            "1: 1 2 3/4 5 6/7 0 8",
            "2: 3 1/2 0",
            "3: ! found 5 tiles; a board has a square number of them unless --shape says otherwise",
            "4: ! found 2 tiles; a board has a square number of them unless --shape says otherwise",
            "5: ! '12a456780' is neither a number nor a blank (0, x, X, _ or .)",
        ]
    );
    assert_eq!(shown("123450", &shaped(Layout::Digits, 2, 3)), ["1: 1 2 3/4 5 0"]);
}

#[test]
fn grids() {
    let text = "1 2 3\n4 5 6 # six\n#\n7 8 0\n12\n3x\n\n1 2 3\n4 5\n7 8 0\n1 2\n\n1 2\n3 3\n";
    assert_eq!(
        shown(text, &layout(Layout::Grid)),
        [
            format!("1: {B3}"),
            "5: 1 2/3 0".into(),
            "8: ! row 2 has 2 tiles, row 1 has 3".into(),
            "11: ! found 1 row of 2 tiles, expected 2 rows".into(),
            "13: ! tile 3 appears twice".into(),
        ]
    );
    assert_eq!(
        shown("1 2 3\n4 5 0\n1 2\n3 4\n", &shaped(Layout::Grid, 2, 3)),
        ["1: 1 2 3/4 5 0", "3: ! row 1 has 2 tiles, a row of a 2x3 board has 3"]
    );
    let wide = "1 ".repeat(256);
    assert_eq!(
        shown(&wide, &layout(Layout::Grid)),
        ["1: ! found 1 row of 256 tiles; a board has from 1 to 255 rows and columns"]
    );
}

#[test]
fn pairs() {
    let text = "1 2 3 0\n0 1 2 3\n12X453786\n12345678X\n3 # size\n1 2 3 4 5 6 7 8 0\n123456708\n2 3\n1 2 3 4 5 0\n0 1 2 3 4 5\n1 2 3 0\n\n1 2 3 0\n1 2 3 3\n4\n\n1230\n1203\n";
    assert_eq!(
        shown(text, &layout(Layout::Pair)),
        [
            "1: 1 2/3 0 -> 0 1/2 3",
            "3: 1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0",
            "5: 1 2 3/4 5 6/7 8 0 -> 1 2 3/4 5 6/7 0 8",
            "8: 1 2 3/4 5 0 -> 0 1 2/3 4 5",
            "11: ! found a start, but no goal on the line after it",
            "13: ! the goal: tile 3 appears twice",
            "15: ! found 4 tiles, a 4x4 board has 16",
        ]
    );
}

#[test]
fn json() {
    let text = r#"[1,2,3,0]
[["1","2"],[3,null]]
{"id":"a\u00e9","board":"123/456/78_","goal":"blank-first","more":{"x":[1,[2]]}}
{"id":-1.50,"board":[1,2,3,4,5,0],"rows":2,"cols":3,"goal":[[0,1,2],[3,4,5]]}

# a comment
{"id":7,"board":[1,2,3,3]}
{"board":[1,2],"board":[1,2]}
[[1,2],[3]]
[1,[2,3]]
[[[1]]]
{"id":7}
{"id":[7],"board":[0]}
{"id":"\ud800","board":[0]}
{"board":[1,2,3,0],"rows":2}
{"board":[[1,2],[3,0]],"rows":1,"cols":4}
{"board":"1 2 3 0","goal":"1 2 0"}
[1,2,3,-1]
[1,2,3,0] 5
nonsense
[1,2,3,99999999]
[]
{"id":"k","board":[1,2,3,-1]}
{"board":[[1,2],[3,"a"]],"id":5}
{"id":[7],"board":[1,2,3,-1]}
{"id":"k","board":[1,2,3,0]
[1,2,3,""]
["1"," "]
[[1,01]]
"#;
    let out = read(text.as_bytes(), &layout(Layout::Json), &ReadPattern::plain());
    let shown: Vec<String> = out
        .records
        .iter()
        .map(|(line, id, shown)| format!("{line}{}: {shown}", id.as_ref().map_or(String::new(), |id| format!(" {id}"))))
        .collect();
    assert_eq!(
        shown,
        [
            "1: 1 2/3 0",
            "2: 1 2/3 0",
            r#"3 "a\u00e9": 1 2 3/4 5 6/7 8 0 -> 0 1 2/3 4 5/6 7 8"#,
            "4 -1.50: 1 2 3/4 5 0 -> 0 1 2/3 4 5",
            "7 7: ! tile 3 appears twice",
            "8: ! duplicate field `board`",
            "9: ! row 2 has 1 tile, row 1 has 2",
            "10: ! rows and single tiles are mixed",
            "11: ! '[1]' is neither a number nor a blank (0, x, X, _ or .)",
            "12 7: ! the object has no \"board\"; it has: id (use --board-field)",
            "13: ! \"id\" is neither a string nor a number",
            "14: ! unexpected end of hex escape (at column 8)",
            "15: ! found rows without cols",
            "16: ! the rows make a 2x2 board, its size is given as 1x4",
            "17: ! the goal: found 3 tiles, a 2x2 board has 4",
            "18: ! '-1' is neither a number nor a blank (0, x, X, _ or .)",
            "19: ! trailing characters (at column 11)",
            "20: ! expected a JSON array or object, found 'nonsense'",
            "21: ! tile '99999999' is out of range: no board has more than 65025 cells",
            "22: ! found 0 tiles; a board has a square number of them unless --shape says otherwise",
            "23 \"k\": ! '-1' is neither a number nor a blank (0, x, X, _ or .)",
            "24 5: ! 'a' is neither a number nor a blank (0, x, X, _ or .)",
            "25: ! '-1' is neither a number nor a blank (0, x, X, _ or .)",
            "26: ! EOF while parsing an object (at column 27)",
            "27: 1 2/3 0",
            "28: ! found 2 tiles; a board has a square number of them unless --shape says otherwise",
            "29: ! invalid number (at column 6)",
        ]
    );
    for deep in ["[".repeat(100_000), format!("{{\"x\":{}", "[".repeat(100_000)), format!("[{}]", "9".repeat(1000))] {
        let out = auto(&deep);
        assert!(out.records.len() == 1 && out.records[0].2.starts_with('!'), "{:?}", out.records);
    }
}

#[test]
fn csv() {
    let text = "rows,ID,note,Board,cols,goal\n,\"a \"\"b\"\"\",x,\"1,2,3,0\",,\n2,7,,1 2 3 4 5 0,3,0 1 2 3 4 5\n,,,12/3x,,blank-first\n\n# no\n,,\n2,,,1230,,\n,,,\"1 2\n,,,1 2 3 0,,1 2 3\n,,,1 2 # 0,,\n";
    let out = read(text.as_bytes(), &InputOptions::default(), &ReadPattern::plain());
    assert_eq!(out.layout, Some(Layout::Csv));
    assert_eq!(
        out.records,
        [
            (2, Some(r#""a \"b\"""#.into()), "1 2/3 0".into()),
            (3, Some(r#""7""#.into()), "1 2 3/4 5 0 -> 0 1 2/3 4 5".into()),
            (4, None, "1 2/3 0 -> 0 1/2 3".into()),
            (7, None, "! found 3 fields, the board is field 4".into()),
            (8, None, "! found rows without cols".into()),
            (
                9,
                None,
                "! found an unclosed quote: a quote in a field must be doubled, and fields cannot contain line breaks"
                    .into()
            ),
            (10, None, "! the goal: found 3 tiles, a 2x2 board has 4".into()),
            (11, None, "! found '#' in the board '1 2 # 0'".into()),
        ]
    );
    let lists = "id,board,goal\n1,\"[1, 2, 3, 0]\",\n2,\"[[1, 2, 3], [4, 0, 5]]\",\"[0, 1, 2, 3, 4, 5]\"\n3,[1 2 3 0],\n4,\"[[1, 2], [3]]\",\n\
                 5,\"[1, 2\",\n6,\"[\"\"1\"\",\"\"2\"\",3,null]\",\"[[1,2],[0]]\"\n7, ,\n8,[],\n";
    assert_eq!(
        shown(lists, &layout(Layout::Csv)),
        [
            "2: 1 2/3 0",
            "3: 1 2 3/4 0 5 -> 0 1 2/3 4 5",
            "4: 1 2/3 0",
            "5: ! row 2 has 1 tile, row 1 has 2",
            "6: ! '[1' is neither a number nor a blank (0, x, X, _ or .)",
            "7: ! the goal: row 2 has 1 tile, row 1 has 2",
            "8: ! there is no board",
            "9: ! found 0 tiles; a board has a square number of them unless --shape says otherwise",
        ]
    );
    // A board with commas but without quotes has more fields than the header.
    let surplus = shown("id,board\n8,1,2,3,0\n9,1 2 3 0,,\n", &layout(Layout::Csv));
    let message = "2: ! found 5 fields, the header has 2: quote a board that contains commas";
    assert_eq!(surplus, [message, "3: 1 2/3 0"]);
    assert_eq!(shown("id, \"board\"\n1, \"1 2 3 0\"\n", &InputOptions::default()), ["2: 1 2/3 0"]);
    // A quoted line break splits its record into two invalid ones.
    let halves = shown("id,board\n\"a\nb\",1 2 3 0\n\"a\n\"\"b\",1 2 3 0\nc,1 2 3 0\n", &layout(Layout::Csv));
    assert!(halves[..4].iter().all(|half| half.contains("unclosed quote")), "{halves:?}");
    assert_eq!(halves[4..], ["6: 1 2/3 0"]);
    let headless = shown("a,b\n1,2\n", &layout(Layout::Csv));
    let message = "! the header has no \"board\"; it has: a, b (use --board-field)";
    assert_eq!(headless, [format!("2: {message}")]);
}

/// The board is in the requested field, or else in the field with the first of the usual names that
/// the file contains.
#[test]
fn boards_are_found_in_fields_of_other_names() {
    let found = |text: &str, field: Option<&str>| {
        let options = InputOptions { board_field: field.map(Into::into), ..InputOptions::default() };
        shown(text, &options)
    };
    let rows = "{\"id\":1}\n{\"state\":\"x\",\"grid\":[[1,2],[3,0]]}\n{\"state\":[1,2,3,0]}\n{\"grid\":null}\n";
    let missing = "1: ! the object has no \"grid\"; it has: id (use --board-field)";
    let third = "3: ! the object has no \"grid\"; it has: state (use --board-field)";
    assert_eq!(found(rows, None), [missing, "2: 1 2/3 0", third, "4: ! \"grid\" is null"]);
    assert_eq!(found(rows, Some("state"))[2], "3: 1 2/3 0");
    let array = "[{\"puzzle\":\"1 2 3 0\"},\n {\"puzzle\":[1,2,0,3]}]";
    assert_eq!(found(array, None), ["1: 1 2/3 0", "2: 1 2/0 3"]);
    let values = "{\n\"Board\": 3,\n\"cells\": [1,2,3,0]\n}\n";
    assert_eq!(found(values, None), ["1: 1 2/3 0"]);
    let csv = "id;State;start\n1;1 2 3 0;3 2 1 0\n";
    assert_eq!(found(csv, None), ["2: 1 2/3 0"]);
    assert_eq!(found(csv, Some("start")), ["2: 3 2/1 0"]);
    let names = (1..=9).map(|name| format!("\"{name}\":0")).collect::<Vec<_>>().join(",");
    assert!(
        found(&format!("{{{names}}}\n"), None)[0].ends_with("it has: 1, 2, 3, 4, 5, 6, 7, 8, ... (use --board-field)")
    );
}

/// An array of damaged boards gives one invalid record for each board, and a damaged board gives
/// one invalid record, whether the array or the board is on one line or on several.
#[test]
fn an_array_of_damaged_boards_gives_an_invalid_record_for_each() {
    for (elements, records) in [
        (vec!["[1,2,3,3]", "[1,2,3]", "[5,5]"], 3),
        (vec!["[[1,2],[3,3]]", "[[1,2],[3]]"], 2),
        (vec!["\"1 1\"", "\"0 0\""], 2),
        (vec!["\"1 2 3\"", "\"a\""], 2),
        (vec!["{\"board\":[1,1]}", "{}"], 2),
        (vec!["5", "[1,2,3,3]"], 2),
        (vec!["[1,2,3]", "[4,5,5]"], 1),
        (vec!["\"1\"", "\"2\"", "\"0\"", "\"0\""], 1),
    ] {
        for (separator, ends) in [(",", ["[", "]"]), (",\n", ["[\n", "\n]\n"])] {
            let text = elements.join(separator);
            let found = shown(&format!("{}{text}{}", ends[0], ends[1]), &InputOptions::default());
            assert_eq!(found.len(), records, "{text}: {found:?}");
            assert!(found.iter().all(|record| record.contains('!')), "{text}: {found:?}");
        }
    }
}

/// With `--pass all`, the board's field is also copied, whatever its name.
#[test]
fn the_board_field_can_be_a_passthrough_column() {
    let options = InputOptions { pass: Arc::new("all".parse().unwrap()), ..InputOptions::default() };
    for text in ["{\"name\":\"a\",\"grid\":[[1,2],[3,0]]}\n", "name,grid\na,1 2 3 0\n"] {
        let mut reader = Reader::of_text("FILE", text.as_bytes(), options.clone());
        let chunk = reader.next_chunk(10, 1000, Vec::new()).unwrap().unwrap();
        let names: Vec<String> = chunk
            .records()
            .flat_map(|record| record.passthrough.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>())
            .collect();
        assert_eq!(names, ["name", "grid"], "{text}");
    }
}

/// A line of n tiles that contains every number below n is a whole board. Two rows of one board
/// cannot both be such lines.
#[test]
fn lines_with_all_numbers_are_not_rows() {
    let message = "found 6 tiles; a board has a square number of them unless --shape says otherwise";
    assert_eq!(
        shown("2 3 0 4 1 5\n2 0 1 4 3 5\n", &InputOptions::default()),
        [format!("1: ! {message}"), format!("2: ! {message}")]
    );
}

#[test]
fn a_column_is_read_if_the_shape_has_one_column() {
    let options = InputOptions { shape: Shape::new(4, 1), ..InputOptions::default() };
    for text in ["1\n2\n0\n3\n", "1\n2\n0\n3\n\n0\n1\n2\n3\n"] {
        let records = shown(text, &options);
        assert_eq!(records[0], "1: 1/2/0/3", "{text}");
        assert!(records.len() == 1 || records[1..] == ["6: 0/1/2/3"], "{records:?}");
    }
}
