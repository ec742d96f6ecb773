//! Fields that compare a record with all earlier ones: `duplicate_of` and `reflection_of`.
//!
//! Results are formatted on many threads in any order, but these values are determined in the order
//! of the records. So each row has placeholders in place of the values: bytes that never occur in
//! UTF-8. The thread that writes the results replaces the placeholders. If a field has no value,
//! the thread removes the member of the JSON object instead.

use memchr::memchr2_iter;

use super::value::append_number;
use crate::format::fields::Field;

/// The placeholder of the field `duplicate_of`.
pub(super) const DUPLICATE_OF: u8 = 0xff;

/// The placeholder of the field `reflection_of`.
pub(super) const REFLECTION_OF: u8 = 0xfe;

/// The relation of a board to all earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// Neither the board nor a reflection of it has occurred.
    New,
    /// The index of the first record with the same board and goal.
    DuplicateOf(u64),
    /// The index of the first record with a reflection of the board and the same goal.
    ReflectionOf(u64),
    /// Not known: the board is not among those kept, but memory did not suffice to keep all.
    Unknown,
}

/// Appends rows of JSON or CSV to `out`, with their placeholders replaced. A row has `per_row`
/// placeholders or none. `next` returns the occurrence for each row with placeholders, in order.
pub fn fill(rows: &[u8], is_csv: bool, per_row: usize, mut next: impl FnMut() -> Occurrence, out: &mut Vec<u8>) {
    let (mut copied, mut occurrence, mut placeholders_left) = (0, Occurrence::New, 0);
    for at in memchr2_iter(DUPLICATE_OF, REFLECTION_OF, rows) {
        if placeholders_left == 0 {
            (occurrence, placeholders_left) = (next(), per_row);
        }
        placeholders_left -= 1;
        out.extend_from_slice(&rows[copied..at]);
        copied = at + 1;
        match (rows[at], occurrence) {
            (DUPLICATE_OF, Occurrence::DuplicateOf(index)) | (REFLECTION_OF, Occurrence::ReflectionOf(index)) => {
                append_number(index, out);
            }
            // Readers of CSV skip empty lines, so a single empty field is quoted.
            _ if is_csv && matches!(out.last(), None | Some(b'\n')) && rows.get(copied) == Some(&b'\r') => {
                out.extend_from_slice(b"\"\"");
            }
            _ if is_csv => {}
            (DUPLICATE_OF, Occurrence::Unknown) => out.extend_from_slice(b"null"),
            (byte, _) => {
                let field = if byte == DUPLICATE_OF { Field::DuplicateOf } else { Field::ReflectionOf };
                out.truncate(out.len() - field.row().key.len());
                // A comma precedes the member, or follows it if the member is the first.
                if out.pop_if(|last| *last == b',').is_none() {
                    copied += usize::from(rows.get(copied) == Some(&b','));
                }
            }
        }
    }
    out.extend_from_slice(&rows[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(rows: &[u8], is_csv: bool, per_row: usize, occurrences: &[Occurrence]) -> String {
        let (mut out, mut occurrences) = (Vec::new(), occurrences.iter());
        fill(rows, is_csv, per_row, || *occurrences.next().unwrap(), &mut out);
        assert_eq!(occurrences.next(), None);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn commas_separate_members() {
        use Occurrence::{DuplicateOf, New, ReflectionOf, Unknown};
        let row = |row: &str, occurrence| filled(&members(row), false, 2, &[occurrence]);
        for (occurrence, first, last) in [
            (New, "{\"a\":1}", "{\"a\":1}"),
            (DuplicateOf(7), "{\"duplicate_of\":7,\"a\":1}", "{\"a\":1,\"duplicate_of\":7}"),
            (ReflectionOf(8), "{\"reflection_of\":8,\"a\":1}", "{\"a\":1,\"reflection_of\":8}"),
            (Unknown, "{\"duplicate_of\":null,\"a\":1}", "{\"a\":1,\"duplicate_of\":null}"),
        ] {
            assert_eq!(row("{D,R,\"a\":1}", occurrence), first);
            assert_eq!(row("{R,D,\"a\":1}", occurrence), first);
            assert_eq!(row("{\"a\":1,D,R}", occurrence), last);
        }
        assert_eq!(row("{D,R}", New), "{}");
        assert_eq!(row("{D,\"a\":1,R}", New), "{\"a\":1}");
    }

    /// Returns rows with the members of the two fields in place of `D` and `R`.
    fn members(rows: &str) -> Vec<u8> {
        let member = |field: Field, byte| [field.row().key.as_bytes(), &[byte]].concat();
        let replaced = rows.bytes().flat_map(|byte| match byte {
            b'D' => member(Field::DuplicateOf, DUPLICATE_OF),
            b'R' => member(Field::ReflectionOf, REFLECTION_OF),
            byte => vec![byte],
        });
        replaced.collect()
    }

    #[test]
    fn rows_without_a_board_have_no_placeholders() {
        let rows = members("{\"a\":1,D}\n{\"error\":\"no board\"}\n{\"a\":2,D}\n");
        let expected = "{\"a\":1}\n{\"error\":\"no board\"}\n{\"a\":2,\"duplicate_of\":1}\n";
        assert_eq!(filled(&rows, false, 1, &[Occurrence::New, Occurrence::DuplicateOf(1)]), expected);
        let rows = b"1,\xff,\xfe\r\n2,,\r\n3,\xff,\xfe\r\n";
        let occurrences = [Occurrence::ReflectionOf(9), Occurrence::Unknown];
        assert_eq!(filled(rows, true, 2, &occurrences), "1,,9\r\n2,,\r\n3,,\r\n");
        let occurrences = [Occurrence::New, Occurrence::DuplicateOf(1)];
        assert_eq!(filled(b"\xff\r\n\xff\r\n", true, 1, &occurrences), "\"\"\r\n1\r\n");
    }
}
