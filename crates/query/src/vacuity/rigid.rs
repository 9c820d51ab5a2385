//! Rigid variables: variables of the manager that no step knows, so that whoever moves leaves them alone.
//!
//! Numbers in binary on them name the instances of a formula that are checked at once. They come first in the order: measured on
//! production-cell, a public model, that is 27 times faster than having them last.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::StopReason;

/// The rigid variables of one manager, made as they are needed and used again.
#[derive(Debug, Default)]
pub struct Rigid {
    vars: Vec<Var>,
}

impl Rigid {
    /// So many variables.
    pub(crate) fn vars(&mut self, manager: &Manager, n: usize) -> Result<&[Var], StopReason> {
        if self.vars.len() < n {
            self.vars.extend(manager.add_first_vars(n - self.vars.len())?);
        }
        Ok(&self.vars[..n])
    }

    /// Variables for the numbers below `n`.
    pub(crate) fn code(&mut self, manager: &Manager, n: usize) -> Result<Code<'_>, StopReason> {
        let width = n.next_power_of_two().trailing_zeros() as usize;
        Ok(Code { vars: self.vars(manager, width)? })
    }
}

/// Numbers in binary.
pub(crate) struct Code<'r> {
    vars: &'r [Var],
}

impl Code<'_> {
    /// True for one number.
    pub(crate) fn is(&self, manager: &Manager, number: usize) -> Result<Bdd, StopReason> {
        let literals = self.vars.iter().enumerate().map(|(bit, &var)| (var, number >> bit & 1 == 1));
        Bdd::cube(manager, literals.collect::<Vec<_>>())
    }

    /// The value for one number of a function of these variables.
    pub(crate) fn at(&self, function: &Bdd, number: usize) -> bool {
        function.eval(|var| {
            let bit = self.vars.iter().position(|&own| own == var).expect("a function of the code");
            number >> bit & 1 == 1
        })
    }
}
