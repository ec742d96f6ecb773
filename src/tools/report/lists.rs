//! The sections that list single records and lines: invalid records, and lines that are not
//! results.

use maud::{Markup, html};

use super::line::Origin;
use super::tally::{Capped, Tally};
use super::text::grouped;
use crate::tools::text::counted;

/// Lists the records that are invalid or that the program failed on.
pub fn bad_records(tally: &Tally) -> Markup {
    html! {
        @if !tally.bad_records.items.is_empty() {
            section aria-labelledby="invalid" {
                h2 #invalid { @if tally.counts.error > 0 { "Invalid and failed records" } @else { "Invalid records" } }
                div.scroll {
                    table {
                        caption { (caption_of(&tally.bad_records, "record")) }
                        thead {
                            tr {
                                th.number scope="col" { "Record" }
                                th scope="col" { "Source" }
                                th scope="col" { "Error" }
                            }
                        }
                        tbody {
                            @for bad in &tally.bad_records.items {
                                @let Origin { index, source, line, id } = &bad.origin;
                                tr {
                                    td.number { (number(*index)) }
                                    td.where {
                                        (source.as_deref().unwrap_or("–"))
                                        @if let Some(line) = line { ":" (line) }
                                        @if let Some(id) = id { " " span.soft { "id " (id) } }
                                    }
                                    td.why { @if bad.status == "error" { strong { "Internal error: " } } (bad.error) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Lists the lines that are not results, and errors that concern whole files.
pub fn bad_lines(tally: &Tally) -> Markup {
    html! {
        @if !tally.bad_lines.items.is_empty() {
            section aria-labelledby="damaged" {
                h2 #damaged { "Damaged results" }
                p { "Lines that are not results were not counted. Run " code { "taquin verify" } " for details." }
                div.scroll {
                    table {
                        caption { (caption_of(&tally.bad_lines, "line")) }
                        thead {
                            tr { th scope="col" { "Results file" } th.number scope="col" { "Line" } th scope="col" { "Problem" } }
                        }
                        tbody {
                            @for bad in &tally.bad_lines.items {
                                tr { td.where { (bad.file) } td.number { (number(bad.line)) } td.why { (bad.message) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn number(number: Option<u64>) -> String {
    number.map_or("–".into(), grouped)
}

/// Returns the caption of a list that may be incomplete.
fn caption_of<T>(list: &Capped<T>, what: &str) -> String {
    let shown = list.items.len() as u64;
    match list.left_out {
        0 if shown == 1 => format!("Showing 1 {what}"),
        0 => format!("Showing all {}", counted(shown, what)),
        more => format!(
            "Showing the first {} of {} ({} not shown)",
            grouped(shown),
            counted(shown + more, what),
            grouped(more)
        ),
    }
}

/// Returns the end of an incomplete list, such as ` and 3 more files`, or an empty string if the
/// list is complete.
pub fn left_out<T>(list: &Capped<T>, what: &str) -> String {
    if list.left_out == 0 { String::new() } else { format!(" and {} more {what}", grouped(list.left_out)) }
}
