//! The sequences of a block (RFC 8878, 3.1.1.3.2 and 3.1.1.4).

use super::bits::Bits;
use super::damage::Damage;
use super::fse::{Frequencies, Meaning, Table};
use super::history::Writer;

/// Codes of numbers of literals: the base of each, and the bits that are added.
const LITERALS: [(u32, u8); 36] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 0),
    (12, 0),
    (13, 0),
    (14, 0),
    (15, 0),
    (16, 1),
    (18, 1),
    (20, 1),
    (22, 1),
    (24, 2),
    (28, 2),
    (32, 3),
    (40, 3),
    (48, 4),
    (64, 6),
    (128, 7),
    (256, 8),
    (512, 9),
    (1024, 10),
    (2048, 11),
    (4096, 12),
    (8192, 13),
    (16384, 14),
    (32768, 15),
    (65536, 16),
];

/// Codes of lengths of what is repeated, from 32 on; those below are the length less three.
const LONG_REPEATS: [(u32, u8); 21] = [
    (35, 1),
    (37, 1),
    (39, 1),
    (41, 1),
    (43, 2),
    (47, 2),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 5),
    (131, 7),
    (259, 8),
    (515, 9),
    (1027, 10),
    (2051, 11),
    (4099, 12),
    (8195, 13),
    (16387, 14),
    (32771, 15),
    (65539, 16),
];

const USUAL_LITERALS: [i16; 36] =
    [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1];

const USUAL_REPEATS: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];

const USUAL_OFFSETS: [i16; 29] =
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];

fn numbers((base, extra): (u32, u8)) -> Meaning {
    Meaning { base, extra }
}

const SHORT: Damage = Damage("sequences that are cut off");

/// One of the three codes, which blocks inherit from those before them.
struct Field<const N: usize> {
    table: Table<N>,
    symbols: usize,
    usual: (&'static [i16], u32),
    meaning: fn(usize) -> Meaning,
}

impl<const N: usize> Field<N> {
    /// The code of this block; the bytes that it took.
    fn read(&mut self, mode: u8, data: &[u8]) -> Result<usize, Damage> {
        match mode & 3 {
            0 => {
                self.table.build(self.usual.0, self.usual.1, self.meaning);
                Ok(0)
            }
            1 => {
                let symbol = usize::from(*data.first().ok_or(SHORT)?);
                if symbol >= self.symbols {
                    return Err(Damage("a code that does not exist"));
                }
                self.table.set_single((self.meaning)(symbol));
                Ok(1)
            }
            2 => {
                let read = Frequencies::read(data, N.ilog2(), self.symbols)?;
                self.table.build(read.of_symbols(), read.log, self.meaning);
                Ok(read.bytes)
            }
            _ if self.table.is_empty() => Err(Damage("sequences by a code that was never given")),
            _ => Ok(0),
        }
    }
}

/// What sequences inherit from the blocks before them.
pub struct Sequences {
    literals: Field<512>,
    offsets: Field<256>,
    repeats: Field<512>,
    /// The last three distances, the last one first.
    recent: [usize; 3],
}

const FIRST_RECENT: [usize; 3] = [1, 4, 8];

impl Sequences {
    pub fn new() -> Sequences {
        Sequences {
            literals: Field {
                table: Table::new(),
                symbols: LITERALS.len(),
                usual: (&USUAL_LITERALS, 6),
                meaning: |symbol| numbers(LITERALS[symbol]),
            },
            offsets: Field {
                table: Table::new(),
                symbols: 32,
                usual: (&USUAL_OFFSETS, 5),
                meaning: |symbol| Meaning { base: 1 << symbol, extra: symbol as u8 },
            },
            repeats: Field {
                table: Table::new(),
                symbols: 32 + LONG_REPEATS.len(),
                usual: (&USUAL_REPEATS, 6),
                meaning: |symbol| match symbol.checked_sub(32) {
                    Some(long) => numbers(LONG_REPEATS[long]),
                    None => Meaning { base: symbol as u32 + 3, extra: 0 },
                },
            },
            recent: FIRST_RECENT,
        }
    }

    /// Forgets what was inherited.
    pub fn clear(&mut self) {
        self.literals.table.clear();
        self.offsets.table.clear();
        self.repeats.table.clear();
        self.recent = FIRST_RECENT;
    }

    /// Writes the text that sequences make of the first `count` bytes of the literals.
    pub fn decode(&mut self, data: &[u8], literals: &[u8], count: usize, text: &mut Writer<'_>) -> Result<(), Damage> {
        let byte = |at: usize| data.get(at).map(|&byte| usize::from(byte)).ok_or(SHORT);
        let (sequences, head_bytes) = match byte(0)? {
            few @ ..128 => (few, 1),
            255 => (byte(1)? + (byte(2)? << 8) + 0x7f00, 3),
            more => (((more - 128) << 8) + byte(1)?, 2),
        };
        let mut left = 0;
        if sequences > 0 {
            let modes = byte(head_bytes)? as u8;
            let mut rest = &data[head_bytes + 1..];
            rest = &rest[self.literals.read(modes >> 6, rest)?..];
            rest = &rest[self.offsets.read(modes >> 4, rest)?..];
            rest = &rest[self.repeats.read(modes >> 2, rest)?..];
            if modes & 3 != 0 {
                return Err(Damage("a bit that is reserved"));
            }
            left = self.execute(rest, sequences, literals, count, text)?;
        } else if data.len() != head_bytes {
            return Err(Damage("no sequences, but something behind them"));
        }
        text.space(count - left)?.copy_from_slice(&literals[left..count]);
        Ok(())
    }

    /// Writes the text of all sequences; the literals that were used.
    fn execute(
        &mut self,
        data: &[u8],
        sequences: usize,
        literals: &[u8],
        count: usize,
        text: &mut Writer<'_>,
    ) -> Result<usize, Damage> {
        let mut bits = Bits::new(data)?;
        let mut states = (
            self.literals.table.first(&mut bits),
            self.offsets.table.first(&mut bits),
            self.repeats.table.first(&mut bits),
        );
        let [mut first, mut second, mut third] = self.recent;
        let mut used = 0;
        for left in (0..sequences).rev() {
            if !bits.reload() {
                return Err(SHORT);
            }
            let (literal, offset, repeat) = states;
            let value = (offset.base as usize).wrapping_add(bits.read(u32::from(offset.extra)) as usize);
            // The states take at most 26 bits more.
            let is_long = offset.extra + literal.extra + repeat.extra > 57 - 26;
            if is_long {
                bits.reload();
            }
            let bytes = repeat.base as usize + bits.read(u32::from(repeat.extra)) as usize;
            let run = literal.base as usize + bits.read(u32::from(literal.extra)) as usize;
            if left > 0 {
                if is_long {
                    bits.reload();
                }
                let literal = self.literals.table.next(states.0, &mut bits);
                let repeat = self.repeats.table.next(states.2, &mut bits);
                states = (literal, self.offsets.table.next(states.1, &mut bits), repeat);
            }
            let back = if value > 3 {
                (first, second, third) = (value - 3, first, second);
                first
            } else {
                // Without literals the last distance would be no new sequence: it stands for the last but one.
                match value + usize::from(run == 0) {
                    1 => {}
                    2 => (first, second) = (second, first),
                    3 => (first, second, third) = (third, first, second),
                    _ => (first, second, third) = (first.wrapping_sub(1), first, second),
                }
                first
            };
            if run > count - used {
                return Err(Damage("more literals used than there are"));
            }
            text.literals(literals, used, run)?;
            used += run;
            text.repeat(back, bytes)?;
        }
        bits.reload();
        if !bits.is_at_end() {
            return Err(Damage("sequences that end before or behind their bits"));
        }
        self.recent = [first, second, third];
        Ok(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of a block names its code: the usual one, a single symbol, one that is written, or that of the block before.
    #[test]
    fn the_four_kinds_of_codes() {
        let mut field = Sequences::new().offsets;
        assert!(field.read(3, &[]).is_err(), "none was given before");
        assert_eq!(field.read(1, &[5, 9]).unwrap(), 1);
        assert_eq!(field.read(3, &[]).unwrap(), 0);
        assert!(field.read(1, &[]).is_err());
        assert!(field.read(1, &[32]).is_err(), "there are 32 of them");
        assert_eq!(field.read(0, &[]).unwrap(), 0);
        assert!(field.read(2, &[]).is_err());
    }
}
