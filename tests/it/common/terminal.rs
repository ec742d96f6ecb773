//! A pseudo-terminal in which a program runs.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Child, Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub struct Terminal {
    screen: File,
    /// The text that has arrived and that [`Terminal::until`] has not consumed.
    unread: String,
    pub child: Child,
}

impl Terminal {
    /// Starts a program in a terminal of this kind, with 80 columns and 24 rows. If the kind is
    /// empty, `TERM` is not set.
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
        let stream = || Stdio::from(device.try_clone().unwrap());
        match kind {
            "" => command.env_remove("TERM"),
            kind => command.env("TERM", kind),
        };
        let child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        // The command holds copies of the program's side of the terminal. Reading ends only when
        // all copies are closed.
        drop(command);
        Terminal { screen: File::from(controller), unread: String::new(), child }
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
}
