//! Several files, records that are too long, failures, positions, remaining work, and random bytes
//! that arrive in random patterns.

use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::system::{Accuracy, Checksum, RemainingWork};

#[test]
fn a_line_that_is_too_long_is_one_invalid_record() {
    let mut text = b"1 2 3 0\n".to_vec();
    text.extend(std::iter::repeat_n(b'1', 10 << 20));
    text.extend(b"\n#");
    text.extend(std::iter::repeat_n(b'1', 10 << 20));
    text.extend(b"\n1 2 0 3\n");
    for layout in [None, Some(Layout::Line), Some(Layout::Grid)] {
        let options = InputOptions { layout, shape: Shape::new(1, 4), ..InputOptions::default() };
        let out = read(&text, &options, &ReadPattern::plain());
        assert_eq!(
            out.records,
            [(1, None, "1 2 3 0".into()), (2, None, "! longer than 1048576 bytes".into()), (4, None, "1 2 0 3".into()),]
        );
    }
}

/// A reader can resume in the middle of a line that is too long.
#[test]
fn reading_resumes_after_a_record_that_is_too_long() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.txt");
    std::fs::write(&path, format!("1 2 3 0\n{}\n1 2 0 3\n", "7 ".repeat(1 << 20))).unwrap();
    let options = InputOptions { max_record_bytes: 100, ..layout(Layout::Line) };
    let reader = || Reader::new(vec![Input::Path(path.clone())], options.clone());
    let rest = |reader: &mut Reader| {
        let mut rest = Vec::new();
        while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
            rest.extend(chunk.unwrap().records().map(|record| (record.index, record.line, record.puzzle.is_ok())));
        }
        rest
    };
    let records = [(1, 1, true), (2, 2, false), (3, 3, true)];
    for before in 0..=3 {
        let mut first = reader();
        first.keep_positions();
        for _ in 0..before {
            first.next_chunk(1, 1, Vec::new()).unwrap().unwrap();
        }
        let position = first.position();
        assert_eq!(position.rest_of_line, before == 2);
        let mut second = reader();
        second.go_to(&position).unwrap();
        assert_eq!(rest(&mut second), records[before..]);
    }
}

#[test]
fn a_failure_follows_the_whole_records_before_it() {
    let pattern = ReadPattern { fails: true, ..ReadPattern::plain() };
    let out = read(b"1 2 3 0\n1 2 0 3\n1 0 ", &InputOptions::default(), &pattern);
    assert_eq!(out.records.len(), 2);
    assert_eq!(out.failure.as_deref(), Some("torn"));
}

#[test]
fn a_reader_continues_with_the_next_file_and_numbers_all_records() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("a.txt"), "1 2 3 4 5 6 7 8 0\n").unwrap();
    std::fs::write(path("b.txt"), "").unwrap();
    std::fs::write(path("c.txt"), "123456780\n123456708").unwrap();
    let inputs = ["a.txt", "missing", "b.txt", ".", "c.txt"].map(|name| Input::Path(path(name)));
    let mut reader = Reader::new(inputs.to_vec(), InputOptions::default());
    let (mut indices, mut failures) = (Vec::new(), 0);
    while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
        match chunk {
            Ok(chunk) => indices.extend(chunk.records().map(|record| (record.index, record.puzzle.is_ok()))),
            Err(error) => {
                failures += 1;
                assert!(error.to_string().starts_with("cannot read "), "{error}");
            }
        }
    }
    assert_eq!(indices, [(1, true), (2, true), (3, true)]);
    assert_eq!((failures, reader.bytes_read()), (2, 37));
}

#[test]
fn remaining_work_is_estimated_from_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        Input::Path(path)
    };
    let board = b"1 2 3 4 5 6 7 8 0\n";
    let remaining = |inputs: Vec<Input>| {
        let mut reader = Reader::new(inputs, InputOptions::default());
        let mut steps = Vec::new();
        while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
            let chunk = chunk.unwrap();
            assert_eq!(chunk.record_count, 1);
            assert_eq!(chunk.input_position.ratio(), reader.remaining_work().ratio);
            steps.push((reader.remaining_work().ratio, reader.remaining_work().accuracy));
        }
        assert_eq!((reader.remaining_work().ratio, steps.len()), (0.0, 6));
        steps
    };
    // Two files with three boards each. After the first board, five times as much work remains.
    let steps = remaining(vec![write("a.txt", &board.repeat(3)), write("b.txt", &board.repeat(3))]);
    assert_eq!(steps, [5.0, 2.0, 1.0, 0.5, 0.2, 0.0].map(|more| (more, Accuracy::Exact)));
    // The size of a compressed file is only a lower bound on the size of its text.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&board.repeat(6)).unwrap();
    let steps = remaining(vec![write("c.gz", &packed.finish().unwrap())]);
    let is_bound = |&(more, accuracy): &(f64, Accuracy)| (0.0..=5.0).contains(&more) && accuracy == Accuracy::AtLeast;
    assert!(steps.iter().all(is_bound), "{steps:?}");
}

/// The stream returns one line, and panics if it is read again.
#[test]
fn a_record_is_returned_without_waiting_for_the_next() {
    struct OneLine(Option<&'static [u8]>);
    impl Read for OneLine {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let mut line = self.0.take().expect("the record should have been returned before");
            let read = line.read(into)?;
            self.0 = Some(line).filter(|rest| !rest.is_empty());
            Ok(read)
        }
    }
    for line in ["1 2 3 4 5 6 7 8 0\n", "123456780\n", "[1,2,3,0]\n"] {
        let text = stream::text_of_stream(OneLine(Some(line.as_bytes())), DecompressionLimit::default()).unwrap();
        let mut file = FileReader::new("-".into(), StreamBuffer::new(text, 1 << 16));
        let piece = file.next_chunk(&InputOptions::default(), 100, 1 << 20, &mut Vec::new());
        assert_eq!(piece.unwrap().unwrap().record_count, 1);
    }
}

/// Reading endless zeros ends with an error.
#[test]
fn an_endless_line_is_an_error() {
    let buffer = StreamBuffer::new(Box::new(b"1 0\n".chain(io::repeat(0))), 1 << 20).with_max_line_bytes(50 << 20);
    let mut file = FileReader::new("file".into(), buffer);
    let (mut records, mut bytes, options) = (0, Vec::new(), shaped(Layout::Line, 1, 2));
    let cause = loop {
        match file.next_chunk(&options, 1, 1, &mut bytes) {
            Ok(piece) => records += piece.unwrap().record_count,
            Err(cause) => break cause.to_string(),
        }
    };
    assert_eq!(records, 2, "a board, and a line that is too long");
    assert!(cause.contains("does not end"), "{cause}");
}

/// Records that the fast path solved are skipped, but the indices and line numbers of later records
/// count them.
#[test]
fn skipped_records_are_counted() {
    let lines = "1 2 3 4 0 5\n";
    let text = stream::text_of_stream(std::io::Cursor::new(lines.repeat(5)), DecompressionLimit::default()).unwrap();
    let mut file = FileReader::new("file".into(), StreamBuffer::new(text, 1 << 16));
    let chunk = file.next_chunk(&shaped(Layout::Line, 2, 3), 5, 1 << 20, &mut Vec::new()).unwrap().unwrap();
    let chunk = Chunk { first_index: 11, ..chunk };
    let mut records = chunk.records();
    assert_eq!(records.next().map(|record| (record.index, record.line)), Some((11, 1)));
    assert_eq!(records.rest(), Some((lines.repeat(4).as_bytes(), 12, 2)));
    records.skip_lines(2, 2 * lines.len());
    assert_eq!(records.rest(), Some((lines.repeat(2).as_bytes(), 14, 4)));
    assert_eq!(records.map(|record| (record.index, record.line)).collect::<Vec<_>>(), [(14, 4), (15, 5)]);
}

/// Positions after different texts of the same length differ.
#[test]
fn a_position_identifies_the_text_before_it() {
    let position = |text: &'static str| {
        let mut buffer = StreamBuffer::new(Box::new(text.as_bytes()), 1 << 16);
        buffer.checksum = Some(Checksum::default());
        let mut file = FileReader::new("file".into(), buffer);
        file.next_chunk(&shaped(Layout::Line, 2, 2), 1, 1 << 20, &mut Vec::new()).unwrap().unwrap();
        file.position()
    };
    let [first, other, longer] = ["1 2 3 0\n", "3 1 2 0\n", "1 2 3 0\n3 1 2 0\n"].map(position);
    assert_eq!((first.offset, other.offset, longer.offset), (8, 8, 8));
    assert_ne!(first.text_checksum, other.text_checksum);
    assert_eq!(first.text_checksum, longer.text_checksum);
}

/// After the first record, the reader knows how much text the pipe already contains.
#[cfg(target_os = "linux")]
#[test]
fn bytes_read_ahead_from_a_pipe_are_counted() {
    use std::os::fd::AsRawFd;
    let (pipe, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"1 2 3 0\n1 2 0 3\n1 0 2 3\n").unwrap();
    let name = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let mut reader =
        Reader::new(vec![Input::Path(name.into())], InputOptions { shape: Shape::new(1, 4), ..layout(Layout::Line) });
    reader.read_ahead(1 << 20);
    reader.next_chunk(1, 1, Vec::new()).unwrap().unwrap();
    assert_eq!(reader.remaining_work(), RemainingWork { ratio: 2.0, accuracy: Accuracy::AtLeast });
    // The same text again, then the end.
    writer.write_all(b"1 2 3 0\n1 2 0 3\n1 0 2 3\n").unwrap();
    drop(writer);
    while reader.remaining_work().accuracy == Accuracy::AtLeast {
        std::thread::yield_now();
    }
    assert_eq!(reader.remaining_work().ratio, 5.0);
    let mut records = 1;
    while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
        records += chunk.unwrap().record_count;
    }
    assert_eq!(records, 6);
}

/// Returns a strategy for bytes that resemble boards enough to reach every branch of the reader.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => "[0-9xX_. ,\t#]{0,9}".prop_map(String::into_bytes),
        2 => Just(b"1 2 3 0\n".to_vec()),
        2 => Just(b"2\n1 2\n3 0\n".to_vec()),
        1 => Just(b"123456780\n".to_vec()),
        1 => Just(b"1 2 3 4 5 6 7 8 0\r\n".to_vec()),
        1 => Just(b"{\"id\":1,\"board\":[1,2,3,0]}\n".to_vec()),
        1 => Just(b"{\"id\":2,\"grid\":[1,2,0,3]}\n".to_vec()),
        1 => Just(b"id,board\n".to_vec()),
        1 => Just(b"# taquin: shape=2x2 format=grid numbered=yes\n".to_vec()),
        1 => Just(b"# taquin: goal=snial\n".to_vec()),
        1 => Just(b"# taquin: format=pair\n".to_vec()),
        6 => Just(b"\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    // Some texts begin like a compressed file, or with a byte order mark. No header of a compressed
    // file is complete, because the position at which a decoder detects damage depends on the sizes
    // of reads.
    let start = prop_oneof![
        20 => Just(&b""[..]),
        1 => Just(&b"\x1f\x8b"[..]),
        1 => Just(&b"\x28\xb5\x2f\xfd"[..]),
        1 => Just(&b"\xef\xbb\xbf"[..]),
    ];
    (start, prop::collection::vec(piece, 0..30)).prop_map(|(start, pieces)| [start, &pieces.concat()].concat())
}

fn options() -> impl Strategy<Value = InputOptions> {
    let layout = prop::option::of(prop::sample::select(Layout::ALL.to_vec()));
    let shape = prop::option::of(prop::sample::select(vec![(2, 2), (3, 3), (1, 4), (2, 3), (1, 1), (3, 1)]));
    let limit = prop_oneof![Just(1 << 20), 1usize..60];
    (layout, shape, any::<(bool, bool)>(), limit).prop_map(
        |(layout, shape, (count_line, numbered), max_record_bytes)| {
            let shape = shape.and_then(|(rows, cols)| Shape::new(rows, cols));
            InputOptions { layout, shape, count_line, numbered, max_record_bytes, ..InputOptions::default() }
        },
    )
}

fn pattern() -> impl Strategy<Value = ReadPattern> {
    (prop::collection::vec(1usize..20, 1..5), 1usize..64, 1usize..6, 1usize..200).prop_map(
        |(reads, block, max_records, max_bytes)| ReadPattern { reads, block, max_records, max_bytes, fails: false },
    )
}

/// Returns the number of cases: `PROPTEST_CASES` (set by `scripts/soak`), or else a thousand.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").map_or(1000, |cases| cases.parse().expect("a number of cases"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics. A chunk has as many records as the reader counted (checked in `read`). The
    /// sizes of reads, blocks and chunks do not affect the result.
    #[test]
    fn records_do_not_depend_on_the_sizes_of_reads(
        text in text(),
        options in options(),
        pattern in pattern(),
    ) {
        let whole = read(&text, &options, &ReadPattern::plain());
        prop_assert!(whole.records.is_sorted_by_key(|record| record.0));
        let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        prop_assert!(whole.records.iter().all(|record| (1..=lines).contains(&record.0)));
        prop_assert_eq!(&whole, &read(&text, &options, &pattern));
    }

    /// Line numbers count the empty lines and comments between records.
    #[test]
    fn lines_are_counted(gaps in prop::collection::vec(0usize..4, 1..40), pattern in pattern()) {
        let (mut text, mut expected, mut line) = (String::new(), Vec::new(), 1);
        for (at, gap) in gaps.iter().enumerate() {
            text += &["\n", "# no\n", " \r\n"][at % 3].repeat(*gap);
            line += *gap as u64;
            expected.push(line);
            text += "1 2 3 4 5 6 7 8 0\n";
            line += 1;
        }
        let out = read(text.as_bytes(), &InputOptions::default(), &pattern);
        prop_assert_eq!(out.records.iter().map(|record| record.0).collect::<Vec<_>>(), expected);
    }
}
