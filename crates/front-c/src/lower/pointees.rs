//! What a pointer can point to, by number, and how a location is seen as another type.

use super::layout::{Key, Layout, ObjectId};
use crate::ir::{FunctionId, Step, Type, TypeId, Unit};
use std::collections::BTreeSet;
use tertium_support::define_id;

define_id!(
    /// What a pointer can point to. Its number as a value is one more: 0 is the null pointer.
    PointeeId
);

/// What a pointer can point to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pointee {
    /// A place in an object that is no array; elements of arrays are not told apart.
    Place(ObjectId, Vec<Key>),
    Function(FunctionId),
}

/// What the values of a pointer can be, null apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pointees {
    pub(super) ids: BTreeSet<PointeeId>,
    /// Whether it may point to anything that has escaped, or out of the program.
    pub(super) is_unknown: bool,
}

impl Pointees {
    pub(super) fn unknown() -> Self {
        Self { ids: BTreeSet::new(), is_unknown: true }
    }

    /// Adds what another has; whether anything is new.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let before = (self.ids.len(), self.is_unknown);
        self.ids.extend(&other.ids);
        self.is_unknown |= other.is_unknown;
        before != (self.ids.len(), self.is_unknown)
    }
}

/// The type of what is at a path of an object, elements of arrays taken apart.
pub(super) fn type_at(unit: &Unit, layout: &Layout, object: ObjectId, path: &[Key]) -> Option<TypeId> {
    let own = layout.of(object);
    let mut ty = own.ty;
    let mut rest = path;
    if own.outer.is_some() {
        rest = rest.strip_prefix(&[Key::Any])?;
    }
    for key in rest {
        ty = match (key, unit.ty(ty)) {
            (Key::Any, Type::Array(element, _)) => *element,
            (Key::Member(number), Type::Composite(own)) => {
                unit.composite(*own).members.as_ref()?.get(*number)?.ty
            }
            _ => return None,
        };
    }
    Some(ty)
}

/// The type of elements of arrays of arrays; the type itself if it is no array.
pub(super) fn innermost(unit: &Unit, mut ty: TypeId) -> TypeId {
    while let Type::Array(element, _) = unit.ty(ty) {
        ty = *element;
    }
    ty
}

/// Adds a step into elements for each array.
pub(super) fn into_elements(unit: &Unit, path: &mut Vec<Key>, mut ty: TypeId) -> TypeId {
    while let Type::Array(element, _) = unit.ty(ty) {
        path.push(Key::Any);
        ty = *element;
    }
    ty
}

/// Whether what is stored as one type can be read as the other.
fn is_like(unit: &Unit, one: TypeId, other: TypeId) -> bool {
    match (unit.ty(one), unit.ty(other)) {
        _ if one == other => true,
        (Type::Integer(one), Type::Integer(other)) => one.bits == other.bits,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        _ => false,
    }
}

/// The path where a location has a type: itself, its first member, or the structure that it is the first member of. With how many
/// elements the arrays have that were entered on the way, whose first elements are meant.
pub(super) fn seen_as(
    unit: &Unit,
    layout: &Layout,
    object: ObjectId,
    path: &[Key],
    wanted: TypeId,
) -> Option<(Vec<Key>, u64)> {
    let wanted = innermost(unit, wanted);
    let own = type_at(unit, layout, object, path)?;
    let (mut down, mut ty, mut times) = (path.to_vec(), own, 1u64);
    loop {
        if is_like(unit, ty, wanted) {
            return Some((down, times));
        }
        let Type::Composite(id) = unit.ty(ty) else { break };
        let composite = unit.composite(*id);
        let Some(first) = composite.members.as_ref().and_then(|members| members.first()) else { break };
        if composite.is_union || first.offset != 0 || first.bit_field.is_some() {
            break;
        }
        down.push(Key::Member(0));
        let before = down.len();
        ty = first.ty;
        while let Type::Array(element, length) = unit.ty(ty) {
            down.push(Key::Any);
            times = times.checked_mul((*length)?)?;
            ty = *element;
        }
        debug_assert!(down.len() >= before, "elements are below");
    }
    let mut up = path;
    while let Some((Key::Member(0), outer)) = up.split_last() {
        up = outer;
        let ty = type_at(unit, layout, object, up)?;
        if is_like(unit, ty, wanted) {
            return Some((up.to_vec(), 1));
        }
    }
    None
}

/// Where the steps of a place lead from a location whose type is seen as this; nothing if they do not fit. A union ends the way.
pub(super) fn walked(unit: &Unit, mut path: Vec<Key>, mut ty: TypeId, steps: &[Step]) -> Option<Vec<Key>> {
    for step in steps {
        match (step, unit.ty(ty)) {
            (Step::Member(number), Type::Composite(own)) => {
                let own = unit.composite(*own);
                let members = own.members.as_ref()?;
                if own.is_union && members.len() != 1 {
                    return Some(path);
                }
                ty = members.get(*number)?.ty;
                path.push(Key::Member(*number));
                into_elements(unit, &mut path, ty);
            }
            // The elements are on the path already.
            (Step::Element(_), Type::Array(element, _)) => ty = *element,
            _ => return None,
        }
    }
    Some(path)
}
