//! Ranks of a program seen through predicates.
//!
//! A rank is a number for each concrete state. It is given piece by piece: a term for a valuation of the control variables, perhaps only
//! where some predicates hold that are tracked there. So it has one term at each abstract state, or none: then nothing is known of it.

use crate::TriState;
use std::sync::Arc;
use tertium_expr::{Term, Value};
use tertium_program::{Precision, Program};
use tertium_system::RankedSteps;

/// A number for the concrete states of one control at which some predicates hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankPiece {
    /// The control variables.
    pub control: Box<[Value]>,
    /// Literals of predicates; none if it is the number for all states with this control.
    pub given: Vec<Term>,
    /// The number, over the variables of the program.
    pub term: Term,
}

/// A number for each concrete state of some abstract states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// The pieces. The first that fits counts.
    pub pieces: Vec<RankPiece>,
}

/// The ranks of an abstract system, and what its steps do to them.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The ranks.
    pub ranks: Vec<Rank>,
    /// What steps do to them, by number.
    pub steps: Arc<RankedSteps>,
}

impl Rank {
    /// The number at all concrete states of an abstract one.
    pub fn at(&self, program: &Program, precision: &Precision, state: &TriState) -> Option<Term> {
        let mut known = None;
        let fits = |piece: &&RankPiece| {
            piece.control == state.control
                && (piece.given.is_empty() || {
                    let known =
                        known.get_or_insert_with(|| state.literals(program, precision).collect::<Vec<_>>());
                    piece.given.iter().all(|literal| known.contains(literal))
                })
        };
        self.pieces.iter().find(fits).map(|piece| piece.term)
    }

    /// The terms, each once, in the order of the pieces.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for piece in &self.pieces {
            if !terms.contains(&piece.term) {
                terms.push(piece.term);
            }
        }
        terms
    }
}
