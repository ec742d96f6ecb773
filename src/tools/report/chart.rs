//! SVG charts by solution length: the number of boards as bars, with the published distribution as
//! a line, and the effort as dots on a logarithmic scale.
//!
//! A chart has at most [`MAX_BINS`] bins on its horizontal axis. If there are more lengths, several
//! share one bin. Every bar and dot has a title with its numbers, for pointers and screen readers.

use std::ops::RangeInclusive;

use maud::{Markup, html};

use super::tally::{BoardStats, KindStats, NumberStats};
use crate::board::distribution::Distribution;
use crate::system::grouped;
use crate::tools::text::{percent, short, time};

/// The maximum number of bins on the horizontal axis.
const MAX_BINS: usize = 80;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// The boards whose solution lengths are in a range.
#[derive(Clone, Debug)]
pub struct Bin {
    pub lengths: RangeInclusive<usize>,
    pub found: BoardStats,
    /// The number of boards of these lengths among all boards of the shape, if known.
    pub population: Option<u64>,
}

impl Bin {
    /// Returns `24` or `24–25`.
    pub fn name(&self) -> String {
        let (first, last) = (self.lengths.start(), self.lengths.end());
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    }
}

/// Returns the bins of a group. They cover the lengths that were found or, if the distribution is
/// known, all lengths that exist.
pub fn bins(group: &KindStats, distribution: Option<&Distribution>) -> Vec<Bin> {
    let first = match distribution {
        Some(_) => 0,
        None => group.by_length.iter().position(|stats| stats.boards > 0).unwrap_or(0),
    };
    let end = group.by_length.len().max(distribution.map_or(0, |published| published.boards.len()));
    let width = (end - first).div_ceil(MAX_BINS).max(1);
    // Bins start at multiples of the width. If that takes one bin too many, they must be wider.
    let width = if (end - first / width * width).div_ceil(width) > MAX_BINS { width + 1 } else { width };
    let first = first / width * width;
    let bin = |start: usize| {
        let lengths = start..(start + width).min(end);
        let mut found = BoardStats::default();
        group.by_length.iter().take(lengths.end).skip(start).for_each(|stats| found.merge(stats));
        let population = distribution.map(|published| published.boards.iter().take(lengths.end).skip(start).sum());
        Bin { lengths: start..=lengths.end - 1, found, population }
    };
    (first..end).step_by(width).map(bin).collect()
}

/// Draws the number of boards in each bin, and the number expected in a uniform sample.
pub fn lengths(name: &str, bins: &[Bin], distribution: Option<&Distribution>) -> Markup {
    let total: u64 = bins.iter().map(|bin| bin.found.boards).sum();
    let expected = |bin: &Bin| {
        let share = bin.population? as f64 / distribution?.total() as f64;
        Some(share * total as f64)
    };
    let max = bins.iter().map(|bin| expected(bin).unwrap_or(0.0).max(bin.found.boards as f64)).fold(1.0, f64::max);
    let step = round_up(max / 4.0).max(1.0);
    let top = (max / step).ceil() * step;
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let width = bin_width(bins);
    let ticks = (0..).map(|tick| f64::from(tick) * step).take_while(|&value| value <= top);
    let ticks = ticks.map(|value| (y(value), short(value as u64)));
    let line: Vec<String> = bins
        .iter()
        .enumerate()
        .filter_map(|(at, bin)| Some(format!("{:.1},{:.1}", bin_middle(at, width), y(expected(bin)?))))
        .collect();
    chart(
        &format!("Boards by length, {name}"),
        bins,
        ticks,
        html! {
            @for (at, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.found.boards > 0) {
                @let top = y(bin.found.boards as f64).min(HEIGHT - BOTTOM - 1.0);
                rect.bar x=(decimal(LEFT + at as f64 * width + width * 0.08)) width=(decimal(width * 0.84))
                    y=(decimal(top)) height=(decimal(HEIGHT - BOTTOM - top)) {
                    title { (bar_title(bin, total, distribution)) }
                }
            }
            @if !line.is_empty() { polyline.exact points=(line.join(" ")) {} }
        },
    )
}

/// Returns the title of a bar.
fn bar_title(bin: &Bin, total: u64, distribution: Option<&Distribution>) -> String {
    let noun = if bin.found.boards == 1 { "board" } else { "boards" };
    let share = percent(bin.found.boards, total);
    let found = format!("length {}: {} {noun}, {share}", bin.name(), grouped(bin.found.boards));
    match bin.population.zip(distribution) {
        Some((boards, distribution)) => format!("{found}; {} of all boards", percent(boards, distribution.total())),
        None => found,
    }
}

/// A measure of effort.
pub struct EffortMeasure {
    pub name: &'static str,
    pub summary: fn(&BoardStats) -> NumberStats,
    /// Formats a value with its unit.
    pub format: fn(u64) -> String,
}

pub const EFFORTS: [EffortMeasure; 2] = [
    EffortMeasure { name: "Nodes", summary: |stats| stats.nodes, format: short },
    EffortMeasure { name: "Time", summary: |stats| stats.time_us, format: time },
];

/// Draws the effort for the boards of each bin: the mean as a dot, and a line up to the maximum.
/// Returns `None` if nothing was measured or no value exceeds 1.
pub fn effort(name: &str, bins: &[Bin], effort: &EffortMeasure) -> Option<Markup> {
    let measured: Vec<NumberStats> = bins.iter().map(|bin| (effort.summary)(&bin.found)).collect();
    let max = measured.iter().map(|summary| summary.max).max()?;
    // Boards solved from a table take at most one node, and too little time to measure.
    if max <= 1 {
        return None;
    }
    // A logarithmic scale has no zero: values below 1 are drawn at 1.
    let log = |value: f64| value.max(1.0).log10();
    let means = measured.iter().filter(|summary| summary.count > 0).map(NumberStats::mean);
    let bottom = means.map(log).fold(f64::MAX, f64::min).floor();
    let top = log(max as f64).ceil().max(bottom + 1.0);
    let y = |value: f64| HEIGHT - BOTTOM - (log(value) - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
    let width = bin_width(bins);
    let marks = bins.iter().zip(&measured).enumerate().filter(|(_, (_, summary))| summary.count > 0);
    let decades = top as i32 - bottom as i32;
    let ticks = (bottom as i32..=top as i32).step_by((decades as usize).div_ceil(6).max(1));
    let ticks = ticks.map(|power| 10f64.powi(power)).map(|value| (y(value), (effort.format)(value as u64)));
    Some(chart(
        &format!("{} by length, {name}", effort.name),
        bins,
        ticks,
        html! {
            @for (at, (bin, summary)) in marks {
                @let (x, mean) = (bin_middle(at, width), y(summary.mean()));
                g {
                    title {
                        "length " (bin.name()) ": mean " ((effort.format)(summary.mean().round() as u64)) ", maximum "
                        ((effort.format)(summary.max))
                    }
                    line.most x1=(decimal(x)) x2=(decimal(x)) y1=(decimal(mean)) y2=(decimal(y(summary.max as f64))) {}
                    circle.mean cx=(decimal(x)) cy=(decimal(mean)) r=(decimal((width * 0.4).clamp(1.5, 4.0))) {}
                }
            }
        },
    ))
}

/// Removes the decimals of a round number: `8.00 k` becomes `8 k`.
fn without_zeros(number: &str) -> String {
    number.replace(".00", "").replace(".0", "")
}

/// Draws the frame of a chart around its marks: the ticks of the vertical axis, each with its
/// position and label, and the axis of lengths.
fn chart(title: &str, bins: &[Bin], ticks: impl Iterator<Item = (f64, String)>, marks: Markup) -> Markup {
    let (width, min_step) = (bin_width(bins), bins.len().div_ceil(10).max(1));
    // Labels are at round numbers, such as 0, 5, 10.
    let step = [1, 2, 5, 10, 20].into_iter().find(|&step| step >= min_step).unwrap_or(min_step);
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            title { (title) }
            @for (y, label) in ticks {
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(decimal(y)) y2=(decimal(y)) {}
                text.tick.end x=(LEFT - 6.0) y=(decimal(y + 4.5)) { (without_zeros(&label)) }
            }
            (marks)
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(HEIGHT - BOTTOM) y2=(HEIGHT - BOTTOM) {}
            @for (at, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.lengths.start().is_multiple_of(step)) {
                text.tick.middle x=(decimal(bin_middle(at, width))) y=(HEIGHT - BOTTOM + 16.0) { (bin.lengths.start()) }
            }
            text.tick.middle x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 6.0) { "moves" }
        }
    }
}

/// Returns the width of a bin on the axis.
fn bin_width(bins: &[Bin]) -> f64 {
    (WIDTH - LEFT - RIGHT) / bins.len().max(1) as f64
}

fn bin_middle(at: usize, width: f64) -> f64 {
    LEFT + (at as f64 + 0.5) * width
}

/// Formats a coordinate. One decimal is enough.
fn decimal(value: f64) -> String {
    format!("{value:.1}")
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::distribution::GoalBlank;

    fn group(boards: &[u64]) -> KindStats {
        let stats = |&boards: &u64| BoardStats { boards, ..BoardStats::default() };
        KindStats { by_length: boards.iter().map(stats).collect(), longer: 0 }
    }

    #[test]
    fn every_length_is_in_one_bin() {
        for (first, count) in [(0, 1), (0, 80), (0, 81), (0, 160), (1, 160), (79, 161), (1, 241), (3, 4094), (4095, 2)]
        {
            let group = group(&[vec![0; first], vec![3; count]].concat());
            let bins = bins(&group, None);
            assert!(bins.len() <= MAX_BINS, "{first} {count}");
            let lengths: Vec<usize> = bins.iter().flat_map(|bin| bin.lengths.clone()).collect();
            assert!(lengths[0] <= first);
            assert_eq!(lengths, (lengths[0]..first + count).collect::<Vec<_>>());
            assert_eq!(bins.iter().map(|bin| bin.found.boards).sum::<u64>(), 3 * count as u64);
        }
        assert!(bins(&group(&[]), None).is_empty());
        assert_eq!(bins(&group(&[0, 0, 5]), None)[0].name(), "2");
        assert_eq!(["8.00 k", "1.0", "20"].map(without_zeros), ["8 k", "1", "20"]);
    }

    #[test]
    fn the_published_distribution_is_complete() {
        let distribution = Distribution::of("2x3".parse().unwrap(), GoalBlank::Corner).unwrap();
        let bins = bins(&group(&[1, 2]), Some(distribution));
        assert_eq!(bins.len(), 22);
        assert_eq!(bins.iter().filter_map(|bin| bin.population).sum::<u64>(), 360);
        let svg = lengths("2x3", &bins, Some(distribution)).into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let bars = document.descendants().filter(|node| node.has_tag_name("rect")).count();
        assert_eq!(bars, 2);
        let line = document.descendants().find_map(|node| node.attribute("points")).unwrap();
        assert_eq!(line.split(' ').count(), 22);
        let title = document.descendants().filter_map(|node| node.text()).find(|text| text.starts_with("length 1:"));
        assert_eq!(title, Some("length 1: 2 boards, 66.67 %; 0.56 % of all boards"));
    }

    #[test]
    fn effort_is_drawn_if_measured() {
        let mut measured = group(&[1, 2, 0, 4]);
        assert!(effort("x", &bins(&measured, None), &EFFORTS[0]).is_none());
        for (at, nodes) in [(0, 0), (1, 10), (1, 30), (3, u64::MAX)] {
            measured.by_length[at].nodes.add(nodes);
        }
        let bins = bins(&measured, None);
        let svg = effort("x", &bins, &EFFORTS[0]).unwrap().into_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let titles: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("g"))
            .filter_map(|node| node.descendants().find_map(|text| text.text()))
            .collect();
        assert_eq!(titles.len(), 3);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("20") && effort("x", &bins, &EFFORTS[1]).is_none());
    }

    #[test]
    fn steps_of_axes() {
        assert_eq!([0.25, 1.0, 1.1, 30.0, 7000.0].map(round_up), [0.5, 1.0, 2.0, 50.0, 10_000.0]);
    }
}
