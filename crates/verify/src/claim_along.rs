//! A single run as a tree of claims: what a formula says of some paths is read along this one.
//!
//! Every part of the claim gets a value at every state of the run. It is true if the run shows it there, false if it does not, and
//! unknown where a run can show nothing: for claims about all paths, and for what has to go on for ever where the run ends. The one
//! claim about all paths that can be seen is that the run ends where there is no step. Cost: the size of the claim times the length of
//! the run; a loop is passed twice.

use tertium_evidence::{Claim, Support, Trace};
use tertium_logic::{
    ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, as_claim, is_boolean,
};
use tertium_truth::Kleene;

/// A claim with its values along a run, and its parts.
pub(crate) struct Along<'r, S, L> {
    run: &'r Trace<S, L>,
    claim: Formula,
    /// By state of the run.
    values: Vec<Kleene>,
    /// For an equivalence: both sides as true and as false.
    parts: Vec<Along<'r, S, L>>,
}

/// What is known about the states of a run.
pub(crate) struct Facts<'f> {
    /// Whether a formula about one state holds at a state of the run.
    pub(crate) holds: &'f dyn Fn(&Formula, usize) -> bool,
    /// Whether no step leads on from the last state.
    pub(crate) is_stuck: bool,
}

impl<'r, S: Clone, L: Clone> Along<'r, S, L> {
    /// Reads a claim along a run.
    pub(crate) fn new(claim: &Formula, run: &'r Trace<S, L>, facts: &Facts<'_>) -> Self {
        debug_assert!(run.is_well_formed());
        let parts: Vec<Self> = parts(claim).iter().map(|part| Self::new(part, run, facts)).collect();
        let mut own = Self { run, claim: claim.clone(), values: Vec::new(), parts };
        own.values = own.evaluate(facts);
        debug_assert_eq!(own.values.len(), run.states.len());
        own
    }

    /// Whether the run shows the claim.
    pub(crate) fn value(&self) -> Kleene {
        self.values[0]
    }

    /// The tree that shows the claim, which must be true.
    pub(crate) fn tree(&self) -> Claim<S, L> {
        self.at(0)
    }

    fn evaluate(&self, facts: &Facts<'_>) -> Vec<Kleene> {
        let n = self.run.states.len();
        let each = |value: &dyn Fn(usize) -> Kleene| (0..n).map(value).collect();
        let value = |part: usize, at: usize| self.parts[part].values[at];
        if is_boolean(&self.claim) {
            let kleene = |holds| if holds { Kleene::True } else { Kleene::False };
            return each(&|at| kleene((facts.holds)(&self.claim, at)));
        }
        match &self.claim.kind {
            FormulaKind::And(parts) => {
                each(&|at| (0..parts.len()).fold(Kleene::True, |all, part| all.and(value(part, at))))
            }
            FormulaKind::Or(parts) => {
                each(&|at| (0..parts.len()).fold(Kleene::False, |some, part| some.or(value(part, at))))
            }
            FormulaKind::Iff(..) | FormulaKind::Not(_) if self.parts.len() == 4 => {
                let [one, other] = self.pairs();
                let pair = |(f, g): (usize, usize), at| value(f, at).and(value(g, at));
                each(&|at| pair(one, at).or(pair(other, at)))
            }
            _ if is_end(&self.claim) => each(&|at| match self.next(at) {
                None if facts.is_stuck => Kleene::True,
                _ => Kleene::False,
            }),
            FormulaKind::Modal(PathQuantifier::Some, Regular::Step(ActionFormula::True), _)
            | FormulaKind::Path(PathQuantifier::Some, PathOperator::Next(_)) => {
                each(&|at| self.next(at).map_or(Kleene::False, |next| value(0, next)))
            }
            FormulaKind::Path(PathQuantifier::Some, operator) => match operator {
                PathOperator::Finally(_) => self.least(|at, next| value(0, at).or(next)),
                PathOperator::Until(..) => self.least(|at, next| value(1, at).or(value(0, at).and(next))),
                PathOperator::Globally(_) => self.greatest(|at, next| value(0, at).and(next)),
                PathOperator::WeakUntil(..) => {
                    self.greatest(|at, next| value(1, at).or(value(0, at).and(next)))
                }
                PathOperator::Release(..) => {
                    self.greatest(|at, next| value(1, at).and(value(0, at).or(next)))
                }
                PathOperator::Next(_) => unreachable!("it is above"),
            },
            _ => vec![Kleene::Unknown; n],
        }
    }

    /// The state after one, if the run goes on.
    fn next(&self, at: usize) -> Option<usize> {
        (at < self.run.steps.len()).then(|| self.run.target(at))
    }

    /// The least solution of equations in the value at the next state; what is to come does not come behind the end.
    fn least(&self, rule: impl Fn(usize, Kleene) -> Kleene) -> Vec<Kleene> {
        self.solve(Kleene::False, Kleene::False, rule)
    }

    /// The greatest solution; what lasts may last behind the end.
    fn greatest(&self, rule: impl Fn(usize, Kleene) -> Kleene) -> Vec<Kleene> {
        self.solve(Kleene::True, Kleene::Unknown, rule)
    }

    fn solve(&self, from: Kleene, end: Kleene, rule: impl Fn(usize, Kleene) -> Kleene) -> Vec<Kleene> {
        let mut values = vec![from; self.run.states.len()];
        loop {
            let before = values.clone();
            for at in (0..values.len()).rev() {
                values[at] = rule(at, self.next(at).map_or(end, |next| values[next]));
            }
            if values == before {
                return values;
            }
        }
    }

    /// The two pairs of parts of an equivalence, or of its negation, of which one has to be shown.
    fn pairs(&self) -> [(usize, usize); 2] {
        match &self.claim.kind {
            FormulaKind::Iff(..) => [(0, 2), (1, 3)],
            _ => [(0, 3), (1, 2)],
        }
    }

    fn is_true(&self, part: usize, at: usize) -> bool {
        self.parts[part].values[at] == Kleene::True
    }

    /// The claim at a state where it is true.
    fn at(&self, place: usize) -> Claim<S, L> {
        debug_assert_eq!(self.values[place], Kleene::True, "only what is true is shown");
        let state = self.run.states[place].clone();
        let part = |part: usize| self.parts[part].at(place);
        let support = match &self.claim.kind {
            _ if is_boolean(&self.claim) => Support::Here,
            _ if is_end(&self.claim) => Support::AllPaths,
            FormulaKind::And(parts) => Support::Parts((0..parts.len()).map(part).collect()),
            FormulaKind::Or(parts) => {
                let shown = (0..parts.len()).find(|&part| self.is_true(part, place));
                Support::Parts(shown.map(part).into_iter().collect())
            }
            FormulaKind::Modal(..) | FormulaKind::Path(..) => self.path(place),
            _ => {
                let shown = self.pairs().into_iter();
                let shown = shown.filter(|&(f, g)| self.is_true(f, place) && self.is_true(g, place));
                Support::Parts(shown.take(1).flat_map(|(f, g)| [part(f), part(g)]).collect())
            }
        };
        Claim { formula: self.claim.clone(), state, support }
    }

    /// The part of the run that shows a claim about some path.
    fn path(&self, place: usize) -> Support<S, L> {
        let walk = |goal: &dyn Fn(usize) -> bool| {
            let mut places = vec![place];
            // Whoever passes every state once has seen all.
            while places.len() <= 2 * self.run.states.len() {
                let last = places[places.len() - 1];
                if goal(last) {
                    return Some(places);
                }
                places.push(self.next(last)?);
            }
            None
        };
        let both = |at: usize| self.is_true(0, at) && self.is_true(1, at);
        let (places, along, last): (Option<Vec<usize>>, Option<usize>, Vec<usize>) = match &self.claim.kind {
            FormulaKind::Path(_, operator) => match operator {
                PathOperator::Next(_) => (self.next(place).map(|next| vec![place, next]), None, vec![0]),
                PathOperator::Finally(_) => (walk(&|at| self.is_true(0, at)), None, vec![0]),
                PathOperator::Globally(_) => (None, Some(0), Vec::new()),
                PathOperator::Until(..) | PathOperator::WeakUntil(..) => {
                    (walk(&|at| self.is_true(1, at)), Some(0), vec![1])
                }
                PathOperator::Release(..) => (walk(&both), Some(1), vec![0, 1]),
            },
            _ => (self.next(place).map(|next| vec![place, next]), None, vec![0]),
        };
        let (places, loop_start, ends) = match places {
            Some(places) => (places, None, true),
            None => {
                let (places, start) = self.lasso(place);
                (places, Some(start), false)
            }
        };
        let mut at = Vec::new();
        for (n, &there) in places.iter().enumerate() {
            let is_last = ends && n + 1 == places.len();
            let shown = if is_last { last.as_slice() } else { along.as_slice() };
            let claims = shown.iter().map(|&part| &self.parts[part]);
            at.extend(claims.filter(|part| !is_boolean(&part.claim)).map(|part| (n, part.at(there))));
        }
        let n_steps = if ends { places.len() - 1 } else { places.len() };
        let trace = Trace {
            states: places.iter().map(|&at| self.run.states[at].clone()).collect(),
            steps: places[..n_steps].iter().map(|&at| self.run.steps[at].clone()).collect(),
            loop_start,
        };
        debug_assert!(trace.is_well_formed());
        Support::Path { trace, at }
    }

    /// The states from one on, and where among them the loop begins.
    fn lasso(&self, place: usize) -> (Vec<usize>, usize) {
        let (n, start) =
            (self.run.states.len(), self.run.loop_start.expect("what lasts is true on loops only"));
        if place <= start {
            ((place..n).collect(), start - place)
        } else {
            ((place..n).chain(start..place).collect(), 0)
        }
    }
}

/// The claims that a claim is made of.
fn parts(claim: &Formula) -> Vec<Formula> {
    let both = |f: &Formula, g: &Formula| {
        [(f, true), (f, false), (g, true), (g, false)].map(|(side, holds)| as_claim(side, holds)).to_vec()
    };
    match &claim.kind {
        _ if is_boolean(claim) => Vec::new(),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.clone(),
        FormulaKind::Iff(f, g) => both(f, g),
        FormulaKind::Not(inner) => match &inner.kind {
            FormulaKind::Iff(f, g) => both(f, g),
            _ => Vec::new(),
        },
        FormulaKind::Modal(_, _, f) => vec![(**f).clone()],
        FormulaKind::Path(_, operator) => match operator {
            PathOperator::Next(f) | PathOperator::Finally(f) | PathOperator::Globally(f) => {
                vec![(**f).clone()]
            }
            PathOperator::Until(f, g) | PathOperator::WeakUntil(f, g) | PathOperator::Release(f, g) => {
                vec![(**f).clone(), (**g).clone()]
            }
        },
        _ => Vec::new(),
    }
}

/// Whether a claim says that there is no step.
pub(crate) fn is_end(claim: &Formula) -> bool {
    match &claim.kind {
        FormulaKind::Modal(PathQuantifier::All, Regular::Step(ActionFormula::True), f)
        | FormulaKind::Path(PathQuantifier::All, PathOperator::Next(f)) => f.kind == FormulaKind::False,
        _ => false,
    }
}

/// Whether a claim says somewhere that there is no step.
pub(crate) fn speaks_of_ends(claim: &Formula) -> bool {
    is_end(claim) || parts(claim).iter().any(speaks_of_ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_evidence::{Concrete, check_claim, value_of};
    use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary, holds_on_lasso};
    use tertium_support::Rng;
    use tertium_testkit::{FormulaShape, random_cases, random_formula};

    /// A graph whose edges are those of one run; `p` and `q` hold by the bits of the states.
    struct Graph(Vec<(u8, u8)>);

    impl Concrete<u8, ()> for Graph {
        fn is_initial(&self, _: &u8) -> bool {
            true
        }
        fn is_step(&self, from: &u8, (): &(), to: &u8) -> bool {
            self.0.contains(&(*from, *to))
        }
        fn holds(&self, proposition: &str, state: &u8) -> Option<bool> {
            let bit = ["p", "q"].iter().position(|name| *name == proposition)?;
            Some(state >> bit & 1 == 1)
        }
    }

    fn random_run(rng: &mut Rng) -> Trace<u8, ()> {
        let n = 1 + rng.below(5);
        let states: Vec<u8> = (0..n).map(|_| rng.below(8) as u8).collect();
        let loop_start = rng.chance(0.5).then(|| rng.below(n));
        let n_steps = if loop_start.is_some() { n } else { n - 1 };
        Trace { states, steps: vec![(); n_steps], loop_start }
    }

    /// The claim with its path quantifiers left out, if all of them speak of some path.
    fn linear(claim: &Formula) -> Option<Ltl> {
        let at = |kind| Ltl { kind, span: claim.span };
        let unary = |operator, f: &Formula| Some(at(LtlKind::Unary(operator, Box::new(linear(f)?))));
        let binary = |operator, f: &Formula, g: &Formula| {
            Some(at(LtlKind::Binary(operator, Box::new(linear(f)?), Box::new(linear(g)?))))
        };
        let join = |operator, parts: &[Formula]| {
            let mut own = parts.iter().map(linear).collect::<Option<Vec<Ltl>>>()?.into_iter();
            let first = own.next()?;
            Some(own.fold(first, |f, g| at(LtlKind::Binary(operator, Box::new(f), Box::new(g)))))
        };
        match &claim.kind {
            FormulaKind::True => Some(at(LtlKind::True)),
            FormulaKind::False => Some(at(LtlKind::False)),
            FormulaKind::Proposition(name) => Some(at(LtlKind::Proposition(name.clone()))),
            FormulaKind::Not(f) if is_boolean(f) => unary(LtlUnary::Not, f),
            FormulaKind::And(parts) => join(LtlBinary::And, parts),
            FormulaKind::Or(parts) => join(LtlBinary::Or, parts),
            FormulaKind::Path(PathQuantifier::Some, operator) => match operator {
                PathOperator::Next(f) => unary(LtlUnary::Next, f),
                PathOperator::Finally(f) => unary(LtlUnary::Finally, f),
                PathOperator::Globally(f) => unary(LtlUnary::Globally, f),
                PathOperator::Until(f, g) => binary(LtlBinary::Until, f, g),
                PathOperator::Release(f, g) => binary(LtlBinary::Releases, f, g),
                PathOperator::WeakUntil(..) => None,
            },
            _ => None,
        }
    }

    #[test]
    fn what_is_read_along_a_run_stands_and_is_what_linear_time_says() {
        let (mut shown, mut compared) = (0, 0);
        let run = random_cases(6_000, |rng| {
            let trace = random_run(rng);
            let formula = random_formula(
                rng,
                &FormulaShape { fixpoints: 0, regular: false, depth: 4, ..FormulaShape::over(2, 0) },
            );
            let claim = as_claim(&formula, true);
            let graph = Graph(trace.moves().map(|(from, (), to)| (*from, *to)).collect());
            let holds = |part: &Formula, at: usize| {
                value_of(part, &|name| graph.holds(name, &trace.states[at])) == Some(true)
            };
            let is_stuck =
                trace.loop_start.is_none() && !graph.0.iter().any(|(from, _)| from == trace.last());
            let along = Along::new(&claim, &trace, &Facts { holds: &holds, is_stuck });
            if along.value() == Kleene::True {
                shown += 1;
                let tree = along.tree();
                assert_eq!(check_claim(&graph, &formula, true, &tree), Ok(()), "{claim} on {trace:?}");
            }
            if let (Some(linear), Some(loop_start)) = (linear(&claim), trace.loop_start) {
                compared += 1;
                let at = |place: usize, name: &str| graph.holds(name, &trace.states[place]) == Some(true);
                let expected = holds_on_lasso(&linear, trace.states.len(), loop_start, at);
                let value = if expected { Kleene::True } else { Kleene::False };
                assert_eq!(along.value(), value, "{claim} on {trace:?}");
            }
        });
        run.enough(shown > run.share(4) && compared > run.share(10), (shown, compared));
    }
}
