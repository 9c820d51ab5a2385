//! The equations of one side for one block of 64 instances.
//!
//! Components are solved in order, like in `necessity`, with a word where that has a bit. A value that is the same at all states or
//! in all instances is not spread out, and one that is that of an operand is shared with it: most instances leave
//! most of a formula alone.

use super::{FurtherValues, Side, WIDTH};
use crate::equations::{EquationId, Operator, Recursion};
use crate::names::ActionSet;
use crate::necessity::Necessity;
use std::rc::Rc;
use tertium_support::{Context, Id, StopReason};
use tertium_system::{PartialSystem, StateId, StateSet};

/// Where an equation holds, in each of the instances.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// The same at all states.
    Rigid(u64),
    /// The same in all instances.
    Shared(&'a StateSet),
    /// A word for each state.
    Words(Rc<Vec<u64>>),
}

impl Value<'_> {
    /// The word at a state.
    #[inline]
    pub(super) fn at(&self, state: StateId) -> u64 {
        match self {
            Self::Rigid(word) => *word,
            Self::Shared(states) => {
                if states.contains(state) {
                    !0
                } else {
                    0
                }
            }
            Self::Words(words) => words[state.index()],
        }
    }
}

/// The values found so far.
pub(super) struct Block<'a> {
    pub(super) context: &'a Context,
    pub(super) side: &'a Side<'a>,
    shared: &'a Necessity,
    /// Which block it is.
    number: usize,
    /// How many instances it has.
    pub(super) width: usize,
    /// For equations that depend on further propositions.
    values: Vec<Option<Value<'a>>>,
}

impl<'a> Block<'a> {
    /// The value of the whole formula.
    pub(super) fn solve(
        context: &'a Context,
        side: &'a Side<'a>,
        shared: &'a Necessity,
        number: usize,
        width: usize,
    ) -> Result<Value<'a>, StopReason> {
        debug_assert!((1..=WIDTH).contains(&width), "a block has instances, and a bit for each");
        let values = vec![None; side.equations.len()];
        let mut block = Self { context, side, shared, number, width, values };
        for (members, recursion) in side.equations.components() {
            if side.depends[members[0].index()] {
                block.component(members, *recursion)?;
            }
        }
        Ok(block.value(side.equations.root()))
    }

    fn component(&mut self, members: &[EquationId], recursion: Recursion) -> Result<(), StopReason> {
        match recursion {
            Recursion::None => {
                let value = self.evaluate(members[0])?;
                self.set(members[0], value);
                Ok(())
            }
            Recursion::Single(sign) => self.spread(members, sign),
            Recursion::Alternating => self.alternate(members),
        }
    }

    /// As [`Self::component`], but without games.
    pub(super) fn inner_component(
        &mut self,
        members: &[EquationId],
        recursion: Recursion,
        rounds: &mut usize,
    ) -> Result<bool, StopReason> {
        match recursion {
            Recursion::Alternating => self.iterate(members, rounds),
            other => self.component(members, other).map(|()| true),
        }
    }

    pub(super) fn system(&self) -> &'a PartialSystem {
        self.side.prepared.system()
    }

    /// The value of an equation that is solved.
    pub(super) fn value(&self, id: EquationId) -> Value<'a> {
        if !self.side.depends[id.index()] {
            return Value::Shared(&self.shared.holds[id.index()]);
        }
        self.values[id.index()].clone().expect("what an equation depends on is solved before")
    }

    pub(super) fn set(&mut self, id: EquationId, value: Value<'a>) {
        debug_assert!(
            self.side.depends[id.index()],
            "only what depends on further propositions is kept here"
        );
        debug_assert!(
            !matches!(&value, Value::Words(words) if words.len() != self.system().n_states()),
            "one word per state"
        );
        self.values[id.index()] = Some(value);
    }

    /// A word for each state.
    pub(super) fn words(&self, mut word: impl FnMut(StateId) -> u64) -> Result<Value<'a>, StopReason> {
        let system = self.system();
        self.context.reserve(8 * system.n_states() as u64)?;
        let mut ticker = self.context.ticker("instances");
        let mut words = Vec::with_capacity(system.n_states());
        for state in system.states() {
            ticker.tick(1)?;
            words.push(word(state));
        }
        Ok(Value::Words(Rc::new(words)))
    }

    /// The value of an equation whose operands are solved.
    fn evaluate(&self, id: EquationId) -> Result<Value<'a>, StopReason> {
        let system = self.system();
        if let Some((values, negated)) = self.side.further[id.index()] {
            let flip = if negated { !0 } else { 0 };
            return match values {
                FurtherValues::Rigid(words) => Ok(Value::Rigid(words[self.number] ^ flip)),
                FurtherValues::ByState(word) => self.words(|state| {
                    let word = word(state, self.number);
                    if negated { !word.may } else { word.must }
                }),
            };
        }
        match self.side.equations.operator(id) {
            Operator::And(parts) => self.combine(parts, !0, |a, b| a & b),
            Operator::Or(parts) => self.combine(parts, 0, |a, b| a | b),
            Operator::Diamond(set, body) => {
                let (actions, body) = (self.side.equations.actions(*set), self.value(*body));
                self.words(|state| diamond(system, actions, state, |target| body.at(target)))
            }
            Operator::Box(set, body) => {
                let (actions, body) = (self.side.equations.actions(*set), self.value(*body));
                self.words(|state| box_(system, actions, state, |target| body.at(target)))
            }
            Operator::Fixpoint { body, .. } => Ok(self.value(*body)),
            Operator::Constant(_) | Operator::Literal { .. } | Operator::Cover(_) => {
                unreachable!(
                    "these do not depend on further propositions, and covers are not of the standard semantics"
                )
            }
        }
    }

    /// A conjunction or a disjunction, with its neutral element.
    fn combine(
        &self,
        parts: &[EquationId],
        neutral: u64,
        join: impl Fn(u64, u64) -> u64,
    ) -> Result<Value<'a>, StopReason> {
        let mut rigid = neutral;
        let mut others = Vec::new();
        for &part in parts {
            match self.value(part) {
                Value::Rigid(word) => rigid = join(rigid, word),
                other => others.push(other),
            }
        }
        match others.as_slice() {
            [] => Ok(Value::Rigid(rigid)),
            _ if rigid == !neutral => Ok(Value::Rigid(rigid)),
            [only] if rigid == neutral => Ok(only.clone()),
            _ => self.words(|state| others.iter().fold(rigid, |word, other| join(word, other.at(state)))),
        }
    }
}

/// The instances in which some must of the state with one of the actions leads to where `word` holds; of a hyper-must all targets count.
pub(super) fn diamond(
    system: &PartialSystem,
    actions: &ActionSet,
    state: StateId,
    word: impl Fn(StateId) -> u64,
) -> u64 {
    let (labels, targets) = system.transitions().row(state);
    let mut any = 0;
    for (label, &target) in labels.iter().zip(targets) {
        if label.is_must() && actions.contains(label.action()) {
            any |= word(target);
        }
    }
    for (action, targets) in system.hyper_musts().of(state) {
        if actions.contains(action) {
            any |= targets.iter().fold(!0, |all, &target| all & word(target));
        }
    }
    any
}

/// The instances in which all mays of the state with one of the actions lead to where `word` holds.
fn box_(system: &PartialSystem, actions: &ActionSet, state: StateId, word: impl Fn(StateId) -> u64) -> u64 {
    let (labels, targets) = system.transitions().row(state);
    let mut all = !0;
    for (label, &target) in labels.iter().zip(targets) {
        if label.is_may() && actions.contains(label.action()) {
            all &= word(target);
        }
    }
    all
}
