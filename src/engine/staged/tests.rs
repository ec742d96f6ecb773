//! Tests of staged beams: the independent checker replays every path, and plain searches verify the
//! tables.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Stages, search};
use crate::board::replay::walk;
use crate::board::{Cell, Goal, Shape, Tile, is_solvable};
use crate::engine::ThreadShare;
use crate::engine::beam::Request;
use crate::engine::constructive::cell_of;
use crate::engine::test_support::{board_of, random_board};
use crate::system::{Budget, Limit, Limits, Random};

#[test]
fn all_but_the_last_block_is_home() {
    let mut random = Random::new(1);
    let stop = AtomicBool::new(false);
    for (rows, cols) in [(7, 7), (6, 8), (9, 4), (9, 9), (2, 20), (30, 2), (3, 25)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = board_of(shape, &random.permutation(shape.cells()));
        let stages = Stages::new(shape, goal.blank(), &stop).unwrap();
        let board = random_board(shape, &goal, &mut random);
        let budget = Budget::start(&Limits::default(), &stop);
        let (board, goal, budget, thread_share) = (&board, &goal, &budget, &ThreadShare::alone());
        let request = Request { board, goal, width: 20, max_moves: 100_000, budget, thread_share };
        let reached = search(&stages, &request, 3, &mut 0).unwrap();
        assert!(!reached.is_empty(), "{shape}");
        for end in reached {
            let mut tiles = board.tiles().to_vec();
            let blank = walk(&mut tiles, (rows, cols), board.blank().index(), end.path.letters()).unwrap();
            tiles[blank] = Tile::BLANK;
            let block: Vec<usize> = stages.block.places().map(|place| cell_of(shape, place).index()).collect();
            for cell in (0..shape.cells()).filter(|cell| !block.contains(cell)) {
                assert_eq!(tiles[cell], goal.tiles()[cell], "{shape} {cell}");
            }
            // `end.block` has the tiles of the block, renumbered.
            assert_eq!(end.block.shape(), Stages::block_shape(shape));
            assert!(is_solvable(&end.block, &end.block_goal));
            for (i, &here) in block.iter().enumerate() {
                for (j, &there) in block.iter().enumerate() {
                    let same = tiles[here] == goal.tiles()[there];
                    assert_eq!(end.block.tiles()[i] == end.block_goal.tiles()[j], same, "{shape} {here} {there}");
                }
            }
            assert_eq!(end.block.tiles()[block.iter().position(|&cell| cell == blank).unwrap()], Tile::BLANK);
        }
    }
}

/// The cells of a group's tiles.
type Places = SmallVec<[usize; 3]>;

/// Compares the tables with a search that moves the blank one cell at a time.
#[test]
fn tables_match_a_plain_search() {
    let shape = Shape::new(4, 6).unwrap();
    let stages = Stages::new(shape, Cell::new(23), &AtomicBool::new(false)).unwrap();
    let mut finished = vec![false; shape.cells()];
    for stage in &stages.stages {
        let tiles: Places = stage.tiles.iter().map(|&tile| usize::from(tile)).collect();
        let mut distances = FxHashMap::default();
        let mut queue = VecDeque::new();
        for blank in (0..shape.cells()).filter(|&cell| !finished[cell] && !tiles.contains(&cell)) {
            distances.insert((tiles.clone(), blank), 0u8);
            queue.push_back((tiles.clone(), blank));
        }
        while let Some((at, blank)) = queue.pop_front() {
            let moves = distances[&(at.clone(), blank)];
            let at_cells: SmallVec<[u16; 3]> = at.iter().map(|&cell| cell as u16).collect();
            assert_eq!(stage.moves(&at_cells, blank), u16::from(moves), "{tiles:?} at {at:?}, blank {blank}");
            for to in shape.neighbours(Cell::new(blank)).map(Cell::index) {
                let after: Places = at.iter().map(|&cell| if cell == to { blank } else { cell }).collect();
                if !finished[to] && !distances.contains_key(&(after.clone(), to)) {
                    distances.insert((after.clone(), to), moves + 1);
                    queue.push_back((after, to));
                }
            }
        }
        tiles.iter().for_each(|&tile| finished[tile] = true);
        if distances.len() > 60_000 {
            // One group of three tiles is enough.
            break;
        }
    }
}

#[test]
fn nodes_are_limited_exactly() {
    let stop = AtomicBool::new(false);
    let shape = Shape::new(7, 7).unwrap();
    let goal = Goal::BlankLast.on(shape).unwrap();
    let stages = Stages::new(shape, goal.blank(), &stop).unwrap();
    let board = random_board(shape, &goal, &mut Random::new(1));
    for nodes in [0, 1, 5000] {
        let budget = Budget::start(&Limits { nodes: Some(nodes), time: None }, &stop);
        let (board, goal, budget, thread_share) = (&board, &goal, &budget, &ThreadShare::alone());
        let request = Request { board, goal, width: 100, max_moves: 100_000, budget, thread_share };
        let mut generated = 0;
        assert_eq!(search(&stages, &request, 1, &mut generated), Err(Limit::Nodes));
        assert_eq!(generated, nodes);
    }
}
