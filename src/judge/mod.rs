//! Checking a contestant's answers: is every claim about every record true?
//!
//! Two streams run side by side: the records of the input, cut into chunks by the same reader as
//! everywhere, and the claims of the answer file, which can only be read in order. A round takes as many chunks as
//! keep all threads busy; each chunk's claims are then held against the boards in parallel
//! (`check.rs`), and against our own solution where the judge asks for shortest ones (`desk`).
//! The first fault in the order of the records ends the run, whatever the number of threads.
//!
//! Nothing in an answer file can be an error of the run: whatever it holds, the verdict says so.

mod check;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossbeam::queue::ArrayQueue;
use rayon::prelude::*;

use crate::board::Board;
use crate::desk::Desk;
use crate::engine::Limits;
use crate::format::input::{Chunk, InputError, Puzzle, Reader};
use crate::format::profile::{Claim, ClaimReader, Claims, What};
use crate::solver::Solvers;
use check::{Examiner, Standing};
pub use check::{Fault, Kind, Rules};

/// Records of a chunk whose boards are cheap, at most.
const MOST_RECORDS: usize = 4096;
/// Bytes of a chunk, about.
const CHUNK_BYTES: usize = 64 << 10;
/// Bytes of answers that end a round: how much a file of endless answers can have in memory, about.
const MOST_TEXT: usize = 64 << 20;
/// Chunks of a round for each thread: enough that the last of them does not keep the others waiting for long.
const CHUNKS_A_THREAD: usize = 8;

/// What is needed beside the two or three files.
pub struct Court<'a> {
    /// What makes an answer right.
    pub rules: Rules,
    /// Solves boards where the rules need it.
    pub solvers: &'a Solvers,
    /// What may be spent on one of them.
    pub limits: Limits,
    /// Threads.
    pub threads: usize,
}

/// The answer files: the contestant's, and the jury's where there is one.
pub struct Files {
    /// The contestant's.
    pub answer: ClaimReader,
    /// The jury's own, which is checked first.
    pub jury: Option<ClaimReader>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Verdict {
    /// Records whose answers are right.
    pub right: u64,
    /// The first that is not.
    pub fault: Option<Finding>,
}

/// A fault, and where it was found.
#[derive(Debug)]
pub struct Finding {
    /// What is wrong.
    pub fault: Fault,
    /// The record's number.
    pub case: u64,
    /// Where the record was read: the file as it was named, and the line.
    pub input: Option<(Arc<str>, u64)>,
    /// The line on which the answer begins.
    pub answer_line: Option<u64>,
    /// Board and goal, where there is a board.
    pub puzzle: Option<(Board, Board)>,
}

/// Why a run ended without a verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input could not be read to its end.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The contestant's answers could not be read to their end.
    #[error("the answer cannot be read: {0}")]
    Answer(#[source] io::Error),
    /// The jury's could not.
    #[error("the jury's answer cannot be read: {0}")]
    Jury(#[source] io::Error),
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A chunk of records and what is claimed of them.
struct Job {
    chunk: Chunk,
    claims: Claims,
    jury: Option<Claims>,
}

/// What became of a job.
struct Report {
    right: u64,
    searched: bool,
    fault: Option<Finding>,
}

impl Report {
    fn of_panic(job: &Job) -> Report {
        let why = "the program failed on this case or one of the next; please report it with both files".into();
        let finding = Finding {
            fault: Fault { kind: Kind::Ours, why },
            case: job.chunk.first_index,
            input: Some((Arc::clone(&job.chunk.source.name), job.chunk.first_line)),
            answer_line: None,
            puzzle: None,
        };
        Report { right: 0, searched: false, fault: Some(finding) }
    }
}

/// Reads everything and checks it, up to the first fault. `tell` is told what people should know of the input.
///
/// # Errors
/// When a file cannot be read. What the files hold is never an error.
pub fn run(court: &Court<'_>, reader: &mut Reader, files: Files, tell: &dyn Fn(&str)) -> Result<Verdict, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(court.threads).build()?;
    let desks = ArrayQueue::new(court.threads.max(1));
    let (mut files, mut right, mut cases) = (files, 0, 0);
    let mut records = MOST_RECORDS / 64;
    loop {
        let (jobs, ended) = next_round(court, reader, &mut files, records)?;
        for warning in reader.take_warnings() {
            tell(&warning);
        }
        cases += jobs.iter().map(|job| job.chunk.records as u64).sum::<u64>();
        let reports: Vec<Report> = pool.install(|| {
            jobs.into_par_iter()
                .map(|job| {
                    let mut desk = desks.pop().unwrap_or_default();
                    // A fault of the program must not look like anything that a contestant did.
                    let report = catch_unwind(AssertUnwindSafe(|| court.examine(&job, &mut desk)));
                    let report = report.unwrap_or_else(|_| Report::of_panic(&job));
                    // Full: as many are kept as there are threads.
                    let _ = desks.push(desk);
                    report
                })
                .collect()
        });
        let searched = reports.iter().any(|report| report.searched);
        // Hard boards are shared out one by one, cheap ones by the thousand.
        records = if searched { 1 } else { (records * 4).min(MOST_RECORDS) };
        for report in reports {
            right += report.right;
            if report.fault.is_some() {
                return Ok(Verdict { right, fault: report.fault });
            }
        }
        if ended {
            break;
        }
    }
    Ok(Verdict { right, fault: behind_the_last(&mut files, cases)? })
}

/// The chunks of a round, and whether they are the last.
fn next_round(
    court: &Court<'_>,
    reader: &mut Reader,
    files: &mut Files,
    records: usize,
) -> Result<(Vec<Job>, bool), Error> {
    let (mut jobs, mut text) = (Vec::new(), 0);
    while jobs.len() < CHUNKS_A_THREAD * court.threads && text < MOST_TEXT {
        let Some(chunk) = reader.next_chunk(records, CHUNK_BYTES, Vec::new()).transpose()? else {
            return Ok((jobs, true));
        };
        let (mut claims, mut jury) = (Claims::default(), files.jury.as_ref().map(|_| Claims::default()));
        files.answer.read(chunk.first_index, chunk.records, &mut claims).map_err(Error::Answer)?;
        if let (Some(reader), Some(claims)) = (&mut files.jury, &mut jury) {
            reader.read(chunk.first_index, chunk.records, claims).map_err(Error::Jury)?;
        }
        // Where claims are missing the run ends: the last of them is malformed.
        let lost = |claims: &Claims| claims.claims.len() < chunk.records;
        text += claims.text.len() + jury.as_ref().map_or(0, |jury| jury.text.len());
        let lost = lost(&claims) || jury.as_ref().is_some_and(lost);
        jobs.push(Job { chunk, claims, jury });
        if lost {
            break;
        }
    }
    Ok((jobs, false))
}

/// What is wrong when an answer file goes on behind the last record.
fn behind_the_last(files: &mut Files, cases: u64) -> Result<Option<Finding>, Error> {
    let finding = |kind, whose: &str, (line, found): (u64, String)| Finding {
        fault: Fault { kind, why: format!("{whose} goes on behind the last case, with {found}") },
        case: cases,
        input: None,
        answer_line: Some(line),
        puzzle: None,
    };
    if let Some(jury) = &mut files.jury
        && let Some(rest) = jury.read_rest().map_err(Error::Jury)?
    {
        return Ok(Some(finding(Kind::Jury, "the jury's answer", rest)));
    }
    let rest = files.answer.read_rest().map_err(Error::Answer)?;
    Ok(rest.map(|rest| finding(Kind::Presentation, "the answer", rest)))
}

impl Court<'_> {
    fn examine(&self, job: &Job, desk: &mut Desk) -> Report {
        let Job { chunk, claims, jury } = job;
        let mut report = Report { right: 0, searched: false, fault: None };
        for (i, record) in chunk.records().enumerate() {
            let puzzle = record.puzzle.map_err(|wrong| wrong.to_string()).and_then(|Puzzle { board, goal }| {
                let goal = goal.as_ref().unwrap_or(&chunk.source.goal).on(board.shape());
                goal.map(|goal| (board, goal)).map_err(|wrong| format!("goal: {wrong}"))
            });
            // Behind a malformed claim there are none; that one ended the chunk.
            let (claim, jury) = (claims.claims.get(i), jury.as_ref().map(|jury| (jury, jury.claims.get(i))));
            let checked = match &puzzle {
                Ok((board, goal)) => self.examine_case(board, goal, (claims, claim), jury, desk, &mut report.searched),
                Err(wrong) => Err(Fault { kind: Kind::Jury, why: format!("the input is no board: {wrong}") }),
            };
            if let Err(fault) = checked {
                let input = Some((Arc::clone(&chunk.source.name), record.line));
                let answer_line = claim.filter(|_| fault.kind != Kind::Jury).map(|claim| claim.line);
                report.fault = Some(Finding { fault, case: record.index, input, answer_line, puzzle: puzzle.ok() });
                break;
            }
            report.right += 1;
        }
        report
    }

    fn examine_case(
        &self,
        board: &Board,
        goal: &Board,
        (claims, claim): (&Claims, Option<&Claim>),
        jury: Option<(&Claims, Option<&Claim>)>,
        desk: &mut Desk,
        searched: &mut bool,
    ) -> Result<(), Fault> {
        let stop = AtomicBool::new(false);
        let mut solve = || {
            let ours = desk.solve(self.solvers, &self.limits, &stop, board, goal);
            *searched |= ours.searched;
            ours.solution
        };
        let mut examiner = Examiner::new(&self.rules, board, goal, &mut solve);
        let missing = || Fault { kind: Kind::Presentation, why: "there is no answer to this case".into() };
        let jury = match jury {
            None => None,
            Some((claims, claim)) => {
                let standing = claim.ok_or_else(missing).and_then(|claim| examiner.check(&claim.what, &claims.text));
                Some(standing.map_err(Fault::of_jury)?)
            }
        };
        let what: &What = &claim.ok_or_else(missing)?.what;
        let standing = examiner.check(what, &claims.text)?;
        match (standing, jury) {
            (Standing::Proven, _) => Ok(()),
            (Standing::Unproven(answer), Some(Standing::Unproven(jury))) => examiner.compare(&answer, &jury),
            (Standing::Unproven(_), _) => Err(examiner.undecided()),
        }
    }
}
