//! The options that decide which bytes a run writes: a run that is resumed must have the same.
//!
//! How threads share boards is not among them: it never changes a byte. The number of threads and the machine's memory
//! count only where an engine was asked for that keeps the states it has visited: each search has its share of the
//! memory, and the results show for which boards that suffices. The memory alone counts where good paths or any shortest ones were asked for,
//! or searches end by a number of nodes: what is kept decides what is found, on any number of threads.

use std::collections::BTreeMap;

use super::{Reading, Solving, To};
use crate::format::output::Fields;
use crate::solver::Quality;

/// Their names and values, as they were typed or by default.
pub fn options(
    reading: &Reading,
    solving: &Solving,
    fields: &Fields,
    (unordered, to): (bool, To),
) -> BTreeMap<&'static str, String> {
    let input = reading.options(solving);
    let (preference, limits, aim) = (solving.preference(), solving.limits(), solving.aim());
    let share = match preference.engine {
        Some(engine) if engine.keeps_visited() => {
            format!("{} bytes, {} threads", solving.memory(), solving.threads())
        }
        _ if solving.memory_decides() => {
            format!("{} bytes", solving.memory())
        }
        _ => text(solving.asked_memory(), "not given"),
    };
    BTreeMap::from([
        ("format", text(input.layout, "auto")),
        ("goal", text(input.goal, "not given")),
        ("shape", text(input.shape, "not given")),
        ("count-line", input.count_line.to_string()),
        ("numbered", input.numbered.to_string()),
        ("fields", if fields.by_name() { fields.to_string() } else { format!("{fields} by default") }),
        ("all", fields.all_paths()),
        ("notation", fields.spelling().notation.name().into()),
        ("path-of", fields.spelling().of.name().into()),
        ("unordered", unordered.to_string()),
        ("to", to.name().into()),
        ("pass", fields.pass().to_string()),
        ("engine", text(preference.engine, "auto")),
        (
            "heuristic",
            preference.partition.unwrap_or_else(|| text(preference.heuristic.map(|kind| kind.name()), "auto")),
        ),
        ("tie-break", preference.tie_break.name().into()),
        ("memory", share),
        ("time-limit", limits.time.map_or("none".into(), |time| format!("{time:?}"))),
        ("node-limit", text(limits.nodes, "none")),
        ("quality", text(aim.quality.map(Quality::name), "auto")),
        ("fallback", if aim.fallback { Quality::Good.name() } else { "none" }.into()),
        ("effort", text(aim.effort, "auto")),
        ("weights", solving.weights().checksum().map_or("none".into(), |sum| format!("{sum:016x}"))),
    ])
}

fn text(value: Option<impl ToString>, absent: &str) -> String {
    value.map_or(absent.to_string(), |value| value.to_string())
}
