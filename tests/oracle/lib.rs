//! A slow, plain solver with which the fast ones are compared; it shares no code with the crate.
//!
//! A board is a `Vec<u8>` of labels with 0 for the blank, and the graph consists of the boards
//! reached by moving the blank: no parity, no ranking, no frame. One breadth-first search from the
//! goal gives every reachable board its distance. Descending the distances by the first of `DLRU`
//! that gets nearer gives the smallest of all shortest paths.

use std::collections::HashMap;

/// The letters of the blank's moves, smallest first.
pub const LETTERS: &[u8; 4] = b"DLRU";

/// Every board from which one goal can be reached.
pub struct Oracle {
    rows: usize,
    cols: usize,
    plies: HashMap<Vec<u8>, u16>,
}

impl Oracle {
    /// Searches the whole graph of a goal.
    pub fn new(rows: usize, cols: usize, goal: &[u8]) -> Oracle {
        assert_eq!(goal.len(), rows * cols);
        let mut oracle = Oracle { rows, cols, plies: HashMap::from([(goal.to_vec(), 0)]) };
        let (mut layer, mut depth) = (vec![goal.to_vec()], 0);
        while !layer.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for board in &layer {
                for letter in LETTERS {
                    let Some(board) = oracle.after(board, *letter) else { continue };
                    if !oracle.plies.contains_key(&board) {
                        oracle.plies.insert(board.clone(), depth);
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
        let hole = board.iter().position(|&tile| tile == 0).expect("a board has a blank");
        let (row, col) = (hole / self.cols, hole % self.cols);
        let to = match letter {
            b'D' if row + 1 < self.rows => hole + self.cols,
            b'L' if col > 0 => hole - 1,
            b'R' if col + 1 < self.cols => hole + 1,
            b'U' if row > 0 => hole - self.cols,
            _ => return None,
        };
        let mut next = board.to_vec();
        next.swap(hole, to);
        Some(next)
    }

    /// Returns the length of a shortest path, or `None` if there is no path.
    pub fn plies(&self, board: &[u8]) -> Option<u16> {
        self.plies.get(board).copied()
    }

    /// Returns the smallest of the shortest paths, or `None` if there is no path.
    pub fn path(&self, board: &[u8]) -> Option<Vec<u8>> {
        let (mut board, mut path) = (board.to_vec(), Vec::new());
        let mut left = self.plies(&board)?;
        while left > 0 {
            left -= 1;
            let nearer = |letter: &u8| Some((*letter, self.after(&board, *letter)?));
            let (letter, next) = LETTERS
                .iter()
                .filter_map(nearer)
                .find(|(_, next)| self.plies(next) == Some(left))
                .expect("some neighbour is nearer");
            path.push(letter);
            board = next;
        }
        Some(path)
    }

    /// Returns the number of shortest paths of a board, as the sum over the next boards that are
    /// nearer. `known` caches the numbers of other boards.
    pub fn ways(&self, board: &[u8], known: &mut HashMap<Vec<u8>, u64>) -> u64 {
        if let Some(&ways) = known.get(board) {
            return ways;
        }
        let ways = match self.nearer(board).as_slice() {
            [] => 1,
            next => next.iter().map(|(_, next)| self.ways(next, known)).sum(),
        };
        known.insert(board.to_vec(), ways);
        ways
    }

    /// Returns the letters that lead nearer, and the boards they lead to.
    pub fn nearer(&self, board: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let Some(left) = self.plies(board) else { return Vec::new() };
        let next = |&letter: &u8| Some((letter, self.after(board, letter)?));
        LETTERS.iter().filter_map(next).filter(|(_, next)| self.plies(next).is_some_and(|plies| plies < left)).collect()
    }

    /// Returns the number of boards that reach the goal.
    pub fn boards(&self) -> usize {
        self.plies.len()
    }

    /// Returns the distribution of distances: element d is the number of boards that need exactly d
    /// moves.
    pub fn distribution(&self) -> Vec<u64> {
        let mut counts = vec![0; usize::from(*self.plies.values().max().expect("the goal is there")) + 1];
        for &plies in self.plies.values() {
            counts[usize::from(plies)] += 1;
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

/// Returns 1, 2, … n − 1 with the blank inserted at `hole`.
pub fn blank_in(hole: usize, n: usize) -> Vec<u8> {
    let mut board: Vec<u8> = (1..n as u8).collect();
    board.insert(hole, 0);
    board
}

/// Returns the published distribution of a shape and a position of the goal's blank, such as `3x3
/// corner`.
pub fn published(name: &str) -> Vec<u64> {
    let all = include_str!("../../src/board/distributions.txt");
    let line = all.lines().find_map(|line| line.strip_prefix(name)).expect(name);
    line.split_whitespace().map(|count| count.parse().expect("a count")).collect()
}

/// Returns the number of paths of exactly `moves` moves, without immediate reversals, from one
/// board to another, or `None` if a path is shorter. It uses plain breadth-first search from both
/// ends until they meet in the middle, for boards whose whole graph is too large.
pub fn ways_between(rows: usize, cols: usize, from: &[u8], to: &[u8], moves: usize) -> Option<u64> {
    let (near, far) = (layers(rows, cols, from, moves / 2), layers(rows, cols, to, moves - moves / 2));
    let met = |a: &HashMap<Vec<u8>, u64>, b: &HashMap<Vec<u8>, u64>| {
        a.iter().filter_map(|(board, ways)| Some(ways * b.get(board)?)).sum::<u64>()
    };
    // A shorter path would have met in earlier layers.
    let shorter = (0..moves).any(|sum| met(&near[sum / 2], &far[sum - sum / 2]) > 0);
    (!shorter).then(|| met(&near[moves / 2], &far[moves - moves / 2]))
}

/// Returns every board at each distance from one, and the number of ways in which it is reached in
/// that many moves.
fn layers(rows: usize, cols: usize, from: &[u8], most: usize) -> Vec<HashMap<Vec<u8>, u64>> {
    let moves = Oracle { rows, cols, plies: HashMap::new() };
    let mut layers = vec![HashMap::from([(from.to_vec(), 1)])];
    for depth in 0..most {
        let mut next: HashMap<Vec<u8>, u64> = HashMap::new();
        for (board, ways) in &layers[depth] {
            for letter in LETTERS {
                let Some(board) = moves.after(board, *letter) else { continue };
                if depth == 0 || !layers[depth - 1].contains_key(&board) {
                    *next.entry(board).or_default() += ways;
                }
            }
        }
        layers.push(next);
    }
    layers
}
