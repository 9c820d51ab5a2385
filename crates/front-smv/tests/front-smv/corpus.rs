//! The models of the shared corpus: all are read, with the properties that NuSMV lists, in its order.

use std::fs;
use std::path::PathBuf;
use tertium_front_smv::{FlatModel, SpecificationKind, read, read_property};
use tertium_support::{Source, render};
use tertium_testkit::nusmv_corpus;

/// The models with their names, in order.
fn models(folder: &PathBuf) -> Vec<(String, FlatModel)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder can be listed")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "smv"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            let source = Source::new(name.as_str(), fs::read_to_string(&path).expect("the file can be read"));
            match read(source.clone()) {
                Ok((model, _)) => (name, model),
                Err(errors) => panic!("{}", render(&source, &errors, false)),
            }
        })
        .collect()
}

fn is_compute(kind: &SpecificationKind) -> bool {
    matches!(kind, SpecificationKind::ComputeMinimum(..) | SpecificationKind::ComputeMaximum(..))
}

/// A property without what may differ: blanks and brackets.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect()
}

#[test]
fn every_model_of_the_corpus_has_the_listed_properties() {
    let Some(folder) = nusmv_corpus() else { return };
    let expected = fs::read_to_string(folder.join("expected.tsv")).expect("the list can be read");
    for (name, model) in models(&folder) {
        let mut listed: Vec<(&str, &str)> = expected
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{name}\t")))
            .map(|line| line.splitn(3, '\t').nth(2).expect("three columns"))
            .map(|text| text.split_once(" IN ").unwrap_or((text, "")))
            .collect();
        let mut specifications: Vec<_> =
            model.specifications.iter().filter(|specification| !is_compute(&specification.kind)).collect();
        // NuSMV lists instances inside out, where we follow the text; in one instance both do.
        listed.sort_by_key(|(_, instance)| *instance);
        specifications.sort_by_key(|specification| &specification.instance);
        assert_eq!(specifications.len(), listed.len(), "{name}");
        for (specification, (text, instance)) in specifications.iter().zip(listed) {
            assert_eq!(specification.instance, instance, "{name}: {text}");
            // Inside of instances NuSMV writes names without the instance; sets it writes with `union`.
            if instance.is_empty() && !text.contains("union") {
                assert_eq!(letters(&specification.text), letters(text), "{name}");
            }
        }
    }
}

#[test]
fn every_property_of_the_corpus_reads_back() {
    let Some(folder) = nusmv_corpus() else { return };
    for (name, model) in models(&folder) {
        for specification in &model.specifications {
            let keyword = if is_compute(&specification.kind) { "COMPUTE " } else { "" };
            let source = Source::new("<property>", format!("{keyword}{}", specification.text));
            match read_property(&model, &source) {
                Ok(again) => assert_eq!(again.text, specification.text, "{name}"),
                Err(errors) => panic!("{name}: {}", render(&source, &errors, false)),
            }
        }
    }
}
