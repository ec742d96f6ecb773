//! Compressed inputs: gzip and zstd. The zstd files were written by other programs
//! (`tests/data/zstd`), or they are assembled or damaged here.

use std::io::Write;

use super::decode::Zstd;
use super::*;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

#[test]
fn compressed_members_are_read_in_sequence_and_truncation_is_an_error() {
    let (first, second) = (b"1 2 3 0\n1 2 ".as_slice(), b"0 3\n0 1 2 3\n".as_slice());
    let zstd = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
    for whole in [[gzip(first), gzip(second)].concat(), [zstd(first), zstd(second)].concat()] {
        let out = read(&whole, &layout(Layout::Line), &ReadPattern::plain());
        assert_eq!(out.records.len(), 3);
        assert_eq!(out.failure, None);
        let out = read(&whole[..whole.len() - 6], &layout(Layout::Line), &ReadPattern::plain());
        assert_eq!(out.records[0], (1, None, "1 2/3 0".into()));
        assert!(out.failure.is_some());
    }
}

#[test]
fn other_data_after_gzip_members_is_an_error() {
    let member = gzip(b"1 2 3 0\n");
    for pattern in [ReadPattern::plain(), ReadPattern { reads: vec![1], block: 1, ..ReadPattern::plain() }] {
        let read = |suffix: &[u8]| read(&[&member, suffix].concat(), &layout(Layout::Line), &pattern);
        for (suffix, records) in [(vec![], 1), (member.repeat(2), 3)] {
            let out = read(&suffix);
            assert_eq!((out.records.len(), out.failure), (records, None));
        }
        for suffix in [vec![0; 1], vec![0; 40_000], b"rest".to_vec(), member[..7].to_vec()] {
            let out = read(&suffix);
            assert_eq!(out.records.len(), 1);
            assert!(out.failure.is_some(), "{suffix:?}");
        }
    }
}

/// A comment of a megabyte compresses to a kilobyte. Such comments are accepted until the text is
/// longer than `free_bytes`.
#[test]
fn a_decompression_bomb_is_an_error_after_the_records_before_it() {
    let limit = DecompressionLimit { free_bytes: 10 << 20, ..DecompressionLimit::default() };
    let (board, comment) = (gzip(b"1 2 3 4 5 6 7 0 8\n"), gzip(&[&[b'#'; (1 << 20) - 1][..], b"\n"].concat()));
    for (comments, fails) in [(9, false), (11, true)] {
        let all = board.len() + comments * comment.len();
        let bomb = io::Cursor::new(board.clone()).chain(Repeated { bytes: comment.clone(), at: 0 }).take(all as u64);
        let text = stream::text_of_stream(bomb, limit).unwrap();
        let mut file = FileReader::new("file".into(), StreamBuffer::new(text, 1 << 20));
        let (mut bytes, options) = (Vec::new(), layout(Layout::Line));
        assert_eq!(file.next_chunk(&options, 1, 1, &mut bytes).unwrap().unwrap().record_count, 1);
        match file.next_chunk(&options, 1, 1, &mut bytes) {
            Ok(piece) => assert!(piece.is_none() && !fails),
            Err(cause) => assert!(fails && cause.to_string().contains("decompress it first"), "{cause}"),
        }
    }
}

/// The same bytes, repeated endlessly.
struct Repeated {
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.at %= self.bytes.len();
        let read = into.len().min(self.bytes.len() - self.at);
        into[..read].copy_from_slice(&self.bytes[self.at..][..read]);
        self.at += read;
        Ok(read)
    }
}

#[test]
fn utf_16_is_reported() {
    for start in [b"\xff\xfe1\0", b"\xfe\xff\x001"] {
        let opened = stream::text_of_stream(io::Cursor::new(start.to_vec()), DecompressionLimit::default());
        assert!(opened.err().unwrap().to_string().contains("UTF-16"));
    }
}

const PATHS: &[u8] = include_bytes!("../../../../tests/data/korf100_paths.csv");

fn numbers() -> Vec<u8> {
    (0..100_000u64).map(|i| format!("{} {}\n", i % 7, i * i % 101)).collect::<String>().into_bytes()
}

/// Returns compressed files and their texts.
fn files() -> Vec<(&'static [u8], Vec<u8>)> {
    vec![
        (include_bytes!("../../../../tests/data/zstd/paths-1.zst"), PATHS.to_vec()),
        (include_bytes!("../../../../tests/data/zstd/paths-22-streamed.zst"), PATHS.to_vec()),
        (include_bytes!("../../../../tests/data/zstd/paths-fast-unchecked.zst"), PATHS.to_vec()),
        (include_bytes!("../../../../tests/data/zstd/numbers-window-4k.zst"), numbers()),
        (include_bytes!("../../../../tests/data/zstd/numbers-3.zst"), numbers()),
    ]
}

/// Returns the text, and the failure that ends it.
fn text_within(bytes: &[u8], window_log: u32) -> (Vec<u8>, Option<io::Error>) {
    let mut stream = Zstd::new(io::Cursor::new(bytes.to_vec()), window_log);
    let mut text = Vec::new();
    let failure = stream.read_to_end(&mut text).err();
    if failure.is_some() {
        assert!(stream.read(&mut [0]).is_err(), "nothing follows a failure");
    }
    (text, failure)
}

fn text(bytes: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    text_within(bytes, 27)
}

fn reason(bytes: &[u8]) -> String {
    text(bytes).1.expect("a failure").to_string()
}

/// Returns a frame without a checksum: its descriptor, the rest of the header, and blocks.
fn frame(descriptor: u8, header: &[u8], blocks: &[Vec<u8>]) -> Vec<u8> {
    [&[0x28, 0xb5, 0x2f, 0xfd, descriptor][..], header, &blocks.concat()].concat()
}

#[derive(Clone, Copy)]
enum BlockKind {
    Raw = 0,
    Repeated = 1,
    Compressed = 2,
}

fn block(is_last: bool, kind: BlockKind, size: usize, content: &[u8]) -> Vec<u8> {
    let head = (size << 3 | (kind as usize) << 1 | usize::from(is_last)) as u32;
    [&head.to_le_bytes()[..3], content].concat()
}

fn raw(is_last: bool, text: &[u8]) -> Vec<u8> {
    block(is_last, BlockKind::Raw, text.len(), text)
}

/// Returns a frame with one block and a window of `1 << window_log` bytes.
fn small(text: &[u8], window_log: u8) -> Vec<u8> {
    frame(0, &[(window_log - 10) << 3], &[raw(true, text)])
}

#[test]
fn files_of_the_zstd_program_are_read() {
    for (file, expected) in files() {
        let (found, failure) = text(file);
        assert!(failure.is_none(), "{failure:?}");
        assert!(found == expected);
    }
}

#[test]
fn files_of_another_encoder_are_read() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let mut random = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 60) as u8
    })
    .take(1_000_000)
    .collect();
    for plain in [&[][..], b"x", &[7; 300_000], PATHS, &numbers(), &noise] {
        for level in [CompressionLevel::Uncompressed, CompressionLevel::Fastest] {
            let (found, failure) = text(&compress_to_vec(plain, level));
            assert!(found == plain && failure.is_none(), "{failure:?}");
        }
    }
}

/// Neither the sizes of reads nor interruptions make a difference.
#[test]
fn text_does_not_depend_on_the_sizes_of_reads() {
    for (file, expected) in files() {
        let drip = Drip { bytes: file.iter().copied().collect(), sizes: vec![1, 7, 3, 100, 2], reads: 0, fails: false };
        let mut stream = Zstd::new(Box::new(drip), 27);
        let (mut found, mut piece) = (Vec::new(), [0; 1000]);
        loop {
            match stream.read(&mut piece[..1 + found.len() % 999]).unwrap() {
                0 => break,
                read => found.extend_from_slice(&piece[..read]),
            }
        }
        assert!(found == expected);
    }
}

#[test]
fn frames_are_read_in_sequence_and_skippable_ones_are_skipped() {
    let skipped = |number: u8, bytes: &[u8]| {
        [&[0x50 + number, 0x2a, 0x4d, 0x18][..], &(bytes.len() as u32).to_le_bytes(), bytes].concat()
    };
    let (small, [first, _, third, fourth, _]) = (small(b"1 2 3 0\n", 20), files().try_into().unwrap());
    let whole = [first.0, &skipped(0, b"anything"), fourth.0, &skipped(15, &[0; 200_000]), &small, &skipped(3, b"")];
    let (found, failure) = text(&[&whole.concat(), third.0].concat());
    assert!(failure.is_none(), "{failure:?}");
    assert!(found == [&first.1[..], &fourth.1, b"1 2 3 0\n", &third.1].concat());
    // A file may begin with a skippable frame, as written by pzstd.
    for number in 0..16 {
        let file = [skipped(number, &[1, 2, 3, 4]), small.clone()].concat();
        let mut text = stream::text_of_stream(io::Cursor::new(file), DecompressionLimit::default()).unwrap();
        let mut found = Vec::new();
        text.read_to_end(&mut found).unwrap();
        assert_eq!(found, b"1 2 3 0\n");
    }
    let cut = skipped(0, b"anything");
    let (found, failure) = text(&[&small, &cut[..cut.len() - 1]].concat());
    assert_eq!(found, b"1 2 3 0\n");
    assert!(failure.unwrap().to_string().contains("cut off"));
}

#[test]
fn windows_up_to_the_limit_are_accepted_and_larger_ones_rejected() {
    for limit in [10, 20, 23, 27] {
        assert!(text_within(&small(b"1 2 3 0\n", limit), limit.into()).1.is_none());
        // Windows that are an eighth larger, twice as large, and the largest possible.
        for window in [(limit - 10) << 3 | 1, (limit - 9) << 3, 0xff] {
            let (found, failure) = text_within(&frame(0, &[window], &[raw(true, b"1 2 3 0\n")]), limit.into());
            let failure = failure.unwrap().to_string();
            assert!(found.is_empty());
            assert!(failure.contains(&format!("larger than the {} bytes", 1u64 << limit)), "{failure}");
        }
    }
    // The window of a single-segment frame is as long as its text.
    let single = |bytes: u64| frame(0xe0, &bytes.to_le_bytes(), &[raw(true, b"1 2 3 0\n")]);
    assert_eq!(text(&single(8)).0, b"1 2 3 0\n");
    for bytes in [(1 << 27) + 1, u64::MAX] {
        assert!(reason(&single(bytes)).contains("larger than the 134217728 bytes"));
    }
}

#[test]
fn errors_give_the_reason() {
    let good = small(b"1 2 3 0\n", 20);
    for suffix in [&b"r"[..], b"rest", &[0; 3], &[0; 100], &[0x1f, 0x8b, 8, 0]] {
        let (found, failure) = text(&[&good, suffix].concat());
        assert_eq!(found, b"1 2 3 0\n");
        assert!(failure.unwrap().to_string().contains("after the last zstd frame"));
    }
    for (damaged, expected) in [
        (frame(0x01, &[80, 9], &[raw(true, b"")]), "a zstd dictionary (number 9)"),
        (frame(0x03, &[80, 1, 2, 3, 4], &[raw(true, b"")]), "a zstd dictionary (number 67305985)"),
        (frame(0, &[80], &[vec![7, 0, 0]]), "the zstd data is damaged"),
        (frame(0, &[80], &[block(true, BlockKind::Repeated, (128 << 10) + 1, b" ")]), "the zstd data is damaged"),
        (frame(0, &[80], &[block(true, BlockKind::Compressed, 2, &[3, 0])]), "the zstd data is damaged"),
    ] {
        let failure = reason(&damaged);
        assert!(failure.contains(expected), "{failure}: {expected}");
    }
    let mut damaged = files()[0].0.to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let (found, failure) = text(&damaged);
    assert!(found == PATHS, "the text precedes its checksum");
    assert!(failure.unwrap().to_string().contains("differs from its checksum"));
}

#[test]
fn a_frame_may_be_empty_or_end_with_an_empty_block() {
    for (bytes, expected) in [
        (frame(0x20, &[0], &[raw(true, b"")]), &b""[..]),
        (frame(0, &[80], &[raw(false, b"1 2"), raw(false, b""), raw(true, b"")]), b"1 2"),
        (frame(0, &[80], &[block(false, BlockKind::Repeated, 5, b"#"), raw(true, b"\n")]), b"#####\n"),
    ] {
        let (found, failure) = text(&bytes);
        assert!(found == expected && failure.is_none(), "{failure:?}");
    }
}

/// Each block has four bytes and expands to 128 KiB of text. The limit of the ratio still applies.
#[test]
fn blocks_of_one_repeated_byte_do_not_evade_the_ratio() {
    let blocks = vec![block(false, BlockKind::Repeated, 128 << 10, b"#"); 1000];
    let limit = DecompressionLimit { free_bytes: 1 << 20, ..DecompressionLimit::default() };
    let mut found = stream::text_of_stream(io::Cursor::new(frame(0, &[0x38], &blocks)), limit).unwrap();
    let (mut read, mut piece) = (0, vec![0; 1 << 16]);
    let failure = loop {
        match found.read(&mut piece) {
            Ok(bytes) => read += bytes,
            Err(failure) => break failure,
        }
    };
    assert!(failure.to_string().contains("decompress it first"), "{failure}");
    assert!(read <= 2 << 20, "{read}");
}

#[test]
fn a_truncated_file_is_an_error_after_its_text() {
    for (file, expected) in files() {
        for end in (4..file.len()).step_by(1 + file.len() / 700) {
            let (found, failure) = text(&file[..end]);
            assert!(expected.starts_with(&found));
            assert_eq!(failure.unwrap().kind(), io::ErrorKind::UnexpectedEof, "{end}");
        }
    }
}

/// Nothing panics. Reading a damaged file with a checksum fails, or returns the text of the
/// undamaged file.
#[test]
fn damage_is_an_error_or_makes_no_difference() {
    let mut random = 7u64;
    for (file, expected) in files() {
        let is_checked = file[4] & 4 > 0;
        for at in (4..file.len()).step_by(1 + file.len() / 200) {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for mask in [1 << (random >> 61), 0xff, (random >> 40) as u8 | 1] {
                let mut damaged = file.to_vec();
                damaged[at] ^= mask;
                let (found, failure) = text(&damaged);
                // Byte 4 contains the checksum flag, which the damage may clear.
                assert!(failure.is_some() || found == expected || !is_checked || at == 4, "byte {at} ^ {mask}");
            }
        }
    }
}

/// All blocks before the damage are returned, except possibly the last.
#[test]
fn valid_text_precedes_the_failure() {
    let mut blocks: Vec<Vec<u8>> = (0..4u8).map(|i| raw(false, &[b'0' + i; 128 << 10])).collect();
    blocks.push(vec![7, 0, 0]);
    let (found, failure) = text(&frame(0, &[80], &blocks));
    assert!(failure.unwrap().to_string().contains("damaged"));
    assert!(
        found.len() >= 3 * (128 << 10) && found.iter().enumerate().all(|(i, byte)| *byte == b'0' + (i >> 17) as u8)
    );
}
