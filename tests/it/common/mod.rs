//! Runs the program as a user does.

pub mod disturbed;
pub mod mixed;
pub mod schema;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use taquin::internal::system::Random;

/// The program, run in the project's folder so that file names in results are what a user sees.
pub fn taquin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taquin"));
    command.current_dir(project());
    command
}

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The text as a zstd file.
pub fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Runs it with arguments and standard input.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = taquin()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.as_ref().to_vec();
    // From a thread of its own: the program may write more than a pipe holds before it reads on.
    let feeder = std::thread::spawn(move || {
        // It may stop reading early, which is then what the test is about.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    output
}

/// Its standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

/// Its standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A solvable board, by a walk of so many moves from the goal.
pub fn scrambled_15(random: &mut Random, moves: usize) -> String {
    let mut tiles: Vec<usize> = (1..16).chain([0]).collect();
    let mut blank = 15;
    for _ in 0..moves {
        let (row, col) = (blank / 4, blank % 4);
        let to = match random.below(4) {
            0 if row < 3 => blank + 4,
            1 if col > 0 => blank - 1,
            2 if col < 3 => blank + 1,
            3 if row > 0 => blank - 4,
            _ => continue,
        };
        tiles.swap(blank, to);
        blank = to;
    }
    tiles.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}
