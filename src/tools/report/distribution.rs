//! How the boards of a shape are distributed over the lengths of their shortest solutions, where that is published.
//!
//! Whatever the numbers on the tiles are, it depends on the shape and the place of the goal's blank alone: tiles can be
//! renamed. The tables stand in `distributions.txt` with their sources, seven kilobytes for thirteen of them.

use std::fmt;
use std::sync::LazyLock;

use crate::board::{Board, Shape};

const TABLES: &str = include_str!("distributions.txt");

/// The place of the goal's blank, as far as it matters to most shapes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blank {
    Corner,
    Edge,
    Inside,
}

impl Blank {
    const ALL: [Blank; 3] = [Blank::Corner, Blank::Edge, Blank::Inside];

    pub fn of(goal: &Board) -> Blank {
        let (shape, blank) = (goal.shape(), goal.blank());
        let ends = |at: usize, length: usize| at == 0 || at + 1 == length;
        match (ends(shape.row(blank), shape.rows()), ends(shape.col(blank), shape.cols())) {
            (true, true) => Blank::Corner,
            (false, false) => Blank::Inside,
            _ => Blank::Edge,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Blank::Corner => "corner",
            Blank::Edge => "edge",
            Blank::Inside => "inside",
        }
    }
}

impl fmt::Display for Blank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Blank::Corner => "in a corner",
            Blank::Edge => "on an edge",
            Blank::Inside => "inside",
        })
    }
}

/// The number of boards at each length, from 0 on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    pub boards: Vec<u64>,
}

impl Exact {
    /// That of a shape and the place of the goal's blank; lying or standing, a shape is the same.
    pub fn of(shape: Shape, blank: Blank) -> Option<Exact> {
        let lying = if shape.rows() > shape.cols() { shape.transposed() } else { shape };
        let name = format!("{lying} {} ", blank.name());
        let row = TABLES.lines().find_map(|line| line.strip_prefix(&name))?;
        Some(Exact { boards: row.split(' ').filter_map(|number| number.parse().ok()).collect() })
    }

    /// The most moves that a board of this shape needs, looked up at once: it is asked for every line of results.
    pub fn greatest(shape: Shape, blank: Blank) -> Option<u64> {
        static GREATEST: LazyLock<Vec<(Shape, Blank, u64)>> = LazyLock::new(|| {
            let lines = TABLES.lines().filter(|line| !line.starts_with('#'));
            let shapes = lines.filter_map(|line| line.split_once(' ')?.0.parse::<Shape>().ok());
            let kinds = shapes.flat_map(|shape| Blank::ALL.map(|blank| (shape, blank)));
            let kind = |(shape, blank)| Some((shape, blank, Exact::of(shape, blank)?.boards.len() as u64 - 1));
            kinds.filter_map(kind).collect()
        });
        let lying = if shape.rows() > shape.cols() { shape.transposed() } else { shape };
        GREATEST.iter().find(|known| (known.0, known.1) == (lying, blank)).map(|known| known.2)
    }

    pub fn total(&self) -> u64 {
        self.boards.iter().sum()
    }

    pub fn mean(&self) -> f64 {
        let moves: u128 =
            self.boards.iter().enumerate().map(|(moves, &boards)| moves as u128 * u128::from(boards)).sum();
        moves as f64 / self.total() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    /// Every published table of the tests, number by number, and no other.
    #[test]
    fn the_tables_are_the_published_ones() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let mut found = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let (path, name) = (file.as_ref().unwrap().path(), file.unwrap().file_name().into_string().unwrap());
            let Some(name) = name.strip_prefix("dist_").and_then(|name| name.strip_suffix(".txt")) else { continue };
            let (shape, blank) = name.split_once('_').unwrap();
            let blank = match blank {
                "corner" => Blank::Corner,
                "edge" => Blank::Edge,
                "center" => Blank::Inside,
                other => panic!("{other}"),
            };
            let shape: Shape = shape.parse().unwrap();
            let text = std::fs::read_to_string(path).unwrap();
            let published: Vec<u64> = text
                .lines()
                .filter(|line| !line.starts_with('#'))
                .map(|line| line.split_once(' ').unwrap().1.parse().unwrap())
                .collect();
            let exact = Exact::of(shape, blank).unwrap();
            assert_eq!(exact.boards, published, "{name}");
            assert_eq!(Exact::of(shape.transposed(), blank), Some(exact.clone()));
            for shape in [shape, shape.transposed()] {
                assert_eq!(Exact::greatest(shape, blank), Some(published.len() as u64 - 1), "{name}");
            }
            let half_of_all: u64 = (3..=shape.cells() as u64).product();
            assert_eq!(exact.total(), half_of_all, "{name}");
            let mean: f64 = text.lines().next().unwrap().rsplit_once("mean depth ").unwrap().1.parse().unwrap();
            assert!((exact.mean() - mean).abs() < 1e-6, "{name}");
            found += 1;
        }
        assert_eq!(found, TABLES.lines().filter(|line| !line.starts_with('#')).count());
        assert_eq!(Exact::of(Shape::new(5, 5).unwrap(), Blank::Corner), None);
        assert_eq!(Exact::of(Shape::new(2, 3).unwrap(), Blank::Edge), None);
        assert_eq!(Exact::greatest(Shape::new(5, 5).unwrap(), Blank::Corner), None);
        assert_eq!(Exact::greatest(Shape::new(2, 3).unwrap(), Blank::Edge), None);
    }

    #[test]
    fn places_of_the_blank() {
        let of = |goal: &str, rows, cols| {
            Blank::of(&goal.parse::<Goal>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap())
        };
        assert_eq!(of("blank-last", 3, 4), Blank::Corner);
        assert_eq!(of("snail", 3, 3), Blank::Inside);
        assert_eq!(of("1,0,2/3,4,5", 2, 3), Blank::Edge);
        assert_eq!(of("1,0,2", 1, 3), Blank::Edge);
    }
}
