//! What all layouts that are written have in common: the style, and tiles, rows and sizes in it.

use std::ops::Range;

use crate::board::{Board, Shape};
use crate::format::board_style::BoardStyle;

/// How the boards of a file are written.
#[derive(Debug)]
pub struct Writing {
    /// What the layout leaves open.
    pub style: BoardStyle,
    /// The goal of the whole file; `None`: each record has its own.
    pub common_goal: Option<Board>,
}

impl Writing {
    /// A size line.
    pub fn size(&self, shape: Shape, out: &mut Vec<u8>) {
        let size = if shape.rows() == shape.cols() {
            format!("{}\n", shape.rows())
        } else {
            format!("{} {}\n", shape.rows(), shape.cols())
        };
        out.extend_from_slice(size.as_bytes());
    }

    /// A board on a line.
    pub fn line(&self, board: &Board, between: &str, out: &mut Vec<u8>) {
        self.tiles(board, 0..board.tiles().len(), between, out);
        out.push(b'\n');
    }

    /// The rows of a board, a line each.
    pub fn rows(&self, board: &Board, out: &mut Vec<u8>) {
        let cols = board.shape().cols();
        for row in 0..board.shape().rows() {
            self.tiles(board, row * cols..(row + 1) * cols, self.style.between_tiles, out);
            out.push(b'\n');
        }
    }

    /// The tiles of some cells.
    pub fn tiles(&self, board: &Board, cells: Range<usize>, between: &str, out: &mut Vec<u8>) {
        let mut number = itoa::Buffer::new();
        for (i, tile) in board.tiles()[cells].iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(between.as_bytes());
            }
            match tile.label() {
                0 => out.extend_from_slice(self.style.blank.as_bytes()),
                label => out.extend_from_slice(number.format(label).as_bytes()),
            }
        }
    }
}
