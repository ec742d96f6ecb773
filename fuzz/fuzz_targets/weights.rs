//! Files of weights: whatever is in them they are refused, or read and written again as the same weights.
//!
//! The first byte says whether the length and the checksum are put right, without which hardly anything is ever unpacked.
//! `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::internal::heuristic::learned::Learned;
use taquin::internal::system::Checksum;

const HEAD: usize = 24;
const SUM: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, file)) = bytes.split_first() else { return };
    let mut file = file.to_vec();
    if first % 4 > 0 && file.len() >= HEAD + SUM {
        let end = file.len() - SUM;
        file[16..HEAD].copy_from_slice(&((end - HEAD) as u64).to_le_bytes());
        let sum = Checksum::of(&file[..end]);
        file[end..].copy_from_slice(&sum.to_le_bytes());
    }
    // How long larger boards take depends on nothing but their shape.
    if file.len() >= HEAD && usize::from(file[12]) * usize::from(file[13]) > 16 {
        return;
    }
    let Ok(learned) = Learned::read(&mut &file[..]) else { return };
    let mut again = Vec::new();
    learned.write(&mut again).unwrap();
    assert_eq!(Learned::read(&mut &again[..]).unwrap(), learned);
});
