//! Runs the examples of `examples/` and checks what they print.

#[path = "../../examples/batch_with_progress.rs"]
#[allow(dead_code, reason = "its main function is not called")]
mod batch_with_progress;
#[path = "../../examples/histogram.rs"]
#[allow(dead_code, reason = "its main function is not called")]
mod histogram;
#[path = "../../examples/solve_one.rs"]
#[allow(dead_code, reason = "its main function is not called")]
mod solve_one;

fn text(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap()
}

fn solve_one(board: &str, goal: &str) -> String {
    let mut out = Vec::new();
    solve_one::solve(board, goal, &mut out).unwrap();
    text(out)
}

#[test]
fn solve_one_prints_the_boards_on_the_way() {
    let expected = "2 moves: RR\n1 2 3/4 5 6/0 7 8\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/7 8 0\n";
    assert_eq!(solve_one("1 2 3/4 5 6/0 7 8", "blank-last"), expected);
    assert!(solve_one("2 3 4/1 5 0/7 6 8", "blank-last").starts_with("19 moves: DLURULLDDRURDLLURDR\n"));
    assert_eq!(solve_one("2 3 4/1 5 0/7 6 8", "snail"), "unsolvable: the goal cannot be reached\n");
    assert!(solve_one::solve("1 2 2 0", "blank-last", Vec::new()).is_err());
}

/// A line that is not a board ends the batch, after the answers to the lines before it.
#[test]
fn batch_with_progress_answers_in_order() {
    let input = "1 2 3/4 5 6/0 7 8\n1 2 3/4 5 6/8 7 0\n1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15\nnone\n123456780\n";
    let (mut out, mut reports) = (Vec::new(), Vec::new());
    let result = batch_with_progress::solve(input.as_bytes(), &mut out, |done, solved| reports.push((done, solved)));
    assert_eq!(text(out), "RR\nunsolvable\nR\n");
    assert_eq!(reports, [(1, 1), (2, 1), (3, 2)]);
    assert!(result.is_err());
}

/// No 2×3 board is more than 21 moves from the goal (`src/board/distributions.txt`).
#[test]
fn histogram_draws_the_distances() {
    let mut out = Vec::new();
    histogram::draw("2x3".parse().unwrap(), 2000, &mut out).unwrap();
    let out = text(out);
    let (rows, average) = out.trim_end().rsplit_once('\n').unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split_whitespace().collect()).collect();
    let number = |row: &[&str], at: usize| row[at].parse::<usize>().unwrap();
    assert_eq!(rows.iter().map(|row| number(row, 1)).sum::<usize>(), 2000);
    assert!(rows.iter().all(|row| number(row, 0) <= 21));
    assert_eq!(rows.iter().filter_map(|row| row.get(2)).map(|bar| bar.len()).max(), Some(60));
    let total: usize = rows.iter().map(|row| number(row, 0) * number(row, 1)).sum();
    assert_eq!(average, format!("{:.2} moves on average", total as f64 / 2000.0));
}
