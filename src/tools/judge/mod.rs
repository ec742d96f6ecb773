//! Checking a contestant's answers: is every claim about every record true?
//!
//! Two streams run side by side: the records of the input, cut into chunks by the same reader as
//! everywhere, and the claims of the answer file, which can only be read in order. A round takes as many chunks as
//! keep all threads busy; each chunk's claims are then compared with the boards in parallel
//! (`check.rs`), and with this program's own solution where the judge asks for shortest ones.
//! The first fault in the order of the records ends the run, whatever the number of threads.
//!
//! Nothing in an answer file can be an error of the run: whatever it holds, the verdict says so.

mod check;
mod chunk;
mod fault;
mod rules;
mod verdict;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam::queue::ArrayQueue;

use crate::format::input::Reader;
use crate::format::profile::{ClaimReader, Claims};
use crate::solver::Worker;
pub use chunk::JudgeConfig;
use chunk::{Job, JobReport};
pub use fault::{Fault, FaultKind};
pub use rules::Rules;
pub use verdict::{Error, Finding, Verdict};

/// Records of a chunk whose boards are cheap, at most.
const MAX_RECORDS: usize = 4096;
/// Bytes of a chunk, about.
const CHUNK_BYTES: usize = 64 << 10;
/// Bytes of answers that end a round: how much a file of endless answers can have in memory, about.
const MAX_TEXT_BYTES: usize = 64 << 20;
/// Chunks of a round for each thread: enough that the last of them does not keep the others waiting for long.
const CHUNKS_PER_THREAD: usize = 8;

/// The answer files: the contestant's, and the jury's where there is one.
pub struct AnswerFiles {
    /// The contestant's.
    pub answer: ClaimReader,
    /// The jury's own, which is checked first.
    pub jury: Option<ClaimReader>,
}

/// Reads everything and checks it, up to the first fault. `warn` gets what users should know of the input.
///
/// # Errors
/// When a file cannot be read. What the files hold is never an error.
pub fn run(
    config: &JudgeConfig<'_>,
    reader: &mut Reader,
    mut files: AnswerFiles,
    warn: &dyn Fn(&str),
) -> Result<Verdict, Error> {
    let workers = ArrayQueue::new(config.solver.threads());
    let (mut right, mut cases) = (0, 0);
    let mut records = MAX_RECORDS / 64;
    loop {
        let (jobs, ended) = next_round(config, reader, &mut files, records)?;
        for warning in reader.take_warnings() {
            warn(&warning);
        }
        cases += jobs.iter().map(|job| job.chunk.records as u64).sum::<u64>();
        let reports = config.solver.map(&jobs, |job| check_job(config, job, &workers))?;
        let searched = reports.iter().any(|report| report.searched);
        // Hard boards are shared out one by one, cheap ones by the thousand.
        records = if searched { 1 } else { (records * 4).min(MAX_RECORDS) };
        let promised = reader.promised();
        for report in reports {
            right += report.right;
            if let Some(fault) = report.fault {
                // Nobody owes an answer to a board that was not announced.
                let promised = promised.filter(|&promised| fault.case > promised);
                let fault = promised.map_or(fault, |promised| broken_promise(promised, "more"));
                return Ok(Verdict { right, fault: Some(fault) });
            }
        }
        if ended {
            let fault = match promised {
                Some(promised) if promised < cases => Some(broken_promise(promised, "more")),
                Some(promised) if promised > cases => Some(broken_promise(promised, "fewer")),
                // Whatever an answer is worth, it was not judged: such data were lost on the way.
                None if cases == 0 => Some(no_board()),
                _ => trailing_answer(&mut files, cases)?,
            };
            return Ok(Verdict { right, fault });
        }
    }
}

fn check_job(config: &JudgeConfig<'_>, job: &Job, workers: &ArrayQueue<Worker>) -> JobReport {
    let mut worker = workers.pop().unwrap_or_else(|| config.solver.task_worker());
    // A fault of the program must not look like anything that a contestant did.
    let report = catch_unwind(AssertUnwindSafe(|| job.check(config, &mut worker)));
    match report {
        Ok(report) => {
            // This cannot fail: at most one for each thread is kept.
            let _ = workers.push(worker);
            report
        }
        // What the panic left half done is not used again.
        Err(_) => job.panicked(),
    }
}

/// The chunks of a round, and whether they are the last.
fn next_round(
    config: &JudgeConfig<'_>,
    reader: &mut Reader,
    files: &mut AnswerFiles,
    records: usize,
) -> Result<(Vec<Job>, bool), Error> {
    let (mut jobs, mut text_bytes) = (Vec::new(), 0);
    while jobs.len() < CHUNKS_PER_THREAD * config.solver.threads() && text_bytes < MAX_TEXT_BYTES {
        let Some(chunk) = reader.next_chunk(records, CHUNK_BYTES, Vec::new()).transpose()? else {
            return Ok((jobs, true));
        };
        let (mut claims, mut jury) = (Claims::default(), files.jury.as_ref().map(|_| Claims::default()));
        let bytes = chunk.bytes.len() / chunk.records.max(1);
        files.answer.expect_boards_of(bytes);
        files.answer.read(chunk.first_index, chunk.records, &mut claims).map_err(Error::Answer)?;
        if let (Some(reader), Some(claims)) = (&mut files.jury, &mut jury) {
            reader.expect_boards_of(bytes);
            reader.read(chunk.first_index, chunk.records, claims).map_err(Error::Jury)?;
        }
        // Where claims are missing the run ends: the last of them is malformed.
        let is_short = |claims: &Claims| claims.claims.len() < chunk.records;
        text_bytes += claims.text.len() + jury.as_ref().map_or(0, |jury| jury.text.len());
        let is_last = is_short(&claims) || jury.as_ref().is_some_and(is_short);
        jobs.push(Job { chunk, claims, jury });
        if is_last {
            break;
        }
    }
    Ok((jobs, false))
}

/// The fault of an input that holds more or fewer boards than its count line promises: nobody knows how many answers are due.
fn broken_promise(promised: u64, how_many: &str) -> Finding {
    let message = format!("the input promises {promised} boards, and holds {how_many}");
    Finding { fault: Fault::jury(message), case: promised, input: None, answer_line: None, puzzle: None }
}

/// The fault of an input without a board that promises none.
fn no_board() -> Finding {
    Finding { fault: Fault::jury("the input holds no board"), case: 0, input: None, answer_line: None, puzzle: None }
}

/// The fault of an answer file that goes on behind the last record.
fn trailing_answer(files: &mut AnswerFiles, cases: u64) -> Result<Option<Finding>, Error> {
    let finding = |kind, whose: &str, (line, found): (u64, String)| Finding {
        fault: Fault::new(kind, format!("{whose} goes on behind the last case, with {found}")),
        case: cases,
        input: None,
        answer_line: Some(line),
        puzzle: None,
    };
    if let Some(jury) = &mut files.jury
        && let Some(rest) = jury.read_rest().map_err(Error::Jury)?
    {
        return Ok(Some(finding(FaultKind::Jury, "the jury's answer", rest)));
    }
    let rest = files.answer.read_rest().map_err(Error::Answer)?;
    Ok(rest.map(|rest| finding(FaultKind::Presentation, "the answer", rest)))
}
