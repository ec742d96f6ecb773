//! Every engine on every board, one after the other: which of them suits a set of boards, and do they agree?
//!
//! An engine's *own peak* is the most memory that the process held on its account: what the process grew by while
//! this engine built its tables and searched, added to what it kept from boards before. As one engine is at
//! work at a time, nothing else grows meanwhile. It is resident memory, as the system reports it. What an engine
//! gives back and the allocator keeps stays on its account, and not on that of the engine that uses it
//! next: some megabytes, because large blocks go back to the system at once.

mod account;
mod contender;

use crate::board::{Board, Error, Path};
use crate::engine::EngineKind;
use crate::format::input::{Chunk, Puzzle, Reader};
use crate::solver::Solver;
pub use contender::Score;
use contender::{Attempt, Contender};

/// How a comparison ended.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the engines have done, in the order of the options.
    pub scores: Vec<Score>,
    /// Boards that at least one engine was for.
    pub boards: u64,
    /// Records that are no board, unsolvable, or too large.
    pub passed_over: u64,
    /// Boards on which the engines disagree.
    pub disagreements: u64,
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
}

/// Solves all boards by all engines, each by a solver that chooses it wherever it can be used. `warn` gets what users should
/// know: what is wrong with inputs, and the boards on which the engines disagree.
///
/// # Errors
/// When the threads cannot be started.
pub fn run(
    solvers: Vec<(EngineKind, Solver)>,
    reader: &mut Reader,
    warn: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    // What starting threads costs is on no engine's account.
    solvers.iter().try_for_each(|(_, solver)| solver.pool().map(drop))?;
    let contenders = solvers.into_iter().map(|(engine, solver)| Contender::new(engine, solver)).collect();
    let mut comparison = Comparison { contenders, report: Report::default() };
    while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
        match chunk {
            Ok(chunk) => comparison.add(&chunk, warn),
            Err(error) => {
                warn(&error.to_string());
                comparison.report.failed_inputs += 1;
            }
        }
    }
    reader.take_warnings().iter().for_each(|warning| warn(warning));
    let Comparison { contenders, report, .. } = comparison;
    Ok(Report { scores: contenders.into_iter().map(Contender::into_score).collect(), ..report })
}

struct Comparison {
    contenders: Vec<Contender>,
    report: Report,
}

impl Comparison {
    fn add(&mut self, chunk: &Chunk, warn: &mut dyn FnMut(&str)) {
        for record in chunk.records() {
            let puzzle = record.puzzle.ok().and_then(|Puzzle { board, goal }| {
                let goal = goal.as_ref().unwrap_or(&chunk.source.goal).on(board.shape()).ok()?;
                Some((board, goal))
            });
            let agreed = puzzle.and_then(|(board, goal)| self.compare(&board, &goal));
            match agreed {
                None => self.report.passed_over += 1,
                Some(agreed) => {
                    self.report.boards += 1;
                    if let Err(why) = agreed {
                        self.report.disagreements += 1;
                        let (source, line) = (&chunk.source.name, record.line);
                        warn(&format!("{source}:{line}: {why}: please report this with the board"));
                    }
                }
            }
        }
    }

    /// Whether the engines agree on a board; `None` where none is for it.
    fn compare(&mut self, board: &Board, goal: &Board) -> Option<Result<(), String>> {
        let Comparison { contenders, .. } = self;
        let attempts: Vec<Attempt> = contenders.iter_mut().map(|contender| contender.solve(board, goal)).collect();
        if attempts.iter().all(|attempt| matches!(attempt, Attempt::NotForIt)) {
            return None;
        }
        let failed = contenders.iter().zip(&attempts).find_map(|(contender, attempt)| match attempt {
            Attempt::Failed(why) => Some(format!("{}: {why}", contender.name())),
            _ => None,
        });
        let answers = contenders.iter().zip(&attempts).filter_map(|(contender, attempt)| match attempt {
            Attempt::Solved(path) => Some((contender.name(), path)),
            Attempt::NotForIt | Attempt::Unsolved | Attempt::Failed(_) => None,
        });
        Some(failed.map_or_else(|| agree(answers), Err))
    }
}

/// Whether all paths, each of which was replayed, are the same.
fn agree<'a>(mut answers: impl Iterator<Item = (&'a str, &'a Path)>) -> Result<(), String> {
    let Some((first, path)) = answers.next() else { return Ok(()) };
    match answers.find(|(_, other)| *other != path) {
        None => Ok(()),
        Some((second, other)) => {
            Err(format!("{first} finds {path} ({} moves), {second} finds {other} ({} moves)", path.len(), other.len()))
        }
    }
}
