//! What would be done with the boards of some inputs, and why, without solving any.

use std::collections::HashMap;

use crate::board::{Board, Goal, Shape, is_solvable};
use crate::format::input::{Chunk, Puzzle, Reader};
use crate::solver::plan::TableStage;
use crate::solver::{Plan, Solver};

/// What was found in the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The boards, in the order in which the first of each group was met.
    pub groups: Vec<Group>,
    /// Records that are no boards, or whose goals do not fit them.
    pub invalid: u64,
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// What all tables together may take, in bytes.
    pub table_memory: u64,
}

/// The boards of one shape and goal, and of one effort where an input asks for one and that makes a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Their shape.
    pub shape: Shape,
    /// The name of their goal. Boards whose records bring goals of their own are one group of a shape: they are one
    /// problem to the solver.
    pub goal: String,
    /// Boards that have a solution.
    pub solvable: u64,
    /// Boards that have none.
    pub unsolvable: u64,
    /// What would solve them.
    pub plan: Plan,
    /// The tables that may come to be built for them.
    pub stages: Vec<TableStage>,
}

/// The groups found so far.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    /// Where a shape, goal and effort stand among them.
    places: HashMap<(Shape, String, Option<u8>), usize>,
    invalid: u64,
}

/// Reads all boards and plans for each kind of them. `warn` gets what users should know of the inputs.
pub fn run(reader: &mut Reader, solver: &Solver, warn: &mut dyn FnMut(&str)) -> Report {
    let (mut found, mut failed_inputs) = (Groups::default(), 0);
    while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
        match chunk {
            Ok(chunk) => found.add(&chunk, solver),
            Err(error) => {
                warn(&error.to_string());
                failed_inputs += 1;
            }
        }
    }
    reader.take_warnings().iter().for_each(|warning| warn(warning));
    let Groups { groups, invalid, .. } = found;
    Report { groups, invalid, failed_inputs, table_memory: solver.memory_plan().tables }
}

impl Groups {
    fn add(&mut self, chunk: &Chunk, solver: &Solver) {
        for record in chunk.records() {
            let found = record.puzzle.ok().and_then(|Puzzle { board, goal }| {
                let goal = goal.as_ref().unwrap_or(&chunk.source.goal);
                let name = if matches!(goal, Goal::Tiles(_)) { "given boards".into() } else { goal.to_string() };
                Some((goal.on(board.shape()).ok()?, name, board))
            });
            let Some((goal, name, board)) = found else {
                self.invalid += 1;
                continue;
            };
            let solvable = is_solvable(&board, &goal);
            let group = self.group((board.shape(), name, chunk.source.effort), &goal, solver);
            *(if solvable { &mut group.solvable } else { &mut group.unsolvable }) += 1;
        }
    }

    /// The group of a shape, goal and effort, planned for now if this is its first board.
    fn group(&mut self, of: (Shape, String, Option<u8>), goal: &Board, solver: &Solver) -> &mut Group {
        let Groups { groups, places, .. } = self;
        let place = *places.entry(of).or_insert_with_key(|(shape, name, effort)| {
            let plan = solver.engines().plan_at(goal, *effort);
            let same = |group: &Group| group.shape == *shape && group.goal == *name && group.plan == plan;
            groups.iter().position(same).unwrap_or_else(|| {
                let stages = solver.engines().table_stages(goal);
                groups.push(Group { shape: *shape, goal: name.clone(), solvable: 0, unsolvable: 0, plan, stages });
                groups.len() - 1
            })
        });
        &mut groups[place]
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::engine::EngineKind;
    use crate::format::input::InputOptions;

    #[test]
    fn boards_are_counted_by_shape_and_goal() {
        let text = "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 2 0\n1 2 3 0\n1 2 3 4 5 6 7 8 0\n";
        let mut reader = Reader::of_text("text", Cursor::new(text.as_bytes().to_vec()), InputOptions::default());
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let report = run(&mut reader, &solver, &mut |warning| panic!("{warning}"));
        let found: Vec<_> =
            report.groups.iter().map(|group| (group.shape.to_string(), group.solvable, group.unsolvable)).collect();
        assert_eq!(found, [("3x3".to_string(), 2, 1), ("2x2".to_string(), 1, 0)]);
        assert_eq!((report.invalid, report.failed_inputs), (1, 0));
        assert!(report.groups.iter().all(|group| group.goal == "blank-last"));
        assert_eq!(report.groups[0].plan.engine, EngineKind::Lookup);
    }
}
