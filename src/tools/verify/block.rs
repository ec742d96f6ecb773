//! A block of lines, brought together with its records.

use std::sync::Arc;

use parking_lot::Mutex;

use super::all_paths::AllPaths;
use super::check::{self, Caches, ClaimReading, GoalCache};
use super::claim::{self, Claim};
use super::finding::{Finding, FindingCounts};
use super::join::{LineJoin, Matches, StrayLine, StrayRecord};
use super::order::{IndexSpan, OrderCheck};
use super::presence::FieldsOfLines;
use super::report::{Doubts, Place};
use super::sample::{Claimed, Sample, SolvedPuzzle};
use crate::format::fields::Field;
use crate::format::input::{Chunk, Puzzle, Record, Source};
use crate::format::spelling::Spelling;

/// Lines and records that may wait for each other: some 300 MB of 3×3 boards. Runs with `--unordered`
/// have a window of far fewer in flight.
const MAX_STRAYS: usize = 1 << 20;

/// The doubt about a second line of a record.
pub const DUPLICATE: &str = "is one too many: its record has a result already";
const UNORDERED: &str = " (--unordered for results that may be)";

/// A block of lines and the records that should be theirs.
pub struct Block {
    pub number: u64,
    /// None when all records were read and lines are left.
    pub chunk: Option<Chunk>,
    pub lines: Vec<u8>,
    pub first_line: u64,
}

impl Block {
    /// What it holds.
    pub fn bytes(&self) -> usize {
        self.lines.len() + self.chunk.as_ref().map_or(0, |chunk| chunk.bytes.len())
    }
}

/// A claim and the line it stands on.
struct ClaimOnLine<'a> {
    line: u64,
    claim: Claim<'a>,
}

/// What the workers share: the state of a run.
pub struct Verifier {
    ordered: bool,
    reading: ClaimReading,
    pub doubts: Doubts,
    pub join: LineJoin,
    order: OrderCheck,
    pub sample: Sample,
    pub findings: Mutex<FindingCounts>,
    pub fields: Mutex<FieldsOfLines>,
}

/// What is found in a block.
#[derive(Default)]
struct Found {
    findings: FindingCounts,
    fields: FieldsOfLines,
}

impl Verifier {
    pub fn new(ordered: bool, reading: ClaimReading, sample: usize) -> Verifier {
        Verifier {
            ordered,
            reading,
            doubts: Doubts::default(),
            join: LineJoin::new(MAX_STRAYS),
            order: OrderCheck::default(),
            sample: Sample::new(sample),
            findings: Mutex::default(),
            fields: Mutex::default(),
        }
    }

    /// Checks a block.
    pub fn check(&self, block: &Block, caches: &mut Caches) {
        let (claims, strays) = self.read_claims(block);
        let (mut missing, mut found) = (Vec::new(), Found::default());
        if let Some(chunk) = &block.chunk {
            for (record, claim) in chunk.records().zip(claims) {
                match claim {
                    Some(ClaimOnLine { line, claim }) => {
                        self.check_claim(&record, &chunk.source, &claim, line, caches, &mut found);
                    }
                    None => missing.push(StrayRecord { record, source: Arc::clone(&chunk.source) }),
                }
            }
        }
        if !(missing.is_empty() && strays.is_empty()) {
            let Matches { pairs, duplicates } = self.join.add(strays, missing);
            for (line, StrayRecord { record, source }) in pairs {
                // It was read before.
                if let Ok(claim) = claim::read(&line.text, self.reading.line) {
                    self.check_claim(&record, &source, &claim, line.number, caches, &mut found);
                }
            }
            for line in duplicates {
                self.doubts.add(Place::Line(line.number), DUPLICATE);
            }
        }
        self.findings.lock().merge(&found.findings);
        self.fields.lock().merge(&found.fields);
    }

    /// The claims of a block in the order of its records, and the lines, by their index, that are of other records.
    fn read_claims<'a>(&self, block: &'a Block) -> (Vec<Option<ClaimOnLine<'a>>>, Vec<(u64, StrayLine)>) {
        let expected = block.chunk.as_ref().map_or(0, |chunk| chunk.records);
        let first_index = block.chunk.as_ref().map_or(u64::MAX, |chunk| chunk.first_index);
        let mut claims = Vec::with_capacity(expected);
        claims.resize_with(expected, || None);
        let (mut strays, mut span) = (Vec::new(), IndexSpan::default());
        for (place, text) in block.lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let line = block.first_line + place as u64;
            let claim = match claim::read(text, self.reading.line) {
                Ok(claim) => claim,
                Err(wrong) => {
                    // A record of CSV that is none came as what is wrong with it.
                    let is_told = self.reading.is_plain() && text.first() != Some(&b'{');
                    let told = || format!("is not a result: {}", String::from_utf8_lossy(text.trim_ascii()));
                    self.doubts.add(Place::Line(line), if is_told { told() } else { wrong });
                    continue;
                }
            };
            let index = claim.number(Field::Index);
            if let Some(index) = index
                && self.ordered
                && !span.add(index)
            {
                self.doubts.add(Place::Line(line), format!("is out of order: record {index}{UNORDERED}"));
            }
            let at = match index {
                Some(index) => usize::try_from(index.wrapping_sub(first_index)).unwrap_or(usize::MAX),
                None if self.ordered => place,
                None => {
                    self.doubts.add(Place::Line(line), "has no field `index`, which tells unordered results apart");
                    continue;
                }
            };
            match (claims.get_mut(at), index) {
                (Some(free @ None), _) => *free = Some(ClaimOnLine { line, claim }),
                (Some(Some(_)), _) => self.doubts.add(Place::Line(line), DUPLICATE),
                (None, Some(index)) => strays.push((index, StrayLine { number: line, text: text.into() })),
                (None, None) => {
                    self.doubts.add(Place::Line(line), "is one too many: all records have their results");
                }
            }
        }
        if let Some(line) = self.order.add(block.number, block.first_line, span) {
            self.doubts.add(Place::Line(line), format!("is out of order{UNORDERED}"));
        }
        (claims, strays)
    }

    /// Checks one claim against its record.
    fn check_claim(
        &self,
        record: &Record,
        source: &Source,
        claim: &Claim<'_>,
        line: u64,
        caches: &mut Caches,
        found: &mut Found,
    ) {
        match check::check(record, source, claim, &self.reading, caches) {
            Ok((finding, all_paths)) => {
                found.findings.add(finding);
                found.findings.add_all_paths(&all_paths);
                found.fields.add(line, record, claim);
                // What a bound or parity has proven needs no search.
                if matches!(finding, Finding::Solved | Finding::ShortestUnproven | Finding::BoundUnproven) {
                    self.sample.offer(record.index, line, || {
                        solved_puzzle((record, source), claim, all_paths, self.reading.spelling, &mut caches.goals)
                    });
                }
            }
            Err(wrong) => self.doubts.add(Place::Line(line), format!("(record {}) {wrong}", record.index)),
        }
    }
}

/// Board, goal and path of a record that was found to be solved, and what is said of all paths.
fn solved_puzzle(
    (record, source): (&Record, &Source),
    claim: &Claim<'_>,
    all_paths: AllPaths,
    spelling: Spelling,
    goals: &mut GoalCache,
) -> Option<SolvedPuzzle> {
    let Puzzle { board, goal } = record.puzzle.as_ref().ok()?;
    let goal = goals.get(goal.as_ref().unwrap_or(&source.goal), board.shape()).ok()?;
    let mut letters = Vec::new();
    spelling.read(board, claim.text(Field::Path)?.as_bytes(), &mut letters).ok()?;
    let path = String::from_utf8(letters).ok()?.parse().ok()?;
    let is_optimal = claim.flag(Field::Optimal).unwrap_or(true);
    let told = match all_paths {
        AllPaths::NotCounted(told) => Some(told),
        AllPaths::NotTold | AllPaths::Counted => None,
    };
    let claimed = if is_optimal { Claimed::Shortest(told) } else { Claimed::Bound(claim.number(Field::LowerBound)?) };
    Some(SolvedPuzzle { board: board.clone(), goal: goal.clone(), path, claimed })
}
