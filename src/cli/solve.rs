//! `taquin solve`: the main job.

use std::sync::Arc;

use clap::Args;

use super::batch_run::{BatchRun, Checkpoints, Part};
use super::options::{FailOn, Inputs, Moves, Reading, Solving, To, Writing, identity};
use super::ui::output::Present;
use super::ui::{Status, explain, fail};
use crate::batch;
use crate::engine::TieBreak;
use crate::format::fields::Need;
use crate::format::input::{InputOptions, Shard};
use crate::format::output::Field;
use crate::format::profile::{AnswerWriter, Requirement};
use crate::format::style::Style;
use crate::solver::shortest_paths::CountMemo;

const EXAMPLES: &str = "\
Examples:
  taquin solve inputs/                         every file of a folder, any layout
  zcat boards.gz | taquin solve - -o out.jsonl from a pipe to a file (.gz and .zst are also read directly)
  taquin solve --shape 3x4 --time-limit 10s hard.txt
  taquin solve --resume -o results.jsonl big/  a long run: the same command continues it
  taquin solve --shard 3/16 -o part-3.jsonl big/ one of 16 parts, for taquin merge
  taquin solve --fields id,moves,path --unordered set.jsonl
  taquin solve --pass user,level --to csv -o results.csv boards.csv    own columns beside the results
  taquin solve --as uva10181 boards.in         answers in the format of a judge (see taquin profiles)
  taquin solve --all boards.txt                every shortest path of each board
  taquin solve --letters udlr --path-of tile boards.txt";

const AFTER: &str = "\
Exit status: 0 every record was settled (solved, or proven unsolvable); 1 some record was invalid, not
there although a count line promises it, or stayed unsolved; 2 the run failed (usage, input, output); 3 its time (--run-limit) was up; 130 or 143 interrupted. Everything that
was finished is written.";

/// Why not every field can go into CSV.
const ALL_IN_CSV: &str = "--pass all does not go with --to csv, whose header names every column before the first record \
is read: name them (--pass user,level)";

/// Where Parquet is written.
const PARQUET: &str = "the program has no writer of Parquet, which is for those of Python or of DuckDB: \
taquin solve --to csv … -o r.csv, then duckdb -c \"COPY 'r.csv' TO 'r.parquet'\"";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    #[command(flatten)]
    writing: Writing,

    #[command(flatten)]
    moves: Moves,

    #[command(flatten)]
    pub(super) solving: Solving,

    /// Solve one part of the records: every so many blocks of 4096. Each part may be solved on a machine of its own; taquin
    /// merge makes of all of them the results of one run.
    #[arg(long, value_name = "K/N", help_heading = "Reading")]
    shard: Option<Shard>,

    /// Count at most N shortest paths of boards of more than 12 cells.
    #[arg(long, value_name = "N", default_value_t = batch::Options::COUNT_CAP, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Search")]
    count_cap: u64,

    /// Tell what would be done with these boards, and why, without solving any.
    #[arg(long)]
    explain: bool,
}

impl Arguments {
    /// How results are written.
    ///
    /// # Errors
    /// A sentence for people, when options contradict each other.
    fn style(&self) -> Result<Style, String> {
        let Moves { letters, path_of } = self.moves;
        let fields = self.writing.fields()?.spelled(self.moves.spelling());
        let Some((profile, format)) = self.input.reading.profile.and_then(|profile| Some((profile, profile.answer?)))
        else {
            return match self.writing.to {
                To::Jsonl => Ok(Style::Json(fields)),
                To::Csv if fields.pass().is_all() => Err(ALL_IN_CSV.into()),
                To::Csv => Ok(Style::Csv(fields)),
                To::Parquet => Err(PARQUET.into()),
            };
        };
        if self.writing.shapes_json() {
            let name = profile.name;
            return Err(format!(
                "--fields, --boards, --all, --detail, --pass, --to and --unordered have no meaning in the answers of {name} (--as)"
            ));
        }
        profile.check_shape(self.input.reading.options(&self.solving).shape, letters, path_of)?;
        Ok(Style::Answers(Arc::new(AnswerWriter::new(format, letters, path_of)?)))
    }
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { input, writing, solving, shard, count_cap, .. } = arguments;
    let Inputs { inputs, reading } = input;
    if writing.fail_on.contains(&FailOn::None) && writing.fail_on.len() > 1 {
        return fail("--fail-on none goes with nothing else");
    }
    let style = match arguments.style() {
        Ok(style) => style,
        Err(why) => return fail(&why),
    };
    let solving = &match reading.profile.and_then(|profile| Some((profile, profile.answer?))) {
        Some((profile, format)) if format.needs_proofs() => {
            if solving.aim().is_good() {
                return fail(&format!("{} takes shortest paths only: --quality good has no meaning", profile.name));
            }
            if format.requirement == Requirement::FirstShortest && solving.tie_break == Some(TieBreak::Any) {
                return fail(&format!("{} takes the first shortest path only, not --tie-break any", profile.name));
            }
            solving.for_proofs()
        }
        _ => solving.clone(),
    };
    if arguments.explain {
        return explain::run(&mut input.reader(solving), &solving.solver());
    }
    if style.paths_asked().is_some() && solving.aim().is_good() {
        return fail("--all lists shortest paths: --quality good has no meaning");
    }
    if let Some(why) = not_of_one_run(&style, shard.is_some(), writing) {
        return fail(&why);
    }
    let as_one_run = shard.map(|_| "--shard").or(writing.resume.then_some("--resume"));
    if let Some((option, why)) = as_one_run.zip(solving.varies(shard.is_some())) {
        return fail(&format!("{option} gives the bytes of one run: {why}"));
    }
    let checkpoints = match (&style, writing.resume) {
        (_, false) => None,
        (Style::Json(fields) | Style::Csv(fields), true) => {
            let mut options = identity::options(reading, solving, fields, (writing.unordered, writing.to));
            options.extend([("count-cap", count_cap.to_string())]);
            options.extend(shard.map(|shard| ("shard", shard.to_string())));
            Some(Checkpoints { options, every: writing.checkpoint_every })
        }
        // A checkpoint counts whole lines, and an answer may be several.
        (Style::Answers(_), true) => return fail("--resume goes with JSON lines and CSV, not with --as"),
    };
    let part = match shard.map(|shard| part(shard, &style, (reading, solving, writing))).transpose() {
        Ok(part) => part,
        Err(why) => return fail(&why),
    };
    let lists = style.paths_asked().is_some();
    let solving = &match style.writes_paths() {
        _ if lists => solving.beside(CountMemo::LIST_BYTES),
        // The estimate is of the search for the canonical path.
        _ if style.fields().is_some_and(|fields| fields.need(Need::Sample)) => solving.clone(),
        true => solving.clone(),
        false => solving.for_lengths(),
    };
    let reading = reading.options(solving);
    let run = BatchRun {
        inputs,
        reading: InputOptions { pass: Arc::new(writing.pass.clone().unwrap_or_default()), ..reading },
        solving,
        solver: None,
        style,
        output: writing.output.as_deref(),
        present: match (writing.force, writing.resume) {
            (true, _) => Present::Overwrite,
            (false, true) => Present::Continue,
            (false, false) => Present::Keep,
        },
        ordered: !writing.unordered,
        count_cap: *count_cap,
        checkpoints,
        part,
        summary: writing.summary.as_deref(),
        quiet: writing.showing.quiet,
        progress: writing.showing.progress(writing.output.is_none()),
        interrupt: None,
        fail_on: &writing.fail_on,
        run_limit: writing.run_limit,
    };
    run.run()
}

/// Returns why a run cannot compare boards with all before them, if fields ask for that.
fn not_of_one_run(style: &Style, is_shard: bool, writing: &Writing) -> Option<String> {
    let field = style.fields()?.iter().find(|field| field.need() == Need::EarlierRecords)?;
    let options = [("--shard", is_shard), ("--resume", writing.resume), ("--unordered", writing.unordered)];
    let (option, _) = options.into_iter().find(|(_, is_given)| *is_given)?;
    Some(format!("the field {field} compares each board with all before it in the input: leave out {option}"))
}

/// A shard of the run, whose results must be lines that tell their records.
///
/// # Errors
/// A sentence for people, when they are not.
fn part(
    shard: Shard,
    style: &Style,
    (reading, solving, writing): (&Reading, &Solving, &Writing),
) -> Result<Part, String> {
    let why = match style {
        Style::Json(_) if writing.unordered => "in the order of the records, not --unordered",
        Style::Json(fields) if !fields.contains(Field::Index) => "with the field index, which --fields leaves out",
        Style::Json(fields) => {
            let options = identity::options(reading, solving, fields, (writing.unordered, writing.to));
            return Ok(Part { shard, options, has_names: fields.contains(Field::Source) });
        }
        Style::Csv(_) => "as JSON lines, not as CSV",
        Style::Answers(_) => "as JSON lines, not as the answers of --as",
    };
    Err(format!("--shard writes results {why}: they are merged by their numbers"))
}
