//! Replaying a thorough verdict: the independent check of what an enumeration claims.
//!
//! Each refinement is held against the definition, turned into an ordinary system and labelled by the fast checker, which
//! shares nothing with the evaluation that `thorough` does. Where the concrete systems are few enough to be tried all,
//! none that satisfies the definition may be missing. Refinements are looked at one by one, so memory does not grow with
//! their number; the limits of the run hold.

use crate::check::{Semantics, label};
use crate::necessity::Prepared;
use std::ops::ControlFlow;
use tertium_logic::Formula;
use tertium_support::{Context, Id, IdSet, StopReason};
use tertium_system::partial::{ConcreteBts, Refinements, refinement_violation};
use tertium_system::{ActionId, ConcreteId, PartialSystem, PropId};
use tertium_truth::{Belnap, Cause, Verdict};

/// All concrete systems are tried where they have at most this many bits.
const BITS: usize = 12;

/// What is wrong with an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumerationFlaw {
    /// A system was enumerated that is no refinement, or a refinement was left out.
    NotTheRefinements,
    /// The number of refinements differs.
    Count,
    /// Some refinement does not agree with the verdict.
    Disagrees,
}

/// Replays the claim that a verdict is that of all of so many refinements together. `Ok(false)`: a limit was reached
/// before the end.
pub fn check_enumeration(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
    verdict: Verdict,
    refinements: u64,
) -> Result<bool, EnumerationFlaw> {
    let mut builder = system.to_builder();
    let mut props: Vec<PropId> =
        formula.propositions().iter().map(|(name, _)| builder.proposition(name, Belnap::Unknown)).collect();
    props.sort_unstable();
    props.dedup();
    let system = &builder.build();
    let domain = system.domain_or_flat();
    let n = domain.n_concrete();
    if all_refinements(system, &props, n).is_some_and(|count| count != refinements) {
        return Err(EnumerationFlaw::NotTheRefinements);
    }
    // Where the formula held in every refinement, and where in some.
    let (mut always, mut sometimes) = (IdSet::full(n), IdSet::empty(n));
    let mut count = 0;
    let mut ended: Result<bool, EnumerationFlaw> = Ok(true);
    let visited =
        Refinements::varying(system, props.iter().copied()).visit(usize::BITS as usize, |concrete| {
            count += 1;
            if count > refinements {
                ended = Err(EnumerationFlaw::Count);
            } else if refinement_violation(concrete, system).is_some() {
                ended = Err(EnumerationFlaw::NotTheRefinements);
            } else {
                match where_it_holds(context, system, concrete, formula) {
                    Ok(holds) => {
                        always.intersect_with(&holds);
                        sometimes.union_with(&holds);
                        return ControlFlow::Continue(());
                    }
                    Err(_) => ended = Ok(false),
                }
            }
            ControlFlow::Break(())
        });
    if !ended? {
        return Ok(false);
    }
    if visited.is_err() || count != refinements {
        return Err(EnumerationFlaw::Count);
    }
    let mut initial = system.initial().iter().map(|&state| domain.gamma(state));
    let agrees = match verdict {
        Verdict::True => initial.all(|meaning| meaning.is_subset(&always)),
        Verdict::False => initial.any(|meaning| !meaning.is_empty() && meaning.is_disjoint(&sometimes)),
        Verdict::Unknown(Cause::Inconsistent) => {
            initial.any(|meaning| meaning.is_subset(&always) && meaning.is_disjoint(&sometimes))
        }
        Verdict::Unknown(_) => initial.any(|meaning| !meaning.is_subset(&always)),
    };
    if agrees { Ok(true) } else { Err(EnumerationFlaw::Disagrees) }
}

/// The concrete states of one refinement where the formula holds.
fn where_it_holds(
    context: &Context,
    system: &PartialSystem,
    concrete: &ConcreteBts,
    formula: &Formula,
) -> Result<IdSet<ConcreteId>, StopReason> {
    let ordinary = concrete.to_system(system);
    let prepared = Prepared::new(context, &ordinary)?;
    let labelling = label(context, &prepared, formula, Semantics::Sis)?;
    let domain = system.domain_or_flat();
    let state = |c: ConcreteId| ordinary.state_named(domain.concrete().name(c)).expect("named alike");
    Ok(IdSet::filter(domain.n_concrete(), |c| labelling.must.contains(state(c))))
}

/// How many of all concrete systems satisfy the definition of refinement, if they are few enough to be tried.
fn all_refinements(system: &PartialSystem, props: &[PropId], n: usize) -> Option<u64> {
    let steps = n * n * system.actions().len();
    let bits = steps + n * props.len();
    if bits > BITS {
        return None;
    }
    // Propositions that do not occur are left as the first refinement has them: they do not count.
    let fixed = system.labels().names().ids().filter(|prop| !props.contains(prop));
    let mut start = ConcreteBts::still(system);
    let domain = system.domain_or_flat();
    for prop in fixed {
        for concrete in ConcreteId::first(n) {
            if domain.abstractions(concrete).any(|state| system.labels().get(prop, state).must()) {
                start.set_label(prop, concrete);
            }
        }
    }
    let mut count = 0;
    for choice in 0..1u64 << bits {
        let mut candidate = start.clone();
        let is_set = |bit: usize| choice >> bit & 1 == 1;
        for bit in (0..steps).filter(|&bit| is_set(bit)) {
            let (source, rest) = (bit % n, bit / n);
            candidate.add(ConcreteId::new(source), ActionId::new(rest / n), ConcreteId::new(rest % n));
        }
        for bit in (0..n * props.len()).filter(|&bit| is_set(steps + bit)) {
            candidate.set_label(props[bit / n], ConcreteId::new(bit % n));
        }
        count += u64::from(refinement_violation(&candidate, system).is_none());
    }
    Some(count)
}
