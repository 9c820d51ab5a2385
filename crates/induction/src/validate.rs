//! The judge apart from everything else: in a thread of its own, with a context of Z3 of its own and copies of the terms.
//!
//! The binding to Z3 keeps one context per thread, and whoever asks in the same thread shares it. Evidence is judged where nothing
//! that its maker asked before can be felt.

use crate::check::{Finding, check_inductive};
use crate::patience::Patience;
use tertium_expr::{Terms, Transplant};
use tertium_program::{DefinedSet, Predicate, SystemVariable, TermSystem};
use tertium_solve::Model;
use tertium_support::{Context, StopReason};

/// The same as [`check_inductive`], apart.
pub fn validate(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    set: &DefinedSet,
    claim: &Predicate,
    patience: Patience,
) -> Finding {
    let copies = Terms::new();
    let mut transplant = Transplant::new(terms, &copies);
    let system = copied_system(&mut transplant, system);
    let set = DefinedSet {
        definitions: set
            .definitions
            .iter()
            .map(|&(variable, term)| (transplant.variable(variable), transplant.term(term)))
            .collect(),
        holds: transplant.term(set.holds),
    };
    let claim = Predicate { holds: transplant.term(claim.holds), fault: transplant.term(claim.fault) };
    let found = std::thread::scope(|scope| {
        let work = move || {
            let finding = check_inductive(context, &copies, &system, &set, &claim, patience);
            (finding, copies)
        };
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    // A thread is refused where there is no room for its stack.
    let Ok((finding, copies)) = found else { return Finding::Stopped(StopReason::MemoryLimit) };
    match finding {
        Finding::Fails { obligation, model } => {
            let back = Transplant::new(&copies, terms);
            let model = model.map(|model| {
                Model::new(model.iter().map(|(variable, value)| (back.variable(variable), value.clone())))
            });
            Finding::Fails { obligation, model }
        }
        other => other,
    }
}

/// Translating deep terms is recursive.
const STACK: usize = 256 << 20;

fn copied_system(transplant: &mut Transplant<'_>, system: &TermSystem) -> TermSystem {
    let variables = system.variables.iter().map(|own| SystemVariable {
        current: transplant.variable(own.current),
        next: transplant.variable(own.next),
    });
    TermSystem {
        variables: variables.collect(),
        inputs: system.inputs.iter().map(|&input| transplant.variable(input)).collect(),
        invariant: transplant.term(system.invariant),
        input_domain: transplant.term(system.input_domain),
        initial: transplant.term(system.initial),
        step: transplant.term(system.step),
        initial_fault: transplant.term(system.initial_fault),
        step_fault: transplant.term(system.step_fault),
    }
}
