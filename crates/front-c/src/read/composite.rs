//! Structures, unions and enumerations: members, layout, enumerators.
//!
//! The layout is that of gcc on Linux: members at the next multiple of their alignment; a bit-field begins at the next bit, unless it
//! would then cross a unit of its declared type, aligned as that type is.

use super::attribute::Attribute;
use super::elaborate::{Elaborator, Outcome};
use super::scope::{Symbol, Tag};
use super::types::Field;
use super::unit::declared_name;
use crate::ir::{CompositeId, Integer, Member, Rank, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashSet;
use tertium_support::{Diagnostic, Id, Span};

/// The largest structure, in bits.
const LARGEST: u64 = 1 << 40;

/// A structure or union whose members are placed one after the other.
#[derive(Default)]
struct Layout {
    is_union: bool,
    is_packed: bool,
    /// The greatest alignment of members, if `#pragma pack` says one.
    most: Option<u64>,
    /// The next free bit.
    end: u64,
    /// The size so far, of a union.
    largest: u64,
    /// In bytes.
    alignment: u64,
    members: Vec<Member>,
    constness: Vec<u32>,
    fields: Vec<Field>,
}

impl Layout {
    /// Makes room for something of so many bits; gives where it begins.
    fn place(&mut self, bits: u64, alignment: u64) -> u64 {
        let alignment = self.bounded(alignment);
        self.alignment = self.alignment.max(alignment);
        let start = if self.is_union { 0 } else { self.end.next_multiple_of(alignment * 8) };
        self.end = start + bits;
        self.largest = self.largest.max(self.end);
        start
    }

    fn bounded(&self, alignment: u64) -> u64 {
        self.most.map_or(alignment, |most| alignment.min(most))
    }

    /// Makes room for a bit-field; gives the byte of its unit and its first bit there.
    fn place_bits(&mut self, bits: u64, size: u64, alignment: u64, has_name: bool) -> (u64, u32) {
        // As gcc does it, `#pragma pack` weighs more than the attribute.
        if has_name && (!self.is_packed || self.most.is_some()) {
            self.alignment = self.alignment.max(self.bounded(alignment));
        }
        let is_tight = self.is_packed || self.most.is_some();
        let unit = alignment * 8;
        let mut start = if self.is_union { 0 } else { self.end };
        let crosses = !is_tight && (start % unit + bits).div_ceil(unit) > (size * 8) / unit;
        if crosses {
            start = start.next_multiple_of(unit);
        }
        self.end = start + bits;
        self.largest = self.largest.max(self.end);
        let byte = if is_tight { start / 8 } else { start / unit * alignment };
        (byte, (start - byte * 8) as u32)
    }
}

impl Elaborator<'_> {
    /// The type that `struct …` or `union …` means here.
    pub(super) fn composite_specifier(&mut self, syntax: &ast::StructType, span: Span) -> Outcome<TypeId> {
        let is_union = syntax.kind.node == ast::StructKind::Union;
        let word = if is_union { "union" } else { "struct" };
        let name = syntax.identifier.as_ref().map(|name| (name.node.name.as_str(), self.span(name.span)));
        let Some(declarations) = &syntax.declarations else {
            let Some((name, place)) = name else { return Err(self.error(span, "a name is needed here")) };
            if let Some((tag, _)) = self.scopes.find_tag(name) {
                return self.as_composite(tag, name, is_union, place);
            }
            let id = self.types.new_composite(format!("{word} {name}"), is_union);
            self.scopes.declare_tag(name, Tag::Composite(id), place);
            return Ok(self.types.intern(Type::Composite(id)));
        };
        let id = match name {
            Some((name, place)) => match self.scopes.find_tag_here(name) {
                Some((tag, before)) => {
                    let ty = self.as_composite(tag, name, is_union, place)?;
                    let Type::Composite(id) = *self.types.get(ty) else { unreachable!("it is a composite") };
                    if self.types.composite(id).members.is_some() {
                        let found = Diagnostic::error(place, format!("`{word} {name}` is defined twice"));
                        return Err(self.complain(found.with_related(before, "first here")));
                    }
                    id
                }
                None => {
                    let id = self.types.new_composite(format!("{word} {name}"), is_union);
                    self.scopes.declare_tag(name, Tag::Composite(id), place);
                    id
                }
            },
            None => {
                self.n_nameless += 1;
                self.types.new_composite(format!("{word} .{}", self.n_nameless), is_union)
            }
        };
        self.members(id, declarations, span)?;
        Ok(self.types.intern(Type::Composite(id)))
    }

    fn as_composite(&mut self, tag: Tag, name: &str, is_union: bool, span: Span) -> Outcome<TypeId> {
        match tag {
            Tag::Composite(id) if self.types.composite(id).is_union == is_union => {
                Ok(self.types.intern(Type::Composite(id)))
            }
            _ => Err(self.error(span, format!("`{name}` is the tag of something else"))),
        }
    }

    fn members(
        &mut self,
        id: CompositeId,
        declarations: &[Node<ast::StructDeclaration>],
        span: Span,
    ) -> Outcome<()> {
        let attributes = self.prepared.marks.composites.get(&span.start).cloned().unwrap_or_default();
        let is_union = self.types.composite(id).is_union;
        let mut layout = Layout {
            is_union,
            is_packed: attributes.contains(&Attribute::Packed),
            most: self.prepared.marks.packs.range(..span.end).next_back().and_then(|(_, &most)| most),
            alignment: 1,
            ..Layout::default()
        };
        let mut names = FxHashSet::default();
        for (number, declaration) in declarations.iter().enumerate() {
            let is_last = number + 1 == declarations.len();
            match &declaration.node {
                ast::StructDeclaration::Field(field) => {
                    self.field(&mut layout, &mut names, field, is_last)?
                }
                ast::StructDeclaration::StaticAssert(assertion) => self.static_assertion(assertion)?,
            }
            if layout.end > LARGEST {
                return Err(self.error(span, "this type is too large"));
            }
        }
        for attribute in attributes {
            if let Attribute::Aligned(alignment) = attribute {
                match alignment {
                    Some(alignment) => layout.alignment = layout.alignment.max(alignment),
                    None => return Err(self.error(span, "this alignment is not supported")),
                }
            }
        }
        let bytes = layout.largest.max(layout.end).div_ceil(8);
        let own = &mut self.types.composites[id.index()];
        own.size = bytes.next_multiple_of(layout.alignment);
        own.alignment = layout.alignment;
        own.members = Some(layout.members);
        self.types.member_constness[id.index()] = layout.constness;
        self.types.fields[id.index()] = layout.fields;
        Ok(())
    }

    fn field(
        &mut self,
        layout: &mut Layout,
        names: &mut FxHashSet<String>,
        field: &Node<ast::StructField>,
        is_last: bool,
    ) -> Outcome<()> {
        let span = self.span(field.span);
        let base = self.qualified(&field.node.specifiers, span)?;
        if field.node.declarators.is_empty() {
            return self.anonymous(layout, names, base.ty, span);
        }
        let types: Vec<_> = field
            .node
            .specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(specifier) => Some(specifier),
                _ => None,
            })
            .collect();
        let bodies = self.bodies(types.iter().copied());
        let named = types.iter().find_map(|specifier| self.alignment_of_name(&specifier.node));
        let starts: Vec<usize> =
            field.node.declarators.iter().map(|declarator| self.span(declarator.span).start).collect();
        let common = self.attributes_between(Span::new(span.start, starts[0]), &bodies);
        for (number, declarator) in field.node.declarators.iter().enumerate() {
            let place = self.span(declarator.span);
            let end = starts.get(number + 1).copied().unwrap_or(span.end);
            let mut attributes = self.attributes_between(Span::new(starts[number], end), &bodies);
            attributes.extend(common.iter().cloned());
            let (declared, name) = match &declarator.node.declarator {
                Some(own) => self.declarator(base.clone(), own)?,
                None => (base.clone(), None),
            };
            if declared.length.is_some() {
                return Err(self.error(place, "a member cannot have variable length"));
            }
            let ty = self.with_attributes(declared.ty, &attributes, span)?;
            let is_aligned = attributes.iter().any(|attribute| matches!(attribute, Attribute::Aligned(_)));
            let is_named = declared.ty == base.ty || self.is_array_of(declared.ty, base.ty);
            if is_aligned && declarator.node.bit_width.is_some() || named == Some(None) && is_named {
                return Err(self.error(place, "this alignment is not supported"));
            }
            if let Some((name, place)) = &name
                && !names.insert(name.clone())
            {
                return Err(self.error(*place, format!("there is a member `{name}` already")));
            }
            if let Some(width) = &declarator.node.bit_width {
                self.bit_field(layout, ty, declared.constness, name, width)?;
                continue;
            }
            let Some((name, place)) = name else {
                return self.anonymous(layout, names, ty, span);
            };
            let is_flexible = matches!(self.types.get(ty), Type::Array(_, None));
            let size = match self.types.size_of(ty) {
                Some(size) => size,
                None if is_flexible && is_last => 0,
                None => {
                    let shown = self.types.show(ty);
                    return Err(self.error(place, format!("a member cannot have the type `{shown}`")));
                }
            };
            let natural = match named.flatten() {
                Some(alignment) if is_named => alignment,
                _ => self.types.alignment_of(ty),
            };
            let is_packed = layout.is_packed || attributes.contains(&Attribute::Packed);
            let mut alignment = if is_packed { 1 } else { natural };
            for attribute in &attributes {
                match attribute {
                    Attribute::Aligned(Some(asked)) => alignment = alignment.max(*asked),
                    Attribute::Aligned(None) => {
                        return Err(self.error(place, "this alignment is not supported"));
                    }
                    _ => {}
                }
            }
            let start = layout.place(size * 8, alignment);
            layout.fields.push(Field::Named(layout.members.len()));
            layout.members.push(Member { name, ty, offset: start / 8, bit_field: None });
            layout.constness.push(declared.constness);
        }
        Ok(())
    }

    fn is_array_of(&self, mut ty: TypeId, of: TypeId) -> bool {
        while let Type::Array(element, _) = *self.types.get(ty) {
            ty = element;
        }
        ty == of
    }

    /// The alignment that the name of a type says, if it says another than the type.
    pub(super) fn alignment_of_name(&self, specifier: &ast::TypeSpecifier) -> Option<Option<u64>> {
        match specifier {
            ast::TypeSpecifier::TypedefName(name) => self.alignments.get(&name.node.name).copied(),
            _ => None,
        }
    }

    /// Notes the alignment that a type gets with its name.
    pub(super) fn note_alignment(
        &mut self,
        declarator: &Node<ast::Declarator>,
        attributes: &[Attribute],
        inherited: Option<Option<u64>>,
    ) {
        let Some(name) = declared_name(declarator) else { return };
        let asked = attributes.iter().filter_map(|attribute| match attribute {
            Attribute::Aligned(alignment) => Some(*alignment),
            _ => None,
        });
        let is_plain = declarator.node.derived.is_empty();
        match asked.max().or(inherited.filter(|_| is_plain)) {
            Some(alignment) => self.alignments.insert(name.to_owned(), alignment),
            None => self.alignments.remove(name),
        };
    }

    /// A structure or union as a member without name: its members are members of the outer one.
    fn anonymous(
        &mut self,
        layout: &mut Layout,
        names: &mut FxHashSet<String>,
        ty: TypeId,
        span: Span,
    ) -> Outcome<()> {
        let Type::Composite(inner) = *self.types.get(ty) else {
            self.warn(span, "this declares nothing");
            return Ok(());
        };
        let own = self.types.composite(inner).clone();
        let Some(members) = own.members else {
            self.warn(span, "this declares nothing");
            return Ok(());
        };
        if !own.name.contains(" .") {
            // With a tag it only declares the tag.
            self.warn(span, "this declares no member");
            return Ok(());
        }
        let alignment = if layout.is_packed { 1 } else { own.alignment };
        let start = layout.place(own.size * 8, alignment) / 8;
        let first = layout.members.len();
        for member in members {
            if !names.insert(member.name.clone()) {
                return Err(self.error(span, format!("there is a member `{}` already", member.name)));
            }
            layout.members.push(Member { offset: start + member.offset, ..member });
        }
        layout.constness.extend(self.types.member_constness[inner.index()].iter().copied());
        let fields = shifted(&self.types.fields[inner.index()], first);
        layout.fields.push(Field::Anonymous { is_union: own.is_union, fields });
        Ok(())
    }

    fn bit_field(
        &mut self,
        layout: &mut Layout,
        ty: TypeId,
        constness: u32,
        name: Option<(String, Span)>,
        width: &Node<ast::Expression>,
    ) -> Outcome<()> {
        let span = self.span(width.span);
        let Some(integer) = self.types.integer(ty) else {
            return Err(self.error(span, "a bit-field must be an integer"));
        };
        let (bits, _) = self.constant(width, "the width of a bit-field")?;
        let most = if integer.rank == Rank::Bool { 1 } else { i128::from(integer.bits) };
        if !(0..=most).contains(&bits) || (bits == 0 && name.is_some()) {
            return Err(self.error(span, format!("this bit-field cannot have {bits} bits")));
        }
        let bits = bits as u32;
        let (size, alignment) = (u64::from(integer.bits.div_ceil(8)), self.types.alignment_of(ty));
        if bits == 0 {
            if !layout.is_union {
                layout.end = layout.end.next_multiple_of(alignment * 8);
            }
            return Ok(());
        }
        let (offset, first) = layout.place_bits(u64::from(bits), size, alignment, name.is_some());
        if let Some((name, _)) = name {
            let own = if integer.rank == Rank::Bool { integer } else { Integer { bits, ..integer } };
            let ty = self.types.intern(Type::Integer(own));
            layout.fields.push(Field::Named(layout.members.len()));
            layout.members.push(Member { name, ty, offset, bit_field: Some((first, bits)) });
            layout.constness.push(constness);
        }
        Ok(())
    }

    /// The type that `enum …` means here. Its enumerators are declared.
    pub(super) fn enumeration(&mut self, syntax: &ast::EnumType, span: Span) -> Outcome<TypeId> {
        let name = syntax.identifier.as_ref().map(|name| (name.node.name.as_str(), self.span(name.span)));
        if syntax.enumerators.is_empty() {
            let Some((name, place)) = name else { return Err(self.error(span, "a name is needed here")) };
            return match self.scopes.find_tag(name) {
                Some((Tag::Enumeration(ty, _), _)) => Ok(ty),
                Some(_) => Err(self.error(place, format!("`{name}` is the tag of something else"))),
                None => {
                    let ty = self.types.standard(Rank::Int, false);
                    self.scopes.declare_tag(name, Tag::Enumeration(ty, false), place);
                    Ok(ty)
                }
            };
        }
        if let Some((name, place)) = name
            && let Some((tag, before)) = self.scopes.find_tag_here(name)
            && !matches!(tag, Tag::Enumeration(_, false))
        {
            let found = Diagnostic::error(place, format!("`{name}` is defined twice"));
            return Err(self.complain(found.with_related(before, "first here")));
        }
        let int = self.types.int();
        let (mut next, mut least, mut greatest) = (0i128, 0i128, 0i128);
        for enumerator in &syntax.enumerators {
            let place = self.span(enumerator.span);
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression, "the value of an enumerator")?.0;
            }
            let name = &enumerator.node.identifier.node.name;
            (least, greatest) = (least.min(next), greatest.max(next));
            let ty = match next {
                -0x8000_0000..=0x7fff_ffff => int,
                0x8000_0000..=0xffff_ffff => self.types.standard(Rank::Int, false),
                _ => self.types.standard(Rank::LongLong, next < 1 << 63),
            };
            if let Some((_, before)) = self.scopes.find_here(name) {
                let found = Diagnostic::error(place, format!("`{name}` is declared twice"));
                return Err(self.complain(found.with_related(before, "first here")));
            }
            self.scopes.declare(name, Symbol::Constant(next, ty), place);
            next += 1;
        }
        let rank = if least >= -0x8000_0000 && greatest <= if least < 0 { 0x7fff_ffff } else { 0xffff_ffff } {
            Rank::Int
        } else {
            Rank::LongLong
        };
        let ty = self.types.standard(rank, least < 0);
        if let Some((name, place)) = name {
            self.scopes.declare_tag(name, Tag::Enumeration(ty, true), place);
        }
        Ok(ty)
    }

    /// A static assertion.
    pub(super) fn static_assertion(&mut self, assertion: &Node<ast::StaticAssert>) -> Outcome<()> {
        let (value, _) = self.constant(&assertion.node.expression, "what is asserted")?;
        if value == 0 {
            let span = self.span(assertion.span);
            return Err(self.error(span, "this static assertion fails"));
        }
        Ok(())
    }
}

/// The same fields where members have greater numbers.
fn shifted(fields: &[Field], by: usize) -> Vec<Field> {
    fields
        .iter()
        .map(|field| match field {
            Field::Named(number) => Field::Named(number + by),
            Field::Anonymous { is_union, fields } => {
                Field::Anonymous { is_union: *is_union, fields: shifted(fields, by) }
            }
        })
        .collect()
}
