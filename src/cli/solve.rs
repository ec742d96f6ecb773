//! `taquin solve`: solves boards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::batch_run::BatchRun;
use super::options::{Inputs, Moves, Solving, To, Writing, are_boards, expand_inputs, values};
use super::ui::signals::Interrupt;
use super::ui::{ExitStatus, Stop, explain};
use crate::batch;
use crate::engine::TieBreak;
use crate::format::fields::Need;
use crate::format::input::{InputOptions, Reader, Shard};
use crate::format::output::{Field, Fields};
use crate::format::profile::{AnswerWriter, Requirement};
use crate::format::style::Style;
use crate::solver::shortest_paths::CountMemo;
use crate::solver::{Quality, Solver};

const AFTER: &str = "\
Examples:
  taquin solve inputs/ -o results.jsonl
  taquin solve --shape 3x4 --time-limit 10s hard.txt
  taquin solve --fields id,moves,path --to csv boards.jsonl
  taquin solve --as uva10181 boards.in
  taquin solve --resume -o results.jsonl big/
  taquin solve --shard 3/16 -o part-3.jsonl big/

Exit status:
  0         Every record is solved or proven unsolvable
  1         A record is invalid or unsolved (see --fail-on), or a file has fewer records than its
            count line states
  2         The run failed: usage, read or write error
  3         The run limit was reached
  130, 143  Interrupted
With status 3, 130 or 143, the results finished so far are written.";

/// The error for `--pass all` with CSV.
const ALL_IN_CSV: &str = "--pass all cannot be combined with --to csv, whose header is written before the first record is \
read: name the columns, as in --pass user,level";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    #[command(flatten)]
    writing: Writing,

    #[command(flatten, next_help_heading = "Output")]
    moves: Moves,

    #[command(flatten)]
    pub(super) solving: Solving,

    /// Solve the K-th of N shards (join them with taquin merge)
    ///
    /// The input is divided into blocks of 4096 records. Shard K consists of block K and every N-th
    /// block after it.
    #[arg(long, value_name = "K/N", help_heading = "Input")]
    shard: Option<Shard>,

    /// Maximum number of shortest paths to count on boards of more than 12 cells
    ///
    /// --all=N raises it to N if it is lower. --all alone raises it to the number of paths that fit
    /// in 16 MiB.
    #[arg(
        long,
        value_name = "N",
        default_value_t = batch::Options::COUNT_CAP,
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Search"
    )]
    count_cap: u64,

    /// Time limit for the whole run (exit status 3)
    ///
    /// Finished results are written. With --resume the same command resumes the run.
    #[arg(long, value_name = "TIME", value_parser = values::duration_or_zero, help_heading = "Search")]
    run_limit: Option<Duration>,

    /// Print how the boards would be solved, and the maximum memory, and exit
    ///
    /// For estimates of each board's search, use --fields estimated_moves,estimated_time_us
    /// instead.
    #[arg(long, help_heading = "Search")]
    explain: bool,
}

impl Arguments {
    /// Returns the style of the results.
    ///
    /// # Errors
    /// A message for the user, if options contradict each other.
    fn style(&self) -> Result<Style, String> {
        let mut fields = self.writing.fields()?;
        fields.spelling = self.moves.spelling();
        let Some(profile) = self.input.reading.boards.profile.filter(|profile| profile.answer.is_some()) else {
            return match self.writing.to {
                To::Jsonl => Ok(Style::Json(fields)),
                To::Csv if fields.pass.is_all() => Err(ALL_IN_CSV.into()),
                To::Csv => Ok(Style::Csv(fields)),
            };
        };
        if self.writing.needs_json_or_csv() {
            let name = profile.name;
            return Err(format!(
                "--fields, --boards, --all, --detail, --pass, --to and --unordered cannot be combined with --as {name}: they apply to JSON and CSV only"
            ));
        }
        let format = self.moves.answer_format(profile, self.input.reading.options(&self.solving).shape)?;
        Ok(Style::Answers(Arc::new(AnswerWriter::new(format))))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitStatus, Stop> {
    let Arguments { input, writing, solving, shard, count_cap, .. } = arguments;
    let Inputs { inputs, reading } = input;
    solving.check()?;
    let style = arguments.style()?;
    let solving = &match reading.boards.profile.and_then(|profile| Some((profile.name, profile.answer?))) {
        Some((name, format)) if format.needs_proofs() => {
            if solving.aim().is_good() {
                return Err(format!("{name} accepts shortest paths only: leave out --quality good").into());
            }
            if format.requirement == Requirement::Canonical && solving.tie_break == Some(TieBreak::Any) {
                return Err(format!("{name} accepts the canonical path only: leave out --tie-break any").into());
            }
            solving.shortest_by_default()
        }
        _ => solving.clone(),
    };
    if arguments.explain {
        let options = input.options(solving)?;
        let mut reader = Reader::new(expand_inputs(inputs)?.inputs, options);
        return Ok(explain::run(&mut reader, &solving.solver())?);
    }
    if style.paths_request().is_some() && solving.aim().is_good() {
        return Err("only shortest paths are counted and listed: leave out --quality good".into());
    }
    if let Some(why) = conflict_with_comparisons(&style, shard.is_some(), writing) {
        return Err(why.into());
    }
    if let Some(option) = shard.map(|_| "--shard").or(writing.resume.then_some("--resume")) {
        if are_boards(inputs) == Ok(true) {
            let why = "it cannot be combined with a board on the command line";
            return Err(format!("{option} needs files: {why}").into());
        }
        if let Some(why) = solving.why_irreproducible(shard.is_some()) {
            return Err(format!("{option} needs reproducible results: {why}").into());
        }
    }
    if let (Style::Answers(_), true) = (&style, writing.resume) {
        // A checkpoint counts lines, but an answer may span several.
        return Err("--resume needs JSON Lines or CSV: leave out --as".into());
    }
    if let Some(needs) = shard.and_then(|_| needs_of_shards(&style, writing)) {
        return Err(format!("--shard needs {needs}").into());
    }
    let identity = style.fields().map(|fields| identity(arguments, fields)).unwrap_or_default();
    // If no paths are written, any shortest path will do. But estimates predict the search for the
    // canonical path.
    let is_sampled = style.fields().is_some_and(|fields| fields.need(Need::Sample));
    let solving = &match style.paths_request() {
        Some(_) => solving.with_reserved(CountMemo::LIST_BYTES),
        None if style.writes_paths() || is_sampled => solving.clone(),
        None => solving.for_lengths(),
    };
    let pass = Arc::new(writing.pass.clone().unwrap_or_default());
    let run = BatchRun {
        inputs,
        reading: InputOptions { pass, ..input.options(solving)? },
        solving,
        solver: &Solver::with(solving.batch_settings(&style)),
        style,
        writing,
        count_cap: *count_cap,
        shard: *shard,
        identity,
        progress: &writing.showing.progress(writing.output.is_none()),
        interrupt: &Interrupt::listen()?,
        run_limit: arguments.run_limit,
    };
    run.run()
}

/// Returns an error if a field compares each board with all earlier ones, and an option prevents
/// this comparison.
fn conflict_with_comparisons(style: &Style, is_shard: bool, writing: &Writing) -> Option<String> {
    let field = style.fields()?.iter().find(|field| field.need() == Need::EarlierRecords)?;
    let options = [("--shard", is_shard), ("--resume", writing.resume), ("--unordered", writing.unordered)];
    let (option, _) = options.into_iter().find(|(_, is_given)| *is_given)?;
    Some(format!("the field {field} compares each board with all before it in the input: leave out {option}"))
}

/// Returns the requirement of shards that the run does not meet, if any. The results of a shard
/// must be JSON Lines in order, with the field `index`.
fn needs_of_shards(style: &Style, writing: &Writing) -> Option<&'static str> {
    match style {
        Style::Json(_) if writing.unordered => Some("results in order: leave out --unordered"),
        Style::Json(fields) if !fields.contains(Field::Index) => Some("the field index: add it to --fields"),
        Style::Json(_) => None,
        Style::Csv(_) => Some("JSON Lines: leave out --to csv"),
        Style::Answers(_) => Some("JSON Lines: leave out --as"),
    }
}

/// Returns the names and values of the options that decide which bytes a run writes, including
/// options with default values. A resumed run, and all shards of a run, must have the same values.
///
/// The distribution of boards over threads is not included because it never changes the output. The
/// number of threads is included only for an engine that keeps visited states: each search gets a
/// share of the memory, and the results show for which boards the share was enough. The amount of
/// memory is included for such an engine, and if `--memory` was given or
/// [`Solving::memory_decides`] is true.
fn identity(arguments: &Arguments, fields: &Fields) -> BTreeMap<&'static str, String> {
    let Arguments { input, solving, writing, count_cap, .. } = arguments;
    let input = input.reading.options(solving);
    let (preference, limits, aim) = (solving.preference(), solving.limits(), solving.aim());
    let memory = match preference.engine {
        Some(engine) if engine.keeps_visited() => {
            format!("{} bytes, {} threads", solving.memory(), solving.resources.threads())
        }
        _ if solving.memory_decides() => format!("{} bytes", solving.memory()),
        _ => text(solving.resources.memory, "not given"),
    };
    BTreeMap::from([
        ("format", text(input.layout, "auto")),
        ("goal", text(input.goal, "not given")),
        ("shape", text(input.shape, "not given")),
        ("count-line", input.count_line.to_string()),
        ("numbered", input.numbered.to_string()),
        ("board-field", text(input.board_field, "not given")),
        ("fields", if fields.by_name { fields.to_string() } else { format!("{fields} by default") }),
        ("all", fields.all_argument()),
        ("count-cap", count_cap.to_string()),
        ("notation", fields.spelling.notation.name().into()),
        ("path-of", fields.spelling.piece.name().into()),
        ("unordered", writing.unordered.to_string()),
        ("to", writing.to.to_possible_value().map_or(String::new(), |value| value.get_name().into())),
        ("pass", fields.pass.to_string()),
        ("engine", text(preference.engine, "auto")),
        ("heuristic", preference.heuristic.to_string()),
        ("tie-break", preference.tie_break.name().into()),
        ("memory", memory),
        ("time-limit", limits.time.map_or("none".into(), |time| format!("{time:?}"))),
        ("node-limit", text(limits.nodes, "none")),
        ("quality", text(aim.quality.map(Quality::name), "auto")),
        ("fallback", if aim.fallback { Quality::Good.name() } else { "none" }.into()),
        ("effort", text(aim.effort, "auto")),
        ("weights", solving.weights().checksum().map_or("none".into(), |sum| format!("{sum:016x}"))),
    ])
}

fn text(value: Option<impl ToString>, absent: &str) -> String {
    value.map_or(absent.to_string(), |value| value.to_string())
}
