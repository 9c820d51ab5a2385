//! Whether an answer depends on how paths that end are read.
//!
//! At a state without steps paths end. The other reading lets them stay there: such a state has a step to itself, with any input. The
//! answer depends on the reading if the same question has another answer on the model with these steps. Reachable states are the same in
//! both, so they are not looked for again. Cost: once more what was asked, and no more steps of diagrams than were taken before.
//!
//! For CTL without justice there is a formula that says what the given one says in the other reading; it is asked of the model as it is.

use super::checker::{Options, SymbolicChecker, deadlock};
use super::outcome::{SymbolicAssumption, SymbolicError};
use tertium_dd::Bdd;
use tertium_logic::{Formula, FormulaKind, Staying, staying_at_ends};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;

/// So many steps of diagrams the other reading may take in any case.
const FREE: u64 = 1 << 20;

impl SymbolicChecker<'_> {
    /// Says so if a reachable state has no steps and the verdict of a formula would be another one in the other reading.
    pub(crate) fn note_dependence(
        &mut self,
        formula: &Formula,
        holds: bool,
        assumptions: &mut Vec<SymbolicAssumption>,
    ) {
        if !self.options.find_deadlocks || !self.may_depend(formula) {
            return;
        }
        let is_just = !self.model.justice.is_empty();
        self.note_deadlock(assumptions, |checker| match staying_at_ends(formula) {
            Staying::Other(staying) if !is_just => Ok(Some(checker.decide_ctl(&staying)? == holds)),
            _ if has_modalities(formula) => Ok(None),
            _ => checker.where_ends_stay(|other| Ok(Some(other.decide_ctl(formula)? == holds))),
        });
    }

    /// Whether a formula can have different values in the two readings at all.
    fn may_depend(&self, formula: &Formula) -> bool {
        !self.model.justice.is_empty() || staying_at_ends(formula) != Staying::Same
    }

    /// Says so if a reachable state has no steps and an answer about a formula would be another one in the other reading, such as where
    /// parts of the formula are replaced. `is_same` asks a checker of the other reading whether it is the same.
    pub fn note_dependence_of(
        &mut self,
        formula: &Formula,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: impl FnOnce(&mut SymbolicChecker<'_>) -> Result<bool, SymbolicError>,
    ) {
        if self.may_depend(formula) {
            self.note_deadlock(assumptions, |checker| match has_modalities(formula) {
                true => Ok(None),
                false => checker.where_ends_stay(is_same).map(Some),
            });
        }
    }

    /// Says so if a reachable state has no steps and an answer would be another one in the other reading. `is_same` says whether it is the
    /// same, if it can, and is asked only then.
    pub fn note_deadlock(
        &mut self,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: impl FnOnce(&mut Self) -> Result<Option<bool>, SymbolicError>,
    ) {
        let trace = match self.deadlock() {
            Ok(None) => return,
            Ok(Some(trace)) => trace,
            Err(reason) => return assumptions.push(SymbolicAssumption::DeadlocksUnknown(Some(reason))),
        };
        match is_same(self) {
            Ok(Some(true)) => {}
            Ok(Some(false)) => assumptions.push(deadlock(&trace)),
            // Or the allowance of steps was used up.
            Ok(None) | Err(SymbolicError::Stopped(StopReason::NodeLimit) | SymbolicError::Refused(_)) => {
                assumptions.push(SymbolicAssumption::DeadlocksUnknown(None));
            }
            Err(SymbolicError::Stopped(reason)) => {
                assumptions.push(SymbolicAssumption::DeadlocksUnknown(Some(reason)));
            }
        }
    }

    /// Asks a checker of the model in the other reading. Modalities speak of steps and not of paths, so formulas must have none.
    pub fn where_ends_stay<T>(
        &mut self,
        ask: impl FnOnce(&mut SymbolicChecker<'_>) -> Result<T, SymbolicError>,
    ) -> Result<T, SymbolicError> {
        let among = if self.reach.complete { &self.reach.states } else { &self.model.invar };
        let ends = self.model.relation.deadlocks(among)?;
        let relation = self.model.relation.staying_at(&ends.and(&any_input(self.model)?)?)?;
        let model = SymbolicModel { relation, ..self.model.clone() };
        let manager = &self.model.manager;
        manager.allow_steps(Some(manager.n_steps().max(FREE)));
        let options = Options { evidence: 0, find_deadlocks: false, ..self.options };
        let mut other = SymbolicChecker::new(self.context, &model, options).knowing(&self.reach);
        // The variables of tableaux can be used again.
        std::mem::swap(&mut other.linear.bits, &mut self.linear.bits);
        let answer = ask(&mut other);
        std::mem::swap(&mut other.linear.bits, &mut self.linear.bits);
        manager.allow_steps(None);
        answer
    }
}

/// The codes of inputs that stand for values.
fn any_input(model: &SymbolicModel) -> Result<Bdd, StopReason> {
    let mut all = model.manager.constant(true);
    for variable in model.variables.iter().filter(|variable| variable.is_input) {
        let mut at_most = model.manager.constant(true);
        for (bit, &var) in variable.current.iter().enumerate() {
            let zero = model.manager.var(var)?.not();
            let is_set = variable.last_code >> bit & 1 == 1;
            at_most = if is_set { at_most.or(&zero)? } else { at_most.and(&zero)? };
        }
        all = all.and(&at_most)?;
    }
    Ok(all)
}

/// Whether a formula speaks of steps by themselves.
fn has_modalities(formula: &Formula) -> bool {
    formula.preorder().any(|part| matches!(part.kind, FormulaKind::Modal(..)))
}
