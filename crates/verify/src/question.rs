//! Which questions are asked about a file: properties that were given, or chosen ones of the file.

use crate::{Halt, Model, PropertyId};
use tertium_evidence::PropertyName;
use tertium_logic::{FiledFormula, formulas_of};
use tertium_support::{Diagnostics, Id, Source, nearest_names};

/// A property that was given besides the file, or a file of properties.
#[derive(Clone, Debug)]
pub struct Given {
    /// The argument that gave it.
    pub written: String,
    /// Its text, or why it could not be read.
    pub source: Result<Source, Halt>,
}

/// Which properties of a file are asked about; none named means all.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// Those with these names.
    pub names: Vec<String>,
    /// Those with these numbers, from 1.
    pub indices: Vec<usize>,
}

impl Chosen {
    /// Whether nothing is named at all.
    pub fn is_everything(&self) -> bool {
        self.names.is_empty() && self.indices.is_empty()
    }
}

/// A question about a model.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is called.
    pub name: PropertyName,
    /// The property, or what is wrong with it.
    pub property: Result<PropertyId, Halt>,
    /// What is suspicious about it, in its text.
    pub warnings: Option<(Source, Diagnostics)>,
}

/// The questions: those given, else the chosen ones of the file.
pub fn questions(model: &mut dyn Model, given: &[Given], chosen: &Chosen) -> Result<Vec<Question>, Halt> {
    if given.is_empty() {
        let chosen = choose(model, chosen)?;
        let question = |property: PropertyId| Question {
            name: model.properties()[property.index()].name.clone(),
            property: Ok(property),
            warnings: None,
        };
        return Ok(chosen.into_iter().map(question).collect());
    }
    Ok(given.iter().flat_map(|given| filed(model, given)).collect())
}

/// The questions that an argument gives: one, or those of a file.
fn filed(model: &mut dyn Model, given: &Given) -> Vec<Question> {
    let name = PropertyName {
        file: model.source().name().to_owned(),
        given: given.written.clone(),
        ..PropertyName::default()
    };
    let unread = |text: &str, why: Halt| Question {
        name: PropertyName { text: text.trim().to_owned(), ..name.clone() },
        property: Err(why),
        warnings: None,
    };
    let source = match &given.source {
        Ok(source) => source,
        Err(halt) => return vec![unread(&given.written, halt.clone())],
    };
    match formulas_of(source) {
        Ok(formulas) => formulas.into_iter().map(|filed| question(model, &name, filed)).collect(),
        Err(complaints) => vec![unread(source.text(), Halt::faulty(source, complaints))],
    }
}

fn question(model: &mut dyn Model, argument: &PropertyName, filed: FiledFormula) -> Question {
    let FiledFormula { label, source } = filed;
    let name = PropertyName { label, text: source.text().trim().to_owned(), ..argument.clone() };
    match model.read_property(name.clone(), &source) {
        Ok((property, warnings)) => Question {
            name: model.properties()[property.index()].name.clone(),
            property: Ok(property),
            warnings: (!warnings.is_empty()).then_some((source, warnings)),
        },
        Err(complaints) => {
            Question { name, property: Err(Halt::faulty(&source, complaints)), warnings: None }
        }
    }
}

/// The chosen ones among the properties of the file.
fn choose(model: &dyn Model, chosen: &Chosen) -> Result<Vec<PropertyId>, Halt> {
    let file = model.source().name();
    let all = model.properties();
    if all.is_empty() {
        return Err(Halt::Refused(format!(
            "{file} has no property; give one with -p, such as -p 'AG EF ready'"
        )));
    }
    if let Some(index) = chosen.indices.iter().find(|&&index| index == 0 || index > all.len()) {
        return Err(Halt::Refused(format!("{file} has properties 1 to {}, not {index}", all.len())));
    }
    let label = |index: usize| all[index].name.label.as_deref();
    for name in &chosen.names {
        let names: Vec<&str> = (0..all.len()).filter_map(label).collect();
        if names.contains(&name.as_str()) {
            continue;
        }
        let near = nearest_names(name, names.iter().copied());
        let advice = if names.is_empty() {
            "none has a name; use --index".to_owned()
        } else if near.is_empty() {
            format!("there are {}", names.join(", "))
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        return Err(Halt::Refused(format!("{file} has no property called `{name}`: {advice}")));
    }
    let is_chosen = |&index: &usize| {
        chosen.is_everything()
            || chosen.indices.contains(&(index + 1))
            || label(index).is_some_and(|label| chosen.names.iter().any(|name| name == label))
    };
    Ok((0..all.len()).filter(is_chosen).map(PropertyId::new).collect())
}
