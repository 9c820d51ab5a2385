//! What states are called.

use crate::StateId;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};
use tertium_support::{Id, Interner};

/// Makes the names of states when they are asked for. No two states have the same.
pub trait NameStates: Debug + Send + Sync {
    /// How many states there are.
    fn n_states(&self) -> usize;

    /// The name of a state.
    fn name(&self, state: StateId) -> String;
}

/// Names that are made when they are asked for.
#[derive(Debug)]
pub struct ComputedNames {
    names: Arc<dyn NameStates>,
    /// All of them, once a state was looked for by its name.
    listed: OnceLock<Interner<StateId>>,
}

impl ComputedNames {
    /// The name of a state.
    pub fn name(&self, state: StateId) -> String {
        self.names.name(state)
    }

    /// All names, each made and kept.
    pub(crate) fn listed(&self) -> &Interner<StateId> {
        self.listed
            .get_or_init(|| StateId::first(self.names.n_states()).map(|state| self.name(state)).collect())
    }
}

/// What states are called.
#[derive(Clone, Debug)]
pub enum StateNames {
    /// By their number, from 0.
    Numbered,
    /// By these names.
    Named(Interner<StateId>),
    /// By names that are made when they are asked for: so many states need no room for them.
    Computed(Arc<ComputedNames>),
}

impl StateNames {
    /// Names that are made when they are asked for.
    pub fn computed(names: Arc<dyn NameStates>) -> Self {
        Self::Computed(Arc::new(ComputedNames { names, listed: OnceLock::new() }))
    }

    /// The same names, none of them computed.
    pub(crate) fn listed(&self) -> Self {
        match self {
            Self::Computed(names) => Self::Named(names.listed().clone()),
            other => other.clone(),
        }
    }
}

/// Names are equal however they are made.
impl PartialEq for StateNames {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbered, Self::Numbered) => true,
            (Self::Numbered, _) | (_, Self::Numbered) => false,
            (Self::Named(left), Self::Named(right)) => left == right,
            (Self::Computed(left), Self::Computed(right)) => left.listed() == right.listed(),
            (Self::Computed(left), Self::Named(right)) | (Self::Named(right), Self::Computed(left)) => {
                left.listed() == right
            }
        }
    }
}

impl Eq for StateNames {}
