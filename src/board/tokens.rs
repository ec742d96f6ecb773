//! The text notation of tiles: a number, or a character for the blank.

use super::{Board, Shape, Tile};

/// Characters for the blank, besides the number 0.
pub const BLANKS: [u8; 4] = *b"xX_.";

/// Returns true for the separators of tiles on a line: space, tab, comma, and the carriage return
/// of a CRLF line.
#[inline]
pub const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b'\r')
}

/// Returns the tile that a token names.
///
/// # Errors
/// A message for the user that quotes the token, shortened if it is long.
pub fn tile(token: &[u8]) -> Result<Tile, String> {
    if let [byte] = token
        && BLANKS.contains(byte)
    {
        return Ok(Tile::BLANK);
    }
    let number = token.iter().try_fold(0usize, |number, &byte| {
        byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(usize::from(byte - b'0')))
    });
    match number {
        Some(number) if !token.is_empty() => Tile::try_new(number)
            .ok_or_else(|| format!("tile {} is out of range: no board has more than 65025 cells", quoted(token))),
        _ => Err(format!("{} is neither a number nor a blank (0, x, X, _ or .)", quoted(token))),
    }
}

/// Reads tiles without separators, one character per tile: `FE169B4C0A73D852`. Letters are valid if
/// there are 11 to 16 characters.
///
/// # Errors
/// If a character is not a tile.
pub fn digits(token: &[u8]) -> Result<impl Iterator<Item = Tile> + '_, String> {
    for byte in token {
        if char_label(*byte).is_none_or(|label| label > 9 && !may_have_letters(token)) {
            tile(std::slice::from_ref(byte))?;
        }
    }
    Ok(token.iter().filter_map(|&byte| char_label(byte)).map(Tile::new))
}

fn may_have_letters(token: &[u8]) -> bool {
    (11..=16).contains(&token.len())
}

/// Returns the label that a character stands for. The character may be a digit, a letter from A for
/// 10 to F for 15 in either case, or a character for the blank.
pub fn char_label(byte: u8) -> Option<usize> {
    match byte {
        _ if BLANKS.contains(&byte) => Some(0),
        b'0'..=b'9' => Some(usize::from(byte - b'0')),
        b'A'..=b'F' | b'a'..=b'f' => Some(usize::from(byte.to_ascii_uppercase() - b'A') + 10),
        _ => None,
    }
}

/// Returns the tiles of a token of n = 11 to 16 characters, one character per tile, if each tile
/// from 0 to n − 1 appears once. Tile 10 is then a letter, so the token cannot be read as a number.
pub fn lettered_board(token: &[u8]) -> Option<Vec<Tile>> {
    let tiles: Vec<Tile> = digits(token).ok().filter(|_| may_have_letters(token))?.collect();
    (0..tiles.len()).all(|label| tiles.iter().any(|tile| tile.label() == label)).then_some(tiles)
}

/// Reads the tiles of a board on one line, and its shape if slashes separate the rows. Tiles are
/// numbers between separators or slashes, or one character each.
///
/// # Errors
/// A message for the user, if the text does not have this form.
pub fn tiles_of_text(text: &str) -> Result<(Vec<Tile>, Option<Shape>), String> {
    const MAX_UNSEPARATED: usize = 10;
    let bytes = text.trim().as_bytes();
    let rows = bytes.split(|&byte| byte == b'/');
    let is_separated = bytes.iter().any(|&byte| is_separator(byte));
    let characters = bytes.iter().filter(|&&byte| byte != b'/').count();
    if !is_separated && characters > MAX_UNSEPARATED {
        let characters: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != b'/').collect();
        if let Some(tiles) = lettered_board(&characters) {
            return shape_of_rows(rows.map(<[u8]>::len)).map(|shape| (tiles, shape));
        }
        return column(rows).ok_or_else(|| {
            format!(
                "{} has more than ten tiles; separate them by spaces or commas, or write A to F for 10 to 15",
                quoted(bytes)
            )
        });
    }
    let (mut tiles, mut lengths) = (Vec::new(), Vec::new());
    for row in rows {
        let before = tiles.len();
        for token in row.split(|&byte| is_separator(byte)).filter(|token| !token.is_empty()) {
            if is_separated {
                tiles.push(tile(token)?);
            } else {
                tiles.extend(digits(token)?);
            }
        }
        lengths.push(tiles.len() - before);
    }
    if tiles.is_empty() {
        return Err("no tiles".into());
    }
    shape_of_rows(lengths.into_iter()).map(|shape| (tiles, shape))
}

/// Returns the shape of rows of these lengths; `None` if there is only one row.
fn shape_of_rows(lengths: impl Iterator<Item = usize>) -> Result<Option<Shape>, String> {
    let lengths: Vec<usize> = lengths.collect();
    let (rows, cols) = (lengths.len(), lengths.first().copied().unwrap_or_default());
    if let Some(at) = lengths.iter().position(|&length| length != cols) {
        let found = lengths[at];
        let plural = if found == 1 { "" } else { "s" };
        return Err(format!("row {} has {found} tile{plural}, row 1 has {cols}", at + 1));
    }
    if rows == 1 {
        return Ok(None);
    }
    Shape::new(rows, cols).map(Some).ok_or_else(|| "a board has from 1 to 255 rows and columns".into())
}

/// Reads a board of one column with more than ten tiles: `1/2/3/…/11/0`.
fn column<'a>(rows: impl Iterator<Item = &'a [u8]>) -> Option<(Vec<Tile>, Option<Shape>)> {
    let tiles: Vec<Tile> = rows.map(|row| tile(row).ok()).collect::<Option<_>>()?;
    let shape = Shape::new(tiles.len(), 1)?;
    Board::new(shape, &tiles).ok()?;
    Some((tiles, Some(shape)))
}

/// Returns the first twenty characters of a token for display, in quotes, with unprintable
/// characters escaped.
pub fn quoted(token: &[u8]) -> String {
    const SHOWN: usize = 20;
    // Twenty characters have at most 4 × 20 bytes, so one more byte belongs to another character.
    let text = String::from_utf8_lossy(&token[..token.len().min(4 * SHOWN + 1)]);
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    format!("'{shown}'")
}
