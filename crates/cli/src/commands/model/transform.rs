//! Commands that make another system: minimise, monotone, convert, abstract.

use crate::args::FamilyArg;
use crate::failure::Failure;
use crate::input::{read_text, shown};
use crate::run::Run;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tertium_system::PartialSystem;
use tertium_system::format::read_relation;
use tertium_system::partial::{gtom, monotone_closure, mtok};
use tertium_system::relation::{
    Equivalence, Side, abstract_by, labels_to_actions, minimise, transitions_to_labels,
};

/// What is done to the system.
#[derive(Debug)]
pub(crate) enum Transform {
    /// Nothing: only the format changes.
    None,
    /// Equivalent states are merged.
    Minimise(Equivalence),
    /// The monotone closure.
    Monotone,
    /// A system of another family that means the same.
    Family(FamilyArg),
    /// The abstraction along the relation in this file.
    Abstract(PathBuf),
}

impl Transform {
    /// The file that it reads.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Abstract(relation) => Some(relation),
            Self::None | Self::Minimise(_) | Self::Monotone | Self::Family(_) => None,
        }
    }

    /// Makes the other system.
    pub(crate) fn apply(
        &self,
        run: &Run,
        file: &Path,
        system: Arc<PartialSystem>,
    ) -> Result<Arc<PartialSystem>, Failure> {
        let refused = |error| super::refused(file, &system, &error);
        match self {
            Self::None => Ok(system),
            Self::Minimise(by) => {
                let quotient = minimise(&run.context, &system, *by)?.system;
                run.output.message(&format!(
                    "{} states, before {}\n",
                    quotient.n_states(),
                    system.n_states()
                ));
                Ok(Arc::new(quotient))
            }
            Self::Monotone => monotone_closure(&system).map(Arc::new).map_err(refused),
            Self::Family(FamilyArg::Mixts) => gtom(&system).map(Arc::new).map_err(refused),
            Self::Family(FamilyArg::Kmts) => mtok(&system).map(Arc::new).map_err(refused),
            Self::Family(FamilyArg::Mts) => {
                let made = labels_to_actions(&system);
                for (proposition, action) in &made.observations {
                    run.output.message(&format!("proposition `{proposition}` became <{action}>true\n"));
                }
                Ok(Arc::new(made.system))
            }
            Self::Family(FamilyArg::Pks) => {
                let made = transitions_to_labels(&system);
                for (action, proposition) in &made.existence {
                    run.output.message(&format!("<{action}>f became <>({proposition} && []f)\n"));
                }
                Ok(Arc::new(made.system))
            }
            Self::Abstract(path) => abstraction(run, path, &system).map(Arc::new),
        }
    }
}

fn abstraction(run: &Run, path: &Path, system: &PartialSystem) -> Result<PartialSystem, Failure> {
    let source = read_text(&run.context, path)?;
    let read = read_relation(&source, system);
    let (names, relation) = read.map_err(|faults| Failure::Faulty(Box::new(source), faults))?;
    abstract_by(system, &names, &relation).map_err(|missing| {
        let state = match missing.side {
            Side::Left => system.state_name(missing.state).into_owned(),
            Side::Right => names[tertium_support::Id::index(missing.state)].clone(),
        };
        Failure::Input(format!(
            "{}: the relation is not total: `{state}` is in no pair, and every state needs one",
            shown(path)
        ))
    })
}
