use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::frame::Frame;
use crate::board::{Goal, Shape};
use crate::engine::Parallel;
use crate::system::Limits;

/// OEIS A089484: states of the 15-puzzle at each distance from a goal with the blank in a corner.
const FIFTEEN: [u64; 17] = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119000];

/// The layer sizes are the published ones, on one thread and on many.
#[test]
fn layers_have_the_published_sizes() {
    for threads in [1, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (shape, thread_share) = (Shape::new(4, 4).unwrap(), ThreadShare::new(Parallel::Within, threads));
            let shared = SharedFrontier::<u64>::of(shape, Cell::new(15), 1 << 26);
            let stop = AtomicBool::new(false);
            let mut layers = shared.layers();
            let generated =
                shared.reach(16, &mut layers, &Budget::start(&Limits::default(), &stop), &thread_share).unwrap();
            let states: Vec<u64> = layers.iter().map(|layer| layer.states).collect();
            assert_eq!(states, FIFTEEN);
            assert_eq!(generated, layers[..16].iter().map(|layer| layer.child_count).sum::<u64>());
        });
    }
}

/// A stopped board leaves its layer unfinished. The next board finishes it.
#[test]
fn an_unfinished_layer_is_finished_by_the_next_board() {
    let shape = Shape::new(4, 4).unwrap();
    let shared = SharedFrontier::<u64>::of(shape, Cell::new(15), 1 << 26);
    let (running, stopped) = (AtomicBool::new(false), AtomicBool::new(true));
    let [running, stopped] = [&running, &stopped].map(|flag| Budget::start(&Limits::default(), flag));
    let mut layers = shared.layers();
    for depth in 1..=16 {
        assert_eq!(shared.reach(depth, &mut layers, &stopped, &ThreadShare::alone()), Err(Limit::Cancelled));
        assert_eq!(layers.len(), usize::from(depth));
        shared.reach(depth, &mut layers, &running, &ThreadShare::alone()).unwrap();
    }
    let states: Vec<u64> = layers.iter().map(|layer| layer.states).collect();
    assert_eq!(states, FIFTEEN);
}

/// The memory limit is respected, and a layer that does not fit is not begun.
#[test]
fn a_full_frontier_does_not_change() {
    let frame = Frame::new(&Goal::BlankLast.on(Shape::new(4, 4).unwrap()).unwrap()).unwrap();
    let backward_frontier = BackwardFrontier::new(frame.space().shape, frame.space().goal_blank, 2_000_000);
    let Width::Narrow(shared) = &backward_frontier.width else { panic!("16 cells are narrow") };
    let stop = AtomicBool::new(false);
    let budget = Budget::start(&Limits::default(), &stop);
    for _ in 0..2 {
        assert_eq!(shared.reach(40, &mut shared.layers(), &budget, &ThreadShare::alone()), Err(Limit::Memory));
        assert_eq!(backward_frontier.layers(), FIFTEEN[..15]);
    }
}
