//! What proves a claim about all reachable states: these states themselves.
//!
//! If all reachable states are known and none violates the claim, they are an inductive set that implies it: they hold
//! the initial states, no step leaves them. Whoever doubts that can check it without a fixpoint. Properties that hold
//! for another reason, such as a bad state that lies on no fair path, have no such certificate.

use super::checker::SymbolicChecker;
use tertium_dd::Bdd;
use tertium_logic::{
    Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier, as_claim,
    is_boolean,
};
use tertium_support::StopReason;

impl SymbolicChecker<'_> {
    /// The reachable states, if they prove that a formula without temporal operators holds in each.
    pub fn invariant_certificate(&mut self, formula: &Formula) -> Result<Option<Bdd>, StopReason> {
        if !is_boolean(formula) {
            return Ok(None);
        }
        let bad = self.boolean(formula)?.not();
        self.certificate(&bad)
    }

    /// The reachable states, if they prove a formula of branching time: `AG` of one without temporal operators, or a conjunction of such.
    pub fn branching_certificate(&mut self, formula: &Formula) -> Result<Option<Bdd>, StopReason> {
        match self.violated_by(formula)? {
            Some(bad) => self.certificate(&bad),
            None => Ok(None),
        }
    }

    /// The reachable states, if they prove a formula of linear time: `G` of one without temporal operators, or a conjunction of such.
    pub fn linear_certificate(&mut self, formula: &Ltl) -> Result<Option<Bdd>, StopReason> {
        match self.violating_places(formula)? {
            Some(bad) => self.certificate(&bad),
            None => Ok(None),
        }
    }

    fn certificate(&self, bad: &Bdd) -> Result<Option<Bdd>, StopReason> {
        if !self.reach.complete || !self.reach.states.is_disjoint(bad)? {
            return Ok(None);
        }
        debug_assert_eq!(self.model.init.is_subset(&self.reach.states), Ok(true), "what begins is reachable");
        Ok(Some(self.reach.states.clone()))
    }

    /// Where what a formula says of every reachable state fails, if it says nothing else.
    fn violated_by(&mut self, formula: &Formula) -> Result<Option<Bdd>, StopReason> {
        match &as_claim(formula, true).kind {
            FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(inner)) => {
                if is_boolean(inner) {
                    return Ok(Some(self.boolean(inner)?.not()));
                }
                self.violated_by(inner)
            }
            FormulaKind::And(parts) => {
                let mut bad = self.model.manager.constant(false);
                for part in parts {
                    let Some(own) = self.violated_by(part)? else { return Ok(None) };
                    bad = bad.or(&own)?;
                }
                Ok(Some(bad))
            }
            _ => Ok(None),
        }
    }

    /// Where what a formula says of every place of all paths fails, if it says nothing else. Depends on inputs, perhaps.
    fn violating_places(&mut self, formula: &Ltl) -> Result<Option<Bdd>, StopReason> {
        match &formula.kind {
            LtlKind::Unary(LtlUnary::Globally, inner) => match self.place(inner)? {
                Some(good) => Ok(Some(good.not())),
                None => self.violating_places(inner),
            },
            LtlKind::Unary(LtlUnary::Not, inner) => match &inner.kind {
                LtlKind::Unary(LtlUnary::Finally, inner) => self.place(inner),
                _ => Ok(None),
            },
            LtlKind::Binary(LtlBinary::And, left, right) => {
                let (left, right) = (self.violating_places(left)?, self.violating_places(right)?);
                left.zip(right).map(|(left, right)| left.or(&right)).transpose()
            }
            _ => Ok(None),
        }
    }

    /// Where a formula of linear time without temporal operators holds.
    fn place(&mut self, formula: &Ltl) -> Result<Option<Bdd>, StopReason> {
        Ok(Some(match &formula.kind {
            LtlKind::True => self.model.manager.constant(true),
            LtlKind::False => self.model.manager.constant(false),
            LtlKind::Proposition(name) => match self.model.propositions.get(name.as_str()) {
                Some(set) => set.clone(),
                None => return Ok(None),
            },
            LtlKind::Unary(LtlUnary::Not, inner) => match self.place(inner)? {
                Some(inner) => inner.not(),
                None => return Ok(None),
            },
            LtlKind::Binary(operator, left, right) => {
                let (Some(left), Some(right)) = (self.place(left)?, self.place(right)?) else {
                    return Ok(None);
                };
                match operator {
                    LtlBinary::And => left.and(&right)?,
                    LtlBinary::Or => left.or(&right)?,
                    LtlBinary::Xor => left.xor(&right)?,
                    LtlBinary::Implies => left.implies(&right)?,
                    LtlBinary::Iff => left.iff(&right)?,
                    _ => return Ok(None),
                }
            }
            LtlKind::Unary(..) => return Ok(None),
        }))
    }
}
