//! A chunk of records and the check of the claims about them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::check::{ClaimChecker, ClaimStatus};
use super::fault::{Fault, FaultKind};
use super::rules::Rules;
use super::verdict::Finding;
use crate::board::Board;
use crate::format::input::Chunk;
use crate::format::profile::{Claim, Claims};
use crate::solver::{Answered, Solver, Worker};
use crate::tools::record::board_and_goal;

/// The configuration of a judge run.
pub struct JudgeConfig<'a> {
    /// The rules for answers.
    pub rules: Rules,
    /// The solver, used if the rules need it.
    pub solver: &'a Solver,
}

/// A chunk of records and the claims about them.
pub(super) struct Job {
    pub chunk: Chunk,
    pub claims: Claims,
    pub jury: Option<Claims>,
}

/// The result of a job.
pub(super) struct JobReport {
    /// The number of right answers up to the first fault.
    pub right: u64,
    /// True if a board needed a search.
    pub searched: bool,
    pub fault: Option<Finding>,
}

impl Job {
    /// Checks all claims up to the first fault.
    pub fn check(&self, config: &JudgeConfig<'_>, worker: &mut Worker) -> JobReport {
        let Job { chunk, claims, jury } = self;
        let mut report = JobReport { right: 0, searched: false, fault: None };
        for (i, record) in chunk.records().enumerate() {
            let puzzle = board_and_goal(record.puzzle, &chunk.source);
            // A malformed claim is the last: the records after it have none.
            let claim = claims.claims.get(i);
            let jury = jury.as_ref().map(|jury| (jury, jury.claims.get(i)));
            let checked = match &puzzle {
                Ok((board, goal)) => {
                    let mut case = Case { config, board, goal, worker, searched: &mut report.searched };
                    case.check((claims, claim), jury)
                }
                Err(why) => Err(Fault::jury(format!("the input is not a valid board: {why}"))),
            };
            if let Err(fault) = checked {
                let input = Some((Arc::clone(&chunk.source.name), record.line));
                let answer_line = claim.filter(|_| fault.kind != FaultKind::Jury).map(|claim| claim.line);
                report.fault = Some(Finding { fault, case: record.index, input, answer_line, puzzle: puzzle.ok() });
                break;
            }
            report.right += 1;
        }
        report
    }

    /// Returns the report of a job that panicked.
    pub fn panicked(&self) -> JobReport {
        let message = "the program failed on this case or a later one; please report it with the input and the answers";
        let finding = Finding {
            fault: Fault::new(FaultKind::Program, message),
            case: self.chunk.first_index,
            input: Some((Arc::clone(&self.chunk.source.name), self.chunk.first_line)),
            answer_line: None,
            puzzle: None,
        };
        JobReport { right: 0, searched: false, fault: Some(finding) }
    }
}

/// A record and the context of its check.
struct Case<'a> {
    config: &'a JudgeConfig<'a>,
    board: &'a Board,
    goal: &'a Board,
    worker: &'a mut Worker,
    searched: &'a mut bool,
}

impl Case<'_> {
    /// Checks the jury's claim, if there is one, and then the contestant's.
    fn check(
        &mut self,
        (claims, claim): (&Claims, Option<&Claim>),
        jury: Option<(&Claims, Option<&Claim>)>,
    ) -> Result<(), Fault> {
        let Case { config, board, goal, worker, searched } = self;
        let stop = AtomicBool::new(false);
        let mut solve = || {
            let answered = worker.answer(board, goal, &config.solver.settings().limits, &stop);
            **searched |= !matches!(&answered, Ok(Answered { is_searched: false, .. }));
            answered.map(|answered| answered.answer)
        };
        let mut checker = ClaimChecker::new(&config.rules, board, goal, &mut solve);
        let missing = || Fault::presentation("no answer to this case");
        let jury = match jury {
            None => None,
            Some((claims, claim)) => {
                let status = claim.ok_or_else(missing).and_then(|claim| checker.check(&claim.answer, &claims.text));
                Some(status.map_err(Fault::of_jury)?)
            }
        };
        let claim = claim.ok_or_else(missing)?;
        match (checker.check(&claim.answer, &claims.text)?, jury) {
            (ClaimStatus::Proven, _) => Ok(()),
            (ClaimStatus::Unproven(answer), Some(ClaimStatus::Unproven(jury))) => checker.compare(&answer, &jury),
            (ClaimStatus::Unproven(_), _) => Err(checker.undecided()),
        }
    }
}
