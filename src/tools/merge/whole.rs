//! Checks that parts are all parts of one run.

use std::collections::BTreeMap;

use crate::format::last_line::LastLine;

/// The maximum number of items listed; the rest are counted.
const MOST_NAMED: usize = 20;

/// Error messages for people.
pub type Faults = Vec<String>;

/// The parts of a run, as described by their trailers.
#[derive(Default, Debug)]
pub struct Parts {
    faults: Faults,
    /// The first part with a trailer. The others are compared with it.
    first: Option<(String, LastLine)>,
    /// The names of the parts by shard.
    present: BTreeMap<u64, String>,
}

impl Parts {
    /// Adds a part with its trailer and the error in it, if any.
    pub fn add(&mut self, name: &str, last: Option<&LastLine>, fault: Option<&str>) {
        self.faults.extend(fault.map(|fault| format!("{name} {fault}")));
        let Some(last) = last else { return };
        let (first_name, first) = self.first.get_or_insert_with(|| (name.to_string(), last.clone()));
        if last.shard.count() != first.shard.count() {
            self.faults.push(format!("{name} is shard {}, but {first_name} is shard {}", last.shard, first.shard));
        } else if (last.run, last.records) != (first.run, first.records) {
            self.faults.push(format!(
                "{name} is from another run than {first_name}: its input contents, input names, options or program version \
                 differ"
            ));
        } else if let Some(other) = self.present.get(&last.shard.number()) {
            self.faults.push(format!("{other} and {name} are both shard {}", last.shard));
        } else {
            self.present.insert(last.shard.number(), name.to_string());
        }
    }

    /// Returns the number of records of the run, if any part has a trailer.
    pub fn records(&self) -> Option<u64> {
        self.first.as_ref().map(|(_, last)| last.records)
    }

    /// Returns the errors.
    pub fn faults(mut self) -> Faults {
        let of = self.first.as_ref().map_or(0, |(_, last)| last.shard.count());
        let missing = of - (self.present.len() as u64).min(of);
        let absent = (1..=of).filter(|number| !self.present.contains_key(number));
        let named: Vec<String> = absent.take(MOST_NAMED).map(|number| format!("{number}/{of}")).collect();
        let more = missing - (named.len() as u64).min(missing);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        match &named[..] {
            [] => {}
            [one] => self.faults.push(format!("shard {one} is missing")),
            several => self.faults.push(format!("shards {}{more} are missing", several.join(", "))),
        }
        if self.faults.len() > MOST_NAMED {
            let more = self.faults.len() - MOST_NAMED;
            self.faults.truncate(MOST_NAMED);
            self.faults.push(format!("and {more} more"));
        }
        self.faults
    }
}
