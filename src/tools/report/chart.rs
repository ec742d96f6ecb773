//! SVG charts by solution length: the number of boards as bars, with the published distribution as
//! a line, and the effort as dots on a logarithmic scale.
//!
//! Every bar and dot has a title with its numbers, for pointers and screen readers.

use maud::{Markup, html};

use super::stats::{Bin, KindStats, NumberStats};
use crate::board::distribution::Distribution;
use crate::tools::text::{counted, short};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// The charts of one kind of board. They have the same horizontal axis.
pub struct Charts<'a> {
    /// The name of the kind.
    name: &'a str,
    stats: &'a KindStats,
    /// The number of boards expected in each bin if the boards were a uniform sample of all boards;
    /// empty if the distribution is not known.
    expected: Vec<f64>,
    /// The first bin of the axis, and the number of its bins.
    first: usize,
    bins: usize,
}

impl<'a> Charts<'a> {
    /// Creates the charts. They show the lengths that were found and, if the distribution is known,
    /// all lengths that exist.
    pub fn new(name: &'a str, stats: &'a KindStats, distribution: Option<&Distribution>) -> Charts<'a> {
        let mut expected = Vec::new();
        if let Some(distribution) = distribution {
            let share = stats.moves.count as f64 / distribution.total() as f64;
            let bins = distribution.boards.chunks(stats.width() as usize);
            expected = bins.map(|boards| boards.iter().sum::<u64>() as f64 * share).collect();
        }
        let found = stats.bins.iter().position(|bin| bin.boards > 0).unwrap_or(0);
        let first = if distribution.is_some() { 0 } else { found };
        let bins = stats.bins.len().max(expected.len()) - first;
        Charts { name, stats, expected, first, bins }
    }

    /// Draws the number of boards in each bin, and the expected number.
    pub fn lengths(&self) -> Markup {
        let found = self.stats.bins.iter().map(|bin| bin.boards as f64);
        let max = found.chain(self.expected.iter().copied()).fold(1.0, f64::max);
        let step = round_up(max / 4.0).max(1.0);
        let top = (max / step).ceil() * step;
        let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
        let ticks = (0..).map(|tick| f64::from(tick) * step).take_while(|&value| value <= top);
        let points = self.expected.iter().enumerate();
        let line: Vec<String> =
            points.map(|(at, &boards)| format!("{},{}", decimal(self.x(at)), decimal(y(boards)))).collect();
        let width = self.bin_width() * 0.84;
        let marks = html! {
            @for (at, bin) in self.stats.bins.iter().enumerate().filter(|(_, bin)| bin.boards > 0) {
                @let top = y(bin.boards as f64).min(HEIGHT - BOTTOM - 1.0);
                rect.bar x=(decimal(self.x(at) - width / 2.0)) width=(decimal(width)) y=(decimal(top))
                    height=(decimal(HEIGHT - BOTTOM - top)) {
                    title { (self.length(at)) ": " (counted(bin.boards, "board")) }
                }
            }
            @if !line.is_empty() { polyline.exact points=(line.join(" ")) {} }
        };
        self.frame("Boards", ticks.map(|value| (y(value), short(value as u64))), marks)
    }

    /// Draws a measure of effort for the boards of each bin: the mean as a dot, and a line up to
    /// the maximum. Returns `None` if nothing was measured or no value exceeds 1.
    pub fn effort(&self, measure: &str, of: fn(&Bin) -> NumberStats, format: fn(u64) -> String) -> Option<Markup> {
        let numbers = self.stats.bins.iter().map(of).enumerate();
        let measured: Vec<(usize, NumberStats)> = numbers.filter(|(_, numbers)| numbers.count > 0).collect();
        // Boards solved from a table take at most one node, and too little time to measure.
        let max = measured.iter().map(|(_, numbers)| numbers.max).max().filter(|&max| max > 1)?;
        // A logarithmic scale has no zero: values below 1 are drawn at 1.
        let log = |value: f64| value.max(1.0).log10();
        let bottom = measured.iter().map(|(_, numbers)| log(numbers.mean())).fold(f64::MAX, f64::min).floor();
        let top = log(max as f64).ceil().max(bottom + 1.0);
        let y = |value: f64| HEIGHT - BOTTOM - (log(value) - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
        let powers = (bottom as i32..=top as i32).step_by(((top - bottom) / 6.0).ceil() as usize);
        let ticks = powers.map(|power| 10f64.powi(power)).map(|value| (y(value), format(value as u64)));
        let radius = decimal((self.bin_width() * 0.4).clamp(1.5, 4.0));
        let marks = html! {
            @for (at, numbers) in measured {
                @let (x, mean) = (decimal(self.x(at)), decimal(y(numbers.mean())));
                g {
                    title {
                        (self.length(at)) ": mean " (format(numbers.mean().round() as u64)) ", maximum "
                        (format(numbers.max))
                    }
                    line.most x1=(x) x2=(x) y1=(mean) y2=(decimal(y(numbers.max as f64))) {}
                    circle.mean cx=(x) cy=(mean) r=(radius) {}
                }
            }
        };
        Some(self.frame(measure, ticks, marks))
    }

    /// Draws the frame of a chart around its marks: the ticks of the vertical axis, each with its
    /// position and label, and the axis of lengths.
    fn frame(&self, measure: &str, ticks: impl Iterator<Item = (f64, String)>, marks: Markup) -> Markup {
        // Labels are at round numbers, such as 0, 5, 10.
        let step = [1, 2, 5, 10].into_iter().find(|step| step * 10 >= self.bins).unwrap_or(20);
        let labelled = (self.first..self.first + self.bins).filter(|at| at.is_multiple_of(step));
        html! {
            svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
                aria-label=(format!("{measure} by length, {}", self.name)) {
                @for (y, label) in ticks {
                    line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(decimal(y)) y2=(decimal(y)) {}
                    text.tick.end x=(LEFT - 6.0) y=(decimal(y + 4.5)) {
                        // The numbers are round: 8.00 k is written as 8 k.
                        (label.replace(".00", "").replace(".0", ""))
                    }
                }
                (marks)
                line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(HEIGHT - BOTTOM) y2=(HEIGHT - BOTTOM) {}
                @for at in labelled {
                    text.tick.middle x=(decimal(self.x(at))) y=(HEIGHT - BOTTOM + 16.0) {
                        (at as u64 * self.stats.width())
                    }
                }
                text.tick.middle x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 6.0) { "moves" }
            }
        }
    }

    /// Returns the width of a bin on the axis.
    fn bin_width(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.bins as f64
    }

    /// Returns the position of a bin's middle.
    fn x(&self, at: usize) -> f64 {
        LEFT + (at as f64 - self.first as f64 + 0.5) * self.bin_width()
    }

    /// Returns the lengths in a bin: `length 24` or `length 24–25`.
    fn length(&self, at: usize) -> String {
        let (first, width) = (at as u64 * self.stats.width(), self.stats.width());
        if width == 1 { format!("length {first}") } else { format!("length {first}–{}", first + (width - 1)) }
    }
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

    fn stats(boards: &[(u64, Option<u64>)]) -> KindStats {
        let mut stats = KindStats::default();
        boards.iter().for_each(|&(moves, nodes)| stats.add(moves, nodes, None));
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
        let stats = stats(&[(0, None), (1, None), (1, None)]);
        let charts = Charts::new("2x3", &stats, Some(distribution));
        assert_eq!(charts.expected.len(), 22);
        assert!((charts.expected.iter().sum::<f64>() - 3.0).abs() < 1e-9);
        let svg = charts.lengths().into_string();
        assert_eq!(titles(&svg), ["length 0: 1 board", "length 1: 2 boards"]);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find_map(|node| node.attribute("points")).unwrap();
        assert_eq!(line.split(' ').count(), 22);
    }

    #[test]
    fn an_axis_begins_at_the_first_length_unless_the_distribution_is_known() {
        let stats = stats(&[(100, None), (141, None), (u64::from(u8::MAX), None)]);
        let svg = Charts::new("x", &stats, None).lengths().into_string();
        assert_eq!(titles(&svg), ["length 100–103: 1 board", "length 140–143: 1 board", "length 252–255: 1 board"]);
        assert!(svg.contains(">120<") && !svg.contains(">80<") && !svg.contains("polyline"), "{svg}");
        let huge = KindStats::default();
        assert!(Charts::new("x", &huge, None).effort("Nodes", |bin| bin.nodes, short).is_none());
    }

    #[test]
    fn effort_is_drawn_if_measured() {
        let stats = stats(&[(0, Some(0)), (1, Some(10)), (1, Some(30)), (2, None), (u64::MAX, Some(u64::MAX))]);
        let charts = Charts::new("x", &stats, None);
        assert!(charts.effort("Time", |bin| bin.time_us, short).is_none());
        let svg = charts.effort("Nodes", |bin| bin.nodes, short).unwrap().into_string();
        assert_eq!(titles(&svg).len(), 2, "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn steps_of_axes() {
        assert_eq!([0.25, 1.0, 1.1, 30.0, 7000.0].map(round_up), [0.5, 1.0, 2.0, 50.0, 10_000.0]);
    }
}
