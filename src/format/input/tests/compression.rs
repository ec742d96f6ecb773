//! Compressed inputs.

use std::io::Write;

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
fn zeros_after_gzip_members_are_padding_and_other_data_is_an_error() {
    let member = gzip(b"1 2 3 0\n");
    for pattern in [ReadPattern::plain(), ReadPattern { reads: vec![1], block: 1, ..ReadPattern::plain() }] {
        let read = |suffix: &[u8]| read(&[&member, suffix].concat(), &layout(Layout::Line), &pattern);
        for (suffix, records) in [(vec![], 1), (vec![0; 1], 1), (vec![0; 40_000], 1), (member.repeat(2), 3)] {
            let out = read(&suffix);
            assert_eq!((out.records.len(), out.failure), (records, None));
        }
        for suffix in [vec![0, 0, 7], [&[0], &member[..]].concat(), b"rest".to_vec(), member[..7].to_vec()] {
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
        assert_eq!(file.next_chunk(&options, 1, 1, &mut bytes).unwrap().unwrap().records, 1);
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
