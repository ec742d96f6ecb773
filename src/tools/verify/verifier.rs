//! Checks blocks of lines against their records, on several threads.

use std::sync::Arc;

use parking_lot::Mutex;

use super::all_paths::AllPaths;
use super::blocks::Block;
use super::check::{self, Caches, ClaimReading};
use super::finding::{Finding, FindingCounts};
use super::join::{Joined, Line, LineJoin, Stray};
use super::presence::FieldsOfLines;
use super::report::{Doubts, Place};
use super::sample::{PathClaim, Sample, SolvedPuzzle};
use crate::board::Board;
use crate::format::fields::Field;
use crate::format::input::{Record, Source};
use crate::format::result::ResultLine;
use crate::tools::record::board_and_goal;

/// Maximum number of lines and records that wait for each other: 300 MB for 3×3 boards. Runs with
/// `--unordered` have far fewer records in flight.
const MAX_STRAYS: usize = 1 << 20;

/// The doubt about a second line of a record.
pub const DUPLICATE: &str = "is one too many: its record has a result already";
const UNORDERED: &str = " (use --unordered if this is intended)";

/// A claim and the number of its line.
struct NumberedClaim<'a> {
    line: u64,
    claim: ResultLine<'a>,
}

/// The state of a run, shared by its threads.
pub struct Verifier {
    ordered: bool,
    reading: ClaimReading,
    pub doubts: Doubts,
    pub join: LineJoin,
    pub sample: Sample,
    pub found: Mutex<Found>,
}

/// The findings and fields of lines.
#[derive(Default)]
pub struct Found {
    pub findings: FindingCounts,
    pub fields: FieldsOfLines,
}

impl Verifier {
    /// Creates the state of a run before the first block.
    pub fn new(ordered: bool, reading: ClaimReading, sample: usize) -> Verifier {
        Verifier {
            ordered,
            reading,
            doubts: Doubts::default(),
            join: LineJoin::new(MAX_STRAYS),
            sample: Sample::new(sample),
            found: Mutex::default(),
        }
    }

    /// Checks a block.
    pub fn check(&self, block: &Block, caches: &mut Caches) {
        let (claims, mut strays) = self.read_claims(block);
        let mut found = Found::default();
        if let Some(chunk) = &block.chunk {
            for (record, claim) in chunk.records().zip(claims) {
                match claim {
                    Some(NumberedClaim { line, claim }) => {
                        self.check_claim(&record, &chunk.source, &claim, line, caches, &mut found);
                    }
                    None => strays.push((record.index, Stray::Record(record.into(), Arc::clone(&chunk.source)))),
                }
            }
        }
        for (index, stray) in strays {
            match self.join.add(index, stray) {
                Joined::Waits => {}
                Joined::Pair(line, record, source) => {
                    // The line was read before, without errors.
                    if let Ok(claim) = ResultLine::read(&line.text, self.reading.line) {
                        self.check_claim(&record, &source, &claim, line.number, caches, &mut found);
                    }
                }
                Joined::Duplicate(stray) => self.doubts.add(place(index, &stray), DUPLICATE),
                Joined::NoRoom(stray) => {
                    self.doubts.add(place(index, &stray), "is too far out of order to be compared");
                }
            }
        }
        let mut all = self.found.lock();
        all.findings.merge(&found.findings);
        all.fields.merge(&found.fields);
    }

    /// Returns the claims of a block in the order of its records, and the lines of other records.
    fn read_claims<'a>(&self, block: &'a Block) -> (Vec<Option<NumberedClaim<'a>>>, Vec<(u64, Stray)>) {
        let (first_index, records) =
            block.chunk.as_ref().map_or((u64::MAX, 0), |chunk| (chunk.first_index, chunk.records));
        let mut claims: Vec<_> = std::iter::repeat_with(|| None).take(records).collect();
        let (mut strays, mut greatest) = (Vec::new(), 0);
        if self.ordered && !block.is_in_order {
            self.doubts.add(Place::Line(block.first_line), format!("is out of order{UNORDERED}"));
        }
        for (nth, text) in block.lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let line = block.first_line + nth as u64;
            let doubt = |what: String| self.doubts.add(Place::Line(line), what);
            let claim = match ResultLine::read(text, self.reading.line) {
                Ok(claim) => claim,
                // The reader of CSV replaces an invalid record by its error.
                Err(_) if self.reading.is_csv && text.first() != Some(&b'{') => {
                    doubt(format!("is not a result: {}", String::from_utf8_lossy(text.trim_ascii())));
                    continue;
                }
                Err(wrong) => {
                    doubt(wrong);
                    continue;
                }
            };
            let index = claim.number(Field::Index);
            if let Some(index) = index.filter(|_| self.ordered) {
                if index <= greatest {
                    doubt(format!("is out of order: record {index}{UNORDERED}"));
                }
                greatest = greatest.max(index);
            }
            let at = match index {
                Some(index) => usize::try_from(index.wrapping_sub(first_index)).unwrap_or(usize::MAX),
                None if self.ordered => nth,
                None => {
                    doubt("has no field `index`, which unordered results need".into());
                    continue;
                }
            };
            match (claims.get_mut(at), index) {
                (Some(free @ None), _) => *free = Some(NumberedClaim { line, claim }),
                (Some(Some(_)), _) => doubt(DUPLICATE.into()),
                (None, Some(index)) => strays.push((index, Stray::Line(Line { number: line, text: text.into() }))),
                (None, None) => doubt("is one too many: all records have their results".into()),
            }
        }
        (claims, strays)
    }

    /// Checks one claim against its record.
    fn check_claim(
        &self,
        record: &Record,
        source: &Source,
        claim: &ResultLine<'_>,
        line: u64,
        caches: &mut Caches,
        found: &mut Found,
    ) {
        let puzzle = board_and_goal(record.puzzle.clone(), source);
        match check::check(record, puzzle.as_ref(), source, claim, &self.reading, caches) {
            Ok((finding, all_paths)) => {
                found.findings.add(finding);
                if let Some(AllPaths { is_counted, .. }) = all_paths {
                    found.findings.add(if is_counted { Finding::PathsCounted } else { Finding::PathsUncounted });
                }
                found.fields.add(line, record, claim);
                // Bounds and parity need no search as proof.
                if matches!(finding, Finding::Solved | Finding::ShortestUnproven | Finding::BoundUnproven) {
                    self.sample.offer(record.index, line, || self.solved_puzzle(puzzle.ok()?, claim, all_paths));
                }
            }
            Err(wrong) => self.doubts.add(Place::Line(line), format!("(record {}) {wrong}", record.index)),
        }
    }

    /// Returns the board and the claims of a result that was found to be a solution.
    fn solved_puzzle(
        &self,
        (board, goal): (Board, Board),
        claim: &ResultLine<'_>,
        all_paths: Option<AllPaths>,
    ) -> Option<SolvedPuzzle> {
        let letters = check::letters_of(claim.text(Field::Path)?, &board, self.reading.spelling).ok()?;
        let path = std::str::from_utf8(&letters).ok()?.parse().ok()?;
        let claim = match claim.flag(Field::Optimal) {
            Some(false) => PathClaim::Bound(claim.number(Field::LowerBound)?),
            _ => PathClaim::Shortest(all_paths.filter(|all| !all.is_counted).map(|all| all.claims)),
        };
        Some(SolvedPuzzle { board, goal, path, claim })
    }
}

/// Returns the place of a doubt about a stray.
fn place(index: u64, stray: &Stray) -> Place {
    match stray {
        Stray::Line(line) => Place::Line(line.number),
        Stray::Record(..) => Place::Record(index),
    }
}
