use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::board::{Cell, Shape, State};

/// Returns the states at most `max_depth` moves from the goal, with their depths, from an
/// independent breadth-first search with std's map.
fn ball<K: Key + std::hash::Hash + Eq>(shape: Shape, max_depth: u8, pack: fn(&State, usize) -> K) -> HashMap<K, u8> {
    let goal = State::goal(shape, Cell::new(shape.cells() - 1));
    let mut ball = HashMap::from([(pack(&goal, shape.cells()), 0)]);
    let mut layer = vec![goal];
    for depth in 1..=max_depth {
        let children: Vec<State> = layer
            .iter()
            .flat_map(|state| crate::board::Move::ALL.into_iter().filter_map(|step| state.after(shape, step)))
            .collect();
        layer = children
            .into_iter()
            .filter(|child| {
                let key = pack(child, shape.cells());
                let new = !ball.contains_key(&key);
                ball.entry(key).or_insert(depth);
                new
            })
            .collect();
    }
    ball
}

/// Inserts states, finds them, lists them, and moves them into a larger set.
fn check_operations<K: Key + std::hash::Hash + Eq>(
    rows: usize,
    cols: usize,
    max_depth: u8,
    pack: fn(&State, usize) -> K,
) {
    let shape = Shape::new(rows, cols).unwrap();
    let (inner, outer) = (ball(shape, max_depth, pack), ball(shape, max_depth + 1, pack));
    let mut set = StateSet::<K>::with_room_for(shape.cells(), inner.len());
    assert_eq!(set.bytes(), StateSet::<K>::bytes_for(shape.cells(), inner.len()));
    for (&key, &depth) in &inner {
        let note = Note::new(depth).with_flags(depth % 16);
        assert_eq!(set.insert(key, note), Insert::New);
        assert_eq!(set.insert(key, Note::new(0)), Insert::Seen(note));
    }
    for _ in 0..2 {
        for key in outer.keys() {
            let note = inner.get(key).map(|&depth| Note::new(depth).with_flags(depth % 16));
            assert_eq!(set.get(*key), note);
        }
        let parts = (0..3).flat_map(|part| set.entries_of_part(part, 3));
        assert_eq!(parts.map(|(key, note)| (key, note.depth())).collect::<HashMap<K, u8>>(), inner);
        assert_eq!(set.entries_of_part(0, 1).count(), inner.len());
        let larger = StateSet::with_room_for(shape.cells(), inner.len() * 5);
        set.entries_of_part(0, 1).for_each(|(key, note)| assert_eq!(larger.insert(key, note), Insert::New));
        set = larger;
    }
}

#[test]
fn one_word_keys_of_real_states() {
    for (rows, cols) in [(2, 2), (2, 3), (2, 6), (2, 7), (3, 5), (4, 4), (2, 8)] {
        check_operations(rows, cols, 11, State::pack);
    }
}

#[test]
fn two_word_keys_of_real_states() {
    for (rows, cols) in [(3, 3), (4, 4), (3, 6), (4, 5), (3, 7), (2, 11), (4, 6), (5, 5)] {
        check_operations(rows, cols, 11, State::pack_wide);
    }
}

/// Insertion first fails at a load above the one that `with_room_for` plans for.
#[test]
fn sets_fill_beyond_the_planned_load() {
    fn first_full<K: Key>(cells: usize, states: usize, key: impl Fn(u64) -> K) -> f64 {
        let set = StateSet::<K>::with_room_for(cells, states);
        let fits = (0..).take_while(|&index| set.insert(key(index), Note::new(1)) == Insert::New).count();
        fits as f64 / (states + states / STATES_PER_SPARE) as f64
    }
    // With 15 and 24 cells, keys of any bit pattern are allowed.
    let narrow = first_full(15, 1 << 20, |index| index.wrapping_mul(0xD134_2543_DE82_EF95) >> 4);
    let wide =
        first_full(24, 1 << 20, |index| u128::from(index).wrapping_mul(0x5851_F42D_4C95_7F2D_1405_7B7E_F767_814F) >> 8);
    assert!(narrow > 0.8 && wide > 0.75, "narrow {narrow}, wide {wide}");
}

#[test]
fn a_full_set_rejects_keys_and_stays_correct() {
    // A few lines of eight slots and every 16-bit key of four cells. Most keys find no slot.
    let set = StateSet::<u64>::with_room_for(4, 12);
    let fits: Vec<bool> = (0..1 << 16).map(|key| set.insert(key, Note::new(key as u8)) == Insert::New).collect();
    assert!((12..=set.bytes() / 8).contains(&fits.iter().filter(|&&fit| fit).count()));
    for (key, fit) in fits.into_iter().enumerate() {
        let note = Note::new(key as u8);
        assert_eq!(set.get(key as u64), fit.then_some(note));
        assert_eq!(set.insert(key as u64, note), if fit { Insert::Seen(note) } else { Insert::Full });
    }
}

/// The capacity is the largest number of states for a set of this size.
#[test]
fn capacity_matches_the_size() {
    fn check_capacity<K: Key>(cells: usize) {
        for states in (0..2000).chain([65_535, 65_536, 1_000_003]) {
            let (set, bytes) = (StateSet::<K>::with_room_for(cells, states), StateSet::<K>::bytes_for);
            assert!(set.capacity() >= states);
            assert_eq!(bytes(cells, set.capacity()), set.bytes(), "{states} states");
            assert!(bytes(cells, set.capacity() + 1) > set.bytes(), "{states} states");
        }
    }
    check_capacity::<u64>(13);
    check_capacity::<u128>(20);
}

#[test]
fn flags_accumulate() {
    let set = StateSet::<u128>::with_room_for(20, 10);
    assert_eq!(set.mark(77, 1), None);
    set.insert(77, Note::new(255).with_flags(8));
    assert_eq!(set.mark(77, 1), Some(Note::new(255).with_flags(8)));
    assert_eq!(set.mark(77, 3), Some(Note::new(255).with_flags(9)));
    assert_eq!(set.get(77), Some(Note::new(255).with_flags(11)));
}

fn agrees<K: Key + Eq + std::hash::Hash>(cells: usize, operations: &[(K, u8, u8)]) -> Result<(), TestCaseError> {
    let (set, mut model) = (StateSet::<K>::with_room_for(cells, operations.len()), HashMap::new());
    for &(key, kind, depth) in operations {
        let note = Note::new(depth).with_flags(kind);
        match kind {
            0..8 => match model.get(&key) {
                None => {
                    prop_assert_eq!(set.insert(key, note), Insert::New);
                    model.insert(key, note);
                }
                Some(&earlier) => prop_assert_eq!(set.insert(key, note), Insert::Seen(earlier)),
            },
            8..12 => prop_assert_eq!(set.get(key), model.get(&key).copied()),
            _ => {
                prop_assert_eq!(set.mark(key, kind), model.get(&key).copied());
                model.entry(key).and_modify(|note| *note = note.with_flags(note.flags() | kind));
            }
        }
    }
    let listed: Vec<(K, Note)> = set.entries_of_part(0, 1).collect();
    prop_assert_eq!(listed.len(), model.len());
    prop_assert_eq!(listed.into_iter().collect::<HashMap<K, Note>>(), model);
    Ok(())
}

proptest! {
    /// Compares the set with std's map on one thread, with few keys, so that several operations
    /// often have the same key.
    #[test]
    fn one_word_set_behaves_like_a_map(operations in prop::collection::vec((0u64..600, 0u8..16, any::<u8>()), 1..800)) {
        agrees(4, &operations)?;
    }

    #[test]
    fn two_word_set_behaves_like_a_map(
        operations in prop::collection::vec(((0u128..30, 0u128..30), 0u8..16, any::<u8>()), 1..800)
    ) {
        // Many keys with the same upper half.
        let wide = operations.into_iter().map(|((a, b), kind, depth)| (a << 90 | b << 53 | (a * b), kind, depth));
        agrees(24, &wide.collect::<Vec<_>>())?;
    }
}

/// Four threads insert the same states in different orders. Each state is `New` for exactly one
/// thread, and the others get that thread's note.
#[allow(clippy::type_complexity)]
fn stress<K: Key + Eq + std::hash::Hash>(cells: usize, key: impl Fn(u64) -> K + Sync) {
    const STATES: u64 = 60_000;
    let set = StateSet::<K>::with_room_for(cells, STATES as usize);
    let results: Vec<(HashMap<K, Note>, Vec<(K, Note)>)> = std::thread::scope(|scope| {
        let threads = [1, 7, 11, 59_999].map(|stride| {
            let (set, key) = (&set, &key);
            scope.spawn(move || {
                let (mut inserted, mut seen) = (HashMap::new(), Vec::new());
                for index in 0..STATES {
                    let key = key(index * stride % STATES);
                    let note = Note::new(stride as u8);
                    match set.insert(key, note) {
                        Insert::New => assert_eq!(inserted.insert(key, note), None),
                        Insert::Seen(note) => seen.push((key, note)),
                        Insert::Full => panic!("full"),
                    }
                    assert!(set.get(key).is_some());
                }
                (inserted, seen)
            })
        });
        threads.map(|thread| thread.join().unwrap()).into()
    });
    let mut model = HashMap::new();
    for (inserted, _) in &results {
        inserted.iter().for_each(|(&key, &note)| assert_eq!(model.insert(key, note), None, "{key:?} was New twice"));
    }
    assert_eq!(model.len(), STATES as usize);
    assert!(results.iter().flat_map(|(_, seen)| seen).all(|(key, note)| model[key] == *note));
    assert_eq!(set.entries_of_part(0, 1).collect::<HashMap<K, Note>>(), model);
}

#[test]
fn threads_agree_on_one_word_keys() {
    for _ in 0..5 {
        stress(8, |index| index * 65_537);
    }
}

#[test]
fn threads_agree_on_two_word_keys() {
    for _ in 0..5 {
        stress(24, |index| u128::from(index % 300) << 80 | u128::from(index / 300));
    }
}
