//! Tests of the automaton against the definition of a duplicate string, computed slowly on a
//! separate grid, and against the canonical paths of whole graphs. The shipped strings are compared
//! with those that a fast search finds.

mod search;
mod walk;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::sync::LazyLock;

use self::search::find_strings;
use super::compile::{MAX_LETTERS, MAX_SMALL_LETTERS, PackedString, SMALL_SIDE, duplicates};
use super::*;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Move, Path, Ranking, Shape, Solvable, Tile};
use crate::engine::test_support::Reference;

fn for_side(depth: usize, side: usize) -> Automaton {
    Automaton::build_for_side(depth, side, &AtomicBool::new(false)).unwrap()
}

/// Returns true if the automaton accepts the whole string.
fn accepts(automaton: &Automaton, letters: impl IntoIterator<Item = Move>) -> bool {
    let step = |state: u32, letter: Move| {
        let next = automaton.rows()[state as usize][letter.index()];
        (next != Automaton::REJECT).then_some(next)
    };
    letters.into_iter().try_fold(Automaton::START, step).is_some()
}

/// The deepest automaton for boards of any size, built once for all tests.
static DEEPEST: LazyLock<Automaton> = LazyLock::new(|| Automaton::build(14));

type GridCell = (i32, i32);

/// The cells and origins of all displaced tiles, and those of the blank if it is displaced.
type StringEffect = Vec<(GridCell, GridCell)>;

/// The box of a string: minimum row, minimum column, maximum row, maximum column.
type Corners = [i32; 4];

fn slow_effect(letters: &[Move]) -> (StringEffect, Corners) {
    let mut origin: BTreeMap<GridCell, GridCell> = BTreeMap::new();
    let (mut blank, mut corners) = ((0, 0), [0; 4]);
    for letter in letters {
        let to = match letter {
            Move::Down => (blank.0 + 1, blank.1),
            Move::Up => (blank.0 - 1, blank.1),
            Move::Left => (blank.0, blank.1 - 1),
            Move::Right => (blank.0, blank.1 + 1),
        };
        let tile = origin.get(&to).copied().unwrap_or(to);
        origin.insert(blank, tile);
        origin.insert(to, (0, 0));
        blank = to;
        corners = [corners[0].min(to.0), corners[1].min(to.1), corners[2].max(to.0), corners[3].max(to.1)];
    }
    (origin.into_iter().filter(|(cell, origin)| cell != origin).collect(), corners)
}

fn is_inside(inner: Corners, outer: Corners) -> bool {
    outer[0] <= inner[0] && outer[1] <= inner[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/// Returns the empty string, and every string of up to `letters` letters such that `is_wanted`
/// returns true for it and for all its nonempty prefixes. The strings are sorted by length and then
/// alphabetically. A duplicate comes with a string that replaces it.
fn strings(letters: usize, is_wanted: fn(&[Move]) -> bool) -> Vec<(Vec<Move>, Option<Vec<Move>>)> {
    let mut listed: Vec<Vec<Move>> = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..letters {
        let end = listed.len();
        for shorter in first..end {
            for letter in Move::ALL {
                let longer = [listed[shorter].as_slice(), &[letter]].concat();
                if is_wanted(&longer) {
                    listed.push(longer);
                }
            }
        }
        first = end;
    }
    let mut by_effect: HashMap<StringEffect, Vec<(usize, Corners)>> = HashMap::new();
    let mut replaced = Vec::with_capacity(listed.len());
    for (at, string) in listed.iter().enumerate() {
        let (effect, corners) = slow_effect(string);
        let smaller = by_effect.entry(effect).or_default();
        let replacement = smaller.iter().find(|&&(_, inner)| is_inside(inner, corners));
        replaced.push(replacement.map(|&(index, _)| listed[index].clone()));
        smaller.push((at, corners));
    }
    listed.into_iter().zip(replaced).collect()
}

/// Tests all 87,381 strings of up to 8 letters, at every depth. A string is rejected if and only if
/// a factor no longer than the depth is a duplicate. Every replacement satisfies the definition.
#[test]
fn rejects_exactly_the_strings_with_a_duplicate_factor() {
    let strings = strings(8, |_| true);
    assert_eq!(strings.len(), (0..=8).map(|letters| 4usize.pow(letters)).sum::<usize>());
    let is_duplicate: HashMap<&[Move], bool> =
        strings.iter().map(|(string, replacement)| (string.as_slice(), replacement.is_some())).collect();
    for (string, replacement) in &strings {
        let Some(replacement) = replacement else { continue };
        assert!((replacement.len(), replacement) < (string.len(), string));
        let ((effect, corners), (same, inside)) = (slow_effect(string), slow_effect(replacement));
        assert!(effect == same && is_inside(inside, corners), "{string:?} by {replacement:?}");
    }
    for depth in 0..=8 {
        let automaton = Automaton::build(depth);
        for (string, _) in &strings {
            let factors = (0..string.len()).flat_map(|from| (from + 1..=string.len()).map(move |to| &string[from..to]));
            let expected = factors.filter(|factor| factor.len() <= depth).any(|factor| is_duplicate[factor]);
            assert_eq!(!accepts(&automaton, string.iter().copied()), expected, "{string:?} at depth {depth}");
        }
    }
}

/// Tests the 118,097 strings of up to 10 letters that do not contain a move followed by its
/// inverse.
#[test]
fn rejects_exactly_the_duplicates_of_up_to_10_letters() {
    let strings = strings(10, |string| string.windows(2).all(|two| two[0] != two[1].inverse()));
    assert_eq!(strings.len(), 1 + 4 * (3usize.pow(10) - 1) / 2);
    let automaton = Automaton::build(10);
    for (string, replacement) in &strings {
        assert_eq!(accepts(&automaton, string.iter().copied()), replacement.is_none(), "{string:?} by {replacement:?}");
    }
}

/// Tests the canonical paths of all states, for every goal cell of the blank, in the letters of the
/// board as given. On 3×3, the goal cells are a corner, an edge and the centre, and every 31st
/// state is enough, because the paths of most other states are suffixes of the paths tested.
#[test]
fn accepts_every_canonical_path() {
    let automata = [&Automaton::build(10), &*DEEPEST];
    let small = for_side(13, 4);
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal_blank in (0..shape.cells()).filter(|blank| shape.cells() < 9 || [1, 4, 8].contains(blank)) {
            let mut tiles: Vec<Tile> = (1..shape.cells()).map(Tile::new).collect();
            tiles.insert(goal_blank, Tile::BLANK);
            let frame = Frame::new(&Board::new(shape, &tiles).unwrap()).unwrap();
            let &Space { shape, goal_blank, .. } = frame.space();
            let table = Reference::build(frame.space()).unwrap();
            let ranking = Ranking::new(shape, goal_blank).unwrap();
            let mut path = Path::new();
            for rank in (0..ranking.states()).step_by(if shape.cells() < 9 { 1 } else { 31 }) {
                let start = Solvable::check(ranking.unrank(rank), shape, goal_blank).unwrap();
                table.solve(&start, &mut path);
                for automaton in automata {
                    assert!(accepts(automaton, path.moves()), "{path} to {:?}", frame.goal());
                }
                assert!(accepts(&small, path.moves()), "{path} to {:?}", frame.goal());
            }
        }
    }
}

/// The automaton for a side agrees with the general one on strings that fit onto boards with that
/// side.
#[test]
fn an_automaton_for_a_side_agrees_on_strings_that_fit() {
    let automaton = Automaton::build(10);
    let strings = strings(9, |string| string.windows(2).all(|two| two[0] != two[1].inverse()));
    for side in [2, 3, 5] {
        let small = for_side(10, side);
        assert!(small.rows().len() <= automaton.rows().len());
        for (string, _) in &strings {
            let [top, left, bottom, right] = slow_effect(string).1;
            if ((bottom - top).max(right - left) as usize) < side {
                let accepted = accepts(&automaton, string.iter().copied());
                assert_eq!(accepts(&small, string.iter().copied()), accepted, "{string:?} on {side}");
            }
        }
    }
}

#[test]
fn depth_two_rejects_only_inverses() {
    let automaton = Automaton::build(2);
    assert_eq!(automaton.rows().len(), 5);
    for first in Move::ALL {
        let state = automaton.rows()[0][first.index()];
        for second in Move::ALL {
            let is_rejected = automaton.rows()[state as usize][second.index()] == Automaton::REJECT;
            assert_eq!(is_rejected, second == first.inverse());
        }
    }
    for depth in [0, 1] {
        assert_eq!(Automaton::build(depth).rows(), [[Automaton::START; 4]]);
    }
}

/// Returns the number of accepted strings, by length, for lengths of up to `letters`.
fn accepted(automaton: &Automaton, letters: usize) -> Vec<u64> {
    let mut ending = vec![0; automaton.rows().len()];
    ending[0] = 1;
    let mut counts = vec![1];
    for _ in 0..letters {
        let mut next = vec![0; ending.len()];
        for (row, &strings) in automaton.rows().iter().zip(&ending) {
            for &to in row.iter().filter(|&&to| to != Automaton::REJECT) {
                next[to as usize] += strings;
            }
        }
        ending = next;
        counts.push(ending.iter().sum());
    }
    counts
}

#[test]
fn a_greater_depth_accepts_no_more_strings() {
    let mut shallower = accepted(&Automaton::build(0), 24);
    assert_eq!(shallower[24], 1 << 48);
    for depth in 1..=12 {
        let deeper = accepted(&Automaton::build(depth), 24);
        assert!(deeper.iter().zip(&shallower).all(|(deeper, shallower)| deeper <= shallower), "depth {depth}");
        // The new duplicates have `depth` letters, so shorter strings are accepted as before.
        assert_eq!(deeper[..depth], shallower[..depth]);
        shallower = deeper;
    }
}

/// These numbers change if the pruning changes. The numbers of prefixes, which are the states
/// before minimisation, agree with an independent program (its letter order is U, L, R, D: that of
/// this program with U and D exchanged).
#[test]
fn signature() {
    for (depth, prefixes, states) in [(10, 1_384, 1_191), (12, 9_732, 8_081)] {
        assert_eq!(
            (depth, rejected(depth, usize::MAX).compile().len(), Automaton::build(depth).rows().len()),
            (depth, prefixes, states)
        );
    }
    assert_eq!(DEEPEST.rows().len(), 56_974);
}

/// Tests the growth per move of the number of paths. The numbers for depth 2 are the branching
/// factors of S. Edelkamp, R. E. Korf, *The branching factor of regular search spaces*, AAAI 1998.
/// The others change if the pruning changes.
#[test]
fn branching_on_boards() {
    for (side, depth, expected) in [(4, 2, 2.1304), (5, 2, 2.3676), (4, 10, 2.0371), (5, 10, 2.2978)] {
        let shape = Shape::new(side, side).unwrap();
        let automaton = Automaton::build(depth);
        let states = automaton.rows().len();
        // The number of paths by final cell and state, and the totals by length.
        let mut ending = vec![0f64; shape.cells() * states];
        ending[0] = 1.0;
        let mut paths = Vec::new();
        for _ in 0..80 {
            let mut next = vec![0f64; ending.len()];
            for (at, &count) in ending.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                for letter in Move::ALL {
                    let to = shape.neighbour(Cell::new(at / states), letter);
                    let after = automaton.rows()[at % states][letter.index()];
                    if let Some(to) = to.filter(|_| after != Automaton::REJECT) {
                        next[to.index() * states + after as usize] += count;
                    }
                }
            }
            ending = next;
            paths.push(ending.iter().sum::<f64>());
        }
        // With every move the blank's cell changes its colour on a checkerboard, and the growth may
        // differ between the colours. So lengths two moves apart are compared.
        let branching = (paths[79] / paths[77]).sqrt();
        assert!((branching - expected).abs() < 0.0001, "{shape} at depth {depth}: {branching}");
    }
}

#[test]
#[should_panic(expected = "the maximum is 14")]
fn too_great_a_depth_panics() {
    let _ = Automaton::build(Automaton::MAX_DEPTH + 1);
}

#[test]
fn building_can_be_stopped() {
    assert_eq!(Automaton::build_for_side(12, 5, &AtomicBool::new(true)), None);
}

#[test]
fn the_search_does_not_depend_on_the_number_of_threads() {
    let one = find_strings(11, 5, 1);
    for threads in [2, 7] {
        assert!(find_strings(11, 5, threads) == one, "{threads}");
    }
}

/// Packs strings in the shipped format.
fn packed(strings: &BTreeSet<PackedString>) -> Vec<u8> {
    let mut sorted: Vec<Vec<u8>> =
        strings.iter().map(|string| string.letters().map(|letter| letter as u8).collect()).collect();
    sorted.sort();
    let (mut text, mut last) = (Vec::new(), Vec::new());
    for letters in sorted {
        let shared = letters.iter().zip(&last).take_while(|(a, b)| a == b).count();
        text.push((shared << 4 | (letters.len() - shared - 1)) as u8);
        text.extend_from_slice(&letters[shared..]);
        last = letters;
    }
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    zlib.write_all(&text).unwrap();
    zlib.finish().unwrap()
}

/// Searches for the strings of up to `letters` letters, and for those of up to `small_letters`
/// letters that fit onto a 5×5 board, and compares both with the shipped ones. Returns the number
/// of strings found.
fn check_shipped(letters: usize, small_letters: usize) -> usize {
    let [any, small] = [(letters, usize::MAX), (small_letters, SMALL_SIDE)]
        .map(|(letters, side)| find_strings(letters, side, 1).into_iter().collect::<BTreeSet<PackedString>>());
    let all: BTreeSet<PackedString> = &any | &small;
    if any != duplicates(letters, usize::MAX).collect() || small != duplicates(small_letters, SMALL_SIDE).collect() {
        let path = std::env::temp_dir().join("strings.zlib");
        std::fs::write(&path, packed(&all)).unwrap();
        panic!("the search found different strings, written to {}", path.display());
    }
    all.len()
}

#[test]
fn short_shipped_strings_match_the_search() {
    assert!(check_shipped(11, 12) > 1_000);
}

#[test]
#[ignore = "takes seconds and 450 MB; run in release by scripts/tables"]
fn all_shipped_strings_match_the_search() {
    assert_eq!(check_shipped(MAX_LETTERS, MAX_SMALL_LETTERS), 111_975);
}
