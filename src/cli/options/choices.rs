//! The library's enums as values of options, which clap reads, lists and completes.
//!
//! The library does not depend on clap, so this module implements [`ValueEnum`] for its enums. The
//! values have the names that the library gives them.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::engine::{EngineKind, Parallel, TieBreak};
use crate::format::input::Layout;
use crate::format::spelling::{MovingPiece, Notation};
use crate::solver::Quality;
use crate::tools::generate::{Rank, Spread};

/// Implements [`ValueEnum`] for each type, with these values. The method `name` names them.
macro_rules! choices {
    ($($Type:ty: $values:expr;)+) => {$(
        impl ValueEnum for $Type {
            fn value_variants<'a>() -> &'a [$Type] {
                const VALUES: &[$Type] = &$values;
                VALUES
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()))
            }
        }
    )+};
}

choices! {
    EngineKind: EngineKind::SEARCHES;
    Layout: Layout::ALL;
    MovingPiece: [MovingPiece::Blank, MovingPiece::Tile];
    Notation: Notation::ALL;
    Parallel: [Parallel::Auto, Parallel::Across, Parallel::Within];
    Quality: Quality::ALL;
    Rank: Rank::ALL;
    Spread: [Spread::Natural, Spread::Even];
    TieBreak: TieBreak::OPTIONS;
}

/// A choice, or `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrAuto<T>(pub Option<T>);

impl<T> Default for OrAuto<T> {
    fn default() -> OrAuto<T> {
        OrAuto(None)
    }
}

macro_rules! choices_or_auto {
    ($($Type:ty),+) => {$(
        impl ValueEnum for OrAuto<$Type> {
            fn value_variants<'a>() -> &'a [OrAuto<$Type>] {
                static VALUES: LazyLock<Vec<OrAuto<$Type>>> = LazyLock::new(|| {
                    let named = <$Type>::value_variants().iter().map(|&value| OrAuto(Some(value)));
                    [OrAuto(None)].into_iter().chain(named).collect()
                });
                &VALUES
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                self.0.map_or(Some(PossibleValue::new("auto")), |value| value.to_possible_value())
            }
        }
    )+};
}

choices_or_auto!(EngineKind, Layout, Quality);
