//! Which part of an object each item of an initialiser is for: braces that are left out, designators, anonymous members.
//!
//! The plan needs types only, so it also finds the length of `int a[] = {…}`. An item without designator goes to the next part; where
//! that is an aggregate and the item is not one, it begins to fill its parts.

use super::elaborate::{Elaborator, Outcome};
use super::expression::Operand;
use super::types::Field;
use crate::ir::{CompositeId, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::{Id, Span};

/// No range of a designator is longer.
const LONGEST_RANGE: u64 = 1 << 20;

/// Why a plan is not supported: the object is larger than its type.
const LONGER: &str = "a flexible member with initial values";

/// A step to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PartStep {
    Member(usize),
    Element(u64),
}

/// One part gets one value.
pub(super) struct Item<'ast> {
    pub(super) path: Vec<PartStep>,
    pub(super) ty: TypeId,
    pub(super) source: Source<'ast>,
}

/// What a part gets.
pub(super) enum Source<'ast> {
    /// The value of an expression, or a whole structure.
    Expression(&'ast Node<ast::Expression>),
    /// These characters, then zeros.
    Text(Vec<u8>, Span),
}

/// All that an initialiser writes.
#[derive(Default)]
pub(super) struct Plan<'ast> {
    pub(super) items: Vec<Item<'ast>>,
    /// Whether parts may be written in another order, and parts of parts twice: there are designators.
    pub(super) has_designators: bool,
    /// One more than the last element of the outermost array.
    length: u64,
    /// What is not supported of it.
    pub(super) unsupported: Option<&'static str>,
    /// Whether expressions give whole structures or unions.
    has_wholes: bool,
    /// The greatest path of an item so far.
    greatest: Vec<PartStep>,
}

impl<'ast> Plan<'ast> {
    /// One more item; it is for a part that no item is for, or inside of one that an item is for.
    fn push(&mut self, item: Item<'ast>) {
        self.look_around(&item.path);
        if item.path > self.greatest {
            self.greatest.clone_from(&item.path);
        }
        self.items.push(item);
    }

    /// A part gets a value. The standard says that a structure around it keeps its other parts; gcc drops it.
    fn look_around(&mut self, path: &[PartStep]) {
        let is_around = |item: &Item<'_>| {
            let is_expression = matches!(item.source, Source::Expression(_));
            is_expression && item.path.len() < path.len() && path.starts_with(&item.path)
        };
        if self.has_designators && self.has_wholes && self.items.iter().any(is_around) {
            self.unsupported = Some("a part of a structure that is initialised as a whole before");
        }
    }

    /// A part gets a whole value: what was for it, or for parts of it, does not count any longer.
    fn forget(&mut self, path: &[PartStep]) {
        // Where designators go forward only, nothing is there yet.
        if self.has_designators && self.greatest.as_slice() >= path {
            self.items.retain(|item| !item.path.starts_with(path));
        }
    }
}

/// An aggregate whose parts are filled.
#[derive(Clone)]
enum Shape {
    Array { element: TypeId, length: Option<u64> },
    Fields { composite: CompositeId, is_union: bool, fields: Vec<Field> },
}

/// A part of an aggregate.
enum Sub {
    Type(PartStep, TypeId),
    Inner(Shape),
}

/// The items of one list in braces.
struct Feed<'ast> {
    items: &'ast [Node<ast::InitializerListItem>],
    next: usize,
    /// Whether the designators of the next item were followed.
    is_placed: bool,
}

impl<'ast> Feed<'ast> {
    fn new(items: &'ast [Node<ast::InitializerListItem>]) -> Self {
        Self { items, next: 0, is_placed: false }
    }

    fn peek(&self) -> Option<&'ast Node<ast::InitializerListItem>> {
        self.items.get(self.next)
    }

    fn advance(&mut self) {
        self.next += 1;
        self.is_placed = false;
    }
}

impl Shape {
    fn count(&self) -> u64 {
        match self {
            Self::Array { length, .. } => length.unwrap_or(u64::MAX),
            Self::Fields { is_union: true, fields, .. } => fields.len().min(1) as u64,
            Self::Fields { fields, .. } => fields.len() as u64,
        }
    }
}

impl<'a> Elaborator<'a> {
    /// The plan of an initialiser for a type, and the type with its length if it had none.
    pub(super) fn plan<'ast>(
        &mut self,
        ty: TypeId,
        initializer: &'ast Node<ast::Initializer>,
    ) -> Outcome<(Plan<'ast>, TypeId)> {
        let mut plan = Plan::default();
        self.plan_part(ty, &mut Vec::new(), initializer, &mut plan)?;
        self.with_length(ty, plan)
    }

    /// The plan of the list of a compound literal.
    pub(super) fn plan_list<'ast>(
        &mut self,
        ty: TypeId,
        items: &'ast [Node<ast::InitializerListItem>],
        span: Span,
    ) -> Outcome<(Plan<'ast>, TypeId)> {
        let mut plan = Plan::default();
        self.braced(ty, &mut Vec::new(), items, span, &mut plan)?;
        self.with_length(ty, plan)
    }

    fn with_length<'ast>(&mut self, ty: TypeId, plan: Plan<'ast>) -> Outcome<(Plan<'ast>, TypeId)> {
        let ty = match *self.types.get(ty) {
            Type::Array(element, None) => self.types.array(element, Some(plan.length)).unwrap_or(ty),
            _ => ty,
        };
        Ok((plan, ty))
    }

    fn plan_part<'ast>(
        &mut self,
        ty: TypeId,
        path: &mut Vec<PartStep>,
        initializer: &'ast Node<ast::Initializer>,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        let span = self.span(initializer.span);
        match &initializer.node {
            ast::Initializer::List(items) => self.braced(ty, path, items, span, plan),
            ast::Initializer::Expression(expression) => {
                if let Some(bytes) = self.text_for(ty, expression)? {
                    return self.text(ty, path, bytes, span, plan);
                }
                if matches!(self.types.get(ty), Type::Array(..)) {
                    return Err(self.error(span, "an array needs a list in braces"));
                }
                plan.forget(path);
                plan.has_wholes |= self.types.is_composite(ty);
                plan.push(Item { path: path.clone(), ty, source: Source::Expression(expression) });
                Ok(())
            }
        }
    }

    /// The bytes of a string literal that initialises an array of characters.
    fn text_for(&mut self, ty: TypeId, expression: &Node<ast::Expression>) -> Outcome<Option<Vec<u8>>> {
        let (Type::Array(element, _), ast::Expression::StringLiteral(parts)) =
            (self.types.get(ty), &expression.node)
        else {
            return Ok(None);
        };
        let Some(integer) = self.types.integer(*element) else { return Ok(None) };
        let span = self.span(expression.span);
        let (bytes, is_wide) = self.string_bytes(&parts.node, span)?;
        let fits = if is_wide { integer.bits == 32 } else { integer.bits == 8 };
        Ok(fits.then_some(bytes))
    }

    fn text<'ast>(
        &mut self,
        ty: TypeId,
        path: &[PartStep],
        mut bytes: Vec<u8>,
        span: Span,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        let Type::Array(element, length) = *self.types.get(ty) else { unreachable!("it was looked at") };
        let width = self.types.stride(element);
        match length {
            Some(length) => {
                let most = usize::try_from(length * width).unwrap_or(usize::MAX);
                if bytes.len() > most + width as usize {
                    self.warn(span, "this string is longer than the array");
                }
                bytes.truncate(most);
            }
            None if path.is_empty() => plan.length = bytes.len() as u64 / width,
            None => plan.unsupported = Some(LONGER),
        }
        plan.forget(path);
        plan.push(Item { path: path.to_vec(), ty, source: Source::Text(bytes, span) });
        Ok(())
    }

    fn braced<'ast>(
        &mut self,
        ty: TypeId,
        path: &mut Vec<PartStep>,
        items: &'ast [Node<ast::InitializerListItem>],
        span: Span,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        plan.forget(path);
        match self.shape(ty) {
            None if self.types.is_scalar(ty) => {
                let Some(first) = items.first() else { return Ok(()) };
                if items.len() > 1 {
                    self.warn(span, "a number or pointer takes only one value");
                }
                self.plan_part(ty, path, &first.node.initializer, plan)
            }
            None => {
                let shown = self.types.show(ty);
                Err(self.error(span, format!("`{shown}` cannot be initialised")))
            }
            Some(shape) => {
                plan.look_around(path);
                if let [only] = items
                    && let (true, ast::Initializer::Expression(expression)) =
                        (only.node.designation.is_empty(), &only.node.initializer.node)
                    && let Some(bytes) = self.text_for(ty, expression)?
                {
                    return self.text(ty, path, bytes, span, plan);
                }
                let mut feed = Feed::new(items);
                self.fill_parts(&shape, path, &mut feed, &[], true, plan)
            }
        }
    }

    fn shape(&self, ty: TypeId) -> Option<Shape> {
        match *self.types.get(ty) {
            Type::Array(element, length) => Some(Shape::Array { element, length }),
            Type::Composite(composite) => {
                let is_union = self.types.composite(composite).is_union;
                self.types.composite(composite).members.as_ref()?;
                Some(Shape::Fields {
                    composite,
                    is_union,
                    fields: self.types.fields[composite.index()].clone(),
                })
            }
            _ => None,
        }
    }

    /// Fills parts of an aggregate in order. Without braces of its own it takes no more than it has parts, and no designators but those
    /// that lead into it.
    fn fill_parts<'ast>(
        &mut self,
        shape: &Shape,
        path: &mut Vec<PartStep>,
        feed: &mut Feed<'ast>,
        designators: &'ast [Node<ast::Designator>],
        is_braced: bool,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        let mut pending = designators;
        let mut position = 0u64;
        if matches!(shape, Shape::Array { length: None, .. }) && !path.is_empty() {
            plan.unsupported = Some(LONGER);
        }
        while let Some(item) = feed.peek() {
            if !self.watch.goes_on(1) {
                return Err(super::elaborate::Reported);
            }
            if pending.is_empty() && !feed.is_placed && !item.node.designation.is_empty() {
                if !is_braced {
                    return Ok(());
                }
                pending = &item.node.designation;
                plan.has_designators = true;
            }
            if let Some(designator) = pending.first() {
                let (first, last, is_used) = self.designated(shape, designator)?;
                let rest = if is_used { &pending[1..] } else { pending };
                pending = &[];
                if !rest.is_empty() {
                    feed.is_placed = true;
                    self.fill_designated(shape, first, path, feed, rest, plan)?;
                } else {
                    feed.is_placed = true;
                    for number in first..=last {
                        let again = feed.next;
                        self.fill_part(shape, number, path, feed, plan)?;
                        if number < last {
                            feed.next = again;
                            feed.is_placed = true;
                        }
                    }
                }
                position = last.saturating_add(1);
                continue;
            }
            if position >= shape.count() {
                if !is_braced {
                    return Ok(());
                }
                let span = self.span(item.span);
                self.warn(span, "there is no part left for this");
                feed.advance();
                continue;
            }
            self.fill_part(shape, position, path, feed, plan)?;
            position += 1;
        }
        Ok(())
    }

    /// The parts that a designator means, first and last, and whether the designator is used up by that.
    fn designated(&mut self, shape: &Shape, designator: &Node<ast::Designator>) -> Outcome<(u64, u64, bool)> {
        let span = self.span(designator.span);
        match (shape, &designator.node) {
            (Shape::Array { length, .. }, ast::Designator::Index(index)) => {
                let (number, _) = self.constant(index, "a designator")?;
                match u64::try_from(number) {
                    Ok(number) if length.is_none_or(|length| number < length) => Ok((number, number, true)),
                    _ => Err(self.error(span, "there is no such element")),
                }
            }
            (Shape::Array { length, .. }, ast::Designator::Range(range)) => {
                let (from, _) = self.constant(&range.node.from, "a designator")?;
                let (to, _) = self.constant(&range.node.to, "a designator")?;
                match (u64::try_from(from), u64::try_from(to)) {
                    (Ok(from), Ok(to))
                        if from <= to
                            && to - from < LONGEST_RANGE
                            && length.is_none_or(|length| to < length) =>
                    {
                        Ok((from, to, true))
                    }
                    _ => Err(self.error(span, "there are no such elements")),
                }
            }
            (Shape::Fields { composite, fields, .. }, ast::Designator::Member(name)) => {
                match self.field_with(*composite, fields, &name.node.name) {
                    Some((number, is_used)) => Ok((number as u64, number as u64, is_used)),
                    None => Err(self.error(span, format!("there is no member `{}`", name.node.name))),
                }
            }
            _ => Err(self.error(span, "this designator does not fit")),
        }
    }

    /// The field that is or holds a member, and whether it is the member itself.
    fn field_with(&self, composite: CompositeId, fields: &[Field], name: &str) -> Option<(usize, bool)> {
        fields.iter().enumerate().find_map(|(number, field)| match field {
            Field::Named(member) => {
                let members = self.types.composite(composite).members.as_ref()?;
                (members[*member].name == name).then_some((number, true))
            }
            Field::Anonymous { fields, .. } => {
                self.field_with(composite, fields, name).map(|_| (number, false))
            }
        })
    }

    fn sub(&self, shape: &Shape, position: u64) -> Sub {
        match shape {
            Shape::Array { element, .. } => Sub::Type(PartStep::Element(position), *element),
            Shape::Fields { composite, fields, .. } => match &fields[position as usize] {
                Field::Named(member) => {
                    let members = self.types.composite(*composite).members.as_ref().expect("it has fields");
                    Sub::Type(PartStep::Member(*member), members[*member].ty)
                }
                Field::Anonymous { is_union, fields } => Sub::Inner(Shape::Fields {
                    composite: *composite,
                    is_union: *is_union,
                    fields: fields.clone(),
                }),
            },
        }
    }

    /// Follows further designators into a part, and goes on there.
    fn fill_designated<'ast>(
        &mut self,
        shape: &Shape,
        position: u64,
        path: &mut Vec<PartStep>,
        feed: &mut Feed<'ast>,
        rest: &'ast [Node<ast::Designator>],
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        self.forget_others(shape, position, path, plan);
        match self.sub(shape, position) {
            Sub::Inner(inner) => self.fill_parts(&inner, path, feed, rest, false, plan),
            Sub::Type(step, ty) => {
                self.note_length(path, step, plan);
                let Some(inner) = self.shape(ty) else {
                    let span = self.span(rest[0].span);
                    return Err(self.error(span, "this designator does not fit"));
                };
                path.push(step);
                let done = self.fill_parts(&inner, path, feed, rest, false, plan);
                path.pop();
                done
            }
        }
    }

    /// A union holds one member: what was for others does not count any longer.
    fn forget_others(&self, shape: &Shape, position: u64, path: &mut Vec<PartStep>, plan: &mut Plan<'_>) {
        let Shape::Fields { is_union: true, fields, .. } = shape else { return };
        for (number, field) in fields.iter().enumerate() {
            if number as u64 != position {
                forget_field(field, path, plan);
            }
        }
    }

    fn note_length(&self, path: &[PartStep], step: PartStep, plan: &mut Plan<'_>) {
        if let (true, PartStep::Element(number)) = (path.is_empty(), step) {
            plan.length = plan.length.max(number + 1);
        }
    }

    /// Fills one part with the next item, or with as many as it has parts.
    fn fill_part<'ast>(
        &mut self,
        shape: &Shape,
        position: u64,
        path: &mut Vec<PartStep>,
        feed: &mut Feed<'ast>,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        let Some(item) = feed.peek() else { return Ok(()) };
        self.forget_others(shape, position, path, plan);
        match self.sub(shape, position) {
            Sub::Inner(inner) => match &item.node.initializer.node {
                ast::Initializer::List(items) => {
                    if let Shape::Fields { fields, .. } = &inner {
                        fields.iter().for_each(|field| forget_field(field, path, plan));
                    }
                    feed.advance();
                    self.fill_parts(&inner, path, &mut Feed::new(items), &[], true, plan)
                }
                ast::Initializer::Expression(_) => self.fill_parts(&inner, path, feed, &[], false, plan),
            },
            Sub::Type(step, ty) => {
                self.note_length(path, step, plan);
                path.push(step);
                let done = self.fill_typed(ty, path, item, feed, plan);
                path.pop();
                done
            }
        }
    }

    fn fill_typed<'ast>(
        &mut self,
        ty: TypeId,
        path: &mut Vec<PartStep>,
        item: &'ast Node<ast::InitializerListItem>,
        feed: &mut Feed<'ast>,
        plan: &mut Plan<'ast>,
    ) -> Outcome<()> {
        if let ast::Initializer::Expression(expression) = &item.node.initializer.node {
            let is_whole = match self.types.get(ty) {
                Type::Array(..) => self.text_for(ty, expression)?.is_some(),
                Type::Composite(_) => self.has_type(expression, ty)?,
                _ => true,
            };
            if !is_whole {
                let Some(inner) = self.shape(ty) else {
                    let span = self.span(item.span);
                    return Err(self.error(span, "this part cannot be initialised"));
                };
                return self.fill_parts(&inner, path, feed, &[], false, plan);
            }
        }
        feed.advance();
        self.plan_part(ty, path, &item.node.initializer, plan)
    }

    /// Whether an expression is a structure or union of this type.
    fn has_type(&mut self, expression: &Node<ast::Expression>, ty: TypeId) -> Outcome<bool> {
        self.draft.unevaluated += 1;
        let operand = self.operand(expression);
        self.draft.unevaluated -= 1;
        Ok(matches!(operand?, Operand::Place(place, _) if place.ty == ty))
    }
}

/// What was for a field does not count any longer.
fn forget_field(field: &Field, path: &mut Vec<PartStep>, plan: &mut Plan<'_>) {
    match field {
        Field::Named(member) => {
            path.push(PartStep::Member(*member));
            plan.forget(path);
            path.pop();
        }
        Field::Anonymous { fields, .. } => fields.iter().for_each(|field| forget_field(field, path, plan)),
    }
}
