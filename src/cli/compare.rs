//! `taquin compare`: every engine on every board, one after the other – which suits a set, and do they agree.
//!
//! An engine's *own peak* is the most memory that the process held on its account: what the process grew by while
//! this engine built its tables and searched, added to what it kept from boards before. As one engine is at
//! work at a time, nothing else grows meanwhile. It is resident memory, as the system tells it. What an engine
//! gives back and the allocator keeps stays on its account, and is not told of the engine that uses it
//! next: some megabytes, because large blocks go back to the system at once.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount};

use super::arguments::{Compare, ENGINES};
use super::{Status, fail, print, say};
use crate::board::{Board, Path};
use crate::engine::{Budget, Crew, Limits, Outcome, Stats};
use crate::format::input::{self, Reader};
use crate::plan::{EngineKind, Wishes};
use crate::solver::{Scratch, Solvers};
use crate::verify;

/// One engine and what it has done.
struct Contender {
    name: String,
    wishes: Wishes,
    solvers: Solvers,
    scratch: Scratch,
    boards: u64,
    solved: u64,
    stats: Stats,
    time: Duration,
    memory: Option<memory::Account>,
}

pub(super) fn run(arguments: &Compare) -> Status {
    let Compare { inputs, reading, solving } = arguments;
    let threads = solving.threads();
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool,
        Err(error) => return fail(&format!("cannot start the worker threads: {error}")),
    };
    let asked = solving.wishes();
    let engines: Vec<EngineKind> =
        ENGINES.into_iter().filter(|engine| asked.engine.is_none_or(|asked| asked == *engine)).collect();
    // What they build stays beside each other.
    let memory = solving.memory() / engines.len().max(1) as u64;
    let contender = |&engine: &_| Contender::new(Wishes { engine: Some(engine), ..asked.clone() }, threads, memory);
    let mut contenders: Vec<Contender> = engines.iter().map(contender).collect();
    let crew = Crew::new(solving.parallel, threads);

    let mut reader = Reader::new(input::expand(inputs).inputs, reading.options());
    let (mut boards, mut passed_over, mut disagreements, mut failed) = (0u64, 0u64, 0u64, false);
    while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                fail(&error.to_string());
                failed = true;
                continue;
            }
        };
        for record in chunk.records() {
            let goal_of = |puzzle: &input::Puzzle| {
                puzzle.goal.as_ref().unwrap_or(&chunk.source.goal).on(puzzle.board.shape()).ok()
            };
            let Some((board, goal)) = record
                .puzzle
                .ok()
                .and_then(|puzzle| Some((goal_of(&puzzle)?, puzzle.board)))
                .map(|(goal, board)| (board, goal))
            else {
                passed_over += 1;
                continue;
            };
            let answers: Vec<(usize, Option<Path>)> = contenders
                .iter_mut()
                .enumerate()
                .filter_map(|(number, contender)| {
                    let answer = pool.install(|| contender.solve(&board, &goal, &solving.limits(), &crew));
                    Some((number, answer?))
                })
                .collect();
            if answers.is_empty() {
                passed_over += 1;
                continue;
            }
            boards += 1;
            if let Err(why) = agree(&board, &goal, &answers, &contenders) {
                disagreements += 1;
                fail(&format!("{}:{}: {why}: please report this with the board", chunk.source.name, record.line));
            }
        }
    }
    for warning in reader.take_warnings() {
        say(&format!("taquin: {warning}"));
    }

    let told = table(&contenders, boards, passed_over, disagreements, threads);
    match print(told.as_bytes()) {
        Status::Settled if failed => Status::RunFailed,
        Status::Settled if disagreements > 0 => Status::SomeFailed,
        status => status,
    }
}

impl Contender {
    fn new(wishes: Wishes, threads: usize, memory: u64) -> Contender {
        let solvers = Solvers::new(wishes.clone(), threads, memory);
        Contender {
            name: String::new(),
            wishes,
            scratch: solvers.scratch(),
            solvers,
            boards: 0,
            solved: 0,
            stats: Stats::default(),
            time: Duration::ZERO,
            memory: Some(memory::Account::default()),
        }
    }

    /// Solves a board; `None` when this engine is not for it, `Some(None)` when a limit came first.
    fn solve(&mut self, board: &Board, goal: &Board, limits: &Limits, crew: &Crew) -> Option<Option<Path>> {
        let plan = self.solvers.plan(goal)?;
        if Some(plan.engine) != self.wishes.engine {
            return None;
        }
        let (stop, before) = (AtomicBool::new(false), memory::reset_peak());
        // Building is part of the price: the first board pays it.
        let began = Instant::now();
        let prepared = self.solvers.prepare(goal)?;
        let start = prepared.frame.admit(board)?;
        let budget = Budget::start(limits, &stop);
        let space = prepared.frame.space();
        let outcome = prepared.engine.solve(space, &start, &budget, crew, &mut self.scratch, &mut self.stats);
        self.time += began.elapsed();
        self.memory = self.memory.zip(before).and_then(|(account, before)| account.after(before));
        self.boards += 1;
        if self.name.is_empty() {
            let heuristic = prepared.engine.heuristic().map_or(String::new(), |name| format!(", {name}"));
            self.name = format!("{}{heuristic}", plan.engine);
        }
        match outcome {
            Outcome::Solved(path) => {
                self.solved += 1;
                Some(Some(path))
            }
            Outcome::Unsolved { .. } => Some(None),
        }
    }
}

/// Whether all paths are the same, and lead to the goal.
fn agree(
    board: &Board,
    goal: &Board,
    answers: &[(usize, Option<Path>)],
    contenders: &[Contender],
) -> Result<(), String> {
    let mut paths = answers.iter().filter_map(|(number, path)| Some((&contenders[*number].name, path.as_ref()?)));
    let Some((first, path)) = paths.next() else { return Ok(()) };
    verify::replay(board, goal, path.letters()).map_err(|fault| format!("{first}: {fault}"))?;
    match paths.find(|(_, other)| *other != path) {
        None => Ok(()),
        Some((second, other)) => {
            Err(format!("{first} finds {path} ({} moves), {second} finds {other} ({} moves)", path.len(), other.len()))
        }
    }
}

fn table(contenders: &[Contender], boards: u64, passed_over: u64, disagreements: u64, threads: usize) -> String {
    let mut rows =
        vec![["engine", "solved", "expanded", "generated", "seconds", "nodes/s", "own peak"].map(String::from)];
    for contender in contenders.iter().filter(|contender| contender.boards > 0) {
        let Contender { name, boards, solved, stats, time, memory, .. } = contender;
        let seconds = time.as_secs_f64();
        rows.push([
            name.clone(),
            format!("{solved} of {boards}"),
            HumanCount(stats.expanded).to_string(),
            HumanCount(stats.generated).to_string(),
            format!("{seconds:.3}"),
            HumanCount((stats.generated as f64 / seconds.max(1e-9)) as u64).to_string(),
            memory.map_or("unknown".into(), |account| HumanBytes(account.peak()).to_string()),
        ]);
    }
    let mut widths = [0; 7];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    let verdict = match disagreements {
        0 => "all engines that solved a board agree on its length and its path".to_string(),
        some => format!("the engines DISAGREE on {}", HumanCount(some)),
    };
    let not_compared = match passed_over {
        0 => String::new(),
        some => format!("; {} records passed over (no board, unsolvable, or too large)", HumanCount(some)),
    };
    text + &format!("{} boards on {threads} threads: {verdict}{not_compared}\n", HumanCount(boards))
}

/// Memory on an engine's account, as far as the system tells.
mod memory {
    /// What one engine holds now, and the most it held.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Account {
        held: u64,
        peak: u64,
    }

    impl Account {
        /// The account after the engine was at work, since the process held so many bytes and the peak was reset.
        pub(super) fn after(self, before: u64) -> Option<Account> {
            Some(self.entered(before, status("VmHWM:")?, status("VmRSS:")?))
        }

        /// What the process held before, at most and after.
        fn entered(self, before: u64, most: u64, after: u64) -> Account {
            let peak = self.peak.max(self.held + most.saturating_sub(before));
            Account { held: (self.held + after).saturating_sub(before), peak }
        }

        pub(super) fn peak(&self) -> u64 {
            self.peak
        }
    }

    /// Begins a new peak; gives the memory in use now.
    pub(super) fn reset_peak() -> Option<u64> {
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        status("VmRSS:")
    }

    fn status(field: &str) -> Option<u64> {
        let told = std::fs::read_to_string("/proc/self/status").ok()?;
        let kilobytes = told.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB"))?;
        kilobytes.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Of two engines by turns: one builds 100 with 20 more on the way and keeps them, its second board takes 30; the
        /// other's 500 come between and are given back.
        #[test]
        fn each_engine_has_its_own_account() {
            let [mut tables, mut sets] = [Account::default(); 2];
            tables = tables.entered(10, 130, 110);
            sets = sets.entered(110, 610, 110);
            tables = tables.entered(110, 140, 110);
            assert_eq!((tables.peak(), sets.peak()), (130, 500));
            assert_eq!((tables.held, sets.held), (100, 0));
        }
    }
}
