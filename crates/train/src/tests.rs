//! Compares weights with their rounded form, compares training runs with each other, and measures
//! the gain of a small run.

use std::time::Duration;

use taquin::internal::training::beam::{Found, Request, search};
use taquin::internal::training::{Budget, Limits, Tables, ThreadShare, UNIT, Untrained, symmetries};
use taquin::{Board, Cell, Goal, Shape};

use super::layout::Layout;
use super::net::{LabelKind, Net, round_weights};
use super::random::Random;
use super::starts::{random_boards, random_homes};
use super::training::{Settings, TrainingRun, tables};
use crate::NEVER;

/// Returns a goal of this shape with its blank in this cell.
fn goal(shape: &str, blank: usize) -> Board {
    let shape: Shape = shape.parse().unwrap();
    let mut labels: Vec<usize> = (1..shape.cells()).collect();
    labels.insert(blank, 0);
    let goal = Goal::of_tiles(&labels.iter().map(|&label| taquin::Tile::new(label)).collect::<Vec<_>>());
    goal.on(shape).unwrap()
}

fn settings(shape: &str, threads: usize) -> Settings {
    let shape: Shape = shape.parse().unwrap();
    Settings { goal: Goal::BlankLast.on(shape).unwrap(), seed: 5, threads }
}

/// Creates a training run with short rounds.
fn short(shape: &str, threads: usize) -> TrainingRun {
    let mut training = TrainingRun::new(settings(shape, threads));
    training.positions_per_cell = 4_000;
    training
}

/// Goals whose blank stays in place under no symmetry, under one, and under several.
const GOALS: [(&str, usize); 6] = [("2x3", 5), ("3x5", 14), ("3x5", 2), ("4x4", 15), ("3x3", 4), ("4x4", 5)];

fn untrained_tables(goal: &Board) -> Tables {
    let untrained = Untrained::new(goal.shape(), goal.blank());
    Tables::new(goal.shape(), goal.blank(), &untrained, &NEVER).unwrap()
}

#[test]
fn untrained_nets_are_the_untrained_evaluation() {
    for (shape, blank) in GOALS {
        let goal = goal(shape, blank);
        let layout = Layout::new(goal.shape(), goal.blank());
        let evaluation = tables(&round_weights(&layout, &Net::new(&layout).weights));
        let untrained = untrained_tables(&goal);
        let mut random = Random(1);
        for _ in 0..100 {
            let homes = random_homes(&goal, &mut random);
            assert_eq!(evaluation.value(&homes), untrained.value(&homes), "{shape} {blank} {homes:?}");
        }
    }
}

/// A net gives the same value for a position and its symmetric images. Its rounded weights give
/// nearly the same value.
#[test]
fn values_are_the_same_in_all_views() {
    let mut indices = Vec::new();
    for (shape, blank) in GOALS {
        let goal = goal(shape, blank);
        let layout = Layout::new(goal.shape(), Cell::new(blank));
        let mut net = Net::new(&layout);
        let mut random = Random(2);
        let mut value = |net: &mut Net, homes: &[u8], learn: bool| {
            layout.indices(homes, &mut indices);
            assert_eq!(layout.counts().pairs + layout.counts().triples + layout.counts().singles + 1, indices.len());
            if learn {
                net.learn(&indices, layout.counts(), 9.0, LabelKind::Moves, 0.1);
            }
            layout.distance(homes) as f32 + net.sum(&indices)
        };
        for _ in 0..300 {
            let homes = random_homes(&goal, &mut random);
            value(&mut net, &homes, true);
        }
        let evaluation = tables(&round_weights(&layout, &net.weights));
        for _ in 0..50 {
            let homes = random_homes(&goal, &mut random);
            let expected = value(&mut net, &homes, false);
            for to in symmetries(goal.shape(), Cell::new(blank)) {
                let mut image = vec![0; homes.len()];
                for (cell, &home) in homes.iter().enumerate() {
                    image[to[cell].index()] = to[usize::from(home)].index() as u8;
                }
                assert!((value(&mut net, &image, false) - expected).abs() < 1e-3, "{shape} {blank}");
            }
            let rounded = evaluation.value(&homes) as f32 / UNIT as f32;
            assert!((rounded - expected).abs() < 1.5, "{shape} {blank}: {rounded} {expected}");
        }
    }
}

/// A sample moves the value towards its label. A lower bound can only increase the value.
#[test]
fn samples_are_learnt() {
    let goal = goal("4x4", 15);
    let layout = Layout::new(goal.shape(), goal.blank());
    let mut net = Net::new(&layout);
    let mut indices = Vec::new();
    layout.indices(&random_homes(&goal, &mut Random(3)), &mut indices);
    let before = net.sum(&indices);
    net.learn(&indices, layout.counts(), before - 3.0, LabelKind::AtLeast, 0.5);
    assert_eq!(net.sum(&indices), before);
    net.learn(&indices, layout.counts(), before + 3.0, LabelKind::AtLeast, 0.5);
    assert!((1.0..3.0).contains(&(net.sum(&indices) - before)));
    for _ in 0..50 {
        net.learn(&indices, layout.counts(), before - 3.0, LabelKind::Moves, 0.5);
    }
    assert!((net.sum(&indices) - before + 3.0).abs() < 0.1);
}

fn bytes(training: &TrainingRun) -> Vec<u8> {
    let mut bytes = Vec::new();
    training.write(Duration::ZERO, &mut bytes).unwrap();
    bytes
}

/// The same settings and number of rounds give the same bytes, even if the run is interrupted
/// between two rounds and resumed.
#[test]
#[ignore = "half a minute: run by scripts/train-check"]
fn a_resumed_run_gives_the_same_bytes() {
    const ROUNDS: usize = 22;
    for threads in [1, 2] {
        let mut uninterrupted = short("3x4", threads);
        let mut states = vec![bytes(&uninterrupted)];
        for round in 1..=ROUNDS {
            uninterrupted.round(round == ROUNDS);
            states.push(bytes(&uninterrupted));
        }
        for interrupted_after in [0, 3, 7, 20, 21] {
            let mut resumed = short("3x4", threads);
            resumed.read(&mut &states[interrupted_after][..]).unwrap();
            for round in interrupted_after + 1..=ROUNDS {
                resumed.round(round == ROUNDS);
            }
            assert!(bytes(&resumed) == states[ROUNDS], "{threads} threads, interrupted after {interrupted_after}");
        }
    }
}

#[test]
fn only_intact_checkpoints_with_the_same_settings_are_resumed() {
    let mut training = short("2x3", 1);
    training.positions_per_cell = 100;
    training.round(true);
    let whole = bytes(&training);
    assert!(short("2x3", 1).read(&mut &whole[..]).is_ok());
    assert!(short("3x2", 1).read(&mut &whole[..]).is_err());
    assert!(short("2x3", 2).read(&mut &whole[..]).is_err());
    let mut random = Random(1);
    let anywhere: Vec<usize> = (0..200).map(|_| random.below(whole.len())).collect();
    for at in (0..200).chain(anywhere) {
        assert!(short("2x3", 1).read(&mut &whole[..at]).is_err(), "truncated at {at}");
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << random.below(8);
        assert!(short("2x3", 1).read(&mut &damaged[..]).is_err(), "damaged at {at}");
    }
    assert!(short("2x3", 1).read(&mut &[&whole[..], b"x"].concat()[..]).is_err());
    // A checkpoint with a correct checksum, but with a start position that is not a board.
    training.students[0].starts.pool.push(vec![0; 6]);
    assert!(short("2x3", 1).read(&mut &bytes(&training)[..]).is_err());
}

/// Returns the total length of the paths that a narrow beam finds for 40 boards. A board without a
/// path counts as 200 moves.
fn moves(tables: &Tables, goal: &Board) -> u64 {
    let budget = Budget::start(&Limits { nodes: None, time: None }, &NEVER);
    let thread_share = ThreadShare::alone();
    let path_length = |board: &Board| {
        let request = Request { board, goal, width: 30, max_moves: 500, budget: &budget, thread_share: &thread_share };
        match search(tables, &request, &mut 0, None) {
            Found::Path(path) => path.len() as u64,
            _ => 200,
        }
    };
    random_boards(goal, 4, 40).iter().map(path_length).sum()
}

/// A short training run shortens paths by at least a fifteenth.
#[test]
#[ignore = "half a minute: run by scripts/train-check"]
fn a_short_training_run_is_better_than_none() {
    let settings = settings("4x4", 1);
    let goal = settings.goal.clone();
    let untrained = untrained_tables(&goal);
    let before = moves(&untrained, &goal);
    let mut training = TrainingRun::new(settings);
    training.positions_per_cell = 50_000;
    for _ in 0..18 {
        training.round(false);
    }
    let after = moves(&tables(&training.weights()), &goal);
    assert!(after * 15 <= before * 14, "{before} {after}");
}
