//! Checks blocks of lines against their records, on several threads.

use std::sync::Arc;

use super::blocks::Block;
use super::check::{self, Caches, ClaimReading};
use super::join::{LineJoin, Stray};
use super::paths::{AllPaths, letters_of};
use super::presence::FieldsOfLines;
use super::report::{Finding, FindingCounts, Place, Problems};
use super::sample::{PathClaim, Sample, SampledResult};
use crate::board::Board;
use crate::format::fields::Field;
use crate::format::input::{Record, Source};
use crate::format::result::ResultLine;
use crate::tools::record::board_and_goal;

/// The maximum number of lines and records that wait for each other. They take 300 MB for 3×3
/// boards. `solve --unordered` has far fewer records in flight, so its results always fit.
const MAX_STRAYS: usize = 1 << 20;

/// The state of a run, shared by its threads.
pub struct Verifier {
    ordered: bool,
    reading: ClaimReading,
    pub problems: Problems,
    pub join: LineJoin,
    pub sample: Sample,
}

/// The advice in messages about lines out of order.
const UNORDERED: &str = " (use --unordered if this is intended)";

/// The findings and fields of lines.
#[derive(Default)]
pub struct Found {
    pub findings: FindingCounts,
    pub fields: FieldsOfLines,
    /// The first index and its line, if there is one.
    first: Option<(u64, u64)>,
    /// The greatest index.
    greatest: u64,
}

impl Verifier {
    /// Creates the state of a run before the first block.
    pub fn new(ordered: bool, reading: ClaimReading, sample_size: usize) -> Verifier {
        Verifier {
            ordered,
            reading,
            problems: Problems::default(),
            join: LineJoin::new(MAX_STRAYS),
            sample: Sample::new(sample_size),
        }
    }

    /// Checks a block and returns its findings. If a line and the record at its place do not belong
    /// together, both are joined with their counterparts from any block.
    pub fn check(&self, block: &Block, caches: &mut Caches) -> Found {
        let (mut found, mut records) = (Found::default(), block.records());
        for (text, number) in block.lines.split_inclusive(|&byte| byte == b'\n').zip(block.first_line..) {
            let (record, problem) = (records.next(), |what: String| self.problems.add(Place::Line(number), what));
            let claim = self.read(text).map_err(problem).ok();
            let index = claim.as_ref().and_then(|claim| claim.number(Field::Index));
            if let Some(index) = index.filter(|_| self.ordered) {
                if index <= found.greatest {
                    problem(format!("is out of order: record {index}{UNORDERED}"));
                }
                found.first = found.first.or(Some((index, number)));
                found.greatest = found.greatest.max(index);
            }
            let belongs_to = |record: &Record| index.map_or(self.ordered, |index| index == record.index);
            match (claim, record) {
                (Some(claim), Some((record, source))) if belongs_to(&record) => {
                    self.check_claim(&record, source, &claim, number, caches, &mut found);
                }
                (claim, record) => {
                    match index {
                        Some(index) => self.join(index, Stray::Line(number, text.into()), caches, &mut found),
                        None if claim.is_none() => {}
                        None if self.ordered => problem("is one too many: all records have their results".into()),
                        None => problem("has no field `index`, which unordered results need".into()),
                    }
                    if let Some((record, source)) = record {
                        self.join(
                            record.index,
                            Stray::Record(Box::new(record), Arc::clone(source)),
                            caches,
                            &mut found,
                        );
                    }
                }
            }
        }
        for (record, source) in records {
            self.join(record.index, Stray::Record(Box::new(record), Arc::clone(source)), caches, &mut found);
        }
        found
    }

    /// Adds the findings of the next block.
    pub fn add(&self, total: &mut Found, block: &Found) {
        if let Some((_, line)) = block.first.filter(|&(index, _)| index <= total.greatest) {
            self.problems.add(Place::Line(line), format!("is out of order{UNORDERED}"));
        }
        total.greatest = total.greatest.max(block.greatest);
        total.findings.merge(&block.findings);
        total.fields.merge(&block.fields);
    }

    fn read<'a>(&self, line: &'a [u8]) -> Result<ResultLine<'a>, String> {
        ResultLine::read(line, self.reading.line).map_err(|wrong| {
            // The CSV reader replaces an invalid row with its error, which is not JSON.
            if self.reading.is_csv && line.first() != Some(&b'{') {
                return format!("is not a result: {}", String::from_utf8_lossy(line.trim_ascii()));
            }
            wrong
        })
    }

    /// Adds a stray, and checks the pair if its counterpart was waiting.
    fn join(&self, index: u64, stray: Stray, caches: &mut Caches, found: &mut Found) {
        match self.join.add(index, stray) {
            Ok(None) => {}
            Ok(Some((number, text, record, source))) => {
                // The line was read before, without errors.
                if let Ok(claim) = self.read(&text) {
                    self.check_claim(&record, &source, &claim, number, caches, found);
                }
            }
            Err((place, what)) => self.problems.add(place, what),
        }
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
                // Claims that a bound or parity proves need no search.
                if matches!(finding, Finding::Solved | Finding::ShortestUnproven | Finding::BoundUnproven) {
                    let result = || self.sampled_result(record.index, line, puzzle.ok()?, claim, all_paths);
                    self.sample.offer(record.index, result);
                }
            }
            Err(wrong) => self.problems.add(Place::Line(line), format!("(record {}) {wrong}", record.index)),
        }
    }

    /// Returns a result for the sample; `None` if it lacks what a search would check.
    fn sampled_result(
        &self,
        index: u64,
        line: u64,
        (board, goal): (Board, Board),
        claim: &ResultLine<'_>,
        all_paths: Option<AllPaths>,
    ) -> Option<SampledResult> {
        let letters = letters_of(claim.text(Field::Path)?, &board, self.reading.spelling).ok()?;
        let path = std::str::from_utf8(&letters).ok()?.parse().ok()?;
        let claim = match claim.flag(Field::Optimal) {
            Some(false) => PathClaim::Bound(claim.number(Field::LowerBound)?),
            _ => PathClaim::Shortest(all_paths.filter(|paths| !paths.is_counted).map(|paths| paths.claims)),
        };
        Some(SampledResult { index, line, board, goal, path, claim })
    }
}
