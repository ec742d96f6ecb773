//! Files of weights: arbitrary content is rejected, or read and written back as the same weights.
//!
//! The first byte chooses whether the rest is a whole file, or the content of a file's zstd frame.
//! A valid checksum is added to this content, because otherwise hardly any input would be read to
//! its end. `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use taquin::internal::heuristic::learned::Learned;
use taquin::internal::system::Checksum;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut file = rest.to_vec();
    if first % 4 > 0 {
        let sum = Checksum::of(&file);
        file.extend(sum.to_le_bytes());
        file = compress_to_vec(&file[..], CompressionLevel::Fastest);
    }
    let Ok(learned) = Learned::read(&mut &file[..]) else { return };
    let mut rewritten = Vec::new();
    learned.write(&mut rewritten).unwrap();
    assert_eq!(Learned::read(&mut &rewritten[..]).unwrap(), learned);
});
