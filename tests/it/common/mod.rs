//! Runs the program as a user does, and makes inputs for it.

pub mod interrupted;
pub mod mixed;
pub mod schema;
pub mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

pub use taquin::internal::system::Random;

/// Returns a command that runs the program in the project's folder, so that results contain the
/// file names that a user sees.
pub fn taquin() -> Command {
    let mut command = Command::new(program());
    command.current_dir(project());
    command
}

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Returns the path of the program. Cargo builds the program because of
/// `tests/program_is_built.rs`. Panics if the program is missing, or older than one of its sources.
/// Cargo lists the sources in a file next to the program.
pub fn program() -> &'static str {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let this = std::env::current_exe().unwrap();
        // From target/debug/deps/it-… to target/debug/taquin.
        let program = this.ancestors().nth(2).unwrap().join(format!("taquin{}", std::env::consts::EXE_SUFFIX));
        let modified = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
        let built = modified(&program);
        let sources = std::fs::read_to_string(program.with_extension("d")).unwrap_or_default();
        let changed = sources.split_whitespace().skip(1).find(|source| modified(Path::new(source)) > built);
        let advice = "run `cargo test` in the root of the repository: it builds the program";
        assert!(built.is_some(), "{} does not exist: {advice}", program.display());
        assert_eq!(changed, None, "{} is older than one of its sources: {advice}", program.display());
        program
    });
    PROGRAM.to_str().unwrap()
}

/// Returns a permutation of the labels 0 to n − 1. The same seed gives the same permutation.
pub fn shuffled(n: usize, seed: u64) -> Vec<u8> {
    Random::new(seed).permutation(n).into_iter().map(|label| label as u8).collect()
}

/// Returns the text, compressed as zstd.
pub fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Runs the program with arguments and standard input.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = taquin()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.as_ref().to_vec();
    // The input is written on a separate thread, because the program may fill its output pipe and
    // wait before it has read all input.
    let feeder = std::thread::spawn(move || {
        // The program may stop reading early.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    output
}

/// Returns the standard output of a run as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("results are UTF-8")
}

/// Returns the standard error of a run as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a solvable 15-puzzle: the end of a random walk of at most `moves` moves from the goal.
/// A step that would leave the board is skipped, but counts.
pub fn scrambled_15(random: &mut Random, moves: usize) -> String {
    let mut tiles: Vec<usize> = (1..16).chain([0]).collect();
    let mut blank = 15;
    for _ in 0..moves {
        let (row, col) = (blank / 4, blank % 4);
        let to = match random.index(4) {
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
