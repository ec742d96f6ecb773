//! What was asserted, as a report in JUnit's XML: a suite for every file, a case for every condition.
//!
//! A case is a condition and not a board, so that the report on a set of a million boards can still be opened;
//! the first boards that contradict it are named in its failure. A file that could not be read has a case
//! for that, as an error; one without records passes, and is in the report all the same. The elements and attributes are
//! those that cargo-nextest writes; `quick-xml` escapes what XML cannot hold as it is.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::printable;
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
    let mut suites = Vec::with_capacity(inputs.len() + 1);
    let without_records: Vec<FileTally> = inputs.iter().map(|input| FileTally::without_records(input)).collect();
    let (mut files, mut unread) = (tally.files.iter().peekable(), unread.iter().peekable());
    for (input, empty) in inputs.iter().zip(&without_records) {
        let file = files.next_if(|file| *file.source == **input);
        let error = unread.next_if(|error| *error.name == **input);
        let mut cases = match (file, error) {
            (Some(file), _) => cases(rules, file),
            (None, None) => cases(rules, empty),
            // Nothing is known of its records.
            (None, Some(_)) => Vec::new(),
        };
        cases.extend(error.map(unreadable));
        suites.push(Suite { name: input, cases });
    }
    if rules.has(Condition::Count) || !tally.of_all.is_empty() {
        let lines: Vec<String> = tally.of_all.iter().map(|violation| violation.message.clone()).collect();
        let cases = vec![case(Condition::Count, "all files", lines.len() as u64, lines, tally.records())];
        suites.push(Suite { name: "all files", cases });
    }
    write_report(&suites, out)
}

/// What is said of one file, or of all of them together.
struct Suite<'a> {
    name: &'a str,
    cases: Vec<Case<'a>>,
}

/// A condition, and whether it holds.
struct Case<'a> {
    name: &'static str,
    /// The file.
    class: &'a str,
    /// The number of records of which it was asserted, where it was.
    assertions: Option<u64>,
    fault: Option<Fault>,
}

/// Why a case is no success.
struct Fault {
    /// `failure` of what was asserted, or `error` of the run.
    element: &'static str,
    kind: &'static str,
    message: String,
    /// The lines below the message, if there are any.
    details: Option<String>,
}

impl Suite<'_> {
    /// How many of its cases have a fault of this kind.
    fn number_of(&self, element: &str) -> usize {
        self.cases.iter().filter_map(|case| case.fault.as_ref()).filter(|fault| fault.element == element).count()
    }
}

/// A case for every condition that was asserted.
fn cases<'a>(rules: &Assertions, file: &'a FileTally) -> Vec<Case<'a>> {
    let conditions = Condition::OF_RECORDS.into_iter().zip(&file.violations);
    let asserted = conditions.filter(|(condition, _)| rules.has(*condition));
    let cases = asserted.map(|(condition, kept)| {
        let lines = kept.first.iter().map(|violation| {
            let line = violation.place.map_or(0, |place| place.line);
            printable::line(&format!("{}:{line}: {}", file.source, violation.message))
        });
        case(condition, &file.source, kept.number, lines.collect(), file.records)
    });
    cases.collect()
}

/// That a file could not be read, or not to its end: no failure of a board, but of the run.
fn unreadable(error: &InputError) -> Case<'_> {
    let fault = Fault { element: "error", kind: "unreadable", message: error.to_string(), details: None };
    Case { name: "readable", class: &error.name, assertions: None, fault: Some(fault) }
}

fn case(condition: Condition, class: &str, number: u64, mut lines: Vec<String>, records: u64) -> Case<'_> {
    let fault = (!lines.is_empty()).then(|| {
        let more = number - lines.len() as u64;
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        let message = match condition {
            Condition::Count => lines[0].clone(),
            _ => format!("{number} of {records} records"),
        };
        Fault { element: "failure", kind: condition.name(), message, details: Some(lines.join("\n")) }
    });
    Case { name: condition.name(), class, assertions: Some(records), fault }
}

fn write_report(suites: &[Suite], out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 4);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let sum = |of: &dyn Fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>().to_string();
    let (tests, failures, errors) = (
        sum(&|suite| suite.cases.len()),
        sum(&|suite| suite.number_of("failure")),
        sum(&|suite| suite.number_of("error")),
    );
    let report = xml.create_element("testsuites").with_attributes([
        ("name", "taquin assert"),
        ("tests", &tests),
        ("skipped", "0"),
        ("failures", &failures),
        ("errors", &errors),
    ]);
    report.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(suite, xml)))?;
    xml.write_indent()
}

fn write_suite<W: Write>(suite: &Suite, xml: &mut Writer<W>) -> io::Result<()> {
    let number = |number: usize| number.to_string();
    let element = xml.create_element("testsuite").with_attributes([
        ("name", &*printable::line(suite.name)),
        ("tests", &number(suite.cases.len())),
        ("skipped", "0"),
        ("errors", &number(suite.number_of("error"))),
        ("failures", &number(suite.number_of("failure"))),
    ]);
    if suite.cases.is_empty() {
        return element.write_empty().map(drop);
    }
    element.write_inner_content(|xml| suite.cases.iter().try_for_each(|case| write_case(case, xml))).map(drop)
}

fn write_case<W: Write>(case: &Case, xml: &mut Writer<W>) -> io::Result<()> {
    let mut element = xml
        .create_element("testcase")
        .with_attributes([("name", case.name), ("classname", &*printable::line(case.class))]);
    if let Some(assertions) = case.assertions {
        element = element.with_attribute(("assertions", &*assertions.to_string()));
    }
    match &case.fault {
        None => element.write_empty().map(drop),
        Some(fault) => element.write_inner_content(|xml| write_fault(fault, xml)).map(drop),
    }
}

fn write_fault<W: Write>(fault: &Fault, xml: &mut Writer<W>) -> io::Result<()> {
    let attributes = [("message", &*printable::line(&fault.message)), ("type", fault.kind)];
    let element = xml.create_element(fault.element).with_attributes(attributes);
    match &fault.details {
        None => element.write_empty().map(drop),
        Some(details) => element.write_text_content(BytesText::new(&printable::lines(details))).map(drop),
    }
}
