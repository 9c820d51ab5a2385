//! The closed list of what can support an answer.
//!
//! A kind is added here, in its validator and in the report, and nowhere else.

use crate::{Blocking, Claim, Strategy, Summaries, Trace};
use tertium_system::{ActionId, StateId};

/// What supports an answer.
#[derive(Clone, Debug)]
pub enum Evidence<S = StateId, L = ActionId> {
    /// A path or a lasso that decides the property by itself.
    Trace(Trace<S, L>),
    /// A claim about an initial state, with the paths that show it.
    Tree(Claim<S, L>),
    /// A strategy for the formula at all initial states.
    Proof(Strategy<S, L>),
    /// A strategy for the negation at one initial state.
    Refutation(Strategy<S, L>),
    /// Both a proof and a refutation at one initial state: the system contradicts itself.
    Contradiction {
        /// The proof.
        proof: Strategy<S, L>,
        /// The refutation.
        refutation: Strategy<S, L>,
    },
    /// A set that contains all initial states, that no step leaves, and that lies within what is claimed: conditions that
    /// hold together, in the user's names.
    Invariant(Vec<String>),
    /// Such a set as a decision diagram, which has no short text.
    InductiveSet {
        /// How many nodes the diagram has.
        nodes: usize,
    },
    /// What procedures do, and what holds at places: no step and no call leads out of it.
    Summaries(Summaries),
    /// The only run that a program without inputs has, from beginning to end.
    WholeRun {
        /// How many instructions it has.
        instructions: u64,
    },
    /// All refinements were enumerated, this many.
    Enumeration {
        /// How many there are.
        refinements: u64,
    },
    /// What leaves the answer open. The system it speaks of has numbered states.
    Open(Blocking),
}

impl<S, L> Evidence<S, L> {
    /// A short word for the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Trace(trace) if trace.loop_start.is_some() => "lasso",
            Self::Trace(_) => "path",
            Self::Tree(_) => "tree of claims",
            Self::Proof(_) => "proof",
            Self::Refutation(_) => "refutation",
            Self::Contradiction { .. } => "contradiction",
            Self::Invariant(_) => "invariant",
            Self::InductiveSet { .. } => "inductive set",
            Self::Summaries(_) => "summaries",
            Self::WholeRun { .. } => "whole run",
            Self::Enumeration { .. } => "enumeration",
            Self::Open(_) => "open step or label",
        }
    }

    /// A path or a tree with other states and labels; the first failure ends it. What else there is needs no translation, or has
    /// none: `None`.
    pub fn try_map<T, M, E>(
        self,
        state: &mut impl FnMut(S) -> Result<T, E>,
        step: &mut impl FnMut(L) -> Result<M, E>,
    ) -> Result<Option<Evidence<T, M>>, E> {
        Ok(match self {
            Self::Trace(trace) => Some(Evidence::Trace(trace.try_map(state, step)?)),
            Self::Tree(claim) => Some(Evidence::Tree(claim.try_map(state, step)?)),
            Self::Invariant(conditions) => Some(Evidence::Invariant(conditions)),
            Self::InductiveSet { nodes } => Some(Evidence::InductiveSet { nodes }),
            Self::Summaries(summaries) => Some(Evidence::Summaries(summaries)),
            Self::WholeRun { instructions } => Some(Evidence::WholeRun { instructions }),
            Self::Enumeration { refinements } => Some(Evidence::Enumeration { refinements }),
            Self::Proof(_) | Self::Refutation(_) | Self::Contradiction { .. } | Self::Open(_) => None,
        })
    }
}
