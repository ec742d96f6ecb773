//! Boards typed on the command line instead of files.

use std::path::{Path, PathBuf};

use crate::board::{Board, tokens};
use crate::format::input::{self, Expanded, Input};

/// Returns true if a word looks like a board: it contains only tiles and separators.
pub fn is_board(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b" ,/\t[]".contains(&byte) || tokens::BLANKS.contains(&byte);
    let tiles: Vec<u8> = word.bytes().filter(|&byte| byte != b'/').collect();
    let is_lettered = tokens::lettered_board(&tiles).is_some();
    is_lettered || (word.bytes().all(is_part) && word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Returns true if an argument is a board: its tiles are separated, and no file has this name. If
/// slashes are the only separators, it must be a valid board, because `2024/05` may name a folder.
fn is_typed(argument: &Path) -> bool {
    let Some(text) = argument.to_str() else { return false };
    let is_separated = text.contains([' ', ',']) || text.contains('/') && text.parse::<Board>().is_ok();
    is_separated && is_board(text) && !argument.exists()
}

/// Returns true if the arguments together are one board, and none is a file.
fn is_unquoted(arguments: &[PathBuf]) -> bool {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    words.len() > 1 && words.join(" ").parse::<Board>().is_ok() && !arguments.iter().any(|argument| argument.exists())
}

/// Returns true if the arguments are boards, false if they are files.
///
/// # Errors
/// When some are boards and some are files, or the arguments together are one board without quotes.
pub fn are_boards(arguments: &[PathBuf]) -> Result<bool, String> {
    match arguments.iter().position(|argument| !is_typed(argument)) {
        None => Ok(true),
        Some(first_file) => match arguments.iter().find(|argument| is_typed(argument)) {
            None if is_unquoted(arguments) => Err("a board of several words needs quotes, as in '1 2 3 0'".into()),
            None => Ok(false),
            Some(board) => Err(format!(
                "cannot read both the board '{}' and the file '{}': give either boards or files",
                board.display(),
                arguments[first_file].display()
            )),
        },
    }
}

/// Returns the inputs named by the arguments, which may be boards.
///
/// # Errors
/// As [`are_boards`].
pub fn expand(arguments: &[PathBuf]) -> Result<Expanded, String> {
    if !are_boards(arguments)? {
        return Ok(input::expand(arguments));
    }
    let boards = arguments.iter().map(|argument| Input::Text(argument.to_string_lossy().into_owned()));
    Ok(Expanded { inputs: boards.collect(), ..Expanded::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_differ_from_names_of_files() {
        for board in [
            "283104765",
            "1,2,3/4,5,6/7,8,x",
            "1 2 3 0",
            "12/30",
            "12_3",
            "[[1,2,3],[4,0,5]]",
            "FE169B4C0A73D852",
            "123/456/789/AB0",
        ] {
            assert!(is_board(board), "{board}");
        }
        for file in ["boards.txt", "-", "", "x", "korf", "a1", "../1.in"] {
            assert!(!is_board(file), "{file}");
        }
    }

    #[test]
    fn arguments_are_boards_or_files() {
        let are = |arguments: &[&str]| are_boards(&arguments.iter().map(PathBuf::from).collect::<Vec<_>>());
        for boards in [&["1 2 3 0"][..], &["1,2,3,0", "1 2 2 0"], &["12/30"], &["1 2/3 0"], &["[[1,2],[3,0]]"]] {
            assert_eq!(are(boards), Ok(true), "{boards:?}");
        }
        for files in [&["-"][..], &["boards.txt"], &["1230"], &["2024/05"], &["a, b.txt"], &["src/cli"]] {
            assert_eq!(are(files), Ok(false), "{files:?}");
        }
        assert!(are(&["1", "2", "3", "0"]).unwrap_err().contains("needs quotes"));
        assert!(are(&["boards.txt", "1 2 3 0"]).unwrap_err().contains("'1 2 3 0' and the file 'boards.txt'"));
    }
}
