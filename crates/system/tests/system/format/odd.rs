//! Random systems of every family with names no language would choose, and what tests say about complaints.

use tertium_support::{Diagnostic, Id, Rng, Source};
use tertium_system::format::{Family, ReadError, domain_faults};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_testkit::{SystemShape, random_system};
use tertium_truth::Belnap;

/// Names that need quotes, look like something else, or are quite ordinary.
const NAMES: [&str; 22] = [
    "a",
    "b",
    "",
    "a b",
    "\"",
    "\\",
    "\\n",
    "state",
    "init",
    "->",
    "é∧",
    "x'",
    "0",
    "1",
    "//",
    "#",
    "may:x",
    "must:may:y",
    "{s}",
    "x\",3)",
    "\t",
    "semi;colon",
];

/// A name that was not drawn before.
fn fresh(rng: &mut Rng, used: &mut Vec<String>) -> String {
    let mut name = (*rng.pick(&NAMES)).to_owned();
    while used.contains(&name) {
        name.push(*rng.pick(&['x', ' ', '"', '1']));
    }
    used.push(name.clone());
    name
}

/// A random system of a random family; half of the time its states have odd names.
pub(crate) fn odd_system(rng: &mut Rng) -> PartialSystem {
    let states = rng.between(1, 6);
    let shape = match rng.below(4) {
        0 => SystemShape::complete(states),
        1 => SystemShape::kmts(states),
        2 => SystemShape::mixed(states),
        _ => SystemShape::gkmts(states),
    };
    let with_domain = rng.chance(0.4);
    loop {
        let plain = random_system(rng, shape);
        let system = rename(rng, &plain, with_domain);
        if domain_faults(&system).is_empty() {
            return system;
        }
    }
}

/// A random system that fits into an `.aut` file: modal, or plain.
pub(crate) fn odd_lts(rng: &mut Rng, may_only: f64) -> PartialSystem {
    let shape = SystemShape { propositions: 0, may_only, ..SystemShape::complete(rng.between(1, 6)) };
    loop {
        let plain = random_system(rng, shape);
        let system = rename(rng, &plain, false);
        if system.initial().len() == 1 {
            return system;
        }
    }
}

fn rename(rng: &mut Rng, system: &PartialSystem, with_domain: bool) -> PartialSystem {
    let mut builder = if rng.chance(0.5) {
        SystemBuilder::numbered(system.n_states())
    } else {
        let mut builder = SystemBuilder::named();
        let mut used = Vec::new();
        for _ in system.states() {
            let name = fresh(rng, &mut used);
            builder.state(&name);
        }
        builder
    };
    let mut used = Vec::new();
    let actions: Vec<_> =
        system.actions().ids().map(|_| fresh(rng, &mut used)).map(|name| builder.action(&name)).collect();
    system.initial().iter().for_each(|&state| builder.initial(state));
    for state in system.states() {
        for edge in system.edges(state) {
            builder.edge(state, actions[edge.action.index()], edge.other, edge.modality);
        }
        for (action, targets) in system.hyper_musts().of(state) {
            builder.hyper_must(state, actions[action.index()], targets.to_vec());
        }
    }
    let mut used = Vec::new();
    let n_concrete = rng.between(1, 5);
    let concrete: Vec<_> = match with_domain {
        true => (0..n_concrete).map(|_| fresh(rng, &mut used)).map(|name| builder.concrete(&name)).collect(),
        false => Vec::new(),
    };
    let mut consistent = vec![false; system.n_states()];
    for state in system.states() {
        for &concrete in &concrete {
            if rng.chance(0.5) {
                builder.concretise(state, concrete);
                consistent[state.index()] = true;
            }
        }
    }
    let mut used = Vec::new();
    for prop in system.labels().names().ids() {
        let new = builder.proposition(&fresh(rng, &mut used), Belnap::Unknown);
        for state in system.states() {
            let value = match system.labels().get(prop, state) {
                Belnap::Inconsistent if consistent[state.index()] => Belnap::True,
                value => value,
            };
            builder.label(state, new, value);
        }
    }
    builder.build()
}

/// The families a system belongs to, and none.
pub(crate) fn declarable(system: &PartialSystem) -> Vec<Option<Family>> {
    let families = Family::ALL.into_iter().filter(|family| family.admits(system));
    families.map(Some).chain([None]).collect()
}

/// States, initial states and transitions by the names of their actions: what `.aut` carries.
type Content = (usize, Vec<StateId>, Vec<(StateId, String, StateId, Modality)>);

/// The content of a system for the purposes of `.aut`.
pub(crate) fn content(system: &PartialSystem) -> Content {
    let mut edges = Vec::new();
    for state in system.states() {
        for edge in system.edges(state) {
            edges.push((state, system.actions().name(edge.action).to_owned(), edge.other, edge.modality));
        }
    }
    edges.sort_by(|a, b| (a.0, &a.1, a.2).cmp(&(b.0, &b.1, b.2)));
    (system.n_states(), system.initial().to_vec(), edges)
}

/// The complaints of a failed reading.
pub(crate) fn complaints<T: std::fmt::Debug>(result: Result<T, ReadError>) -> Vec<Diagnostic> {
    match result {
        Err(ReadError::Faulty(list)) => list,
        other => panic!("expected complaints, got {other:?}"),
    }
}

/// `line:column message` of each complaint.
pub(crate) fn located(source: &Source, list: &[Diagnostic]) -> Vec<String> {
    let place = |fault: &Diagnostic| source.line_column(fault.span.start);
    list.iter().map(|fault| format!("{}:{} {}", place(fault).0, place(fault).1, fault.message)).collect()
}
