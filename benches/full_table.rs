//! The full tables of 12-cell boards: building them, and following paths to the goal.
//!
//! `cargo bench -p taquin-benches --bench full_table` measures wall time: compare only figures of
//! the same run, on an idle machine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use taquin::internal::board::frame::Frame;
use taquin::internal::engine::full_table::{Start, Table};
use taquin::internal::system::Random;
use taquin::{Board, Goal, Path, Tile};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

const BOARDS: usize = 4096;

/// Returns random solvable boards from a fixed seed, as start states of the table.
fn starts(frame: &Frame, table: &Table) -> Vec<Start> {
    let mut random = Random::new(1);
    let mut starts = Vec::new();
    while starts.len() < BOARDS {
        let mut tiles: Vec<Tile> = (0..12).map(Tile::new).collect();
        random.shuffle(&mut tiles);
        let board = Board::new(frame.goal().shape(), &tiles).expect("a board");
        starts.extend(frame.admit(&board).map(|start| table.start(&start)));
    }
    starts
}

fn full_table(c: &mut Criterion) {
    for shape in ["3x4", "2x6"] {
        let goal = Goal::BlankLast.on(shape.parse().expect("a shape")).expect("a goal");
        let frame = Frame::new(&goal).expect("a frame");
        let mut group = c.benchmark_group(format!("full_table/{shape}"));
        group.sample_size(10).warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_secs(1));
        for threads in [1, 2] {
            let name = format!("build, {threads} threads");
            group.bench_function(name, |b| b.iter(|| Table::build(frame.space(), threads, &NOT_STOPPED)));
        }
        let table = Table::build(frame.space(), 2, &NOT_STOPPED).expect("not stopped");
        let starts = starts(&frame, &table);
        let mut paths = vec![Path::new(); BOARDS];
        group.throughput(Throughput::Elements(BOARDS as u64));
        group.bench_function("boards in a batch", |b| b.iter(|| table.solve_all(&starts, &mut paths)));
        group.bench_function("boards one by one", |b| {
            b.iter(|| {
                for (start, path) in starts.iter().zip(&mut paths) {
                    table.solve_all(std::slice::from_ref(start), std::slice::from_mut(path));
                }
            });
        });
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    full_table(&mut criterion);
    criterion.final_summary();
}
