//! The examples in the pages of `tertium explain`: where a page shows a file and a command, the output is what it says.

use crate::support::Place;

/// The indented lines of a page.
fn example(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

/// The part of an example after a line, up to the next command.
fn shown_after<'a>(lines: &[&'a str], command: &str) -> Option<Vec<&'a str>> {
    let at = lines.iter().position(|line| *line == command)?;
    Some(lines[at + 1..].iter().copied().take_while(|line| !line.starts_with("$ ")).collect())
}

#[test]
fn pages_that_show_a_file_tell_the_truth() {
    let mut tried = 0;
    for code in ["U-WORK", "U-IMPRECISE", "U-INCONSISTENT", "semantics"] {
        let place = Place::new();
        let page = place.run(&["explain", code]).stdout;
        let lines = example(&page);
        let system = shown_after(&lines, "$ cat m.pts").unwrap_or_else(|| panic!("{code} shows no file"));
        place.file("m.pts", system.join("\n"));
        for command in lines.iter().filter(|line| line.starts_with("$ tertium check")) {
            let formula = command.split('\'').nth(1).expect("the formula is quoted");
            let options = command.rsplit('\'').next().unwrap_or_default().split_whitespace();
            let arguments: Vec<&str> = ["check", "m.pts", "-p", formula].into_iter().chain(options).collect();
            let printed = place.run(&arguments).stdout;
            let mut rest = printed.lines();
            for line in shown_after(&lines, command).unwrap_or_default() {
                assert!(
                    rest.any(|other| other.starts_with(line)),
                    "{code}: `{line}` is not printed in\n{printed}"
                );
            }
            tried += 1;
        }
    }
    assert!(tried >= 6, "only {tried} examples were found");
}
