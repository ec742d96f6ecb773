//! The options that decide which bytes a run writes: a run that is resumed must have the same.
//!
//! Threads and how boards are shared are not among them: they never change a byte.

use std::collections::BTreeMap;

use super::arguments::{Reading, Solving};
use crate::format::output::Fields;

/// Their names and values, as they were typed or by default.
pub(super) fn options(
    reading: &Reading,
    solving: &Solving,
    fields: &Fields,
    unordered: bool,
) -> BTreeMap<&'static str, String> {
    let input = reading.options();
    let (wishes, limits) = (solving.wishes(), solving.limits());
    BTreeMap::from([
        ("format", text(input.layout, "auto")),
        ("goal", text(input.goal, "not given")),
        ("shape", text(input.shape, "not given")),
        ("count-line", input.count_line.to_string()),
        ("numbered", input.numbered.to_string()),
        ("override", input.override_file.to_string()),
        ("max-line", input.max_line.to_string()),
        ("max-ratio", input.unpacking.ratio.to_string()),
        ("fields", fields.to_string()),
        ("spelling", format!("{:?}", fields.spelling())),
        ("unordered", unordered.to_string()),
        ("engine", text(wishes.engine, "auto")),
        ("heuristic", wishes.partition.unwrap_or_else(|| text(wishes.heuristic.map(|kind| kind.name()), "auto"))),
        ("memory", text(solving.asked_memory(), "not given")),
        ("time-limit", limits.time.map_or("none".into(), |time| format!("{time:?}"))),
        ("node-limit", text(limits.nodes, "none")),
    ])
}

fn text(value: Option<impl ToString>, absent: &str) -> String {
    value.map_or(absent.to_string(), |value| value.to_string())
}
