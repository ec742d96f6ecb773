//! What is known of a record as a line of JSON.

use std::fmt;

use super::{Again, Ended, Examined, Facts, Solutions, Standing, Wanted, Ways};
use crate::board::Board;
use crate::format::output::json_string;

/// A field of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Number of the record in the run.
    Index,
    /// The file.
    Source,
    /// The line on which the record began.
    Line,
    /// What it calls itself.
    Id,
    /// Rows of its board.
    Rows,
    /// Columns of its board.
    Cols,
    /// The board, row by row.
    Board,
    /// The goal, row by row.
    Goal,
    /// What became of it.
    Status,
    /// The fewest moves.
    Moves,
    /// The canonical shortest path.
    Path,
    /// How many shortest paths there are (`solutions`), or at least (`solutions_at_least`).
    Solutions,
    /// Their first moves.
    First,
    /// The moves with which all of them begin.
    Forced,
    /// Manhattan distance.
    Manhattan,
    /// The same with linear conflicts.
    LinearConflict,
    /// Moves beyond the Manhattan distance.
    ManhattanGap,
    /// Moves beyond the linear conflicts.
    LinearConflictGap,
    /// The first record with the same board and goal.
    DupOf,
    /// The first record with a reflection of the board, and the same goal.
    ReflectionOf,
    /// What ended the search, or the count.
    Limit,
    /// No path is shorter.
    LowerBound,
    /// What is wrong with the record.
    Error,
}

impl Field {
    /// Every field, in the order in which they are listed.
    pub const ALL: [Field; 23] = [
        Field::Index,
        Field::Source,
        Field::Line,
        Field::Id,
        Field::Rows,
        Field::Cols,
        Field::Board,
        Field::Goal,
        Field::Status,
        Field::Moves,
        Field::Path,
        Field::Solutions,
        Field::First,
        Field::Forced,
        Field::Manhattan,
        Field::LinearConflict,
        Field::ManhattanGap,
        Field::LinearConflictGap,
        Field::DupOf,
        Field::ReflectionOf,
        Field::Limit,
        Field::LowerBound,
        Field::Error,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Index => "index",
            Field::Source => "source",
            Field::Line => "line",
            Field::Id => "id",
            Field::Rows => "rows",
            Field::Cols => "cols",
            Field::Board => "board",
            Field::Goal => "goal",
            Field::Status => "status",
            Field::Moves => "moves",
            Field::Path => "path",
            Field::Solutions => "solutions",
            Field::First => "first",
            Field::Forced => "forced",
            Field::Manhattan => "manhattan",
            Field::LinearConflict => "linear_conflict",
            Field::ManhattanGap => "manhattan_gap",
            Field::LinearConflictGap => "linear_conflict_gap",
            Field::DupOf => "dup_of",
            Field::ReflectionOf => "reflection_of",
            Field::Limit => "limit",
            Field::LowerBound => "lower_bound",
            Field::Error => "error",
        }
    }

    /// What has to be found out to write it.
    fn wanted(self) -> Wanted {
        let none = Wanted::default();
        match self {
            Field::Status | Field::Moves | Field::Path | Field::LowerBound | Field::Limit => {
                Wanted { paths: true, ..none }
            }
            Field::Solutions | Field::First | Field::Forced => Wanted { paths: true, ways: true, ..none },
            Field::Manhattan | Field::LinearConflict => Wanted { bounds: true, ..none },
            Field::ManhattanGap | Field::LinearConflictGap => Wanted { paths: true, bounds: true, ..none },
            Field::DupOf | Field::ReflectionOf => Wanted { keys: true, ..none },
            _ => none,
        }
    }
}

impl std::str::FromStr for Field {
    type Err = String;

    fn from_str(name: &str) -> Result<Field, String> {
        Field::ALL.into_iter().find(|field| field.name() == name).ok_or_else(|| {
            let names: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
            format!("there is no field '{name}': choose from {}", names.join(", "))
        })
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The fields that are written, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields(Vec<Field>);

impl Fields {
    /// These fields in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    /// What has to be found out to write them.
    pub fn wanted(&self) -> Wanted {
        self.0.iter().map(|field| field.wanted()).fold(Wanted::default(), |a, b| Wanted {
            paths: a.paths || b.paths,
            ways: a.ways || b.ways,
            bounds: a.bounds || b.bounds,
            keys: a.keys || b.keys,
        })
    }

    /// Appends a record: one JSON object and a line feed.
    pub fn write(&self, examined: &Examined<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut line = Line { start: out.len(), out };
        for &field in &self.0 {
            line.field(field, examined);
        }
        out.extend_from_slice(b"}\n");
    }
}

impl Default for Fields {
    fn default() -> Fields {
        let on_request = [Field::Rows, Field::Cols, Field::Board, Field::Goal, Field::Path];
        Fields::new(Field::ALL.into_iter().filter(|field| !on_request.contains(field)))
    }
}

/// A line under way.
struct Line<'a> {
    start: usize,
    out: &'a mut Vec<u8>,
}

impl Line<'_> {
    fn key(&mut self, name: &str) -> &mut Vec<u8> {
        if self.out.len() > self.start {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    fn number(&mut self, name: &str, number: u64) {
        self.key(name).extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// A text that needs no escapes.
    fn word(&mut self, name: &str, letters: impl IntoIterator<Item = u8>) {
        let out = self.key(name);
        out.push(b'"');
        out.extend(letters);
        out.push(b'"');
    }

    fn tiles(&mut self, name: &str, board: &Board) {
        let labels: Vec<String> = board.tiles().iter().map(|tile| tile.label().to_string()).collect();
        let out = self.key(name);
        out.push(b'[');
        out.extend_from_slice(labels.join(",").as_bytes());
        out.push(b']');
    }

    fn field(&mut self, field: Field, examined: &Examined<'_>) {
        let Examined { place, sources, facts, again } = examined;
        let name = field.name();
        match field {
            Field::Index => self.number(name, facts.index),
            Field::Source => {
                let source = json_string(&sources[place.source as usize]);
                self.key(name).extend_from_slice(source.as_bytes());
            }
            Field::Line => self.number(name, facts.line),
            Field::Id => {
                if let Some(id) = &facts.id {
                    self.key(name).extend_from_slice(id.as_bytes());
                }
            }
            Field::Rows | Field::Cols | Field::Board | Field::Goal => self.puzzle(field, facts),
            Field::Status => self.word(name, facts.standing.name().bytes()),
            Field::Error => {
                if let Standing::Invalid(why) | Standing::Failed(why) = &facts.standing {
                    let why = json_string(why);
                    self.key(name).extend_from_slice(why.as_bytes());
                }
            }
            Field::Manhattan => {
                facts.bounds.manhattan.into_iter().for_each(|bound| self.number(name, bound));
            }
            Field::LinearConflict => {
                facts.bounds.linear_conflict.into_iter().for_each(|bound| self.number(name, bound));
            }
            Field::ManhattanGap => self.gap(name, facts, facts.bounds.manhattan),
            Field::LinearConflictGap => self.gap(name, facts, facts.bounds.linear_conflict),
            Field::DupOf => match again {
                Some(Again::Same(first)) => self.number(name, first.index),
                Some(Again::Unknown) => self.key(name).extend_from_slice(b"null"),
                _ => {}
            },
            Field::ReflectionOf => {
                if let Some(Again::Reflected(first)) = again {
                    self.number(name, first.index);
                }
            }
            Field::Moves
            | Field::Path
            | Field::Solutions
            | Field::First
            | Field::Forced
            | Field::Limit
            | Field::LowerBound => self.answer(field, &facts.standing),
        }
    }

    fn puzzle(&mut self, field: Field, facts: &Facts) {
        let Some((board, goal)) = &facts.puzzle else { return };
        match field {
            Field::Rows => self.number(field.name(), board.shape().rows() as u64),
            Field::Cols => self.number(field.name(), board.shape().cols() as u64),
            Field::Board => self.tiles(field.name(), board),
            _ => self.tiles(field.name(), goal),
        }
    }

    fn gap(&mut self, name: &str, facts: &Facts, bound: Option<u64>) {
        if let (Standing::Solved { path, .. }, Some(bound)) = (&facts.standing, bound) {
            self.number(name, (path.len() as u64).saturating_sub(bound));
        }
    }

    fn answer(&mut self, field: Field, standing: &Standing) {
        let name = field.name();
        let (path, ways) = match standing {
            Standing::Solved { path, ways } => (path, ways),
            &Standing::Unsolved { lower_bound, limit } => {
                match field {
                    Field::Limit => self.word(name, limit.name().bytes()),
                    Field::LowerBound => self.number(name, lower_bound),
                    _ => {}
                }
                return;
            }
            _ => return,
        };
        let fork = ways.as_ref().and_then(|ways| ways.fork.as_ref());
        match (field, ways, fork) {
            (Field::Moves, ..) => self.number(name, path.len() as u64),
            (Field::Path, ..) => self.word(name, path.letters().iter().copied()),
            (Field::Solutions, Some(Ways { solutions: Solutions::Exactly(paths), .. }), _) => self.number(name, *paths),
            (Field::Solutions, Some(Ways { solutions: Solutions::AtLeast(paths, _), .. }), _) => {
                self.number("solutions_at_least", *paths);
            }
            (Field::First, _, Some(fork)) => self.word(name, fork.first.iter().map(|step| step.letter())),
            (Field::Forced, _, Some(fork)) => self.word(name, path.letters()[..fork.forced].iter().copied()),
            (Field::Limit, Some(Ways { solutions: Solutions::AtLeast(_, ended), .. }), _) => {
                self.word(name, Ended::name(*ended).bytes());
            }
            _ => {}
        }
    }
}

impl Standing {
    /// The word that is written for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Standing::Invalid(_) => "invalid",
            Standing::Failed(_) => "error",
            Standing::Unsolvable => "unsolvable",
            Standing::Solvable => "solvable",
            Standing::Unsolved { .. } => "unsolved",
            Standing::Solved { .. } => "solved",
        }
    }
}
