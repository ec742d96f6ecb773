//! The state of a playback, changed by keys and ticks. It does not depend on terminals or clocks.

use std::time::Duration;

/// A command from the keyboard or the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
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

/// The state of a playback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayState {
    /// The playback advances by itself.
    Playing,
    /// The playback waits for a key.
    Paused,
}

/// The reaction to a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterKey {
    /// Draw the current board.
    Draw,
    /// End the playback.
    Quit,
    /// End the playback, and report an interrupt.
    Interrupted,
}

/// A playback of a solution. It knows the number of moves, but not the boards.
#[derive(Clone, Debug)]
pub struct Playback {
    at: usize,
    moves: usize,
    state: PlayState,
    pace: Duration,
}

impl Playback {
    const SLOWEST: Duration = Duration::from_millis(3200);
    const FASTEST: Duration = Duration::from_millis(25);

    /// Creates a playback at the start. It plays unless there are no moves.
    pub fn new(moves: usize) -> Playback {
        let state = if moves > 0 { PlayState::Playing } else { PlayState::Paused };
        Playback { at: 0, moves, state, pace: Duration::from_millis(400) }
    }

    /// Returns the number of moves made.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the state.
    pub fn state(&self) -> PlayState {
        self.state
    }

    /// Returns the time per move.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// Advances by a move, if playing. Call it when the time of a move has passed.
    pub fn tick(&mut self) {
        if self.state == PlayState::Playing {
            self.at = (self.at + 1).min(self.moves);
            if self.at == self.moves {
                self.state = PlayState::Paused;
            }
        }
    }

    /// Carries out a command.
    pub fn press(&mut self, key: Key) -> AfterKey {
        match key {
            Key::PlayOrPause if self.state == PlayState::Playing => self.state = PlayState::Paused,
            Key::PlayOrPause => {
                if self.at == self.moves {
                    self.at = 0;
                }
                self.state = Playback::new(self.moves).state;
            }
            Key::Forward => self.go((self.at + 1).min(self.moves)),
            Key::Back => self.go(self.at.saturating_sub(1)),
            Key::Start => self.go(0),
            Key::End => self.go(self.moves),
            Key::Faster => self.pace = (self.pace / 2).max(Self::FASTEST),
            Key::Slower => self.pace = (self.pace * 2).min(Self::SLOWEST),
            Key::Redraw => {}
            Key::Quit => return AfterKey::Quit,
            Key::Interrupt => return AfterKey::Interrupted,
        }
        AfterKey::Draw
    }

    /// Goes to a board and pauses.
    fn go(&mut self, at: usize) {
        (self.at, self.state) = (at, PlayState::Paused);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_to_the_end_and_from_the_start_again() {
        let mut playback = Playback::new(2);
        let state_of = |playback: &Playback| (playback.at(), playback.state());
        assert_eq!(state_of(&playback), (0, PlayState::Playing));
        playback.tick();
        assert_eq!(state_of(&playback), (1, PlayState::Playing));
        playback.tick();
        assert_eq!(state_of(&playback), (2, PlayState::Paused));
        playback.tick();
        assert_eq!(state_of(&playback), (2, PlayState::Paused));
        playback.press(Key::PlayOrPause);
        assert_eq!(state_of(&playback), (0, PlayState::Playing));
        playback.press(Key::PlayOrPause);
        playback.tick();
        assert_eq!(state_of(&playback), (0, PlayState::Paused));
    }

    #[test]
    fn steps_pause_and_stay_within_the_path() {
        let mut playback = Playback::new(2);
        let mut at = |key| {
            assert_eq!(playback.press(key), AfterKey::Draw);
            assert_eq!(playback.state(), PlayState::Paused);
            playback.at()
        };
        assert_eq!([Key::Back, Key::Forward, Key::Forward, Key::Forward].map(&mut at), [0, 1, 2, 2]);
        assert_eq!([Key::Back, Key::Start, Key::End, Key::Redraw].map(&mut at), [1, 0, 2, 2]);
    }

    #[test]
    fn a_path_without_moves_stays_paused() {
        let mut playback = Playback::new(0);
        playback.press(Key::PlayOrPause);
        assert_eq!((playback.at(), playback.state()), (0, PlayState::Paused));
    }

    #[test]
    fn the_pace_is_bounded_and_two_keys_end_the_playback() {
        let mut playback = Playback::new(9);
        for _ in 0..20 {
            playback.press(Key::Faster);
        }
        assert_eq!(playback.pace(), Playback::FASTEST);
        for _ in 0..20 {
            playback.press(Key::Slower);
        }
        assert_eq!(playback.pace(), Playback::SLOWEST);
        assert_eq!(playback.press(Key::Quit), AfterKey::Quit);
        assert_eq!(playback.press(Key::Interrupt), AfterKey::Interrupted);
    }
}
