//! The examples of the repository: read without complaint, printed and read back, explored.

use std::fs;
use std::path::Path;
use tertium_explore::{Gap, reachable};
use tertium_front_gcl::{Model, Property, read};
use tertium_support::{Context, Source, render};

fn examples() -> Vec<(String, Model)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the examples are there") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "gcl") {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            let source = Source::new(&name, fs::read_to_string(&path).expect("UTF-8"));
            found.push((name, right(&source)));
        }
    }
    assert!(found.len() >= 8, "{}", found.len());
    found
}

fn right(source: &Source) -> Model {
    match read(&Context::default(), source) {
        Ok((model, warnings)) => {
            assert!(warnings.is_empty(), "{}", render(source, &warnings, false));
            model
        }
        Err(error) => panic!("{}\n{}", render(source, &error.into_complaints(), false), source.text()),
    }
}

#[test]
fn what_is_printed_is_read_back_to_the_same_model() {
    for (name, model) in examples() {
        let printed = model.to_string();
        let again = right(&Source::new(format!("{name}, printed"), &printed));
        assert_eq!(again.to_string(), printed, "{name}");
        let found =
            [&model, &again].map(|model| reachable(&Context::default(), &model.program, 300).unwrap());
        // Which of infinitely many states the solver finds first depends on the order of terms.
        let compared = !found[0].gaps.contains(&Gap::Initial);
        assert!(!compared || found[0].states().eq(found[1].states()), "{name}");
        assert!(!compared || found[0].steps().eq(found[1].steps()), "{name}");
        let pairs = model.properties.iter().zip(&again.properties);
        assert!(
            pairs.into_iter().all(|(one, other)| {
                let formula =
                    |property: &Property| property.meaning.branching().map(|own| own.formula.clone());
                formula(one) == formula(other)
            }),
            "{name}"
        );
    }
}

#[test]
fn finite_examples_are_explored_to_the_end_and_infinite_ones_are_not() {
    for (name, model) in examples() {
        let found = reachable(&Context::default(), &model.program, 2000).unwrap();
        let finite = ["peterson.gcl", "fischer.gcl", "filter-lock.gcl", "philosophers.gcl", "token-ring.gcl"];
        let finite = finite.contains(&name.as_str());
        assert_eq!(found.is_complete(), finite, "{name}: {:?}", found.gaps);
    }
}
