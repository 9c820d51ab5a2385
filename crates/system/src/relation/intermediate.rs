//! Transitions as labels: a modal transition system, or any partial system, as a partial Kripke structure.
//!
//! Every transition s -x-> t gets a state in its middle that carries the proposition `exists_x` with the value of the
//! transition: true for may and must, unknown for may only, inconsistent for must only. The steps s -> middle -> t
//! are certain and carry no action. A hyper-must into X gets a middle with `exists_x` inconsistent (it is no may) and
//! steps to all of X. Middles with the same action, value and targets are shared. Translation of formulas:
//!
//! - `<x> f` becomes `<>(exists_x && []f)`: some middle that exists, all of whose targets satisfy f;
//! - `[x] f` becomes `[](!exists_x || <>f)`, its dual.
//!
//! A middle of a single transition has one successor, where `[]` and `<>` are the same. Three-valued inputs give
//! three-valued labels, so modal transition systems become partial Kripke structures; musts outside may make labels
//! inconsistent. Values of formulas are the same at the original states; at middles they mean nothing.

use super::encoding::{Encoding, Untranslatable, encode, fresh, matches};
use crate::{ActionId, Modality, PartialSystem, PropId, StateId, SystemBuilder, UNLABELLED};
use rustc_hash::FxHashMap;
use tertium_logic::{ActionFormula, Formula, FormulaKind};
use tertium_support::{Id, Span};
use tertium_truth::Belnap;

/// A system without actions and with certain transitions only, and how formulas speak about it.
#[derive(Clone, Debug)]
pub struct TransitionsAsLabels {
    /// The original states first, under their old ids and names, then the middles.
    pub system: PartialSystem,
    /// For each action the proposition that says that a transition exists.
    pub existence: Vec<(String, String)>,
}

/// Turns the modalities and actions of transitions into labels. A domain is dropped: middles stand for nothing.
pub fn transitions_to_labels(system: &PartialSystem) -> TransitionsAsLabels {
    let mut existence: Vec<(String, String)> = Vec::new();
    for name in system.actions().names() {
        let proposition = fresh(&format!("exists_{name}"), |candidate| {
            system.labels().names().get(candidate).is_some() || existence.iter().any(|(_, p)| p == candidate)
        });
        existence.push((name.to_owned(), proposition));
    }
    let mut middles = Middles::new(system, &existence);
    for state in system.states() {
        for edge in system.edges(state) {
            let value = match edge.modality {
                Modality::Both => Belnap::True,
                Modality::May => Belnap::Unknown,
                Modality::Must => Belnap::Inconsistent,
            };
            middles.step(state, edge.action, value, vec![edge.other]);
        }
        for (action, targets) in system.hyper_musts().of(state) {
            middles.step(state, action, Belnap::Inconsistent, targets.to_vec());
        }
    }
    TransitionsAsLabels { system: middles.builder.build(), existence }
}

/// The new system with the middles made so far.
struct Middles<'a> {
    old: &'a PartialSystem,
    builder: SystemBuilder,
    step: ActionId,
    existence: Vec<PropId>,
    known: FxHashMap<(ActionId, Belnap, Vec<StateId>), StateId>,
}

impl<'a> Middles<'a> {
    fn new(old: &'a PartialSystem, existence: &[(String, String)]) -> Self {
        let mut builder = SystemBuilder::named();
        for state in old.states() {
            builder.state(&old.state_name(state));
        }
        old.initial().iter().for_each(|&s| builder.initial(s));
        // At middles every old proposition, and everywhere else every new one, is plainly false.
        for (prop, name) in old.labels().names().ids().zip(old.labels().names().names()) {
            let new = builder.proposition(name, Belnap::False);
            old.states().for_each(|s| builder.label(s, new, old.labels().get(prop, s)));
        }
        let existence = existence.iter().map(|(_, name)| builder.proposition(name, Belnap::False)).collect();
        let step = builder.action(UNLABELLED);
        Self { old, builder, step, existence, known: FxHashMap::default() }
    }

    /// Adds a transition with a middle.
    fn step(&mut self, source: StateId, action: ActionId, value: Belnap, targets: Vec<StateId>) {
        let key = (action, value, targets);
        let middle = match self.known.get(&key) {
            Some(&middle) => middle,
            None => {
                let middle = self.middle(&key);
                self.known.insert(key, middle);
                middle
            }
        };
        self.builder.edge(source, self.step, middle, Modality::Both);
    }

    fn middle(&mut self, (action, value, targets): &(ActionId, Belnap, Vec<StateId>)) -> StateId {
        let names: Vec<_> = targets.iter().map(|&t| self.old.state_name(t)).collect();
        let name = format!("{}_{}_{}", self.old.actions().name(*action), value.letter(), names.join("_"));
        let name = fresh(&name, |candidate| self.builder.find_state(candidate).is_some());
        let middle = self.builder.state(&name);
        self.builder.label(middle, self.existence[action.index()], *value);
        for &target in targets {
            self.builder.edge(middle, self.step, target, Modality::Both);
        }
        middle
    }
}

impl TransitionsAsLabels {
    /// The formula about the new system that has the value of `formula` about the old one, at every old state.
    /// Regular modalities and CTL must have been expanded.
    pub fn translate(&self, formula: &Formula) -> Result<Formula, Untranslatable> {
        encode(self, formula)
    }

    /// That a transition with one of these actions exists, said at its middle.
    fn exists(&self, actions: &ActionFormula) -> Formula {
        let with = self.existence.iter().filter(|(action, _)| matches(actions, action));
        Formula::any(with.map(|(_, proposition)| Formula::proposition(proposition)).collect())
    }
}

impl Encoding for TransitionsAsLabels {
    fn proposition(&self, name: &str, span: Span) -> Result<FormulaKind, Untranslatable> {
        let known = self.system.labels().names().get(name).is_some();
        if !known || self.existence.iter().any(|(_, new)| new == name) {
            return Err(Untranslatable::UnknownProposition(name.to_owned(), span));
        }
        Ok(FormulaKind::Proposition(name.to_owned()))
    }

    fn diamond(&self, actions: &ActionFormula, body: Formula) -> Formula {
        let all = Formula::box_(ActionFormula::True, body);
        Formula::diamond(ActionFormula::True, Formula::all(vec![self.exists(actions), all]))
    }

    fn box_(&self, actions: &ActionFormula, body: Formula) -> Formula {
        let some = Formula::diamond(ActionFormula::True, body);
        Formula::box_(ActionFormula::True, Formula::any(vec![self.exists(actions).negated(), some]))
    }
}
