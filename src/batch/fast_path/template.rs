//! Record templates: the common form of the well-formed records of a file.
//!
//! Most files are written by programs, so all lines have the same length, the tiles are at the same
//! positions, and the same characters are between them. A template is created from one such line. A
//! record matches if it has tiles at the template's positions and all other bytes are equal.

use crate::board::Shape;
use crate::board::tokens::{BLANKS, is_separator};
use crate::format::input::{JsonArray, Layout};

/// The form of a record, including its line feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordTemplate {
    /// The length in bytes.
    pub(super) stride: usize,
    /// The positions of the tiles.
    tiles_at: [u8; RecordTemplate::MAX_CELLS],
    cells: usize,
    /// The shape of the board, if the record shows it.
    own_shape: Option<Shape>,
    /// The character for the blank, in addition to `0`.
    pub(super) blank: u8,
    /// The value whose exclusive or with a tile's byte is a digit; 0 if tiles are digits already.
    pub(super) to_digit: u8,
    /// All ones for each byte that must equal the byte in `fixed`. Zeros at tiles and after the
    /// record.
    pub(super) mask: [u8; RecordTemplate::MAX_STRIDE],
    pub(super) fixed: [u8; RecordTemplate::MAX_STRIDE],
}

impl RecordTemplate {
    /// Maximum length of a record in bytes. It suffices for any usual notation of nine tiles.
    pub const MAX_STRIDE: usize = 32;

    /// Maximum number of cells if a tile is one character.
    const MAX_CELLS: usize = 9;

    /// The number of bytes that are searched for a template.
    const SEARCHED: usize = 16 * Self::MAX_STRIDE;

    /// Returns the template of the first line that has one, among the first few lines.
    pub fn find(bytes: &[u8], layout: Layout) -> Option<RecordTemplate> {
        let start = &bytes[..bytes.len().min(Self::SEARCHED)];
        start.split_inclusive(|&byte| byte == b'\n').find_map(|line| RecordTemplate::of_line(line, layout))
    }

    /// Returns the template of the first line, or `None` if it is not a plain board.
    pub fn of_line(bytes: &[u8], layout: Layout) -> Option<RecordTemplate> {
        let start = &bytes[..bytes.len().min(Self::MAX_STRIDE)];
        let stride = memchr::memchr(b'\n', start)? + 1;
        // Arrays with other numbers at the same positions have the same rows, and so the same
        // shape.
        let own_shape = match layout {
            Layout::Json => json_shape(&JsonArray::read(&bytes[..stride])?)?,
            _ => None,
        };
        let is_fixed = |byte: u8| match layout {
            Layout::Json => !byte.is_ascii_digit(),
            _ => is_separator(byte) || byte == b'\n',
        };
        let (mut tiles_at, mut cells, mut blank) = ([0; Self::MAX_CELLS], 0, None);
        let (mut mask, mut fixed) = ([0; Self::MAX_STRIDE], [0; Self::MAX_STRIDE]);
        let mut last_tile = None;
        for (at, &byte) in bytes[..stride].iter().enumerate() {
            if is_fixed(byte) {
                (mask[at], fixed[at]) = (0xff, byte);
                continue;
            }
            if !byte.is_ascii_digit() && !BLANKS.contains(&byte) {
                return None;
            }
            // Tiles are separate tokens, or adjacent in the layout `digits`.
            let adjacent = last_tile.map(|last| last + 1 == at);
            match (layout, adjacent) {
                (_, None) | (Layout::Line | Layout::Json, Some(false)) | (Layout::Digits, Some(true)) => {}
                _ => return None,
            }
            last_tile = Some(at);
            *tiles_at.get_mut(cells)? = at as u8;
            cells += 1;
            if (byte == b'0' || BLANKS.contains(&byte)) && blank.replace(byte).is_some() {
                return None;
            }
        }
        Some(RecordTemplate { stride, tiles_at, cells, own_shape, blank: blank?, to_digit: 0, mask, fixed })
    }

    /// Returns the template of boards in memory with one byte per tile, or `None` if the shape has
    /// too many cells.
    pub fn of_tiles(shape: Shape) -> Option<RecordTemplate> {
        let cells = shape.cells();
        if cells > Self::MAX_CELLS {
            return None;
        }
        Some(RecordTemplate {
            stride: cells,
            tiles_at: std::array::from_fn(|cell| cell as u8),
            cells,
            own_shape: Some(shape),
            blank: b'0',
            to_digit: b'0',
            mask: [0; Self::MAX_STRIDE],
            fixed: [0; Self::MAX_STRIDE],
        })
    }

    /// Returns the shape of the board, or `None` if the tiles do not form a board. `default` is
    /// the shape of boards whose records do not show it.
    pub fn shape(&self, default: Option<Shape>) -> Option<Shape> {
        let shape = self.own_shape.or(default).or_else(|| Shape::square_of(self.cells));
        shape.filter(|shape| shape.cells() == self.cells)
    }

    /// Returns the number of bytes that are read for this number of records. The last one is read
    /// as if it had the maximum length.
    #[inline(always)]
    pub(super) fn bytes_of(&self, records: usize) -> usize {
        (records - 1) * self.stride + Self::MAX_STRIDE
    }

    /// Returns the positions of the tiles.
    #[inline(always)]
    pub(super) fn tiles_at(&self) -> &[u8] {
        &self.tiles_at[..self.cells]
    }
}

/// Returns the shape of an array of rows, `Some(None)` if it has no rows, or `None` if a board
/// cannot have these rows.
fn json_shape(array: &JsonArray) -> Option<Option<Shape>> {
    let Some(&cols) = array.rows.first() else { return Some(None) };
    let are_equal = array.rows.iter().all(|&row| row == cols);
    Shape::new(array.rows.len(), cols).filter(|_| are_equal).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_have_templates() {
        for (line, layout, stride, cells, blank) in [
            ("1 2 3 4 5 6 7 8 0\n", Layout::Line, 18, 9, b'0'),
            ("1,2,3,x,5,6,7,8,4\r\nmore", Layout::Line, 19, 9, b'x'),
            (" 3\t1  2 _ \n", Layout::Line, 11, 4, b'_'),
            ("123456780\n", Layout::Digits, 10, 9, b'0'),
            ("12X453786\r\n", Layout::Digits, 11, 9, b'X'),
            ("[1,2,3,0]\n", Layout::Json, 10, 4, b'0'),
            (" [[1, 2], [3, 0]]\r\n", Layout::Json, 19, 4, b'0'),
        ] {
            let template = RecordTemplate::of_line(line.as_bytes(), layout).unwrap();
            assert_eq!((template.stride, template.cells, template.blank), (stride, cells, blank), "{line:?}");
        }
    }

    #[test]
    fn rows_show_their_shape() {
        let shape = |line: &str, default| {
            let template = RecordTemplate::of_line(line.as_bytes(), Layout::Json).unwrap();
            template.shape(default).map(|shape| shape.to_string())
        };
        let flat = Shape::new(1, 4);
        assert_eq!(shape("[[1,2,3,0]]\n", None).as_deref(), Some("1x4"));
        assert_eq!(shape("[[1,2],[3,0]]\n", flat).as_deref(), Some("2x2"));
        assert_eq!(shape("[1,2,3,0]\n", flat).as_deref(), Some("1x4"));
        assert_eq!(shape("[1,2,3,0]\n", None).as_deref(), Some("2x2"));
        assert_eq!(shape("[1,2,3,4,5,0]\n", None), None);
        assert_eq!(shape("[1,2,3,0]\n", Shape::new(3, 3)), None);
    }

    #[test]
    fn other_lines_have_no_template() {
        for (line, layout) in [
            ("", Layout::Line),
            ("\n", Layout::Line),
            ("1 2 3 4 5 6 7 8 0", Layout::Line),
            ("1 2 3 4 5 6 7 8 0 # so\n", Layout::Line),
            ("# 1 2 3 4 5 6 7 8 0\n", Layout::Line),
            ("1 2 3 4 5 6 7 8 9\n", Layout::Line),
            ("1 2 3 4 5 6 7 x 0\n", Layout::Line),
            ("1 2 3 4 5 6 7 10 0\n", Layout::Line),
            ("0 1 2 3 4 5 6 7 8 9\n", Layout::Line),
            ("1 2 3 4 5 6 7 8 -\n", Layout::Line),
            ("1 2 3 4 5 6 7 8 0                                    \n", Layout::Line),
            ("123456780\n", Layout::Line),
            ("1 2 3 4 5 6 7 8 0\n", Layout::Digits),
            ("1234 56780\n", Layout::Digits),
            ("1 2 3 0\n", Layout::Grid),
            ("1,2,3,0\n", Layout::Json),
            ("[1,2,3,x]\n", Layout::Json),
            ("[1,2,3,\"0\"]\n", Layout::Json),
            ("[1 2,3,0]\n", Layout::Json),
            ("[1,2,3,0],\n", Layout::Json),
            ("[[1,2],[3,0]\n", Layout::Json),
            ("[[1,2],[3],[0]]\n", Layout::Json),
            ("[1,2,3,0]\n", Layout::Line),
            ("[1,2,3,0]\n", Layout::Csv),
        ] {
            assert_eq!(RecordTemplate::of_line(line.as_bytes(), layout), None, "{line:?}");
        }
    }

    #[test]
    fn a_template_is_found_after_a_few_other_lines() {
        let text = b"# boards\n\n1 2 3 0 x\n 4 0 4 1 2 3 5 6 7 8\n1 2 3 4 5 6 7 8 0\n";
        assert_eq!(RecordTemplate::find(text, Layout::Line).unwrap().stride, 18);
        let comments = "# more boards\n".repeat(40) + "1 2 3 0\n";
        assert_eq!(RecordTemplate::find(comments.as_bytes(), Layout::Line), None);
        assert_eq!(RecordTemplate::find(b"no board", Layout::Line), None);
    }
}
