//! Which questions are asked about a file: properties that were given, or chosen ones of the file.

use crate::{Halt, Model, PropertyId};
use tertium_evidence::{Advice, PropertyName};
use tertium_support::{Diagnostics, Id, Source, nearest_names};

/// A property that was given besides the file.
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
    /// What to try if a limit ends it before an engine can say more.
    pub advice: Vec<Advice>,
}

/// The questions: those given, else the chosen ones of the file.
pub fn questions(model: &mut dyn Model, given: &[Given], chosen: &Chosen) -> Result<Vec<Question>, Halt> {
    if given.is_empty() {
        let chosen = choose(model, chosen)?;
        let question = |property: PropertyId| Question {
            name: model.properties()[property.index()].name.clone(),
            property: Ok(property),
            warnings: None,
            advice: Vec::new(),
        };
        return Ok(chosen.into_iter().map(question).collect());
    }
    Ok(given.iter().map(|given| question(model, given)).collect())
}

fn question(model: &mut dyn Model, given: &Given) -> Question {
    let file = model.source().name().to_owned();
    let unread = |text: &str| PropertyName {
        file: file.clone(),
        given: given.written.clone(),
        text: text.trim().to_owned(),
        ..PropertyName::default()
    };
    let source = match &given.source {
        Ok(source) => source,
        Err(halt) => {
            let property = Err(halt.clone());
            return Question { name: unread(&given.written), property, warnings: None, advice: Vec::new() };
        }
    };
    match model.read_property(&given.written, source) {
        Ok((property, warnings)) => Question {
            name: model.properties()[property.index()].name.clone(),
            property: Ok(property),
            warnings: (!warnings.is_empty()).then(|| (source.clone(), warnings)),
            advice: Vec::new(),
        },
        Err(complaints) => Question {
            name: unread(source.text()),
            property: Err(Halt::faulty(source, complaints)),
            warnings: None,
            advice: Vec::new(),
        },
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
