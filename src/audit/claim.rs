//! A line of a results file, read strictly: what it claims of its record.
//!
//! Unknown and repeated fields, wrong types and anything behind the object are errors. What is text is
//! borrowed from the line unless it is escaped.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Everything that a result line can say.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Claim<'a> {
    pub index: Option<u64>,
    #[serde(borrow)]
    pub source: Option<Text<'a>>,
    pub line: Option<u64>,
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    pub rows: Option<u64>,
    pub cols: Option<u64>,
    pub board: Option<Vec<u64>>,
    pub goal: Option<Vec<u64>>,
    pub status: Option<Status>,
    pub moves: Option<u64>,
    #[serde(borrow)]
    pub path: Option<Text<'a>>,
    pub optimal: Option<bool>,
    #[serde(borrow)]
    pub limit: Option<Text<'a>>,
    pub lower_bound: Option<u64>,
    #[serde(borrow)]
    pub error: Option<Text<'a>>,
    pub states: Option<Vec<Vec<u64>>>,
    #[serde(borrow)]
    engine: Option<Text<'a>>,
    #[serde(borrow)]
    heuristic: Option<Text<'a>>,
    nodes: Option<u64>,
    time_us: Option<u64>,
}

/// A text of the line.
#[derive(Deserialize, Debug)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// What became of a record, by the words of [`crate::format::output::Verdict::status`].
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Solved,
    Unsolvable,
    Unsolved,
    Invalid,
    Error,
}

impl<'a> Claim<'a> {
    /// The claim of a line.
    pub fn read(line: &'a [u8]) -> Result<Claim<'a>, String> {
        serde_json::from_slice(line).map_err(|error| format!("is no result: {error}"))
    }

    /// What it says became of the record. Without the field `status`, a path says that it was solved;
    /// `None`: nothing is said.
    pub fn verdict(&self) -> Option<Status> {
        self.status.or(self.path.is_some().then_some(Status::Solved))
    }

    /// The first of its fields that does not belong to a verdict.
    pub fn misplaced(&self, verdict: Status) -> Option<&'static str> {
        let (solved, unsolved) = (verdict == Status::Solved, verdict == Status::Unsolved);
        let told = matches!(verdict, Status::Invalid | Status::Error);
        let searched = matches!(verdict, Status::Solved | Status::Unsolvable | Status::Unsolved);
        [
            (self.moves.is_some(), solved, "moves"),
            (self.path.is_some(), solved, "path"),
            (self.optimal.is_some(), solved, "optimal"),
            (self.states.is_some(), solved, "states"),
            (self.limit.is_some(), unsolved, "limit"),
            (self.lower_bound.is_some(), unsolved, "lower_bound"),
            (self.error.is_some(), told, "error"),
            (self.engine.is_some(), searched, "engine"),
            (self.heuristic.is_some(), searched, "heuristic"),
            (self.nodes.is_some(), searched, "nodes"),
            (self.time_us.is_some(), searched, "time_us"),
        ]
        .into_iter()
        .find_map(|(there, belongs, name)| (there && !belongs).then_some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_result_are_told() {
        let deep = format!("{{\"states\":{}", "[".repeat(100_000));
        let wrong = [
            "",
            "null",
            "[]",
            "{\"index\":-1}",
            "{\"index\":18446744073709551616}",
            "{\"index\":1.5}",
            "{\"status\":\"Solved\"}",
            "{\"colour\":1}",
            "{\"path\":\"U\",\"path\":\"D\"}",
            "{\"path\":\"U\"}{}",
            "{\"path\":\"\\ud800\"}",
            "{\"path\":\"U",
            &deep,
        ];
        for line in wrong {
            assert!(Claim::read(line.as_bytes()).unwrap_err().contains("no result"), "{line:.40}");
        }
        assert!(Claim::read(b"{\"path\":\"\xff\"}").is_err());
    }

    #[test]
    fn fields_belong_to_verdicts() {
        let claim = |line: &'static str| Claim::read(line.as_bytes()).unwrap();
        assert_eq!(claim("{}").verdict(), None);
        assert_eq!(claim("{\"path\":\"U\"}").verdict(), Some(Status::Solved));
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Solved), None);
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Unsolvable), Some("moves"));
        assert_eq!(claim("{\"limit\":\"time\",\"error\":\"x\"}").misplaced(Status::Unsolved), Some("error"));
        assert_eq!(claim("{\"error\":\"x\",\"engine\":\"y\"}").misplaced(Status::Invalid), Some("engine"));
    }
}
