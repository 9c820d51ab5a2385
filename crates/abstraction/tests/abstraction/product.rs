//! The asynchronous product of components that are abstracted one by one \[GHJ01\].
//!
//! Components share data and have control of their own; a step of one leaves the control of the others as it is. All
//! are seen through the same predicates about the data, so a state of the product is a control for each component and
//! one vector. It has the may steps of each component as may steps and their must steps as must steps: what a
//! component's states can or must do does not depend on where the others are.
//!
//! The abstraction of a component knows nothing of the control of others, so its cost does not grow with them. Its
//! guards and updates must not either: a program that reads the control of another process is one component.

use indexmap::IndexSet;
use tertium_abstraction::{AbstractState, CartesianAbstraction, Form, PredicateAbstraction, TriState};
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Precision, Program};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::{Kleene, TriVector};

/// Steps into states, as they may or must exist.
type Steps = Vec<(CommandId, Vec<(TriState, Modality)>)>;

/// An abstraction of one component.
pub(crate) trait Component {
    /// The component.
    fn program(&self) -> &Program;
    /// What it is seen through.
    fn precision(&self) -> &Precision;
    /// Where it may begin.
    fn initial(&mut self, context: &Context) -> Result<Vec<AbstractState>, StopReason>;
    /// Where its commands lead.
    fn steps(&mut self, context: &Context, state: &TriState) -> Result<Steps, StopReason>;
    /// What all concrete states of a state agree on.
    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene;
}

impl Component for PredicateAbstraction<'_> {
    fn program(&self) -> &Program {
        self.program()
    }

    fn precision(&self) -> &Precision {
        self.precision()
    }

    fn initial(&mut self, context: &Context) -> Result<Vec<AbstractState>, StopReason> {
        Ok(self.initial(context)?.into_iter().map(|(state, _)| state).collect())
    }

    fn steps(&mut self, context: &Context, state: &TriState) -> Result<Steps, StopReason> {
        let state = state.as_exact().expect("steps between bit vectors lead to bit vectors");
        let steps = self.successors(context, &state)?.into_iter().map(|(command, targets)| {
            let must = |target: &AbstractState| match targets.must.contains(target) {
                true => Modality::Both,
                false => Modality::May,
            };
            (command, targets.may.iter().map(|target| (TriState::exact(target), must(target))).collect())
        });
        Ok(steps.collect())
    }

    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.tri_value(context, state, term)
    }
}

impl Component for (CartesianAbstraction<'_>, Form) {
    fn program(&self) -> &Program {
        self.0.program()
    }

    fn precision(&self) -> &Precision {
        self.0.precision()
    }

    fn initial(&mut self, context: &Context) -> Result<Vec<AbstractState>, StopReason> {
        Ok(self.0.initial(context)?.into_iter().map(|(state, _)| state).collect())
    }

    fn steps(&mut self, context: &Context, state: &TriState) -> Result<Steps, StopReason> {
        let targets = self.0.targets(context, state)?;
        Ok(targets.iter().map(|(command, targets)| (*command, targets.steps(self.1))).collect())
    }

    fn value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        self.0.value(context, state, term)
    }
}

/// A control for each component, and what is known of the predicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProductState {
    /// The control variables of each component.
    pub(crate) controls: Vec<Box<[Value]>>,
    /// What is known of each predicate.
    pub(crate) vector: TriVector,
}

impl ProductState {
    /// What one component sees of it.
    pub(crate) fn component(&self, at: usize) -> TriState {
        TriState { control: self.controls[at].clone(), vector: self.vector.clone() }
    }

    /// The state after a step of one component.
    fn after(&self, at: usize, target: TriState) -> Self {
        let mut controls = self.controls.clone();
        controls[at] = target.control;
        Self { controls, vector: target.vector }
    }
}

/// A product with what its states are.
#[derive(Debug)]
pub(crate) struct Product {
    /// The system. A definite value at a state holds of all concrete states that it stands for.
    pub(crate) system: PartialSystem,
    /// What the states are, by id.
    pub(crate) states: IndexSet<ProductState>,
}

/// Explores everything that may or must be reached in the product. A proposition is about one component and the data.
///
/// Initial are all combinations that agree on the predicates; one of them can stand for no initial state, so a formula that fails there is
/// refuted only if it does not.
pub(crate) fn interleave(
    context: &Context,
    components: &mut [&mut dyn Component],
    propositions: &[(String, usize, Term)],
) -> Result<Product, StopReason> {
    assert!(share_predicates(components), "components are seen through the same predicates");
    let mut ticker = context.ticker("exploring the product");
    let mut states: IndexSet<ProductState> = initial(context, components)?.into_iter().collect();
    let n_initial = states.len();
    let mut builder = SystemBuilder::named();
    let mut edges = Vec::new();
    let mut at = 0;
    while let Some(state) = states.get_index(at).cloned() {
        ticker.tick(1)?;
        for (n, component) in components.iter_mut().enumerate() {
            for (command, steps) in component.steps(context, &state.component(n))? {
                let action = builder.action(&component.program().commands()[command.index()].action);
                for (target, modality) in steps {
                    let (to, _) = states.insert_full(state.after(n, target));
                    edges.push((StateId::new(at), action, StateId::new(to), modality));
                }
            }
        }
        at += 1;
    }
    for (n, state) in states.iter().enumerate() {
        let controls: Vec<String> = state.controls.iter().flatten().map(ToString::to_string).collect();
        builder.state(&format!("#{n} ({}; {})", controls.join(", "), state.vector));
    }
    (0..n_initial).for_each(|n| builder.initial(StateId::new(n)));
    for (source, action, target, modality) in edges {
        builder.edge(source, action, target, modality);
    }
    for (name, of, term) in propositions {
        let proposition = builder.proposition(name, tertium_truth::Belnap::Unknown);
        for (n, state) in states.iter().enumerate() {
            let value = components[*of].value(context, &state.component(*of), *term);
            builder.label(StateId::new(n), proposition, value.into());
        }
    }
    Ok(Product { system: builder.build(), states })
}

/// All combinations of initial states that agree on the predicates.
fn initial(
    context: &Context,
    components: &mut [&mut dyn Component],
) -> Result<Vec<ProductState>, StopReason> {
    let mut states: Option<Vec<ProductState>> = None;
    for component in components {
        let own: Vec<TriState> = component.initial(context)?.iter().map(TriState::exact).collect();
        let longer = match states {
            None => own
                .into_iter()
                .map(|state| ProductState { controls: vec![state.control], vector: state.vector })
                .collect(),
            Some(states) => {
                let pairs = states.iter().flat_map(|state| {
                    let agreeing = own.iter().filter(|own| own.vector == state.vector);
                    agreeing.map(|own| {
                        let controls = [state.controls.clone(), vec![own.control.clone()]].concat();
                        ProductState { controls, vector: state.vector.clone() }
                    })
                });
                pairs.collect()
            }
        };
        states = Some(longer);
    }
    Ok(states.unwrap_or_default())
}

/// Whether the predicates are the same, as far as they are printed.
fn share_predicates(components: &[&mut dyn Component]) -> bool {
    let printed = |component: &dyn Component| -> Vec<String> {
        let terms = &component.program().terms;
        component.precision().iter().map(|&term| terms.print(term).to_string()).collect()
    };
    components.windows(2).all(|pair| printed(&*pair[0]) == printed(&*pair[1]))
}
