//! The examples in the pages of `tertium explain`: where a page shows a file and a command, the output is what it says.

use crate::support::Place;

/// The pages that show a file, which is all that an example needs.
const WITH_FILES: [&str; 8] =
    ["U-WORK", "U-IMPRECISE", "U-INCONSISTENT", "semantics", "engines", "fairness", "vacuity", "limits"];

/// The words of a command, as a shell takes it apart.
fn words(command: &str) -> Vec<&str> {
    fn cut((at, part): (usize, &str)) -> Vec<&str> {
        if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
    }
    command.split('\'').enumerate().flat_map(cut).collect()
}

#[test]
fn pages_that_show_a_file_tell_the_truth() {
    let mut tried = 0;
    for code in WITH_FILES {
        let place = Place::new();
        let page = place.run(&["explain", code]).stdout;
        let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        let begins = |at: &usize| lines[*at].starts_with("$ ");
        let commands: Vec<usize> = (0..lines.len()).filter(begins).collect();
        for (n, &at) in commands.iter().enumerate() {
            let shown = &lines[at + 1..commands.get(n + 1).copied().unwrap_or(lines.len())];
            match words(&lines[at][2..])[..] {
                ["cat", file] => drop(place.file(file, shown.join("\n") + "\n")),
                ["tertium", ref arguments @ ..] => {
                    let printed = place.run(arguments).stdout;
                    let mut rest = printed.lines();
                    for line in shown {
                        let found = rest.any(|other| other.starts_with(line));
                        assert!(found, "{code}: `{line}` is not printed in\n{printed}");
                    }
                    tried += 1;
                }
                ref other => panic!("{code}: {other:?} is no command of an example"),
            }
        }
    }
    assert!(tried >= 11, "only {tried} examples were found");
}
