//! What proves a claim about all reachable states: a set that holds the initial states, that no step leaves, and where the claim holds.
//!
//! Whoever doubts such a set can check it without a fixpoint. The reachable states are one if none violates the claim. The
//! largest one has the states from which no violation can be reached; it is found backwards, and often its diagram is much
//! smaller, down to the claim itself. Looking for it takes only a share of the steps that answers took, and ends where the
//! set is no smaller than the reachable states. Properties that hold for another reason, such as a bad state that lies on no
//! fair path, have no certificate.

use super::checker::SymbolicChecker;
use super::universe::frontier_between;
use tertium_dd::Bdd;
use tertium_logic::{
    Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier, as_claim,
    is_boolean,
};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;

/// One of so many steps of diagrams may look for smaller certificates.
const SHARE: u64 = 8;

/// A set of states that proves a claim. States that the system excludes may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InductiveSet {
    /// Where the claim holds: no step leads from there to a state that violates it.
    Claim(Bdd),
    /// These states.
    States(Bdd),
}

impl InductiveSet {
    /// The states.
    pub fn states(&self) -> &Bdd {
        match self {
            Self::Claim(states) | Self::States(states) => states,
        }
    }
}

impl SymbolicChecker<'_> {
    /// A set that proves that a formula without temporal operators holds in every reachable state.
    pub fn invariant_certificate(&mut self, formula: &Formula) -> Result<Option<InductiveSet>, StopReason> {
        if !is_boolean(formula) {
            return Ok(None);
        }
        let bad = self.boolean(formula)?.not();
        self.certificate(&bad)
    }

    /// A set that proves a formula of branching time: `AG` of one without temporal operators, or a conjunction of such.
    pub fn branching_certificate(&mut self, formula: &Formula) -> Result<Option<InductiveSet>, StopReason> {
        match self.violated_by(formula)? {
            Some(bad) => self.certificate(&bad),
            None => Ok(None),
        }
    }

    /// A set that proves a formula of linear time: `G` of one without temporal operators, or a conjunction of such.
    pub fn linear_certificate(&mut self, formula: &Ltl) -> Result<Option<InductiveSet>, StopReason> {
        match self.violating_places(formula)? {
            Some(bad) => self.certificate(&bad),
            None => Ok(None),
        }
    }

    fn certificate(&mut self, bad: &Bdd) -> Result<Option<InductiveSet>, StopReason> {
        if !self.reach.complete || !self.reach.states.is_disjoint(bad)? {
            return Ok(None);
        }
        debug_assert_eq!(self.model.init.is_subset(&self.reach.states), Ok(true), "what begins is reachable");
        let most = self.reach.states.n_nodes();
        let larger = if most > self.options.small { self.largest(bad, most) } else { None };
        Ok(Some(larger.unwrap_or_else(|| InductiveSet::States(self.reach.states.clone()))))
    }

    /// The largest set that proves that nothing bad is reachable, if it is found in few steps and has less nodes.
    fn largest(&mut self, bad: &Bdd, most: usize) -> Option<InductiveSet> {
        let manager = &self.model.manager;
        let before = manager.n_steps();
        let earned = (before - self.certificate_steps) / SHARE;
        manager.allow_steps(Some(earned.saturating_sub(self.certificate_steps)));
        let found = largest_without(self.model, bad, most);
        manager.allow_steps(None);
        self.certificate_steps += manager.n_steps() - before;
        let set = found.ok().flatten();
        debug_assert!(
            set.as_ref().is_none_or(|set| self.reach.states.is_subset(set.states()) == Ok(true)),
            "no reachable state leads to a bad one"
        );
        set
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

/// The states from which no bad state can be reached, as long as its complement has less nodes than `most`. Nothing if bad depends
/// on more than the state.
fn largest_without(
    model: &SymbolicModel,
    bad: &Bdd,
    most: usize,
) -> Result<Option<InductiveSet>, StopReason> {
    let current = &model.relation.frame().current;
    if bad.support().iter().any(|bit| !current.contains(bit)) {
        return Ok(None);
    }
    // A state with a step without meaning is as bad: the set has to show that none is met.
    let mut lost = bad.or(&model.faulty)?.and(&model.invar)?;
    let mut newest = lost.clone();
    let mut is_claim = model.faulty.is_false();
    loop {
        let new = model.relation.preimage(&newest, &model.invar.diff(&lost)?)?;
        if new.is_false() {
            break;
        }
        newest = frontier_between(&new, &lost)?;
        lost = lost.or(&new)?;
        is_claim = false;
        if lost.n_nodes() >= most {
            return Ok(None);
        }
    }
    Ok(Some(match is_claim {
        true => InductiveSet::Claim(bad.not()),
        false => InductiveSet::States(lost.restrict(&model.invar)?.not()),
    }))
}
