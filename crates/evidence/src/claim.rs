//! Trees of claims: a formula that holds at a state, and what shows it.
//!
//! Claims are in the form of [`tertium_logic::as_claim`]: no negation but of propositions, equivalences and fixpoints. So where `AG p`
//! fails, the claim is `EF !p`, and a path shows it. No single path shows a claim about all paths; such claims are only stated.

use crate::Trace;
use tertium_logic::Formula;
use tertium_system::{ActionId, StateId};

/// A claim about a state, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<S = StateId, L = ActionId> {
    /// What is claimed.
    pub formula: Formula,
    /// The state where it holds.
    pub state: S,
    /// What shows it.
    pub support: Support<S, L>,
}

/// What shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support<S = StateId, L = ActionId> {
    /// The state itself.
    Here,
    /// Claims about the same state that together imply it.
    Parts(Vec<Claim<S, L>>),
    /// A path from the state.
    Path {
        /// The path.
        trace: Trace<S, L>,
        /// Claims about states of the path, by their numbers.
        at: Vec<(usize, Claim<S, L>)>,
    },
    /// It was computed: it speaks of all paths, or is a fixpoint, and no single path shows it.
    AllPaths,
    /// It was computed: the tree is large enough already.
    Omitted,
}

impl<S, L> Claim<S, L> {
    /// Whether a path is shown here or in a part.
    pub fn has_path(&self) -> bool {
        match &self.support {
            Support::Path { .. } => true,
            Support::Parts(parts) => parts.iter().any(Self::has_path),
            Support::Here | Support::AllPaths | Support::Omitted => false,
        }
    }

    /// How many claims there are in the tree.
    pub fn n_claims(&self) -> usize {
        1 + match &self.support {
            Support::Parts(parts) => parts.iter().map(Self::n_claims).sum(),
            Support::Path { at, .. } => at.iter().map(|(_, claim)| claim.n_claims()).sum(),
            Support::Here | Support::AllPaths | Support::Omitted => 0,
        }
    }

    /// The same tree with other states and labels; the first failure ends it.
    pub fn try_map<T, M, E>(
        self,
        state: &mut impl FnMut(S) -> Result<T, E>,
        step: &mut impl FnMut(L) -> Result<M, E>,
    ) -> Result<Claim<T, M>, E> {
        let support = match self.support {
            Support::Here => Support::Here,
            Support::AllPaths => Support::AllPaths,
            Support::Omitted => Support::Omitted,
            Support::Parts(parts) => {
                let parts = parts.into_iter().map(|part| part.try_map(state, step));
                Support::Parts(parts.collect::<Result<_, E>>()?)
            }
            Support::Path { trace, at } => {
                let trace = trace.try_map(state, step)?;
                let at = at.into_iter().map(|(place, claim)| Ok((place, claim.try_map(state, step)?)));
                Support::Path { trace, at: at.collect::<Result<_, E>>()? }
            }
        };
        Ok(Claim { formula: self.formula, state: state(self.state)?, support })
    }
}
