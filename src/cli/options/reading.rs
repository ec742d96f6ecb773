//! The options for reading records, and boards typed on the command line instead of files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::solving::Solving;
use super::values::{AnyProfile, OrAuto, choice_or_auto};
use crate::board::{Board, Goal, Shape, tokens};
use crate::format::input::{self, Expanded, Input, InputOptions, Layout};
use crate::format::profile::Profile;

/// The inputs of a run.
#[derive(Debug, Args)]
pub struct Inputs {
    /// Files, folders or boards such as 1,2,3/4,0,5; - for standard input
    #[arg(value_name = "FILE", default_value = "-", help_heading = None)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,
}

impl Inputs {
    /// Returns the options for reading.
    ///
    /// # Errors
    /// When [`are_boards`] fails, or when the profile does not apply to boards on the command line.
    pub fn options(&self, solving: &Solving) -> Result<InputOptions, String> {
        match are_boards(&self.inputs)? {
            true => self.reading.options_of_typed_boards(solving),
            false => Ok(self.reading.options(solving)),
        }
    }
}

/// The options for the format of boards, and for the shape and goal of boards whose records do not
/// state them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct BoardOptions {
    /// Format of an online judge: a name (see taquin profiles) or a TOML file
    #[arg(long = "as", value_name = "PROFILE", value_parser = AnyProfile)]
    pub profile: Option<&'static Profile>,

    /// Shape of the boards [default: as in their records, or square]
    ///
    /// A board whose record does not state a shape gets this one. In taquin check, all other boards
    /// must have it, too. Default: the shape of the profile; without one, the shape in the file's
    /// `# taquin:` line (written by taquin generate); otherwise square.
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// Goal: blank-last, blank-first, snail (a spiral), or a board
    ///
    /// A board is written like 1,2,3/8,0,4/7,6,5. Default: the goal of the profile; without one, the
    /// goal in the file's `# taquin:` line; otherwise blank-last.
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,
}

impl BoardOptions {
    /// Returns the options for reading. The profile fills in options that were not given. The
    /// windows that zstd needs for decompression get a share of the memory.
    pub fn options(&self, solving: &Solving) -> InputOptions {
        let (goal, shape, decompression) = (self.goal.clone(), self.shape, solving.decompression_limit());
        let options = InputOptions { goal, shape, decompression, ..InputOptions::default() };
        self.profile.map_or(options.clone(), |profile| profile.fill(options))
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct ReadingOptions {
    #[command(flatten)]
    pub boards: BoardOptions,

    /// Layout: auto, line, digits, grid, sized, pair, json, csv
    ///
    /// line: one board per line, tiles separated. digits: one character per tile, such as
    /// 123804765. grid: one row per line. sized: the numbers of rows and columns, then the tiles.
    /// pair: a start and its goal.
    #[arg(long = "format", value_name = "LAYOUT", default_value = "auto", value_parser = choice_or_auto(&Layout::ALL, Layout::name))]
    layout: OrAuto<Layout>,

    /// Read the number of records from the first line of each file
    #[arg(long)]
    count_line: bool,

    /// Expect a record number before each board
    #[arg(long)]
    numbered: bool,

    /// JSON field or CSV column of the board [default: the first of board, grid, tiles, cells, state, puzzle]
    #[arg(long, value_name = "NAME")]
    board_field: Option<Arc<str>>,
}

impl ReadingOptions {
    /// Returns the options for reading. The profile fills in options that were not given.
    pub fn options(&self, solving: &Solving) -> InputOptions {
        let board_options = self.boards.options(solving);
        InputOptions {
            layout: self.layout.or(board_options.layout),
            count_line: self.count_line || board_options.count_line,
            numbered: self.numbered,
            board_field: self.board_field.clone(),
            ..board_options
        }
    }

    /// Returns the options for boards on the command line, without those for the format of files.
    ///
    /// # Errors
    /// When the profile reads the goals from the records.
    pub fn options_of_typed_boards(&self, solving: &Solving) -> Result<InputOptions, String> {
        match self.boards.profile {
            Some(profile) if profile.goal.is_none() => Err(format!(
                "the records of {} contain their goals: replace --as with --goal for a board on the command line",
                profile.name
            )),
            _ => Ok(InputOptions { layout: None, count_line: false, numbered: false, ..self.options(solving) }),
        }
    }
}

/// Returns true if a word looks like a board: it contains only tiles and separators.
pub fn is_board(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b" ,/\t[]".contains(&byte) || tokens::BLANKS.contains(&byte);
    let tiles: Vec<u8> = word.bytes().filter(|&byte| byte != b'/').collect();
    let is_lettered = tokens::lettered_board(&tiles).is_some();
    is_lettered || (word.bytes().all(is_part) && word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Returns true if an argument is a board: its tiles are separated, and no file has this name. If
/// slashes are the only separators, the argument must be a valid board, because `2024/05` may name
/// a folder.
fn is_board_argument(argument: &Path) -> bool {
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
    match arguments.iter().position(|argument| !is_board_argument(argument)) {
        None => Ok(true),
        Some(first_file) => match arguments.iter().find(|argument| is_board_argument(argument)) {
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
pub fn expand_inputs(arguments: &[PathBuf]) -> Result<Expanded, String> {
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
