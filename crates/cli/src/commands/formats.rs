//! `tertium formats`: the formats that are read and written, and the page of each.

use crate::exit::Status;
use crate::output::Output;
use tertium_support::nearest_names;

/// A format with its page.
struct Format {
    name: &'static str,
    /// How files are recognised or what asks for the format.
    used: &'static str,
    /// What it carries.
    what: &'static str,
    page: &'static str,
}

macro_rules! page {
    ($name:literal) => {
        include_str!(concat!("../../../../docs/formats/", $name, ".md"))
    };
}

const FORMATS: &[Format] = &[
    Format { name: "pts", used: "*.pts", what: "partial transition systems, in and out", page: page!("pts") },
    Format {
        name: "aut",
        used: "*.aut",
        what: "Aldebaran systems, plain and modal, in and out",
        page: page!("aut"),
    },
    Format {
        name: "smv",
        used: "*.smv",
        what: "models in the language of NuSMV, with their specifications, in",
        page: page!("smv"),
    },
    Format {
        name: "gcl",
        used: "*.gcl",
        what: "models of guarded commands over integers, with their properties, in",
        page: page!("gcl"),
    },
    Format {
        name: "formulas",
        used: "-p FORMULA",
        what: "mu-calculus, regular modalities, CTL",
        page: page!("formulas"),
    },
    Format {
        name: "mcf",
        used: "-p @FILE",
        what: "formula files as mCRL2 writes them, in",
        page: page!("mcf"),
    },
    Format { name: "dot", used: "--dot, *.dot", what: "pictures for Graphviz, out", page: page!("dot") },
    Format {
        name: "pgsolver",
        used: "game solve",
        what: "parity games, in; their solutions, out",
        page: page!("pgsolver"),
    },
    Format { name: "json", used: "--json", what: "results for programs, out", page: page!("json") },
    Format {
        name: "verdicts",
        used: "always",
        what: "verdict lines, RESULT line and exit status",
        page: page!("verdicts"),
    },
];

/// Prints a page, or the table of all.
pub(crate) fn run(name: Option<&str>, output: &Output) -> Status {
    let Some(name) = name else {
        output.result(&table());
        return Status::True;
    };
    match find(name) {
        Some(format) => {
            output.result(format.page);
            Status::True
        }
        None => {
            output.message(&unknown(name));
            Status::Usage
        }
    }
}

/// The format of this name, with or without a dot; `pg` is what files of games are called.
fn find(name: &str) -> Option<&'static Format> {
    let name = name.trim_start_matches('.');
    let name = if name.eq_ignore_ascii_case("pg") { "pgsolver" } else { name };
    FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
}

fn table() -> String {
    let mut text: String = FORMATS
        .iter()
        .map(|format| format!("  {:<10} {:<14} {}\n", format.name, format.used, format.what))
        .collect();
    text.push_str("\n`tertium formats NAME` prints the page of one.\n");
    text
}

fn unknown(name: &str) -> String {
    let near = nearest_names(name, FORMATS.iter().map(|format| format.name));
    let hint = near.first().map_or(String::new(), |near| format!("did you mean `{near}`? "));
    format!("error: there is no format `{name}`; {hint}these exist:\n{}", table())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_page_with_a_title() {
        for format in FORMATS {
            assert!(format.page.starts_with("# "), "the page of {} has no title", format.name);
        }
    }

    #[test]
    fn formats_are_found_by_their_extension_too() {
        assert_eq!(find(".PTS").map(|format| format.name), Some("pts"));
        assert_eq!(find("pg").map(|format| format.name), Some("pgsolver"));
        assert!(unknown("ptss").contains("did you mean `pts`?"));
    }
}
