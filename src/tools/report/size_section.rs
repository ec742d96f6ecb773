//! The section about paths that are not proven shortest: how long they are beside what no path can be shorter than, by size.

use maud::{Markup, html};

use super::chart::{self, Mark};
use super::sizes::{Size, Sizes};
use super::text::{grouped, percent};

/// The section; nothing where every path is proven.
pub fn section(sizes: &Sizes) -> Markup {
    let unproven: u64 = sizes.shapes.values().map(|size| size.boards - size.proven).sum();
    let mut shapes: Vec<_> = sizes.shapes.iter().filter(|(_, size)| size.manhattan > 0).collect();
    shapes.sort_by_key(|((rows, cols), _)| (rows * cols, *rows));
    let mark = |((rows, cols), size): &(&(usize, usize), &Size)| Mark {
        cells: rows * cols,
        over_manhattan: ratio(size.moves, size.manhattan),
        over_bound: ratio(size.moves, size.bound),
        name: format!("{rows}×{cols}"),
    };
    html! {
        @if unproven > 0 {
            section aria-labelledby="sizes" {
                h2 #sizes { "How long the paths are, by size" }
                p {
                    (grouped(unproven)) " paths are not proven shortest. Beside each stands a proven bound: no path is shorter."
                    @if sizes.left_out > 0 { " " (grouped(sizes.left_out)) " boards of more shapes are left out here." }
                }
                figure {
                    (chart::sizes(&shapes.iter().map(mark).collect::<Vec<_>>()))
                    figcaption.soft {
                        span.key-bar { "■" } " moves over Manhattan distance; " span.key-bar { "●" }
                        " moves over the bound, of which a shortest path has at least 1"
                    }
                }
                div.scroll {
                    table {
                        thead {
                            tr {
                                th scope="col" { "Shape" }
                                th.number scope="col" { "Boards" }
                                th.number scope="col" { "Proven" }
                                th.number scope="col" { "Moves, mean" }
                                th.number scope="col" { "Over Manhattan" }
                                th.number scope="col" { "Over the bound" }
                            }
                        }
                        tbody {
                            @for ((rows, cols), size) in &shapes {
                                tr {
                                    th scope="row" { (rows) "×" (cols) }
                                    td.number { (grouped(size.boards)) }
                                    td.number { (percent(size.proven, size.boards)) }
                                    td.number { (format!("{:.1}", ratio(size.moves, size.boards))) }
                                    td.number { (format!("{:.3}", ratio(size.moves, size.manhattan))) }
                                    td.number { (format!("{:.3}", ratio(size.moves, size.bound))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::tools::report::line::{Assumptions, Entry};
    use crate::tools::report::sizes::MAX_SHAPES;

    fn sizes(lines: &[&str]) -> Sizes {
        let mut sizes = Sizes::default();
        for line in lines {
            sizes.add(&Entry::read(line.as_bytes(), &Assumptions::default()).unwrap());
        }
        sizes
    }

    const PROVEN: &str = r#"{"rows":2,"cols":3,"status":"solved","path":"RD"}"#;
    const DETOUR: &str = r#"{"rows":2,"cols":3,"status":"solved","path":"RDUD","optimal":false,"lower_bound":2}"#;

    #[test]
    fn what_is_not_proven_is_told_by_size() {
        assert_eq!(section(&sizes(&[PROVEN])).into_string(), "");
        let both = sizes(&[PROVEN, DETOUR]);
        let size = Size { boards: 2, proven: 1, moves: 6, manhattan: 4, bound: 4 };
        assert_eq!(both.shapes, BTreeMap::from([((2, 3), size)]));
        let page = section(&both).into_string();
        assert!(page.contains("2×3") && page.contains("1.500") && page.contains("50.00 %"), "{page}");
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        // A bound that is not told is found; one that is more than the path is none.
        let found = sizes(&[&DETOUR.replace(r#","lower_bound":2"#, "")]);
        assert_eq!(found.shapes[&(2, 3)].bound, 2);
        let wrong = sizes(&[&DETOUR.replace(r#""lower_bound":2"#, r#""lower_bound":999"#)]);
        assert_eq!(wrong.shapes[&(2, 3)].bound, 4);
    }

    #[test]
    fn only_so_many_shapes_are_told_apart() {
        let lines: Vec<String> = (2..70)
            .map(|cols| format!(r#"{{"rows":2,"cols":{cols},"status":"solved","path":"D","optimal":false}}"#))
            .collect();
        let sizes = sizes(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((sizes.shapes.len(), sizes.left_out), (MAX_SHAPES, 4));
        assert!(section(&sizes).into_string().contains("4 boards of more shapes"));
    }
}
