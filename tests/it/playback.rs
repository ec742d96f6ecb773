//! `taquin show` on a pseudo-terminal: keys, signals and panics. Each test reads until the expected
//! text arrives or the program ends. No test waits for a fixed time.
#![cfg(unix)]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::common;

const ENTER_SCREEN: &str = "\x1b[?1049h";
const LEAVE_SCREEN: &str = "\x1b[?1049l";
const SHOW_CURSOR: &str = "\x1b[?25h";

/// A pseudo-terminal in which a program runs.
pub struct Terminal {
    keys: File,
    screen: File,
    /// The modes of the terminal before the program started.
    before: Termios,
    /// The text that has arrived and that [`Terminal::until`] has not consumed.
    unread: String,
    pub child: Child,
}

impl Terminal {
    /// Starts a program in a terminal of this kind. If the kind is empty, `TERM` is not set.
    pub fn start(mut command: Command, kind: &str) -> Terminal {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        // A program that inherited the controlling side of its terminal would never see the
        // terminal close.
        fcntl_setfd(&controller, FdFlags::CLOEXEC).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let device = OpenOptions::new().read(true).write(true).open(name).unwrap();
        tcsetwinsize(&device, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let before = tcgetattr(&controller).unwrap();
        let stream = || Stdio::from(device.try_clone().unwrap());
        match kind {
            "" => command.env_remove("TERM"),
            kind => command.env("TERM", kind),
        };
        let child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        // The command holds copies of the program's side of the terminal. Reading ends only when
        // all copies are closed.
        drop(command);
        let screen = File::from(controller);
        Terminal { keys: screen.try_clone().unwrap(), screen, before, unread: String::new(), child }
    }

    fn show(arguments: &[&str]) -> Terminal {
        let mut command = Command::new(common::program());
        command.arg("show").args(arguments);
        Terminal::start(command, "xterm")
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until the expected text has arrived, and returns the unread text up to the end of the
    /// expected text.
    pub fn until(&mut self, expected: &str) -> String {
        let mut block = [0; 4096];
        loop {
            if let Some(at) = self.unread.find(expected) {
                let rest = self.unread.split_off(at + expected.len());
                return std::mem::replace(&mut self.unread, rest);
            }
            let read = match self.screen.read(&mut block) {
                Ok(read @ 1..) => read,
                ended => panic!("the program ended ({ended:?}) before {expected:?}: {:?}", self.unread),
            };
            self.unread += &String::from_utf8_lossy(&block[..read]);
        }
    }

    /// Waits until the program ends, and checks that it restored the terminal's modes and screen.
    fn end(mut self) -> ExitStatus {
        let restored = self.until(LEAVE_SCREEN);
        assert!(restored.contains(SHOW_CURSOR), "{restored:?}");
        let status = self.child.wait().unwrap();
        let after = tcgetattr(&self.screen).unwrap();
        assert!(after.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO));
        assert_eq!(after.local_modes, self.before.local_modes);
        assert_eq!((after.input_modes, after.output_modes), (self.before.input_modes, self.before.output_modes));
        status
    }
}

const BOARD: &str = "23415x768";

#[test]
fn keys_step_through_the_solution() {
    let mut terminal = Terminal::show(&[BOARD]);
    terminal.until(ENTER_SCREEN);
    terminal.until("move 0 of 19  (playing)");
    // Home returns to the start and pauses.
    terminal.press("\x1b[H");
    terminal.until("move 0 of 19  (paused)");
    terminal.press("l");
    let drawn = terminal.until("move 1 of 19: D  (paused)");
    assert!(drawn.contains('│'), "{drawn:?}");
    terminal.press("\x1b[C");
    terminal.until("move 2 of 19: L  (paused)");
    terminal.press("h");
    terminal.until("move 1 of 19: D  (paused)");
    terminal.press("\x1b[D");
    terminal.until("move 0 of 19  (paused)");
    terminal.press("\x1b[F");
    terminal.until("move 19 of 19: R  (solved)");
    // At the end, the space bar plays the whole solution again, here at a high speed.
    terminal.press("++++++++ ");
    terminal.until("move 0 of 19  (playing)");
    terminal.until("move 19 of 19: R  (solved)");
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn interrupts_end_a_playback_with_their_status() {
    let mut terminal = Terminal::show(&[BOARD]);
    terminal.until("(playing)");
    terminal.press("\x03");
    assert_eq!(terminal.end().code(), Some(130));
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let mut terminal = Terminal::show(&[BOARD]);
        terminal.until("(playing)");
        kill_process(Pid::from_child(&terminal.child), signal).unwrap();
        assert_eq!(terminal.end().code(), Some(code));
    }
}

/// The program ends after the terminal is closed, whether it is playing or paused.
#[test]
fn a_lost_terminal_ends_the_program() {
    for key in ["", " "] {
        let mut terminal = Terminal::show(&[BOARD]);
        terminal.until("(playing)");
        if !key.is_empty() {
            terminal.press(key);
            terminal.until("(paused)");
        }
        let Terminal { keys, screen, mut child, .. } = terminal;
        drop((keys, screen));
        // A program that is drawing at that moment fails with status 2.
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(129 | 2)), "{code:?}");
    }
}

#[test]
fn boards_are_text_on_request_or_without_a_capable_terminal() {
    let mut terminal = Terminal::show(&["--frames", "1 2 3 4 5 6 7 0 8"]);
    terminal.until("1 2 3\r\n4 5 6\r\n7 8 0\r\n\r\n1\r\n");
    assert!(terminal.child.wait().unwrap().success());
    // On a terminal that cannot draw, or whose kind is unknown, boards are text without any option.
    for kind in ["dumb", ""] {
        let mut command = Command::new(common::program());
        command.args(["show", "1 2 3 4 5 6 7 0 8"]);
        let mut terminal = Terminal::start(command, kind);
        let listed = terminal.until("1 2 3\r\n4 5 6\r\n7 8 0\r\n\r\n1\r\n");
        assert!(!listed.contains('\x1b'), "{listed:?}");
        assert!(terminal.child.wait().unwrap().success());
    }
}

/// After the playback, the normal screen shows the number of moves.
#[test]
fn the_number_of_moves_remains_after_a_playback() {
    let mut terminal = Terminal::show(&["1 2 3 4 5 6 7 0 8"]);
    terminal.press("q");
    terminal.until(LEAVE_SCREEN);
    terminal.until("1 move\r\n");
    assert!(terminal.child.wait().unwrap().success());
}

/// Fails on purpose. The test below runs it in a terminal.
#[test]
#[ignore = "fails on purpose: a_panic_restores_the_terminal runs it"]
fn panics_with_an_open_screen() {
    let _screen = taquin::internal::tools::show::terminal::Screen::open().unwrap();
    panic!("on purpose");
}

#[test]
fn a_panic_restores_the_terminal() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "playback::panics_with_an_open_screen", "--ignored", "--nocapture"]);
    let mut terminal = Terminal::start(command, "xterm");
    terminal.until(ENTER_SCREEN);
    let restored = terminal.until(LEAVE_SCREEN);
    assert!(restored.contains(SHOW_CURSOR));
    // The panic message follows on the restored screen, where it can be read. The screen is
    // restored only once.
    terminal.until("on purpose");
    let rest = terminal.until("FAILED");
    assert!(!rest.contains(LEAVE_SCREEN), "{rest:?}");
    assert!(!terminal.child.wait().unwrap().success());
    let after = tcgetattr(&terminal.screen).unwrap();
    assert_eq!(after.local_modes, terminal.before.local_modes);
}
