//! Who may know whom: every `Cargo.toml` against the layer table in `docs/architecture.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testkit is two levels down")
        .into()
}

/// Crate to line, from the table. Crates on the line `–` are for tests only.
pub(crate) fn layers() -> BTreeMap<String, Option<u32>> {
    let text = fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let section = text.split("\n## ").find(|part| part.starts_with("Layers")).expect("a section on layers");
    let mut layers = BTreeMap::new();
    for row in section.lines().filter(|line| line.starts_with("| ")) {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (Some(line), Some(crates)) = (cells.next(), cells.next()) else { continue };
        if line == "line" {
            continue;
        }
        let line = line.parse().ok();
        for name in crates.split(',').map(|name| name.trim().trim_matches('`')) {
            layers.insert(name.to_owned(), line);
        }
    }
    layers
}

pub(crate) fn manifest(name: &str) -> toml::Table {
    let path = root().join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .parse()
        .expect("valid TOML")
}

/// The folder of a package of ours. The library for other programs has the name of the whole.
fn folder(package: &str) -> Option<&str> {
    if package == "tertium" { Some(package) } else { package.strip_prefix("tertium-") }
}

/// The crates of ours that a section of a manifest names.
pub(crate) fn ours(manifest: &toml::Table, section: &str) -> Vec<String> {
    let Some(table) = manifest.get(section).and_then(toml::Value::as_table) else { return Vec::new() };
    table.keys().filter_map(|key| folder(key)).map(str::to_owned).collect()
}

#[test]
fn every_crate_is_in_the_table_and_the_table_names_no_other() {
    let listed: Vec<String> = layers().into_keys().collect();
    let mut present: Vec<String> = fs::read_dir(root().join("crates"))
        .expect("crates/")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .collect();
    present.sort();
    assert_eq!(listed, present);
}

#[test]
fn a_crate_uses_only_crates_on_earlier_lines() {
    let layers = layers();
    for (name, line) in &layers {
        for used in ours(&manifest(name), "dependencies") {
            match (line, layers[&used]) {
                (Some(line), Some(other)) => {
                    assert!(other < *line, "`{name}` (line {line}) uses `{used}` (line {other})")
                }
                (Some(_), None) => panic!("`{name}` uses the test crate `{used}` outside tests"),
                (None, _) => {}
            }
        }
    }
}

#[test]
fn versions_and_lints_are_declared_once() {
    for name in layers().keys() {
        let manifest = manifest(name);
        let lints =
            manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(lints, Some(true), "`{name}` takes the lints of the workspace");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(table) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
            for (dependency, value) in table {
                let inherited = value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
                assert!(inherited, "`{name}` declares `{dependency}` itself instead of in the workspace");
            }
        }
    }
}
