//! What a line of a results file claims of its record: every field of it, read strictly.

use crate::format::result::{Reading, ResultLine};

/// A line whose fields are to be held against its record.
pub type Claim<'a> = ResultLine<'a>;

/// The claim of a line.
///
/// # Errors
/// The reason why the line is not a result.
pub fn read(line: &[u8], reading: Reading) -> Result<Claim<'_>, String> {
    ResultLine::read(line, reading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::fields::Field;
    use crate::format::status::Status;

    fn read(line: &[u8]) -> Result<Claim<'_>, String> {
        super::read(line, Reading::STRICT)
    }

    #[test]
    fn lines_that_are_no_result_are_refused() {
        let deep = format!("{{\"states\":{}", "[".repeat(100_000));
        let wrong = [
            "",
            "null",
            "[]",
            "{\"index\":-1}",
            "{\"index\":18446744073709551616}",
            "{\"index\":1.5}",
            "{\"status\":\"Solved\"}",
            "{\"status\":1}",
            "{\"moves\":null}",
            "{\"id\":null}",
            "{\"id\":true}",
            "{\"index\":0}",
            "{\"rows\":256}",
            "{\"solutions\":0}",
            "{\"engine\":\"nonsense\"}",
            "{\"heuristic\":\"7_8\"}",
            "{\"first_moves\":\"X\"}",
            "{\"limit\":\"fun\"}",
            "{\"iterations\":[[9]]}",
            "{\"colour\":1}",
            "{\"path\":\"U\",\"path\":\"D\"}",
            "{\"path\":null,\"path\":\"D\"}",
            "{\"path\":\"U\"}{}",
            "{\"path\":\"\\ud800\"}",
            "{\"path\":\"U",
            &deep,
        ];
        for line in wrong {
            assert!(read(line.as_bytes()).unwrap_err().contains("not a result"), "{line:.40}");
        }
        assert!(read(b"{\"path\":\"\xff\"}").is_err());
    }

    /// The words are those of a struct that serde derives.
    #[test]
    fn unknown_and_repeated_fields_are_named() {
        let why = |line: &'static str| read(line.as_bytes()).unwrap_err();
        assert!(
            why("{\"colour\":1}")
                .starts_with("is not a result: unknown field `colour`, expected one of `index`, `source`")
        );
        assert!(why("{\"colour\":1}").ends_with("`iterations` at line 1 column 9"));
        assert_eq!(why("{\"line\":1,\"line\":2}"), "is not a result: duplicate field `line` at line 1 column 16");
        assert_eq!(
            why("{\"status\":\"Solved\"}"),
            "is not a result: `status` does not match its schema: \"enum\": [\"solved\", \"unsolvable\", \
             \"unsolved\", \"invalid\", \"error\"] at line 1 column 19"
        );
    }

    #[test]
    fn fields_belong_to_verdicts() {
        let claim = |line: &'static str| read(line.as_bytes()).unwrap();
        assert_eq!(claim("{}").verdict(), Ok(None));
        assert_eq!(claim("{\"path\":\"U\"}").verdict(), Ok(Some(Status::Solved)));
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Solved), None);
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Unsolvable), Some(Field::Moves));
        assert_eq!(claim("{\"limit\":\"time\",\"error\":\"x\"}").misplaced(Status::Unsolved), Some(Field::Error));
        assert_eq!(claim("{\"error\":\"x\",\"engine\":\"good\"}").misplaced(Status::Invalid), Some(Field::Engine));
    }
}
