//! The state of a playback, changed by keys and ticks. It does not depend on terminals or clocks.

use std::time::Duration;

/// A command from the keyboard, or from the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Play or pause. At the end, play from the start again.
    PlayOrPause,
    /// One move forward.
    Forward,
    /// One move back.
    Back,
    /// Go to the first board.
    Start,
    /// Go to the goal.
    End,
    /// Halve the time per move.
    Faster,
    /// Double the time per move.
    Slower,
    /// Redraw, because the terminal was resized.
    Redraw,
    /// End the playback.
    Quit,
    /// End the playback, and report an interrupt.
    Interrupt,
}

/// A playback of a solution. It knows the number of moves, but not the boards.
#[derive(Clone, Debug)]
pub struct Playback {
    /// The number of moves made.
    pub at: usize,
    /// True if the playback advances by itself, false if it waits for a key.
    pub is_playing: bool,
    /// The time per move.
    pub pace: Duration,
    /// The number of moves of the solution.
    pub moves: usize,
}

impl Playback {
    const SLOWEST: Duration = Duration::from_millis(3200);
    const FASTEST: Duration = Duration::from_millis(25);

    /// Creates a playback at the start. It plays unless there are no moves.
    pub fn new(moves: usize) -> Playback {
        Playback { at: 0, is_playing: moves > 0, pace: Duration::from_millis(400), moves }
    }

    /// Advances by a move, if playing. Call it when the time of a move has passed.
    pub fn tick(&mut self) {
        if self.is_playing {
            self.at = (self.at + 1).min(self.moves);
            self.is_playing = self.at < self.moves;
        }
    }

    /// Carries out a command, except those that end the playback.
    pub fn press(&mut self, command: Command) {
        match command {
            Command::PlayOrPause if self.is_playing => self.is_playing = false,
            Command::PlayOrPause => {
                if self.at == self.moves {
                    self.at = 0;
                }
                self.is_playing = self.moves > 0;
            }
            Command::Forward => self.go((self.at + 1).min(self.moves)),
            Command::Back => self.go(self.at.saturating_sub(1)),
            Command::Start => self.go(0),
            Command::End => self.go(self.moves),
            Command::Faster => self.pace = (self.pace / 2).max(Self::FASTEST),
            Command::Slower => self.pace = (self.pace * 2).min(Self::SLOWEST),
            Command::Redraw | Command::Quit | Command::Interrupt => {}
        }
    }

    /// Goes to a board and pauses.
    fn go(&mut self, at: usize) {
        (self.at, self.is_playing) = (at, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_to_the_end_and_from_the_start_again() {
        let mut playback = Playback::new(2);
        let state_of = |playback: &Playback| (playback.at, playback.is_playing);
        assert_eq!(state_of(&playback), (0, true));
        playback.tick();
        assert_eq!(state_of(&playback), (1, true));
        playback.tick();
        assert_eq!(state_of(&playback), (2, false));
        playback.tick();
        assert_eq!(state_of(&playback), (2, false));
        playback.press(Command::PlayOrPause);
        assert_eq!(state_of(&playback), (0, true));
        playback.press(Command::PlayOrPause);
        playback.tick();
        assert_eq!(state_of(&playback), (0, false));
    }

    #[test]
    fn steps_pause_and_stay_within_the_path() {
        let mut playback = Playback::new(2);
        let mut at = |key| {
            playback.press(key);
            assert!(!playback.is_playing);
            playback.at
        };
        assert_eq!([Command::Back, Command::Forward, Command::Forward, Command::Forward].map(&mut at), [0, 1, 2, 2]);
        assert_eq!([Command::Back, Command::Start, Command::End, Command::Redraw].map(&mut at), [1, 0, 2, 2]);
    }

    #[test]
    fn a_path_without_moves_stays_paused() {
        let mut playback = Playback::new(0);
        playback.press(Command::PlayOrPause);
        assert_eq!((playback.at, playback.is_playing), (0, false));
    }

    #[test]
    fn the_pace_is_bounded() {
        let mut playback = Playback::new(9);
        for _ in 0..20 {
            playback.press(Command::Faster);
        }
        assert_eq!(playback.pace, Playback::FASTEST);
        for _ in 0..20 {
            playback.press(Command::Slower);
        }
        assert_eq!(playback.pace, Playback::SLOWEST);
    }
}
