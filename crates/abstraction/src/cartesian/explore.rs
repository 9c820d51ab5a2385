//! The cartesian abstract system of a program, as far as it can be reached.

use super::{CartesianAbstraction, TriState, TriTargets, weaker};
use crate::AbstractSystem;
use crate::explore::{begun, is_by_source};
use indexmap::IndexSet;
use tertium_expr::Term;
use tertium_support::{Context, Id, Measure, StopReason};
use tertium_system::{Modality, StateId};
use tertium_truth::Belnap;

/// Which steps a cartesian abstraction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// All that the definition has.
    Literal,
    /// May steps into bit vectors, must steps into the most precise vectors; a must step need not be a may step.
    #[default]
    Mixed,
    /// The most precise must targets are may targets too. Sound, but more predicates can lose a verdict.
    Reduced,
}

/// A cartesian abstract system.
pub type CartesianSystem = AbstractSystem<TriState>;

/// Explores everything that may or must be reached, with these propositions.
pub fn explore_cartesian(
    context: &Context,
    abstraction: &mut CartesianAbstraction<'_>,
    propositions: &[(String, Term)],
    form: Form,
) -> Result<CartesianSystem, StopReason> {
    let program = abstraction.program();
    let mut ticker = context.ticker("exploring the abstract system");
    let mut states: IndexSet<TriState> = IndexSet::new();
    let mut inhabited = Vec::new();
    for (state, sure) in &abstraction.initial(context)? {
        let (at, _) = states.insert_full(TriState::exact(state));
        if *sure {
            inhabited.push(StateId::new(at));
        }
    }
    let n_initial = states.len();
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        context.progress().count(Measure::States, states.len());
        ticker.tick(1)?;
        for (command, targets) in abstraction.targets(context, &state)?.iter() {
            for (target, modality) in targets.steps(form) {
                let (to, _) = states.insert_full(target);
                edges.push((StateId::new(at), *command, StateId::new(to), modality));
            }
        }
        at += 1;
    }
    let precision = abstraction.precision().clone();
    let names = states.iter().map(|state| state.describe(program, &precision));
    let mut builder = begun(program, names, n_initial, &edges);
    for (n, state) in states.iter().enumerate() {
        ticker.tick(1)?;
        for (name, term) in propositions {
            let proposition = builder.proposition(name, Belnap::Unknown);
            let value = abstraction.value(context, state, *term);
            builder.label(StateId::new(n), proposition, value.into());
        }
    }
    let mut edges: Vec<_> =
        edges.into_iter().map(|(source, command, target, _)| (source, command, target)).collect();
    edges.sort_unstable();
    edges.dedup();
    debug_assert!(is_by_source(&edges, states.len()), "the steps of a state follow each other");
    let concrete = IndexSet::new();
    Ok(AbstractSystem {
        system: builder.build(),
        precision,
        states,
        edges,
        inhabited,
        concrete,
        ranked: None,
    })
}

/// Gives the system a domain that says which inhabited bit vectors each state stands for. That takes all inhabited bit
/// vectors of every control with an open predicate.
pub fn concretise(
    context: &Context,
    abstraction: &mut CartesianAbstraction<'_>,
    found: CartesianSystem,
) -> Result<CartesianSystem, StopReason> {
    let mut ticker = context.ticker("looking for what abstract states stand for");
    let mut builder = found.system.to_builder();
    let mut all = IndexSet::new();
    for (n, state) in found.states.iter().enumerate() {
        ticker.tick(1)?;
        for exact in abstraction.below(context, state)? {
            let concrete = builder.concrete(&format!("{:?} {}", exact.control, exact.vector()));
            builder.concretise(StateId::new(n), concrete);
            let (at, _) = all.insert_full(exact);
            debug_assert_eq!(at, concrete.index(), "both are numbered as they come");
        }
    }
    Ok(CartesianSystem { system: builder.build(), concrete: all, ..found })
}

impl TriTargets {
    /// The steps that a form has.
    pub fn steps(&self, form: Form) -> Vec<(TriState, Modality)> {
        let exact = self.may.iter().map(TriState::exact);
        match form {
            Form::Mixed | Form::Reduced => {
                let must = if form == Form::Mixed { Modality::Must } else { Modality::Both };
                let must = self.must.iter().map(|target| (target.clone(), must));
                exact.map(|target| (target, Modality::May)).chain(must).collect()
            }
            Form::Literal => {
                let may: IndexSet<TriState> = exact.flat_map(|target| weaker(&target)).collect();
                let must: IndexSet<TriState> = self.must.iter().flat_map(weaker).collect();
                let may = may.into_iter().map(|target| (target, Modality::May));
                may.chain(must.into_iter().map(|target| (target, Modality::Must))).collect()
            }
        }
    }
}
