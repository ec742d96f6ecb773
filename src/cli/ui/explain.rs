//! `taquin solve --explain`: prints the plan for each kind of board in the inputs. No board is
//! solved.

use std::collections::HashMap;

use indicatif::DecimalBytes;

use super::{ExitStatus, print_lines, warn};
use crate::board::{Board, Goal, Shape, is_solvable};
use crate::engine::{EngineKind, TieBreak};
use crate::format::input::{Chunk, Puzzle, Reader};
use crate::solver::plan::PlannedTables;
use crate::solver::tables::TableSet;
use crate::solver::{Plan, Solver};
use crate::system::grouped;
use crate::tools::record::next_chunk;
use crate::tools::text::counted;

/// The boards of one shape and goal. Boards from files that set different efforts are in separate
/// groups if their plans differ.
struct BoardGroup {
    shape: Shape,
    /// The goal's name. All goals given as boards have the same name. Those with the same shape
    /// and effort share a group, which shows the plan of the first of them.
    goal: String,
    solvable: u64,
    unsolvable: u64,
    plan: Plan,
    /// The tables that a run may build.
    tiers: Vec<PlannedTables>,
}

/// The groups in the order of their first boards.
#[derive(Default)]
struct BoardGroups {
    groups: Vec<BoardGroup>,
    /// The index in `groups` for each shape, goal name and effort.
    indices: HashMap<(Shape, String, Option<u8>), usize>,
    /// The number of records that are not boards or whose goals do not fit.
    invalid: u64,
    /// True if an input may be compressed.
    may_decompress: bool,
}

/// Prints the solver's plan for the boards of the reader.
///
/// # Errors
/// A message for the user, if the plan cannot be printed.
pub fn run(reader: &mut Reader, solver: &Solver) -> Result<ExitStatus, String> {
    let (mut groups, mut failed_inputs) = (BoardGroups::default(), 0);
    while let Some(chunk) = next_chunk(reader, (4096, 1 << 16), &mut failed_inputs, &mut warn) {
        groups.add(&chunk, solver);
    }
    print_lines(&groups.text(solver))?;
    Ok(ExitStatus::of(failed_inputs > 0, false))
}

impl BoardGroups {
    fn add(&mut self, chunk: &Chunk, solver: &Solver) {
        let name = &*chunk.source.name;
        self.may_decompress |= name == "-" || [".gz", ".zst"].iter().any(|end| name.ends_with(end));
        for record in chunk.records() {
            let found = record.puzzle.ok().and_then(|Puzzle { board, goal }| {
                let goal = goal.as_ref().unwrap_or(&chunk.source.goal);
                let name = if matches!(goal, Goal::Tiles(_)) { "given as a board".into() } else { goal.to_string() };
                Some((goal.on(board.shape()).ok()?, name, board))
            });
            let Some((goal, name, board)) = found else {
                self.invalid += 1;
                continue;
            };
            let group = self.group((board.shape(), name, chunk.source.effort), &goal, solver);
            *(if is_solvable(&board, &goal) { &mut group.solvable } else { &mut group.unsolvable }) += 1;
        }
    }

    /// Returns the group of a shape, goal and effort. Creates and plans a new group if necessary.
    fn group(&mut self, key: (Shape, String, Option<u8>), goal: &Board, solver: &Solver) -> &mut BoardGroup {
        let BoardGroups { groups, indices, .. } = self;
        let index = *indices.entry(key).or_insert_with_key(|(shape, name, effort)| {
            let plan = solver.engines.plan(goal, *effort);
            let same = |group: &BoardGroup| group.shape == *shape && group.goal == *name && group.plan == plan;
            groups.iter().position(same).unwrap_or_else(|| {
                let tiers = solver.engines.planned_tables(goal, &plan);
                groups.push(BoardGroup { shape: *shape, goal: name.clone(), solvable: 0, unsolvable: 0, plan, tiers });
                groups.len() - 1
            })
        });
        &mut groups[index]
    }

    /// Describes all plans, and the maximum memory of a run.
    fn text(&self, solver: &Solver) -> String {
        let (mut text, table_memory) = (String::new(), solver.engines.memory_plan.tables);
        for BoardGroup { shape, goal, solvable, unsolvable, plan, tiers } in &self.groups {
            let (solvable, unsolvable) = (counted(*solvable, "board"), grouped(*unsolvable));
            text += &format!("{shape}, goal {goal}: {solvable} to solve, {unsolvable} unsolvable\n  ");
            let with = plan.heuristic.map_or(String::new(), |heuristic| format!(" with {}", heuristic.name()));
            let contents = if plan.engine == EngineKind::Good { "memory" } else { "tables" };
            let tables =
                if plan.bytes > 0 { format!(" ({} of {contents})", DecimalBytes(plan.bytes)) } else { String::new() };
            text += &format!("{}{with}{tables}: {}\n", plan.engine, plan.why);
            for tier in tiers {
                text += &format!("    {}\n", tables_text(tier, table_memory));
            }
        }
        if self.invalid > 0 {
            text += &format!("{}\n", counted(self.invalid, "invalid record"));
        }
        if !self.groups.is_empty() {
            text += &format!("memory: at most {}\n", DecimalBytes(self.max_memory(solver)));
        }
        text
    }

    /// Returns the maximum number of bytes that a run may take.
    fn max_memory(&self, solver: &Solver) -> u64 {
        let (memory_plan, settings, threads) =
            (&solver.engines.memory_plan, &solver.engines.settings, solver.threads());
        // Tables, sets of visited states and searches for good paths are added over all groups. The
        // node lists, and the path of a record with its text, are counted once, at their largest.
        let (mut tables, mut beams, mut lists, mut path) = (0u64, 0u64, 0, 0);
        for BoardGroup { shape, plan, tiers, .. } in &self.groups {
            let built = tiers.iter().filter(|tier| tier.fits).map(|tier| tier.footprint);
            let kept_bytes: u64 = built.clone().map(|footprint| footprint.kept).sum();
            let building_bytes = built.map(|footprint| footprint.peak - footprint.kept).max().unwrap_or(0);
            tables = tables.saturating_add(match plan.engine {
                EngineKind::AStar | EngineKind::Bidirectional => u64::MAX,
                EngineKind::Good => 0,
                _ => plan.bytes + kept_bytes + building_bytes,
            });
            let is_searched = !matches!(plan.engine, EngineKind::Line | EngineKind::Lookup);
            // A beam search runs before a search with `--tie-break any`, or after a search that a
            // limit ended.
            let has_beams = is_searched && (settings.preference.tie_break == TieBreak::Any || settings.aim.fallback);
            beams = beams.saturating_add(match plan.engine {
                EngineKind::Good => plan.bytes * threads as u64,
                _ if has_beams => u64::MAX,
                _ => 0,
            });
            if is_searched && plan.engine != EngineKind::Good {
                lists = memory_plan.lists(threads);
            }
            // A path has at most about 2 × cells × (rows + columns) moves. Its text is stored too.
            path = path.max(4 * (shape.cells() * (shape.rows() + shape.cols())) as u64);
        }
        // Tables and beam searches may take memory at the same time, so both are added.
        let searches = tables.min(memory_plan.tables) + beams.min(memory_plan.good_paths);
        let decompression = if self.may_decompress { memory_plan.decompression } else { 0 };
        memory_plan.overhead() + searches + lists + path * threads as u64 + decompression
    }
}

/// Describes the cost of a tier's tables, with `table_memory` bytes for all tables together.
fn tables_text(tier: &PlannedTables, table_memory: u64) -> String {
    let (name, kept, peak) = (tier.tables.name(), DecimalBytes(tier.footprint.kept), DecimalBytes(tier.footprint.peak));
    let mirror = match &tier.tables {
        TableSet::Patterns(partition) if !partition.reflected().is_empty() => ", plus tables for the mirror image",
        _ => "",
    };
    if tier.fits {
        let seconds = tier.build_seconds;
        return format!(
            "{name}: about {seconds:.2} s to build on one thread, {kept} kept, {peak} while building{mirror}"
        );
    }
    let available = DecimalBytes(table_memory);
    format!("{name}: not built, because it needs {peak}, and --memory leaves {available} for all tables")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::format::input::InputOptions;

    #[test]
    fn boards_are_counted_by_shape_and_goal() {
        let text = "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 2 0\n1 2 3 0\n1 2 3 4 5 6 7 8 0\n";
        let mut reader = Reader::of_text("text", Cursor::new(text.as_bytes().to_vec()), InputOptions::default());
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let mut groups = BoardGroups::default();
        while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
            groups.add(&chunk.unwrap(), &solver);
        }
        let text = groups.text(&solver);
        let kinds: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(
            kinds[..3],
            [
                "3x3, goal blank-last: 2 boards to solve, 1 unsolvable",
                "2x2, goal blank-last: 1 board to solve, 0 unsolvable",
                "1 invalid record"
            ]
        );
        assert!(kinds[3].starts_with("memory: at most "), "{text}");
        assert_eq!(text.matches("\n  lookup (").count(), 2, "{text}");
    }
}
