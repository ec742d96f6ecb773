//! Compares the fast path with the general path, which reads, solves and writes record by record.

use std::sync::Arc;

use super::kernels::{BLOCK, FastPathTables, Recogniser, RecordBlock};
use super::result_template::ResultTemplate;
use super::*;
use crate::board::replay;
use crate::board::{Board, Goal, Path, Shape, Tile};
use crate::format::input::{Chunk, Layout, Source};
use crate::format::output::{Field, Fields, Row, Verdict, json_string};
use crate::format::style::Style;
use crate::solver::{Admitted, FirstStep, PreparedGoal, Solver};
use crate::system::{InputPosition, InstructionSet, Limits, Random};

/// Returns the available instruction sets.
fn instruction_sets() -> impl Iterator<Item = InstructionSet> {
    [InstructionSet::Portable, InstructionSet::Avx2].into_iter().filter(|set| set.is_available())
}

fn board_of(shape: Shape, labels: &[usize]) -> Board {
    Board::new(shape, &labels.iter().copied().map(Tile::new).collect::<Vec<_>>()).unwrap()
}

/// Creates a chunk of a file whose boards have this goal.
fn chunk(text: &[u8], layout: Layout, goal: &Board, index: u64, line: u64) -> Chunk {
    let source = Source {
        name: "a \"b\".txt".into(),
        layout,
        goal: Goal::of_tiles(goal.tiles()),
        shape: Some(goal.shape()),
        numbered: false,
        effort: None,
        pass: Arc::default(),
        board_field: "board".into(),
        columns: Ok(None),
        fault: None,
        max_record_bytes: 1 << 20,
    };
    let record_count = text.iter().filter(|&&byte| byte == b'\n').count();
    Chunk {
        source: Arc::new(source),
        first_index: index,
        first_line: line,
        record_count,
        bytes: text.to_vec(),
        spans: Vec::new(),
        input_position: InputPosition::END,
    }
}

/// Creates the solver of the general path.
fn solver() -> Solver {
    Solver::builder().threads(1).memory(1 << 30).build().unwrap()
}

/// Returns true if the path of a board is known without a search, and writes it to `path`.
fn is_known(prepared: &PreparedGoal, board: &Board, admitted: &Admitted, path: &mut Path) -> bool {
    matches!(prepared.first_step(board, admitted, &Limits::default(), path), FirstStep::Known)
}

fn general_results(chunk: &Chunk, prepared: &PreparedGoal, fields: &Fields) -> Vec<u8> {
    let (mut out, mut path, name) = (Vec::new(), Path::new(), json_string(&chunk.source.name));
    for record in chunk.records() {
        let board = record.puzzle.unwrap().board;
        let verdict = match prepared.admit(&board) {
            None => Verdict::Unsolvable,
            Some(start) => {
                assert!(is_known(prepared, &board, &start, &mut path));
                assert_eq!(replay::replay(&board, &prepared.goal, path.letters()), Ok(()));
                Verdict::Solved(&path)
            }
        };
        Row::bare(record.index, &name, record.line, verdict).write(&Style::Json(fields.clone()), &mut out);
    }
    out
}

/// Solves a whole chunk in blocks, and compares the results with the general path's.
fn assert_all_solved(
    set: InstructionSet,
    chunk: &Chunk,
    prepared: &Arc<PreparedGoal>,
    fields: &Fields,
    expected: &[u8],
) {
    let template = RecordTemplate::find(&chunk.bytes, chunk.source.layout).unwrap();
    let mut solver = BlockSolver::new(set, &chunk.source, prepared, template, fields).unwrap();
    let (bytes, records) = (&chunk.bytes[..], chunk.record_count);
    let mut out = b"before".to_vec();
    let taken = solver.solve(RawRecords { bytes, records, index: chunk.first_index, line: chunk.first_line }, &mut out);
    assert_eq!((taken.records, taken.bytes), (records, bytes.len()), "{set:?}");
    assert!(out.strip_prefix(b"before") == Some(expected), "{set:?}");
    let solved = memchr::memmem::find_iter(expected, b"\"solved\"").count();
    assert!(taken.solved == solved || !fields.iter().any(|field| field == Field::Status));
}

/// Visits every permutation of the numbers below `n`, in no particular order.
fn every_permutation(n: usize, mut visit: impl FnMut(&[usize])) {
    // B. R. Heap, Permutations by interchanges, The Computer Journal 6 (1963).
    let (mut items, mut counts, mut i) = ((0..n).collect::<Vec<_>>(), vec![0; n], 0);
    visit(&items);
    while i < n {
        if counts[i] < i {
            items.swap(if i % 2 == 0 { 0 } else { counts[i] }, i);
            visit(&items);
            counts[i] += 1;
            i = 0;
        } else {
            counts[i] = 0;
            i += 1;
        }
    }
}

/// Writes a board with these texts between and after the tiles, and this character for the blank.
fn spelled(tiles: &[usize], between: &str, end: &str, blank: &str) -> String {
    let tiles: Vec<String> = tiles.iter().map(|&t| if t == 0 { blank.to_string() } else { t.to_string() }).collect();
    tiles.join(between) + end
}

/// Solves all 9! boards of 3×3, solvable or not, for one goal in one notation; every eleventh for
/// other goals and in other notations; and all boards of every smaller shape.
#[test]
fn all_boards_are_answered_as_by_the_general_path() {
    let goals: [(usize, usize, &[usize]); 9] = [
        (3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]),
        (3, 3, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (3, 3, &[1, 2, 3, 8, 0, 4, 7, 6, 5]),
        (3, 3, &[7, 4, 1, 0, 5, 2, 8, 6, 3]),
        (3, 3, &[5, 0, 1, 8, 2, 6, 7, 4, 3]),
        (2, 2, &[3, 0, 1, 2]),
        (2, 3, &[1, 2, 3, 4, 5, 0]),
        (2, 3, &[4, 0, 2, 5, 1, 3]),
        (3, 2, &[3, 5, 0, 1, 4, 2]),
    ];
    let solver = solver();
    for (rows, cols, labels) in goals {
        let goal = board_of(Shape::new(rows, cols).unwrap(), labels);
        let prepared = Arc::new(solver.prepare(&goal));
        for (layout, between, end, blank) in [
            (Layout::Line, " ", "\n", "0"),
            (Layout::Digits, "", "\n", "x"),
            (Layout::Line, ",", " \r\n", "_"),
            (Layout::Digits, "", "\r\n", "0"),
            (Layout::Line, "\t ", "\n", "."),
            (Layout::Json, ",", "]\n", "0"),
            (Layout::Json, ", ", "]\r\n", "0"),
        ] {
            // Of the 3×3 goals, only the first is tested in every notation.
            if labels.len() == 9 && labels != goals[0].2 && between != " " {
                continue;
            }
            let is_complete = labels.len() < 9 || labels == goals[0].2 && between == " ";
            let (mut text, mut number) = (String::new(), 0);
            every_permutation(labels.len(), |tiles| {
                number += 1;
                if !is_complete && number % 11 != 0 {
                    return;
                }
                text.push_str(if layout == Layout::Json { "[" } else { "" });
                text.push_str(&spelled(tiles, between, end, blank));
            });
            let chunk = chunk(text.as_bytes(), layout, &goal, 1, 5);
            let expected = general_results(&chunk, &prepared, &Fields::default());
            for set in instruction_sets() {
                assert_all_solved(set, &chunk, &prepared, &Fields::default(), &expected);
            }
        }
    }
}

/// Arrays of rows determine the shape of their boards, whatever the default shape is.
#[test]
fn arrays_of_rows_are_answered_as_by_the_general_path() {
    let goal = board_of(Shape::new(2, 3).unwrap(), &[1, 2, 3, 4, 5, 0]);
    let prepared = Arc::new(solver().prepare(&goal));
    let (mut text, mut taller) = (String::new(), String::new());
    every_permutation(6, |tiles| {
        let row = |row: &[usize]| format!("[{}]", spelled(row, ",", "", "0"));
        text += &format!("[{}]\n", tiles.chunks(3).map(row).collect::<Vec<_>>().join(","));
        taller += &format!("[{}]\n", tiles.chunks(2).map(row).collect::<Vec<_>>().join(","));
    });
    let mut chunk = chunk(text.as_bytes(), Layout::Json, &goal, 1, 5);
    Arc::make_mut(&mut chunk.source).shape = Shape::new(3, 2);
    let expected = general_results(&chunk, &prepared, &Fields::default());
    for set in instruction_sets() {
        assert_all_solved(set, &chunk, &prepared, &Fields::default(), &expected);
        // Boards of the other shape do not match, although they have the same number of cells.
        let template = RecordTemplate::find(text.as_bytes(), Layout::Json).unwrap();
        let mut solver = BlockSolver::new(set, &chunk.source, &prepared, template, &Fields::default()).unwrap();
        let raw = RawRecords { bytes: taller.as_bytes(), records: 720, index: 1, line: 1 };
        assert_eq!(solver.solve(raw, &mut Vec::new()), LeadingRecords::default());
    }
}

/// Writes fields in any order, and counters that gain a digit within the chunk, such as 99 to 100.
#[test]
fn fields_and_counters_are_written_as_by_the_general_path() {
    use Field::*;
    let goal = board_of(Shape::new(3, 3).unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let prepared = Arc::new(solver().prepare(&goal));
    let mut text = String::new();
    every_permutation(6, |tiles| {
        let tiles: Vec<usize> = tiles.iter().map(|tile| tile + 3).chain([1, 2, 0]).collect();
        text.push_str(&spelled(&tiles, " ", "\n", "0"));
    });
    let selections: [&[Field]; 12] = [
        &[],
        &[Moves],
        &[Path],
        &[Moves, Path],
        &[Path, Moves],
        &[Path, Index],
        &[Line, Path, Index, Moves, Source],
        &[Moves, Status, Source, Id, Line, Optimal],
        &[Optimal, Path, Optimal, Status],
        &[Limit, LowerBound, Error],
        &[Source, Path, Source, Source, Moves, Source],
        &[Index, Source, Line, Id, Status, Moves, Path, Limit, LowerBound, Error, Optimal],
    ];
    // Repeated values are left to the general path.
    for twice in [&[Index, Status, Index][..], &[Line, Line], &[Path, Moves, Path]] {
        assert!(ResultTemplate::new(&Fields::new(twice.iter().copied()), "\"\"").is_none());
    }
    for fields in selections.map(|fields| Fields::new(fields.iter().copied())) {
        for (index, line) in [(1, 1), (1, 8), (95, 9_998), (9_977, 1), (99_999_423, 999_999), (u64::MAX - 800, 77)] {
            // The text before the path of a result is written in blocks. These names make it one or
            // several blocks long, so that counters cross a boundary.
            for name in ["a \"b\".txt", &"n".repeat(61), &"long/".repeat(43)] {
                let mut chunk = chunk(text.as_bytes(), Layout::Line, &goal, index, line);
                Arc::make_mut(&mut chunk.source).name = name.into();
                let expected = general_results(&chunk, &prepared, &fields);
                for set in instruction_sets() {
                    assert_all_solved(set, &chunk, &prepared, &fields, &expected);
                }
            }
        }
    }
    for other in [Rows, Board, Goal, States, Engine, Nodes, TimeUs] {
        assert!(ResultTemplate::new(&Fields::new([Index, other]), "\"a\"").is_none());
    }
}

/// Solving ends at a record that does not match, at any position in a block.
#[test]
fn solving_ends_at_a_record_that_does_not_match() {
    let goal = board_of(Shape::new(3, 3).unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let prepared = Arc::new(solver().prepare(&goal));
    let plain = "1 2 3 4 5 6 0 7 8\n";
    let odd: Vec<String> = (0..18)
        .flat_map(|at| {
            ['9', '0', 'x', '1', '8', ' ', '-', '#', '\n', '\0', ':', 'H', 'p', '\u{7f}']
                .map(|character| (at, character))
        })
        .map(|(at, character)| {
            let mut line: Vec<char> = plain.chars().collect();
            line[at] = character;
            line.into_iter().collect()
        })
        .filter(|line| line != plain)
        .chain(["1 2 3 4 5 6 7 8 9\n".into(), "1 1 3 4 5 6 0 7 8\n".into(), "1 2 3 4 5 6 0 7 8".into(), String::new()])
        .collect();
    for set in instruction_sets() {
        let layout = Layout::Line;
        for (nth, odd) in odd.iter().enumerate() {
            let before = nth % 70;
            let text = plain.repeat(before) + odd + &plain.repeat(3);
            let source = chunk(text.as_bytes(), layout, &goal, 1, 1).source;
            let template = RecordTemplate::of_line(plain.as_bytes(), layout).unwrap();
            let mut solver = BlockSolver::new(set, &source, &prepared, template, &Fields::default()).unwrap();
            let mut out = Vec::new();
            let raw = RawRecords { bytes: text.as_bytes(), records: before + 4, index: 1, line: 1 };
            let taken = solver.solve(raw, &mut out);
            let expected = if odd.is_empty() { before + 3 } else { before };
            assert_eq!(taken.records, expected, "{set:?} {odd:?}");
            assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), expected);
        }
    }
}

/// Replays the paths of all boards of small shapes and of some 3×3 boards. Paths with a wrong
/// letter do not reach the goal, unless they are also solutions.
#[test]
fn replays_reject_every_wrong_letter() {
    fn check<K: Kernels>(rows: usize, cols: usize, step: usize) {
        let (shape, n) = (Shape::new(rows, cols).unwrap(), rows * cols);
        let labels: Vec<usize> = (1..n).chain([0]).collect();
        let goal = board_of(shape, &labels);
        let prepared = solver().prepare(&goal);
        let paths = prepared.path_table().unwrap();
        let tables = FastPathTables::new(prepared.frame.as_ref().unwrap(), paths).unwrap();
        let (mut nth, mut path) = (0, Path::new());
        every_permutation(n, |tiles| {
            let board = board_of(shape, tiles);
            let Some(start) = prepared.admit(&board) else { return };
            nth += 1;
            if nth % step != 0 {
                return;
            }
            assert!(is_known(&prepared, &board, &start, &mut path));
            let (mut digits, blank) = ([0; 16], board.blank().index() as u8);
            digits.iter_mut().zip(tiles).for_each(|(digit, &tile)| *digit = b'0' + tile as u8);
            let rank = tables.rank(&digits, usize::from(blank)).unwrap();
            let letters = K::letters(paths.word((rank >> 1) as usize));
            let path_len = path.len();
            assert_eq!(letters[..path_len], *path.letters());
            assert!(K::arrives(&tables, &digits, blank, &letters, path_len as u32), "{board:?} {path}");
            for at in 0..path_len {
                for letter in *b"DLRUdl.\0T\xc4" {
                    let mut wrong = letters;
                    wrong[at] = letter;
                    let arrives = K::arrives(&tables, &digits, blank, &wrong, path_len as u32);
                    let right = replay::replay(&board, &goal, &wrong[..path_len]).is_ok();
                    assert_eq!(arrives, right, "{board:?} {path} {at} {letter}");
                }
            }
            if path_len > 0 {
                assert!(!K::arrives(&tables, &digits, blank, &letters, path_len as u32 - 1));
            }
        });
    }
    check::<PortableKernels>(2, 3, 1);
    check::<PortableKernels>(3, 3, 97);
    #[cfg(target_arch = "x86_64")]
    if InstructionSet::Avx2.is_available() {
        check::<avx2::Avx2Kernels>(2, 2, 1);
        check::<avx2::Avx2Kernels>(2, 3, 1);
        check::<avx2::Avx2Kernels>(3, 2, 1);
        check::<avx2::Avx2Kernels>(3, 3, 97);
    }
}

/// Compares the letters of random words, and blocks of records, most of them with a changed byte.
#[test]
#[cfg(target_arch = "x86_64")]
fn avx2_gives_the_results_of_the_portable_code() {
    use avx2::Avx2Kernels;
    if !InstructionSet::Avx2.is_available() {
        return;
    }
    let mut random = Random::new(1);
    for _ in 0..10_000 {
        let word = random.bits();
        assert_eq!(Avx2Kernels::letters(word), PortableKernels::letters(word), "{word:x}");
    }
    let goal = board_of(Shape::new(3, 3).unwrap(), &[7, 4, 1, 0, 5, 2, 8, 6, 3]);
    let prepared = solver().prepare(&goal);
    let paths = prepared.path_table().unwrap();
    let tables = FastPathTables::new(prepared.frame.as_ref().unwrap(), paths).unwrap();
    let mut boards = Vec::new();
    every_permutation(9, |tiles| {
        if boards.len() < 400 * BLOCK {
            boards.push(tiles.to_vec());
        }
    });
    for (between, end, blank, layout) in
        [(" ", "\n", "0", Layout::Line), ("", "\r\n", "X", Layout::Digits), (",", "\r\n", "x", Layout::Line)]
    {
        for block in boards.chunks_exact(BLOCK) {
            let mut text: Vec<u8> =
                block.iter().flat_map(|tiles| spelled(tiles, between, end, blank).into_bytes()).collect();
            let template = RecordTemplate::of_line(&text, layout).unwrap();
            if random.index(4) > 0 {
                let at = random.index(text.len());
                text[at] =
                    if random.index(2) == 0 { random.bits() as u8 } else { b"0123456789xX_. ,#"[random.index(17)] };
            }
            text.resize(template.bytes_of(BLOCK).max(text.len()), b'1');
            let (mut one, mut other) = (RecordBlock::default(), RecordBlock::default());
            let recogniser = Recogniser { template: &template, tables: &tables, paths };
            let matched = PortableKernels::recognise(recogniser, &text, &mut one);
            assert_eq!(Avx2Kernels::recognise(recogniser, &text, &mut other), matched);
            assert_eq!(one.boards[..matched], other.boards[..matched]);
            assert_eq!(one.blanks[..matched], other.blanks[..matched]);
            assert_eq!(one.ranks[..matched], other.ranks[..matched]);
        }
    }
}

/// If the table has the paths to another goal, no path is written.
#[test]
fn a_path_that_misses_the_goal_is_not_written() {
    let shape = Shape::new(3, 3).unwrap();
    let shared = solver();
    let one = board_of(shape, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let other = board_of(shape, &[1, 2, 3, 8, 0, 4, 7, 6, 5]);
    let text = "1 2 3 4 5 6 0 7 8\n".repeat(70);
    let chunk = chunk(text.as_bytes(), Layout::Line, &one, 1, 1);
    for set in instruction_sets() {
        let prepared = Arc::new(shared.prepare(&one));
        let template = RecordTemplate::find(&chunk.bytes, Layout::Line).unwrap();
        let mut solver = BlockSolver::new(set, &chunk.source, &prepared, template, &Fields::default()).unwrap();
        solver.prepared = Arc::new(shared.prepare(&other));
        let mut out = b"before".to_vec();
        let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            solver.solve(RawRecords { bytes: &chunk.bytes, records: 70, index: 1, line: 1 }, &mut out)
        }));
        assert!(taken.is_err());
        assert_eq!(out, b"before");
    }
}
