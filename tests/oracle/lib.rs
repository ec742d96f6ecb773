//! A slow, plain solver, with which tests compare the fast ones. It shares no code with taquin.
//!
//! A board is a `Vec<u8>` of labels with 0 for the blank, and the graph consists of the boards
//! reached by moving the blank. The solver uses neither parity nor ranks nor canonical frames. One
//! breadth-first search from the goal gives every reachable board its distance. Always making the
//! first of the moves `DLRU` that reduces the distance gives the alphabetically first of all
//! shortest paths.

use std::collections::HashMap;

/// The letters of the blank's moves, in alphabetical order.
pub const LETTERS: &[u8; 4] = b"DLRU";

/// The distances of all boards from which a goal can be reached.
pub struct Oracle {
    rows: usize,
    cols: usize,
    distances: HashMap<Vec<u8>, u16>,
}

impl Oracle {
    /// Searches the whole graph of a goal.
    pub fn new(rows: usize, cols: usize, goal: &[u8]) -> Oracle {
        assert_eq!(goal.len(), rows * cols);
        let mut oracle = Oracle { rows, cols, distances: HashMap::from([(goal.to_vec(), 0)]) };
        let (mut layer, mut depth) = (vec![goal.to_vec()], 0);
        while !layer.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for board in &layer {
                for letter in LETTERS {
                    let Some(board) = oracle.after(board, *letter) else { continue };
                    if !oracle.distances.contains_key(&board) {
                        oracle.distances.insert(board.clone(), depth);
                        next.push(board);
                    }
                }
            }
            layer = next;
        }
        oracle
    }

    /// Returns the board after a move of the blank, or `None` at the edge.
    pub fn after(&self, board: &[u8], letter: u8) -> Option<Vec<u8>> {
        let blank = board.iter().position(|&tile| tile == 0).expect("a board has a blank");
        let (row, col) = (blank / self.cols, blank % self.cols);
        let to = match letter {
            b'D' if row + 1 < self.rows => blank + self.cols,
            b'L' if col > 0 => blank - 1,
            b'R' if col + 1 < self.cols => blank + 1,
            b'U' if row > 0 => blank - self.cols,
            _ => return None,
        };
        let mut next = board.to_vec();
        next.swap(blank, to);
        Some(next)
    }

    /// Returns the length of a shortest path, or `None` if there is no path.
    pub fn distance(&self, board: &[u8]) -> Option<u16> {
        self.distances.get(board).copied()
    }

    /// Returns the alphabetically first shortest path, or `None` if there is no path.
    pub fn path(&self, board: &[u8]) -> Option<Vec<u8>> {
        let (mut board, mut path) = (board.to_vec(), Vec::new());
        let mut distance = self.distance(&board)?;
        while distance > 0 {
            distance -= 1;
            let neighbour = |letter: &u8| Some((*letter, self.after(&board, *letter)?));
            let (letter, next) = LETTERS
                .iter()
                .filter_map(neighbour)
                .find(|(_, next)| self.distance(next) == Some(distance))
                .expect("a neighbour is nearer to the goal");
            path.push(letter);
            board = next;
        }
        Some(path)
    }

    /// Returns the number of shortest paths of a solvable board: 1 for the goal, otherwise the sum
    /// of the results for the neighbours that are nearer to the goal. `cache` holds the results of
    /// earlier calls.
    pub fn path_count(&self, board: &[u8], cache: &mut HashMap<Vec<u8>, u64>) -> u64 {
        if let Some(&path_count) = cache.get(board) {
            return path_count;
        }
        let path_count = match self.best_moves(board).as_slice() {
            [] => 1,
            next => next.iter().map(|(_, next)| self.path_count(next, cache)).sum(),
        };
        cache.insert(board.to_vec(), path_count);
        path_count
    }

    /// Returns the moves that reduce the distance, with the boards that they lead to.
    pub fn best_moves(&self, board: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let Some(start_distance) = self.distance(board) else { return Vec::new() };
        let next = |&letter: &u8| Some((letter, self.after(board, letter)?));
        LETTERS
            .iter()
            .filter_map(next)
            .filter(|(_, next)| self.distance(next).is_some_and(|distance| distance < start_distance))
            .collect()
    }

    /// Returns the number of boards that can reach the goal.
    pub fn board_count(&self) -> usize {
        self.distances.len()
    }

    /// Returns the distribution of distances: element d is the number of boards that need exactly d
    /// moves.
    pub fn distribution(&self) -> Vec<u64> {
        let mut counts = vec![0; usize::from(*self.distances.values().max().expect("the goal has a distance")) + 1];
        for &distance in self.distances.values() {
            counts[usize::from(distance)] += 1;
        }
        counts
    }
}

/// Calls `visit` with every permutation of the labels 0 to n − 1.
pub fn every_board(n: usize, visit: &mut impl FnMut(&[u8])) {
    fn fill(fixed: usize, board: &mut [u8], visit: &mut impl FnMut(&[u8])) {
        if fixed == board.len() {
            return visit(board);
        }
        for i in fixed..board.len() {
            board.swap(fixed, i);
            fill(fixed + 1, board, visit);
            board.swap(fixed, i);
        }
    }
    fill(0, &mut (0..n as u8).collect::<Vec<u8>>(), visit);
}

/// Returns the tiles 1, 2, …, n − 1 with the blank inserted at `blank`.
pub fn blank_in(blank: usize, n: usize) -> Vec<u8> {
    let mut board: Vec<u8> = (1..n as u8).collect();
    board.insert(blank, 0);
    board
}

/// Returns the published distribution of distances for a shape and a position of the goal's blank.
/// `name` is, for example, `3x3 corner`.
pub fn published(name: &str) -> Vec<u64> {
    let text = include_str!("../../src/board/distributions.txt");
    let line = text.lines().find_map(|line| line.strip_prefix(name)).expect(name);
    line.split_whitespace().map(|count| count.parse().expect("a count")).collect()
}

/// Returns the number of shortest paths between two boards that are `moves` moves apart, or `None`
/// if they are closer. Searches breadth-first from both ends, for boards whose whole graph is too
/// large.
pub fn path_count_between(rows: usize, cols: usize, from: &[u8], to: &[u8], moves: usize) -> Option<u64> {
    let (forward, backward) = (layers(rows, cols, from, moves / 2), layers(rows, cols, to, moves - moves / 2));
    let paths_between = |a: &HashMap<Vec<u8>, u64>, b: &HashMap<Vec<u8>, u64>| {
        a.iter().filter_map(|(board, path_count)| Some(path_count * b.get(board)?)).sum::<u64>()
    };
    // If the boards are closer, earlier layers of the two searches have a board in common.
    let is_closer = (0..moves).any(|sum| paths_between(&forward[sum / 2], &backward[sum - sum / 2]) > 0);
    (!is_closer).then(|| paths_between(&forward[moves / 2], &backward[moves - moves / 2]))
}

/// Returns the boards at each distance up to `depth_limit` from a board, with their numbers of
/// shortest paths.
fn layers(rows: usize, cols: usize, from: &[u8], depth_limit: usize) -> Vec<HashMap<Vec<u8>, u64>> {
    let graph = Oracle { rows, cols, distances: HashMap::new() };
    let mut layers = vec![HashMap::from([(from.to_vec(), 1)])];
    for depth in 0..depth_limit {
        let mut next: HashMap<Vec<u8>, u64> = HashMap::new();
        for (board, path_count) in &layers[depth] {
            for letter in LETTERS {
                let Some(board) = graph.after(board, *letter) else { continue };
                if depth == 0 || !layers[depth - 1].contains_key(&board) {
                    *next.entry(board).or_default() += path_count;
                }
            }
        }
        layers.push(next);
    }
    layers
}
