//! How moves are written.

use clap::Args;

use super::values;
use crate::format::spelling::{Letters, PathOf, Spelling};

#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Moves")]
pub struct Moves {
    /// How moves are spelled: udlr, UDLR, words (UP DOWN LEFT RIGHT), tiles (the numbers of those that
    /// move) or runs (R3U2L for RRRUUL). By default UDLR, or as the profile has it.
    #[arg(long, value_name = "LETTERS", hide_possible_values = true, value_parser = values::named(Letters::ALL.map(Letters::name), values::read::<Letters>))]
    pub letters: Option<Letters>,

    /// Whose movement the letters name: that of the blank (the default) or of the tile that slides into it.
    #[arg(long, value_name = "WHOSE", hide_possible_values = true, value_parser = values::named([PathOf::Blank, PathOf::Tile].map(PathOf::name), values::read::<PathOf>))]
    pub path_of: Option<PathOf>,
}

impl Moves {
    /// The default spelling, as far as no option changes it.
    pub fn spelling(self) -> Spelling {
        Spelling::default().with(self.letters, self.path_of)
    }
}
