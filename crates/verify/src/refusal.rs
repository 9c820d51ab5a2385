//! Options that nobody takes are refused, in words that come from the tables.

use crate::engine::names_of;
use crate::model::is_made_for_diagrams;
use crate::{Engine, Engines, Halt, Model, Options, SymbolicOptions};

/// Refuses options that none of the chosen engines takes.
pub(crate) fn refuse(
    engines: &Engines,
    model: &dyn Model,
    chosen: &[Engine],
    options: &Options,
) -> Result<(), Halt> {
    let file = model.source().name();
    if options.states.is_some() && model.system().is_some_and(|offer| offer.is_given()) {
        return Err(Halt::Usage(format!("--states is about models, and {file} lists its states")));
    }
    for (flag, wanted) in &options.used {
        if chosen.iter().any(|engine| engine.takes.contains(wanted)) {
            continue;
        }
        let takes = |engine: &&Engine| engine.takes.contains(wanted);
        let able = names_of(engines.fitting(model).into_iter().filter(takes));
        return Err(Halt::Usage(match able.as_slice() {
            [] => {
                let any = names_of(engines.iter().filter(takes));
                format!("{flag} is for --engine {}, which does not take {file}", any.join(", "))
            }
            able => format!("{flag} is for --engine {}", able.join(", ")),
        }));
    }
    let semantics = options.semantics;
    if !chosen.iter().any(|engine| engine.semantics.contains(&semantics)) {
        let names: Vec<&str> = chosen.iter().map(|engine| engine.name).collect();
        return Err(Halt::Usage(format!(
            "--semantics {} is not for --engine {} on {file}",
            semantics.word(),
            names.join(", ")
        )));
    }
    Ok(())
}

/// Refuses bounds and options of diagrams that a question without a choice of engines does not take.
pub(crate) fn refuse_unused(model: &dyn Model, options: &Options) -> Result<(), Halt> {
    let is_symbolic = is_made_for_diagrams(model);
    if !is_symbolic && options.symbolic != SymbolicOptions::default() {
        return Err(Halt::Usage(
            "--nodes, --whole-model, --keep-order and --order are about the decision diagrams of .smv models"
                .to_owned(),
        ));
    }
    let is_searched = !is_symbolic && model.system().is_some_and(|offer| !offer.is_given());
    if options.states.is_some() && !is_searched {
        return Err(Halt::Usage("--states is about .gcl models".to_owned()));
    }
    Ok(())
}
