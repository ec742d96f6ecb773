//! The table of profiles. A judge is added here and nowhere else; `docs/profiles.md` describes it.

use super::definition::{AnswerFormat, Confidence, Profile, ProfileGoal, Requirement};
use super::listing::Listing;
use crate::format::board_style::BoardStyle;
use crate::format::input::Layout;
use crate::format::spelling::{Letters, PathOf, Spelling};

const LOWER: Spelling = Spelling::new(Letters::Lower, PathOf::Blank);
const UPPER: Spelling = Spelling::new(Letters::Upper, PathOf::Blank);
const WORDS: Spelling = Spelling::new(Letters::Words, PathOf::Blank);
/// Numbers of tiles, one digit each.
const DIGITS: Spelling = Spelling { letters: Letters::Tiles, of: PathOf::Blank, between: "" };
/// Numbers of tiles, as JSON lists them.
const LISTED: Spelling = Spelling { between: ",", ..DIGITS };

/// One row behind the other, the boards too.
const DENSE: BoardStyle = BoardStyle { gaps: false, ..BoardStyle::PLAIN };
/// An empty line before every board.
const APART: BoardStyle = BoardStyle { before: "\n", ..DENSE };
/// `x` for the blank.
const WITH_X: BoardStyle = BoardStyle { blank: "x", ..DENSE };

const EIGHT: Option<(usize, usize)> = Some((3, 3));
const FIFTEEN: Option<(usize, usize)> = Some((4, 4));

/// A lower-case path a line, any that leads to the goal.
const PATH_LINE: AnswerFormat = AnswerFormat {
    requirement: Requirement::AnyPath,
    spelling: LOWER,
    listing: Listing::PLAIN,
    between: "",
    solved: "{path}\n",
    unsolvable: Some("unsolvable\n"),
    otherwise: "{status}\n",
    solvable_within: None,
    too_long: None,
};

/// The fewest moves, a number a line.
const NUMBER_LINE: AnswerFormat =
    AnswerFormat { requirement: Requirement::Shortest, solved: "{moves}\n", unsolvable: Some("-1\n"), ..PATH_LINE };

const POJ1077: Profile = Profile {
    name: "poj1077",
    source: "POJ 1077, Eight",
    url: "http://poj.org/problem?id=1077",
    input: Confidence::Statement,
    output: Confidence::Statement,
    note: "one board a file; any number of blanks between tiles",
    layout: Some(Layout::Line),
    count_line: false,
    shape: EIGHT,
    promised: None,
    goal: ProfileGoal::BlankLast,
    board_style: WITH_X,
    answer: Some(PATH_LINE),
};

const HDU1043: Profile = Profile {
    name: "hdu1043",
    source: "HDU 1043, Eight",
    url: "http://acm.hdu.edu.cn/showproblem.php?pid=1043",
    note: "a board a line to the end of the file",
    ..POJ1077
};

const ACWING845: Profile = Profile {
    name: "acwing845",
    source: "AcWing 845, 八数码",
    url: "https://www.acwing.com/problem/content/847/",
    note: "one board a file",
    answer: Some(NUMBER_LINE),
    ..POJ1077
};

const LUOGU1379: Profile = Profile {
    name: "luogu1379",
    source: "Luogu P1379, 八数码难题",
    url: "https://www.luogu.com.cn/problem/P1379",
    note: "nine digits without blanks; no board without a solution occurs",
    board_style: DENSE,
    layout: Some(Layout::Digits),
    goal: ProfileGoal::Tiles("123804765"),
    answer: Some(AnswerFormat { unsolvable: None, ..NUMBER_LINE }),
    ..POJ1077
};

const BOJ1525: Profile = Profile {
    name: "boj1525",
    source: "BOJ 1525, 퍼즐",
    url: "https://www.acmicpc.net/problem/1525",
    note: "one board a file, in three rows",
    board_style: DENSE,
    layout: Some(Layout::Grid),
    ..ACWING845
};

const LEETCODE773: Profile = Profile {
    name: "leetcode773",
    source: "LeetCode 773, Sliding Puzzle",
    url: "https://leetcode.com/problems/sliding-puzzle/",
    note: "a nested array a line",
    board_style: DENSE,
    layout: Some(Layout::Json),
    shape: Some((2, 3)),
    ..ACWING845
};

const AOJ_13B: Profile = Profile {
    name: "aoj-13b",
    source: "AOJ ALDS1_13_B, 8 Puzzle",
    url: "https://onlinejudge.u-aizu.ac.jp/problems/ALDS1_13_B",
    note: "one board a file; no board without a solution occurs",
    board_style: DENSE,
    layout: Some(Layout::Grid),
    answer: Some(AnswerFormat { unsolvable: None, ..NUMBER_LINE }),
    ..POJ1077
};

/// Every profile, in the order in which they are listed.
pub static PROFILES: &[Profile] = &[
    POJ1077,
    HDU1043,
    Profile {
        name: "zoj1217",
        source: "ZOJ 1217, Eight",
        url: "",
        note: "a board a line to the end of the file, as hdu1043; the judge has moved, no address is known",
        ..HDU1043
    },
    Profile {
        name: "uva652",
        source: "UVa 652, Eight",
        url: "https://onlinejudge.org/external/6/652.pdf",
        note: "a count, then boards between empty lines; an empty line between answers, and for a solved board",
        board_style: BoardStyle { before: "\n", ..WITH_X },
        count_line: true,
        answer: Some(AnswerFormat { between: "\n", ..PATH_LINE }),
        ..POJ1077
    },
    Profile {
        name: "acwing179",
        source: "AcWing 179, 八数码",
        url: "https://www.acwing.com/problem/content/181/",
        note: "one board a file; any shortest path",
        answer: Some(AnswerFormat { requirement: Requirement::Shortest, ..PATH_LINE }),
        ..POJ1077
    },
    ACWING845,
    Profile {
        name: "hdu3567",
        source: "HDU 3567, Eight II",
        url: "http://acm.hdu.edu.cn/showproblem.php?pid=3567",
        note: "a count, then start and goal of nine characters each; every goal can be reached",
        board_style: BoardStyle { blank: "X", between_tiles: "", ..DENSE },
        layout: Some(Layout::Pair),
        count_line: true,
        goal: ProfileGoal::InRecord,
        answer: Some(AnswerFormat {
            requirement: Requirement::FirstShortest,
            solved: "Case {case}: {moves}\n{path}\n",
            unsolvable: None,
            otherwise: "Case {case}: {status}\n\n",
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "lightoj1139",
        source: "LightOJ 1139, 8 Puzzle",
        url: "https://lightoj.com/problem/8-puzzle",
        note: "a count, then an empty line and three rows a case",
        board_style: APART,
        layout: Some(Layout::Grid),
        count_line: true,
        answer: Some(AnswerFormat {
            solved: "Case {case}: {moves}\n",
            unsolvable: Some("Case {case}: impossible\n"),
            otherwise: "Case {case}: {status}\n",
            ..NUMBER_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "lightoj15",
        source: "LightOJ, 15 Puzzle",
        url: "https://lightoj.com/problem/15-puzzle",
        note: "a count, then an empty line and four rows a case; more than 35 moves count as not solvable",
        board_style: APART,
        layout: Some(Layout::Grid),
        count_line: true,
        shape: FIFTEEN,
        answer: Some(AnswerFormat {
            requirement: Requirement::FirstShortest,
            spelling: UPPER,
            solved: "Case {case}: {path}\n",
            unsolvable: Some("Case {case}: This puzzle is not solvable.\n"),
            otherwise: "Case {case}: {status}\n",
            solvable_within: Some(35),
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "uva10181",
        source: "UVa 10181, 15-Puzzle Problem",
        url: "https://onlinejudge.org/external/101/10181.pdf",
        note: "a count, then four rows a case; at most 50 moves are allowed, and no board needs more than 45",
        promised: Some(45),
        board_style: DENSE,
        layout: Some(Layout::Grid),
        count_line: true,
        shape: FIFTEEN,
        answer: Some(AnswerFormat {
            requirement: Requirement::AtMost(50),
            spelling: UPPER,
            unsolvable: Some("This puzzle is not solvable.\n"),
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "poj3240",
        source: "POJ 3240, Solution to the n²−1 Puzzle",
        url: "http://poj.org/problem?id=3240",
        note: "one board a file, up to 10x10; any path is right",
        board_style: DENSE,
        layout: Some(Layout::Sized),
        shape: None,
        answer: Some(AnswerFormat { spelling: UPPER, unsolvable: Some("No Answer!\n"), ..PATH_LINE }),
        ..POJ1077
    },
    LUOGU1379,
    Profile {
        name: "codevs1225",
        source: "Codevs 1225, 八数码难题",
        url: "http://codevs.cn/problem/1225/",
        note: "as luogu1379; the judge itself is gone",
        ..LUOGU1379
    },
    BOJ1525,
    AOJ_13B,
    Profile {
        name: "aoj-13c",
        source: "AOJ ALDS1_13_C, 15 Puzzle",
        url: "https://onlinejudge.u-aizu.ac.jp/problems/ALDS1_13_C",
        shape: FIFTEEN,
        ..AOJ_13B
    },
    LEETCODE773,
    Profile {
        name: "eolymp3669",
        source: "Eolymp 3669, Fifteen Puzzle",
        url: "https://basecamp.eolymp.com/en/problems/3669",
        note: "one board a file, in four rows; a word of its own for boards that need more than 45 moves; the sample was not to be read",
        shape: FIFTEEN,
        answer: Some(AnswerFormat {
            spelling: UPPER,
            requirement: Requirement::Shortest,
            unsolvable: Some("NO SOLUTION\n"),
            solvable_within: Some(45),
            too_long: Some("TOO LONG\n"),
            ..PATH_LINE
        }),
        ..BOJ1525
    },
    Profile {
        name: "spoj-al1006",
        source: "SPOJ (Polish) AL_10_06, Piętnastka",
        url: "https://pl.spoj.com/problems/AL_10_06",
        note: "one board a file, in four rows; at most 50 moves are allowed, and no board needs more",
        promised: Some(50),
        shape: FIFTEEN,
        answer: Some(AnswerFormat {
            spelling: UPPER,
            requirement: Requirement::AtMost(50),
            unsolvable: Some("NIE\n"),
            ..PATH_LINE
        }),
        ..BOJ1525
    },
    Profile {
        name: "mipt089",
        source: "acm.mipt.ru 089, 8-puzzle",
        url: "http://acm.mipt.ru/judge/problems.pl?problem=089",
        note: "one board a file, on one line",
        layout: Some(Layout::Line),
        answer: Some(AnswerFormat { solved: "Yes\n{moves}\n", unsolvable: Some("No\n"), ..NUMBER_LINE }),
        ..BOJ1525
    },
    Profile {
        name: "mipt091",
        source: "acm.mipt.ru 091, 15-Puzzle",
        url: "http://acm.mipt.ru/judge/problems.pl?problem=091",
        note: "one board a file, on one line; any path of less than 1000 moves",
        layout: Some(Layout::Line),
        shape: FIFTEEN,
        answer: Some(AnswerFormat {
            requirement: Requirement::AtMost(999),
            solved: "YES\n{path}\n",
            unsolvable: Some("NO\n"),
            ..PATH_LINE
        }),
        ..BOJ1525
    },
    Profile {
        name: "jutge-p68428",
        source: "Jutge P68428, Puzzle de 8",
        url: "https://jutge.org/problems/P68428_ca",
        answer: Some(AnswerFormat { unsolvable: Some("None\n"), ..NUMBER_LINE }),
        ..BOJ1525
    },
    Profile {
        name: "gvu",
        source: "gvu.lt, Žaidimas 8",
        url: "http://gvu.lt/informatika/uzduotys/9-10-kl/pazintis-su-grafais-paieska-platyn-ir-gilyn/zaidimas-8/",
        note: "a count, then an empty line and three rows a case",
        board_style: APART,
        count_line: true,
        ..BOJ1525
    },
    Profile {
        name: "koistudy608",
        source: "KOISTUDY 608, 8-Puzzle",
        url: "http://koistudy.net/?mid=prob_page&NO=608&SEARCH=0",
        ..BOJ1525
    },
    Profile {
        name: "codewars-sliding",
        source: "Codewars, Sliding Puzzle Solver",
        url: "https://www.codewars.com/kata/5a20eeccee1aae3cbc000090",
        note: "a nested array a line; the numbers of the tiles moved, as the function of JavaScript, Java and PHP returns them: null where there is no solution",
        shape: None,
        answer: Some(AnswerFormat { spelling: LISTED, solved: "[{path}]\n", unsolvable: Some("null\n"), ..PATH_LINE }),
        ..LEETCODE773
    },
    Profile {
        name: "hiho1312",
        source: "hihoCoder 1312, 搜索三·启发式搜索",
        url: "http://hihocoder.com/problemset/problem/1312",
        input: Confidence::Memory,
        output: Confidence::Memory,
        note: "a count, then three rows a case; the judge itself is gone",
        board_style: DENSE,
        layout: Some(Layout::Grid),
        count_line: true,
        answer: Some(AnswerFormat { unsolvable: Some("No Solution!\n"), ..NUMBER_LINE }),
        ..POJ1077
    },
    Profile {
        name: "hackerrank",
        source: "HackerRank, N Puzzle",
        url: "https://www.hackerrank.com/challenges/n-puzzle",
        note: "the side, then one number a line; no board without a solution occurs",
        board_style: BoardStyle { between_tiles: "\n", ..DENSE },
        layout: Some(Layout::Sized),
        shape: None,
        goal: ProfileGoal::BlankFirst,
        answer: Some(AnswerFormat { spelling: WORDS, solved: "{moves}\n{lines}", unsolvable: None, ..PATH_LINE }),
        ..POJ1077
    },
    Profile {
        name: "princeton",
        source: "Princeton COS 226, 8 Puzzle",
        url: "https://coursera.cs.princeton.edu/algs4/assignments/8puzzle/specification.php",
        note: "the side, then the rows; every board of a shortest solution, as Board.toString() of the assignment",
        board_style: DENSE,
        layout: Some(Layout::Sized),
        shape: None,
        answer: Some(AnswerFormat {
            requirement: Requirement::Shortest,
            listing: Listing { side_first: true, width: 2, row_end: " " },
            solved: "Minimum number of moves = {moves}\n\n{boards}",
            unsolvable: Some("No solution possible\n"),
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "42",
        source: "42 school, n-puzzle",
        url: "",
        output: Confidence::Memory,
        note: "comments anywhere; answers are free text; a paper of the school, no address is public. Of the four facts asked for only the moves and the boards \
               are the same for every solver and run; the states opened and held are not, and are not written",
        board_style: DENSE,
        layout: Some(Layout::Sized),
        shape: None,
        goal: ProfileGoal::Snail,
        answer: Some(AnswerFormat {
            requirement: Requirement::Shortest,
            solved: "Moves: {moves}\n\n{boards}",
            unsolvable: Some("This puzzle is not solvable.\n"),
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "komal-s15",
        source: "KöMaL S. 15",
        url: "",
        note: "one board a file, in three rows; the numbers of the tiles moved, in one string; in print, no address is known",
        board_style: DENSE,
        layout: Some(Layout::Grid),
        answer: Some(AnswerFormat {
            requirement: Requirement::Shortest,
            spelling: DIGITS,
            unsolvable: Some("no solution\n"),
            ..PATH_LINE
        }),
        ..POJ1077
    },
    Profile {
        name: "korf",
        source: "Korf 1985, and Korf and Felner 2002: lists of random boards",
        url: "https://doi.org/10.1016/0004-3702(85)90084-0",
        note: "a board a line, with or without its number; no answer format: results are JSON lines",
        board_style: DENSE,
        layout: None,
        shape: None,
        goal: ProfileGoal::BlankFirst,
        answer: None,
        ..POJ1077
    },
    Profile {
        name: "pair",
        source: "the start-and-goal problem of the 8-puzzle",
        url: "",
        note: "start and goal on two lines of nine numbers; no judge's own, and no address",
        board_style: DENSE,
        layout: Some(Layout::Pair),
        goal: ProfileGoal::InRecord,
        ..ACWING845
    },
    Profile {
        name: "n-puzzle",
        source: "the start-and-goal problem of any side",
        url: "",
        output: Confidence::Memory,
        note: "the side, the start, the goal; every board from start to goal, then the number of moves; no judge's own, and \
               no address",
        board_style: BoardStyle { side_of_pairs: true, ..DENSE },
        layout: Some(Layout::Pair),
        shape: None,
        goal: ProfileGoal::InRecord,
        answer: Some(AnswerFormat {
            requirement: Requirement::Shortest,
            solved: "{boards}{moves}\n",
            unsolvable: Some("No solution\n"),
            ..PATH_LINE
        }),
        ..POJ1077
    },
];

impl Profile {
    /// Returns the profile of this name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::input::InputOptions;
    use crate::format::profile::template;

    #[test]
    fn every_row_of_the_table_can_be_used() {
        for (i, profile) in PROFILES.iter().enumerate() {
            let name = profile.name;
            assert!(PROFILES[..i].iter().all(|other| other.name != name), "{name} is there twice");
            assert!(std::ptr::eq(Profile::named(name).unwrap(), profile));
            let options = profile.fill(InputOptions::default());
            assert_eq!(options.goal.is_none(), profile.goal == ProfileGoal::InRecord, "{name}");
            assert_eq!(options.shape.is_some(), profile.shape.is_some(), "{name}");
            if let (Some(shape), Some(goal)) = (options.shape, options.goal) {
                goal.on(shape).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            }
            if let Some(answer) = &profile.answer {
                let texts = [Some(answer.solved), answer.unsolvable, answer.too_long, Some(answer.otherwise)];
                for text in texts.into_iter().flatten() {
                    template::parse(text).unwrap_or_else(|wrong| panic!("{name}: {text:?}: {wrong}"));
                    assert!(text.ends_with('\n') || text.ends_with('}'), "{name}: {text:?}");
                }
                assert!(answer.otherwise.contains("{status}"), "{name}");
            }
        }
        assert!(Profile::named("poj").is_none());
    }

    /// A profile made from a statement has its address, or a note that there is none.
    #[test]
    fn what_was_read_can_be_found() {
        for Profile { name, url, note, input, output, .. } in PROFILES {
            let read = [input, output].contains(&&Confidence::Statement);
            assert!(!read || !url.is_empty() || note.contains("no address"), "{name}");
        }
    }
}
