//! Compilation of a set of rejected strings into a small table (Aho and Corasick 1975; minimisation
//! after Moore 1956).
//!
//! No rejected string is a factor of another, because strings with a rejected factor are not
//! examined. So the construction is simpler than the general one: no suffix of a proper prefix of a
//! rejected string is rejected, and rejection occurs only on the edges that complete a rejected
//! string.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::strings::Word;

/// The next state by state and letter. State 0 is the start.
pub(super) type Transitions = Vec<[u32; 4]>;

/// The entry of [`Transitions`] for rejection.
pub(super) const REJECT: u32 = u32::MAX;

/// The entry of a [`Trie`] for a string with which no rejected string begins.
const NONE: u32 = u32::MAX - 1;

/// The proper prefixes of the rejected strings. Node 0 is the empty string.
#[derive(Debug)]
pub(super) struct Trie(Vec<[u32; 4]>);

impl Default for Trie {
    fn default() -> Trie {
        Trie(vec![[NONE; 4]])
    }
}

impl Trie {
    /// Adds a string. None of its factors may have been rejected yet.
    pub(super) fn insert(&mut self, word: Word) {
        let (mut node, mut remaining) = (0, word.len());
        for letter in word.letters() {
            remaining -= 1;
            let next = self.0[node][letter];
            assert_ne!(next, REJECT, "a string with a rejected factor is not examined");
            node = match next {
                _ if remaining == 0 => {
                    self.0[node][letter] = REJECT;
                    return;
                }
                NONE => {
                    let new = self.0.len();
                    self.0[node][letter] = new as u32;
                    self.0.push([NONE; 4]);
                    new
                }
                next => next as usize,
            };
        }
    }

    /// Returns the automaton whose states are the trie's nodes. After an accepted string, the state
    /// is the string's longest suffix that is a proper prefix of a rejected string.
    pub(super) fn compile(&self) -> Transitions {
        let mut machine = self.0.clone();
        // For every node, its longest proper suffix that is also a node. Suffixes are shorter, so
        // their transitions are complete before those of the node.
        let mut suffix = vec![0u32; machine.len()];
        let mut queue = Vec::with_capacity(machine.len());
        queue.push(0u32);
        let mut done = 0;
        while let Some(&node) = queue.get(done) {
            done += 1;
            let fallback = if node == 0 { [0; 4] } else { machine[suffix[node as usize] as usize] };
            for (letter, fallback) in fallback.into_iter().enumerate() {
                match machine[node as usize][letter] {
                    REJECT => {}
                    NONE => machine[node as usize][letter] = fallback,
                    child => {
                        debug_assert_ne!(fallback, REJECT, "a prefix of a rejected string is not rejected");
                        suffix[child as usize] = fallback;
                        queue.push(child);
                    }
                }
            }
        }
        machine
    }
}

/// Returns the minimal automaton that accepts the same strings, with its states in breadth-first
/// order from the start. Returns `None` if stopped.
///
/// Moore's refinement: states are separated first by the letters that they reject, then by the
/// classes of their successors, until nothing changes.
pub(super) fn minimise(machine: &Transitions, stop: &AtomicBool) -> Option<Transitions> {
    let mut class = vec![0u32; machine.len()];
    let mut classes = 1;
    let mut numbers: HashMap<(u32, [u32; 4]), u32> = HashMap::with_capacity(machine.len());
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        numbers.clear();
        let refined: Vec<u32> = machine
            .iter()
            .zip(&class)
            .map(|(next, &old)| {
                let next = next.map(|to| if to == REJECT { REJECT } else { class[to as usize] });
                let new = numbers.len() as u32;
                *numbers.entry((old, next)).or_insert(new)
            })
            .collect();
        class = refined;
        if numbers.len() == classes {
            break;
        }
        classes = numbers.len();
    }
    // Any member represents its class. The start is numbered first.
    let mut number_of = vec![NONE; classes];
    number_of[class[0] as usize] = 0;
    let mut members = vec![0usize];
    let mut minimal = Transitions::with_capacity(classes);
    while let Some(&member) = members.get(minimal.len()) {
        minimal.push(machine[member].map(|to| {
            if to == REJECT {
                return REJECT;
            }
            let number = &mut number_of[class[to as usize] as usize];
            if *number == NONE {
                *number = members.len() as u32;
                members.push(to as usize);
            }
            *number
        }));
    }
    Some(minimal)
}
