//! The proof that every bit of a table is the second-lowest bit (bit 1) of the true value.
//!
//! It shares no code with the builder. Plain searches recompute regions and moves. The proof uses
//! only the two numberings of the layout, and first shows that these are bijections:
//! - Every pair of a set of occupied cells and a region of free cells has a separate row, which is
//!   the same for each of the region's cells, and there are no other rows.
//! - Every number below k! is the rank of a different order.
//!
//! So the entries are the states of the puzzle in which only the pattern's tiles are distinguished
//! and only their moves are counted. For values d(e) of the entries, three local facts then
//! suffice:
//! 1. d is 0 for the goal and for no other entry.
//! 2. A move changes d by one, up or down.
//! 3. Every entry but the goal has a move to an entry whose value is one less.
//!
//! By 1 and 2, no path from e to the goal is shorter than d(e). By 3 and 1, moves that lead down
//! form a path of d(e) moves. So d is the distance, and the table is correct if its bits are bit 1
//! of d.
//!
//! A table contains d only modulo 4: it stores bit 1, and bit 0 is the parity of the sum of the
//! tiles' row and column numbers, compared with the goal. Modulo 4 the facts do not suffice: a ring
//! of entries 0, 1, 2, 3, 0, 1, 2, 3 satisfies 2 and 3 but does not lead to the goal. Therefore the
//! values are first computed, by following moves down to a known entry. The proof does not depend
//! on how they were found, only on the facts that they satisfy. It takes one byte per entry (1.4 GB
//! for 8 tiles on 4×4; time: `benches/constants.csv`).

use crate::heuristic::pdb::{Layout, Table};

/// The result of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The number of entries.
    pub states: u64,
    /// The largest value.
    pub depth: u8,
    /// The sum of all values.
    pub total: u64,
}

/// A flaw of a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A numbering that is not a bijection.
    #[error("the numbering is not a bijection at number {number}")]
    Numbering {
        /// The number.
        number: usize,
    },
    /// An entry from which no move leads down, or the last entry of a walk of 254 moves down that
    /// has not reached an entry of known value.
    #[error("no way down from order {order}, row {row}")]
    NoWayDown {
        /// The order of the entry.
        order: usize,
        /// The row of the entry.
        row: usize,
    },
    /// Values that are not distances.
    #[error("order {order}, row {row} has value {value}, which does not agree with its neighbours or its bit")]
    Value {
        /// The order of the entry.
        order: usize,
        /// The row of the entry.
        row: usize,
        /// The value of the entry.
        value: u8,
    },
}

const UNKNOWN: u8 = u8::MAX;

/// Proves that every bit of a table is bit 1 of the minimum number of moves of the pattern's tiles.
///
/// # Errors
/// The first flaw that is found.
pub fn prove(table: &Table) -> Result<Proved, Flaw> {
    let graph = Graph::new(table)?;
    let values = graph.values(table)?;
    graph.check(table, &values)
}

/// A move from a row: the row to which it leads, and the jump of the tile in the order.
#[derive(Clone, Copy)]
struct Edge {
    row: u32,
    jump: u32,
}

/// Entries and moves, recomputed independently.
struct Graph {
    rows: usize,
    orders: usize,
    /// Row → number of its first edge. After the last row: the number of edges.
    starts: Vec<usize>,
    edges: Vec<Edge>,
    /// Row → true if its values are odd.
    odd: Vec<bool>,
    /// Jump (from × tiles + to) → order before it → order after it.
    jumps: Vec<Vec<u32>>,
    goal: (usize, usize),
}

impl Graph {
    fn new(table: &Table) -> Result<Graph, Flaw> {
        let (layout, pattern) = (table.layout(), table.pattern());
        let (height, width) = (pattern.shape().rows(), pattern.shape().cols());
        let (cells, tiles) = (height * width, pattern.tiles());
        let adjacent: Vec<Vec<usize>> = (0..cells).map(|cell| neighbours(height, width, cell)).collect();
        let coordinate_sum =
            |cells: &mut dyn Iterator<Item = usize>| cells.map(|cell| cell / width + cell % width).sum::<usize>();
        let home_sum = coordinate_sum(&mut pattern.homes());

        let rows = layout.placements().rows();
        let mut moves: Vec<Option<Vec<Edge>>> = vec![None; rows];
        let mut odd = vec![false; rows];
        for occupied in (0..1u32 << cells).filter(|set| set.count_ones() as usize == tiles) {
            let is_tile = |cell: usize| occupied >> cell & 1 == 1;
            let mut visited = vec![false; cells];
            for start in 0..cells {
                if is_tile(start) || visited[start] {
                    continue;
                }
                let (number, edges) = region(layout, &adjacent, occupied, start, &mut visited)?;
                match moves.get_mut(number) {
                    Some(slot @ None) => *slot = Some(edges),
                    _ => return Err(Flaw::Numbering { number }),
                }
                let sum = coordinate_sum(&mut (0..cells).filter(|&cell| is_tile(cell)));
                odd[number] = (sum + home_sum) % 2 == 1;
            }
        }
        let (mut starts, mut edges) = (vec![0], Vec::new());
        for (number, row_edges) in moves.into_iter().enumerate() {
            edges.extend(row_edges.ok_or(Flaw::Numbering { number })?);
            starts.push(edges.len());
        }

        let orders = (1..=tiles).product();
        let jumps = jumps(layout, tiles, orders)?;
        let blank = pattern.goal_blank().index();
        let goal_codes: Vec<u8> = (0..tiles as u8).collect();
        let goal = (layout.orders().rank(&goal_codes), layout.placements().row(pattern.home_bits(), blank));
        Ok(Graph { rows, orders, starts, edges, odd, jumps, goal })
    }

    fn edges(&self, row: usize) -> &[Edge] {
        &self.edges[self.starts[row]..self.starts[row + 1]]
    }

    fn moves(&self, order: usize, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let after = move |edge: &Edge| (self.jumps[edge.jump as usize][order] as usize, edge.row as usize);
        self.edges(row).iter().map(after)
    }

    fn bit(&self, table: &Table, order: usize, row: usize) -> bool {
        table.bit(table.layout().join(order as u32, row))
    }

    /// Returns the value modulo 4 according to the table.
    fn value_mod_4(&self, table: &Table, order: usize, row: usize) -> u8 {
        u8::from(self.bit(table, order, row)) << 1 | u8::from(self.odd[row])
    }

    /// Computes the values, by order and row.
    fn values(&self, table: &Table) -> Result<Vec<u8>, Flaw> {
        let mut values = vec![UNKNOWN; self.orders * self.rows];
        values[self.goal.0 * self.rows + self.goal.1] = 0;
        let mut path = Vec::new();
        for (first_order, first_row) in (0..self.orders).flat_map(|order| (0..self.rows).map(move |row| (order, row))) {
            let (mut order, mut row) = (first_order, first_row);
            path.clear();
            while values[order * self.rows + row] == UNKNOWN {
                path.push(order * self.rows + row);
                let down = self.value_mod_4(table, order, row).wrapping_sub(1) & 3;
                let next = self.moves(order, row).find(|&(order, row)| self.value_mod_4(table, order, row) == down);
                match next {
                    Some(next) if path.len() < usize::from(UNKNOWN) => (order, row) = next,
                    _ => return Err(Flaw::NoWayDown { order, row }),
                }
            }
            let mut value = values[order * self.rows + row];
            for &entry in path.iter().rev() {
                // Saturates at 255, which no correct table reaches: the check reports it.
                value = value.saturating_add(1);
                values[entry] = value;
            }
        }
        Ok(values)
    }

    /// Checks the three facts and the bit of every entry.
    fn check(&self, table: &Table, values: &[u8]) -> Result<Proved, Flaw> {
        let mut proved = Proved { states: 0, depth: 0, total: 0 };
        for order in 0..self.orders {
            // For each jump, the start of the values of the order to which it leads.
            let after: Vec<usize> = self.jumps.iter().map(|jump| jump[order] as usize * self.rows).collect();
            for row in 0..self.rows {
                let value = values[order * self.rows + row];
                let (mut falls, mut sound) = (false, true);
                for edge in self.edges(row) {
                    let other = values[after[edge.jump as usize] + edge.row as usize];
                    sound &= other.abs_diff(value) == 1;
                    falls |= other < value;
                }
                let is_goal = (order, row) == self.goal;
                sound &= is_goal == (value == 0) && is_goal != falls && value != UNKNOWN;
                sound &= self.bit(table, order, row) == (value >> 1 & 1 == 1);
                if !sound {
                    return Err(Flaw::Value { order, row, value });
                }
                proved.states += 1;
                proved.depth = proved.depth.max(value);
                proved.total += u64::from(value);
            }
        }
        Ok(proved)
    }
}

/// Returns the cells adjacent to a cell.
fn neighbours(height: usize, width: usize, cell: usize) -> Vec<usize> {
    let (row, col) = (cell / width, cell % width);
    let mut adjacent = Vec::with_capacity(4);
    adjacent.extend((row > 0).then(|| cell - width));
    adjacent.extend((row + 1 < height).then(|| cell + width));
    adjacent.extend((col > 0).then(|| cell - 1));
    adjacent.extend((col + 1 < width).then(|| cell + 1));
    adjacent
}

/// Returns the row of a set of occupied cells with the blank in the region of the free cell
/// `start`, and the moves from that row. Marks the region's cells in `visited`, and proves that all
/// of them have this row.
fn region(
    layout: &Layout,
    adjacent: &[Vec<usize>],
    occupied: u32,
    start: usize,
    visited: &mut [bool],
) -> Result<(usize, Vec<Edge>), Flaw> {
    let (placements, tiles) = (layout.placements(), occupied.count_ones());
    let tiles_before = |set: u32, cell: usize| (set & ((1 << cell) - 1)).count_ones();
    let number = placements.row(occupied, start);
    let mut region = vec![start];
    visited[start] = true;
    let (mut next, mut edges) = (0, Vec::new());
    while let Some(&blank) = region.get(next) {
        next += 1;
        if placements.row(occupied, blank) != number {
            return Err(Flaw::Numbering { number });
        }
        for &cell in &adjacent[blank] {
            if occupied >> cell & 1 == 1 {
                let after = occupied - (1 << cell) + (1 << blank);
                let jump = tiles_before(occupied, cell) * tiles + tiles_before(after, blank);
                edges.push(Edge { row: placements.row(after, cell) as u32, jump });
            } else if !visited[cell] {
                visited[cell] = true;
                region.push(cell);
            }
        }
    }
    Ok((number, edges))
}

/// Returns the result of each jump on each order, and proves that the numbering of orders is a
/// bijection.
fn jumps(layout: &Layout, tiles: usize, orders: usize) -> Result<Vec<Vec<u32>>, Flaw> {
    let mut jumps = vec![Vec::new(); tiles * tiles];
    for number in 0..orders {
        let codes = &layout.orders().unrank(number)[..tiles];
        let has_all_codes = (0..tiles as u8).all(|code| codes.contains(&code));
        if !has_all_codes || layout.orders().rank(codes) != number {
            return Err(Flaw::Numbering { number });
        }
        for (from, to) in (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to))) {
            let mut after = codes.to_vec();
            let code = after.remove(from);
            after.insert(to, code);
            jumps[from * tiles + to].push(layout.orders().rank(&after) as u32);
        }
    }
    Ok(jumps)
}
