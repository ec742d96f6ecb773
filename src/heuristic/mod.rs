//! Lower bounds on the number of moves to the goal.

pub mod pdb;
