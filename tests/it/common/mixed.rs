//! Inputs of many kinds in one folder, for runs that are interrupted or divided into shards.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Random;

/// The names of the inputs, in order. The last file does not exist.
pub const NAMES: [&str; 7] = ["a.txt", "b.txt.gz", "c.csv", "d.txt.zst", "e.jsonl", "f.txt", "missing.txt"];

/// Writes the inputs and returns their paths. `a.txt` and `b.txt.gz` have `size` records, `c.csv`
/// and `d.txt.zst` a quarter of that.
pub fn write(folder: &Path, size: usize) -> Vec<PathBuf> {
    let mut random = Random::new(17);
    let mut board = |cells: usize, between: &str| {
        random.permutation(cells).iter().map(usize::to_string).collect::<Vec<_>>().join(between)
    };
    let lines: String = (0..size).map(|_| board(9, " ") + "\n").collect();
    let grids: String = (0..size / 4)
        .map(|i| {
            let tiles = board(6, " ");
            let (first, second) = tiles.split_at(6);
            format!("# grid {i}\n{first}\n{second}\n\n")
        })
        .collect();
    let csv: String = (0..size / 4).map(|i| format!("{i},{}\n", board(9, " "))).collect();
    let mut random = Random::new(18);
    // Boards that need a search, each followed by an invalid line. Every third board is repeated.
    let searched: String = (0..12)
        .map(|i| {
            let board = super::scrambled_15(&mut random, 30);
            let again = if i % 3 == 0 { "\n# again\n".to_string() + &board } else { String::new() };
            format!("{board}{again}\n\n1 2 {i}\n")
        })
        .collect();
    let long = format!("1 2 3\n{}\n8 6 7 2 5 4 3 0 1\n", "7 ".repeat(1 << 20));
    let json = "{\"id\":7,\"board\":[1,2,3,4,0,5],\"rows\":2,\"cols\":3}\n{\"board\":\n[[1,2],[0,3]]\n".to_string();
    let files: [Vec<u8>; 6] = [
        lines.clone().into_bytes(),
        gz(("# taquin: goal=snail\n".to_string() + &lines).as_bytes()),
        format!("id,board\n{csv}").into_bytes(),
        super::zstd(grids.as_bytes()),
        (json + &searched.lines().filter(|line| !line.starts_with('#')).map(as_json).collect::<String>()).into_bytes(),
        format!("# taquin: format=line\n{searched}{long}{searched}").into_bytes(),
    ];
    for (name, bytes) in NAMES.iter().zip(files) {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    NAMES.iter().map(|name| folder.join(name)).collect()
}

fn as_json(line: &str) -> String {
    format!("[{}]\n", line.replace(' ', ","))
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}
