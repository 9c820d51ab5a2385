//! Replaying what is about to be shown, step by step, on the system itself.
//!
//! Strategies have their own validator in `tertium-check`. Traces and blocking steps are derived from strategies and
//! labellings; here they are checked against the system alone.

use crate::blocking::is_step;
use tertium_check::Semantics;
use tertium_evidence::{Blocking, Culprit, Trace};
use tertium_support::IdSet;
use tertium_system::{ConcreteId, Modality, PartialSystem, StateId, StateSet};
use tertium_truth::Belnap;

/// Accepts a trace if it starts at an initial state, every step is a must of the system, and a loop closes.
pub fn check_trace(system: &PartialSystem, trace: &Trace) -> Result<(), String> {
    if !system.initial().contains(&trace.start) {
        return Err(format!("the trace starts at {}, which is not initial", system.state_name(trace.start)));
    }
    let states: Vec<_> = trace.states().collect();
    for (index, &(action, target)) in trace.steps.iter().enumerate() {
        let modality = system.transitions().find(states[index], action, target);
        if !modality.is_some_and(Modality::is_must) {
            return Err(format!("step {} of the trace is no must of the system", index + 1));
        }
    }
    match trace.loop_start {
        Some(start) if states.get(start) != states.last() => {
            Err("the loop of the trace does not close".to_owned())
        }
        _ => Ok(()),
    }
}

/// Accepts a blocking step if the way to it consists of steps of the system from an initial state, and the culprit
/// is really open. Under reduced semantics each step may start from a state that stands, in part, for the same as the one
/// reached; twice, because a modality reduces its argument and itself.
pub fn check_blocking(
    system: &PartialSystem,
    semantics: Semantics,
    blocking: &Blocking,
) -> Result<(), String> {
    if !system.initial().contains(&blocking.start) {
        return Err("the way to the blocking step does not start at an initial state".to_owned());
    }
    let domain = system.domain().filter(|_| semantics == Semantics::Ris);
    let from_here = |at: StateId| match domain {
        None => StateSet::of(system.n_states(), [at]),
        Some(domain) => {
            let touching = |meaning: &IdSet<ConcreteId>| {
                StateSet::filter(system.n_states(), |other| !domain.gamma(other).is_disjoint(meaning))
            };
            let mut near = touching(&domain.gamma_of(touching(domain.gamma(at)).iter()));
            near.insert(at);
            near
        }
    };
    let mut at = blocking.start;
    for &(action, state) in &blocking.steps {
        if !from_here(at).iter().any(|from| is_step(system, from, action, state)) {
            return Err("the way to the blocking step takes a step that the system does not have".to_owned());
        }
        at = state;
    }
    let open = match blocking.culprit {
        Culprit::MayOnly { source, action, target } => {
            from_here(at).contains(source)
                && system.transitions().find(source, action, target) == Some(Modality::May)
        }
        Culprit::Label { state, proposition } => {
            from_here(at).contains(state) && system.labels().get(proposition, state) == Belnap::Unknown
        }
        Culprit::MissingProposition { state } => from_here(at).contains(state),
    };
    if open { Ok(()) } else { Err("what is said to block is not open in the system".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_system::SystemBuilder;

    fn system() -> PartialSystem {
        let mut builder = SystemBuilder::numbered(3);
        let a = builder.action("a");
        builder.initial(StateId::from_raw(0));
        builder.edge(StateId::from_raw(0), a, StateId::from_raw(1), Modality::Both);
        builder.edge(StateId::from_raw(1), a, StateId::from_raw(2), Modality::May);
        builder.build()
    }

    #[test]
    fn a_trace_takes_musts_from_an_initial_state() {
        let system = system();
        let a = system.actions().get("a").unwrap();
        let s = StateId::from_raw;
        let trace = |start, steps: &[u32], loop_start| Trace {
            start: s(start),
            steps: steps.iter().map(|&to| (a, s(to))).collect(),
            loop_start,
        };
        assert_eq!(check_trace(&system, &trace(0, &[1], None)), Ok(()));
        assert!(check_trace(&system, &trace(1, &[], None)).is_err());
        assert!(check_trace(&system, &trace(0, &[1, 2], None)).is_err());
        assert!(check_trace(&system, &trace(0, &[1], Some(0))).is_err());
    }

    #[test]
    fn a_blocking_step_is_may_only_and_can_be_reached() {
        let system = system();
        let a = system.actions().get("a").unwrap();
        let s = StateId::from_raw;
        let blocking = |steps: &[u32], source, target| Blocking {
            start: s(0),
            steps: steps.iter().map(|&to| (a, s(to))).collect(),
            culprit: Culprit::MayOnly { source: s(source), action: a, target: s(target) },
        };
        assert_eq!(check_blocking(&system, Semantics::Sis, &blocking(&[1], 1, 2)), Ok(()));
        assert!(check_blocking(&system, Semantics::Sis, &blocking(&[], 1, 2)).is_err());
        assert!(check_blocking(&system, Semantics::Sis, &blocking(&[2], 1, 2)).is_err());
        assert!(check_blocking(&system, Semantics::Sis, &blocking(&[], 0, 1)).is_err());
    }
}
