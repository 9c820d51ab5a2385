//! Which bits stand for which variable, and which codes for which values.
//!
//! A truth value has one bit, a word as many as it is wide. A range or an enumeration of n values has as many as n - 1 needs, at
//! least one; codes count from zero, in the order of the values. Codes beyond the last are no values, and a constraint excludes
//! them from all states and inputs. Each current bit stands beside its next one in the order.

use crate::lower::When;
use crate::{FlatModel, Type, Value, VarId, VarKind};
use tertium_dd::{Bdd, Manager, Var};
use tertium_encode::diagrams::circuit::{self as bits, Made};
use tertium_encode::diagrams::make_bits;
use tertium_support::Id;
use tertium_system::SymbolicVariable;

/// The bits of all variables that are encoded.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Those of the flat model that are encoded, in its order.
    pub(super) kept: Vec<VarId>,
    /// In the same order.
    pub(super) variables: Vec<SymbolicVariable>,
}

/// How many bits a variable of this type has.
pub(super) fn width_of(ty: &Type) -> usize {
    match ty {
        Type::Boolean => 1,
        Type::Word { width, .. } => *width as usize,
        Type::Range(..) | Type::Enumeration(_) => {
            let last = last_code(ty);
            (u64::BITS - last.leading_zeros()).max(1) as usize
        }
    }
}

/// The highest code that stands for a value.
pub(super) fn last_code(ty: &Type) -> u64 {
    match ty {
        Type::Boolean => 1,
        Type::Range(low, high) => high.abs_diff(*low),
        Type::Enumeration(values) => values.len().saturating_sub(1) as u64,
        Type::Word { width, .. } => u64::MAX >> (64 - (*width).clamp(1, 64)),
    }
}

/// The value that a code of a type stands for; `None` beyond the last.
pub(super) fn decode(ty: &Type, code: u64) -> Option<Value> {
    if code > last_code(ty) {
        return None;
    }
    match *ty {
        Type::Boolean => Some(Value::Boolean(code == 1)),
        Type::Range(low, _) => Some(Value::Integer(low.wrapping_add_unsigned(code))),
        Type::Enumeration(ref values) => values.get(code as usize).copied(),
        Type::Word { width, signed } => Some(Value::Word { bits: code, width, signed }),
    }
}

/// The code of a value of a type; `None` if it is not one.
pub(super) fn code_of(ty: &Type, value: Value) -> Option<u64> {
    match (ty, value) {
        (Type::Boolean, Value::Boolean(b)) => Some(b.into()),
        (Type::Range(low, high), Value::Integer(n)) if (*low..=*high).contains(&n) => Some(n.abs_diff(*low)),
        (Type::Enumeration(values), _) => values.iter().position(|&v| v == value).map(|at| at as u64),
        (&Type::Word { width, signed }, Value::Word { bits, width: w, signed: s })
            if width == w && signed == s =>
        {
            Some(bits)
        }
        _ => None,
    }
}

impl Layout {
    /// Makes these bits, each of which is numbered from the lowest of its variable; of a variable all or none.
    pub(super) fn new(manager: &Manager, model: &FlatModel, order: &[(VarId, usize)]) -> Self {
        let mut kept: Vec<VarId> = order.iter().map(|(id, _)| *id).collect();
        kept.sort_unstable();
        kept.dedup();
        let mut variables = Vec::with_capacity(kept.len());
        for id in &kept {
            let variable = &model.variables[id.index()];
            variables.push(SymbolicVariable {
                name: variable.name.clone(),
                is_input: variable.kind == VarKind::Input,
                current: Vec::new(),
                next: Vec::new(),
                last_code: last_code(&variable.ty),
            });
        }
        let order = order.iter().filter_map(|&(id, bit)| Some((kept.binary_search(&id).ok()?, bit)));
        make_bits(manager, &mut variables, order);
        Self { kept, variables }
    }

    /// Where a variable of the flat model is among those that are encoded.
    pub(super) fn place(&self, id: VarId) -> Option<usize> {
        self.kept.binary_search(&id).ok()
    }

    /// The bits of a variable; empty if it is not encoded, or an input has no next value.
    pub(super) fn vars(&self, id: VarId, when: When) -> &[Var] {
        let Some(at) = self.place(id) else { return &[] };
        match when {
            When::Now => &self.variables[at].current,
            When::Next => &self.variables[at].next,
        }
    }

    /// The same as functions.
    pub(super) fn bits(&self, manager: &Manager, id: VarId, when: When) -> Made<Vec<Bdd>> {
        self.vars(id, when).iter().map(|&var| manager.var(var)).collect()
    }

    /// Where the code of a variable stands for a value.
    pub(super) fn valid(&self, manager: &Manager, model: &FlatModel, id: VarId, when: When) -> Made<Bdd> {
        let code = self.bits(manager, id, when)?;
        let last = last_code(&model.variables[id.index()].ty);
        let last = bits::constant(manager, last.into(), code.len());
        Ok(bits::less_unsigned(manager, &last, &code)?.not())
    }
}
