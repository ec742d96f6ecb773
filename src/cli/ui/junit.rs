//! What was asserted, as a report in JUnit's XML: a suite for every file, a case for every condition.
//!
//! A case is a condition and not a board, so that the report on a set of a million boards can still be opened;
//! the first boards that contradict it are named in its failure. A file that could not be read has a case
//! for that, as an error; one without records passes, and is in the report all the same. Written by `quick-junit`, which belongs to
//! cargo-nextest and takes care of what XML cannot hold.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::format::input::InputError;
use crate::tools::inspect::{Assertions, Condition, FileTally, Tally};

/// Writes the report of these inputs, which were read in this order.
///
/// # Errors
/// When it cannot be written.
pub fn write(
    rules: &Assertions,
    inputs: &[String],
    tally: &Tally,
    unread: &[InputError],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut report = Report::new("taquin assert");
    let (mut files, mut unread) = (tally.files.iter().peekable(), unread.iter().peekable());
    for input in inputs {
        let mut suite = TestSuite::new(input.as_str());
        let file = files.next_if(|file| *file.source == **input);
        let error = unread.next_if(|error| *error.name == **input);
        let cases = match (file, error) {
            (Some(file), _) => cases(rules, file),
            (None, None) => cases(rules, &FileTally::without_records(input)),
            // Nothing is known of its records.
            (None, Some(_)) => Vec::new(),
        };
        suite.add_test_cases(cases);
        if let Some(error) = error {
            suite.add_test_case(unreadable(error));
        }
        report.add_test_suite(suite);
    }
    if rules.has(Condition::Count) || !tally.of_all.is_empty() {
        let mut suite = TestSuite::new("all files");
        let lines: Vec<String> = tally.of_all.iter().map(|violation| violation.message.clone()).collect();
        suite.add_test_case(case(Condition::Count, "all files", lines.len() as u64, lines, tally.records()));
        report.add_test_suite(suite);
    }
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

/// A case for every condition that was asserted.
fn cases(rules: &Assertions, file: &FileTally) -> Vec<TestCase> {
    let conditions = Condition::OF_RECORDS.into_iter().zip(&file.violations);
    let asserted = conditions.filter(|(condition, _)| rules.has(*condition));
    let cases = asserted.map(|(condition, kept)| {
        let lines = kept.first.iter().map(|violation| {
            let line = violation.place.map_or(0, |place| place.line);
            format!("{}:{line}: {}", file.source, violation.message)
        });
        case(condition, &file.source, kept.number, lines.collect(), file.records)
    });
    cases.collect()
}

/// That a file could not be read, or not to its end: no failure of a board, but of the run.
fn unreadable(error: &InputError) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(error.to_string()).set_type("unreadable");
    let mut case = TestCase::new("readable", status);
    case.set_classname(&*error.name);
    case
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
