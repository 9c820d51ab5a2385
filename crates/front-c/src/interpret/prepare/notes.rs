//! How places are named when an observer is told of assignments.

use super::super::code::Part;
use super::function::FunctionBuilder;
use crate::ir::{Base, Composite, Expression, ExpressionKind, Place, Step, Type, TypeId, Unit};
use tertium_support::Id;

/// The name of a place that was just assigned to; nothing for temporaries and for what has no name.
pub(super) fn place(builder: &FunctionBuilder<'_, '_>, place: &Place) -> Option<Vec<Part>> {
    let mut indices = builder.indices.iter();
    let mut name = Name { unit: builder.unit(), parts: Vec::new() };
    let mut ty = name.base(builder, place, &mut |name, index| match (&index.kind, indices.next()) {
        (_, Some(Some(register))) => name.parts.push(Part::Index(*register)),
        _ => name.text("..".to_owned()),
    })?;
    let mut is_pointed_to = matches!(&place.base, Base::Pointer(pointer) if !is_indexed(pointer));
    for step in &place.path {
        match step {
            Step::Member(number) => {
                let (member, of) = member(builder.unit(), ty, *number)?;
                name.text(format!("{}{member}", if is_pointed_to { "->" } else { "." }));
                ty = of;
            }
            Step::Element(index) => {
                let Type::Array(element, length) = builder.unit().ty(ty) else { return None };
                name.text("[".to_owned());
                match &index.kind {
                    ExpressionKind::Integer(value)
                        if length.is_some_and(|length| (0..i128::from(length)).contains(value)) =>
                    {
                        name.text(value.to_string());
                    }
                    _ => match indices.next() {
                        Some(Some(register)) => name.parts.push(Part::Index(*register)),
                        _ => name.text("..".to_owned()),
                    },
                }
                name.text("]".to_owned());
                ty = *element;
            }
        }
        is_pointed_to = false;
    }
    Some(name.parts)
}

struct Name<'u> {
    unit: &'u Unit,
    parts: Vec<Part>,
}

impl Name<'_> {
    fn text(&mut self, text: String) {
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(&text),
            _ => self.parts.push(Part::Text(text)),
        }
    }

    /// Names the base of a place and gives the type of what is there.
    fn base(
        &mut self,
        builder: &FunctionBuilder<'_, '_>,
        place: &Place,
        index: &mut dyn FnMut(&mut Self, &Expression),
    ) -> Option<TypeId> {
        match &place.base {
            Base::Global(id) => {
                let object = &self.unit.globals[id.index()];
                self.text(object.name.clone());
                Some(object.ty)
            }
            Base::Local(id) => {
                let object = &builder.function().locals[id.index()];
                if object.name.starts_with('.') {
                    return None;
                }
                self.text(object.name.clone());
                Some(object.ty)
            }
            Base::Text(_) => None,
            Base::Pointer(pointer) => {
                let Type::Pointer(to) = self.unit.ty(pointer.ty) else { return None };
                match &pointer.kind {
                    ExpressionKind::Offset(base, at, _) => {
                        self.text(pointer_name(builder, base)?);
                        self.text("[".to_owned());
                        index(self, at);
                        self.text("]".to_owned());
                    }
                    _ => {
                        let name = pointer_name(builder, pointer)?;
                        match place.path.first() {
                            None => self.text(format!("*{name}")),
                            Some(Step::Member(_)) => self.text(name),
                            Some(Step::Element(_)) => self.text(format!("(*{name})")),
                        }
                    }
                }
                Some(*to)
            }
        }
    }
}

fn is_indexed(pointer: &Expression) -> bool {
    matches!(pointer.kind, ExpressionKind::Offset(..))
}

/// The name of a place that holds a pointer, without the values of indices. Long chains have none.
fn pointer_name(builder: &FunctionBuilder<'_, '_>, pointer: &Expression) -> Option<String> {
    let mut pointer = pointer;
    let mut ends = Vec::new();
    for _ in 0..16 {
        match &pointer.kind {
            ExpressionKind::Convert(inner) => pointer = inner,
            ExpressionKind::AddressOf(place) | ExpressionKind::Read(place) => {
                let unit = builder.unit();
                let (name, mut ty, is_pointed_to) = match &place.base {
                    Base::Global(id) => {
                        let object = &unit.globals[id.index()];
                        (Some(&object.name), object.ty, false)
                    }
                    Base::Local(id) => {
                        let object = &builder.function().locals[id.index()];
                        (Some(&object.name).filter(|name| !name.starts_with('.')), object.ty, false)
                    }
                    Base::Pointer(inner) => match unit.ty(inner.ty) {
                        Type::Pointer(to) => (None, *to, true),
                        _ => return None,
                    },
                    Base::Text(_) => return None,
                };
                let (mut end, mut is_arrow) = (String::new(), is_pointed_to);
                for step in &place.path {
                    match step {
                        Step::Member(number) => {
                            let (member, of) = member(unit, ty, *number)?;
                            end.push_str(if is_arrow { "->" } else { "." });
                            end.push_str(member);
                            ty = of;
                        }
                        Step::Element(_) => {
                            let Type::Array(element, _) = unit.ty(ty) else { return None };
                            end.push_str("[..]");
                            ty = *element;
                        }
                    }
                    is_arrow = false;
                }
                ends.push(end);
                match (&place.base, name) {
                    (Base::Pointer(inner), _) if !place.path.is_empty() => pointer = inner,
                    (_, Some(name)) => {
                        return Some(ends.iter().rev().fold(name.clone(), |name, end| name + end));
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    None
}

fn member(unit: &Unit, ty: TypeId, number: usize) -> Option<(&str, TypeId)> {
    let Type::Composite(id) = unit.ty(ty) else { return None };
    let composite: &Composite = unit.composite(*id);
    let member = composite.members.as_ref()?.get(number)?;
    Some((&member.name, member.ty))
}
