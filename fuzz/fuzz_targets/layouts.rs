//! Every layout and every profile, on arbitrary bytes: each record is read once, and its content
//! does not depend on how the bytes arrive or are split into chunks.
//!
//! The first six bytes choose how the text is read; the rest is the text. `scripts/fuzz` runs this.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::profile::Profile;
use taquin_fuzz::{Choices, Drip, read_all};

static PROFILES: LazyLock<Vec<&Profile>> = LazyLock::new(|| Profile::all().collect());

const GOALS: [&str; 5] = ["", "blank-last", "blank-first", "snail", "7,4,1,0,5,2,8,6,3"];
const SHAPES: [&str; 6] = ["", "3x3", "2x3", "1x4", "4x4", "16x16"];
const RECORD_LIMITS: [usize; 4] = [1 << 20, 1, 20, 300];

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let mode = usize::from(choices.byte()) % (8 + PROFILES.len());
    let flags = choices.byte();
    let options = InputOptions {
        layout: mode.checked_sub(1).and_then(|layout| Layout::ALL.get(layout).copied()),
        goal: choices.of(&GOALS).parse().ok(),
        shape: choices.of(&SHAPES).parse().ok(),
        count_line: flags & 1 > 0,
        numbered: flags & 2 > 0,
        max_record_bytes: choices.of(&RECORD_LIMITS),
        ..InputOptions::default()
    };
    let options = mode.checked_sub(8).map_or(options.clone(), |profile| PROFILES[profile].fill(options));
    let drip = usize::from(choices.byte());
    let text = choices.0;
    let mut whole = Reader::of_text("FILE", Drip(text.to_vec(), usize::MAX), options.clone());
    let mut dripping = Reader::of_text("FILE", Drip(text.to_vec(), drip), options);
    let (whole, dripped) =
        (read_all(&mut whole, 4096, 64 << 10, |_| {}), read_all(&mut dripping, 1 + drip % 3, drip, |_| {}));
    assert_eq!((&whole.records, whole.failures), (&dripped.records, dripped.failures));
    // A reader keeps a limited number of warnings, and drops others until these are taken. So
    // longer lists may differ.
    if whole.warnings.len() < 10 {
        assert_eq!(whole.warnings, dripped.warnings);
    }
});
