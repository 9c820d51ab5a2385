//! Commands that only tell: help, version, explain, formats, completions.

use crate::support::Place;
use tertium_truth::Cause;

#[test]
fn help_and_version_are_0_and_go_to_standard_output() {
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["check", "--help"],
        &["model", "refines", "-h"],
        &["help", "game"],
    ] {
        let run = Place::new().run(arguments);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?} {run:?}");
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(Place::new().run(&["--version"]).stdout.lines().count(), 1);
    assert!(
        Place::new().run(&["check", "--help"]).stdout.contains("tertium check coffee.pts -p 'AG EF ready'")
    );
}

#[test]
fn every_code_is_explained_and_unknown_ones_get_the_list() {
    let place = Place::new();
    for code in ["U-TIME", "u-imprecise", "0", "10", "deadlock", "semantics", "flat-domain"] {
        let run = place.run(&["explain", code]);
        assert!(run.status == 0 && run.stdout.starts_with("# "), "{code} {run:?}");
    }
    assert!(place.run(&["explain"]).stdout.contains("U-INCONSISTENT"));
    let run = place.run(&["explain", "U-TIEM"]).ends(1, "");
    assert!(run.stderr.contains("did you mean `U-TIME`?") && run.stderr.contains("deadlock"), "{run:?}");
}

#[test]
fn formats_are_listed_and_described() {
    let place = Place::new();
    let table = place.run(&["formats"]).stdout;
    for name in ["pts", "aut", "formulas", "mcf", "dot", "pgsolver", "json", "verdicts"] {
        assert!(table.contains(&format!("  {name} ")), "{name}: {table}");
        assert!(place.run(&["formats", name]).stdout.starts_with("# "), "{name}");
    }
}

/// The words in the list that a command prints.
fn listed(command: &str) -> Vec<String> {
    let list = Place::new().run(&[command]).stdout;
    let pages = list.lines().filter_map(|line| line.strip_prefix("  "));
    pages.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn every_page_that_is_listed_has_a_title() {
    let place = Place::new();
    for (command, aliases) in [
        ("explain", &["u-time", "flat-domain", "sis", "compassion", "auto", "vacuous"][..]),
        ("formats", &[".PTS", "pg"]),
    ] {
        let pages = listed(command);
        assert!(pages.len() >= 10, "{pages:?}");
        for page in pages.iter().map(String::as_str).chain(aliases.iter().copied()) {
            assert!(place.run(&[command, page]).stdout.starts_with("# "), "{command} {page}");
        }
    }
    assert!(place.run(&["explain", "U-TMIE"]).stderr.contains("did you mean `U-TIME`?"));
    assert!(place.run(&["formats", "ptss"]).stderr.contains("did you mean `pts`?"));
}

#[test]
fn every_cause_and_every_exit_status_has_a_page_with_an_example() {
    let statuses = ["0", "1", "2", "5", "6", "10"].map(str::to_owned);
    for code in Cause::ALL.map(|cause| cause.code().to_owned()).iter().chain(&statuses) {
        let page = Place::new().run(&["explain", code]).stdout;
        assert!(page.contains("    $ tertium"), "the page {code} has no example");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    for words in [&[][..], &["check"], &["model", "minimise"], &["game", "solve"], &["explain"]] {
        let run = place.run(&[&["man"], words].concat());
        assert_eq!(run.status, 0, "{run:?}");
        let title = ["tertium"].iter().chain(words).copied().collect::<Vec<_>>().join("-");
        assert!(run.stdout.contains(&format!(".TH {title} 1")), "{words:?}: {run:?}");
        assert!(run.stdout.contains(".SH NAME") && run.stdout.contains(".SH SYNOPSIS"), "{words:?}: {run:?}");
    }
    let run = place.run(&["man", "nothing"]);
    assert!(run.status == 1 && run.stderr.contains("there is no command `nothing`"), "{run:?}");
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = Place::new().run(&["completions", shell]);
        assert!(run.status == 0 && run.stdout.contains("allow-unknown-names"), "{shell}");
    }
}
