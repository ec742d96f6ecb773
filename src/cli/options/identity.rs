//! The options that decide which bytes a run writes. A resumed run must have the same values.
//!
//! The distribution of boards over threads is not included because it never changes the output. The
//! number of threads is included only for an engine that keeps visited states: each search gets a
//! share of the memory, and the results show for which boards the share was enough. The amount of
//! memory is included for such an engine, and if `--memory` was given or
//! [`Solving::memory_decides`] is true.

use std::collections::BTreeMap;

use clap::ValueEnum;

use super::{Reading, Solving, To};
use crate::format::output::Fields;
use crate::solver::Quality;

/// Returns the names and values of the options, including those with default values.
pub fn options(
    reading: &Reading,
    solving: &Solving,
    fields: &Fields,
    (unordered, to): (bool, To),
) -> BTreeMap<&'static str, String> {
    let input = reading.options(solving);
    let (preference, limits, aim) = (solving.preference(), solving.limits(), solving.aim());
    let memory = match preference.engine {
        Some(engine) if engine.keeps_visited() => {
            format!("{} bytes, {} threads", solving.memory(), solving.threads())
        }
        _ if solving.memory_decides() => format!("{} bytes", solving.memory()),
        _ => text(solving.resources.memory, "not given"),
    };
    BTreeMap::from([
        ("format", text(input.layout, "auto")),
        ("goal", text(input.goal, "not given")),
        ("shape", text(input.shape, "not given")),
        ("count-line", input.count_line.to_string()),
        ("numbered", input.numbered.to_string()),
        ("fields", if fields.by_name() { fields.to_string() } else { format!("{fields} by default") }),
        ("all", fields.all_argument()),
        ("notation", fields.spelling().notation.name().into()),
        ("path-of", fields.spelling().piece.name().into()),
        ("unordered", unordered.to_string()),
        ("to", to.to_possible_value().map_or(String::new(), |value| value.get_name().into())),
        ("pass", fields.pass().to_string()),
        ("engine", text(preference.engine, "auto")),
        ("heuristic", preference.heuristic.to_string()),
        ("tie-break", preference.tie_break.name().into()),
        ("memory", memory),
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
