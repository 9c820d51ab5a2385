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
        while self.vars.len() < n {
            let var = manager.add_var();
            self.vars.push(var);
            let others = manager.order().into_iter().filter(|&other| other != var);
            let order: Vec<Var> = std::iter::once(var).chain(others).collect();
            manager.set_order(&order)?;
        }
        Ok(&self.vars[..n])
    }
}
