//! The selection of fields that a run writes.

use std::fmt;
use std::sync::Arc;

use crate::board::Error;
use crate::format::field_table::FieldRequest;
use crate::format::fields::{Field, Need};
use crate::format::passthrough::Pass;
use crate::format::spelling::Spelling;

/// The fields that are written, in order, and the notation of paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields {
    fields: Vec<Field>,
    /// The notation of paths.
    pub(crate) spelling: Spelling,
    /// True if the fields were selected without the preset `default`. In that case, values that
    /// other values imply are written too, such as `optimal` of a path that is proven shortest.
    pub(crate) by_name: bool,
    /// Maximum number of shortest paths listed. `None`: as many as fit.
    max_paths: Option<u64>,
    /// The passthrough columns, written after all fields, or before them if every column is copied.
    pub(crate) pass: Arc<Pass>,
}

/// A request for information about all shortest paths of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathsRequest {
    /// The number of paths.
    Count,
    /// The number of paths, and a list of at most this many, or of as many as fit if `None`.
    List(Option<u64>),
}

impl Fields {
    /// Creates a selection of these fields in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Fields {
        Fields {
            fields: fields.into_iter().collect(),
            spelling: Spelling::default(),
            by_name: true,
            max_paths: None,
            pass: Arc::default(),
        }
    }

    /// Returns the fields in order.
    pub fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.fields.iter().copied()
    }

    /// Returns true if a field is selected.
    pub fn contains(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// Returns a selection of only one field, with the other properties of this selection.
    pub fn only(&self, field: Field) -> Fields {
        Fields { fields: vec![field], ..self.clone() }
    }

    /// Sets the passthrough columns.
    #[must_use]
    pub fn passing(self, pass: Pass) -> Fields {
        Fields { pass: Arc::new(pass), ..self }
    }

    /// Adds the details of solving: engine, heuristic, nodes, time, iterations.
    #[must_use]
    pub fn with_detail(self) -> Fields {
        self.with(FieldRequest::Detail)
    }

    /// Adds the fields of the puzzle: rows, columns, board, goal.
    #[must_use]
    pub fn with_boards(self) -> Fields {
        self.with(FieldRequest::Boards)
    }

    /// Adds a list of shortest paths, at most `max` of them, and the number of all.
    #[must_use]
    pub fn with_all_paths(self, max: Option<u64>) -> Fields {
        Fields { max_paths: max, ..self.with(FieldRequest::All) }
    }

    /// Describes the argument of `--all`.
    pub(crate) fn all_argument(&self) -> String {
        match self.paths_request() {
            None | Some(PathsRequest::Count) => "not given".into(),
            Some(PathsRequest::List(max)) => max.map_or("as many as fit".into(), |max| max.to_string()),
        }
    }

    /// Returns true if a selected field needs this work.
    pub fn need(&self, need: Need) -> bool {
        self.iter().any(|field| field.need() == need)
    }

    /// Returns true if a selected field can be written only after the board is solved.
    pub fn need_solving(&self) -> bool {
        self.need(Need::Solution) || self.need(Need::AllPaths)
    }

    /// Returns the number of selected fields that compare a record with all earlier ones.
    pub fn count_earlier_record_fields(&self) -> usize {
        self.iter().filter(|field| field.need() == Need::EarlierRecords).count()
    }

    /// Returns which information about all shortest paths is requested, if any.
    pub fn paths_request(&self) -> Option<PathsRequest> {
        let needs_count = self.need(Need::AllPaths);
        let list = self.contains(Field::Paths).then_some(PathsRequest::List(self.max_paths));
        list.or(needs_count.then_some(PathsRequest::Count))
    }

    /// Adds the fields of an option that are not selected yet.
    fn with(mut self, option: FieldRequest) -> Fields {
        for field in Field::requested_by(option) {
            if !self.contains(field) {
                self.fields.push(field);
            }
        }
        self
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Field::name).collect();
        f.write_str(&names.join(","))
    }
}

/// The names of the presets. A preset is a set of fields.
pub const PRESETS: [&str; 3] = ["default", "analysis", "all"];

/// The fields of the preset `analysis`.
const ANALYSIS: &str = "index,source,line,id,status,moves,solutions,solutions_at_least,first_moves,forced_moves,\
                        manhattan,linear_conflict,duplicate_of,reflection_of,optimal,limit,lower_bound,error";

fn preset(name: &str) -> Option<Vec<Field>> {
    match name {
        "default" => Some(Field::requested_by(FieldRequest::Default).collect()),
        "all" => Some(Field::ALL.to_vec()),
        "analysis" => Some(ANALYSIS.split(',').filter_map(Field::named).collect()),
        _ => None,
    }
}

/// Parses comma-separated names of fields and presets: `index,moves,path`, `default,solutions`. A
/// preset adds the fields that are not selected yet.
impl std::str::FromStr for Fields {
    type Err = Error;

    fn from_str(names: &str) -> Result<Fields, Error> {
        let (mut fields, mut named): (Vec<Field>, Vec<Field>) = (Vec::new(), Vec::new());
        let mut by_name = true;
        for name in names.split(',').map(str::trim) {
            let mut more = preset(name).unwrap_or_default();
            if more.is_empty() {
                let field: Field = name.parse()?;
                if named.contains(&field) {
                    return Err(Error::invalid(format!("the field '{field}' is named twice")));
                }
                named.push(field);
                more.push(field);
            }
            by_name &= name != "default";
            more.retain(|field| !fields.contains(field));
            fields.extend(more);
        }
        // If a limit ends the count of paths, the number is in `solutions_at_least` instead.
        if let Some(at) = fields.iter().position(|&field| field == Field::Solutions)
            && !fields.contains(&Field::SolutionsAtLeast)
        {
            fields.insert(at + 1, Field::SolutionsAtLeast);
        }
        Ok(Fields { by_name, ..Fields::new(fields) })
    }
}

impl Default for Fields {
    fn default() -> Fields {
        let mut fields = Fields::new(Field::requested_by(FieldRequest::Default));
        fields.by_name = false;
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scripts rely on the default fields, and on the order in which options add fields.
    #[test]
    fn options_append_fields() {
        let default = "index,source,line,id,status,moves,path,optimal,limit,lower_bound,error";
        assert_eq!(Fields::default().to_string(), default);
        let all = Fields::default().with_boards().with_detail().to_string();
        assert_eq!(all, format!("{default},rows,cols,board,goal,engine,heuristic,nodes,time_us,iterations"));
        let some = Fields::new([Field::Nodes, Field::Moves]).with_detail();
        assert_eq!(some.to_string(), "nodes,moves,engine,heuristic,time_us,iterations");
        let listed = Fields::new([Field::Moves]).with_all_paths(Some(3));
        assert_eq!(listed.to_string(), "moves,paths,solutions,solutions_at_least");
        assert_eq!(listed.paths_request(), Some(PathsRequest::List(Some(3))));
        assert_eq!(Fields::new([Field::Solutions]).paths_request(), Some(PathsRequest::Count));
        assert_eq!(Fields::default().paths_request(), None);
    }

    #[test]
    fn presets_add_missing_fields() {
        let read = |names: &str| names.parse::<Fields>().unwrap();
        assert_eq!(read("default"), Fields::default());
        assert_eq!(
            read("default,moves,solutions").to_string(),
            format!("{},solutions,solutions_at_least", Fields::default())
        );
        assert_eq!(
            read("moves,default").to_string(),
            "moves,index,source,line,id,status,path,optimal,limit,lower_bound,error"
        );
        let analysis = "index,source,line,id,status,moves,solutions,solutions_at_least,first_moves,forced_moves,manhattan,\
                        linear_conflict,duplicate_of,reflection_of,optimal,limit,lower_bound,error";
        assert_eq!(read("analysis").to_string(), analysis);
        assert_eq!(read("all").iter().count(), Field::COUNT);
        assert!("moves,default,moves".parse::<Fields>().is_err() && "everything".parse::<Fields>().is_err());
    }

    /// Values that are not requested are not computed.
    #[test]
    fn fields_need_only_the_work_for_their_values() {
        let read = |names: &str| names.parse::<Fields>().unwrap();
        for name in ["index", "board,goal,error", "solvable,manhattan,linear_conflict", "duplicate_of", "estimated_by"]
        {
            assert!(!read(name).need_solving(), "{name}");
        }
        for name in ["status", "moves", "lower_bound", "nodes", "states", "first_moves", "paths"] {
            assert!(read(name).need_solving(), "{name}");
        }
        assert_eq!(read("forced_moves").paths_request(), Some(PathsRequest::Count));
        let count = |names| read(names).count_earlier_record_fields();
        assert_eq!((count("reflection_of"), count("analysis")), (1, 2));
    }
}
