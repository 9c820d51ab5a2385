//! Which of the specifications of a file are asked about.

use crate::failure::Failure;
use crate::settings::Chosen;
use tertium_support::nearest_names;

/// The numbers, from 0, of the chosen ones among specifications with these names.
pub(crate) fn choose(chosen: &Chosen, file: &str, all: &[Option<&str>]) -> Result<Vec<usize>, Failure> {
    if all.is_empty() {
        return Err(Failure::Input(format!(
            "{file} has no specification; give a property with -p, such as -p 'AG EF ready'"
        )));
    }
    for &index in &chosen.indices {
        if index == 0 || index > all.len() {
            return Err(Failure::Input(format!("{file} has specifications 1 to {}, not {index}", all.len())));
        }
    }
    for name in &chosen.names {
        if !all.contains(&Some(name)) {
            let names: Vec<&str> = all.iter().copied().flatten().collect();
            let near = nearest_names(name, names.iter().copied());
            let advice = if names.is_empty() {
                "none has a name; use --index".to_owned()
            } else if near.is_empty() {
                format!("there are {}", names.join(", "))
            } else {
                format!("did you mean {}?", near.join(" or "))
            };
            return Err(Failure::Input(format!("{file} has no specification called `{name}`: {advice}")));
        }
    }
    let is_chosen = |&index: &usize| {
        chosen.is_everything()
            || chosen.indices.contains(&(index + 1))
            || all[index].is_some_and(|name| chosen.names.iter().any(|chosen| chosen == name))
    };
    Ok((0..all.len()).filter(is_chosen).collect())
}
