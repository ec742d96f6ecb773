//! A JUnit report of `taquin check`: a suite for every file, a case for every condition.
//!
//! A case is a condition and not a board, so that the report on a set of a million boards can still
//! be opened. The failure of a case lists the first boards that violate the condition. A file that
//! could not be read has an additional case, with an error; a file without records passes. Elements
//! and attributes follow cargo-nextest. The template (maud) escapes XML's special characters, and
//! `escaped` escapes characters that XML cannot contain.

use maud::{PreEscaped, html};

use crate::format::input::InputError;
use crate::tools::check::{Assertions, CheckTally, Condition, FileTally, Violation};
use crate::tools::text::{escaped, escaped_lines};

/// Returns the report on these inputs, which are in the order in which they were read.
pub fn report(rules: &Assertions, inputs: &[String], tally: &CheckTally, unread: &[InputError]) -> String {
    let (mut files, mut unread) = (tally.files.iter().peekable(), unread.iter().peekable());
    let suite = |input: &String| {
        let file = files.next_if(|file| *file.source == **input);
        let error = unread.next_if(|error| *error.name == **input);
        // A file that is named twice in a row has one suite.
        while unread.next_if(|error| *error.name == **input).is_some() {}
        let mut cases = match (file, error) {
            (Some(file), _) => cases(rules, file),
            (None, None) => cases(rules, &FileTally::without_records(input)),
            // No condition could be checked.
            (None, Some(_)) => Vec::new(),
        };
        let unreadable = error.map(ToString::to_string).map(Some);
        cases.extend(unreadable.map(|error| Case { name: "readable", error, ..Case::default() }));
        (escaped(input), cases)
    };
    let mut suites: Vec<(String, Vec<Case>)> = inputs.iter().map(suite).collect();
    if rules.has(Condition::Count) || !tally.whole_set_violations.is_empty() {
        let lines: Vec<String> = tally.whole_set_violations.iter().map(|violation| violation.message.clone()).collect();
        let failure = lines.first().map(|first| (first.clone(), lines.join("\n")));
        let case = Case { name: Condition::Count.name(), records: Some(tally.records()), failure, error: None };
        suites.push(("all files".into(), vec![case]));
    }
    let failures = |cases: &[Case]| cases.iter().filter(|case| case.failure.is_some()).count();
    let errors = |cases: &[Case]| cases.iter().filter(|case| case.error.is_some()).count();
    let sum = |count: &dyn Fn(&[Case]) -> usize| suites.iter().map(|(_, cases)| count(cases)).sum::<usize>();
    let report = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites name="taquin check" tests=(sum(&|cases| cases.len())) skipped="0"
            failures=(sum(&failures)) errors=(sum(&errors)) {
            @for (name, cases) in &suites {
                testsuite name=(name) tests=(cases.len()) skipped="0" errors=(errors(cases)) failures=(failures(cases)) {
                    @for case in cases {
                        testcase name=(case.name) classname=(name) assertions=[case.records] {
                            @if let Some(message) = &case.error {
                                error message=(escaped(message)) type="unreadable" {}
                            }
                            @if let Some((message, lines)) = &case.failure {
                                failure message=(escaped(message)) type=(case.name) { (escaped_lines(lines)) }
                            }
                        }
                    }
                }
            }
        }
    };
    report.into_string() + "\n"
}

/// The result of a condition for one file.
#[derive(Default)]
struct Case {
    name: &'static str,
    /// The number of records that were checked.
    records: Option<u64>,
    /// The message and its detail lines.
    failure: Option<(String, String)>,
    error: Option<String>,
}

/// Returns a case for each rule that applies to single records.
fn cases(rules: &Assertions, file: &FileTally) -> Vec<Case> {
    let mut cases = Vec::new();
    let conditions = Condition::ALL.into_iter().zip(&file.violations);
    for ((_, name, _), found) in
        conditions.filter(|((condition, ..), _)| *condition != Condition::Count && rules.has(*condition))
    {
        let line = |violation: &Violation| match &violation.place {
            Some(place) => format!("{place}: {}", violation.message),
            None => violation.message.clone(),
        };
        let mut lines: Vec<String> = found.first.iter().map(|violation| escaped(&line(violation))).collect();
        if found.number > lines.len() as u64 {
            lines.push(format!("and {} more", found.number - lines.len() as u64));
        }
        let message = format!("{} of {} records", found.number, file.records);
        let failure = (!lines.is_empty()).then(|| (message, lines.join("\n")));
        cases.push(Case { name, records: Some(file.records), failure, error: None });
    }
    cases
}
