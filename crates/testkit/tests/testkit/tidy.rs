//! House rules that a machine can check: headers, links, references, sidecars of tasks, words that do not belong.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testkit is two levels down")
        .into()
}

/// All files below a folder with one of these extensions, sorted; build output is left out.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut stack = vec![root().join(folder)];
    while let Some(folder) = stack.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && !name.to_string_lossy().starts_with('.') {
                    stack.push(path);
                }
            } else if path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_source_file_opens_with_a_header() {
    for path in files("crates", &["rs"]).into_iter().chain(files("bench", &["rs"])) {
        assert!(read(&path).starts_with("//! "), "{} has no `//!` header", path.display());
    }
}

#[test]
fn every_crate_has_one_test_binary_and_every_test_file_is_in_it() {
    for path in files("crates", &["rs"]) {
        let path = path.strip_prefix(root()).expect("below the root");
        let parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("UTF-8")).collect();
        let [_, name, "tests", inside @ ..] = &parts[..] else { continue };
        assert!(inside.len() > 1 && inside[0] == *name, "{} is a test binary of its own", path.display());
        let folder = root().join(path).parent().expect("a file is in a folder").to_owned();
        let file = inside.last().expect("a path has an end").trim_end_matches(".rs");
        let parent = match (file, inside.len()) {
            ("main", 2) => continue,
            ("mod", _) => folder.parent().expect("a module is below the binary").join("main.rs"),
            (_, 2) => folder.join("main.rs"),
            _ => folder.join("mod.rs"),
        };
        let module = if file == "mod" { inside[inside.len() - 2] } else { file };
        let declared = read(&parent)
            .lines()
            .any(|line| line.trim_start_matches("mod ").trim_start_matches("r#") == format!("{module};"));
        assert!(declared, "{} is not a module of {}", path.display(), parent.display());
    }
}

#[test]
fn nothing_is_left_open_in_the_code() {
    // Written in two parts, so that this file does not find itself.
    let words =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplemented", "!"), concat!("#[ign", "ore")];
    for path in files("crates", &["rs"]).into_iter().chain(files("bench", &["rs"])) {
        let text = read(&path);
        for word in words {
            assert!(!text.contains(word), "{} contains `{word}`", path.display());
        }
    }
}

#[test]
fn links_in_documents_resolve() {
    for path in files("", &["md"]) {
        for target in links(&without_code(&read(&path))) {
            if target.contains("://") || target.starts_with('#') {
                continue;
            }
            let file = target.split('#').next().expect("split gives one part");
            let full = path.parent().expect("files have parents").join(file);
            assert!(full.exists(), "{} links to `{target}`, which does not exist", path.display());
        }
    }
}

#[test]
fn documents_are_wrapped() {
    for path in files("", &["md"]) {
        let mut fenced = false;
        for (index, line) in read(&path).lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            // The row of a table is one line, and code is as it is.
            let is_prose = !fenced && !line.starts_with("    ") && !line.trim_start().starts_with('|');
            let is_short = !is_prose || line.chars().count() <= 120;
            assert!(is_short, "{}:{} is wider than a page", path.display(), index + 1);
        }
    }
}

#[test]
fn lines_of_code_are_not_wider_than_a_screen() {
    for path in files("crates", &["rs"]).into_iter().chain(files("bench", &["rs"])) {
        for (index, line) in read(&path).lines().enumerate() {
            let text = line.trim_start().trim_start_matches(['/', '!']);
            // The row of a table is one line.
            let is_short = line.chars().count() <= 140 || text.trim_start().starts_with('|');
            assert!(is_short, "{}:{} is wider than a screen", path.display(), index + 1);
        }
    }
}

/// The text without fenced blocks and without what stands between backticks: formulas look like links there.
fn without_code(text: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of `[text](target)`.
fn links(text: &str) -> Vec<&str> {
    text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split(')').next()).collect()
}

#[test]
fn paths_named_in_the_architecture_exist() {
    for document in ["docs/architecture.md", "README.md", "bench/README.md"] {
        // Below a heading that names a crate, paths such as `src/lib.rs` are meant inside it.
        let mut crate_folder = None;
        for line in read(&root().join(document)).lines() {
            if line.starts_with('#') {
                crate_folder = code_spans(line).find(|span| span.starts_with("crates/")).map(str::to_owned);
            }
            for path in code_spans(line).filter(|span| is_path(span)) {
                let inside = crate_folder.as_ref().filter(|_| path.starts_with("src/"));
                let full = inside.map_or(root(), |folder| root().join(folder)).join(path);
                assert!(full.exists(), "{document} names `{path}`, which does not exist");
            }
        }
    }
}

/// What stands between backticks on a line.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a code span is the path of a source file, a document or a folder.
fn is_path(span: &str) -> bool {
    let ends = span.ends_with(".rs") || span.ends_with(".md") || span.ends_with('/');
    ends && span.contains('/') && !span.contains(|c: char| c.is_whitespace() || c == '*')
}

#[test]
fn tests_named_in_the_lists_of_what_is_tested_exist() {
    let code: String = files("crates", &["rs"]).iter().map(|path| read(path)).collect();
    let lists: Vec<PathBuf> = files("docs/semantics", &["md"])
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("-tested.md")))
        .collect();
    assert!(!lists.is_empty(), "there are lists");
    for path in lists {
        for span in read(&path).lines().flat_map(code_spans).filter(|span| span.contains(['_', '/'])) {
            let is_test = !span.contains('/') && span.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
            let exists =
                if is_test { code.contains(&format!("fn {span}(")) } else { root().join(span).exists() };
            assert!(
                exists || !(is_test || is_path(span)),
                "{} names `{span}`, which does not exist",
                path.display()
            );
        }
    }
}

#[test]
fn documents_named_in_the_code_exist() {
    for path in files("crates", &["rs"]).into_iter().chain(files("bench", &["rs"])) {
        let text = read(&path);
        for word in text.split(|c: char| c.is_whitespace() || "`()\",;".contains(c)) {
            let word = word.trim_end_matches(['.', ':']);
            if word.starts_with("docs/") && word.ends_with(".md") && !word.contains('*') {
                assert!(
                    root().join(word).exists(),
                    "{} names `{word}`, which does not exist",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn reference_keys_are_listed() {
    let listed = read(&root().join("docs/references.md"));
    for path in files("crates", &["rs"]).into_iter().chain(files("docs", &["md"])) {
        for key in keys(&read(&path)) {
            assert!(
                listed.contains(&format!("**[{key}]**")),
                "{} cites [{key}], which is not listed",
                path.display()
            );
        }
    }
}

/// Keys such as `\[BG99\]`, `\[BG99\]` and `[BG99, Def. 2]`: a capital, letters, two digits, perhaps a letter.
fn keys(text: &str) -> Vec<&str> {
    text.split('[')
        .skip(1)
        .filter_map(|rest| rest.split([']', ',', '\\']).next())
        .filter(|key| {
            let letters = key
                .trim_end_matches(|c: char| c.is_ascii_lowercase())
                .trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = key.len() - letters.len();
            key.starts_with(|c: char| c.is_ascii_uppercase())
                && letters.chars().all(|c| c.is_ascii_alphabetic())
                && (1..=6).contains(&letters.len())
                && (2..=3).contains(&digits)
                && key.chars().filter(char::is_ascii_digit).count() == 2
        })
        .collect()
}

#[test]
fn every_task_has_a_sidecar_and_every_sidecar_its_task() {
    let inputs = files("tests/tasks", &["pts", "aut", "pg", "mcf"]);
    let sidecars = files("tests/tasks", &["toml"]);
    assert!(!sidecars.is_empty(), "there are tasks");
    for path in &inputs {
        let named = sidecars.iter().any(|sidecar| {
            sidecar.parent() == path.parent()
                && read(sidecar).contains(path.file_name().expect("a name").to_str().expect("UTF-8"))
        });
        assert!(named, "{} is named by no sidecar", path.display());
    }
    for sidecar in &sidecars {
        let table: toml::Table =
            read(sidecar).parse().unwrap_or_else(|e| panic!("{}: {e}", sidecar.display()));
        let input = table["input"].as_str().expect("a sidecar names its input");
        assert!(sidecar.with_file_name(input).exists(), "{} names `{input}`", sidecar.display());
    }
}

#[test]
fn the_architecture_stays_readable() {
    assert!(read(&root().join("docs/architecture.md")).lines().count() < 500);
}
