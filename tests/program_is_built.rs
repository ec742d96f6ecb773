//! The only integration test of this package: because of it, `cargo test` builds the program before
//! any test runs. The tests of the program are in another package (`tests/it`), for which cargo
//! would not build it.

use std::process::Command;

#[test]
fn the_program_is_built() {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("taquin {}\n", env!("CARGO_PKG_VERSION")));
}
