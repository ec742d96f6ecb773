//! The layout `sized`: arbitrary line breaks, and the number of records lost to damage.

use super::*;
use crate::system::Random;

#[test]
fn sized() {
    let text = "3\n\n123\n456\n780\n2 3\n1 2 3 4 5 0\n2\n1\n2\n3\n0\n2\n1 2 3 0 4\n3\n1 2 3\n4 5 6\n\n0\n";
    assert_eq!(
        shown(text, &layout(Layout::Sized)),
        [
            format!("1: {B3}"),
            "6: 1 2 3/4 5 0".into(),
            "8: 1 2/3 0".into(),
            "13: ! found 5 tiles, a 2x2 board has 4".into(),
            "15: ! found 7 tiles, a 3x3 board has 9".into(),
        ]
    );
}

#[test]
fn the_next_record_after_a_damaged_one_is_found() {
    let good = "3\n1 2 3\n4 5 6\n7 8 0\n";
    let text = format!("3\n1 2 3\n4 5\n7 8 0\n{good}3\n1 2 3\n\n{good}x y z\n1 2 3\n\n{good}");
    assert_eq!(
        shown(&text, &layout(Layout::Sized)),
        [
            "1: ! found 8 tiles, a 3x3 board has 9".into(),
            format!("5: {B3}"),
            "9: ! found 3 tiles, a 3x3 board has 9".into(),
            format!("12: {B3}"),
            "16: ! 'x y z' is not a size: expected n, or rows and columns, each from 1 to 255".into(),
            format!("19: {B3}"),
        ]
    );
}

#[test]
fn a_size_without_a_board_is_one_invalid_record() {
    let text = "3\n\n3\n1 2 3\n4 5 6\n7 8 0\n";
    let empty = "1: ! found 0 tiles, a 3x3 board has 9".to_string();
    assert_eq!(shown(text, &layout(Layout::Sized)), [empty, format!("3: {B3}")]);
}

/// Empty lines within a damaged record are not scanned repeatedly.
#[test]
fn many_empty_lines_take_linear_time() {
    let text = format!("3\n1\n2\n{}1 2 x\n", "\n".repeat(500_000));
    assert_eq!(shown(&text, &layout(Layout::Sized)).len(), 1);
}

/// Returns the tokens of 3x3 boards, each board after its size.
fn sized_tokens(boards: &[&str]) -> Vec<String> {
    boards.iter().flat_map(|board| std::iter::once("3").chain(board.split(' ')).map(String::from)).collect()
}

/// Boards may have line breaks anywhere, even if a line then looks like a size.
#[test]
fn line_breaks_may_be_anywhere() {
    let lone = "3\n1 2 4\n5 6 7\n8 0\n3\n3\n1 2\n\n3 4 5\n6 7 8\n0\n";
    assert_eq!(shown(lone, &layout(Layout::Sized)), ["1: 1 2 4/5 6 7/8 0 3".to_string(), format!("6: {B3}")]);
    let tokens: Vec<String> =
        sized_tokens(&["1 2 3 4 5 6 7 8 0", "3 1 2 0 4 5 6 7 8", "8 7 6 5 4 3 2 1 0", "2 1 3 4 5 6 7 0 8"]);
    let expected = [B3, "3 1 2/0 4 5/6 7 8", "8 7 6/5 4 3/2 1 0", "2 1 3/4 5 6/7 0 8"];
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let mut text = String::new();
        for (at, token) in tokens.iter().enumerate() {
            // A size is alone on its line.
            let size = at % 10 == 0;
            let breaks = size || at % 10 == 9 || random.index(3) == 0;
            text += token;
            text += if breaks { "\n" } else { " " };
            if breaks && random.index(10) == 0 {
                text += "\n";
            }
        }
        let found = shown(&text, &layout(Layout::Sized));
        let boards: Vec<&str> = found.iter().map(|line| line.split_once(": ").unwrap().1).collect();
        assert_eq!(boards, expected, "{text}");
    }
}

/// The division of a record's tiles into lines.
#[derive(Clone, Copy, PartialEq, Debug)]
enum LineBreaks {
    OnePerLine,
    Rows,
    OneLine,
    Random,
}

/// Damage to a token.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Damage {
    Replaced(&'static str),
    Missing,
    Duplicated,
}

/// Returns the lines of a record: its size, then its tiles.
fn record(shape: Shape, style: LineBreaks, random: &mut Random) -> Vec<Vec<String>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let size = if rows == cols { vec![rows.to_string()] } else { vec![rows.to_string(), cols.to_string()] };
    let mut lines = vec![size, Vec::new()];
    for (at, tile) in random.permutation(shape.cells()).into_iter().enumerate() {
        let breaks = match style {
            LineBreaks::OnePerLine => true,
            LineBreaks::Rows => at % cols == 0,
            LineBreaks::OneLine => false,
            LineBreaks::Random => random.index(3) == 0,
        };
        match lines.last_mut() {
            Some(line) if at == 0 || !breaks => line.push(tile.to_string()),
            _ => lines.push(vec![tile.to_string()]),
        }
    }
    lines
}

/// Returns the board in the lines of a record, as results show it.
fn board(shape: Shape, lines: &[Vec<String>]) -> String {
    let tiles: Vec<&str> = lines[1..].iter().flatten().map(String::as_str).collect();
    tiles.chunks(shape.cols()).map(|row| row.join(" ")).collect::<Vec<_>>().join("/")
}

/// Damages a token in one of twelve records, in its size line if `in_size` is set. Returns the
/// text, the number of records found, the distances of the other lost records from the damaged one,
/// and the boards found that are none of the twelve.
fn damaged(
    shape: Shape,
    style: LineBreaks,
    damage: Damage,
    in_size: bool,
    random: &mut Random,
) -> (String, usize, Vec<isize>, Vec<String>) {
    let mut records: Vec<_> = (0..12).map(|_| record(shape, style, random)).collect();
    let boards: Vec<String> = records.iter().map(|lines| board(shape, lines)).collect();
    let nth = random.index(records.len());
    let line = if in_size { 0 } else { 1 + random.index(records[nth].len() - 1) };
    let line = &mut records[nth][line];
    let at = random.index(line.len());
    match damage {
        Damage::Replaced(bad) => line[at] = bad.into(),
        Damage::Missing => drop(line.remove(at)),
        Damage::Duplicated => line.insert(at, line[at].clone()),
    }
    let (mut text, mut good, mut number) = (String::new(), Vec::new(), 1);
    for (lines, board) in records.iter().zip(&boards) {
        good.push(format!("{number}: {board}"));
        for line in lines.iter().filter(|line| !line.is_empty()) {
            text += &(line.join(" ") + "\n");
            number += 1;
        }
    }
    let found = shown(&text, &layout(Layout::Sized));
    let lost = (0..records.len()).filter(|&at| at != nth && !found.contains(&good[at]));
    let lost = lost.map(|at| at as isize - nth as isize).collect();
    let foreign = found.iter().filter(|found| !found.contains(": !") && !good.contains(found)).cloned().collect();
    (text, found.len(), lost, foreign)
}

/// Tries each kind of damage in each shape and style. A token that is not a tile makes only its
/// record invalid. A missing or duplicated token or a damaged size loses at most one other record,
/// unless the tiles happen to form a sequence of other boards.
#[test]
fn damage_loses_at_most_one_other_record() {
    let mut random = Random::new(1);
    let (mut tried, mut worse, mut coincidences) = (0, 0, 0);
    for (rows, cols) in [(2, 3), (3, 2), (3, 3), (4, 4), (5, 2), (3, 7)] {
        let shape = Shape::new(rows, cols).unwrap();
        for style in [LineBreaks::OnePerLine, LineBreaks::Rows, LineBreaks::OneLine, LineBreaks::Random] {
            for bad in ["100", "0x1", "-3", "abc", "77777777777777777777"].map(Damage::Replaced) {
                for _ in 0..20 {
                    let (text, found, lost, foreign) = damaged(shape, style, bad, false, &mut random);
                    // The tiles after an invalid one may happen to form a smaller board.
                    coincidences += usize::from(found > 12 || !foreign.is_empty());
                    assert!((12..14).contains(&found) && lost.is_empty(), "{lost:?} {foreign:?}\n{text}");
                }
            }
            let damages = [Damage::Replaced("4"), Damage::Replaced("007"), Damage::Missing, Damage::Duplicated];
            let in_size_lines =
                damages.into_iter().chain(["x", "0x1", "300"].map(Damage::Replaced)).map(|damage| (damage, true));
            for (damage, in_size) in in_size_lines.chain(damages[2..].iter().map(|&damage| (damage, false))) {
                for _ in 0..50 {
                    let (text, found, lost, _) = damaged(shape, style, damage, in_size, &mut random);
                    assert!((9..40).contains(&found) && lost.len() <= 4, "{damage:?} {lost:?}\n{text}");
                    tried += 1;
                    worse += usize::from(lost.len() > 1);
                }
            }
        }
    }
    assert!(1000 * worse < 2 * tried && coincidences < 4, "{worse} of {tried}, {coincidences}");
}

/// Adjacent damaged records are separate results if their size lines are intact.
#[test]
fn adjacent_records_may_be_damaged() {
    let good = "3\n1 2 3\n4 5 6\n7 8 0\n";
    let text = format!("{good}3\n1 2 3\n4 5 a\n7 8 0\n3\n1 2 3\n4 5\n7 8 0\n3\n1 2 3\n4 5 6 6\n7 8 0\n{good}");
    let lines: Vec<String> = shown(&text, &layout(Layout::Sized))
        .iter()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(lines, ["1: 1", "5: !", "9: !", "13: !", "17: 1"]);
    let column: Vec<String> =
        ["3 1 2 3 4 5 6 7 8 0", "3 1 2 a 4 5 6 7 8 0", "3 1 b 3 4 5 6 7 8 0", "3 8 7 6 5 4 2 3 1 0"]
            .map(String::from)
            .into();
    let found = shown(&column.join(" ").replace(' ', "\n"), &layout(Layout::Sized));
    assert_eq!(found.len(), 4);
    assert_eq!([&found[0], &found[3]], [&format!("1: {B3}"), "31: 8 7 6/5 4 2/3 1 0"]);
}

/// If a record lacks its last tile, and the next size line has the number of this tile, the line is
/// not taken for the tile.
#[test]
fn the_next_size_line_does_not_complete_a_record() {
    for gap in ["", "\n"] {
        let text = format!("3\n1 2 4\n5 6 7\n8 0\n{gap}3\n1 2 3\n4 5 6\n7 8 0\n{gap}3\n8 7 6\n5 4 3\n2 1 0\n");
        let found = shown(&text, &layout(Layout::Sized));
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "1: ! found 8 tiles, a 3x3 board has 9");
        assert!(found[1].ends_with(B3) && found[2].ends_with("8 7 6/5 4 3/2 1 0"), "{found:?}");
    }
}

/// A board whose last line looks like a size line is found, even if reading fails after it.
#[test]
fn a_board_before_a_failure_is_found() {
    let text = "3\n1 2 3\n4 5 6\n7 8 0\n3\n1 2 4\n5 6 7\n8 0\n3\n";
    for sizes in [vec![1], vec![7, 2], vec![usize::MAX]] {
        for end in ["", "3", "3\n1 2", "\n# no\n"] {
            let pattern = ReadPattern { reads: sizes.clone(), fails: true, ..ReadPattern::plain() };
            let out = read((text.to_string() + end).as_bytes(), &layout(Layout::Sized), &pattern);
            let found: Vec<&str> = out.records.iter().map(|record| &*record.2).collect();
            assert_eq!(found, [B3, "1 2 4/5 6 7/8 0 3"], "{end:?}");
            assert!(out.failure.is_some());
        }
    }
}
