//! The placeholder of a query as a proposition: rigid copies of bits.
//!
//! Each bit p of the variables that the placeholder is about has a copy x_p that no step changes. The placeholder is the function
//! ⋀ (p ↔ x_p): for fixed values of the copies it says that the variables have these values, so one evaluation of the formula
//! answers for all of them \[Bob09\]. A copy stands beside its bit in the order, which keeps this function linear in the
//! number of bits.

use tertium_dd::{Bdd, Manager, Var};
use tertium_support::StopReason;
use tertium_system::SymbolicModel;

use crate::cubes::{Column, Cube, at_most};

/// The placeholder of a query.
#[derive(Clone, Debug)]
pub struct Placeholder {
    /// The proposition that stands for it in the formula.
    pub name: String,
    /// The variables that it is about.
    pub copies: Vec<RigidCopy>,
}

/// A variable of the model and the copies of its bits.
#[derive(Clone, Debug)]
pub struct RigidCopy {
    /// Its place in the model.
    pub variable: usize,
    /// The copies, the lowest first.
    pub bits: Vec<Var>,
}

impl Placeholder {
    /// Makes the copies and the proposition. The variables belong to states, and none is listed twice.
    pub fn new(model: &mut SymbolicModel, name: &str, variables: &[usize]) -> Result<Self, StopReason> {
        debug_assert!(
            variables.iter().enumerate().all(|(at, variable)| !variables[..at].contains(variable)),
            "no variable is listed twice"
        );
        debug_assert!(
            variables.iter().all(|&variable| !model.variables[variable].is_input),
            "the variables belong to states"
        );
        let copy = |&variable: &usize| {
            let current = &model.variables[variable].current;
            let bits = current.iter().map(|&bit| {
                let copy = model.manager.add_var();
                model.manager.group(&[bit, copy]);
                copy
            });
            RigidCopy { variable, bits: bits.collect() }
        };
        let copies = variables.iter().map(copy).collect();
        let placeholder = Self { name: name.to_owned(), copies };
        let all: Vec<usize> = (0..placeholder.copies.len()).collect();
        let function = placeholder.equality(model, &all)?;
        model.propositions.insert(name.to_owned(), function);
        Ok(placeholder)
    }

    /// Where the copies with these numbers are equal to what they are copies of.
    pub(crate) fn equality(&self, model: &SymbolicModel, copies: &[usize]) -> Result<Bdd, StopReason> {
        let mut pairs: Vec<(Var, Var)> = Vec::new();
        for copy in copies.iter().map(|&number| &self.copies[number]) {
            let current = &model.variables[copy.variable].current;
            debug_assert_eq!(current.len(), copy.bits.len(), "every bit has a copy");
            pairs.extend(current.iter().copied().zip(copy.bits.iter().copied()));
        }
        // From the bottom of the order upwards each conjunction is one step.
        pairs.sort_by_key(|&(bit, _)| std::cmp::Reverse(model.manager.level(bit)));
        pairs.into_iter().try_fold(model.manager.constant(true), |all, (bit, copy)| {
            model.manager.var(bit)?.iff(&model.manager.var(copy)?)?.and(&all)
        })
    }

    /// The copies as columns of a table of values.
    pub fn columns(&self, model: &SymbolicModel) -> Vec<Column> {
        let column = |copy: &RigidCopy| Column {
            bits: copy.bits.clone(),
            last_code: model.variables[copy.variable].last_code,
        };
        self.copies.iter().map(column).collect()
    }

    /// The bits of all copies.
    pub fn bits(&self) -> Vec<Var> {
        self.copies.iter().flat_map(|copy| copy.bits.iter().copied()).collect()
    }

    /// Where the copies with these numbers stand for values: spare codes are never solutions.
    pub(crate) fn valid(&self, model: &SymbolicModel, copies: &[usize]) -> Result<Bdd, StopReason> {
        let columns = self.columns(model);
        copies.iter().try_fold(model.manager.constant(true), |all, &number| {
            all.and(&at_most(&model.manager, &columns[number].bits, columns[number].last_code)?)
        })
    }

    /// How many combinations of values there are, if the number fits.
    pub fn n_candidates(&self, model: &SymbolicModel) -> Option<u128> {
        self.copies.iter().try_fold(1u128, |product, copy| {
            product.checked_mul(u128::from(model.variables[copy.variable].last_code) + 1)
        })
    }

    /// All combinations of codes that stand for values, the last variable counting fastest.
    pub(crate) fn candidates(&self, model: &SymbolicModel) -> impl Iterator<Item = Vec<u64>> + use<> {
        Cube(vec![None; self.copies.len()]).tuples(&self.columns(model))
    }

    /// The combinations of values that occur in a set of states, in the bits of the copies.
    pub fn values_in(&self, model: &SymbolicModel, states: &Bdd) -> Result<Bdd, StopReason> {
        let all: Vec<usize> = (0..self.copies.len()).collect();
        states.and_exists(&self.equality(model, &all)?, model.relation.current())
    }

    /// The set of copies with these codes.
    pub fn minterm(&self, manager: &Manager, codes: &[u64]) -> Result<Bdd, StopReason> {
        debug_assert_eq!(codes.len(), self.copies.len(), "every copy has a code");
        cube(manager, self.copies.iter().map(|copy| &copy.bits).zip(codes))
    }

    /// The states where the variables have these codes.
    pub(crate) fn states(&self, model: &SymbolicModel, codes: &[u64]) -> Result<Bdd, StopReason> {
        let current = self.copies.iter().map(|copy| &model.variables[copy.variable].current);
        cube(&model.manager, current.zip(codes))
    }
}

fn cube<'a>(
    manager: &Manager,
    parts: impl Iterator<Item = (&'a Vec<Var>, &'a u64)>,
) -> Result<Bdd, StopReason> {
    let literals = parts.flat_map(|(bits, &code)| {
        bits.iter().enumerate().map(move |(place, &bit)| (bit, code >> place & 1 == 1))
    });
    Bdd::cube(manager, literals)
}
