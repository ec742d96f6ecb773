//! The sections that list single records and lines: invalid records, and lines that are not
//! results.

use maud::{Markup, html};

use super::line::{Origin, Verdict};
use super::tally::{Capped, Tally};
use super::text::grouped;
use crate::tools::text::counted;

/// Lists the records that are invalid or that the program failed on.
pub fn bad_records(tally: &Tally) -> Markup {
    let title = if tally.counts.error > 0 { "Invalid and failed records" } else { "Invalid records" };
    let rows = html! {
        @for bad in &tally.bad_records.items {
            @let Origin { index, source, line, id } = &bad.origin;
            tr {
                td.number { (number(*index)) }
                td.where {
                    (source.as_deref().unwrap_or("–"))
                    @if let Some(line) = line { ":" (line) }
                    @if let Some(id) = id { " " span.soft { "id " (id) } }
                }
                td.why {
                    @match &bad.verdict {
                        Verdict::Error { error } => { strong { "Internal error: " } (error) }
                        Verdict::Invalid { error } => (error),
                        _ => {}
                    }
                }
            }
        }
    };
    let caption = caption_of(&tally.bad_records, "record");
    section("invalid", title, html! {}, &caption, ["#Record", "Source", "Error"], rows)
}

/// Lists the lines that are not results, and errors that concern whole files.
pub fn bad_lines(tally: &Tally) -> Markup {
    let note = html! {
        p { "Lines that are not results were not counted. Run " code { "taquin verify" } " for details." }
    };
    let rows = html! {
        @for bad in &tally.bad_lines.items {
            tr { td.where { (bad.file) } td.number { (number(bad.line)) } td.why { (bad.message) } }
        }
    };
    let caption = caption_of(&tally.bad_lines, "line");
    section("damaged", "Damaged results", note, &caption, ["Results file", "#Line", "Problem"], rows)
}

/// Returns a section with a list, or nothing if the list is empty.
fn section(id: &str, title: &str, note: Markup, caption: &str, columns: [&str; 3], rows: Markup) -> Markup {
    if rows.0.is_empty() {
        return rows;
    }
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title) }
            (note)
            div.scroll {
                table {
                    caption { (caption) }
                    (table_head(&columns))
                    tbody { (rows) }
                }
            }
        }
    }
}

/// Returns the head of a table. The titles of columns of numbers begin with `#`.
pub fn table_head(titles: &[impl AsRef<str>]) -> Markup {
    html! {
        thead {
            tr {
                @for title in titles {
                    @match title.as_ref().strip_prefix('#') {
                        Some(title) => th.number scope="col" { (title) },
                        None => th scope="col" { (title.as_ref()) },
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
fn caption_of<T, const MAX: usize>(list: &Capped<T, MAX>, what: &str) -> String {
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
pub fn left_out<T, const MAX: usize>(list: &Capped<T, MAX>, what: &str) -> String {
    if list.left_out == 0 { String::new() } else { format!(" and {} more {what}", grouped(list.left_out)) }
}
