//! The page: one HTML file that loads nothing from the network.
//!
//! The template (maud) escapes every text. As a second line of defence the page has a Content
//! Security Policy (level 3): a browser loads nothing, and runs only this page's script and style
//! sheet, which it recognises by their SHA-256 hashes.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::lengths;
use super::lists::{self, left_out};
use super::player::player;
use super::tally::{Counts, Tally};
use super::text::{grouped, percent};
use super::top::Top;
use crate::tools::show;

const SCRIPT: &str = include_str!("play.js");
const PAGE_STYLE: &str = include_str!("page.css");

/// The hashes of the script, and of the board's style sheet followed by the page's. A test computes
/// them.
const SCRIPT_HASH: &str = "tfZQv9q2UEllwRQ3YApzKc+DRrVDZLAsK1rkA5A2Fgo=";
const STYLE_HASH: &str = "ArNJpgh/R+eCnH6TmgDcwKiNwsXa7hzhrh+JZ+saq20=";

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
                    (statuses(&tally.counts, tally.unproven))
                    (lengths::section(tally))
                    (boards(tally))
                    (lists::bad_records(tally))
                    (lists::bad_lines(tally))
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
            strong { (grouped(counts.solved)) } " solved"
            @if tally.unproven > 0 { ", " (grouped(tally.unproven)) " of them by a path that is not proven shortest" } "."
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
        @if !tally.bad_lines.items.is_empty() {
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

fn statuses(counts: &Counts, unproven: u64) -> Markup {
    let meaning = if unproven == 0 {
        "by a shortest path"
    } else {
        "by a path that is a shortest one or says that it may not be"
    };
    let rows = [
        ("solved", counts.solved, meaning),
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

/// The section on the hardest boards, by time, nodes or moves, whichever the results contain.
fn boards(tally: &Tally) -> Markup {
    let by = [
        (&tally.slowest, "The slowest boards"),
        (&tally.most_nodes, "The boards that took the most nodes"),
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

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// The hashes that a browser computes before it runs the script and applies the style.
    #[test]
    fn the_policy_names_the_script_and_the_style() {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
        assert_eq!(hash(SCRIPT), SCRIPT_HASH, "play.js");
        assert_eq!(hash(&style()), STYLE_HASH, "board.css and page.css");
        // Neither can end its element early.
        assert!(!SCRIPT.contains("</") && !style().contains("</"));
    }
}
