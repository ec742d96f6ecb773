//! Where a replay stands, and what keys and time do to it. It knows neither terminals nor clocks.

use std::time::Duration;

/// What a key means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// Go on by itself, or stop. At the end: from the start again.
    PlayOrPause,
    /// One move on.
    Forward,
    /// One move back.
    Back,
    /// To the first board.
    Start,
    /// To the goal.
    End,
    /// Half the time a move.
    Faster,
    /// Twice the time a move.
    Slower,
    /// Draw it again: the terminal has another size.
    Redraw,
    /// The end of it.
    Quit,
    /// The same, asked for as one interrupts a program.
    Interrupt,
}

/// Whether it goes on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// A move follows the other.
    Playing,
    /// It waits for a key.
    Paused,
}

/// What follows from a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Draw what is seen now.
    Draw,
    /// It is over.
    Quit,
    /// It is over, by an interrupt.
    Interrupted,
}

/// A replay of so many moves.
#[derive(Clone, Debug)]
pub struct Replay {
    at: usize,
    moves: usize,
    state: State,
    pace: Duration,
}

impl Replay {
    const SLOWEST: Duration = Duration::from_millis(3200);
    const FASTEST: Duration = Duration::from_millis(25);

    /// At the start, and playing where there is something to play.
    pub fn new(moves: usize) -> Replay {
        let state = if moves > 0 { State::Playing } else { State::Paused };
        Replay { at: 0, moves, state, pace: Duration::from_millis(400) }
    }

    /// The number of moves made.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether it goes on by itself.
    pub fn state(&self) -> State {
        self.state
    }

    /// The time a move is seen.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// The time of a move has passed.
    pub fn tick(&mut self) {
        if self.state == State::Playing {
            self.at = (self.at + 1).min(self.moves);
            if self.at == self.moves {
                self.state = State::Paused;
            }
        }
    }

    /// A key was pressed.
    pub fn press(&mut self, key: Key) -> Next {
        match key {
            Key::PlayOrPause if self.state == State::Playing => self.state = State::Paused,
            Key::PlayOrPause => {
                if self.at == self.moves {
                    self.at = 0;
                }
                self.state = Replay::new(self.moves).state;
            }
            Key::Forward => self.go((self.at + 1).min(self.moves)),
            Key::Back => self.go(self.at.saturating_sub(1)),
            Key::Start => self.go(0),
            Key::End => self.go(self.moves),
            Key::Faster => self.pace = (self.pace / 2).max(Self::FASTEST),
            Key::Slower => self.pace = (self.pace * 2).min(Self::SLOWEST),
            Key::Redraw => {}
            Key::Quit => return Next::Quit,
            Key::Interrupt => return Next::Interrupted,
        }
        Next::Draw
    }

    /// To a board, and stay there.
    fn go(&mut self, at: usize) {
        (self.at, self.state) = (at, State::Paused);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_plays_to_the_end_and_from_the_start_again() {
        let mut replay = Replay::new(2);
        let seen = |replay: &Replay| (replay.at(), replay.state());
        assert_eq!(seen(&replay), (0, State::Playing));
        replay.tick();
        assert_eq!(seen(&replay), (1, State::Playing));
        replay.tick();
        assert_eq!(seen(&replay), (2, State::Paused));
        replay.tick();
        assert_eq!(seen(&replay), (2, State::Paused));
        replay.press(Key::PlayOrPause);
        assert_eq!(seen(&replay), (0, State::Playing));
        replay.press(Key::PlayOrPause);
        replay.tick();
        assert_eq!(seen(&replay), (0, State::Paused));
    }

    #[test]
    fn steps_stop_it_and_end_where_the_moves_do() {
        let mut replay = Replay::new(2);
        let mut at = |key| {
            assert_eq!(replay.press(key), Next::Draw);
            assert_eq!(replay.state(), State::Paused);
            replay.at()
        };
        assert_eq!([Key::Back, Key::Forward, Key::Forward, Key::Forward].map(&mut at), [0, 1, 2, 2]);
        assert_eq!([Key::Back, Key::Start, Key::End, Key::Redraw].map(&mut at), [1, 0, 2, 2]);
    }

    #[test]
    fn without_moves_there_is_nothing_to_play() {
        let mut replay = Replay::new(0);
        replay.press(Key::PlayOrPause);
        assert_eq!((replay.at(), replay.state()), (0, State::Paused));
    }

    #[test]
    fn the_pace_has_its_limits_and_the_end_its_two_ways() {
        let mut replay = Replay::new(9);
        for _ in 0..20 {
            replay.press(Key::Faster);
        }
        assert_eq!(replay.pace(), Replay::FASTEST);
        for _ in 0..20 {
            replay.press(Key::Slower);
        }
        assert_eq!(replay.pace(), Replay::SLOWEST);
        assert_eq!(replay.press(Key::Quit), Next::Quit);
        assert_eq!(replay.press(Key::Interrupt), Next::Interrupted);
    }
}
