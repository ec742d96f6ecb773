//! Sections of the page: the lengths of solutions, with charts for each kind of board, and the
//! lists of invalid records and of lines that are not results.

use maud::{Markup, html};

use super::chart::{self, EFFORTS};
use super::line::{Entry, EntryVerdict};
use super::tally::{Capped, Kind, KindStats, MAX_MOVES, Tally};
use crate::board::distribution::Distribution;
use crate::format::status::Status;
use crate::system::grouped;
use crate::tools::text::counted;

/// Returns the charts of every kind of board, the most frequent kind first.
pub fn lengths(tally: &Tally) -> Markup {
    let mut groups: Vec<_> = tally.groups.iter().collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.boards() + group.longer));
    html! {
        @if !groups.is_empty() {
            section aria-labelledby="lengths" {
                h2 #lengths { "Solution lengths and effort" }
                @for (kind, group) in groups { (one_kind(*kind, group)) }
            }
        }
    }
}

fn one_kind(kind: Kind, group: &KindStats) -> Markup {
    let distribution = match kind {
        Kind::Known(shape, blank) => Distribution::of(shape, blank),
        Kind::Other | Kind::Unknown => None,
    };
    let name = match kind {
        Kind::Known(shape, blank) => format!("{}×{}, goal with its blank {blank}", shape.rows(), shape.cols()),
        Kind::Other => "other shapes and goals".into(),
        Kind::Unknown => "unknown shape".into(),
    };
    // A chart of one board shows nothing.
    let bins = if group.boards() > 1 { chart::bins(group, distribution) } else { Vec::new() };
    let efforts = EFFORTS.iter().filter_map(|effort| Some((effort.name, chart::effort(&name, &bins, effort)?)));
    html! {
        h3 { (name) }
        p { (summary(group)) }
        @if kind == Kind::Unknown {
            p.soft {
                "These results do not state their shape. Use " code { "taquin solve --boards" } ", or "
                code { "taquin report" } " with " code { "--shape" } " and " code { "--goal" } "."
            }
        }
        div.charts {
            @if !bins.is_empty() {
                figure {
                    h4 { "Boards by length" }
                    (chart::lengths(&name, &bins, distribution))
                    figcaption.soft {
                        span.key-bar { "■" } " these boards"
                        @if let Some(distribution) = distribution {
                            "; " span.key-exact { "—" } " expected for a uniform sample of all "
                            (grouped(distribution.total())) " boards (mean "
                            (format!("{:.2}", distribution.mean())) ", maximum " (distribution.max_moves()) " moves)"
                        }
                    }
                }
            }
            @for (effort, drawn) in efforts {
                figure {
                    h4 { (effort) " by length" }
                    (drawn)
                    figcaption.soft { span.key-bar { "●" } " mean, with a line to the maximum; logarithmic scale" }
                }
            }
        }
    }
}

fn summary(group: &KindStats) -> String {
    let boards = group.boards();
    let mut text = counted(boards, "board");
    if let Some(least) = group.by_length.iter().position(|stats| stats.boards > 0) {
        let most = group.by_length.len() - 1;
        let total: f64 =
            group.by_length.iter().enumerate().map(|(moves, stats)| moves as f64 * stats.boards as f64).sum();
        text += &match least == most {
            true => format!(" of {}", counted(most as u64, "move")),
            false => format!(" of {least} to {most} moves, {:.2} on average", total / boards as f64),
        };
    }
    if group.longer > 0 {
        text += &format!("; {} of more than {} moves", grouped(group.longer), grouped(MAX_MOVES as u64));
    }
    text + "."
}

/// Lists the records that are invalid or that the program failed on.
pub fn bad_records(tally: &Tally) -> Markup {
    let title = if tally.counts.error > 0 { "Invalid and failed records" } else { "Invalid records" };
    let rows = html! {
        @for bad in &tally.bad_records.items {
            @let Entry { index, source, line, id, .. } = bad;
            tr {
                td.number { (number(*index)) }
                td.where {
                    (source.as_deref().unwrap_or("–"))
                    @if let Some(line) = line { ":" (line) }
                    @if let Some(id) = id { " " span.soft { "id " (id) } }
                }
                td.why {
                    @if let EntryVerdict::Other(status, error) = &bad.verdict {
                        @if *status == Status::Error { strong { "Internal error: " } }
                        (error)
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
fn table_head(titles: &[&str]) -> Markup {
    html! {
        thead {
            tr {
                @for title in titles {
                    @match title.strip_prefix('#') {
                        Some(title) => th.number scope="col" { (title) },
                        None => th scope="col" { (title) },
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
