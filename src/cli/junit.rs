//! What was asserted, as a report in JUnit's XML: a suite for every file, a case for every condition.
//!
//! A case is a condition and not a board, so that a set of a million boards makes no report that nobody can open;
//! the first boards that contradict it are named in its failure. Written by `quick-junit`, which belongs to
//! cargo-nextest and takes care of what XML cannot hold.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::inspect::{Condition, Rules, Tally};

/// Writes the report.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(rules: &Rules, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new("taquin assert");
    for file in &tally.files {
        let mut suite = TestSuite::new(&*file.source);
        for (condition, kept) in Condition::OF_RECORDS.into_iter().zip(&file.breaches) {
            if rules.has(condition) {
                let lines = kept.first.iter().map(|breach| {
                    let line = breach.place.map_or(0, |place| place.line);
                    format!("{}:{line}: {}", file.source, breach.why)
                });
                suite.add_test_case(case(condition, &file.source, kept.number, lines.collect(), file.records));
            }
        }
        report.add_test_suite(suite);
    }
    if rules.has(Condition::Count) || !tally.of_all.is_empty() {
        let mut suite = TestSuite::new("all files");
        let lines: Vec<String> = tally.of_all.iter().map(|breach| breach.why.clone()).collect();
        suite.add_test_case(case(Condition::Count, "all files", lines.len() as u64, lines, tally.records()));
        report.add_test_suite(suite);
    }
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn case(condition: Condition, source: &str, number: u64, mut lines: Vec<String>, records: u64) -> TestCase {
    let mut case = match lines.first() {
        None => TestCase::new(condition.name(), TestCaseStatus::success()),
        Some(_) => {
            let more = number - lines.len() as u64;
            if more > 0 {
                lines.push(format!("and {more} more"));
            }
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let message = match condition {
                Condition::Count => lines[0].clone(),
                _ => format!("{number} of {records} records"),
            };
            status.set_message(message).set_type(condition.name()).set_description(lines.join("\n"));
            TestCase::new(condition.name(), status)
        }
    };
    case.set_classname(source).set_assertions(usize::try_from(records).unwrap_or(usize::MAX));
    case
}
