//! The page: one HTML file that asks nothing of the network.
//!
//! Every text is escaped by the template (maud). As a second wall the page has a policy (Content Security Policy, level 3) by
//! which a browser loads nothing and runs and applies the one script and the one style sheet alone that stand here,
//! told by their SHA-256.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::{self, Bin, Effort};
use super::distribution::Exact;
use super::line::Place;
use super::player::player;
use super::tally::{Capped, Counts, Group, Kind, MOST_MOVES, Tally};
use super::text::{grouped, percent};
use super::top::Top;
use crate::show;

const SCRIPT: &str = include_str!("play.js");
const PAGE_STYLE: &str = include_str!("page.css");

/// Of the script and of the board's style followed by the page's; a test computes them.
const SCRIPT_HASH: &str = "fb35PsAJ+U5a0THS3qwT9py2LuGl/2v2QABPWFQO80g=";
const STYLE_HASH: &str = "2bmkmy8X2pmPUEPfQv5/BNzAJ9Gdk1lcK7+FhFLncYY=";

pub fn page(tally: &Tally, title: &str) -> Markup {
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{SCRIPT_HASH}'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body {
                header {
                    h1 { (title) }
                    (lead(tally))
                }
                main {
                    (statuses(&tally.counts))
                    (lengths(tally))
                    (boards(tally))
                    (bad(tally))
                    (faults(tally))
                }
                footer {
                    "Made by taquin " (env!("CARGO_PKG_VERSION")) " report. Moves are those of the blank."
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn style() -> String {
    [show::STYLE, PAGE_STYLE].concat()
}

fn lead(tally: &Tally) -> Markup {
    let Tally { counts, files, limits, faulty_lines, .. } = tally;
    let limits: Vec<String> = limits.iter().map(|(limit, boards)| format!("{limit} {}", grouped(*boards))).collect();
    html! {
        p.lead {
            strong { (grouped(counts.all())) } @if counts.all() == 1 { " record" } @else { " records" } ", "
            strong { (grouped(counts.solved)) } " solved."
        }
        p.soft {
            "Read from "
            @for (i, file) in files.items.iter().enumerate() { @if i > 0 { ", " } code { (file) } }
            (left_out(files, "files")) "."
        }
        @if counts.error > 0 {
            p.warning { strong { "The program failed on " (grouped(counts.error)) " records." } " Please report them." }
        }
        @if !limits.is_empty() { p.soft { "Unsolved boards by what ended their search: " (limits.join(", ")) "." } }
        @if !tally.faults.items.is_empty() {
            p.warning {
                @match faulty_lines {
                    0 => "Not everything could be read",
                    1 => "1 line is no result, and is not counted",
                    lines => { (grouped(*lines)) " lines are no results, and are not counted" }
                }
                ": see " a href="#damaged" { "damaged results" } "."
            }
        }
    }
}

fn statuses(counts: &Counts) -> Markup {
    let rows = [
        ("solved", counts.solved, "by a shortest path"),
        ("unsolvable", counts.unsolvable, "proven: no moves lead to the goal"),
        ("unsolved", counts.unsolved, "a limit came first"),
        ("invalid", counts.invalid, "the record is no board"),
        ("error", counts.error, "the program failed on it"),
    ];
    let all = counts.all();
    html! {
        section aria-labelledby="statuses" {
            h2 #statuses { "What became of the records" }
            div.scroll {
                table {
                    thead {
                        tr { th scope="col" { "Status" } th.number scope="col" { "Records" } th.number scope="col" { "Share" } th.share scope="col" { span.soft { "of all" } } }
                    }
                    tbody {
                        @for (name, number, meaning) in rows {
                            tr {
                                th scope="row" { (name) br; span.soft { (meaning) } }
                                td.number { (grouped(number)) }
                                td.number { (percent(number, all)) }
                                td.share {
                                    svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                                        rect width=(format!("{:.2}", number as f64 / all.max(1) as f64 * 100.0)) height="10" {}
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn lengths(tally: &Tally) -> Markup {
    let mut shown: Vec<_> = tally.groups.iter().collect();
    shown.sort_by_key(|(_, group)| std::cmp::Reverse(group.boards() + group.longer));
    html! {
        @if !shown.is_empty() {
            section aria-labelledby="lengths" {
                h2 #lengths { "Lengths of the solutions, and what they took" }
                @for (kind, group) in shown { (one_kind(*kind, group)) }
            }
        }
    }
}

fn one_kind(kind: Kind, group: &Group) -> Markup {
    let exact = match kind {
        Kind::Of(shape, blank) => Exact::of(shape, blank),
        Kind::Others | Kind::Untold => None,
    };
    let name = match kind {
        Kind::Of(shape, blank) => format!("{}×{}, the goal's blank {blank}", shape.rows(), shape.cols()),
        Kind::Others => "other shapes and goals".into(),
        Kind::Untold => "shape not told".into(),
    };
    let bins = chart::bins(group, exact.as_ref());
    let efforts: Vec<_> =
        Effort::ALL.into_iter().filter_map(|effort| Some((effort, chart::effort(&name, &bins, effort)?))).collect();
    html! {
        h3 { (name) }
        p { (in_words(group)) }
        @if kind == Kind::Untold {
            p.soft {
                "These results do not tell what they are of: " code { "taquin solve --boards" } " does, or "
                code { "--shape" } " and " code { "--goal" } " of the report."
            }
        }
        div.charts {
            @if !bins.is_empty() {
                figure {
                    h4 { "Boards by length" }
                    (chart::lengths(&name, &bins, exact.as_ref()))
                    figcaption.soft {
                        span.key-bar { "■" } " these boards"
                        @if let Some(exact) = &exact {
                            "; " span.key-exact { "—" } " expected of as many drawn evenly from all " (grouped(exact.total()))
                            " there are (mean " (format!("{:.2}", exact.mean())) ", at most " (exact.boards.len() - 1) " moves)"
                        }
                    }
                }
            }
            @for (effort, drawn) in &efforts {
                figure {
                    h4 { (effort.name()) " by length" }
                    (drawn)
                    figcaption.soft { span.key-bar { "●" } " on average, with a line up to the most; logarithmic" }
                }
            }
        }
        @if !bins.is_empty() { (numbers(&bins, exact.as_ref(), efforts.iter().map(|(effort, _)| *effort).collect())) }
    }
}

fn in_words(group: &Group) -> String {
    let boards = group.boards();
    let of = |at: usize| group.lengths[at].boards > 0;
    let plural = if boards == 1 { "board" } else { "boards" };
    let mut text = format!("{} {plural}", grouped(boards));
    if let (Some(least), Some(most)) = ((0..group.lengths.len()).find(|&at| of(at)), group.lengths.len().checked_sub(1))
    {
        let moves: f64 = group.lengths.iter().enumerate().map(|(at, length)| at as f64 * length.boards as f64).sum();
        text += &format!(" of {least} to {most} moves, {:.2} on average", moves / boards as f64);
    }
    if group.longer > 0 {
        text += &format!("; and {} of more than {}", grouped(group.longer), grouped(MOST_MOVES as u64));
    }
    text + "."
}

/// The charts' numbers.
fn numbers(bins: &[Bin], exact: Option<&Exact>, efforts: Vec<Effort>) -> Markup {
    let all = bins.iter().map(|bin| bin.found.boards).sum();
    html! {
        details {
            summary { "The numbers" }
            div.scroll {
                table {
                    thead {
                        tr {
                            th.number scope="col" { "Moves" }
                            th.number scope="col" { "Boards" }
                            th.number scope="col" { "Share" }
                            @if exact.is_some() { th.number scope="col" { "Of all there are" } }
                            @for effort in &efforts {
                                th.number scope="col" { (effort.name()) ", mean" }
                                th.number scope="col" { "most" }
                            }
                        }
                    }
                    tbody {
                        @for bin in bins {
                            tr {
                                th.number scope="row" { (bin.name()) }
                                td.number { (grouped(bin.found.boards)) }
                                td.number { (percent(bin.found.boards, all)) }
                                @if let Some((boards, exact)) = bin.exact.zip(exact) {
                                    td.number { (percent(boards, exact.total())) }
                                }
                                @for effort in &efforts {
                                    @let spread = effort.of(&bin.found);
                                    @if spread.count > 0 {
                                        td.number { (effort.shown(spread.mean().round() as u64)) }
                                        td.number { (effort.shown(spread.max)) }
                                    } @else { td.number { "–" } td.number { "–" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The boards that took most, by what the results tell: time, nodes, or moves.
fn boards(tally: &Tally) -> Markup {
    let by = [
        (&tally.slowest, "The slowest boards"),
        (&tally.widest, "The boards that took the most nodes"),
        (&tally.longest, "The boards with the longest solutions"),
    ];
    html! {
        @if let Some((top, title)) = by.into_iter().find(|(top, _): &(&Top, _)| !top.is_empty()) {
            section aria-labelledby="boards" {
                h2 #boards { (title) }
                div.players { @for hard in top.iter() { @if let Some(player) = player(hard) { (player) } } }
            }
        }
    }
}

fn bad(tally: &Tally) -> Markup {
    html! {
        @if !tally.bad.items.is_empty() {
            section aria-labelledby="invalid" {
                h2 #invalid { @if tally.counts.error > 0 { "Invalid and failed records" } @else { "Invalid records" } }
                div.scroll {
                    table {
                        caption { (first_of(&tally.bad, "records")) }
                        thead {
                            tr {
                                th.number scope="col" { "Record" }
                                th scope="col" { "Where" }
                                th scope="col" { "What is wrong" }
                            }
                        }
                        tbody {
                            @for bad in &tally.bad.items {
                                @let Place { index, source, line, id } = &bad.place;
                                tr {
                                    td.number { (number(*index)) }
                                    td.where {
                                        (source.as_deref().unwrap_or("–"))
                                        @if let Some(line) = line { ":" (line) }
                                        @if let Some(id) = id { " " span.soft { "id " (id) } }
                                    }
                                    td.why { @if bad.status == "error" { strong { "The program failed: " } } (bad.error) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn faults(tally: &Tally) -> Markup {
    html! {
        @if !tally.faults.items.is_empty() {
            section aria-labelledby="damaged" {
                h2 #damaged { "Damaged results" }
                p { "These lines of the results files could not be counted; " code { "taquin verify" } " tells more." }
                div.scroll {
                    table {
                        caption { (first_of(&tally.faults, "lines")) }
                        thead {
                            tr { th scope="col" { "Results file" } th.number scope="col" { "Line" } th scope="col" { "It" } }
                        }
                        tbody {
                            @for fault in &tally.faults.items {
                                tr { td.where { (fault.file) } td.number { (number(fault.line)) } td.why { (fault.why) } }
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

fn first_of<T>(list: &Capped<T>, what: &str) -> String {
    let shown = list.items.len() as u64;
    match list.left_out {
        0 => format!("All {what} of this kind: {}", grouped(shown)),
        more => format!(
            "The first {} of {} {what}; {} more are left out here",
            grouped(shown),
            grouped(shown + more),
            grouped(more)
        ),
    }
}

fn left_out<T>(list: &Capped<T>, what: &str) -> String {
    if list.left_out == 0 { String::new() } else { format!(" and {} more {what}", grouped(list.left_out)) }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// What a browser computes before it runs the script and applies the style.
    #[test]
    fn the_policy_names_the_script_and_the_style() {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert_eq!(hash(SCRIPT), SCRIPT_HASH, "play.js");
        assert_eq!(hash(&style()), STYLE_HASH, "board.css and page.css");
        // Neither can end its element before its time.
        assert!(!SCRIPT.contains("</") && !style().contains("</"));
    }
}
