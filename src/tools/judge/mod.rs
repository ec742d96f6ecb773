//! Checks a contestant's answers: every claim about every record must be true.
//!
//! The run proceeds in rounds. One thread reads chunks of records and their claims from the answer
//! file, enough to keep all threads busy. The threads then compare the claims with the boards
//! (`check.rs`), and with this program's solutions if the judge requires shortest ones. The first
//! fault in the order of the records ends the run, whatever the number of threads.
//!
//! The contents of an answer file never cause an error of the run, only a verdict.

mod check;
mod chunk;
mod fault;
mod pairs;
mod rules;
mod verdict;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam::queue::ArrayQueue;

use crate::format::input::Reader;
use crate::format::profile::{ClaimReader, Claims};
use crate::solver::Worker;
use crate::tools::text::counted;
pub use chunk::JudgeConfig;
use chunk::{Job, JobReport};
pub use fault::{Fault, FaultKind};
pub use pairs::{NamedFiles, named_files};
pub use rules::Rules;
pub use verdict::{Error, Finding, Verdict};

/// The maximum number of records in a chunk of cheap boards.
const MAX_RECORDS: usize = 4096;
/// The approximate size of a chunk in bytes.
const CHUNK_BYTES: usize = 64 << 10;
/// The approximate maximum size in bytes of the answers of a round. It bounds the memory for an
/// endless answer file.
const MAX_TEXT_BYTES: usize = 64 << 20;
/// The number of chunks per thread and round. With this many, the threads that finish first do not
/// wait long for the last chunk.
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
/// When a file cannot be read, or the threads cannot be started. File contents never cause an
/// error.
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
        // Distribute hard boards one by one, cheap ones by the thousand.
        records = if searched { 1 } else { (records * 4).min(MAX_RECORDS) };
        let promised = reader.promised();
        for report in reports {
            right += report.right;
            if let Some(fault) = report.fault {
                // No answer is due for a board beyond the promised number.
                let exceeded = promised.filter(|&promised| fault.case > promised);
                let fault = exceeded.map_or(fault, |promised| broken_promise(promised, "more"));
                return Ok(Verdict { right, fault: Some(fault) });
            }
        }
        if ended {
            let fault = match promised {
                Some(promised) if promised < cases => Some(broken_promise(promised, "more")),
                Some(promised) if promised > cases => Some(broken_promise(promised, "fewer")),
                // An input without boards must be broken.
                None if cases == 0 => Some(no_board()),
                _ => trailing_answer(&mut files, cases)?,
            };
            return Ok(Verdict { right, fault });
        }
    }
}

fn check_job(config: &JudgeConfig<'_>, job: &Job, workers: &ArrayQueue<Worker>) -> JobReport {
    let mut worker = workers.pop().unwrap_or_else(|| config.solver.task_worker());
    // A panic must not look like a contestant's fault.
    let report = catch_unwind(AssertUnwindSafe(|| job.check(config, &mut worker)));
    match report {
        Ok(report) => {
            // This cannot fail: the queue has a slot per thread.
            let _ = workers.push(worker);
            report
        }
        // The worker may be in an inconsistent state after a panic and is not reused.
        Err(_) => job.panicked(),
    }
}

/// Reads the chunks of a round. The flag is true at the end of the input.
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
        files.answer.expect_record_bytes(bytes);
        files.answer.read(chunk.first_index, chunk.records, &mut claims).map_err(Error::Answer)?;
        if let (Some(reader), Some(claims)) = (&mut files.jury, &mut jury) {
            reader.expect_record_bytes(bytes);
            reader.read(chunk.first_index, chunk.records, claims).map_err(Error::Jury)?;
        }
        // If there are fewer claims than records, the last claim is malformed and the run ends.
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

/// Returns the fault of an input with more or fewer boards than its count line promises. The number
/// of answers due is then unknown.
fn broken_promise(promised: u64, how_many: &str) -> Finding {
    let message = format!("the input promises {}, but has {how_many}", counted(promised, "board"));
    Finding { fault: Fault::jury(message), case: promised, input: None, answer_line: None, puzzle: None }
}

/// Returns the fault of an input without boards.
fn no_board() -> Finding {
    Finding { fault: Fault::jury("the input has no boards"), case: 0, input: None, answer_line: None, puzzle: None }
}

/// Returns the fault of an answer file with extra output after the last case, if any.
fn trailing_answer(files: &mut AnswerFiles, cases: u64) -> Result<Option<Finding>, Error> {
    let finding = |kind, whose: &str, (line, found): (u64, String)| Finding {
        fault: Fault::new(kind, format!("{whose}extra output after the last case: {found}")),
        case: cases,
        input: None,
        answer_line: Some(line),
        puzzle: None,
    };
    if let Some(jury) = &mut files.jury
        && let Some(rest) = jury.read_rest().map_err(Error::Jury)?
    {
        return Ok(Some(finding(FaultKind::Jury, "the jury's answer: ", rest)));
    }
    let rest = files.answer.read_rest().map_err(Error::Answer)?;
    Ok(rest.map(|rest| finding(FaultKind::Presentation, "", rest)))
}
