//! From what a `.pts` file says to a system: looks up every name, complains about those that nobody declared, and
//! brings ids into the order of declaration.

use super::faults::{make_room, nearest_note, quoted};
use super::pts_draft::{Draft, Names};
use crate::{PartialSystem, StateId, SystemBuilder};
use tertium_support::{Complaints, Context, Diagnostic, Id, Span, StopReason};
use tertium_truth::Belnap;

/// A system, and the draft it was made of, with the ids of the system.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) draft: Draft,
    pub(super) system: PartialSystem,
}

/// Looks up names and builds the system; `None` after a complaint.
pub(super) fn resolve(
    context: &Context,
    mut draft: Draft,
    faults: &mut Complaints,
) -> Result<Option<Resolved>, StopReason> {
    check_states(&draft, faults);
    check_actions(&mut draft, faults);
    check_propositions(&draft, faults);
    check_concretes(&draft, faults);
    if !faults.is_empty() {
        return Ok(None);
    }
    let n_states = draft.n_states() as u64;
    let label_bytes = n_states * draft.props.order.len() as u64 / 4;
    let gamma_bytes = n_states * draft.concretes.order.len() as u64 / 8;
    make_room(context, label_bytes + gamma_bytes + 20 * draft.edges.len() as u64)?;
    renumber(&mut draft);
    let system = build(&draft);
    Ok(Some(Resolved { draft, system }))
}

impl Draft {
    pub(super) fn n_states(&self) -> usize {
        self.numbered.map_or(self.states.order.len(), |(n, _)| n)
    }

    /// The value of a declared proposition where no label is given.
    fn default_label(&self, index: usize) -> Belnap {
        let by_family = self.family.map_or(Belnap::Unknown, |family| family.default_label());
        self.defaults[index].map_or(by_family, |(value, _)| value)
    }

    /// The number a state has in a system of numbered states.
    fn number_of(&self, state: StateId, n: usize) -> Option<StateId> {
        let name = self.states.names.name(state);
        let canonical =
            name == "0" || !name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit());
        name.parse().ok().filter(|&number: &usize| canonical && number < n).map(StateId::new)
    }
}

fn check_states(draft: &Draft, faults: &mut Complaints) {
    match draft.numbered {
        Some((n, span)) => {
            for state in draft.states.names.ids().filter(|&state| draft.number_of(state, n).is_none()) {
                let name = quoted(draft.states.names.name(state));
                let at = draft.states.mentioned[state.index()];
                let fault = Diagnostic::error(at, format!("unknown state {name}"));
                faults.push(fault.with_related(span, "the states are called by their numbers, from 0"));
            }
        }
        None => unknown(&draft.states, "state", "declare it with `state`", faults),
    }
    let first = draft.states.order.first().map(|state| draft.states.mentioned[state.index()]);
    let place = draft.numbered.map(|(_, span)| span).or(first).or(draft.header).unwrap_or(Span::point(0));
    if draft.n_states() == 0 {
        let fault = Diagnostic::error(place, "there are no states");
        faults.push(fault.with_note("declare them with `state s, t;` or `states 2;`"));
    } else if draft.initial.is_empty() {
        faults.push(
            Diagnostic::error(place, "there is no initial state").with_note("say which with `init s;`"),
        );
    }
}

fn check_actions(draft: &mut Draft, faults: &mut Complaints) {
    let Some(declared) = draft.actions_declared else { return draft.actions.declare_all() };
    for action in draft.actions.undeclared() {
        if faults.is_full() {
            return;
        }
        let name = draft.actions.names.name(action);
        let at = draft.actions.mentioned[action.index()];
        if name == crate::UNLABELLED {
            let fault =
                Diagnostic::error(at, "this transition has no action, although the file declares actions");
            let fault = fault.with_related(declared, "the actions");
            faults.push(
                fault.with_note("write `-a->`, or add `\"\"`, the action without a name, to the actions"),
            );
        } else {
            let fault = Diagnostic::error(at, format!("unknown action {}", quoted(name)));
            let fault = fault.with_related(declared, "the only actions are those declared");
            faults.push(nearest_note(fault, name, known(&draft.actions)));
        }
    }
}

fn check_propositions(draft: &Draft, faults: &mut Complaints) {
    unknown(&draft.props, "proposition", "declare it with `propositions`", faults);
}

fn check_concretes(draft: &Draft, faults: &mut Complaints) {
    unknown(&draft.concretes, "concrete state", "declare it with `concrete`", faults);
    if draft.concretes_declared.is_none() {
        if let Some(gamma) = draft.gamma.iter().find(|gamma| gamma.set.is_empty()) {
            let fault = Diagnostic::error(gamma.span, "a set of concrete states, but none are declared");
            faults.push(fault.with_note("declare them with `concrete c1, c2;`"));
        }
        return;
    }
    let mut has_set = vec![false; draft.states.names.len()];
    draft.gamma.iter().for_each(|gamma| has_set[gamma.state.index()] = true);
    let without = draft.states.order.iter().find(|state| !has_set[state.index()]);
    let place = match (without, draft.numbered) {
        (Some(state), _) => draft.states.declared[state.index()],
        (None, Some((n, span))) if draft.gamma.len() < n => Some(span),
        _ => None,
    };
    if let Some(place) = place {
        let fault =
            Diagnostic::error(place, "a state without a set of concrete states, although some are declared");
        faults
            .push(fault.with_note("write `state s = {c1, c2};`; a state that stands for nothing is `= {}`"));
    }
}

/// Complains about each undeclared name, at its first mention.
fn unknown<I: Id>(names: &Names<I>, kind: &str, note: &str, faults: &mut Complaints) {
    for id in names.undeclared() {
        if faults.is_full() {
            return;
        }
        let name = names.names.name(id);
        let fault =
            Diagnostic::error(names.mentioned[id.index()], format!("unknown {kind} {}", quoted(name)));
        faults.push(nearest_note(fault, name, known(names)).with_note(note));
    }
}

fn known<I: Id>(names: &Names<I>) -> impl Iterator<Item = &str> {
    names.order.iter().map(|&id| names.names.name(id))
}

/// Replaces ids by mention with ids by declaration, everywhere but in the tables of names.
fn renumber(draft: &mut Draft) {
    let states: Vec<StateId> = match draft.numbered {
        Some((n, _)) => {
            let number = |state| draft.number_of(state, n).expect("numbers were checked");
            draft.states.names.ids().map(number).collect()
        }
        None => draft.states.ranks(),
    };
    let (actions, props, concretes) = (draft.actions.ranks(), draft.props.ranks(), draft.concretes.ranks());
    draft.initial.iter_mut().for_each(|state| *state = states[state.index()]);
    for edge in &mut draft.edges {
        edge.source = states[edge.source.index()];
        edge.action = actions[edge.action.index()];
        edge.target = states[edge.target.index()];
    }
    for hyper in &mut draft.hyper_musts {
        hyper.source = states[hyper.source.index()];
        hyper.action = actions[hyper.action.index()];
        hyper.targets.iter_mut().for_each(|target| *target = states[target.index()]);
    }
    for label in &mut draft.labels {
        label.state = states[label.state.index()];
        label.prop = props[label.prop.index()];
    }
    for gamma in &mut draft.gamma {
        gamma.state = states[gamma.state.index()];
        gamma.set.iter_mut().for_each(|concrete| *concrete = concretes[concrete.index()]);
    }
}

/// Builds the system of a draft whose ids are in the order of declaration.
fn build(draft: &Draft) -> PartialSystem {
    let mut builder = match draft.numbered {
        Some((n, _)) => SystemBuilder::numbered(n),
        None => SystemBuilder::named(),
    };
    if draft.numbered.is_none() {
        known(&draft.states).for_each(|name| {
            builder.state(name);
        });
    }
    known(&draft.actions).for_each(|name| {
        builder.action(name);
    });
    for (index, name) in known(&draft.props).enumerate() {
        builder.proposition(name, draft.default_label(index));
    }
    known(&draft.concretes).for_each(|name| {
        builder.concrete(name);
    });
    draft.initial.iter().for_each(|&state| builder.initial(state));
    builder.reserve(draft.edges.len());
    for edge in &draft.edges {
        builder.edge(edge.source, edge.action, edge.target, edge.modality);
    }
    for hyper in &draft.hyper_musts {
        builder.hyper_must(hyper.source, hyper.action, hyper.targets.clone());
    }
    for label in &draft.labels {
        builder.label(label.state, label.prop, label.value);
    }
    for gamma in &draft.gamma {
        gamma.set.iter().for_each(|&concrete| builder.concretise(gamma.state, concrete));
    }
    builder.build()
}
