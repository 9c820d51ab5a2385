//! Which initial states have which solutions: classes of initial states with the same solutions.
//!
//! From a state that is in no class yet, its solutions are looked up, and all states with the same make a class. Cost: one
//! comparison of relations for each class.

use crate::question::{Question, Solutions};
use tertium_dd::{Bdd, VarSet};
use tertium_support::StopReason;

/// Initial states with the same solutions.
#[derive(Clone, Debug)]
pub struct Class {
    /// The states, in current bits.
    pub initial: Bdd,
    /// Their solutions, in the bits of the placeholder; perhaps none.
    pub solutions: Bdd,
}

/// The classes of initial states. They are disjoint and have all initial states that count.
pub fn classes<'a>(question: &Question<'a>, solutions: &Solutions) -> Result<Classes<'a>, StopReason> {
    let manager = &question.model.manager;
    Ok(Classes {
        question: *question,
        relation: solutions.relation.clone(),
        left: solutions.initial.clone(),
        states: manager.var_set(question.model.relation.frame().current.iter().copied())?,
        values: manager.var_set(question.placeholder.bits())?,
    })
}

/// See [`classes`].
#[derive(Debug)]
pub struct Classes<'a> {
    question: Question<'a>,
    relation: Bdd,
    left: Bdd,
    states: VarSet,
    values: VarSet,
}

impl Classes<'_> {
    fn class(&mut self, state: &Bdd) -> Result<Class, StopReason> {
        self.question.context.poll()?;
        let solutions = self.relation.and_exists(state, &self.states)?;
        let different = self.relation.xor(&solutions)?.exists(&self.values)?;
        let initial = self.left.diff(&different)?;
        self.left = self.left.diff(&initial)?;
        Ok(Class { initial, solutions })
    }
}

impl Iterator for Classes<'_> {
    type Item = Result<Class, StopReason>;

    fn next(&mut self) -> Option<Self::Item> {
        let codes = self.question.model.pick_state(&self.left)?;
        let class = self.question.model.state(&codes).and_then(|state| self.class(&state));
        if class.is_err() {
            self.left = self.question.model.manager.constant(false);
        }
        Some(class)
    }
}
