//! Measures the parts of the work on an easy board, each separately: `cargo bench -p taquin-benches
//! --bench parts`.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use taquin::internal::board::frame::Frame;
use taquin::internal::board::replay;
use taquin::internal::engine::lookup::Table;
use taquin::internal::format::input::{Input, InputOptions, Reader};
use taquin::internal::format::output::{Row, Verdict};
use taquin::internal::format::style::Style;
use taquin::internal::system::Random;
use taquin::{Board, Goal, Path, Shape, Tile};

const BOARDS: usize = 4096;

/// Returns random solvable 3×3 boards from a fixed seed.
fn boards(frame: &Frame) -> Vec<Board> {
    let mut random = Random::new(1);
    let mut boards = Vec::new();
    while boards.len() < BOARDS {
        let mut tiles: Vec<Tile> = (0..9).map(Tile::new).collect();
        random.shuffle(&mut tiles);
        let board = Board::new(frame.goal().shape(), &tiles).unwrap();
        if frame.admit(&board).is_some() {
            boards.push(board);
        }
    }
    boards
}

fn parts(criterion: &mut Criterion) {
    let shape = Shape::new(3, 3).unwrap();
    let frame = Frame::new(&Goal::BlankLast.on(shape).unwrap()).unwrap();
    let boards = boards(&frame);
    let starts: Vec<_> = boards.iter().map(|board| frame.admit(board).unwrap()).collect();
    let table = Table::new(frame.space()).unwrap();
    let mut path = Path::new();
    let paths: Vec<Path> = starts
        .iter()
        .map(|start| {
            table.solve(start, &mut path);
            path.clone()
        })
        .collect();
    let text: String = boards.iter().map(|board| board.to_string().replace('/', " ") + "\n").collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, &text).unwrap();

    let mut group = criterion.benchmark_group("3x3");
    group.throughput(Throughput::Elements(BOARDS as u64));
    let open = || Reader::new(vec![Input::Path(file.clone())], InputOptions::default());
    group.bench_function("read and split", |b| {
        b.iter(|| {
            let mut reader = open();
            while let Some(chunk) = reader.next_chunk(BOARDS, 1 << 20, Vec::new()) {
                black_box(chunk.unwrap());
            }
        });
    });
    let chunk = open().next_chunk(BOARDS, 1 << 20, Vec::new()).unwrap().unwrap();
    assert_eq!(chunk.record_count, BOARDS);
    group.bench_function("parse", |b| {
        b.iter(|| chunk.records().filter(|record| black_box(record).puzzle.is_ok()).count());
    });
    group.bench_function("frame and parity", |b| {
        b.iter(|| boards.iter().filter(|board| frame.admit(black_box(board)).is_some()).count());
    });
    group.bench_function("rank and look up", |b| {
        b.iter(|| {
            for start in &starts {
                table.solve(black_box(start), &mut path);
                black_box(&path);
            }
        });
    });
    group.bench_function("replay", |b| {
        b.iter(|| {
            for (board, path) in boards.iter().zip(&paths) {
                replay::replay(black_box(board), frame.goal(), path.letters()).unwrap();
            }
        });
    });
    let style = Style::default();
    group.bench_function("write", |b| {
        b.iter_batched_ref(
            || Vec::with_capacity(BOARDS * 128),
            |out| {
                for (i, path) in paths.iter().enumerate() {
                    let (index, line) = (i as u64 + 1, i as u64 + 1);
                    let verdict = Verdict::Solved(path);
                    Row::bare(index, "\"boards.txt\"", line, verdict).write(&style, out);
                }
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();

    let mut group = criterion.benchmark_group("tables");
    group.sample_size(10);
    group.bench_function("3x3", |b| b.iter(|| Table::new(frame.space()).unwrap().paths().word(0)));
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    parts(&mut criterion);
    criterion.final_summary();
}
