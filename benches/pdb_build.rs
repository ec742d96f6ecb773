//! Builds the pattern databases of whole partitions of the tiles, and computes the heuristic value
//! at the root of a search.
//!
//! `cargo bench -p taquin-benches --bench pdb_build` measures wall time: compare only figures of
//! the same run, on an idle machine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::Criterion;
use taquin::internal::board::{Cell, State};
use taquin::internal::heuristic::pdb::{Partition, PdbSum};
use taquin::internal::system::Random;
use taquin::{Move, Shape};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

fn partition(shape: Shape, sizes: &str) -> Partition {
    Partition::parse(sizes, shape, Cell::new(shape.cells() - 1)).expect("a partition of this shape")
}

fn build(partition: &Partition, threads: usize) -> PdbSum {
    PdbSum::build(partition, threads, &NOT_STOPPED).expect("not stopped")
}

fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("pdb_build");
    group.sample_size(10).warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_secs(1));
    for (shape, sizes) in [("4x4", "6-6-3"), ("4x4", "7-7-1"), ("4x4", "7-8"), ("5x5", "6-6-6-6")] {
        let partition = partition(shape.parse().expect("a shape"), sizes);
        for threads in [1, 2] {
            let name = format!("{shape}/{sizes}/{threads} threads");
            group.bench_function(name, |b| b.iter(|| build(&partition, threads)));
        }
    }
    group.finish();
}

/// Returns the boards that a random walk from the goal reaches after every 10,000 steps.
fn boards(shape: Shape) -> Vec<State> {
    let (mut state, mut random) = (State::goal(shape, Cell::new(shape.cells() - 1)), Random::new(1));
    let mut boards = Vec::new();
    for step in 1..=5_000_000 {
        if let Some(to) = shape.neighbour(state.blank(), Move::from_index(random.bits() as u8)) {
            state.slide(to);
        }
        if step % 10_000 == 0 {
            boards.push(state);
        }
    }
    boards
}

fn root(c: &mut Criterion) {
    let shape = Shape::new(4, 4).expect("a shape");
    let sum = build(&partition(shape, "7-8"), 2);
    let mut boards = boards(shape).into_iter().cycle();
    c.bench_function("root/4x4/7-8", |b| {
        b.iter(|| {
            let board = boards.next().expect("a cycle");
            sum.tables().iter().map(|table| table.value(&board)).sum::<u16>()
        });
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    building(&mut criterion);
    root(&mut criterion);
    criterion.final_summary();
}
