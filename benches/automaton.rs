//! Builds the finite-state machine that prunes duplicate operator sequences: `cargo bench -p
//! taquin-benches --bench automaton`.

use std::time::Duration;

use criterion::Criterion;
use taquin::internal::engine::automaton::Automaton;

fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("automaton");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(1));
    for depth in [10, 12] {
        group.bench_function(format!("build/depth {depth}"), |b| b.iter(|| Automaton::build(depth)));
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    building(&mut criterion);
    criterion.final_summary();
}
