//! χCTL state by state: a vector of values, and the equations read off.
//!
//! Cost: |S| + 1 rounds for each fixpoint, each with one lattice operation for every step; squared for `EG` with justice.

use super::semantics::{Functions, Steps, evaluate};
use super::values::{LatticeError, Values};
use std::collections::BTreeMap;
use tertium_logic::Formula;
use tertium_support::{Context, Id, StopReason};
use tertium_system::StateId;
use tertium_testkit::lattice::FiniteLattice;

/// States, steps with justice, and propositions with values E. Not necessarily total.
#[derive(Clone, Debug)]
pub(crate) struct KripkeStructure<E> {
    n_states: usize,
    n_justice: usize,
    steps: Vec<Step>,
    propositions: BTreeMap<String, Vec<E>>,
}

#[derive(Clone, Debug)]
struct Step {
    from: StateId,
    to: StateId,
    /// The justice constraints that it satisfies.
    justice: Vec<usize>,
}

impl<E: Clone> KripkeStructure<E> {
    /// This many states, no steps yet, and this many justice constraints.
    pub(crate) fn new(n_states: usize, n_justice: usize) -> Self {
        Self { n_states, n_justice, steps: Vec::new(), propositions: BTreeMap::new() }
    }

    /// How many states there are.
    pub(crate) fn n_states(&self) -> usize {
        self.n_states
    }

    /// Adds a step that satisfies these justice constraints. A constraint on states is one that all steps from them satisfy.
    pub(crate) fn add_step(&mut self, from: StateId, to: StateId, justice: impl IntoIterator<Item = usize>) {
        assert!(from.index().max(to.index()) < self.n_states, "steps lead from states to states");
        let justice: Vec<usize> = justice.into_iter().collect();
        assert!(justice.iter().all(|&constraint| constraint < self.n_justice), "the constraint exists");
        self.steps.push(Step { from, to, justice });
    }

    /// Adds a proposition, or replaces the one of that name. A lattice constant is one that has the same value everywhere.
    pub(crate) fn set_proposition(&mut self, name: impl Into<String>, value: impl FnMut(StateId) -> E) {
        self.propositions.insert(name.into(), StateId::first(self.n_states).map(value).collect());
    }
}

/// The value of a formula at each state.
pub(crate) fn evaluate_explicitly<L: FiniteLattice>(
    context: &Context,
    values: Values<'_, L>,
    structure: &KripkeStructure<L::Element>,
    formula: &Formula,
) -> Result<Vec<L::Element>, LatticeError> {
    evaluate(context, values, &mut Vectors(structure), formula)
}

struct Vectors<'a, E>(&'a KripkeStructure<E>);

impl<E: Clone + PartialEq> Functions<E> for Vectors<'_, E> {
    type Function = Vec<E>;

    fn n_justice(&self) -> usize {
        self.0.n_justice
    }

    fn constant(&mut self, value: E) -> Vec<E> {
        vec![value; self.0.n_states]
    }

    fn proposition(&mut self, name: &str) -> Result<Vec<E>, LatticeError> {
        let known = self.0.propositions.get(name).cloned();
        known.ok_or_else(|| LatticeError::UnknownProposition(name.to_owned()))
    }

    fn map(&mut self, f: &Vec<E>, op: &mut dyn FnMut(&E) -> E) -> Result<Vec<E>, StopReason> {
        Ok(f.iter().map(op).collect())
    }

    fn combine(
        &mut self,
        f: &Vec<E>,
        g: &Vec<E>,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Vec<E>, StopReason> {
        Ok(f.iter().zip(g).map(|(a, b)| op(a, b)).collect())
    }

    fn before(
        &mut self,
        steps: Steps,
        f: &Vec<E>,
        none: E,
        op: &mut dyn FnMut(&E, &E) -> E,
    ) -> Result<Vec<E>, StopReason> {
        let mut before = self.constant(none);
        for step in &self.0.steps {
            let counts = match steps {
                Steps::All => true,
                Steps::Of(constraint) => step.justice.contains(&constraint),
            };
            if counts {
                let from = step.from.index();
                before[from] = op(&before[from], &f[step.to.index()]);
            }
        }
        Ok(before)
    }
}

mod tests {
    use super::*;
    use tertium_logic::{FormulaKind, PathOperator, PathQuantifier};
    use tertium_testkit::lattice::{Chain, KleeneTruth};
    use tertium_truth::Kleene;

    fn path(
        quantifier: PathQuantifier,
        operator: fn(Box<Formula>) -> PathOperator,
        body: Formula,
    ) -> Formula {
        FormulaKind::Path(quantifier, operator(Box::new(body))).into()
    }

    #[test]
    fn the_best_value_on_a_path_is_that_of_ef_and_the_worst_that_of_ag() {
        // 0 -> 1 -> 2, and 2 has no steps.
        let mut structure = KripkeStructure::new(3, 0);
        structure.add_step(StateId::new(0), StateId::new(1), []);
        structure.add_step(StateId::new(1), StateId::new(2), []);
        structure.set_proposition("u", |state| [1, 4, 2][state.index()]);
        let lattice = Chain::new(5);
        let value = |quantifier, operator| {
            let formula = path(quantifier, operator, Formula::proposition("u"));
            evaluate_explicitly(&Context::default(), Values::positive(&lattice), &structure, &formula)
        };
        assert_eq!(value(PathQuantifier::Some, PathOperator::Finally), Ok(vec![4, 4, 2]));
        assert_eq!(value(PathQuantifier::All, PathOperator::Globally), Ok(vec![1, 2, 2]));
        // Finite paths do not count, and without a step nothing falsifies `AX`.
        assert_eq!(value(PathQuantifier::Some, PathOperator::Globally), Ok(vec![0, 0, 0]));
        assert_eq!(value(PathQuantifier::All, PathOperator::Finally), Ok(vec![4, 4, 4]));
        assert_eq!(value(PathQuantifier::All, PathOperator::Next), Ok(vec![4, 2, 4]));
    }

    #[test]
    fn justice_leaves_only_fair_paths() {
        // 0 loops, or goes to 1, which loops; only the second loop is just.
        let mut structure = KripkeStructure::new(2, 1);
        structure.add_step(StateId::new(0), StateId::new(0), []);
        structure.add_step(StateId::new(0), StateId::new(1), []);
        structure.add_step(StateId::new(1), StateId::new(1), [0]);
        structure.set_proposition("u", |state| [Kleene::True, Kleene::Unknown][state.index()]);
        let formula = path(PathQuantifier::Some, PathOperator::Globally, Formula::proposition("u"));
        let values = Values::with_negation(&KleeneTruth);
        let value = evaluate_explicitly(&Context::default(), values, &structure, &formula);
        assert_eq!(value, Ok(vec![Kleene::Unknown; 2]));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let mut structure = KripkeStructure::new(1, 0);
        structure.set_proposition("u", |_| 1);
        let lattice = Chain::new(3);
        let value = |formula: Formula| {
            evaluate_explicitly(&Context::default(), Values::positive(&lattice), &structure, &formula)
        };
        assert_eq!(value(Formula::proposition("u").negated()), Err(LatticeError::NoNegation));
        assert_eq!(value(Formula::proposition("v")), Err(LatticeError::UnknownProposition("v".into())));
        assert_eq!(value(Formula::variable("X")), Err(LatticeError::NotCtl));
    }
}
