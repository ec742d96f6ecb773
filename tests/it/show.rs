//! `taquin show` as its users see it: the boards of a solution as text or as an animation, pictures,
//! exit statuses.

use std::fs;
use std::process::Command;

use crate::common::terminal::Terminal;
use crate::common::{self, run, stderr, stdout};

#[test]
fn frames_of_a_board_on_the_command_line() {
    let output = run(&["show", "1", "x", "2", "4", "5", "3", "--shape", "2x3"], "");
    assert_eq!(stdout(&output), "1 0 2\n4 5 3\n\n1 2 0\n4 5 3\n\n1 2 3\n4 5 0\n\n2\n");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

/// The boards are those of the golden listing of the profile n-puzzle, but with aligned columns.
#[test]
fn frames_agree_with_the_listing_of_n_puzzle() {
    let golden = fs::read_to_string(common::project().join("tests/profiles/n-puzzle.out")).unwrap();
    let golden: Vec<&str> = golden.lines().take_while(|line| *line != "No solution").collect();
    let arguments = ["show", "--as", "n-puzzle", "tests/profiles/n-puzzle.in"];
    let text = stdout(&run(&arguments, ""));
    let lines: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines, golden);
    assert!(text.starts_with(" 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  0\n\n"), "{text}");
}

/// The published sample of POJ 1077, with its moves in other notations.
#[test]
fn moves_are_named_in_any_notation() {
    let words = |more: &[&str]| {
        let output = run(&[&["show", "--frames", "23415x768"], more].concat(), "");
        let named: Vec<String> = stdout(&output)
            .lines()
            .filter_map(|line| line.strip_prefix("move ")?.split_once(": ").map(|(_, word)| word.to_string()))
            .collect();
        named
    };
    assert_eq!(words(&[]), Vec::<String>::new());
    assert_eq!(words(&["--notation", "UDLR"]).concat(), "DLURULLDDRURDLLURDR");
    assert_eq!(words(&["--notation", "udlr", "--path-of", "tile"]).concat(), "urdldrruuldlurrdlul");
    assert_eq!(words(&["--path-of", "tile"])[..2], ["U", "R"]);
    assert_eq!(words(&["--notation", "tiles"])[..2], ["8", "6"]);
}

#[test]
fn any_record_of_any_file_with_any_goal() {
    let last = |arguments: &[&str], input: &str| {
        let output = run(&[&["show"], arguments].concat(), input);
        (stdout(&output).lines().last().map(String::from), output.status.code())
    };
    let shown = |moves: &str| (Some(moves.to_string()), Some(0));
    // Korf's published lengths; see tests/data/korf100.csv.
    assert_eq!(last(&["inputs/korf.txt", "--goal", "blank-first", "--record", "12"], ""), shown("45"));
    assert_eq!(last(&["inputs/poj1077.txt"], ""), shown("19"));
    assert_eq!(last(&[], "2 3 4 1 5 x 7 6 8\n"), shown("19"));
    assert_eq!(last(&["--record", "2"], "1 2 3 0\n3 1 2 0\n1 2 3\n"), last(&["3", "1", "2", "0"], ""));
    let named = "{\"id\":\"a\",\"board\":\"1 2/0 3\"}\n{\"id\":1,\"board\":\"1 2/3 0\"}\n{\"id\":\"c\",\"board\":\"0 2/1 3\"}\n";
    for (record, moves) in [("c", "2"), ("a", "1"), ("1", "0")] {
        assert_eq!(last(&["--record", record], named), shown(moves), "{record}");
    }
    // A record with an id has no other name.
    for record in ["d", "3"] {
        assert_eq!(last(&["--record", record], named).1, Some(2), "{record}");
    }
    assert_eq!(last(&["--record", "1", "1 2 0 3"], ""), shown("1"));
    assert_eq!(last(&["--record", "2", "1 2 0 3"], "").1, Some(2));
    assert_eq!(last(&["--svg", "a.png", "123804765"], "").1, Some(2));
    assert_eq!(last(&["--goal", "snail", "123804765"], ""), shown("0"));
    assert_eq!(last(&["--goal", "123804765", "283104765"], ""), shown("4"));
    assert_eq!(last(&["--shape", "1x12", "0 1 2 3 4 5 6 7 8 9 10 11"], ""), shown("11"));
    assert_eq!(last(&["x/1"], ""), shown("1"));
    assert_eq!(last(&["[[1,2,3],[4,0,5]]"], ""), shown("1"));
    assert_eq!(
        last(&["--as", "uva652", "23415x768"], ""),
        shown("19"),
        "the layout of a profile applies to files only"
    );
}

#[test]
fn exit_statuses() {
    let status = |arguments: &[&str], input: &str| run(&[&["show"], arguments].concat(), input).status.code();
    let unsolvable = run(&["show", "2 1 3 4 5 6 7 8 0"], "");
    assert_eq!(stdout(&unsolvable), "2 1 3\n4 5 6\n7 8 0\n\nno solution\n");
    assert_eq!(unsolvable.status.code(), Some(0));
    let invalid = run(&["show", "--record", "2", "-"], "1 2 3 0\n1 2 2 0\n");
    assert_eq!((stdout(&invalid).as_str(), invalid.status.code()), ("", Some(1)));
    assert_eq!(stderr(&invalid), "taquin: -:2: tile 2 appears twice\n");
    assert_eq!(stderr(&run(&["show", "1 2 2 0"], "")), "taquin: invalid board: tile 2 appears twice\n");
    assert_eq!(status(&["1 2 2 0"], ""), Some(1));
    assert_eq!(status(&["1 2 3 4 5 0"], ""), Some(1), "the shape is unknown");
    assert_eq!(status(&["no-such-file.txt"], ""), Some(2));
    assert_eq!(status(&["--record", "3"], "1 2 3 0\n"), Some(2));
    assert_eq!(status(&["--record", "first"], "1 2 3 0\n"), Some(2), "an id like any other");
    assert_eq!(status(&["--record", "0"], "1 2 3 0\n"), Some(2));
    assert_eq!(status(&[], ""), Some(2));
    let limited =
        run(&["show", "--node-limit", "9", "--goal", "blank-first", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"], "");
    assert_eq!(limited.status.code(), Some(1));
    assert!(stderr(&limited).contains("limit: nodes"), "{}", stderr(&limited));
}

#[test]
fn impossible_options_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.svg");
    let svg = picture.to_str().unwrap();
    for (arguments, message) in [
        (&["--as", "hdu3567", "12345678X"][..], "records of hdu3567 contain their goals"),
        (&["--svg", "-", "1 2 3 0"], "needs a file name"),
    ] {
        let output = run(&[&["show"], arguments].concat(), "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    for valid in [&["--as", "poj1077", "12345678x"][..], &["--svg", svg, "--frames", "--notation", "udlr", "1 2 0 3"]] {
        assert_eq!(run(&[&["show"], valid].concat(), "").status.code(), Some(0), "{valid:?}");
    }
    let file = run(&["show", "--format", "line", "--record", "2"], "1 2 3 0\n1 2 0 3\n");
    assert_eq!(stdout(&file).lines().last(), Some("1"), "{}", stderr(&file));
}

#[test]
fn pictures_are_complete_and_never_overwrite_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (solved, unsolvable) = (at("solved.svg"), at("unsolvable.svg"));
    let output = run(&["show", "--svg", &solved, "23415x768"], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
    let text = fs::read_to_string(&solved).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let groups = document.descendants().filter(|node| node.attribute("class").is_some_and(|c| c.starts_with("tile ")));
    assert_eq!(groups.count(), 8);
    assert!(document.descendants().any(|node| node.text() == Some("19 moves")));

    let refused = run(&["show", "--svg", &solved, "123456780"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(fs::read_to_string(&solved).unwrap(), text);
    assert_eq!(run(&["show", "--svg", &solved, "--force", "123456780"], "").status.code(), Some(0));
    assert!(fs::read_to_string(&solved).unwrap().contains(">0 moves<"));

    assert_eq!(run(&["show", "--svg", &unsolvable, "213456780"], "").status.code(), Some(0));
    let text = fs::read_to_string(&unsolvable).unwrap();
    roxmltree::Document::parse(&text).unwrap();
    assert!(text.contains(">no solution<") && !text.contains("@keyframes"));

    assert_eq!(run(&["show", "--svg", &at("none/x.svg"), "123456780"], "").status.code(), Some(2));
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
}

fn in_terminal(arguments: &[&str], kind: &str) -> Terminal {
    let mut command = Command::new(common::program());
    command.arg("show").args(arguments);
    Terminal::start(command, kind)
}

#[test]
fn positions_are_drawn_over_each_other_in_a_terminal() {
    let mut terminal = in_terminal(&["1 2 3 4 5 6 7 0 8"], "xterm");
    assert_eq!(
        terminal.until("1 move\r\n"),
        "1 2 3\r\n4 5 6\r\n7 0 8\r\nmove 0 of 1\r\n\
         \x1b[4A\r\x1b[0J1 2 3\r\n4 5 6\r\n7 8 0\r\nmove 1 of 1: R\r\n1 move\r\n"
    );
    assert!(terminal.child.wait().unwrap().success());
    let mut terminal = in_terminal(&["--notation", "tiles", "1 2 3 4 5 6 7 0 8"], "xterm");
    terminal.until("move 1 of 1: 8\r\n1 move\r\n");
}

#[test]
fn positions_are_text_on_request_or_without_a_capable_terminal() {
    let eight = "1 2 3 4 5 6 7 0 8";
    let wide = (1..=38).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0 39";
    for (arguments, kind) in [
        (&["--frames", eight][..], "xterm"),
        (&[eight], "dumb"),
        (&[eight], ""),
        // Too wide and too high for the terminal.
        (&["--shape", "1x40", &wide], "xterm"),
        (&["--shape", "40x1", &wide], "xterm"),
    ] {
        let mut terminal = in_terminal(arguments, kind);
        let listed = terminal.until("\r\n\r\n1\r\n");
        assert!(!listed.contains('\x1b') && !listed.contains("move"), "{arguments:?} {kind}: {listed:?}");
        assert!(terminal.child.wait().unwrap().success());
    }
}

/// The signal is SIGTERM, because some shells and `nohup` start processes that ignore SIGINT or
/// SIGHUP.
#[test]
fn a_signal_ends_an_animation() {
    use std::os::unix::process::ExitStatusExt;
    let mut terminal = in_terminal(&["23415x768"], "xterm");
    terminal.until("move 0 of 19");
    assert!(Command::new("kill").arg(terminal.child.id().to_string()).status().unwrap().success());
    assert_eq!(terminal.child.wait().unwrap().signal(), Some(15));
}

#[test]
fn threads_do_not_change_a_byte() {
    let shown = |threads| run(&["show", "-j", threads, "5 1 2 4 9 6 3 8 13 15 10 11 14 0 7 12"], "").stdout;
    assert!(!shown("1").is_empty());
    assert_eq!(shown("1"), shown("2"));
    assert_eq!(shown("1"), shown("8"));
}

/// File names need not be UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn files_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join(OsStr::from_bytes(b"b\xff\xfe.txt"));
    std::fs::write(&boards, "1 2 3 4 5 6 7 0 8\n").unwrap();
    let shown = crate::common::taquin().args(["show", "--frames"]).arg(&boards).output().unwrap();
    assert!(shown.status.success() && shown.stdout.ends_with(b"\n1\n"), "{shown:?}");
    let missing = crate::common::taquin().args(["show"]).arg(OsStr::from_bytes(b"1\xff2")).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read"), "{missing:?}");
}
