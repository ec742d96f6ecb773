//! Models of the sets for the model checker loom. It tries every interleaving, and every value that
//! the memory orderings allow a load to see.
//!
//! ```text
//! scripts/models visited::loom
//! ```
//!
//! Two models contain a planted race, to show that the models can fail.

use ::loom::sync::Arc;
use ::loom::thread;

use super::slot::{Probe, StoredKey};
use super::{AtomicU64, Insert, Key, Note, Ordering, StateSet};

const ONE: Note = Note::new(1);
const TWO: Note = Note::new(2);

/// Runs two inserters, one for each key, and a reader of the second key at the same time. Passes
/// all three results to `check`.
fn race<K: Key>(set: fn() -> StateSet<K>, keys: [K; 2], check: fn(&StateSet<K>, [Insert; 2], Option<Note>)) {
    ::loom::model(move || {
        let set = Arc::new(set());
        let other = set.clone();
        let first = thread::spawn(move || other.insert(keys[0], ONE));
        let other = set.clone();
        let reader = thread::spawn(move || other.get(keys[1]));
        let second = set.insert(keys[1], TWO);
        let inserted = [first.join().unwrap(), second];
        check(&set, inserted, reader.join().unwrap());
    });
}

/// Checks that of two inserters of one key, one gets `New` and the other gets the note of the
/// first, and that a reader gets the same note or nothing.
fn one_key<K: Key>(set: fn() -> StateSet<K>, key: K) {
    race(set, [key, key], |_, inserted, read| match inserted {
        [Insert::New, Insert::Seen(ONE)] => assert!(matches!(read, None | Some(ONE))),
        [Insert::Seen(TWO), Insert::New] => assert!(matches!(read, None | Some(TWO))),
        _ => panic!("{inserted:?}"),
    });
}

/// Checks that two keys whose probes begin at the same slot are both `New`, and that neither hides
/// the other.
fn two_keys<K: Key>(set: fn() -> StateSet<K>, keys: [K; 2]) {
    race(set, keys, |_, inserted, read| {
        assert_eq!(inserted, [Insert::New, Insert::New]);
        assert!(matches!(read, None | Some(TWO)));
    });
    ::loom::model(move || {
        let set = Arc::new(set());
        let [slot, second_slot] = keys.map(|key| set.place(key).first / K::WORDS);
        assert_eq!(slot, second_slot, "the keys begin at different slots, so they would not race");
        let other = set.clone();
        let first = thread::spawn(move || other.insert(keys[0], ONE));
        set.insert(keys[1], TWO);
        first.join().unwrap();
        assert_eq!(keys.map(|key| set.get(key)), [Some(ONE), Some(TWO)]);
    });
}

/// A set of one line: 8 slots of one word, 4 of two.
fn small<K: Key>() -> StateSet<K> {
    StateSet::with_room_for(4, 1)
}

/// The same set with one slot left.
fn nearly_full<K: Key + From<u8>>() -> StateSet<K> {
    let set = small();
    for key in 1..(8 / K::WORDS) as u8 {
        assert_eq!(set.insert(K::from(100 + key), ONE), Insert::New);
    }
    set
}

#[test]
fn one_word_one_key() {
    one_key::<u64>(small, 7);
}

#[test]
fn one_word_two_keys() {
    two_keys::<u64>(small, [7, 13]);
}

#[test]
fn two_words_one_key() {
    one_key::<u128>(small, 7);
}

#[test]
fn two_words_two_keys() {
    two_keys::<u128>(small, [u128::join(7, 0, 4), u128::join(12, 0, 4)]);
}

#[test]
fn two_words_two_keys_that_reserve_one_slot() {
    // The same upper half, so that both compete for word B of the first slot.
    two_keys::<u128>(small, [u128::join(5, 1, 4), u128::join(5, 2, 4)]);
}

/// Checks that of two keys that compete for the last slot, one is `New` and the other `Full`.
fn last_slot<K: Key + From<u8>>(keys: [K; 2]) {
    race(nearly_full::<K>, keys, |_, inserted, read| match inserted {
        [Insert::New, Insert::Full] => assert_eq!(read, None),
        [Insert::Full, Insert::New] => assert!(matches!(read, None | Some(TWO))),
        _ => panic!("{inserted:?}"),
    });
}

#[test]
fn one_word_last_slot() {
    last_slot::<u64>([7, 8]);
}

#[test]
fn two_words_last_slot() {
    last_slot::<u128>([7, 8]);
    last_slot::<u128>([u128::join(5, 1, 4), u128::join(5, 2, 4)]);
}

/// Checks that a thread that finds a member sees everything that its inserter did before.
fn publishes<S: Send + Sync + 'static>(make: fn() -> S, inserts: fn(&S) -> bool, finds: fn(&S) -> bool) {
    ::loom::model(move || {
        let shared = Arc::new((make(), AtomicU64::new(0)));
        let other = shared.clone();
        let writer = thread::spawn(move || {
            // Relaxed, here and below: only the set orders the store and the load.
            other.1.store(1, Ordering::Relaxed);
            assert!(inserts(&other.0));
        });
        if finds(&shared.0) {
            assert_eq!(shared.1.load(Ordering::Relaxed), 1, "found, but earlier writes are not visible");
        }
        writer.join().unwrap();
    });
}

#[test]
fn one_word_publishes() {
    publishes(small::<u64>, |set| set.insert(7, ONE) == Insert::New, |set| set.get(7).is_some());
}

#[test]
fn two_words_publish() {
    publishes(small::<u128>, |set| set.insert(7, ONE) == Insert::New, |set| set.get(7).is_some());
}

#[test]
fn marks_publish() {
    fn marked() -> StateSet<u128> {
        let set = small();
        set.insert(7, ONE);
        set
    }
    publishes(marked, |set| set.mark(7, 2) == Some(ONE), |set| set.get(7) == Some(ONE.with_flags(2)));
    ::loom::model(|| {
        let set = Arc::new(marked());
        let other = set.clone();
        let first = thread::spawn(move || other.mark(7, 2).unwrap().flags());
        let second = set.mark(7, 2).unwrap().flags();
        assert_eq!(first.join().unwrap() + second, 2, "exactly one of the two threads finds the flag not set");
    });
}

const KEY: StoredKey = StoredKey { tag: 33, rest: 5 };

/// Checks that of two threads that take one slot for one key by this protocol, exactly one
/// succeeds.
fn one_takes(take: fn(&[AtomicU64], StoredKey, Note) -> Probe) {
    ::loom::model(move || {
        let slot = Arc::new([AtomicU64::new(0)]);
        let other = slot.clone();
        let first = thread::spawn(move || matches!(take(&*other, KEY, ONE), Probe::Vacant));
        let second = matches!(take(&*slot, KEY, TWO), Probe::Vacant);
        assert_ne!(first.join().unwrap(), second, "both took the slot, or neither did");
    });
}

/// Checks that taking a slot by this protocol publishes earlier writes.
fn slot_publishes(take: fn(&[AtomicU64], StoredKey, Note) -> Probe) {
    ::loom::model(move || {
        let shared = Arc::new(([AtomicU64::new(0)], AtomicU64::new(0)));
        let other = shared.clone();
        let writer = thread::spawn(move || {
            other.1.store(1, Ordering::Relaxed);
            take(&other.0, KEY, ONE);
        });
        if matches!(u64::look(&shared.0, KEY), Probe::Here(_)) {
            assert_eq!(shared.1.load(Ordering::Relaxed), 1, "found, but earlier writes are not visible");
        }
        writer.join().unwrap();
    });
}

#[test]
fn a_slot_is_taken_once_and_publishes() {
    one_takes(u64::take);
    slot_publishes(u64::take);
}

#[test]
#[should_panic(expected = "both took the slot")]
fn planted_race_check_then_store() {
    one_takes(|slot, key, note| match u64::look(slot, key) {
        Probe::Vacant => {
            slot[0].store(key.tag << Note::BITS | note.bits(), Ordering::Release);
            Probe::Vacant
        }
        found => found,
    });
}

#[test]
#[should_panic(expected = "earlier writes are not visible")]
fn planted_race_relaxed_publication() {
    slot_publishes(|slot, key, note| {
        let full = key.tag << Note::BITS | note.bits();
        match slot[0].compare_exchange(0, full, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Probe::Vacant,
            Err(now) => Probe::Here(Note::from_low_bits(now)),
        }
    });
}
