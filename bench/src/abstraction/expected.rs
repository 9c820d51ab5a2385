//! What the properties of the models are, from `bench/models/expected.toml`: a table for each model, by its path, with a truth value for
//! each property, by its label.

use super::file;
use std::collections::BTreeMap;
use tertium_front_gcl::{Model, read};
use tertium_support::{Context, Source};
use tertium_truth::Verdict;

/// A model with what is expected of it.
pub(crate) struct Known {
    pub(crate) model: Model,
    /// By label.
    pub(crate) values: BTreeMap<String, bool>,
}

/// All models with what is expected of them, by path.
pub(crate) struct Expected(BTreeMap<String, BTreeMap<String, bool>>);

impl Expected {
    pub(crate) fn read() -> Result<Self, String> {
        let path = file("bench/models/expected.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", path.display()))?;
        let mut all = BTreeMap::new();
        for (model, values) in table {
            let values = values.as_table().ok_or(format!("`{model}` is no table"))?;
            let value = |(label, value): (&String, &toml::Value)| {
                let value =
                    value.as_bool().ok_or(format!("`{label}` of {model} is neither true nor false"))?;
                Ok::<_, String>((label.clone(), value))
            };
            all.insert(model.clone(), values.iter().map(value).collect::<Result<_, _>>()?);
        }
        Ok(Self(all))
    }

    /// The models, by path.
    pub(crate) fn models(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Reads a model and sees to it that exactly its properties have expected values.
    pub(crate) fn load(&self, path: &str) -> Result<Known, String> {
        let values = self.0.get(path).ok_or(format!("nothing is expected of {path}"))?.clone();
        let text = std::fs::read_to_string(file(path)).map_err(|error| format!("{path}: {error}"))?;
        let (model, _) = read(&Context::default(), &Source::new(path, text))
            .map_err(|error| format!("{path}: {error:?}"))?;
        let labels: Vec<Option<&str>> = model.properties.iter().map(|own| own.label.as_deref()).collect();
        if let Some(label) = values.keys().find(|label| !labels.contains(&Some(label))) {
            return Err(format!("{path} has no property `{label}`"));
        }
        let open = |label: &&Option<&str>| !label.is_some_and(|label| values.contains_key(label));
        if let Some(label) = labels.iter().find(open) {
            return Err(format!("nothing is expected of the property {label:?} of {path}"));
        }
        Ok(Known { model, values })
    }
}

/// Whether a verdict contradicts what is expected.
pub(crate) fn contradicts(verdict: Verdict, expected: bool) -> bool {
    match verdict {
        Verdict::True => !expected,
        Verdict::False => expected,
        Verdict::Unknown(_) => false,
    }
}

/// A verdict, with a mark if it is wrong.
pub(crate) fn judged(verdict: Verdict, expected: bool) -> String {
    if contradicts(verdict, expected) { format!("{verdict} WRONG") } else { verdict.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_read_and_exactly_its_properties_have_expected_values() {
        let expected = Expected::read().expect("it is a table of truth values");
        for path in expected.models() {
            assert!(expected.load(path).is_ok(), "{}", expected.load(path).err().unwrap_or_default());
        }
        assert!(expected.models().count() >= 10);
    }

    #[test]
    fn every_model_of_the_suite_has_expected_values() {
        let expected = Expected::read().expect("it is a table of truth values");
        for entry in std::fs::read_dir(file("bench/models")).expect("the folder is there").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".gcl") {
                assert!(expected.models().any(|path| path == format!("bench/models/{name}")), "{name}");
            }
        }
    }

    #[test]
    fn only_a_definite_verdict_contradicts() {
        assert!(contradicts(Verdict::True, false) && contradicts(Verdict::False, true));
        assert!(!contradicts(Verdict::True, true) && !contradicts(Verdict::False, false));
        assert!(!contradicts(Verdict::Unknown(tertium_truth::Cause::Time), true));
    }
}
