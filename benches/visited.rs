//! Compares the sets of visited states with concurrent maps of other crates and with a `HashSet` in
//! a mutex, on 10⁷ operations in each of the mixes below. All maps use the same hasher.
//!
//! ```text
//! cargo bench -p taquin-benches --bench visited                                   # all mixes: about eight minutes
//! ROUNDS=5 SETS=dashmap,batches cargo bench -p taquin-benches --bench visited -- insert read   # these mixes and sets, steadier figures
//! ```
//!
//! The benchmark does not use criterion: a run takes seconds, and on a noisy machine only figures
//! of one round are comparable. For each mix and number of threads, every set does the mix once per
//! round. The report has medians over the rounds: millions of operations per second, and
//! nanoseconds of processor time per operation. After each of these two columns, the column `x` has
//! the factor by which a set is better than the first set (dashmap by default) in the same round.
//! Bytes per key are the peak of allocated bytes, divided by the final number of keys. Every set is
//! created with room for its final number of keys. Its creation and first page faults are timed
//! unless it is filled beforehand.
//!
//! Mixes: `insert`, 80 % new keys and 20 % lookups of earlier keys; `read`, 90 % lookups, half of
//! them of existing keys, and 10 % inserts, in a set of 5·10⁶ keys; `search`, inserts of the
//! successors of a breadth-first search of the 3×4 puzzle, in the order of the search, including
//! successors that undo a move. All keys are 15-puzzle states: for `insert` and `read` random ones,
//! and for `search` those of the 3×4 puzzle with a fixed fourth row.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use taquin::internal::board::{Cell, State};
use taquin::internal::engine::visited::{Insert, Note, StateSet};
use taquin::internal::system::Random;
use taquin::{Move, Shape};

/// An allocator that counts bytes, so that all sets are measured alike.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "a global allocator needs it; benchmark only")]
// SAFETY: all calls are forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let now = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A hasher of one word. It multiplies twice, so that high and low bits are equally good.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64")
    }

    fn write_u64(&mut self, key: u64) {
        let product = u128::from(key ^ 0x2D35_8DCC_AA6C_78A5) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Folding = BuildHasherDefault<Fold>;

/// A set of keys, with the operations that are measured.
trait Set: Sync {
    fn with_capacity(keys: usize) -> Self;
    /// Inserts keys and returns how many of them were new.
    fn insert(&self, keys: &[u64]) -> usize;
    /// Returns how many of the keys are in the set.
    fn count(&self, keys: &[u64]) -> usize;
}

struct OneByOne(StateSet<u64>);
struct Batched(StateSet<u64>);
struct Wide(StateSet<u128>);

impl Set for OneByOne {
    fn with_capacity(keys: usize) -> Self {
        OneByOne(StateSet::with_room_for(16, keys))
    }
    fn insert(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&&key| self.0.insert(key, Note::new(1)) == Insert::New).count()
    }
    fn count(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&&key| self.0.get(key).is_some()).count()
    }
}

impl Set for Batched {
    fn with_capacity(keys: usize) -> Self {
        Batched(StateSet::with_room_for(16, keys))
    }
    fn insert(&self, keys: &[u64]) -> usize {
        let (mut new, mut batch) = (0, [(0, Note::new(1)); 128]);
        for keys in keys.chunks(batch.len()) {
            batch.iter_mut().zip(keys).for_each(|(entry, &key)| entry.0 = key);
            self.0.insert_batch(&batch[..keys.len()], |_, inserted| new += usize::from(inserted == Insert::New));
        }
        new
    }
    fn count(&self, keys: &[u64]) -> usize {
        let mut found = 0;
        self.0.get_batch(keys, |_, note| found += usize::from(note.is_some()));
        found
    }
}

impl Wide {
    /// Converts a key to an equally random key of 24 cells.
    fn widened(key: u64) -> u128 {
        u128::from(key) << 56 | u128::from(key.rotate_left(20) >> 8)
    }
}

impl Set for Wide {
    fn with_capacity(keys: usize) -> Self {
        Wide(StateSet::with_room_for(24, keys))
    }
    fn insert(&self, keys: &[u64]) -> usize {
        let (mut new, mut batch) = (0, [(0, Note::new(1)); 128]);
        for keys in keys.chunks(batch.len()) {
            batch.iter_mut().zip(keys).for_each(|(entry, &key)| entry.0 = Wide::widened(key));
            self.0.insert_batch(&batch[..keys.len()], |_, inserted| new += usize::from(inserted == Insert::New));
        }
        new
    }
    fn count(&self, keys: &[u64]) -> usize {
        let (mut found, mut batch) = (0, [0; 128]);
        for keys in keys.chunks(batch.len()) {
            batch.iter_mut().zip(keys).for_each(|(entry, &key)| *entry = Wide::widened(key));
            self.0.get_batch(&batch[..keys.len()], |_, note| found += usize::from(note.is_some()));
        }
        found
    }
}

impl Set for dashmap::DashMap<u64, u8, Folding> {
    fn with_capacity(keys: usize) -> Self {
        dashmap::DashMap::with_capacity_and_hasher(keys, Folding::default())
    }
    fn insert(&self, keys: &[u64]) -> usize {
        let new = |key| match self.entry(key) {
            dashmap::Entry::Occupied(_) => false,
            dashmap::Entry::Vacant(slot) => {
                slot.insert(1);
                true
            }
        };
        keys.iter().filter(|&&key| new(key)).count()
    }
    fn count(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&key| self.contains_key(key)).count()
    }
}

impl Set for papaya::HashMap<u64, u8, Folding> {
    fn with_capacity(keys: usize) -> Self {
        papaya::HashMap::builder().capacity(keys).hasher(Folding::default()).build()
    }
    fn insert(&self, keys: &[u64]) -> usize {
        let map = self.pin();
        keys.iter().filter(|&&key| map.try_insert(key, 1).is_ok()).count()
    }
    fn count(&self, keys: &[u64]) -> usize {
        let map = self.pin();
        keys.iter().filter(|&key| map.contains_key(key)).count()
    }
}

impl Set for scc::HashMap<u64, u8, Folding> {
    fn with_capacity(keys: usize) -> Self {
        scc::HashMap::with_capacity_and_hasher(keys, Folding::default())
    }
    fn insert(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&&key| self.insert_sync(key, 1).is_ok()).count()
    }
    fn count(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&key| self.contains_sync(key)).count()
    }
}

impl Set for Mutex<HashSet<u64, Folding>> {
    fn with_capacity(keys: usize) -> Self {
        Mutex::new(HashSet::with_capacity_and_hasher(keys, Folding::default()))
    }
    fn insert(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&&key| self.lock().unwrap().insert(key)).count()
    }
    fn count(&self, keys: &[u64]) -> usize {
        keys.iter().filter(|&key| self.lock().unwrap().contains(key)).count()
    }
}

/// The number of operations of a mix.
const OPERATIONS: usize = 10_000_000;

/// The work of one run. It is done in slices: some inserts, then some lookups.
struct Work<'a> {
    inserts: &'a [u64],
    lookups: &'a [u64],
    /// The keys that are inserted before the clock starts.
    prefilled: &'a [u64],
    /// The final number of different keys, which is the initial capacity of every set.
    key_count: usize,
}

/// Does the work once with a new set.
fn run<S: Set>(work: &Work, threads: usize) -> Figures {
    let before = BYTES.load(Relaxed);
    PEAK.store(before, Relaxed);
    // Creating the set is timed unless it is filled first: some sets allocate all their memory
    // immediately, others later.
    let (mut started, mut cpu) = (Instant::now(), cpu_seconds());
    let set = S::with_capacity(work.key_count);
    let mut key_count = 0;
    if !work.prefilled.is_empty() {
        key_count = set.insert(work.prefilled);
        (started, cpu) = (Instant::now(), cpu_seconds());
    }
    let slices = 1000;
    let share = |keys: &[u64], thread: usize, slice: usize| -> std::ops::Range<usize> {
        // Each slice is divided among the threads, so that all of them work on the same part of the
        // search.
        let boundary = |at: usize| keys.len() * at / (slices * threads);
        boundary(slice * threads + thread)..boundary(slice * threads + thread + 1)
    };
    let counts: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let spawned: Vec<_> = (0..threads)
            .map(|thread| {
                let set = &set;
                scope.spawn(move || {
                    let (mut new, mut found) = (0, 0);
                    for slice in 0..slices {
                        new += set.insert(&work.inserts[share(work.inserts, thread, slice)]);
                        found += set.count(&work.lookups[share(work.lookups, thread, slice)]);
                    }
                    (new, found)
                })
            })
            .collect();
        spawned.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (seconds, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    key_count += counts.iter().map(|count| count.0).sum::<usize>();
    let bytes = (PEAK.load(Relaxed) - before) as f64 / key_count as f64;
    let million = (work.inserts.len() + work.lookups.len()) as f64 / 1e6;
    Figures { speed: million / seconds, cpu: cpu / million * 1e3, key_count, bytes }
}

/// The figures of one run.
struct Figures {
    /// Million operations per second of wall-clock time.
    speed: f64,
    /// Nanoseconds of processor time per operation, of all threads and the kernel. Other programs
    /// on the machine affect this figure less than they affect `speed`. Time blocked on a lock is
    /// not counted; spinning is.
    cpu: f64,
    key_count: usize,
    /// Bytes per key at the peak.
    bytes: f64,
}

/// Returns the processor time of this process so far, in seconds and in steps of 10 ms, or 0 if it
/// is not reported.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Returns the first `number` successors in the order in which a breadth-first search generates
/// them, and the number of distinct states among them.
fn successors(number: usize) -> (Vec<u64>, usize) {
    let shape = Shape::new(3, 4).unwrap();
    let pack = |state: &State| state.pack(12) | 0xFEDC << 48;
    let root = State::goal(shape, Cell::new(11));
    let mut distinct: HashSet<u64, Folding> = HashSet::default();
    let (mut keys, mut layer) = (Vec::with_capacity(number), vec![root]);
    while keys.len() < number {
        let mut next = Vec::new();
        let children = layer.iter().flat_map(|state| Move::ALL.into_iter().filter_map(|step| state.after(shape, step)));
        for child in children.take(number - keys.len()) {
            keys.push(pack(&child));
            if distinct.insert(pack(&child)) {
                next.push(child);
            }
        }
        layer = next;
    }
    (keys, distinct.len())
}

/// Returns a random 15-puzzle state.
fn random_state(seed: u64) -> u64 {
    let mut homes: [u64; 16] = std::array::from_fn(|cell| cell as u64);
    Random::new(seed << 32).shuffle(&mut homes);
    homes.iter().rev().fold(0, |key, home| key << 4 | home)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3);
    let keys: Vec<u64> = (0..OPERATIONS as u64 + OPERATIONS as u64 / 2).map(random_state).collect();
    let (new_keys, half) = (OPERATIONS / 5 * 4, OPERATIONS / 2);
    let (search, states) = successors(OPERATIONS);
    println!("search: {:.0} % duplicates", 100.0 - states as f64 / search.len() as f64 * 100.0);

    // Lookups in an order unrelated to that of the inserts.
    let shuffled = |index: usize, among: usize| (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize % among;
    let earlier: Vec<u64> = (0..OPERATIONS - new_keys).map(|at| keys[shuffled(at, 4 * at + 1)]).collect();
    let lookups: Vec<u64> = (0..OPERATIONS / 10 * 9).map(|at| keys[shuffled(at, OPERATIONS)]).collect();
    let mixes = [
        ("insert", Work { inserts: &keys[..new_keys], lookups: &earlier, prefilled: &[], key_count: new_keys }),
        (
            "read",
            Work {
                inserts: &keys[OPERATIONS..OPERATIONS + OPERATIONS / 10],
                lookups: &lookups,
                prefilled: &keys[..half],
                key_count: half + OPERATIONS / 10,
            },
        ),
        ("search", Work { inserts: &search, lookups: &[], prefilled: &[], key_count: states }),
    ];
    type Run = fn(&Work, usize) -> Figures;
    let ours: [(&str, Run); 3] = [
        ("StateSet, batches", run::<Batched>),
        ("StateSet, one by one", run::<OneByOne>),
        ("StateSet, 24 cells", run::<Wide>),
    ];
    let maps: [(&str, Run); 4] = [
        ("dashmap", run::<dashmap::DashMap<u64, u8, Folding>>),
        ("papaya", run::<papaya::HashMap<u64, u8, Folding>>),
        ("scc", run::<scc::HashMap<u64, u8, Folding>>),
        ("Mutex<HashSet>", run::<Mutex<HashSet<u64, Folding>>>),
    ];
    let set_names = std::env::var("SETS").unwrap_or_default();
    let mix_names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("mix     threads set                      Mop/s      x  cpu ns      x  bytes/key");
    let is_chosen = |mix: &str| mix_names.is_empty() || mix_names.iter().any(|name| name == mix);
    for (mix, work) in mixes.iter().filter(|(mix, _)| is_chosen(mix)) {
        let sets = maps.iter().chain(&ours);
        let sets: Vec<_> = sets.filter(|(name, _)| set_names.split(',').any(|part| name.contains(part))).collect();
        for threads in [1, 2] {
            let mut runs: Vec<Vec<Figures>> = sets.iter().map(|_| Vec::new()).collect();
            for _ in 0..rounds {
                for (runs, (_, run)) in runs.iter_mut().zip(&sets) {
                    runs.push(run(work, threads));
                }
            }
            for (figures, (name, _)) in runs.iter().zip(&sets) {
                let median_of = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure).collect());
                let ratio_to_first =
                    |ratio: fn((&Figures, &Figures)) -> f64| median(figures.iter().zip(&runs[0]).map(ratio).collect());
                assert_eq!(figures[0].key_count, runs[0][0].key_count, "{name} has a different number of keys");
                println!(
                    "{mix:8} {threads:6} {name:22} {:7.1} {:6.2} {:7.1} {:6.2} {:10.1}",
                    median_of(|run| run.speed),
                    ratio_to_first(|(run, first)| run.speed / first.speed),
                    median_of(|run| run.cpu),
                    ratio_to_first(|(run, first)| first.cpu / run.cpu),
                    median_of(|run| run.bytes),
                );
            }
        }
    }
}
