//! The duplicate strings of up to 16 letters on 5×5 boards. Finding them takes seconds, which is
//! too long for one 24-puzzle, so they are shipped in a file of 92 kB.
//!
//! The strings are sorted alphabetically. Each is stored as a byte and some letters. The upper half
//! of the byte is the number of letters that begin both this string and the previous one; the lower
//! half is the number of the other letters minus one. The other letters follow, a byte each. The
//! file is compressed with zlib. A test recreates the strings (`scripts/tables`).

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::word::Word;

/// The maximum length of the strings.
pub(super) const DEPTH: usize = 16;

/// The side of the boards, in cells.
pub(super) const SIDE: usize = 5;

const STRINGS: &[u8] = include_bytes!("strings_16_5.zlib");

pub(super) fn strings() -> Vec<Word> {
    let mut text = Vec::new();
    let read = ZlibDecoder::new(STRINGS).read_to_end(&mut text);
    assert!(read.is_ok(), "the shipped strings are damaged");
    let (mut strings, mut letters, mut rest) = (Vec::new(), Vec::new(), &text[..]);
    while let [head, tail @ ..] = rest {
        letters.truncate(usize::from(head >> 4));
        let (new, next) = tail.split_at(usize::from(head & 15) + 1);
        letters.extend_from_slice(new);
        strings.push(letters.iter().fold(Word::EMPTY, |word, &letter| word.then(letter.into())));
        rest = next;
    }
    strings
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Write;

    use super::super::table::find_strings;
    use super::super::workers::Workers;
    use super::*;

    /// Packs strings in the shipped format.
    fn packed(words: &BTreeSet<Word>) -> Vec<u8> {
        let mut sorted: Vec<Vec<u8>> =
            words.iter().map(|word| word.letters().map(|letter| letter as u8).collect()).collect();
        sorted.sort();
        let (mut text, mut last) = (Vec::new(), Vec::new());
        for letters in sorted {
            let shared = letters.iter().zip(&last).take_while(|(a, b)| a == b).count();
            text.push((shared << 4 | (letters.len() - shared - 1)) as u8);
            text.extend_from_slice(&letters[shared..]);
            last = letters;
        }
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        zlib.write_all(&text).unwrap();
        zlib.finish().unwrap()
    }

    fn check_shipped(depth: usize) -> BTreeSet<Word> {
        let found: BTreeSet<Word> = find_strings(depth, SIDE, Workers::ONE).unwrap().into_iter().collect();
        let shipped: BTreeSet<Word> = strings().into_iter().filter(|word| word.len() <= depth).collect();
        if found != shipped {
            let path = std::env::temp_dir().join("strings_16_5.zlib");
            std::fs::write(&path, packed(&found)).unwrap();
            panic!("the search found different strings, written to {}", path.display());
        }
        shipped
    }

    #[test]
    fn shipped_strings_of_up_to_12_letters_match_the_search() {
        assert!(check_shipped(12).len() > 1_000);
        assert_eq!(strings().len(), 110_775);
    }

    #[test]
    #[ignore = "takes seconds and 450 MB; run in release by scripts/tables"]
    fn all_shipped_strings_match_the_search() {
        assert_eq!(check_shipped(DEPTH).len(), 110_775);
    }
}
