//! Checks a contestant's answers: every claim about every record must be true.
//!
//! A job is a chunk of records and the claims about them from the answer files. The threads compare
//! the claims with the boards (`check.rs`), and with this program's solutions if the judge requires
//! shortest ones. The run ends at the first fault in the order of the records, so the verdict does
//! not depend on the number of threads.
//!
//! The text of an answer file never causes an error of the run, only a verdict.

mod check;
mod verdict;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::format::input::{Chunk, Reader};
use crate::format::profile::{AnswerFormat, Claim, ClaimReader, Claims, Requirement};
use crate::solver::{Solver, Threads, Worker};
use crate::tools::record::board_and_goal;
use crate::tools::record_loop::RecordLoop;
use crate::tools::text::counted;
use check::ClaimChecker;
pub use verdict::{Error, Fault, FaultKind, LocatedFault, Verdict};

/// The maximum number of records in a chunk. While boards need searches, a chunk has one record. It
/// bounds the memory for the answers to a chunk, each of which may be very long.
const MAX_RECORDS: usize = 128;
/// The approximate size of a chunk in bytes.
const CHUNK_BYTES: usize = 64 << 10;
/// The approximate maximum size in bytes of the answers in memory, beyond those to one chunk.
const MAX_TEXT_BYTES: usize = 64 << 20;
/// The maximum number of chunks in flight per thread. With this many, the other threads rarely run
/// out of chunks while one thread works on a hard one.
const CHUNKS_PER_THREAD: usize = 8;

/// The answer files: the contestant's, and the jury's if there is one.
pub struct AnswerFiles {
    /// The contestant's answers.
    pub answer: ClaimReader,
    /// The jury's answers, which are checked first.
    pub jury: Option<ClaimReader>,
}

/// Reads and checks all records up to the first fault. `warn` receives warnings about the input.
///
/// # Errors
/// When a file cannot be read or decompressed, or the threads cannot be started. The text of an
/// answer file never causes an error.
pub fn run(
    format: &AnswerFormat,
    solver: &Solver,
    reader: &mut Reader,
    mut files: AnswerFiles,
    warn: &dyn Fn(&str),
) -> Result<Verdict, Error> {
    let (max_records, jobs_per_thread, max_bytes) = (MAX_RECORDS, CHUNKS_PER_THREAD, MAX_TEXT_BYTES);
    let record_loop = RecordLoop { solver, max_records, jobs_per_thread, max_bytes };
    let (mut right, mut cases, mut first_fault, mut is_over) = (0, 0, None, false);
    record_loop.run(
        |max_records| {
            if is_over {
                return Ok::<_, Error>(None);
            }
            let chunk = reader.next_chunk(max_records, CHUNK_BYTES, Vec::new()).transpose()?;
            reader.take_warnings().iter().for_each(|warning| warn(warning));
            let Some(chunk) = chunk else { return Ok(None) };
            cases += chunk.record_count as u64;
            let (job, bytes) = files.job(chunk, reader.promised())?;
            // If there are fewer claims than records, the last claim is malformed: a fault.
            let is_short = |claims: &Claims| claims.claims.len() < job.chunk.record_count;
            is_over = is_short(&job.claims) || job.jury.as_ref().is_some_and(is_short);
            Ok(Some((job, bytes)))
        },
        || solver.worker_on(Threads::PoolTask),
        |job, worker, stop| job.check(format, solver, worker, stop),
        |job, verdict| {
            // A panic must not look like a contestant's fault.
            let verdict = verdict.unwrap_or_else(|_| Verdict { right: 0, first_fault: Some(job.panicked()) });
            right += verdict.right;
            let Some(found) = verdict.first_fault else { return Ok(ControlFlow::Continue(())) };
            // The contestant need not answer boards beyond the promised number.
            let exceeded = job.promised.filter(|&promised| found.case > promised);
            first_fault = Some(exceeded.map_or(found, |promised| broken_promise(promised, "more")));
            Ok(ControlFlow::Break(()))
        },
    )?;
    if first_fault.is_none() {
        first_fault = match reader.promised() {
            Some(promised) if promised < cases => Some(broken_promise(promised, "more")),
            Some(promised) if promised > cases => Some(broken_promise(promised, "fewer")),
            // An input without boards must be broken.
            None if cases == 0 => Some(LocatedFault::of_case(0, Fault::jury("the input has no boards"))),
            _ => files.trailing_answer(cases)?,
        };
    }
    Ok(Verdict { right, first_fault })
}

/// Returns the fault of an input with more or fewer boards than its count line promises. It is then
/// unknown how many answers there must be.
fn broken_promise(promised: u64, how_many: &str) -> LocatedFault {
    let message = format!("the input promises {}, but has {how_many}", counted(promised, "board"));
    LocatedFault::of_case(promised, Fault::jury(message))
}

/// A chunk of records and the claims about them.
struct JudgeJob {
    chunk: Chunk,
    claims: Claims,
    jury: Option<Claims>,
    /// The number of records that the input promises, if it does.
    promised: Option<u64>,
}

impl AnswerFiles {
    /// Reads the claims about a chunk. Returns the job and its size in bytes.
    fn job(&mut self, chunk: Chunk, promised: Option<u64>) -> Result<(JudgeJob, usize), Error> {
        let record_bytes = chunk.bytes.len() / chunk.record_count.max(1);
        let read = |reader: &mut ClaimReader| {
            let mut claims = Claims::default();
            reader.expect_record_bytes(record_bytes);
            reader.read(chunk.first_index, chunk.record_count, &mut claims).map(|()| claims)
        };
        let claims = read(&mut self.answer).map_err(Error::Answer)?;
        let jury = self.jury.as_mut().map(read).transpose().map_err(Error::Jury)?;
        let bytes = claims.text.len() + jury.as_ref().map_or(0, |jury| jury.text.len());
        Ok((JudgeJob { chunk, claims, jury, promised }, bytes))
    }

    /// Returns the fault of an answer file with extra output after the last case, if any.
    fn trailing_answer(&mut self, cases: u64) -> Result<Option<LocatedFault>, Error> {
        let located = |kind, whose: &str, (line, found): (u64, String)| {
            let fault = Fault::new(kind, format!("{whose}extra output after the last case: {found}"));
            LocatedFault { answer_line: Some(line), ..LocatedFault::of_case(cases, fault) }
        };
        if let Some(jury) = &mut self.jury
            && let Some(rest) = jury.read_rest().map_err(Error::Jury)?
        {
            return Ok(Some(located(FaultKind::Jury, "the jury's answer: ", rest)));
        }
        let rest = self.answer.read_rest().map_err(Error::Answer)?;
        Ok(rest.map(|rest| located(FaultKind::Presentation, "", rest)))
    }
}

impl JudgeJob {
    /// Checks all claims up to the first fault. Also returns whether a board needed a search.
    fn check(&self, format: &AnswerFormat, solver: &Solver, worker: &mut Worker, stop: &AtomicBool) -> (Verdict, bool) {
        let (JudgeJob { chunk, claims, jury, .. }, limits) = (self, &solver.engines.settings.limits);
        let (mut verdict, mut searched) = (Verdict { right: 0, first_fault: None }, false);
        for (i, record) in chunk.records().enumerate() {
            let puzzle = board_and_goal(record.puzzle, &chunk.source);
            // A malformed claim is the last: the records after it have none.
            let claim = claims.claims.get(i);
            let jury = jury.as_ref().map(|jury| (jury, jury.claims.get(i)));
            let checked = match &puzzle {
                Ok((board, goal)) => {
                    let mut solve = || {
                        let answer = worker.answer(board, &goal.into(), limits, stop);
                        searched |= worker.has_searched;
                        answer
                    };
                    check_case(&mut ClaimChecker::new(format, board, goal, &mut solve), (claims, claim), jury)
                }
                Err(why) => Err(Fault::jury(format!("the input is not a valid board: {why}"))),
            };
            if let Err(fault) = checked {
                let input = Some((Arc::clone(&chunk.source.name), record.line));
                let answer_line = claim.filter(|_| fault.kind != FaultKind::Jury).map(|claim| claim.line);
                verdict.first_fault =
                    Some(LocatedFault { fault, case: record.index, input, answer_line, puzzle: puzzle.ok() });
                break;
            }
            verdict.right += 1;
        }
        (verdict, searched)
    }

    /// Returns the fault of a job that panicked.
    fn panicked(&self) -> LocatedFault {
        let message = "the program failed on this case or a later one; please report it with the input and the answers";
        let input = Some((Arc::clone(&self.chunk.source.name), self.chunk.first_line));
        let fault = Fault::new(FaultKind::Program, message);
        LocatedFault { input, ..LocatedFault::of_case(self.chunk.first_index, fault) }
    }
}

/// Checks the jury's claim, if there is a jury's answer, and then the contestant's. Each claim is
/// paired with the [`Claims`] that hold its text, and is `None` if it is missing.
fn check_case(
    checker: &mut ClaimChecker<'_>,
    (claims, claim): (&Claims, Option<&Claim>),
    jury: Option<(&Claims, Option<&Claim>)>,
) -> Result<(), Fault> {
    let missing = || Fault::presentation("no answer to this case");
    let mut check = |claims: &Claims, claim: Option<&Claim>| {
        claim.ok_or_else(missing).and_then(|claim| checker.check(&claim.answer, &claims.text))
    };
    let jury = jury.map(|(claims, claim)| check(claims, claim)).transpose().map_err(Fault::of_jury)?;
    let answer = check(claims, claim)?;
    let needs_canonical = checker.format.requirement == Requirement::Canonical;
    match (answer, jury.flatten()) {
        (None, _) => Ok(()),
        (Some(moves), Some(jury)) if moves == jury && !needs_canonical => Ok(()),
        (Some(moves), Some(jury)) if moves > jury => {
            Err(Fault::wrong(format!("the jury's answer has only {}", counted(jury, "move"))))
        }
        _ => Err(Fault::new(
            FaultKind::Undecided,
            "the required solution was not found within the limits, and no jury answer decides",
        )),
    }
}
