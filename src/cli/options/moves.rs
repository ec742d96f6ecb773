//! The options for the notation of moves.

use clap::Args;

use crate::board::Shape;
use crate::format::profile::{AnswerFormat, Profile};
use crate::format::spelling::{MovingPiece, Notation, Spelling};

#[derive(Debug, Clone, Copy, Args)]
pub struct Moves {
    /// Notation of moves: UDLR, udlr, words, tiles, runs [default: UDLR]
    ///
    /// words: UP, DOWN, LEFT and RIGHT. tiles: the numbers of the tiles that move. runs: R3U2L for
    /// RRRUUL. With --as, the default is the notation of the judge.
    #[arg(long, value_name = "NOTATION")]
    pub notation: Option<Notation>,

    /// Whose moves the path lists: blank, tile [default: blank]
    #[arg(long, value_name = "PIECE")]
    pub path_of: Option<MovingPiece>,
}

impl Moves {
    /// Returns the default notation, changed by the options.
    pub fn spelling(self) -> Spelling {
        Spelling::default().with(self.notation, self.path_of)
    }

    /// Returns the answer format of a profile, changed by the options, for boards of this shape.
    ///
    /// # Errors
    /// A message for the user, if the profile has no answer format, or it does not suit the shape.
    pub fn answer_format(self, profile: &Profile, shape: Option<Shape>) -> Result<AnswerFormat, String> {
        let Moves { notation, path_of } = self;
        let format =
            profile.answer.ok_or_else(|| format!("{} has no answer format: use another profile", profile.name))?;
        profile.check_shape(shape, notation, path_of)?;
        Ok(AnswerFormat { spelling: format.spelling.with(notation, path_of), ..format })
    }
}
