//! Random bytes, read in random patterns.

use proptest::prelude::*;

use super::*;

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
    // Some texts begin like a compressed file, or with a byte order mark. No header is complete,
    // because the position at which a decoder detects damage depends on the sizes of reads.
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
    (prop::collection::vec(1usize..20, 1..5), 1usize..64, 1usize..6, 1usize..200, any::<bool>()).prop_map(
        |(reads, block, max_records, max_bytes, _)| ReadPattern { reads, block, max_records, max_bytes, fails: false },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

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
