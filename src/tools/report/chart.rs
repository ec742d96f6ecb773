//! A chart of solution lengths: the number of boards as bars, with the published distribution as a
//! line.
//!
//! Every bar has a title with its numbers, for pointers and screen readers.

use maud::{Markup, html};

use super::stats::KindStats;
use crate::board::distribution::Distribution;
use crate::tools::text::{counted, short};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// Draws the number of boards in each bin and, if the distribution is known, the number expected in
/// a uniform sample of all boards. `name` is the name of the kind of board. Shows the lengths that
/// were found and, if the distribution is known, all lengths that exist.
pub fn lengths(name: &str, stats: &KindStats, distribution: Option<&Distribution>) -> Markup {
    let expected = distribution.map_or(Vec::new(), |distribution| expected(stats, distribution));
    let found = stats.bins.iter().position(|&boards| boards > 0).unwrap_or(0);
    let first = if distribution.is_some() { 0 } else { found };
    let bins = stats.bins.len().max(expected.len()) - first;
    let max = stats.bins.iter().map(|&boards| boards as f64).chain(expected.iter().copied()).fold(1.0, f64::max);
    let step = round_up(max / 4.0).max(1.0);
    let top = (max / step).ceil() * step;
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let bin_width = (WIDTH - LEFT - RIGHT) / bins as f64;
    // The middle of a bin.
    let x = |at: usize| LEFT + (at as f64 - first as f64 + 0.5) * bin_width;
    let line: Vec<String> =
        expected.iter().enumerate().map(|(at, &boards)| format!("{},{}", decimal(x(at)), decimal(y(boards)))).collect();
    // Labels are at round numbers, such as 0, 5, 10.
    let label_step = [1, 2, 5, 10].into_iter().find(|step| step * 10 >= bins).unwrap_or(20);
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(format!("Boards by length, {name}")) {
            @for value in (0..).map(|tick| f64::from(tick) * step).take_while(|&value| value <= top) {
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(decimal(y(value))) y2=(decimal(y(value))) {}
                text.tick.end x=(LEFT - 6.0) y=(decimal(y(value) + 4.5)) {
                    // The numbers are round: 8.00 k is written as 8 k.
                    (short(value as u64).replace(".00", "").replace(".0", ""))
                }
            }
            @for (at, &boards) in stats.bins.iter().enumerate().filter(|(_, boards)| **boards > 0) {
                @let top = y(boards as f64).min(HEIGHT - BOTTOM - 1.0);
                rect.bar x=(decimal(x(at) - bin_width * 0.42)) width=(decimal(bin_width * 0.84)) y=(decimal(top))
                    height=(decimal(HEIGHT - BOTTOM - top)) {
                    title { (range(at, stats.width())) ": " (counted(boards, "board")) }
                }
            }
            @if !line.is_empty() { polyline.exact points=(line.join(" ")) {} }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(HEIGHT - BOTTOM) y2=(HEIGHT - BOTTOM) {}
            @for at in (first..first + bins).filter(|at| at.is_multiple_of(label_step)) {
                text.tick.middle x=(decimal(x(at))) y=(HEIGHT - BOTTOM + 16.0) { (at as u64 * stats.width()) }
            }
            text.tick.middle x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 6.0) { "moves" }
        }
    }
}

/// Returns the number of boards expected in each bin if the boards were a uniform sample of all.
fn expected(stats: &KindStats, distribution: &Distribution) -> Vec<f64> {
    let share = stats.boards as f64 / distribution.total() as f64;
    let bins = distribution.boards.chunks(stats.width() as usize);
    bins.map(|boards| boards.iter().sum::<u64>() as f64 * share).collect()
}

/// Returns the lengths in a bin: `length 24` or `length 24–25`.
fn range(at: usize, width: u64) -> String {
    let first = at as u64 * width;
    if width == 1 { format!("length {first}") } else { format!("length {first}–{}", first + (width - 1)) }
}

/// Formats a coordinate. One decimal is enough.
fn decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= value).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::distribution::GoalBlank;

    fn stats(moves: &[u64]) -> KindStats {
        let mut stats = KindStats::default();
        moves.iter().for_each(|&moves| stats.add(moves));
        stats
    }

    fn titles(svg: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let titles = document.descendants().filter(|node| node.has_tag_name("title"));
        titles.map(|title| title.text().unwrap().to_string()).collect()
    }

    #[test]
    fn the_published_distribution_is_complete() {
        let distribution = Distribution::of("2x3".parse().unwrap(), GoalBlank::Corner).unwrap();
        let stats = stats(&[0, 1, 1]);
        let expected = expected(&stats, distribution);
        assert_eq!(expected.len(), 22);
        assert!((expected.iter().sum::<f64>() - 3.0).abs() < 1e-9);
        let svg = lengths("2x3", &stats, Some(distribution)).into_string();
        assert_eq!(titles(&svg), ["length 0: 1 board", "length 1: 2 boards"]);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find_map(|node| node.attribute("points")).unwrap();
        assert_eq!(line.split(' ').count(), 22);
    }

    #[test]
    fn an_axis_begins_at_the_first_length_unless_the_distribution_is_known() {
        let svg = lengths("x", &stats(&[100, 141, 255]), None).into_string();
        assert_eq!(titles(&svg), ["length 100–103: 1 board", "length 140–143: 1 board", "length 252–255: 1 board"]);
        assert!(svg.contains(">120<") && !svg.contains(">80<") && !svg.contains("polyline"), "{svg}");
        let svg = lengths("x", &stats(&[0, u64::MAX]), None).into_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn steps_of_axes() {
        assert_eq!([0.25, 1.0, 1.1, 30.0, 7000.0].map(round_up), [0.5, 1.0, 2.0, 50.0, 10_000.0]);
    }
}
