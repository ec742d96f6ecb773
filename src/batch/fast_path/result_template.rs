//! The common form of results, which are assembled from short texts.
//!
//! Results of one source and status differ only in index, line, length and path. Other text is
//! written once by [`crate::format::output`], field by field, and assembled into *groups*. The
//! default fields need one group:
//!
//! 1. a *head*: text that contains index and line ([`Head`]);
//! 2. a *length*: one of 32 short texts, each a number with the text around it;
//! 3. the *letters* of a path;
//! 4. a *tail*: text.
//!
//! Absent parts of a group are written with length zero, which costs less than a branch.

use super::head::{Counters, Head};
use super::out_buf::OutBuf;
use crate::board::{Move, Path};
use crate::format::output::{Field, Fields, Row, Verdict};
use crate::format::spelling::Spelling;
use crate::format::style::Style;

/// The form of the results of one source.
#[derive(Clone, Debug)]
pub struct ResultTemplate {
    solved: Vec<FieldGroup>,
    unsolvable: Vec<FieldGroup>,
    /// Maximum size of a result in bytes.
    pub max_bytes: usize,
    /// True if paths are written.
    pub has_paths: bool,
}

#[derive(Clone, Debug)]
struct FieldGroup {
    head: Head,
    lengths: Box<[ShortText; LENGTHS]>,
    has_lengths: bool,
    /// All ones if there are letters, otherwise 0.
    letters_mask: usize,
    tail: ShortText,
}

/// The number of lengths of paths that fit into a word: 0 to 31.
const LENGTHS: usize = 32;

/// A short text.
#[derive(Clone, Copy, Default, Debug)]
struct ShortText {
    text: [u8; 32],
    len: usize,
}

impl ResultTemplate {
    /// Creates the template of these fields for a source. `source` is its name as a JSON string.
    /// Returns `None` if index, line or path occurs twice, if a field depends on the board or on
    /// how it was solved, or if paths use another notation.
    pub fn new(fields: &Fields, source: &str) -> Option<ResultTemplate> {
        // Paths are copied from the table without conversion, and replayed from the results.
        if fields.spelling != Spelling::default() {
            return None;
        }
        // A result has one place for each counter and for the path. Results that contain one of
        // these fields twice are left to the general path.
        let is_repeated = |field| fields.iter().filter(|&other| other == field).count() > 1;
        if [Field::Index, Field::Line, Field::Path].into_iter().any(is_repeated) {
            return None;
        }
        let path = Path::new();
        let solved = groups(fields, source, Verdict::Solved(&path))?;
        let unsolvable = groups(fields, source, Verdict::Unsolvable)?;
        let bytes = |groups: &[FieldGroup]| groups.iter().map(FieldGroup::max_bytes).sum::<usize>();
        Some(ResultTemplate {
            max_bytes: bytes(&solved).max(bytes(&unsolvable)),
            has_paths: solved.iter().any(|group| group.letters_mask != 0),
            solved,
            unsolvable,
        })
    }

    /// Prepares for a record with these counters: its index and its line.
    pub fn begin(&mut self, counters: [u64; 2]) -> Counters {
        for group in self.solved.iter_mut().chain(&mut self.unsolvable) {
            group.head.set(counters);
        }
        Counters::new(counters)
    }

    /// Writes the result of a solved board. Returns the position of its letters, or 0 if there are
    /// none.
    #[inline(always)]
    pub fn write_solved(
        &mut self,
        counters: &mut Counters,
        path_len: u32,
        letters: impl Fn() -> [u8; 32],
        out_buf: &mut OutBuf<'_>,
    ) -> usize {
        let mut letters_at = 0;
        for group in &self.solved {
            group.head.write(counters, out_buf);
            let length = &group.lengths[path_len as usize % LENGTHS];
            out_buf.put(&length.text, length.len);
            letters_at |= out_buf.len() & group.letters_mask;
            out_buf.put(&letters(), path_len as usize & group.letters_mask);
            out_buf.put(&group.tail.text, group.tail.len);
        }
        self.advance(counters);
        letters_at
    }

    /// Writes the result of a board that has no solution.
    #[inline(always)]
    pub fn write_unsolvable(&mut self, counters: &mut Counters, out_buf: &mut OutBuf<'_>) {
        for group in &self.unsolvable {
            group.head.write(counters, out_buf);
            out_buf.put(&group.tail.text, group.tail.len);
        }
        self.advance(counters);
    }

    #[inline(always)]
    fn advance(&mut self, counters: &mut Counters) {
        if let Some(next) = counters.advance() {
            *counters = self.begin(next);
        }
    }
}

/// The kind of a field.
enum FieldKind {
    /// The same text in all results of a status.
    Text,
    /// A counter: 0 for the index, 1 for the line.
    Counter(usize),
    /// The length of the path, which is also the lower bound.
    Length,
    /// The letters of the path.
    Letters,
}

/// Returns the kind of a field, or `None` if it depends on the board or on how it was solved.
fn kind_of(field: Field) -> Option<FieldKind> {
    match field {
        Field::Index => Some(FieldKind::Counter(0)),
        Field::Line => Some(FieldKind::Counter(1)),
        Field::Moves | Field::LowerBound => Some(FieldKind::Length),
        Field::Path => Some(FieldKind::Letters),
        // The fast path handles no records that have ids, are invalid or stay unsolved, so these
        // fields are the same for all of its records of a status.
        Field::Source | Field::Id | Field::Status | Field::Optimal | Field::Limit | Field::Error => {
            Some(FieldKind::Text)
        }
        // These fields require the general path.
        _ => None,
    }
}

/// Creates the groups of a verdict's result, or returns `None` if a field requires the general
/// path.
fn groups(fields: &Fields, source: &str, verdict: Verdict<'_>) -> Option<Vec<FieldGroup>> {
    let mut groups = vec![FieldGroup::new()];
    push_text(&mut groups, b"{");
    let mut is_first = true;
    for field in fields.iter() {
        let kind = kind_of(field)?;
        // Returns the text of this field alone.
        let alone = |verdict: Verdict<'_>| {
            let mut out = Vec::new();
            Row::bare(0, source, 0, verdict).write(&Style::Json(fields.only(field)), &mut out);
            out[1..out.len() - 2].to_vec()
        };
        let written = alone(verdict);
        if written.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            push_text(&mut groups, b",");
        }
        match kind {
            FieldKind::Text => push_text(&mut groups, &written),
            FieldKind::Counter(counter) => {
                push_text(&mut groups, written.strip_suffix(b"0")?);
                group_that(FieldGroup::takes_head, &mut groups).head.push_counter(counter);
            }
            FieldKind::Length => {
                let group = group_that(FieldGroup::takes_head, &mut groups);
                group.has_lengths = true;
                for (path_len, length) in group.lengths.iter_mut().enumerate() {
                    let path: Path = std::iter::repeat_n(Move::Down, path_len).collect();
                    length.push(&alone(Verdict::Solved(&path)));
                }
            }
            FieldKind::Letters => {
                push_text(&mut groups, written.strip_suffix(b"\"")?);
                group_that(FieldGroup::takes_letters, &mut groups).letters_mask = usize::MAX;
                push_text(&mut groups, b"\"");
            }
        }
    }
    push_text(&mut groups, b"}\n");
    Some(groups)
}

/// Returns the last group if it can take the next part, otherwise a new one.
fn group_that(takes: impl Fn(&FieldGroup) -> bool, groups: &mut Vec<FieldGroup>) -> &mut FieldGroup {
    if !groups.last().is_some_and(takes) {
        groups.push(FieldGroup::new());
    }
    let last = groups.len() - 1;
    &mut groups[last]
}

/// Appends text to the last part of the last group, or to a new group.
fn push_text(groups: &mut Vec<FieldGroup>, text: &[u8]) {
    let group = group_that(|group| group.takes_head() || group.takes_text(text.len()), groups);
    if group.takes_head() {
        group.head.push_text(text);
    } else if group.takes_letters() && group.lengths.iter().all(|length| length.fits(text.len())) {
        group.lengths.iter_mut().for_each(|length| length.push(text));
    } else {
        group.tail.push(text);
    }
}

impl FieldGroup {
    fn new() -> FieldGroup {
        let (head, tail) = (Head::default(), ShortText::default());
        FieldGroup { head, lengths: Box::default(), has_lengths: false, letters_mask: 0, tail }
    }

    fn max_bytes(&self) -> usize {
        self.head.max_bytes() + 3 * 32
    }

    /// Returns true if nothing follows the head yet, so that the head can grow or lengths can
    /// follow.
    fn takes_head(&self) -> bool {
        !self.has_lengths && self.takes_letters()
    }

    /// Returns true if nothing follows the lengths.
    fn takes_letters(&self) -> bool {
        self.letters_mask == 0 && self.tail.len == 0
    }

    /// Returns true if text of this length fits after the lengths or the letters.
    fn takes_text(&self, len: usize) -> bool {
        self.tail.fits(len)
    }
}

impl ShortText {
    fn fits(&self, len: usize) -> bool {
        self.len + len <= self.text.len()
    }

    fn push(&mut self, text: &[u8]) {
        self.text[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Beginning, Board, Goal, PathList};
    use crate::format::output::{AllPaths, Detail, Expected, PathTotal};

    /// Returns the rows of two records that differ in everything except source, index, line and
    /// path.
    fn rows<'a>(path: &'a Path, boards: &'a [Board; 4], all_paths: &'a [AllPaths; 3]) -> [Row<'a>; 2] {
        let details = [
            Detail { engine: "idastar", heuristic: Some("7-8"), nodes: 1, time_us: 2, iterations: &[(5, 1)] },
            Detail { engine: "lookup", heuristic: None, nodes: 3, time_us: 4, iterations: &[] },
        ];
        let expected = [("7-8", 5), ("6-6-3", 7)]
            .map(|(heuristic, nodes)| Expected { nodes, search: Some((nodes + 1, nodes + 2, heuristic)) });
        [0, 1].map(|nth| Row {
            puzzle: Some((&boards[nth], &boards[nth + 2])),
            detail: Some(details[nth]),
            all_paths: Some(&all_paths[nth]),
            linear_conflict: Some(nth as u64),
            expected: Some(expected[nth]),
            ..Row::bare(99, "\"a\"", 7, Verdict::Solved(path))
        })
    }

    /// For every field, the template writes the same as the general path, or is not created. A
    /// field may be rejected only if it depends on values that the template does not have.
    #[test]
    fn fields_are_written_as_by_the_general_path_or_rejected() {
        let path: Path = "DRUL".parse().unwrap();
        let [small, large] = ["2x3", "3x4"].map(|shape| Goal::BlankLast.on(shape.parse().unwrap()).unwrap());
        let near = small.after(Move::Up).unwrap();
        let far = large.after(Move::Up).and_then(|board| board.after(Move::Left)).unwrap();
        let boards = [near, far, small, large];
        let listed = |paths| PathList::only(&path, paths);
        let begun = |first_moves: &str, forced| {
            let path: Path = first_moves.parse().unwrap();
            Beginning::new(path.moves().collect(), forced)
        };
        let all_paths = [
            AllPaths { count: PathTotal::Exactly(1), list: Some(listed(1)), beginning: Some(begun("D", 1)) },
            AllPaths { count: PathTotal::Exactly(2), list: Some(listed(0)), beginning: Some(begun("DR", 0)) },
            AllPaths { count: PathTotal::AtLeast(3, "nodes"), list: None, beginning: Some(begun("DR", 0)) },
        ];
        let letters = || {
            let mut letters = [0; 32];
            letters[..path.len()].copy_from_slice(path.letters());
            letters
        };
        for (nth, field) in Field::ALL.into_iter().enumerate() {
            let (next, default) = (Field::ALL[(nth + 1) % Field::COUNT], Fields::default());
            for fields in [Fields::new([field]), Fields::new([next, field]), default.only(field)] {
                let general = |row: &Row<'_>| {
                    let mut out = Vec::new();
                    row.write(&Style::Json(fields.clone()), &mut out);
                    out
                };
                // The number of shortest paths is in one of two fields: exact, or a lower bound.
                let uncounted = usize::from(fields.contains(Field::SolutionsAtLeast));
                let [one, other] = rows(&path, &boards, &all_paths);
                let other = Row { all_paths: Some(&all_paths[1 + uncounted]), ..other };
                let Some(mut template) = ResultTemplate::new(&fields, one.source) else {
                    // These fields are equal for the two records.
                    if fields.contains(Field::Solvable) || fields.count_earlier_record_fields() > 0 {
                        continue;
                    }
                    assert_ne!(general(&one), general(&other), "{fields} could be written here");
                    continue;
                };
                let (mut out, mut counters) = (Vec::new(), template.begin([one.index, one.line]));
                let mut out_buf = OutBuf::new(&mut out, 2 * template.max_bytes);
                template.write_solved(&mut counters, path.len() as u32, letters, &mut out_buf);
                template.write_unsolvable(&mut counters, &mut out_buf);
                drop(out_buf);
                let unsolvable = Row { index: 100, line: 8, verdict: Verdict::Unsolvable, ..other };
                assert_eq!(out, [general(&one), general(&unsolvable)].concat(), "{fields}");
            }
        }
    }
}
