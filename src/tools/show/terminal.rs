//! A playback in a terminal, controlled by keys.
//!
//! While a playback runs, the terminal is in raw mode and shows the alternate screen. [`Screen`]
//! restores the terminal once, however the playback ends: by a key, a signal, an error or a panic.
//! The flag that a signal sets is polled at least ten times a second.

use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyModifiers};
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue, terminal};
use rustix::event::{PollFd, PollFlags, poll};

use super::playback::{Command, Playback};
use super::screen::{Line, layout};
use crate::board::{Board, Path};
use crate::format::spelling::Spelling;

/// The maximum delay before a signal is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The terminal while a playback uses it.
pub struct Screen(());

/// True if the terminal must be restored.
static OPEN: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Switches the terminal to raw mode and the alternate screen.
    ///
    /// # Errors
    /// When there is no terminal that can be written to and read from.
    pub fn open() -> io::Result<Screen> {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The panic message would disappear with the alternate screen.
            restore();
            default_hook(info);
        }));
        OPEN.store(true, Ordering::SeqCst);
        // Dropping `screen` restores the terminal if anything below fails.
        let screen = Screen(());
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Replaces the screen's contents with these lines in one update.
    fn show(&self, lines: &[Line]) -> io::Result<()> {
        let mut out = Vec::new();
        queue!(out, BeginSynchronizedUpdate)?;
        for (at, line) in lines.iter().enumerate() {
            // Clear before the text. After a line that fills the terminal, clearing would remove
            // its last character.
            let region = if at + 1 == lines.len() { ClearType::FromCursorDown } else { ClearType::UntilNewLine };
            queue!(out, cursor::MoveTo(0, u16::try_from(at).unwrap_or(u16::MAX)), Clear(region))?;
            for (place, character) in line.text.chars().enumerate() {
                match &line.highlighted {
                    Some(range) if range.start == place => queue!(out, SetAttribute(Attribute::Reverse))?,
                    Some(range) if range.end == place => queue!(out, SetAttribute(Attribute::Reset))?,
                    _ => {}
                }
                queue!(out, Print(character))?;
            }
            queue!(out, SetAttribute(Attribute::Reset))?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        let mut terminal = io::stdout().lock();
        terminal.write_all(&out)?;
        terminal.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal. A second call does nothing.
pub fn restore() {
    if OPEN.swap(false, Ordering::SeqCst) {
        // An error cannot be reported, because the terminal would have to show it.
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// Plays a solution until a key ends it or `stop` is set. Returns false if it was interrupted: by
/// `stop`, or by Ctrl-C, which is a key here and sends no signal.
///
/// # Errors
/// When the terminal cannot be read or written.
pub fn play(start: &Board, path: &Path, spelling: Spelling, stop: &AtomicBool) -> io::Result<bool> {
    let screen = Screen::open()?;
    exit_when_terminal_is_lost()?;
    let mut playback = Playback::new(path.len());
    let mut last_move = Instant::now();
    let draw = |playback: &Playback| screen.show(&layout(start, path, spelling, playback, size()));
    draw(&playback)?;
    loop {
        let wait = if playback.is_playing { playback.pace.saturating_sub(last_move.elapsed()) } else { POLL_INTERVAL };
        let pressed = if event::poll(wait.min(POLL_INTERVAL))? { command(&event::read()?) } else { None };
        if stop.load(Ordering::SeqCst) {
            return Ok(false);
        }
        match pressed {
            Some(Command::Quit) => return Ok(true),
            Some(Command::Interrupt) => return Ok(false),
            Some(command) => {
                playback.press(command);
                if command == Command::PlayOrPause {
                    last_move = Instant::now();
                }
            }
            None if playback.is_playing && last_move.elapsed() >= playback.pace => {
                playback.tick();
                last_move = Instant::now();
            }
            None => continue,
        }
        draw(&playback)?;
    }
}

/// Starts a thread that exits the process when the terminal is lost, because its window was closed
/// or its connection broke. Without this thread, the wait for keys would spin on empty reads, and
/// end neither at a signal nor after its timeout.
fn exit_when_terminal_is_lost() -> io::Result<()> {
    /// The exit status of a process ended by SIGHUP.
    const HUNG_UP: i32 = 128 + 1;
    let terminal: OwnedFd = match io::stdin() {
        stdin if stdin.is_terminal() => stdin.as_fd().try_clone_to_owned()?,
        _ => std::fs::File::open("/dev/tty")?.into(),
    };
    let wait = move || {
        loop {
            let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
            match poll(&mut watched, None) {
                Err(rustix::io::Errno::INTR) => {}
                // There is no terminal left to restore.
                Ok(_) if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) => {
                    std::process::exit(HUNG_UP)
                }
                _ => return,
            }
        }
    };
    std::thread::Builder::new().name("terminal".into()).spawn(wait).map(drop)
}

/// Returns the number of columns and lines of the terminal. A terminal of unknown size is treated
/// as a VT100, with 80 columns and 24 lines.
fn size() -> (usize, usize) {
    let (columns, lines) =
        terminal::size().ok().filter(|&(columns, lines)| columns > 0 && lines > 0).unwrap_or((80, 24));
    (columns.into(), lines.into())
}

/// Returns the command for an event, if there is one.
fn command(event: &Event) -> Option<Command> {
    let &Event::Key(KeyEvent { code, modifiers, .. }) = event else {
        return matches!(event, Event::Resize(..)).then_some(Command::Redraw);
    };
    if modifiers.contains(KeyModifiers::CONTROL) {
        return (code == KeyCode::Char('c')).then_some(Command::Interrupt);
    }
    Some(match code {
        KeyCode::Char(' ' | 'p') => Command::PlayOrPause,
        KeyCode::Right | KeyCode::Char('l' | 'n') => Command::Forward,
        KeyCode::Left | KeyCode::Char('h' | 'b') => Command::Back,
        KeyCode::Home | KeyCode::Char('g' | '0') => Command::Start,
        KeyCode::End | KeyCode::Char('G' | '$') => Command::End,
        KeyCode::Char('+' | '=') => Command::Faster,
        KeyCode::Char('-') => Command::Slower,
        KeyCode::Char('q') | KeyCode::Esc => Command::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_documented_actions() {
        let typed = |code| command(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        assert_eq!(typed(KeyCode::Char(' ')), Some(Command::PlayOrPause));
        assert_eq!([KeyCode::Right, KeyCode::Char('l')].map(typed), [Some(Command::Forward); 2]);
        assert_eq!([KeyCode::Left, KeyCode::Char('h')].map(typed), [Some(Command::Back); 2]);
        assert_eq!([KeyCode::Home, KeyCode::End].map(typed), [Some(Command::Start), Some(Command::End)]);
        assert_eq!([KeyCode::Char('+'), KeyCode::Char('-')].map(typed), [Some(Command::Faster), Some(Command::Slower)]);
        assert_eq!([KeyCode::Char('q'), KeyCode::Esc].map(typed), [Some(Command::Quit); 2]);
        assert_eq!(typed(KeyCode::Char('c')), None);
        let control = |code| command(&Event::Key(KeyEvent::new(code, KeyModifiers::CONTROL)));
        assert_eq!(control(KeyCode::Char('c')), Some(Command::Interrupt));
        assert_eq!(control(KeyCode::Char('q')), None);
        assert_eq!(command(&Event::Resize(3, 4)), Some(Command::Redraw));
    }
}
