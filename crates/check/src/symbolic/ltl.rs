//! Linear time on symbolic systems.
//!
//! A formula holds in a model iff every fair infinite path from an initial state satisfies it, hence iff the product of the model
//! with the tableau of the negated formula has no fair path from its initial states. Justice and compassion are those of the model
//! together with the justice of the tableau. Paths that end in a state without steps are no infinite paths and are not looked at.
//!
//! The product is searched in three stages: its reachable states; the largest part of them in which fair paths can go on
//! for ever; a lasso into that part. The lasso without the variables of the tableau is a path of the model, and is made
//! shorter where that keeps it a counterexample; debug builds hold it against the definition of the formula.

use super::fair::{Fairness, hull, lasso};
use super::outcome::{Refusal, SymbolicAssumption, SymbolicError, SymbolicEvidence, SymbolicOutcome};
use super::path::holds_at;
use super::reach::{Reachable, Search};
use super::shorten::shortened;
use super::tableau::product;
use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_logic::{Ltl, holds_on_lasso};
use tertium_support::{Context, Statistics};
use tertium_system::{SymbolicModel, SymbolicTrace};
use tertium_truth::Verdict;

/// Whether every fair infinite path of the model from an initial state satisfies the formula. If not, the evidence is a fair
/// lasso that does not; a formula that holds has no evidence.
pub fn check_ltl(
    context: &Context,
    model: &SymbolicModel,
    formula: &Ltl,
) -> Result<SymbolicOutcome, SymbolicError> {
    let unknown = formula.propositions().find(|(name, _)| !model.propositions.contains_key(*name));
    if let Some((name, _)) = unknown {
        return Err(Refusal::UnknownProposition(name.to_owned()).into());
    }
    let product = product(model, &formula.clone().negated())?;
    let mut reachable = Reachable::new(&product, Search::Layers);
    reachable.search(context, &product, &model.manager.constant(false))?;
    let fairness = Fairness::of(&product);
    let universe = Universe::new(context, &product, reachable.states.clone());
    let hull = hull(&universe, &reachable.states, fairness)?;

    let mut assumptions = Vec::new();
    if model.init.is_false() {
        assumptions.push(SymbolicAssumption::NoInitialState);
    }
    let mut evidence = None;
    // All states here are reachable, so any fair path among them belongs to one from an initial state.
    let holds = hull.states.is_false();
    if !holds {
        match lasso(&universe, &hull, &product.init, &reachable.states, fairness) {
            Ok(found) => {
                let found = found.expect("what is reachable can be reached");
                let found = counterexample(model, formula, found);
                evidence = Some(SymbolicEvidence::Trace(found));
            }
            Err(reason) => assumptions.push(SymbolicAssumption::NoEvidence(reason)),
        }
    }
    let (images, rounds) = universe.counts();
    let mut statistics = Statistics::default();
    statistics.set("tableau variables", product.variables.len() - model.variables.len());
    statistics.set("depth", reachable.depth);
    statistics.set("images", reachable.images + images);
    statistics.set("iterations", rounds);
    let verdict = if holds { Verdict::True } else { Verdict::False };
    Ok(SymbolicOutcome { verdict, evidence, assumptions, statistics })
}

/// A fair lasso of the model that does not satisfy the formula, from one of the product.
fn counterexample(model: &SymbolicModel, formula: &Ltl, found: SymbolicTrace) -> SymbolicTrace {
    let found = projected(model, found);
    debug_assert!(refutes(model, formula, &found), "the tableau follows the definition of {formula}");
    shortened(found, |trace| refutes(model, formula, trace))
}

/// The path without the variables of the tableau, which stand last.
fn projected(model: &SymbolicModel, mut trace: SymbolicTrace) -> SymbolicTrace {
    let n_states = model.variables.iter().filter(|variable| !variable.is_input).count();
    trace.states.iter_mut().for_each(|state| state.truncate(n_states));
    trace
}

/// Whether a lasso of the model is fair and does not satisfy the formula.
fn refutes(model: &SymbolicModel, formula: &Ltl, trace: &SymbolicTrace) -> bool {
    let Some(start) = trace.loop_start else { return false };
    let at =
        |place: usize, function: &Bdd| holds_at(model, function, &trace.states[place], &trace.inputs[place]);
    let again = |function: &Bdd| (start..trace.states.len()).any(|place| at(place, function));
    model.justice.iter().all(again)
        && model.compassion.iter().all(|(first, second)| !again(first) || again(second))
        && !holds_on_lasso(formula, trace.states.len(), start, |place, name| {
            at(place, &model.propositions[name])
        })
}
