//! Replaying paths and ways to what is open, step by step, on the system itself.
//!
//! Strategies have their own validator beside the checkers. Traces and blocking steps are derived from strategies and labellings;
//! here they are checked against the system alone, in one pass over their steps.

use crate::{Blocking, Culprit, Trace};
use tertium_support::IdSet;
use tertium_system::{ActionId, ConcreteId, Modality, PartialSystem, StateId, StateSet};
use tertium_truth::Belnap;

/// Whether states that stand for some of the same concrete states may take each other's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// A step starts at the state that the step before leads to.
    Ignored,
    /// A modality reduces its argument and itself, so a step may start at a state that stands, in part, for the same.
    Reduced,
}

/// Accepts a trace if it starts at an initial state and every step, also the one that closes a loop, is a must of the system.
pub fn check_trace(system: &PartialSystem, trace: &Trace) -> Result<(), String> {
    if !trace.is_well_formed() {
        return Err("the trace has too few or too many steps, or its loop starts nowhere".to_owned());
    }
    let start = trace.states[0];
    if !system.initial().contains(&start) {
        return Err(format!("the trace starts at {}, which is not initial", system.state_name(start)));
    }
    for (index, &action) in trace.steps.iter().enumerate() {
        let target = trace.states[trace.target(index)];
        let modality = system.transitions().find(trace.states[index], action, target);
        if !modality.is_some_and(Modality::is_must) {
            return Err(format!("step {} of the trace is no must of the system", index + 1));
        }
    }
    Ok(())
}

/// Accepts a blocking step if the way to it consists of steps of the system from an initial state, and the culprit
/// is really open.
pub fn check_blocking(system: &PartialSystem, covers: Covers, blocking: &Blocking) -> Result<(), String> {
    if !system.initial().contains(&blocking.start) {
        return Err("the way to the blocking step does not start at an initial state".to_owned());
    }
    let domain = system.domain().filter(|_| covers == Covers::Reduced);
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

/// Whether the system has this step, of any modality, also as one of the targets of a hyper-must.
pub fn is_step(system: &PartialSystem, source: StateId, action: ActionId, target: StateId) -> bool {
    system.transitions().find(source, action, target).is_some()
        || system.hyper_musts().of(source).any(|(a, targets)| a == action && targets.contains(&target))
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
        let trace = |states: &[u32], n_steps, loop_start| Trace {
            states: states.iter().map(|&state| s(state)).collect(),
            steps: vec![a; n_steps],
            loop_start,
        };
        assert_eq!(check_trace(&system, &trace(&[0, 1], 1, None)), Ok(()));
        assert_eq!(check_trace(&system, &trace(&[0], 0, None)), Ok(()));
        assert!(check_trace(&system, &trace(&[1], 0, None)).is_err());
        assert!(check_trace(&system, &trace(&[0, 1, 2], 2, None)).is_err());
        assert!(check_trace(&system, &trace(&[0, 1], 2, Some(0))).is_err());
        assert!(check_trace(&system, &trace(&[0, 1], 1, Some(0))).is_err());
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
        assert_eq!(check_blocking(&system, Covers::Ignored, &blocking(&[1], 1, 2)), Ok(()));
        assert!(check_blocking(&system, Covers::Ignored, &blocking(&[], 1, 2)).is_err());
        assert!(check_blocking(&system, Covers::Ignored, &blocking(&[2], 1, 2)).is_err());
        assert!(check_blocking(&system, Covers::Ignored, &blocking(&[], 0, 1)).is_err());
    }
}
