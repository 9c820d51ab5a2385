//! Objects taken apart into slots: one for each scalar that a type has, where all elements of an array are one slot.
//!
//! A [`Slot`] is found by its object and the [`Key`]s on the way: numbers of members, and [`Key::Any`] for elements. It has a dimension
//! for each array on the way. Unions of several members are one slot of unknown contents.
//!
//! Linear in the sizes of all types of objects; a limit keeps out what has more slots than anybody follows.

use crate::ir::{FunctionId, GlobalId, Integer, LocalId, StringId, Type, TypeId, Unit};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tertium_support::{Id, Span, define_id};

define_id!(
    /// An object that memory has.
    ObjectId
);

define_id!(
    /// A scalar of an object, or all such elements of arrays.
    SlotId
);

/// Objects have at most so many slots; all of a larger one are unknown.
const MOST_SLOTS: usize = 2_000;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ObjectKind {
    Global(GlobalId),
    Local(FunctionId, LocalId),
    /// What a function returns.
    Result(FunctionId),
    /// A string literal.
    Text(StringId),
    /// What is allocated by an instruction of a function: block and number of the instruction.
    Site(FunctionId, usize, usize),
}

/// An object.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) kind: ObjectKind,
    pub(super) name: String,
    /// Its type; that of its elements, if there is an outer array.
    pub(super) ty: TypeId,
    /// The length of an array that has no type in the program, if it is fixed.
    pub(super) outer: Option<Option<u64>>,
    pub(super) span: Span,
    pub(super) slots: Range<usize>,
}

/// A step on the way to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    /// The member with this number.
    Member(usize),
    /// Any element.
    Any,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Integer(Integer),
    Pointer,
    /// Floating numbers, unions and what else is not followed.
    Unknown,
}

/// A scalar of an object.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) object: ObjectId,
    pub(super) path: Vec<Key>,
    pub(super) ty: TypeId,
    pub(super) content: Content,
    /// How many elements the arrays on the way have; nothing if that is not fixed.
    pub(super) dimensions: Vec<Option<u64>>,
}

impl Slot {
    /// How many elements there are in all, if that is fixed.
    pub(super) fn length(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1u64, |all, &own| all.checked_mul(own?))
    }

    /// The integer type, of what is no array.
    pub(super) fn plain_integer(&self) -> Option<Integer> {
        match self.content {
            Content::Integer(ty) if self.dimensions.is_empty() => Some(ty),
            _ => None,
        }
    }
}

/// All objects and slots.
#[derive(Debug, Default)]
pub(super) struct Layout {
    objects: Vec<Object>,
    ids: FxHashMap<ObjectKind, ObjectId>,
    slots: Vec<Slot>,
    by_path: FxHashMap<(ObjectId, Vec<Key>), SlotId>,
}

impl Layout {
    /// The globals, and the locals and results of these functions.
    pub(super) fn new(unit: &Unit, functions: &[FunctionId]) -> Self {
        let mut layout = Self::default();
        for (number, global) in unit.globals.iter().enumerate() {
            layout.add(unit, ObjectKind::Global(GlobalId::new(number)), &global.name, global.ty, global.span);
        }
        for &id in functions {
            let function = unit.function(id);
            for (number, local) in function.locals.iter().enumerate() {
                let kind = ObjectKind::Local(id, LocalId::new(number));
                layout.add(unit, kind, &local.name, local.ty, local.span);
            }
            layout.add(unit, ObjectKind::Result(id), "result", function.returns, function.span);
        }
        layout
    }

    /// Adds an object, unless it is there.
    pub(super) fn add(
        &mut self,
        unit: &Unit,
        kind: ObjectKind,
        name: &str,
        ty: TypeId,
        span: Span,
    ) -> ObjectId {
        self.add_object(unit, Object { kind, name: name.to_owned(), ty, outer: None, span, slots: 0..0 })
    }

    /// Adds an array of these elements, unless it is there.
    pub(super) fn add_array(
        &mut self,
        unit: &Unit,
        kind: ObjectKind,
        name: &str,
        ty: TypeId,
        length: Option<u64>,
        span: Span,
    ) -> ObjectId {
        self.add_object(
            unit,
            Object { kind, name: name.to_owned(), ty, outer: Some(length), span, slots: 0..0 },
        )
    }

    fn add_object(&mut self, unit: &Unit, object: Object) -> ObjectId {
        let Object { kind, ty, outer, .. } = object;
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = ObjectId::new(self.objects.len());
        let first = self.slots.len();
        self.add_slots(unit, id, ty, outer);
        if self.slots.len() - first > MOST_SLOTS {
            self.slots.truncate(first);
            self.add_slot(id, Vec::new(), ty, Content::Unknown, Vec::new());
        }
        for at in first..self.slots.len() {
            self.by_path.insert((id, self.slots[at].path.clone()), SlotId::new(at));
        }
        let slots = first..self.slots.len();
        self.objects.push(Object { slots, ..object });
        self.ids.insert(kind, id);
        id
    }

    fn add_slots(&mut self, unit: &Unit, object: ObjectId, ty: TypeId, outer: Option<Option<u64>>) {
        let first = self.slots.len();
        // Members are taken from the end, so that slots are in order.
        let path = outer.iter().map(|_| Key::Any).collect::<Vec<Key>>();
        let mut open = vec![(path, ty, outer.into_iter().collect::<Vec<Option<u64>>>())];
        while let Some((path, ty, dimensions)) = open.pop() {
            if self.slots.len() - first > MOST_SLOTS {
                return;
            }
            let content = match unit.ty(ty) {
                Type::Void | Type::Function(..) => continue,
                Type::Integer(ty) => Content::Integer(*ty),
                Type::Pointer(_) => Content::Pointer,
                Type::Float(_) => Content::Unknown,
                Type::Array(element, length) => {
                    let below = |mut path: Vec<Key>, mut all: Vec<Option<u64>>| {
                        path.push(Key::Any);
                        all.push(*length);
                        (path, *element, all)
                    };
                    open.push(below(path, dimensions));
                    continue;
                }
                Type::Composite(own) => {
                    let own = unit.composite(*own);
                    let members = own.members.as_deref().unwrap_or_default();
                    if !own.is_union || members.len() == 1 {
                        for (number, member) in members.iter().enumerate().rev() {
                            let mut path = path.clone();
                            path.push(Key::Member(number));
                            open.push((path, member.ty, dimensions.clone()));
                        }
                        continue;
                    }
                    Content::Unknown
                }
            };
            self.add_slot(object, path, ty, content, dimensions);
        }
    }

    fn add_slot(
        &mut self,
        object: ObjectId,
        path: Vec<Key>,
        ty: TypeId,
        content: Content,
        dimensions: Vec<Option<u64>>,
    ) {
        self.slots.push(Slot { object, path, ty, content, dimensions });
    }

    /// The object of a kind, if there is one.
    pub(super) fn object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.ids.get(&kind).copied()
    }

    pub(super) fn of(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(super) fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// The slot at the end of a way.
    pub(super) fn find(&self, object: ObjectId, path: &[Key]) -> Option<SlotId> {
        self.by_path.get(&(object, path.to_vec())).copied()
    }

    /// The slots of an object at or below a place, in order.
    pub(super) fn below(&self, object: ObjectId, path: &[Key]) -> Vec<SlotId> {
        let own = self.objects[object.index()].slots.clone();
        own.filter(|&at| self.slots[at].path.starts_with(path)).map(SlotId::new).collect()
    }
}
