//! Passthrough columns, on arbitrary bytes: every result is a JSON object, results in CSV have the
//! same counts and are read back as JSON, and `verify` accepts both.
//!
//! The first bytes choose the passthrough columns and the layout; the rest is the file.
//! `scripts/fuzz` runs this.

#![no_main]

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;
use taquin::Solver;
use taquin::internal::batch::{self, Options, Totals};
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::output::Fields;
use taquin::internal::format::passthrough::Pass;
use taquin::internal::format::result_lines::Lines;
use taquin::internal::format::style::Style;
use taquin::internal::tools::verify;
use taquin_fuzz::{Choices, Drip};

const PASSES: [&str; 4] = ["a", "a,b=c", "all", "all,moves=m,b=a"];
const LAYOUTS: [Option<Layout>; 3] = [None, Some(Layout::Json), Some(Layout::Csv)];

fn solver() -> &'static Solver {
    static SOLVER: OnceLock<Solver> = OnceLock::new();
    SOLVER.get_or_init(|| Solver::builder().threads(1).effort(1).node_limit(2000).build().unwrap())
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let pass: Pass = choices.of(&PASSES).parse().unwrap();
    let layout = choices.of(&LAYOUTS);
    let text = choices.0;
    let input = InputOptions { layout, pass: Arc::new(pass.clone()), ..InputOptions::default() };
    let reader = || Reader::of_text("FILE", Drip(text.to_vec(), usize::MAX), input.clone());
    let fields = Fields::default().with_boards().passing(pass.clone());
    let mut styles = vec![Style::Json(fields.clone())];
    if !pass.is_all() {
        styles.push(Style::Csv(fields));
    }
    let mut counted = None;
    for style in styles {
        let is_csv = matches!(style, Style::Csv(_));
        let (mut out, totals) = (Vec::new(), Totals::default());
        let options = Options::new(style);
        batch::run(&mut reader(), &mut out, solver(), &options, &totals, &AtomicBool::new(false), &|_| ()).unwrap();
        let mut lines = Lines::of_results(Box::new(Cursor::new(out.clone()))).unwrap();
        assert_eq!(lines.is_csv(), is_csv);
        let mut json = Vec::new();
        lines.take(usize::MAX, &mut json).unwrap();
        let json = String::from_utf8(json).unwrap();
        for line in json.lines() {
            assert!(serde_json::from_str::<HashMap<String, Box<RawValue>>>(line).is_ok(), "{line}");
        }
        assert_eq!(json.lines().count() as u64, totals.counts().records());
        assert_eq!(*counted.get_or_insert(totals.counts()), totals.counts());
        let options = verify::Options {
            ordered: true,
            pass: Arc::new(pass.clone()),
            spelling: Default::default(),
            threads: 1,
            sample: None,
        };
        let report = verify::run(&mut reader(), Box::new(Cursor::new(out)), &options, &mut |_| ()).unwrap();
        assert!(report.is_sound(), "{report}\n{json}");
    }
});
