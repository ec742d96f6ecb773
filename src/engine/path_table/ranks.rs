//! The slot of a state's word in the table.

use crate::board::Orders;

/// The ranking of states in the table.
#[derive(Debug)]
pub(super) struct Ranks {
    pub(super) orders: Orders,
    /// The number of solvable orders for each cell of the blank.
    pub(super) orders_per_cell: u32,
}

impl Ranks {
    /// Returns the rank of a string of tiles among all orders.
    #[inline(always)]
    pub(super) fn order(&self, string: u32) -> u32 {
        self.orders.rank(string).unwrap_or_else(|| unreachable!("a tile occurs twice"))
    }

    /// Returns the slot of a state from its blank's cell and its order, and the order's parity in
    /// bit 63.
    #[inline(always)]
    pub(super) fn slot(&self, blank: usize, order: u32) -> (usize, u64) {
        (blank * self.orders_per_cell as usize + (order >> 1) as usize, u64::from(order) << 63)
    }
}
