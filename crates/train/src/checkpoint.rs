//! Checkpoints of a training run: everything on which its next rounds depend.
//!
//! A checkpoint consists of a header with the settings, then the state, then a checksum of both.
//! Only a run with the same settings can read it. So every size or its maximum is known in advance,
//! and a damaged file causes an error but never a large allocation.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::time::Duration;

use super::judge::Score;
use super::recipe;
use super::starts::POOL;
use super::training::{Best, Settings, TrainingRun};
use taquin::internal::training::{Checksum, Learned};

const MAGIC: &[u8; 16] = b"taquin training\n";

/// A writer of numbers that computes their checksum.
struct Writer<'a, W: Write> {
    out: &'a mut W,
    sum: Checksum,
}

impl<W: Write> Writer<'_, W> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }

    fn number(&mut self, number: u64) -> Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn signed(&mut self, bytes: &[i8]) -> Result<()> {
        self.bytes(bytemuck::cast_slice(bytes))
    }

    fn floats(&mut self, floats: &[f32]) -> Result<()> {
        let mut buffer = Vec::with_capacity(1 << 14);
        for part in floats.chunks(1 << 12) {
            buffer.clear();
            buffer.extend(part.iter().flat_map(|float| float.to_le_bytes()));
            self.bytes(&buffer)?;
        }
        Ok(())
    }
}

/// A reader of numbers that computes their checksum.
struct Reader<'a, R: Read> {
    input: &'a mut R,
    sum: Checksum,
}

impl<R: Read> Reader<'_, R> {
    fn bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.input.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn number(&mut self) -> Result<u64> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads a length of at most `max`.
    fn length(&mut self, max: usize) -> Result<usize> {
        let number = self.number()?;
        usize::try_from(number).ok().filter(|&number| number <= max).ok_or_else(damaged)
    }

    fn signed(&mut self, count: usize) -> Result<Vec<i8>> {
        let mut bytes = vec![0i8; count];
        self.bytes(bytemuck::cast_slice_mut(&mut bytes))?;
        Ok(bytes)
    }

    /// Reads the home cells (the cells in the goal) of the tiles of `boards` boards.
    fn homes(&mut self, boards: usize, cells: usize, homes: &mut Vec<u8>) -> Result<()> {
        homes.clear();
        homes.resize(boards * cells, 0);
        self.bytes(homes)?;
        if homes.iter().all(|&home| usize::from(home) < cells) { Ok(()) } else { Err(damaged()) }
    }

    fn floats(&mut self, floats: &mut [f32]) -> Result<()> {
        let mut buffer = [0; 1 << 14];
        for part in floats.chunks_mut(1 << 12) {
            let bytes = &mut buffer[..4 * part.len()];
            self.bytes(bytes)?;
            for (float, bytes) in part.iter_mut().zip(bytes.chunks_exact(4)) {
                *float = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
        }
        Ok(())
    }
}

fn damaged() -> Error {
    Error::new(ErrorKind::InvalidData, "it is damaged")
}

/// Returns true if these home cells, all below 64, are a permutation.
fn is_permutation(homes: &[u8]) -> bool {
    homes.iter().fold(0u64, |seen, &home| seen | 1 << home).count_ones() as usize == homes.len()
}

/// Returns the settings and the version of the recipe as numbers.
fn identity(settings: &Settings) -> Vec<u64> {
    let shape = settings.goal.shape();
    let labels = settings.goal.tiles().iter().map(|tile| tile.label() as u64);
    [shape.rows() as u64, shape.cols() as u64, settings.seed, settings.threads as u64, recipe::VERSION]
        .into_iter()
        .chain(labels)
        .collect()
}

impl TrainingRun {
    /// Writes the run as it is between two rounds, and the time spent on it.
    pub fn write(&self, spent: Duration, out: &mut impl Write) -> Result<()> {
        let mut out = Writer { out, sum: Checksum::default() };
        out.bytes(MAGIC)?;
        for number in identity(&self.settings) {
            out.number(number)?;
        }
        out.number(spent.as_millis() as u64)?;
        out.number(self.rounds)?;
        out.floats(&self.mean.weights)?;
        for student in &self.students {
            out.floats(&student.net.weights)?;
            out.number(student.random.0)?;
            out.number(student.starts.pool.len() as u64)?;
            for homes in &student.starts.pool {
                out.bytes(homes)?;
            }
            out.number(student.samples.len() as u64)?;
            out.number(student.samples.next as u64)?;
            out.bytes(&student.samples.homes)?;
            out.floats(&student.samples.labels)?;
        }
        out.number(u64::from(self.best.is_some()))?;
        if let Some(Best { round, score, weights }) = &self.best {
            for number in [*round, score.failed, score.moves, score.boards] {
                out.number(number)?;
            }
            let singles: Vec<u8> = weights.singles().iter().flat_map(|weight| weight.to_le_bytes()).collect();
            out.bytes(&singles)?;
            out.signed(weights.pairs())?;
            out.signed(weights.triple_weights())?;
        }
        let sum = out.sum.value();
        out.out.write_all(&sum.to_le_bytes())
    }

    /// Restores the state of a run with the same settings, and returns the time spent on that run.
    ///
    /// # Errors
    /// When the bytes are not a checkpoint of such a run. The state may then be partly restored.
    pub fn read(&mut self, input: &mut impl Read) -> Result<Duration> {
        let mut input = Reader { input, sum: Checksum::default() };
        let mut magic = [0; 16];
        input.bytes(&mut magic)?;
        if &magic != MAGIC {
            return Err(Error::new(ErrorKind::InvalidData, "it is not a training file"));
        }
        for number in identity(&self.settings) {
            if input.number()? != number {
                let why = "it was written with other settings, or by another version of the trainer";
                return Err(Error::new(ErrorKind::InvalidData, why));
            }
        }
        let spent = Duration::from_millis(input.number()?);
        self.rounds = input.number()?;
        input.floats(&mut self.mean.weights)?;
        let cells = self.layout.cells();
        for student in &mut self.students {
            input.floats(&mut student.net.weights)?;
            student.random.0 = input.number()?;
            let pooled = input.length(POOL)?;
            let mut homes = Vec::new();
            input.homes(pooled, cells, &mut homes)?;
            student.starts.pool = homes.chunks_exact(cells).map(<[u8]>::to_vec).collect();
            if !student.starts.pool.iter().all(|homes| is_permutation(homes)) {
                return Err(damaged());
            }
            let samples = &mut student.samples;
            let count = input.length(samples.capacity)?;
            samples.next = input.length(samples.capacity)?;
            input.homes(count, cells, &mut samples.homes)?;
            samples.labels.clear();
            samples.labels.resize(count, 0.0);
            input.floats(&mut samples.labels)?;
        }
        let best = if input.length(1)? == 1 { Some(self.read_best(&mut input)?) } else { None };
        let sum = input.sum.value();
        let mut found = [0; 8];
        input.input.read_exact(&mut found)?;
        if u64::from_le_bytes(found) != sum || input.input.read(&mut [0])? > 0 {
            return Err(damaged());
        }
        self.best = best;
        Ok(spent)
    }

    fn read_best(&self, input: &mut Reader<'_, impl Read>) -> Result<Best> {
        let round = input.number()?;
        let score = Score { failed: input.number()?, moves: input.number()?, boards: input.number()? };
        if score.failed > score.boards {
            return Err(damaged());
        }
        let n = self.layout.cells();
        let mut single = vec![0; 2 * n * n];
        input.bytes(&mut single)?;
        let single = single.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let pair = input.signed(n.pow(4))?;
        let triple = input.signed(self.layout.tromino_count() * n.pow(3))?;
        let weights = Learned::new(self.layout.shape(), self.layout.goal_blank(), single, pair, triple);
        Ok(Best { round, score, weights })
    }
}
