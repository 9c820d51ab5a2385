//! What documents show is what the binary prints: every `$ tertium …` in a fenced block of README.md or docs/ is run
//! at the root of the repository, and the lines below it are compared with standard output and standard error.

use crate::support::binary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down").into()
}

/// README.md and all pages below docs/, sorted.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut stack = vec![root().join("docs")];
    while let Some(folder) = stack.pop() {
        for entry in fs::read_dir(&folder).expect("docs/ can be read") {
            let path = entry.expect("docs/ can be read").path();
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A command as it is shown, and what is shown below it.
struct Shown {
    command: String,
    output: String,
}

/// The commands in fenced blocks. A command may go on after a backslash at the end of a line; output goes to the next
/// command or the end of the block.
fn shown(text: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let (mut fenced, mut open, mut continued) = (false, false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            (fenced, open, continued) = (!fenced, false, false);
        } else if continued {
            let last = all.last_mut().expect("a command goes on");
            continued = push_command(&mut last.command, line);
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| fenced) {
            open = command.starts_with("tertium ");
            if open {
                all.push(Shown { command: String::new(), output: String::new() });
                continued = push_command(&mut all.last_mut().expect("just pushed").command, command);
            }
        } else if open {
            let last = all.last_mut().expect("output follows a command");
            last.output.push_str(line);
            last.output.push('\n');
        }
    }
    all
}

/// Adds a line to a command; true if the next line belongs to it as well.
fn push_command(command: &mut String, line: &str) -> bool {
    match line.strip_suffix('\\') {
        Some(part) => {
            command.push_str(part);
            true
        }
        None => {
            command.push_str(line);
            false
        }
    }
}

/// The words of a command: blanks separate, quotes of either kind keep together. Anything else that a shell would
/// treat specially is refused, since there is no shell here.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(mark), _) if c == mark => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '|' | '>' | '<' | ';' | '&' | '$' | '*' | '`' | '(' | ')') => {
                panic!("`{command}` needs a shell")
            }
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    assert!(quote.is_none(), "`{command}` ends inside a quotation");
    words.extend(word);
    words
}

#[test]
fn documents_show_what_the_binary_prints() {
    let mut n_shown = 0;
    for path in documents() {
        for Shown { command, output } in shown(&fs::read_to_string(&path).expect("UTF-8")) {
            let run = Command::new(binary())
                .args(&words(&command)[1..])
                .current_dir(root())
                .env_remove("RUST_BACKTRACE")
                .output()
                .expect("the binary was built");
            let printed = [run.stdout, run.stderr].concat();
            let printed = String::from_utf8(printed).expect("we print UTF-8");
            assert_eq!(printed, output, "{}: $ {command}", path.display());
            n_shown += 1;
        }
    }
    assert!(n_shown > 0, "README.md shows a run");
}

#[test]
fn the_readme_shows_every_kind_of_answer() {
    let text = fs::read_to_string(root().join("README.md")).expect("UTF-8");
    let output: String = shown(&text).into_iter().map(|shown| shown.output).collect();
    for word in ["TRUE ", "FALSE ", "UNKNOWN ", "RESULT: "] {
        assert!(output.lines().any(|line| line.starts_with(word)), "no line begins with `{word}`");
    }
}

#[test]
fn commands_are_found_in_blocks_and_cut_into_words() {
    let text = "$ tertium no\n```\n$ tertium a \\\n  -p 'x y'\nout\n$ other\nnot ours\n$ tertium \"b\" ''\n```\nafter\n";
    let found: Vec<(Vec<String>, String)> =
        shown(text).into_iter().map(|shown| (words(&shown.command), shown.output)).collect();
    let expected = [(vec!["tertium", "a", "-p", "x y"], "out\n"), (vec!["tertium", "b", ""], "")];
    assert_eq!(
        found,
        expected.map(|(words, out)| (words.into_iter().map(str::to_owned).collect(), out.to_owned()))
    );
}
