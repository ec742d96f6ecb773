//! Checks that parts are of one run, and that none is missing.

use std::collections::BTreeMap;

use crate::format::trailer::Trailer;

/// The maximum number of error messages, and of shards in a message. The rest are counted.
const MAX_LISTED: usize = 20;

/// Error messages.
pub type Faults = Vec<String>;

/// The parts of a run, as described by their trailers.
#[derive(Default, Debug)]
pub struct Parts {
    faults: Faults,
    /// The first part with a trailer. The others are compared with it.
    first: Option<(String, Trailer)>,
    /// The names of the parts by shard.
    present: BTreeMap<u64, String>,
}

impl Parts {
    /// Adds a part with its trailer and the error in it, if any.
    pub fn add(&mut self, name: &str, trailer: Option<&Trailer>, fault: Option<&str>) {
        self.faults.extend(fault.map(|fault| format!("{name} {fault}")));
        let Some(trailer) = trailer else { return };
        let (first_name, first) = self.first.get_or_insert_with(|| (name.to_string(), trailer.clone()));
        if trailer.shard.count() != first.shard.count() {
            self.faults.push(format!("{name} is shard {}, but {first_name} is shard {}", trailer.shard, first.shard));
        } else if (trailer.run, trailer.records) != (first.run, first.records) {
            self.faults.push(format!(
                "{name} is from a different run than {first_name}: its input contents, input names, options or \
                 program version differ"
            ));
        } else if let Some(other) = self.present.get(&trailer.shard.number()) {
            self.faults.push(format!("{other} and {name} are both shard {}", trailer.shard));
        } else {
            self.present.insert(trailer.shard.number(), name.to_string());
        }
    }

    /// Returns the number of records of the run, if any part has a trailer.
    pub fn records(&self) -> Option<u64> {
        self.first.as_ref().map(|(_, trailer)| trailer.records)
    }

    /// Returns the errors, including missing shards.
    pub fn faults(mut self) -> Faults {
        let shards = self.first.as_ref().map_or(0, |(_, trailer)| trailer.shard.count());
        let missing = shards - (self.present.len() as u64).min(shards);
        let absent = (1..=shards).filter(|number| !self.present.contains_key(number));
        let listed: Vec<String> = absent.take(MAX_LISTED).map(|number| format!("{number}/{shards}")).collect();
        let more = missing - (listed.len() as u64).min(missing);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        match &listed[..] {
            [] => {}
            [one] => self.faults.push(format!("shard {one} is missing")),
            several => self.faults.push(format!("shards {}{more} are missing", several.join(", "))),
        }
        if self.faults.len() > MAX_LISTED {
            let more = self.faults.len() - MAX_LISTED;
            self.faults.truncate(MAX_LISTED);
            self.faults.push(format!("and {more} more"));
        }
        self.faults
    }
}
