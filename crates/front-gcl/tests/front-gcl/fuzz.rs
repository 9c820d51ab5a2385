//! Whatever the text, reading ends without harm, and complaints point at places inside the text; what is read prints to what is read back.

use std::fs;
use std::path::Path;
use tertium_front_gcl::read;
use tertium_support::{Context, Rng, Severity, Source, render};
use tertium_testkit::fuzz_cases;

const TOKENS: [&str; 72] = [
    "const",
    "enum",
    "control",
    "var",
    "init",
    "prop",
    "process",
    "property",
    "invariant",
    "reach",
    "either",
    "or",
    "input",
    "skip",
    "int",
    "bool",
    "true",
    "false",
    "in",
    "mod",
    "x",
    "y",
    "p.x",
    "a",
    "b",
    "N",
    "loc",
    "idle",
    "0",
    "1",
    "7",
    "..",
    "0..7",
    "=",
    ":=",
    "->",
    "=>",
    "<=>",
    "!",
    "&&",
    "||",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "?",
    ":",
    ";",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "[a]",
    "mu Z.",
    "nu",
    "Z",
    "AG",
    "EF",
    "E[",
    "U",
    "\"q r\"",
    "\"",
    "// c\n",
    "\n",
];

fn check(text: &str) {
    let source = Source::new("fuzz", text);
    let context = Context::default();
    let complaints = match read(&context, &source) {
        Ok((model, warnings)) => {
            let printed = model.to_string();
            match read(&context, &Source::new("printed", &printed)) {
                // Only the order inside terms can differ.
                Ok((again, _)) => {
                    assert_eq!(again.to_string().lines().count(), printed.lines().count(), "{text}")
                }
                Err(found) => panic!("{text}\n---\n{printed}\n{found:#?}"),
            }
            warnings
        }
        Err(error) => {
            let complaints = error.into_complaints();
            assert!(complaints.iter().any(|found| found.severity == Severity::Error), "{text}");
            complaints
        }
    };
    for complaint in &complaints {
        let spans = complaint.related.iter().map(|(span, _)| *span).chain([complaint.span]);
        for span in spans {
            assert!(span.start <= span.end && span.end <= text.len(), "{text}\n{complaint:?}");
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{text}");
        }
    }
    render(&source, &complaints, false);
}

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries =
        fs::read_dir(folder).expect("the examples are there").map(|entry| entry.expect("readable").path());
    let models = entries.filter(|path| path.extension().is_some_and(|extension| extension == "gcl"));
    models.map(|path| fs::read_to_string(path).expect("UTF-8")).collect()
}

/// A small change somewhere.
fn mutated(rng: &mut Rng, text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = rng.between(0, chars.len());
    let until = (at + rng.between(0, 6)).min(chars.len());
    let (before, after): (String, String) = (chars[..at].iter().collect(), chars[until..].iter().collect());
    let between = match rng.between(0, 3) {
        0 => String::new(),
        1 => (*rng.pick(&['μ', '\u{0}', '\\', '"', '{', '}', ';', '=', '.'])).to_string(),
        2 => {
            let from = rng.between(0, chars.len());
            chars[from..(from + 20).min(chars.len())].iter().collect()
        }
        _ => format!(" {} ", rng.pick(&TOKENS)),
    };
    format!("{before}{between}{after}")
}

#[test]
fn token_soups() {
    fuzz_cases(|rng| {
        let n = rng.between(0, 60);
        let soup = (0..n).map(|_| *rng.pick(&TOKENS)).collect::<Vec<_>>();
        check(&soup.join(if rng.chance(0.8) { " " } else { "" }));
    });
}

#[test]
fn changed_examples() {
    let examples = examples();
    fuzz_cases(|rng| {
        let mut text = rng.pick(&examples).clone();
        for _ in 0..rng.between(1, 4) {
            text = mutated(rng, &text);
        }
        check(&text);
    });
}
