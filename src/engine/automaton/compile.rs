//! From a set of rejected strings to a small table (Aho and Corasick 1975; Moore 1956 for the merging).
//!
//! No rejected string is a factor of another one, because strings with a rejected factor are never
//! examined. This makes the construction simpler than the general one: a proper prefix of a rejected
//! string ends in no rejected string, so rejection stands on the edges that complete one and nowhere
//! else.

use std::collections::HashMap;

use super::hands::Hands;
use super::word::Word;

/// The next state by state and letter; state 0 is the start.
pub(super) type Transitions = Vec<[u32; 4]>;

/// Entry of [`Transitions`] where the string is rejected.
pub(super) const REJECT: u32 = u32::MAX;

/// Entry of a [`Trie`] where no rejected string goes on.
const NONE: u32 = u32::MAX - 1;

/// The proper prefixes of the rejected strings; node 0 is the empty one.
#[derive(Debug)]
pub(super) struct Trie(Vec<[u32; 4]>);

impl Default for Trie {
    fn default() -> Trie {
        Trie(vec![[NONE; 4]])
    }
}

impl Trie {
    /// Adds a string of which no factor is rejected yet.
    pub(super) fn insert(&mut self, word: Word) {
        let (mut node, mut left) = (0, word.len());
        for letter in word.letters() {
            left -= 1;
            let next = self.0[node][letter];
            assert_ne!(next, REJECT, "a string with a rejected factor is not examined");
            node = match next {
                _ if left == 0 => {
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

    /// The automaton whose states are the trie's nodes: after any accepted string, the longest suffix
    /// of it that is a prefix of a rejected one.
    pub(super) fn compile(&self) -> Transitions {
        let mut machine = self.0.clone();
        // Of every node the longest proper suffix that is a node. It is shorter: done before its node.
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

/// The least automaton that accepts the same strings, its states in breadth-first order from the start.
///
/// Moore's refinement: states are separated by the letters they reject at once, then by the classes of their
/// successors, until nothing changes. `None` where the work was stopped.
pub(super) fn minimise(machine: &Transitions, hands: Hands<'_>) -> Option<Transitions> {
    let mut class = vec![0u32; machine.len()];
    let mut classes = 1;
    let mut names: HashMap<(u32, [u32; 4]), u32> = HashMap::with_capacity(machine.len());
    loop {
        if hands.are_stopped() {
            return None;
        }
        names.clear();
        let refined: Vec<u32> = machine
            .iter()
            .zip(&class)
            .map(|(next, &own)| {
                let next = next.map(|to| if to == REJECT { REJECT } else { class[to as usize] });
                let new = names.len() as u32;
                *names.entry((own, next)).or_insert(new)
            })
            .collect();
        class = refined;
        if names.len() == classes {
            break;
        }
        classes = names.len();
    }
    // Any member represents its class; the start is the first to be numbered.
    let mut number = vec![NONE; classes];
    number[class[0] as usize] = 0;
    let mut members = vec![0usize];
    let mut least = Transitions::with_capacity(classes);
    while let Some(&member) = members.get(least.len()) {
        least.push(machine[member].map(|to| {
            if to == REJECT {
                return REJECT;
            }
            let number = &mut number[class[to as usize] as usize];
            if *number == NONE {
                *number = members.len() as u32;
                members.push(to as usize);
            }
            *number
        }));
    }
    Some(least)
}
