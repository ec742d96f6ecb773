//! Compressed inputs: arbitrary bytes, and text compressed in pieces and then left intact, damaged
//! or truncated. Intact input gives the records of its text. Damaged gzip input is an error or
//! gives the same records. Truncated input gives the first records. A decompression bomb is
//! stopped at the limit.
//!
//! The first bytes choose the case and the damage; the rest is the file or its text. `scripts/fuzz`
//! runs this.

#![no_main]

use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use taquin::internal::format::input::{DecompressionLimit, Input, InputOptions, Layout, Reader};
use taquin_fuzz::{Choices, Drip, Found, read_all};

static FILE: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("taquin-fuzz-compressed-{}", std::process::id())));

const LIMIT: DecompressionLimit = DecompressionLimit { window_log: 20, free_bytes: 64 << 10 };

/// Maximum number of bytes of text read for each compressed byte.
const MAX_RATIO: u64 = 200;

fn options(layout: Option<Layout>) -> InputOptions {
    InputOptions { layout, decompression: LIMIT, ..InputOptions::default() }
}

fn read_file(bytes: &[u8]) -> Found {
    std::fs::write(&*FILE, bytes).unwrap_or_else(|error| panic!("{error}"));
    let mut reader = Reader::new(vec![Input::Path(FILE.clone())], options(Some(Layout::Line)));
    let found = read_all(&mut reader, 1000, 64 << 10, |_| {});
    // Each record takes at least a byte of text, and the last block may exceed the limit.
    let max_records = LIMIT.free_bytes + (bytes.len() as u64 + 1) * MAX_RATIO + (512 << 10);
    assert!(found.records.len() as u64 <= max_records, "{} records of {} bytes", found.records.len(), bytes.len());
    found
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).and_then(|()| packed.finish()).unwrap_or_else(|error| panic!("{error}"))
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (mode, at, with, members) = (choices.byte(), choices.number(), choices.byte(), 1 + choices.byte() % 4);
    let text = choices.0;
    if mode % 4 == 0 {
        read_file(text);
        return;
    }
    // The signatures by which a file is recognised as gzip, zstd, UTF-16, or UTF-8 with a byte
    // order mark. Text that begins with a signature is skipped, because the reader would not read
    // the text unchanged.
    let signatures: [&[u8]; 5] =
        [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], &[0xff, 0xfe], &[0xfe, 0xff], &[0xef, 0xbb, 0xbf]];
    if signatures.iter().any(|signature| text.starts_with(signature)) {
        return;
    }
    let is_gzip = mode & 4 > 0;
    let mut packed: Vec<u8> = Vec::new();
    for piece in text.chunks(text.len() / usize::from(members) + 1) {
        packed.extend(if is_gzip { gzip(piece) } else { compress_to_vec(piece, CompressionLevel::Fastest) });
    }
    let mut plain =
        Reader::of_text(&FILE.display().to_string(), Drip(text.to_vec(), usize::MAX), options(Some(Layout::Line)));
    let plain = read_all(&mut plain, 1000, 64 << 10, |_| {});
    match mode % 4 {
        1 => assert_eq!(read_file(&packed), plain),
        // Unlike zstd, gzip always has a checksum. The signature is kept, because a file without a
        // signature is text.
        2 if is_gzip && packed.len() > 2 => {
            let at = 2 + at % (packed.len() - 2);
            packed[at] ^= with;
            let found = read_file(&packed);
            assert!(found.failures > 0 || found.records == plain.records, "byte {at}");
        }
        2 if !packed.is_empty() => {
            let at = at % packed.len();
            packed[at] ^= with;
            read_file(&packed);
        }
        _ if packed.len() > 4 => {
            packed.truncate(4 + at % (packed.len() - 4));
            let found = read_file(&packed);
            // If the file ends between two members, the last line may be truncated without an
            // error.
            let whole = found.records.len() - usize::from(found.failures == 0).min(found.records.len());
            assert_eq!(found.records[..whole], plain.records[..whole]);
        }
        _ => {}
    }
});
