//! Drawings of boards as SVG. Every tile is a group, positioned and moved by its `transform`.
//!
//! Colours come from the classes in [`STYLE`], for light and dark mode. Tiles have two shades,
//! which alternate on the goal like the squares of a chessboard.

use maud::{Markup, html};

use super::frames::label_width;
use crate::board::{Board, Cell};

/// The side of a cell, in units of the drawing.
pub(super) const CELL: usize = 60;
const GAP: usize = 2;
const RADIUS: usize = 7;

/// The style sheet for the classes of a drawing.
pub const STYLE: &str = include_str!("board.css");

/// A drawing of a board. The goal determines the shades of the tiles.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    board: &'a Board,
    goal: &'a Board,
}

impl<'a> Drawing<'a> {
    /// Creates a drawing. Board and goal must have the same shape.
    pub fn new(board: &'a Board, goal: &'a Board) -> Drawing<'a> {
        Drawing { board, goal }
    }

    /// Returns the width.
    pub fn width(&self) -> usize {
        self.board.shape().cols() * CELL + 2 * GAP
    }

    /// Returns the height.
    pub fn height(&self) -> usize {
        self.board.shape().rows() * CELL + 2 * GAP
    }

    /// Draws the frame and the tiles. `class` takes a tile's label and returns additional classes
    /// for its group.
    pub fn draw(&self, class: impl Fn(usize) -> Option<String>) -> Markup {
        let cols = self.board.shape().cols();
        let mut light = vec![false; self.goal.tiles().len()];
        for (cell, tile) in self.goal.tiles().iter().enumerate() {
            light[tile.label()] = (cell / cols + cell % cols).is_multiple_of(2);
        }
        let (side, size) = (CELL - 2 * GAP, font_size(label_width(self.board)));
        html! {
            rect.frame width=(self.width()) height=(self.height()) rx=(RADIUS + GAP) {}
            @for (cell, tile) in self.board.tiles().iter().enumerate().filter(|(_, tile)| tile.label() > 0) {
                @let (x, y) = self.position(Cell::new(cell));
                @let shade = if light[tile.label()] { "tile light" } else { "tile dark" };
                g class=[Some(class(tile.label()).map_or(shade.to_string(), |more| format!("{shade} {more}")))]
                    transform=(format!("translate({x} {y})")) {
                    rect x=(GAP) y=(GAP) width=(side) height=(side) rx=(RADIUS) {}
                    text x=(CELL / 2) y=(CELL / 2 + size * 7 / 20) font-size=(size) { (tile.label()) }
                }
            }
        }
    }

    /// Returns the position of a cell's upper left corner.
    pub(super) fn position(&self, cell: Cell) -> (usize, usize) {
        let shape = self.board.shape();
        (shape.col(cell) * CELL + GAP, shape.row(cell) * CELL + GAP)
    }
}

/// Returns a font size at which this number of digits fits into a tile.
fn font_size(digits: usize) -> usize {
    match digits {
        0..=2 => 28,
        3 => 22,
        4 => 17,
        _ => 14,
    }
}
