//! Drawings of boards as SVG, and a solution as an animated, self-contained SVG file.
//!
//! Each tile that moves has an animation (CSS keyframes, which also run if the file is shown as an
//! image). All animations have the same duration and repeat: a pause on the start, a slide per
//! move, and a pause on the goal with the number of moves. If the user prefers reduced motion, only
//! the start and the number of moves are shown. Times and positions are computed with integers, so
//! that the bytes are the same on every machine. Each move takes about 90 bytes.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::frames::label_width;
use crate::board::{Board, Cell, Path, Shape};
use crate::tools::text::counted;

/// The time from one move to the next, in milliseconds.
const MOVE_MS: usize = 450;
/// The time in which a tile slides, in milliseconds. It is part of `MOVE_MS`.
const SLIDE_MS: usize = 280;
/// The pauses on the start and on the goal, in milliseconds.
const START_PAUSE_MS: usize = 1200;
const GOAL_PAUSE_MS: usize = 3000;

/// The height of the progress bar and the caption below the board.
const FOOTER: usize = 44;
/// The minimum width for the progress bar and the caption.
const MIN_WIDTH: usize = 180;

/// The side of a cell, in units of the drawing.
const CELL: usize = 60;
const GAP: usize = 2;
const RADIUS: usize = 7;

/// The style sheet, for light and dark mode.
const STYLE: &str = include_str!("svg.css");

/// Returns the width and the height of the drawing of a board.
fn size(shape: Shape) -> (usize, usize) {
    (shape.cols() * CELL + 2 * GAP, shape.rows() * CELL + 2 * GAP)
}

/// Returns the position of a cell's upper left corner.
fn position(shape: Shape, cell: Cell) -> (usize, usize) {
    (shape.col(cell) * CELL + GAP, shape.row(cell) * CELL + GAP)
}

/// Draws the frame and the tiles of a board. Every tile is a group, positioned and moved by its
/// `transform`. Tiles have two shades, which alternate on the goal like the squares of a
/// chessboard. `class` takes a tile's label and returns additional classes for its group.
fn draw(board: &Board, goal: &Board, class: impl Fn(usize) -> Option<String>) -> Markup {
    let shape = board.shape();
    let mut light = vec![false; shape.cells()];
    for (cell, tile) in goal.tiles().iter().enumerate() {
        light[tile.label()] = (cell / shape.cols() + cell % shape.cols()).is_multiple_of(2);
    }
    let (side, (width, height), font) = (CELL - 2 * GAP, size(shape), font_size(label_width(board)));
    html! {
        rect.frame width=(width) height=(height) rx=(RADIUS + GAP) {}
        @for (cell, tile) in board.tiles().iter().enumerate().filter(|(_, tile)| tile.label() > 0) {
            @let (x, y) = position(shape, Cell::new(cell));
            @let shade = if light[tile.label()] { "tile light" } else { "tile dark" };
            g class=[Some(class(tile.label()).map_or(shade.to_string(), |more| format!("{shade} {more}")))]
                transform=(format!("translate({x} {y})")) {
                rect x=(GAP) y=(GAP) width=(side) height=(side) rx=(RADIUS) {}
                text x=(CELL / 2) y=(CELL / 2 + font * 7 / 20) font-size=(font) { (tile.label()) }
            }
        }
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

/// Returns an animated SVG file of a path that starts at a board and ends anywhere; `None` if a
/// move leaves the board.
pub fn animated(start: &Board, path: &Path) -> Option<String> {
    // The moves of each tile: the index of the move on the path, and the tile's new cell.
    let mut tracks = vec![Vec::new(); start.shape().cells()];
    let mut board = start.clone();
    for (at, step) in path.moves().enumerate() {
        let to = board.blank();
        if !board.make(step) {
            return None;
        }
        tracks[board.tiles()[to.index()].label()].push((at, to));
    }
    let end = board;
    let rules = if path.is_empty() { String::new() } else { rules(start, path.len(), &tracks) };
    let class = |tile: usize| (!tracks[tile].is_empty()).then(|| format!("moving t{tile}"));
    let caption = counted(path.len() as u64, "move");
    let title = format!("A {} sliding-tile puzzle, solved in {caption}", start.shape());
    let description = format!("From {start} to {end}.");
    Some(document(start.shape(), &title, &description, &rules, &caption, draw(start, &end, class)))
}

/// Returns a board as an SVG file with a caption, which may be empty. The goal determines the
/// shades of the tiles.
///
/// # Panics
/// If the boards have different shapes.
pub fn still(board: &Board, goal: &Board, caption: &str) -> String {
    assert_eq!(board.shape(), goal.shape(), "a board and a goal of different shapes");
    let title = match caption {
        "" => format!("A {} sliding-tile puzzle", board.shape()),
        _ => format!("A {} sliding-tile puzzle: {caption}", board.shape()),
    };
    let description = format!("The board is {board}, and the goal is {goal}.");
    document(board.shape(), &title, &description, "", caption, draw(board, goal, |_| None))
}

fn document(shape: Shape, title: &str, description: &str, rules: &str, caption: &str, tiles: Markup) -> String {
    let (board_width, height) = size(shape);
    let width = board_width.max(MIN_WIDTH);
    let (left, bar_width) = ((width - board_width) / 2, width - 8);
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("-8 -8 {} {}", width + 16, height + FOOTER + 16))
            width=(width + 16) height=(height + FOOTER + 16) role="img" aria-labelledby="title description" {
            title id="title" { (title) }
            desc id="description" { (description) }
            style { (PreEscaped(STYLE)) (PreEscaped(rules)) }
            rect.page x="-8" y="-8" width=(width + 16) height=(height + FOOTER + 16) {}
            g transform=(format!("translate({left} 0)")) { (tiles) }
            rect.track x="4" y=(height + 8) width=(bar_width) height="4" rx="2" {}
            @if !rules.is_empty() {
                rect.bar.moving x="4" y=(height + 8) width=(bar_width) height="4" rx="2" {}
            }
            text.caption.moving x=(width / 2) y=(height + 36) { (caption) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", picture.into_string())
}

/// Returns the style sheet of an animation with these moves of each tile.
fn rules(start: &Board, moves: usize, tracks: &[Vec<(usize, Cell)>]) -> String {
    let total = START_PAUSE_MS + moves * MOVE_MS + GOAL_PAUSE_MS;
    // Rounded down to a millionth of the total.
    let percent = |time: usize| {
        let millionths = time * 1_000_000 / total;
        format!("{}.{:04}%", millionths / 10_000, millionths % 10_000)
    };
    let start_of = |at: usize| START_PAUSE_MS + at * MOVE_MS;
    let mut rules = format!(
        ".moving{{animation:{total}ms linear infinite}}\n.bar{{animation-name:progress;transform-origin:4px 0}}\n.caption{{animation-name:caption}}\n"
    );
    let (first, end) = (percent(START_PAUSE_MS), percent(start_of(moves)));
    // Writing to a string cannot fail.
    let _ =
        writeln!(rules, "@keyframes progress{{0%,{first}{{transform:scaleX(0)}}{end},100%{{transform:scaleX(1)}}}}");
    let _ = writeln!(
        rules,
        "@keyframes caption{{0%,{end}{{opacity:0}}{},100%{{opacity:1}}}}",
        percent(start_of(moves) + SLIDE_MS)
    );
    for (tile, track) in tracks.iter().enumerate().filter(|(_, track)| !track.is_empty()) {
        let _ = write!(rules, ".t{tile}{{animation-name:t{tile}}}@keyframes t{tile}{{0%");
        let start_cell = start.tiles().iter().position(|start_tile| start_tile.label() == tile);
        let mut place = position(start.shape(), Cell::new(start_cell.unwrap_or_default()));
        for &(at, to) in track {
            let _ = write!(rules, ",{}{{transform:translate({}px,{}px)}}", percent(start_of(at)), place.0, place.1);
            let _ = write!(rules, "{}", percent(start_of(at) + SLIDE_MS));
            place = position(start.shape(), to);
        }
        let _ = writeln!(rules, ",100%{{transform:translate({}px,{}px)}}}}", place.0, place.1);
    }
    // Without animation, the tiles stay at the start, and the number of moves is always visible.
    rules + "@media (prefers-reduced-motion:reduce){.moving{animation:none}}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::show::frames::tests::row;

    fn animation(start: &Board, path: &str) -> String {
        animated(start, &path.parse().unwrap()).unwrap()
    }

    /// Returns the keyframes of a tile as (percent, x, y).
    fn stops(svg: &str, tile: usize) -> Vec<(f64, usize, usize)> {
        let body = svg.split_once(&format!("@keyframes t{tile}{{")).unwrap().1.split_once("}}").unwrap().0;
        let mut stops = Vec::new();
        for frame in body.split('}') {
            let (times, place) = frame.split_once("{transform:translate(").unwrap();
            let (x, y) = place.trim_end_matches(')').split_once(',').unwrap();
            for time in times.split(',') {
                let number = |text: &str| text.trim_end_matches("px").parse().unwrap();
                stops.push((time.trim_end_matches('%').parse().unwrap(), number(x), number(y)));
            }
        }
        stops
    }

    #[test]
    fn it_is_well_formed_and_has_a_group_for_every_tile() {
        let svg = animation(&"1 0 2/4 5 3".parse().unwrap(), "RD");
        let document = roxmltree::Document::parse(&svg).unwrap();
        let tiles: Vec<_> = document
            .descendants()
            .filter(|node| node.attribute("class").is_some_and(|class| class.starts_with("tile")))
            .collect();
        assert_eq!(tiles.len(), 5);
        let moving = tiles.iter().filter(|tile| tile.attribute("class").is_some_and(|class| class.contains("moving")));
        let numbers: Vec<_> = moving
            .map(|tile| {
                tile.children()
                    .find_map(|text| text.has_tag_name(("http://www.w3.org/2000/svg", "text")).then(|| text.text()))
                    .flatten()
                    .unwrap()
            })
            .collect();
        assert_eq!(numbers, ["2", "3"]);
        let has_caption = document.descendants().filter_map(|node| node.text()).any(|text| text == "2 moves");
        assert!(has_caption && svg.contains("prefers-reduced-motion") && svg.contains("prefers-color-scheme"));
        assert!(!svg.contains("href") && !svg.contains("url("), "the file is self-contained");
    }

    /// The last keyframe of a tile is at its cell on the goal. Tiles move in the order of the path.
    #[test]
    fn tiles_slide_to_their_goal_cells() {
        let svg = animation(&"1 0 2/4 5 3".parse().unwrap(), "RD");
        let (two, three) = (stops(&svg, 2), stops(&svg, 3));
        let places = |stops: &[(f64, usize, usize)]| stops.iter().map(|stop| (stop.1, stop.2)).collect::<Vec<_>>();
        assert_eq!(places(&two), [(122, 2), (122, 2), (62, 2), (62, 2)]);
        assert_eq!(places(&three), [(122, 62), (122, 62), (122, 2), (122, 2)]);
        for stops in [&two, &three] {
            assert!(stops.is_sorted_by(|a, b| a.0 < b.0), "{stops:?}");
            assert_eq!((stops[0].0, stops[3].0), (0.0, 100.0));
        }
        assert!(two[2].0 <= three[1].0, "one after the other");
    }

    #[test]
    fn without_moves_nothing_moves_and_every_shape_is_well_formed() {
        let solved = animation(&row([0]), "");
        assert!(!solved.contains("@keyframes"));
        assert!(solved.contains(">0 moves<"));
        let (start, goal) = (row(0..255), row((1..255).chain([0])));
        let wide = animation(&start, &"R".repeat(254));
        for svg in [wide, solved, still(&start, &goal, "no <solution> & \"none\"")] {
            roxmltree::Document::parse(&svg).unwrap();
        }
    }

    #[test]
    fn a_path_that_leaves_the_board_has_no_animation() {
        assert_eq!(animated(&"1 0 2/4 5 3".parse().unwrap(), &"RR".parse().unwrap()), None);
    }
}
