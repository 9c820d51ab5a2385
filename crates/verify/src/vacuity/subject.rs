//! Properties of models whose parts are asked about: what formulas of branching and of linear time have in common, and where they
//! differ.

use super::{MOST_SETS, VacuityMethod};
use crate::Logic;
use tertium_check::symbolic::{SymbolicAssumption, SymbolicChecker, SymbolicError};
use tertium_logic::{Formula, Ltl, Syntax, Written};
use tertium_query::{Findings, LinearVacuity, MutualFindings, Property, Rigid, VacuityChecker};

/// Asks a checker whether it finds the same.
pub(crate) type IsSame<'s> = dyn FnMut(&mut SymbolicChecker<'_>) -> Result<bool, SymbolicError> + 's;

/// A property with its parts.
pub(crate) trait Subject {
    /// What it is written in.
    type Formula: Syntax;

    /// The formula with its parts.
    fn written(&self) -> &Written<Self::Formula>;

    /// The vacuous parts, and the sets of them that can go together where that is asked.
    fn findings(
        &self,
        checker: &mut SymbolicChecker<'_>,
        rigid: &mut Rigid,
        method: VacuityMethod,
    ) -> Result<(Findings, Option<MutualFindings>), SymbolicError>;

    /// What is left when the vacuous parts are replaced.
    fn left(
        &self,
        checker: &mut SymbolicChecker<'_>,
        rigid: &mut Rigid,
        findings: &Findings,
    ) -> Result<Self::Formula, SymbolicError>;

    /// What answers rely on besides the input.
    fn assumptions(
        &self,
        checker: &mut SymbolicChecker<'_>,
    ) -> Result<Vec<SymbolicAssumption>, SymbolicError>;

    /// Says so if findings depend on how paths that end are read. `is_same` asks a checker of the other reading.
    fn note_dependence(
        &self,
        checker: &mut SymbolicChecker<'_>,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: &mut IsSame<'_>,
    );

    /// The same property with another formula.
    fn kind(&self, formula: Self::Formula) -> Logic;
}

/// A formula of CTL, or an invariant.
pub(crate) struct Branching {
    pub(crate) property: Property,
    pub(crate) written: Written<Formula>,
}

impl Subject for Branching {
    type Formula = Formula;

    fn written(&self) -> &Written<Formula> {
        &self.written
    }

    fn findings(
        &self,
        checker: &mut SymbolicChecker<'_>,
        rigid: &mut Rigid,
        method: VacuityMethod,
    ) -> Result<(Findings, Option<MutualFindings>), SymbolicError> {
        let (property, written) = (self.property, &self.written);
        let mut vacuity = VacuityChecker::new(checker, rigid);
        let atoms = written.atoms();
        Ok(match method {
            VacuityMethod::Naive => (vacuity.naive(property, written, &atoms)?, None),
            VacuityMethod::Vaquot => (vacuity.vaquot(property, written, &atoms)?, None),
            VacuityMethod::Refine => (vacuity.refine(property, written)?, None),
            VacuityMethod::Mutual => {
                let found = vacuity.vaquot(property, written, &atoms)?;
                let mutual = vacuity.mutual(property, written, &found.vacuous, MOST_SETS)?;
                (found, Some(mutual))
            }
        })
    }

    fn left(
        &self,
        checker: &mut SymbolicChecker<'_>,
        rigid: &mut Rigid,
        findings: &Findings,
    ) -> Result<Formula, SymbolicError> {
        let mut vacuity = VacuityChecker::new(checker, rigid);
        Ok(vacuity.strengthen(self.property, &self.written, findings)?.0)
    }

    fn assumptions(
        &self,
        checker: &mut SymbolicChecker<'_>,
    ) -> Result<Vec<SymbolicAssumption>, SymbolicError> {
        match self.property {
            Property::Ctl => Ok(checker.standpoint()?.1),
            Property::Invariant => Ok(Vec::new()),
        }
    }

    fn note_dependence(
        &self,
        checker: &mut SymbolicChecker<'_>,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: &mut IsSame<'_>,
    ) {
        if self.property == Property::Ctl {
            checker.note_dependence_of(self.written.formula(), assumptions, is_same);
        }
    }

    fn kind(&self, formula: Formula) -> Logic {
        match self.property {
            Property::Ctl => Logic::Branching(formula),
            Property::Invariant => Logic::Invariant(formula),
        }
    }
}

/// A formula of LTL.
pub(crate) struct Linear {
    pub(crate) written: Written<Ltl>,
}

impl Subject for Linear {
    type Formula = Ltl;

    fn written(&self) -> &Written<Ltl> {
        &self.written
    }

    fn findings(
        &self,
        checker: &mut SymbolicChecker<'_>,
        _: &mut Rigid,
        method: VacuityMethod,
    ) -> Result<(Findings, Option<MutualFindings>), SymbolicError> {
        let mut vacuity = LinearVacuity::new(checker);
        let atoms = self.written.atoms();
        Ok(match method {
            VacuityMethod::Naive => (vacuity.naive(&self.written, &atoms)?, None),
            VacuityMethod::Vaquot => (vacuity.one_sided(&self.written, &atoms)?, None),
            VacuityMethod::Refine => (vacuity.refine(&self.written)?, None),
            VacuityMethod::Mutual => {
                let found = vacuity.one_sided(&self.written, &atoms)?;
                let mutual = vacuity.mutual(&self.written, &found.vacuous, MOST_SETS)?;
                (found, Some(mutual))
            }
        })
    }

    fn left(
        &self,
        checker: &mut SymbolicChecker<'_>,
        _: &mut Rigid,
        findings: &Findings,
    ) -> Result<Ltl, SymbolicError> {
        Ok(LinearVacuity::new(checker).strengthen(&self.written, findings)?.0)
    }

    fn assumptions(
        &self,
        checker: &mut SymbolicChecker<'_>,
    ) -> Result<Vec<SymbolicAssumption>, SymbolicError> {
        let nothing = checker.model().init.is_false();
        Ok(nothing.then_some(SymbolicAssumption::NoInitialState).into_iter().collect())
    }

    fn note_dependence(
        &self,
        checker: &mut SymbolicChecker<'_>,
        assumptions: &mut Vec<SymbolicAssumption>,
        is_same: &mut IsSame<'_>,
    ) {
        checker.note_deadlock(assumptions, |checker| checker.where_ends_stay(is_same).map(Some));
    }

    fn kind(&self, formula: Ltl) -> Logic {
        Logic::Linear(formula)
    }
}
