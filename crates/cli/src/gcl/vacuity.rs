//! `tertium vacuity` on models of guarded commands: on the states that a search finds.
//!
//! If the search is cut, what lies beyond is open: what is found about a part holds for the whole model, and where nothing can be said that is
//! because of the bound.

use super::{explore_some, gap_notes, load, tell_gaps};
use crate::args::VacuityArgs;
use crate::explicit::{Asked, answers};
use crate::failure::Failure;
use crate::input::{MODAL_MODEL, PropertySource};
use crate::run::Run;
use crate::survey::{Surveyed, Unread};
use tertium_expr::Term;
use tertium_front_gcl::Model;
use tertium_report::Message;
use tertium_support::Source;
use tertium_truth::Cause;

/// Answers about every property of the file, or about those that were given.
pub(crate) fn survey(run: &Run, args: &VacuityArgs) -> Result<Surveyed, Failure> {
    if args.reading.modal {
        return Err(Failure::Usage(MODAL_MODEL.to_owned()));
    }
    args.diagrams.refuse()?;
    let file = args.file.display().to_string();
    let (source, model, warnings) = load(&run.context, &args.file)?;
    if !warnings.is_empty() && !args.json {
        run.output.complaints(&source, &warnings);
    }
    let mut messages: Vec<Message> =
        warnings.iter().map(|warning| Message::located(&source, warning)).collect();
    let mut atoms: Vec<(String, Term)> = Vec::new();
    let asked = match args.properties.is_empty() {
        true => of_the_file(&model, &source, &mut atoms)?,
        false => given(run, args, &model, &mut atoms),
    };
    let found = explore_some(&run.context, &file, &model, args.states)?;
    if args.json {
        let warning = |note: String| Message { severity: "warning", ..Message::error(note) };
        messages.extend(gap_notes(&model, &found).into_iter().map(warning));
    } else {
        tell_gaps(&run.output, &file, &model, &found);
    }
    let propositions = atoms.iter().map(|(name, term)| (name.as_str(), *term));
    let system = found.to_system(&model.program, propositions);
    let open = if found.is_complete() { Cause::Imprecise } else { Cause::Bound };
    Ok(Surveyed { answers: answers(run, args, &system, asked, open)?, messages, open })
}

/// The properties that were given; their propositions are appended.
fn given(
    run: &Run,
    args: &VacuityArgs,
    model: &Model,
    atoms: &mut Vec<(String, Term)>,
) -> Vec<Result<Asked, Unread>> {
    let mut read = |(index, argument): (usize, &String)| {
        let property = PropertySource::new(argument);
        let read = property.read(&run.context, index + 1).and_then(|source| {
            let meaning = model
                .formula(&source)
                .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
            Ok((source, meaning))
        });
        let property = property.written();
        match read {
            Ok((source, meaning)) => {
                atoms.extend(meaning.atoms);
                let text = source.text().trim().to_owned();
                Ok(Asked { property, source, formula: meaning.formula, text })
            }
            Err(failure) => Err(Unread { property, failure }),
        }
    };
    args.properties.iter().enumerate().map(&mut read).collect()
}

/// The properties of the file, whose text their places are in; their propositions are appended.
fn of_the_file(
    model: &Model,
    source: &Source,
    atoms: &mut Vec<(String, Term)>,
) -> Result<Vec<Result<Asked, Unread>>, Failure> {
    if model.properties.is_empty() {
        return Err(Failure::Input(format!(
            "{} has no property; give a formula with -p, such as -p 'AG (x > 0 => AF x = 0)'",
            source.name()
        )));
    }
    let asked = model.properties.iter().enumerate().map(|(index, property)| {
        atoms.extend(property.meaning.atoms.clone());
        Ok(Asked {
            property: property.label.clone().unwrap_or_else(|| (index + 1).to_string()),
            source: source.clone(),
            formula: property.meaning.formula.clone(),
            text: property.formula_text(),
        })
    });
    Ok(asked.collect())
}
