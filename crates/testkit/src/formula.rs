//! Random formulas: closed and monotone by construction.
//!
//! A variable is used only where it stands below an even number of negations inside its fixpoint, and not below an
//! equivalence; the generator keeps track of the signs on its way down.

use crate::system::letter;
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, Sign};
use tertium_support::Rng;

/// What random formulas look like.
#[derive(Clone, Debug)]
pub struct FormulaShape {
    /// The names of propositions; may be empty.
    pub propositions: Vec<String>,
    /// The action labels; if empty, modalities allow any action.
    pub actions: Vec<String>,
    /// How deep operators nest at most.
    pub depth: usize,
    /// How deep fixpoints nest at most, not counting those inside CTL and regular modalities.
    pub fixpoints: usize,
    /// Whether `!`, `=>` and `<=>` occur.
    pub negation: bool,
    /// Whether CTL operators occur.
    pub ctl: bool,
    /// Whether modalities hold sequences, choices and repetitions.
    pub regular: bool,
}

impl Default for FormulaShape {
    /// Everything occurs: three propositions, two actions.
    fn default() -> Self {
        Self {
            propositions: ["p", "q", "r"].map(String::from).to_vec(),
            actions: ["a", "b"].map(String::from).to_vec(),
            depth: 5,
            fixpoints: 3,
            negation: true,
            ctl: true,
            regular: true,
        }
    }
}

impl FormulaShape {
    /// Everything occurs, with as many propositions and actions as a random system has, and their names.
    pub fn over(propositions: usize, actions: usize) -> Self {
        Self {
            propositions: (0..propositions).map(|index| letter('p', index)).collect(),
            actions: (0..actions).map(|index| letter('a', index)).collect(),
            ..Self::default()
        }
    }
}

/// A random closed, monotone formula of this shape.
pub fn random_formula(rng: &mut Rng, shape: &FormulaShape) -> Formula {
    Generator { rng, shape, scope: Vec::new() }.formula(shape.depth, true)
}

struct Generator<'a> {
    rng: &'a mut Rng,
    shape: &'a FormulaShape,
    /// The variables around, each with the sign under which it may be used.
    scope: Vec<(String, bool)>,
}

impl Generator<'_> {
    fn formula(&mut self, depth: usize, positive: bool) -> Formula {
        if depth == 0 || self.rng.chance(0.1) {
            return self.atom(positive);
        }
        let below = depth - 1;
        // Few, so that formulas with unused binders are rare: as long as fixpoints are possible, they are likely.
        if self.scope.len() < self.shape.fixpoints && self.rng.chance(0.35) {
            return self.fixpoint(below, positive);
        }
        match self.rng.below(12) {
            0 if self.shape.negation => self.formula(below, !positive).negated(),
            1 if self.shape.negation => {
                let left = Box::new(self.formula(below, !positive));
                FormulaKind::Implies(left, Box::new(self.formula(below, positive))).into()
            }
            2 if self.shape.negation => {
                let scope = std::mem::take(&mut self.scope);
                let left = Box::new(self.formula(below.min(2), true));
                let right = Box::new(self.formula(below.min(2), true));
                self.scope = scope;
                FormulaKind::Iff(left, right).into()
            }
            3 | 4 if self.shape.ctl => self.path(below, positive),
            5 | 6 => FormulaKind::And(self.formulas(below, positive)).into(),
            7 | 8 => FormulaKind::Or(self.formulas(below, positive)).into(),
            _ => {
                let regular = self.regular(2);
                let quantifier = self.quantifier();
                FormulaKind::Modal(quantifier, regular, Box::new(self.formula(below, positive))).into()
            }
        }
    }

    fn formulas(&mut self, depth: usize, positive: bool) -> Vec<Formula> {
        let n = self.rng.between(2, 3);
        (0..n).map(|_| self.formula(depth, positive)).collect()
    }

    fn fixpoint(&mut self, depth: usize, positive: bool) -> Formula {
        let sign = if self.rng.chance(0.5) { Sign::Least } else { Sign::Greatest };
        // A small stock of names, so that inner binders sometimes hide outer ones.
        let name = self.rng.pick(&["X", "Y", "Z"]).to_string();
        self.scope.push((name.clone(), positive));
        let body = self.formula(depth, positive);
        self.scope.pop();
        Formula::fixpoint(sign, name, body)
    }

    fn path(&mut self, depth: usize, positive: bool) -> Formula {
        let operator = self.rng.below(6);
        let mut operand = || Box::new(self.formula(depth, positive));
        let operator = match operator {
            0 => PathOperator::Next(operand()),
            1 => PathOperator::Finally(operand()),
            2 => PathOperator::Globally(operand()),
            3 => PathOperator::Until(operand(), operand()),
            4 => PathOperator::WeakUntil(operand(), operand()),
            _ => PathOperator::Release(operand(), operand()),
        };
        FormulaKind::Path(self.quantifier(), operator).into()
    }

    fn quantifier(&mut self) -> PathQuantifier {
        if self.rng.chance(0.5) { PathQuantifier::Some } else { PathQuantifier::All }
    }

    /// Variables are preferred: they make fixpoints depend on each other.
    fn atom(&mut self, positive: bool) -> Formula {
        let usable: Vec<String> = self.usable(positive);
        if !usable.is_empty() && self.rng.chance(0.6) {
            return Formula::variable(self.rng.pick(&usable).clone());
        }
        if self.shape.propositions.is_empty() || self.rng.chance(0.1) {
            let constant = if self.rng.chance(0.5) { FormulaKind::True } else { FormulaKind::False };
            return constant.into();
        }
        Formula::proposition(self.rng.pick(&self.shape.propositions).clone())
    }

    /// The names whose innermost binder allows this sign.
    fn usable(&self, positive: bool) -> Vec<String> {
        let innermost = |at: usize, name: &str| self.scope[at + 1..].iter().all(|(other, _)| other != name);
        self.scope
            .iter()
            .enumerate()
            .filter(|(at, (name, sign))| *sign == positive && innermost(*at, name))
            .map(|(_, (name, _))| name.clone())
            .collect()
    }

    fn regular(&mut self, depth: usize) -> Regular {
        if depth == 0 || !self.shape.regular || self.rng.chance(0.5) {
            return Regular::Step(self.actions(2));
        }
        let below = depth - 1;
        match self.rng.below(4) {
            0 => Regular::Sequence(vec![self.regular(below), self.regular(below)]),
            1 => Regular::Choice(vec![self.regular(below), self.regular(below)]),
            2 => Regular::Star(Box::new(self.regular(below))),
            _ => Regular::Plus(Box::new(self.regular(below))),
        }
    }

    fn actions(&mut self, depth: usize) -> ActionFormula {
        if self.shape.actions.is_empty() {
            return ActionFormula::True;
        }
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 6 } else { 9 }) {
            0 => ActionFormula::True,
            1 if self.rng.chance(0.3) => ActionFormula::False,
            6 => ActionFormula::Not(Box::new(self.actions(below))),
            7 => ActionFormula::And(vec![self.actions(below), self.actions(below)]),
            8 => ActionFormula::Or(vec![self.actions(below), self.actions(below)]),
            _ => ActionFormula::action(self.rng.pick(&self.shape.actions).clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases;
    use tertium_logic::{FormulaGraph, check_well_formed};

    #[test]
    fn random_formulas_are_well_formed_and_reach_every_alternation_depth() {
        let mut seen = [0; 4];
        let run = random_cases(500, |rng| {
            let formula = random_formula(rng, &FormulaShape::default());
            assert_eq!(check_well_formed(&formula), Ok(()), "{formula}");
            seen[FormulaGraph::new(&formula).alternation_depth().min(3)] += 1;
        });
        run.enough(seen.iter().all(|&n| n > 0), format_args!("{seen:?}"));
    }
}
