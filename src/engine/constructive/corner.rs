//! Placement of the last two tiles of a line, which must be placed together. In a window of free
//! cells at the line's end, a breadth-first search over the cells of these tiles and the blank
//! finds a shortest path.
//!
//! First the two tiles and the blank must enter the window. Usually each of the three is brought
//! there by the shortest route, while those brought before stay in place. This fails if the first
//! tile traps the second tile or the blank. Then the first tile is moved to the last cell of the
//! line, and the tiles and the blank are brought into the window again. Now this cannot fail: the
//! free cells other than the last two of the line form a rectangle of at least two rows and two
//! columns, in which every tile can reach every cell.

use super::field::{Field, Line, Place, after, distance};
use super::place::Placing;
use super::walk::Walks;
use crate::system::sort_few;

/// Finishes the last two cells of a line whose other cells are finished. Returns false if that is
/// impossible.
pub(super) fn finish(field: &mut Field, placing: &mut Placing, line: &Line) -> bool {
    // The cells around the end of the line. If the line is longer than two cells, one is finished.
    let window: Vec<Place> = if line.len == 2 { line.end(2, 4).collect() } else { line.end(3, 3).collect() };
    let (first, second) = (line.place(line.len - 2), line.place(line.len - 1));
    place_both(field, placing, &window, first, second) || {
        // The first tile goes to the last cell of the line.
        placing.bring(field, first, second, true) && place_both(field, placing, &window, first, second)
    }
}

/// Brings both tiles and the blank into the window, and then both tiles to their homes.
fn place_both(field: &mut Field, placing: &mut Placing, window: &[Place], first: Place, second: Place) -> bool {
    if !window.contains(&field.at(first)) && !bring_nearest(field, placing, window, first) {
        return false;
    }
    let first_at = field.at(first);
    field.fixed[first_at] = true;
    let brought = window.contains(&field.at(second)) || bring_nearest(field, placing, window, second);
    let second_at = field.at(second);
    field.fixed[second_at] = true;
    let entered = brought && (window.contains(&field.blank) || enter(field, &mut placing.walks, window));
    field.fixed[first_at] = false;
    field.fixed[second_at] = false;
    entered && solve(field, window, first, second)
}

/// Brings the tile with this home into the window, to the nearest cell that it can reach.
fn bring_nearest(field: &mut Field, placing: &mut Placing, window: &[Place], home: Place) -> bool {
    let from = field.at(home);
    let mut places = window.to_vec();
    sort_few(&mut places, |&place| distance(from, place));
    places.iter().any(|&place| !field.fixed[place] && placing.bring(field, home, place, false))
}

/// Moves the blank to the nearest free cell of the window.
fn enter(field: &mut Field, walks: &mut Walks, window: &[Place]) -> bool {
    let places = window.iter().copied().filter(|&place| !field.fixed[place]);
    let nearest = places.filter_map(|place| Some((walks.steps(field, place, 0)?, place))).min();
    nearest.is_some_and(|(_, place)| walks.go(field, place, 0))
}

/// A state of the search: the cells of the two tiles and the blank in the window, four bits each.
type WindowState = usize;

/// Brings the two tiles home by a shortest path in the window.
fn solve(field: &mut Field, window: &[Place], first: Place, second: Place) -> bool {
    const UNSEEN: u16 = u16::MAX;
    let local = |place: Place| window.iter().position(|&other| other == place);
    let (Some(a), Some(b), Some(blank)) = (local(field.at(first)), local(field.at(second)), local(field.blank)) else {
        return false;
    };
    let (Some(goal_a), Some(goal_b)) = (local(first), local(second)) else { return false };
    let start: WindowState = a << 8 | b << 4 | blank;
    // The predecessor of each state, and the move from it.
    let mut from = [(UNSEEN, 0u8); 1 << 12];
    let mut queue = vec![start];
    from[start] = (start as u16, 0);
    let mut next = 0;
    while let Some(&key) = queue.get(next) {
        next += 1;
        let (a, b, blank) = (key >> 8, key >> 4 & 15, key & 15);
        if (a, b) == (goal_a, goal_b) {
            let mut moves = Vec::new();
            let mut key = key;
            while key != start {
                let (before, step) = from[key];
                moves.push(step);
                key = usize::from(before);
            }
            for &step in moves.iter().rev() {
                field.step(usize::from(step));
            }
            return true;
        }
        for step in 0..4 {
            let to = after(window[blank], step);
            if field.fixed[to] {
                continue;
            }
            let Some(to) = local(to) else { continue };
            let moved = |tile: usize| if tile == to { blank } else { tile };
            let child = moved(a) << 8 | moved(b) << 4 | to;
            if from[child].0 == UNSEEN {
                from[child] = (key as u16, step as u8);
                queue.push(child);
            }
        }
    }
    false
}
