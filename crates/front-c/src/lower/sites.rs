//! Objects that have no name: what is allocated, and string literals.
//!
//! What an instruction allocates is an array of what its pointer is converted to, of a fixed length if the size is a constant. It is one
//! object only if the instruction is done once in a run, or if what it gave before is gone by then; else it is many.

use super::calls::{Calls, blocks_in_loops, expressions, operands, places};
use super::layout::{Key, Layout, ObjectId, ObjectKind};
use super::pointees::{Pointee, innermost, into_elements};
use crate::ir::{
    Base, Body, Builtin, Expression, ExpressionKind, Function, FunctionId, InstructionKind, LocalId, Place,
    Type, TypeId, Unit,
};
use std::collections::{BTreeMap, BTreeSet};

/// Adds objects for what is allocated and for string literals; gives those that are many.
pub(super) fn add_objects(unit: &Unit, calls: &Calls, layout: &mut Layout) -> BTreeSet<ObjectId> {
    let mut many = BTreeSet::new();
    for initial in &unit.initial {
        let mut open = vec![&initial.value];
        while let Some(expression) = open.pop() {
            if let ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) = &expression.kind {
                add_text(unit, layout, place);
            }
            open.extend(operands(expression));
        }
    }
    for &id in &calls.functions {
        let function = unit.function(id);
        places(function, &mut |place| add_text(unit, layout, place));
        let Some(body) = &function.body else { continue };
        add_sites(unit, calls, layout, id, body, &mut many);
    }
    many
}

fn add_text(unit: &Unit, layout: &mut Layout, place: &Place) {
    if let Base::Text(id) = place.base {
        use tertium_support::Id;
        let length = unit.strings[id.index()].len() as u64;
        let ty = innermost(unit, place.ty);
        layout.add_array(unit, ObjectKind::Text(id), "text", ty, Some(length), place.span);
    }
}

fn add_sites(
    unit: &Unit,
    calls: &Calls,
    layout: &mut Layout,
    id: FunctionId,
    body: &Body,
    many: &mut BTreeSet<ObjectId>,
) {
    let function = unit.function(id);
    let is_site = |kind: &InstructionKind| {
        matches!(
            kind,
            InstructionKind::Builtin {
                which: Builtin::Allocate
                    | Builtin::AllocateCleared
                    | Builtin::AllocateLocal
                    | Builtin::Reallocate,
                ..
            }
        )
    };
    if !body.blocks.iter().flat_map(|block| &block.instructions).any(|own| is_site(&own.kind)) {
        return;
    }
    let in_loop = blocks_in_loops(function);
    let wanted = conversions(unit, function);
    for (at, block) in body.blocks.iter().enumerate() {
        for (number, instruction) in block.instructions.iter().enumerate() {
            let InstructionKind::Builtin { which, arguments, to: Some(to) } = &instruction.kind else {
                continue;
            };
            if !is_site(&instruction.kind) {
                continue;
            }
            let Some(element) = element_of(unit, to, &wanted) else { continue };
            let Some(size) = unit.size_of(element).filter(|&size| size > 0) else { continue };
            let bytes = bytes_of(*which, arguments);
            let length = bytes.map(|bytes| bytes / size);
            if length == Some(0) {
                continue;
            }
            let kind = ObjectKind::Site(id, at, number);
            let name = match which {
                Builtin::AllocateLocal => "alloca",
                _ => "malloc",
            };
            let object = match length {
                Some(1) => layout.add(unit, kind, name, element, instruction.span),
                length => layout.add_array(unit, kind, name, element, length, instruction.span),
            };
            let is_single = match which {
                Builtin::Reallocate => false,
                Builtin::AllocateLocal => !calls.recursive.contains(&id),
                _ => calls.once.contains(&id),
            };
            if !is_single || in_loop[at] {
                many.insert(object);
            }
        }
    }
}

/// How many bytes are allocated, if that is a constant.
pub(super) fn bytes_of(which: Builtin, arguments: &[Expression]) -> Option<u64> {
    let constant = |number: usize| u64::try_from(constant_of(arguments.get(number)?)?).ok();
    match which {
        Builtin::AllocateCleared => constant(0)?.checked_mul(constant(1)?),
        Builtin::Reallocate => constant(1),
        _ => constant(0),
    }
}

/// The value of an expression without variables, as far as products and sums go.
pub(super) fn constant_of(expression: &Expression) -> Option<i128> {
    use crate::ir::BinaryOperator::{Add, Multiply};
    match &expression.kind {
        ExpressionKind::Integer(number) => Some(*number),
        ExpressionKind::Convert(inner) => constant_of(inner),
        ExpressionKind::Binary(Multiply, left, right) => constant_of(left)?.checked_mul(constant_of(right)?),
        ExpressionKind::Binary(Add, left, right) => constant_of(left)?.checked_add(constant_of(right)?),
        _ => None,
    }
}

/// The types that pointers to nothing known, read from locals, are converted to; nothing of those with several.
fn conversions(unit: &Unit, function: &Function) -> BTreeMap<LocalId, Option<TypeId>> {
    let mut found: BTreeMap<LocalId, Option<TypeId>> = BTreeMap::new();
    let mut open: Vec<&Expression> = Vec::new();
    expressions(function, &mut |expression| open.push(expression));
    while let Some(expression) = open.pop() {
        if let (ExpressionKind::Convert(inner), Type::Pointer(to)) =
            (&expression.kind, unit.ty(expression.ty))
            && let ExpressionKind::Read(place) = &inner.kind
            && let (Base::Local(local), true) = (&place.base, place.path.is_empty())
            && unit.size_of(*to).is_some()
        {
            let ty = Some(innermost(unit, *to));
            let own = found.entry(*local).or_insert(ty);
            if *own != ty {
                *own = None;
            }
        }
        open.extend(operands(expression));
    }
    found
}

fn element_of(unit: &Unit, to: &Place, wanted: &BTreeMap<LocalId, Option<TypeId>>) -> Option<TypeId> {
    let Type::Pointer(own) = *unit.ty(to.ty) else { return None };
    if unit.size_of(own).is_some() {
        return Some(innermost(unit, own));
    }
    match to.base {
        Base::Local(local) if to.path.is_empty() => wanted.get(&local).copied().flatten(),
        _ => None,
    }
}

/// The first place in an object that has no name.
pub(super) fn first_of(unit: &Unit, layout: &Layout, object: ObjectId) -> Option<Pointee> {
    let own = layout.of(object);
    let mut path = if own.outer.is_some() { vec![Key::Any] } else { Vec::new() };
    into_elements(unit, &mut path, own.ty);
    Some(Pointee::Place(object, path))
}
