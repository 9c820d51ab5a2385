//! Linear time on symbolic systems.
//!
//! A formula holds in a model iff every fair infinite path from an initial state satisfies it, hence iff the product of the model
//! with the tableau of the negated formula has no fair path from its initial states. Justice and compassion are those of the model
//! together with the justice of the tableau. Paths that end in a state without steps are no infinite paths and are not looked at.
//! A formula is first taken apart into obligations, which are looked at one by one until one fails. Whether an obligation holds is
//! remembered: formulas that differ in one place have the others in common.
//!
//! The product is searched in three stages: its reachable states; the largest part of them in which fair paths can go on
//! for ever; a lasso into that part. The lasso without the variables of the tableau is a path of the model, and is made
//! shorter where that keeps it a counterexample; debug builds hold it against the definition of the formula.

use super::checker::{Options, SymbolicChecker};
use super::fair::{Fairness, Hull, hull, lasso};
use super::obligation::{From, Obligation, obligations};
use super::outcome::SymbolicTrace;
use super::outcome::{Refusal, SymbolicAssumption, SymbolicError, SymbolicEvidence, SymbolicOutcome};
use super::path::holds_at;
use super::reach::{Reachable, Search};
use super::shorten::shortened;
use super::tableau::{Bits, product};
use super::universe::Universe;
use rustc_hash::FxHashMap;
use tertium_dd::Bdd;
use tertium_logic::{Ltl, holds_on_lasso};
use tertium_support::{Context, Statistics, StopReason};
use tertium_system::SymbolicModel;
use tertium_truth::Verdict;

/// Whether every fair infinite path of the model from an initial state satisfies the formula. If not, the evidence is a fair
/// lasso that does not; a formula that holds has no evidence.
///
/// For several questions about one model, [`SymbolicChecker::check_ltl`] keeps the reachable states.
pub fn check_ltl(
    context: &Context,
    model: &SymbolicModel,
    formula: &Ltl,
) -> Result<SymbolicOutcome, SymbolicError> {
    let options = Options { find_deadlocks: false, ..Options::default() };
    SymbolicChecker::new(context, model, options).check_ltl(formula)
}

/// What questions of linear time to one model leave behind for the next one.
#[derive(Debug, Default)]
pub(crate) struct LinearMemory {
    pub(super) bits: Bits,
    /// Obligations that were decided, and whether they hold.
    decided: FxHashMap<Obligation, bool>,
}

/// What is known about an obligation.
enum Answer {
    Holds,
    Fails(Evidence),
}

/// What shows that an obligation fails.
enum Evidence {
    /// Nothing, as nothing is wanted.
    Unwanted,
    Lasso(SymbolicTrace),
    /// Nothing, because a limit was reached first.
    Stopped(StopReason),
}

impl SymbolicChecker<'_> {
    /// Whether every fair infinite path from an initial state satisfies the formula. If not, the evidence is a fair
    /// lasso that does not; a formula that holds has no evidence.
    pub fn check_ltl(&mut self, formula: &Ltl) -> Result<SymbolicOutcome, SymbolicError> {
        let unknown = formula.propositions().find(|(name, _)| !self.model.propositions.contains_key(*name));
        if let Some((name, _)) = unknown {
            return Err(Refusal::UnknownProposition(name.to_owned()).into());
        }
        let mut assumptions = Vec::new();
        if self.model.init.is_false() {
            assumptions.push(SymbolicAssumption::NoInitialState);
        }
        let mut counted = Statistics::default();
        let mut verdict = Verdict::True;
        let mut evidence = None;
        for obligation in obligations(formula) {
            let Answer::Fails(why) = self.answer(&obligation, &mut counted)? else { continue };
            verdict = Verdict::False;
            match why {
                Evidence::Unwanted => {}
                Evidence::Lasso(found) => {
                    evidence = Some(SymbolicEvidence::Trace(counterexample(self.model, formula, found)));
                }
                Evidence::Stopped(reason) => assumptions.push(SymbolicAssumption::NoEvidence(reason)),
            }
            break;
        }
        // A lasso that refutes is there whether or not other paths end.
        if verdict == Verdict::True && self.options.find_deadlocks {
            self.note_deadlock(&mut assumptions, |checker| {
                checker.where_ends_stay(|other| other.decide_ltl(formula)).map(Some)
            });
        }
        let mut statistics = self.statistics();
        statistics.absorb(&counted);
        Ok(SymbolicOutcome { evidence, assumptions, ..SymbolicOutcome::new(verdict, statistics) })
    }

    fn answer(&mut self, obligation: &Obligation, counted: &mut Statistics) -> Result<Answer, StopReason> {
        match self.linear.decided.get(obligation) {
            Some(true) => return Ok(Answer::Holds),
            Some(false) if self.options.evidence == 0 => return Ok(Answer::Fails(Evidence::Unwanted)),
            _ => {}
        }
        let answer = self.decide(obligation, counted)?;
        self.linear.decided.insert(obligation.clone(), matches!(answer, Answer::Holds));
        Ok(answer)
    }

    fn decide(&mut self, obligation: &Obligation, counted: &mut Statistics) -> Result<Answer, StopReason> {
        let start = match obligation.from {
            From::Initial => self.model.init.clone(),
            From::Reachable => self.reachable()?.states.clone(),
        };
        let negated = obligation.formula.clone().negated();
        let product = product(self.model, &mut self.linear.bits, &start, &negated)?;
        let mut reachable = Reachable::new(&product, Search::Layers);
        reachable.search(self.context, &product, &self.model.manager.constant(false))?;
        let universe = Universe::new(self.context, &product, reachable.states);
        let fairness = Fairness::of(&product);
        let hull = hull(&universe, &universe.states, fairness)?;
        let (images, rounds) = universe.counts();
        debug_assert!(reachable.complete, "the search went on until everything was reached");
        counted.add("tableau variables", product.variables.len() - self.model.variables.len());
        counted.add("images", reachable.images + images);
        counted.add("iterations", reachable.depth as u64 + rounds);
        // All states here can be reached from the start, so any fair path among them belongs to one from there.
        Ok(if hull.states.is_false() {
            Answer::Holds
        } else if self.options.evidence == 0 {
            Answer::Fails(Evidence::Unwanted)
        } else {
            Answer::Fails(match self.fair_path(&universe, &hull, obligation.from) {
                Ok(found) => Evidence::Lasso(found),
                Err(reason) => Evidence::Stopped(reason),
            })
        })
    }

    /// A fair path of the model into the hull, from an initial state. There is one.
    fn fair_path(
        &self,
        universe: &Universe<'_>,
        hull: &Hull,
        from: From,
    ) -> Result<SymbolicTrace, StopReason> {
        let (product, anywhere) = (universe.model, self.model.manager.constant(true));
        let within = &universe.states;
        let lasso_from = |start: &Bdd| lasso(universe, hull, start, within, Fairness::of(product));
        if from == From::Initial {
            let found = lasso_from(&product.init)?.expect("what is reachable can be reached");
            return Ok(projected(self.model, found));
        }
        // From a start as near to the initial states as possible, if distances are known.
        let mut start = product.init.and(&universe.until(&anywhere, within, &hull.states)?)?;
        for layer in &self.reach.layers {
            let near = start.and(layer)?;
            if !near.is_false() {
                start = near;
                break;
            }
        }
        let found = projected(self.model, lasso_from(&start)?.expect("a start leads to the hull"));
        let way = self.trace_to(&self.model.state(&found.states[0])?)?;
        Ok(joined(way, found))
    }
}

/// A path that ends, and then the lasso that begins there.
fn joined(mut way: SymbolicTrace, lasso: SymbolicTrace) -> SymbolicTrace {
    let meeting = way.states.pop();
    debug_assert!(meeting.as_ref() == lasso.states.first(), "the lasso begins where the way ends");
    let loop_start = lasso.loop_start.map(|start| start + way.states.len());
    way.states.extend(lasso.states);
    way.steps.extend(lasso.steps);
    SymbolicTrace { loop_start, ..way }
}

/// A shorter counterexample than the given one.
fn counterexample(model: &SymbolicModel, formula: &Ltl, found: SymbolicTrace) -> SymbolicTrace {
    debug_assert!(refutes(model, formula, &found), "the tableau follows the definition of {formula}");
    shortened(found, |trace| refutes(model, formula, trace))
}

/// The path without the variables of the tableau, which stand last.
fn projected(model: &SymbolicModel, mut trace: SymbolicTrace) -> SymbolicTrace {
    let n_states = model.variables.iter().filter(|variable| !variable.is_input).count();
    debug_assert!(
        trace.states.iter().all(|state| state.len() >= n_states),
        "the variables of the model come first"
    );
    trace.states.iter_mut().for_each(|state| state.truncate(n_states));
    trace
}

/// Whether a lasso of the model is fair and does not satisfy the formula.
fn refutes(model: &SymbolicModel, formula: &Ltl, trace: &SymbolicTrace) -> bool {
    let Some(start) = trace.loop_start else { return false };
    let at =
        |place: usize, function: &Bdd| holds_at(model, function, &trace.states[place], &trace.steps[place]);
    let again = |function: &Bdd| (start..trace.states.len()).any(|place| at(place, function));
    model.justice.iter().all(again)
        && model.compassion.iter().all(|(first, second)| !again(first) || again(second))
        && !holds_on_lasso(formula, trace.states.len(), start, |place, name| {
            at(place, &model.propositions[name])
        })
}
