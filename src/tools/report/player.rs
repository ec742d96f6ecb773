//! A player for a board's solution: a drawing, and buttons that the page's script enables.
//!
//! Without the script, and on paper, there are no buttons, only the path below the board.

use maud::{Markup, html};

use super::text::{grouped, short, time};
use super::top::HardBoard;
use crate::tools::show::Drawing;
use crate::tools::text::counted;

/// Draws a player; `None` if the goal is unknown. The script needs the path, the number of columns,
/// the blank's cell, and the tiles in the order of their cells.
pub fn player(hard: &HardBoard) -> Option<Markup> {
    let (entry, solution) = (&hard.entry, &hard.solution);
    let goal = entry.goal.as_ref()?;
    let (board, path) = (&solution.board, &solution.path);
    let drawing = Drawing::new(board, goal);
    let origin = &entry.origin;
    let name = origin.index.map_or("a record".to_string(), |index| format!("record {}", grouped(index)));
    let facts = [
        Some(counted(path.len() as u64, "move")),
        entry.time_us.map(time),
        entry.nodes.map(|nodes| if nodes == 1 { "1 node".into() } else { format!("{} nodes", short(nodes)) }),
    ];
    // Keep a number and its unit on one line.
    let facts = facts.map(|fact| fact.map(|fact| fact.replace(' ', "\u{a0}")));
    Some(html! {
        figure.player data-path=(path) data-cols=(board.shape().cols()) data-blank=(board.blank().index()) {
            svg.board viewBox=(format!("0 0 {} {}", drawing.width(), drawing.height())) role="img"
                aria-label=(format!("Board of {name}: {board}")) {
                title { "Board of " (name) ": " (board) }
                (drawing.draw(|_| None))
            }
            figcaption {
                strong { (name) } " – " (facts.into_iter().flatten().collect::<Vec<_>>().join(", "))
                @if let Some(source) = &origin.source {
                    br;
                    span.from { (source) @if let Some(line) = origin.line { ":" (line) } }
                }
                @if let Some(id) = &origin.id { span.from { " id " (id) } }
                div.controls hidden {
                    button.play type="button" aria-label=(format!("Play the solution of {name}")) { "Play" }
                    button.back type="button" aria-label="One move back" { "‹" }
                    button.on type="button" aria-label="One move forward" { "›" }
                    output { "0 of " (path.len()) }
                }
                p.path { (path) }
            }
        }
    })
}
