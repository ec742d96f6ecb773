//! The loop of several tools over records: a parallel map with ordered results and bounded memory.
//!
//! The calling thread reads *jobs*. A job has some records and the answers, results or paths that
//! belong to them. The solver's threads work on the jobs, and the calling thread takes the results
//! in the order of the jobs. The number of jobs in flight and their memory are bounded. Only the
//! calling thread waits.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use parking_lot::Mutex;

use crate::board::Error;
use crate::engine::Parallel;
use crate::solver::Solver;

/// A loop over records, with limits on the jobs in flight. One job may always run, even if it
/// exceeds the limits.
///
/// ```
/// use std::ops::ControlFlow;
/// use taquin::Solver;
/// use taquin::files::{RecordLoop, records};
///
/// let solver = Solver::new();
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("boards.txt");
/// # std::fs::write(&path, "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 8 7 0\n")?;
/// let (mut read, mut moves) = (records([&path]), Vec::new());
/// let record_loop = RecordLoop { solver: &solver, max_records: 1, jobs_per_thread: 8, max_bytes: 1 << 20 };
/// record_loop.run(
///     |_| Ok(read.next().transpose()?.map(|record| (record, 100))),
///     || solver.worker(),
///     |record, worker, _| {
///         let answer = record.puzzle.as_ref().ok().and_then(|(board, goal)| worker.solve(board, goal).ok());
///         (answer.and_then(|answer| answer.moves()), true)
///     },
///     |record, found| {
///         moves.push((record.index, found.unwrap()));
///         Ok::<_, taquin::Error>(ControlFlow::Continue(()))
///     },
/// )?;
/// assert_eq!(moves, [(1, Some(1)), (2, None)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordLoop<'a> {
    /// The solver whose threads do the work.
    pub solver: &'a Solver,
    /// The maximum number of records in a job.
    pub max_records: usize,
    /// The maximum number of jobs in flight per thread. With 8, the other threads rarely run out of
    /// jobs while one thread works on a hard one.
    pub jobs_per_thread: usize,
    /// The maximum total size of the jobs in flight in bytes. The last of these jobs may exceed it.
    pub max_bytes: usize,
}

impl RecordLoop<'_> {
    /// Processes all jobs. It must not be called on the solver's threads.
    ///
    /// `read` takes the maximum number of records of the next job, and returns the job and its size
    /// in bytes, or `None` at the end. `work` returns a job's result, and whether a board needed a
    /// search. `work` gets the job, scratch memory made by `new_scratch` that later jobs use again,
    /// and a flag that is set when the loop has ended early. `finish` takes each job with its
    /// result, or with the panic of `work`. It can end the loop.
    ///
    /// # Errors
    /// When the threads cannot be started, `finish` fails or `read` fails. If `read` fails, the
    /// results of all earlier jobs are finished first.
    pub fn run<J: Send, S: Send, R: Send, E: From<Error>>(
        &self,
        mut read: impl FnMut(usize) -> Result<Option<(J, usize)>, E>,
        new_scratch: impl Fn() -> S + Sync,
        work: impl Fn(&J, &mut S, &AtomicBool) -> (R, bool) + Sync,
        mut finish: impl FnMut(J, thread::Result<R>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let max_jobs = match self.solver.engines.settings.parallel {
            Parallel::Auto | Parallel::Across => self.jobs_per_thread.saturating_mul(self.solver.threads()).max(1),
            // One board at a time, with all threads.
            Parallel::Within => 1,
        };
        let (unused, stop) = (&Mutex::new(Vec::new()), &AtomicBool::new(false));
        let (new_scratch, work) = (&new_scratch, &work);
        self.solver.pool()?.in_place_scope_fifo(|scope| {
            let _stop_at_end = StopAtEnd(stop);
            let start = |job: J| {
                let (sender, receiver) = mpsc::sync_channel(1);
                let busy = self.solver.engines.thread_share.task();
                scope.spawn_fifo(move |_| {
                    if !stop.load(Ordering::Relaxed) {
                        let mut scratch = unused.lock().pop();
                        let done = catch_unwind(AssertUnwindSafe(|| {
                            work(&job, scratch.get_or_insert_with(new_scratch), stop)
                        }));
                        // A panic may have left the scratch in an inconsistent state.
                        if done.is_ok() {
                            unused.lock().extend(scratch);
                        }
                        // Nobody receives the result if the loop has ended early.
                        let _ = sender.send((job, done));
                    }
                    drop(busy);
                });
                receiver
            };
            let (mut in_flight, mut bytes, mut records, mut end) = (VecDeque::new(), 0, 1, None);
            loop {
                // The next job does not depend on which results are ready, so the sizes of jobs are
                // the same in every run.
                let has_room = in_flight.len() < max_jobs && bytes < self.max_bytes;
                if end.is_none() && (has_room || in_flight.is_empty()) {
                    match read(records) {
                        Ok(Some((job, job_bytes))) => {
                            bytes += job_bytes;
                            in_flight.push_back((start(job), job_bytes));
                        }
                        Ok(None) => end = Some(Ok(())),
                        Err(error) => end = Some(Err(error)),
                    }
                    continue;
                }
                let Some((receiver, job_bytes)) = in_flight.pop_front() else { break end.unwrap_or(Ok(())) };
                let Ok((job, done)) = receiver.recv() else { unreachable!("every job sends its result") };
                bytes -= job_bytes;
                // Hard boards get separate jobs, so that all threads have work. Jobs of cheap
                // boards grow, so that threads rarely synchronise.
                let is_hard = done.as_ref().is_ok_and(|&(_, searched)| searched);
                records = if is_hard { 1 } else { records.saturating_mul(4).min(self.max_records).max(1) };
                match finish(job, done.map(|(result, _)| result)) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => break Ok(()),
                    Err(error) => break Err(error),
                }
            }
        })
    }
}

/// Sets a flag when it is dropped, even by a panic.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::resume_unwind;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::board::ErrorKind;

    /// Runs a loop over the numbers below `count`, each a job of one byte. `work` gets the number
    /// and the scratch, which begins with 0. `finish` ends the loop at job `last`. Returns the
    /// results passed to `finish`, with `None` for a panic, and the outcome of the loop.
    fn results(
        threads: usize,
        count: usize,
        last: usize,
        work: impl Fn(usize, &mut usize) -> usize + Sync,
    ) -> (Vec<Option<usize>>, Result<(), Error>) {
        let solver = Solver::builder().threads(threads).memory(1 << 28).build().unwrap();
        let record_loop = RecordLoop { solver: &solver, max_records: 9, jobs_per_thread: 3, max_bytes: 5 };
        let (mut read, finished, mut found) = (0, AtomicUsize::new(0), Vec::new());
        let ended = record_loop.run(
            |_| {
                let in_flight = read - finished.load(Ordering::Relaxed);
                assert!(in_flight < (3 * threads).min(5), "{in_flight} jobs are in flight");
                if read == count {
                    return Err(Error::new(ErrorKind::System, "the end"));
                }
                read += 1;
                Ok(Some((read - 1, 1)))
            },
            || 0,
            |&job, scratch, _| (work(job, scratch), job % 7 == 0),
            |job, result| {
                finished.fetch_add(1, Ordering::Relaxed);
                found.push(result.ok());
                Ok(if job == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        );
        (found, ended)
    }

    #[test]
    fn results_are_in_order_and_before_the_error_of_the_reader() {
        for (threads, count) in [(1, 0), (1, 100), (3, 1), (3, 500)] {
            let (found, ended) = results(threads, count, usize::MAX, |job, _| job * 2);
            assert_eq!(ended.unwrap_err().to_string(), "the end");
            assert!(found.into_iter().eq((0..count).map(|job| Some(job * 2))));
        }
    }

    #[test]
    fn a_loop_that_ends_early_reads_no_more() {
        let (found, ended) = results(2, usize::MAX, 20, |job, _| job);
        assert!(ended.is_ok() && found.into_iter().eq((0..=20).map(Some)));
    }

    /// After a panic, the next job gets new scratch.
    #[test]
    fn a_panic_is_the_result_of_its_job_only() {
        let work = |job: usize, scratch: &mut usize| {
            *scratch += 1;
            if job == 3 {
                resume_unwind(Box::new("a job panics"));
            }
            *scratch
        };
        let (found, _) = results(1, 6, usize::MAX, work);
        assert_eq!(found, [Some(1), Some(2), Some(3), None, Some(1), Some(2)]);
    }

    /// `finish` ends the loop while the second job waits for `stop`.
    #[test]
    fn jobs_see_that_finish_failed_or_panicked() {
        let solver = Solver::builder().threads(2).memory(1 << 28).build().unwrap();
        let record_loop = RecordLoop { solver: &solver, max_records: 1, jobs_per_thread: 1, max_bytes: 2 };
        for panics in [false, true] {
            let (mut jobs, both_run, stopped) = (0..2, Barrier::new(2), AtomicBool::new(false));
            let ended = catch_unwind(AssertUnwindSafe(|| {
                record_loop.run(
                    |_| Ok(jobs.next().map(|job| (job, 1))),
                    || (),
                    |&job, (), stop| {
                        both_run.wait();
                        while job == 1 && !stop.load(Ordering::Relaxed) {
                            thread::yield_now();
                        }
                        stopped.store(job == 1, Ordering::Relaxed);
                        ((), false)
                    },
                    |_, _| if panics { resume_unwind(Box::new("")) } else { Err(Error::new(ErrorKind::System, "")) },
                )
            }));
            assert_eq!((ended.is_err(), stopped.into_inner()), (panics, true));
        }
    }

    /// With the limits 0 and 1, each job is larger than the limit for all jobs together.
    #[test]
    fn every_job_runs_whatever_the_limits() {
        let solver = Solver::builder().threads(2).memory(1 << 28).build().unwrap();
        for limit in [0, 1, usize::MAX] {
            let record_loop =
                RecordLoop { solver: &solver, max_records: limit, jobs_per_thread: limit, max_bytes: limit };
            let (mut jobs, mut found) = (0..99, Vec::new());
            let ended = record_loop.run(
                |records| Ok::<_, Error>(jobs.next().filter(|_| records > 0).map(|job| (job, 9))),
                || (),
                |&job, (), _| (job, false),
                |_, result| {
                    found.push(result.unwrap());
                    Ok(ControlFlow::Continue(()))
                },
            );
            assert!(ended.is_ok() && found.into_iter().eq(0..99), "{limit}");
        }
    }
}
