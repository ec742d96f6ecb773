//! The only integration test of this package. It makes `cargo test` build the program, which cargo
//! would not do for the tests of the program in `tests/it`, another package.

use std::process::Command;

#[test]
fn the_program_is_built() {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("taquin {}\n", env!("CARGO_PKG_VERSION")));
}
