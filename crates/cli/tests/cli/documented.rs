//! docs/cli.md against the command line itself: every command, every option, every default.

use crate::support::binary;
use clap::{ArgAction, Command};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");
    std::fs::read_to_string(path).expect("the page is there")
}

/// All commands with their paths, such as `model refines`.
fn commands(command: &Command, path: &str, found: &mut Vec<(String, Command)>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let path = format!("{path} {}", inner.get_name());
        found.push((path.trim().to_owned(), inner.clone()));
        commands(inner, &path, found);
    }
}

#[test]
fn every_command_and_every_long_option_is_documented() {
    let page = page();
    let mut found = Vec::new();
    commands(&tertium_cli::command(), "", &mut found);
    assert!(found.len() > 12, "{found:?}");
    for (path, command) in found {
        assert!(page.contains(&path), "docs/cli.md does not mention `{path}`");
        for argument in command.get_arguments() {
            let Some(long) = argument.get_long().filter(|&long| long != "help") else { continue };
            let written = [format!("`--{long}"), format!(", `--{long}")];
            assert!(
                written.iter().any(|form| page.contains(form)),
                "docs/cli.md does not describe --{long} of {path}"
            );
        }
    }
}

#[test]
fn options_with_defaults_and_values_are_documented_with_them() {
    let page = page();
    let mut found = Vec::new();
    commands(&tertium_cli::command(), "", &mut found);
    for (path, command) in found {
        for argument in command.get_arguments().filter(|a| matches!(a.get_action(), ArgAction::Set)) {
            let Some(long) = argument.get_long() else { continue };
            // Its own section comes first; options that several commands share stand in one place.
            let own = section(&page, &path).lines().find(|line| documents(line, long));
            let row = own.or_else(|| page.lines().find(|line| documents(line, long)));
            let row = row.unwrap_or_else(|| panic!("no row for --{long} of {path}"));
            for default in argument.get_default_values() {
                let default = format!("`{}`", default.to_string_lossy());
                assert!(row.contains(&default), "--{long} of {path} has the default {default}: {row}");
            }
            for value in argument.get_possible_values() {
                assert!(
                    row.contains(value.get_name()),
                    "--{long} of {path} can be {}: {row}",
                    value.get_name()
                );
            }
        }
    }
}

/// The part of the page that is about a command, empty if there is none.
fn section<'p>(page: &'p str, path: &str) -> &'p str {
    let title = format!("\n## `tertium {}", path.trim_start_matches("tertium "));
    let Some(start) = page.find(&title) else { return "" };
    let rest = &page[start + 1..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// Whether a line is the row of a table that describes this option: it stands in the first cell.
fn documents(line: &str, long: &str) -> bool {
    let first = line.strip_prefix("| ").and_then(|row| row.split(" | ").next()).unwrap_or_default();
    [format!("--{long} "), format!("--{long}`")].iter().any(|form| first.contains(form))
}

#[test]
fn every_option_has_a_help_text() {
    let mut found = Vec::new();
    commands(&tertium_cli::command(), "", &mut found);
    for (path, command) in found {
        assert!(command.get_about().is_some(), "{path} has no help");
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{} of {path} has no help", argument.get_id());
        }
    }
    tertium_cli::command().debug_assert();
}

#[test]
fn the_example_of_the_page_is_what_is_printed() {
    let page = page();
    let example = page.split("$ tertium check examples/coffee.pts -p 'AG ready'\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let printed = std::process::Command::new(binary())
        .args(["check", "examples/coffee.pts", "-p", "AG ready"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("the binary starts");
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), example);
}
