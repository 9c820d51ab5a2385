//! Rigid variables: variables of the manager that no step knows, so that whoever moves leaves them alone.
//!
//! Their values name instances of a formula that are checked at once. They come first in the order: measured on
//! production-cell, a public model, that is 27 times faster than having them last.

use tertium_dd::{Manager, Var};
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
}
