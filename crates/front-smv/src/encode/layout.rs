//! Which bits stand for which variable, and which codes for which values.
//!
//! A truth value has one bit, a word as many as it is wide. A range or an enumeration of n values has as many as n - 1 needs, at
//! least one; codes count from zero, in the order of the values. Codes beyond the last are no values, and a constraint excludes
//! them from all states and inputs. Each current bit stands beside its next one in the order.

use super::scalar::{Alternative, Meaning, Scalar};
use crate::{FlatModel, SymbolId, Type, Value, VarId, VarKind};
use tertium_dd::{Bdd, Manager, Var};
use tertium_encode::diagrams::Integer;
use tertium_encode::diagrams::circuit::{self as bits, Made};
use tertium_support::Id;
use tertium_system::SymbolicVariable;

/// Which state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum When {
    /// The one before, or the only one.
    Now,
    /// The one after.
    Next,
}

/// The bits of all variables that are encoded.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Those of the flat model that are encoded, in its order.
    pub(super) kept: Vec<VarId>,
    /// In the same order.
    pub(super) variables: Vec<SymbolicVariable>,
    /// By variable of the flat model: where it is in `kept`.
    places: Vec<Option<usize>>,
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
        let mut bits: Vec<Option<(Vec<Var>, Vec<Var>)>> = vec![None; model.variables.len()];
        for &(id, _) in order {
            bits[id.index()] = Some((Vec::new(), Vec::new()));
        }
        let mut made: Vec<(VarId, usize, Var, Option<Var>)> = Vec::with_capacity(order.len());
        for &(id, bit) in order {
            let now = manager.add_var();
            let next = (model.variables[id.index()].kind != VarKind::Input).then(|| manager.add_var());
            if let Some(next) = next {
                manager.group(&[now, next]);
            }
            made.push((id, bit, now, next));
        }
        made.sort_unstable_by_key(|&(id, bit, ..)| (id, bit));
        for (id, _, now, next) in made {
            if let Some((current, after)) = &mut bits[id.index()] {
                current.push(now);
                after.extend(next);
            }
        }
        let mut layout =
            Self { kept: Vec::new(), variables: Vec::new(), places: vec![None; model.variables.len()] };
        for (id, bits) in VarId::first(model.variables.len()).zip(bits) {
            let Some((current, next)) = bits else { continue };
            let variable = &model.variables[id.index()];
            layout.places[id.index()] = Some(layout.kept.len());
            layout.kept.push(id);
            layout.variables.push(SymbolicVariable {
                name: variable.name.clone(),
                is_input: variable.kind == VarKind::Input,
                current,
                next,
                last_code: last_code(&variable.ty),
            });
        }
        layout
    }

    /// Where a variable of the flat model is among those that are encoded.
    pub(super) fn place(&self, id: VarId) -> Option<usize> {
        self.places.get(id.index()).copied().flatten()
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

    /// What a variable denotes.
    pub(super) fn meaning(
        &self,
        manager: &Manager,
        model: &FlatModel,
        id: VarId,
        when: When,
    ) -> Made<Meaning> {
        let code = self.bits(manager, id, when)?;
        if code.is_empty() {
            return Ok(Meaning::nothing(manager));
        }
        let scalar = match model.variables[id.index()].ty {
            Type::Boolean => Scalar::Boolean(code[0].clone()),
            Type::Word { signed, .. } => Scalar::Word { bits: code, signed },
            Type::Range(low, _) => {
                let low = Integer::constant(manager, &low.into());
                Scalar::Integer(Integer::unsigned(manager, &code).add(&low)?)
            }
            Type::Enumeration(ref values) => return enumeration(manager, values, &code),
        };
        Ok(Meaning::one(manager, scalar))
    }
}

/// The value with this code, sort by sort.
fn enumeration(manager: &Manager, values: &[Value], code: &[Bdd]) -> Made<Meaning> {
    let mut symbols: Vec<(SymbolId, Bdd)> = Vec::new();
    let mut alternatives = Vec::new();
    let mut any_symbol = manager.constant(false);
    for (number, &value) in values.iter().enumerate() {
        let here = bits::equal(manager, code, &bits::constant(manager, number as i128, code.len()))?;
        match value {
            Value::Symbol(symbol) => {
                any_symbol = any_symbol.or(&here)?;
                symbols.push((symbol, here));
            }
            _ => alternatives.push(Alternative { guard: here, scalar: Scalar::constant(manager, value) }),
        }
    }
    symbols.sort_unstable_by_key(|(symbol, _)| *symbol);
    if !symbols.is_empty() {
        alternatives.push(Alternative { guard: any_symbol, scalar: Scalar::Symbol(symbols) });
    }
    let mut meaning = Meaning::gathered(manager, alternatives, manager.constant(false))?;
    // Codes that stand for nothing are excluded elsewhere; here the last alternative takes them, which makes guards smaller.
    if let Some((last, others)) = meaning.alternatives.split_last_mut() {
        let others = others.iter().try_fold(manager.constant(false), |any, other| any.or(&other.guard))?;
        last.guard = others.not();
    }
    Ok(meaning)
}
