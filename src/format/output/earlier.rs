//! Fields that compare a record with all earlier ones: `duplicate_of` and `reflection_of`.
//!
//! Results are formatted on many threads in any order, but these values are determined in the order
//! of the records. So each row has placeholders: bytes that never occur in UTF-8. The thread that
//! writes the results replaces them.

use memchr::memchr2_iter;

use crate::format::fields::Field;

/// The placeholder of the field `duplicate_of`.
const DUPLICATE_OF: u8 = 0xff;

/// The placeholder of the field `reflection_of`.
const REFLECTION_OF: u8 = 0xfe;

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

/// Returns the placeholder of a field, if it compares a record with earlier ones.
pub(super) const fn placeholder(field: Field) -> Option<u8> {
    match field {
        Field::DuplicateOf => Some(DUPLICATE_OF),
        Field::ReflectionOf => Some(REFLECTION_OF),
        _ => None,
    }
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
        let (field, index) = match (rows[at], occurrence) {
            (DUPLICATE_OF, Occurrence::DuplicateOf(index)) => (Field::DuplicateOf, Some(index)),
            (DUPLICATE_OF, Occurrence::Unknown) => (Field::DuplicateOf, None),
            (REFLECTION_OF, Occurrence::ReflectionOf(index)) => (Field::ReflectionOf, Some(index)),
            // An empty column. The field does not matter in CSV.
            _ if is_csv => (Field::DuplicateOf, None),
            _ => {
                // The first member of an object has no comma before it.
                let is_first = out.last() == Some(&b'{');
                copied += usize::from(is_first && rows.get(copied) == Some(&b','));
                continue;
            }
        };
        if !is_csv {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(field.key().as_bytes());
        }
        match index {
            Some(index) => out.extend_from_slice(itoa::Buffer::new().format(index).as_bytes()),
            // Readers of CSV skip empty lines, so a single empty field is quoted.
            None if is_csv && matches!(out.last(), None | Some(b'\n')) && rows.get(copied) == Some(&b'\r') => {
                out.extend_from_slice(b"\"\"");
            }
            None if is_csv => {}
            None => out.extend_from_slice(b"null"),
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
        let row = |row: &[u8], occurrence| filled(row, false, 2, &[occurrence]);
        for (occurrence, first, last) in [
            (New, "{\"a\":1}", "{\"a\":1}"),
            (DuplicateOf(7), "{\"duplicate_of\":7,\"a\":1}", "{\"a\":1,\"duplicate_of\":7}"),
            (ReflectionOf(8), "{\"reflection_of\":8,\"a\":1}", "{\"a\":1,\"reflection_of\":8}"),
            (Unknown, "{\"duplicate_of\":null,\"a\":1}", "{\"a\":1,\"duplicate_of\":null}"),
        ] {
            assert_eq!(row(b"{\xff\xfe,\"a\":1}", occurrence), first);
            assert_eq!(row(b"{\xfe\xff,\"a\":1}", occurrence), first);
            assert_eq!(row(b"{\"a\":1\xff\xfe}", occurrence), last);
        }
        assert_eq!(row(b"{\xff\xfe}", New), "{}");
    }

    #[test]
    fn rows_without_a_board_have_no_placeholders() {
        let rows = b"{\"a\":1\xff}\n{\"error\":\"no board\"}\n{\"a\":2\xff}\n";
        let expected = "{\"a\":1}\n{\"error\":\"no board\"}\n{\"a\":2,\"duplicate_of\":1}\n";
        assert_eq!(filled(rows, false, 1, &[Occurrence::New, Occurrence::DuplicateOf(1)]), expected);
        let rows = b"1,\xff,\xfe\r\n2,,\r\n3,\xff,\xfe\r\n";
        let occurrences = [Occurrence::ReflectionOf(9), Occurrence::Unknown];
        assert_eq!(filled(rows, true, 2, &occurrences), "1,,9\r\n2,,\r\n3,,\r\n");
        let occurrences = [Occurrence::New, Occurrence::DuplicateOf(1)];
        assert_eq!(filled(b"\xff\r\n\xff\r\n", true, 1, &occurrences), "\"\"\r\n1\r\n");
    }
}
