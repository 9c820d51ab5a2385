//! χCTL by join-irreducible elements, on the ordinary symbolic checker.
//!
//! The relation of a proposition with values is a proposition of the system that depends on rigid variables; see
//! [`Irreducibles`]. The checker never looks at them, so the set of a formula without negation is the relation of its value: all
//! the classical checks, one for each join-irreducible element, at once. Negation is moved to the propositions, where it
//! is a complement and a permutation.

use super::irreducibles::Irreducibles;
use super::positive::positive;
use super::values::{LatticeError, Valuation, Values};
use crate::symbolic::SymbolicChecker;
use rustc_hash::FxHashMap;
use tertium_dd::{Bdd, Var};
use tertium_logic::{Formula, FormulaKind};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;
use tertium_truth::FiniteLattice;

/// A symbolic system whose propositions have values, coded on rigid variables.
#[derive(Debug)]
pub struct Coded<'l, L: FiniteLattice> {
    /// The system with relations for propositions: what a checker is made for.
    pub model: SymbolicModel,
    values: Values<'l, L>,
    irreducibles: Irreducibles<'l, L>,
    /// The proposition that is the negation of each given one; none without negation.
    negations: FxHashMap<String, String>,
}

impl<'l, L: FiniteLattice> Coded<'l, L> {
    /// The propositions are those of the system, true and false being top and bottom, and the given ones, which hide those of
    /// the same name.
    pub fn new(
        model: &SymbolicModel,
        values: Values<'l, L>,
        valuations: &[(String, Valuation<L::Element>)],
    ) -> Result<Self, StopReason> {
        let irreducibles = Irreducibles::new(values, &model.manager)?;
        let mut model = model.clone();
        let mut negations = FxHashMap::default();
        for (name, valuation) in valuations {
            let mut relation = model.manager.constant(false);
            for (set, value) in &valuation.parts {
                relation = relation.or(&set.and(&irreducibles.constant(value)?)?)?;
            }
            if let Some(negation) = irreducibles.negate(&relation)? {
                let taken = |name: &String| {
                    model.propositions.contains_key(name) || valuations.iter().any(|(other, _)| other == name)
                };
                let mut fresh = format!("¬{name}");
                while taken(&fresh) {
                    fresh.insert(0, '¬');
                }
                model.propositions.insert(fresh.clone(), negation);
                negations.insert(name.clone(), fresh);
            }
            model.propositions.insert(name.clone(), relation);
        }
        Ok(Self { model, values, irreducibles, negations })
    }

    /// The relation of the value of a formula, on the states that the checker looks at; it must be one of `model`.
    pub fn evaluate(
        &self,
        checker: &mut SymbolicChecker<'_>,
        formula: &Formula,
    ) -> Result<Bdd, LatticeError> {
        if self.values.negation().is_none() && has_negation(formula) {
            return Err(LatticeError::NoNegation);
        }
        let negated = |name: &str| match self.negations.get(name) {
            Some(negation) => Formula::proposition(negation.clone()),
            None => Formula::proposition(name).negated(),
        };
        Ok(checker.states_of(&positive(formula, true, &negated)?)?)
    }

    /// The coding of values.
    pub fn irreducibles(&self) -> &Irreducibles<'l, L> {
        &self.irreducibles
    }

    /// The value of a relation at a point.
    pub fn value(&self, relation: &Bdd, point: impl Fn(Var) -> bool) -> L::Element {
        self.irreducibles.value(relation, point)
    }

    /// The meet of the values of a relation over a set of states; top if it is empty.
    pub fn meet_over(&self, relation: &Bdd, set: &Bdd) -> Result<L::Element, StopReason> {
        self.irreducibles.meet_over(relation, set, self.model.relation.current())
    }
}

fn has_negation(formula: &Formula) -> bool {
    let negates = |kind: &FormulaKind| {
        matches!(kind, FormulaKind::Not(_) | FormulaKind::Implies(..) | FormulaKind::Iff(..))
    };
    formula.preorder().any(|part| negates(&part.kind))
}
