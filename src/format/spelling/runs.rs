//! Run-length notation of paths: `R3U2L` is `RRRUUL`.

use crate::board::{Move, Shape};

/// The longest run: from one edge of the widest board to the other.
const MAX_RUN: usize = Shape::MAX_SIDE - 1;

/// Appends a path: the letter of each run, followed by its length if that is more than one.
pub fn write(mut moves: impl Iterator<Item = Move>, out: &mut Vec<u8>) {
    let mut next = moves.next();
    while let Some(step) = next {
        let mut times = 1;
        next = moves.next();
        while next == Some(step) {
            times += 1;
            next = moves.next();
        }
        out.push(step.letter());
        if times > 1 {
            out.extend_from_slice(itoa::Buffer::new().format(times).as_bytes());
        }
    }
}

/// Calls `run` with the move and the length of each run.
///
/// # Errors
/// The text found instead of a run.
pub fn read(text: &[u8], mut run: impl FnMut(Move, usize)) -> Result<(), &[u8]> {
    let mut rest = text;
    while let Some((&letter, tail)) = rest.split_first() {
        let digits = tail.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let found = &rest[..=digits];
        let times = match &tail[..digits] {
            [] => Some(1),
            [b'0', ..] => None,
            digits => std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()),
        };
        let step = Move::from_letter(letter).filter(|_| letter.is_ascii_uppercase()).ok_or(found)?;
        run(step, times.filter(|&times| times <= MAX_RUN).ok_or(found)?);
        rest = &tail[digits..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_as_they_are_written() {
        let expanded = |text: &str| {
            let mut path = String::new();
            let found =
                read(text.as_bytes(), |step, times| path += &char::from(step.letter()).to_string().repeat(times));
            found.map(|()| path).map_err(|found| String::from_utf8_lossy(found).into_owned())
        };
        assert_eq!(expanded("R3U2L").as_deref(), Ok("RRRUUL"));
        assert_eq!(expanded("R12R1").unwrap().len(), 13);
        for (text, found) in [
            ("R0", "R0"),
            ("UR255D", "R255"),
            ("R99999999999999999999999", "R99999999999999999999999"),
            ("r2", "r2"),
            ("2R", "2"),
            ("R 2", " 2"),
        ] {
            assert_eq!(expanded(text), Err(found.to_string()), "{text}");
        }
        let mut out = Vec::new();
        write("RRRUULRR".bytes().filter_map(Move::from_letter), &mut out);
        assert_eq!(out, b"R3U2LR2");
    }
}
