//! `taquin verify`: whether a results file answers its inputs.

use std::fs;
use std::path::Path;

use super::arguments::Verify;
use super::{Status, fail, print, say};
use crate::audit::{self, Options, Resolve};
use crate::format::input::{self, Input, Reader};
use crate::resume::same_file;

pub(super) fn run(arguments: &Verify) -> Status {
    let Verify { results, inputs, reading, unordered, sample, solving } = arguments;
    let is_stdin = |path: &Path| path == Path::new("-");
    if is_stdin(results) && inputs.iter().any(|path| is_stdin(path)) {
        return fail("the results and the boards cannot both come from standard input: name the inputs");
    }
    let named = if is_stdin(results) { Input::Stdin } else { Input::Path(results.clone()) };
    let stream = match input::open_text(&named) {
        Ok(stream) => stream,
        Err(error) => return fail(&format!("cannot read {}: {error}", results.display())),
    };
    let mut expanded = input::expand(inputs);
    // In a folder of inputs the results themselves are no input, as in the run that wrote them.
    if let Ok(own) = fs::metadata(results)
        && cfg!(unix)
    {
        let is_own = |path: &Path| fs::metadata(path).is_ok_and(|other| same_file(&own, &other));
        expanded.inputs.retain(|input| !matches!(input, Input::Path(path) if is_own(path)));
    }
    let sample = (*sample > 0).then(|| Resolve {
        boards: *sample,
        wishes: solving.wishes(),
        threads: solving.threads(),
        memory: solving.memory(),
        limits: solving.limits(),
    });
    let options = Options { ordered: !unordered, threads: solving.threads(), sample };
    let mut reader = Reader::new(expanded.inputs, reading.options());
    match audit::run(&mut reader, stream, &options, &mut |line| say(&format!("taquin: {line}"))) {
        Err(error) => fail(&error.to_string()),
        Ok(report) => match print(format!("{report}\n").as_bytes()) {
            Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
            Status::Settled if !report.is_sound() => Status::SomeFailed,
            status => status,
        },
    }
}
