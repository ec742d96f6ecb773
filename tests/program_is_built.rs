//! The only integration test of the package `taquin`. The tests in `tests/it` run the program, but
//! they belong to another package, so cargo does not build the program for them. For this test,
//! cargo builds it.

use std::process::Command;

#[test]
fn the_program_is_built() {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("taquin {}\n", env!("CARGO_PKG_VERSION")));
}
