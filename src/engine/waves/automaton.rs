//! Stand-in for the automaton that prunes duplicates (Taylor and Korf 1993): it forbids only the
//! letter that undoes the last one. The engine reads no more of an automaton than is here, so that
//! another one can take its place by changing the `use` in [`super`].

/// Which letters may follow a string of letters: those that lead to a board which no smaller or shorter string reaches.
///
/// Letters are those of the board as given, so that one automaton serves every space.
#[derive(Clone, Debug)]
pub struct Automaton {
    table: Vec<[u16; 4]>,
}

impl Automaton {
    /// The state of the empty string.
    pub const START: u16 = 0;
    /// In place of a next state: no string goes on with this letter.
    pub const REJECT: u16 = u16::MAX;

    /// The automaton that never turns back at once.
    pub fn no_return() -> Automaton {
        let row =
            |last: Option<u16>| [0, 1, 2, 3].map(|next| if last == Some(3 - next) { Self::REJECT } else { next + 1 });
        Automaton { table: std::iter::once(row(None)).chain((0..4).map(|last| row(Some(last)))).collect() }
    }

    /// An automaton of this table: the next state by state and letter, or [`Automaton::REJECT`].
    pub fn of_table(table: Vec<[u16; 4]>) -> Automaton {
        Automaton { table }
    }

    /// The next state by state and letter, or [`Automaton::REJECT`].
    pub fn table(&self) -> &[[u16; 4]] {
        &self.table
    }

    /// The letters that may follow in a state, one bit each.
    pub fn letters(&self, state: u16) -> u8 {
        let row = self.table[usize::from(state)];
        (0..4).filter(|&letter| row[letter] != Self::REJECT).fold(0, |letters, letter| letters | 1 << letter)
    }
}
