//! Types as they are written: specifiers, declarators, names of types.

use super::attribute::Attribute;
use super::elaborate::{Elaborator, Outcome};
use super::expression::Operand;
use super::scope::Symbol;
use super::types::integer_type;
use crate::ir::{Expression, Float, Integer, Rank, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;
use std::rc::Rc;
use tertium_support::Span;

/// How many dimensions arrays have at most; pointers and functions have no limit of their own, the text has.
const MOST_DIMENSIONS: usize = 64;

/// A type that was declared, with what the type alone does not say.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) ty: TypeId,
    /// Which levels are `const`: the first bit is for the thing itself.
    pub(super) constness: u32,
    /// The thing is an array of this many elements of the type, not known before the program runs.
    pub(super) length: Option<Expression>,
    /// If the type is that of a function, its parameters.
    pub(super) parameters: Option<Rc<Parameters>>,
}

/// The parameters of a function as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    /// Name, type, constness and place of each.
    pub(super) list: Vec<(Option<String>, TypeId, u32, Span)>,
    /// Whether it is an old-style list of names, whose types come later.
    pub(super) is_old: bool,
}

/// Where and how long something lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Typedef,
    Extern,
    Static,
    Usual,
}

/// One part of the specifiers of a declaration.
#[derive(Clone, Copy)]
enum Part<'a> {
    Type(&'a Node<ast::TypeSpecifier>),
    Const,
    Nothing,
}

/// How often the words for arithmetic types occur.
#[derive(Default)]
struct Words {
    n: usize,
    char: usize,
    short: usize,
    int: usize,
    long: usize,
    signed: usize,
    unsigned: usize,
    float: usize,
    double: usize,
    bool: usize,
    wide: usize,
    complex: usize,
}

impl Declared {
    fn plain(ty: TypeId, constness: u32) -> Self {
        Self { ty, constness, length: None, parameters: None }
    }
}

fn is_const(qualifier: &ast::TypeQualifier) -> bool {
    *qualifier == ast::TypeQualifier::Const
}

/// What is not supported of arrays of variable length.
pub(super) const NESTED_LENGTH: &str = "an array of variable length inside another type";

impl Elaborator<'_> {
    /// The type and the storage class that specifiers of a declaration say.
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<ast::DeclarationSpecifier>],
        span: Span,
    ) -> Outcome<(Declared, Storage)> {
        let mut storage = Storage::Usual;
        let parts: Vec<Part<'_>> = specifiers
            .iter()
            .map(|specifier| match &specifier.node {
                ast::DeclarationSpecifier::TypeSpecifier(specifier) => Part::Type(specifier),
                ast::DeclarationSpecifier::TypeQualifier(qualifier) if is_const(&qualifier.node) => {
                    Part::Const
                }
                ast::DeclarationSpecifier::StorageClass(class) => {
                    match class.node {
                        ast::StorageClassSpecifier::Typedef => storage = Storage::Typedef,
                        ast::StorageClassSpecifier::Extern => storage = Storage::Extern,
                        ast::StorageClassSpecifier::Static => storage = Storage::Static,
                        _ => {}
                    }
                    Part::Nothing
                }
                _ => Part::Nothing,
            })
            .collect();
        let declared = self.base(&parts, span)?;
        Ok((declared, storage))
    }

    /// The type that the specifiers of a member or a type name say.
    pub(super) fn qualified(
        &mut self,
        specifiers: &[Node<ast::SpecifierQualifier>],
        span: Span,
    ) -> Outcome<Declared> {
        let parts: Vec<Part<'_>> = specifiers
            .iter()
            .map(|specifier| match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(specifier) => Part::Type(specifier),
                ast::SpecifierQualifier::TypeQualifier(qualifier) if is_const(&qualifier.node) => Part::Const,
                _ => Part::Nothing,
            })
            .collect();
        self.base(&parts, span)
    }

    fn base(&mut self, parts: &[Part<'_>], span: Span) -> Outcome<Declared> {
        let constness = u32::from(parts.iter().any(|part| matches!(part, Part::Const)));
        let mut words = Words::default();
        let mut whole: Option<Declared> = None;
        let mut n_types = 0;
        for part in parts {
            let Part::Type(specifier) = part else { continue };
            n_types += 1;
            use ast::TypeSpecifier as Syntax;
            let place = self.span(specifier.span);
            match &specifier.node {
                Syntax::Char => words.char += 1,
                Syntax::Short => words.short += 1,
                Syntax::Int => words.int += 1,
                Syntax::Long => words.long += 1,
                Syntax::Signed => words.signed += 1,
                Syntax::Unsigned => words.unsigned += 1,
                Syntax::Float => words.float += 1,
                Syntax::Double => words.double += 1,
                Syntax::Bool => words.bool += 1,
                Syntax::Complex if self.prepared.marks.wide.contains(&place.start) => words.wide += 1,
                Syntax::Complex => words.complex += 1,
                Syntax::Void => whole = Some(Declared::plain(self.types.void(), 0)),
                Syntax::Struct(definition) => {
                    whole = Some(Declared::plain(self.composite_specifier(&definition.node, place)?, 0));
                }
                Syntax::Enum(definition) => {
                    whole = Some(Declared::plain(self.enumeration(&definition.node, place)?, 0));
                }
                Syntax::TypedefName(name) => whole = Some(self.named_type(&name.node.name, place)?),
                Syntax::TypeOf(of) => whole = Some(self.type_of(&of.node)?),
                Syntax::Atomic(name) => whole = Some(self.type_name(name)?),
                Syntax::TS18661Float(float) => {
                    let float = match float.width {
                        16 | 32 => Float::Single,
                        64 => Float::Double,
                        _ => Float::Long,
                    };
                    whole = Some(Declared::plain(self.types.intern(Type::Float(float)), 0));
                }
            }
        }
        match whole {
            Some(declared) if n_types == 1 => {
                Ok(Declared { constness: declared.constness | constness, ..declared })
            }
            Some(_) => Err(self.error(span, "these words do not make a type together")),
            None => {
                words.n = n_types;
                let ty = self.arithmetic_type(&words, span)?;
                Ok(Declared::plain(ty, constness))
            }
        }
    }

    fn arithmetic_type(&mut self, words: &Words, span: Span) -> Outcome<TypeId> {
        if words.complex > 0 {
            return Err(self.error(span, "complex numbers are not supported"));
        }
        let signs = words.signed + words.unsigned;
        let sizes = words.char + words.short + words.long;
        let fits = signs <= 1
            && words.int <= 1
            && match (words.bool, words.float, words.double, words.wide) {
                (0, 0, 0, 0) => {
                    sizes == 0
                        || (words.long == sizes && sizes <= 2)
                        || (sizes == 1 && words.char + words.int <= 1)
                }
                (1, 0, 0, 0) | (0, 1, 0, 0) => signs + sizes + words.int == 0,
                (0, 0, 1, 0) => signs + words.int == 0 && sizes == words.long && words.long <= 1,
                (0, 0, 0, 1) => sizes + words.int == 0,
                _ => false,
            };
        if !fits {
            return Err(self.error(span, "these words do not make a type together"));
        }
        if words.float > 0 {
            return Ok(self.types.intern(Type::Float(Float::Single)));
        }
        if words.double > 0 {
            let float = if words.long > 0 { Float::Long } else { Float::Double };
            return Ok(self.types.intern(Type::Float(float)));
        }
        let rank = match (words.bool, words.char, words.short, words.long, words.wide) {
            (1, ..) => return Ok(self.types.standard(Rank::Bool, false)),
            (_, 1, ..) => Rank::Char,
            (_, _, 1, ..) => Rank::Short,
            (_, _, _, 1, _) => Rank::Long,
            (_, _, _, 2, _) => Rank::LongLong,
            (.., 1) => Rank::Int128,
            _ => Rank::Int,
        };
        debug_assert!(words.n >= words.int, "words were counted");
        Ok(self.types.standard(rank, words.unsigned == 0))
    }

    fn named_type(&mut self, name: &str, span: Span) -> Outcome<Declared> {
        match self.scopes.find(name) {
            Some((Symbol::Type(ty, constness), _)) => Ok(Declared::plain(ty, constness)),
            Some((Symbol::Broken, _)) => Err(super::elaborate::Reported),
            _ if name == "__builtin_va_list" => {
                // Nothing can be done with it, but it can be declared.
                let void = self.types.void();
                let pointer = self.types.pointer(void);
                Ok(Declared::plain(pointer, 0))
            }
            _ => Err(self.error(span, format!("the type `{name}` is not declared"))),
        }
    }

    fn type_of(&mut self, of: &ast::TypeOf) -> Outcome<Declared> {
        match of {
            ast::TypeOf::Type(name) => self.type_name(name),
            ast::TypeOf::Expression(expression) => {
                self.draft.unevaluated += 1;
                let operand = self.operand(expression);
                self.draft.unevaluated -= 1;
                Ok(match operand? {
                    Operand::Place(place, access) => Declared::plain(place.ty, access.constness),
                    Operand::Value(value) => Declared::plain(value.expression.ty, value.constness << 1),
                    Operand::Function(function, _) => {
                        Declared::plain(self.function_states[tertium_support::Id::index(function)].ty, 0)
                    }
                    Operand::Void(_) => Declared::plain(self.types.void(), 0),
                })
            }
        }
    }

    /// The type that a type name says.
    pub(super) fn type_name(&mut self, name: &Node<ast::TypeName>) -> Outcome<Declared> {
        let span = self.span(name.span);
        let base = self.qualified(&name.node.specifiers, span)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator)?.0),
            None => Ok(base),
        }
    }

    /// Whether a type name is just `void`.
    pub(super) fn is_void_name(&self, name: &Node<ast::TypeName>) -> bool {
        let is_void = |specifier: &Node<ast::SpecifierQualifier>| match &specifier.node {
            ast::SpecifierQualifier::TypeSpecifier(specifier) => specifier.node == ast::TypeSpecifier::Void,
            _ => false,
        };
        name.node.declarator.is_none() && name.node.specifiers.iter().any(is_void)
    }

    /// What a declarator makes of a type, and the name it declares.
    pub(super) fn declarator(
        &mut self,
        base: Declared,
        declarator: &Node<ast::Declarator>,
    ) -> Outcome<(Declared, Option<(String, Span)>)> {
        let mut declared = base;
        let mut current = declarator;
        // Pointers stand before the name and belong to the type so far; arrays and functions stand behind it, the nearest last.
        loop {
            let is_last = !matches!(current.node.kind.node, ast::DeclaratorKind::Declarator(_));
            for derived in &current.node.derived {
                if let ast::DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                    declared = self.pointer_to(declared, qualifiers, self.span(derived.span))?;
                }
            }
            let behind = current
                .node
                .derived
                .iter()
                .filter(|derived| !matches!(derived.node, ast::DerivedDeclarator::Pointer(_)));
            let behind: Vec<_> = behind.collect();
            if behind.len() > MOST_DIMENSIONS {
                return Err(self.error(self.span(current.span), "too many dimensions"));
            }
            for (number, derived) in behind.iter().enumerate().rev() {
                let span = self.span(derived.span);
                declared = match &derived.node {
                    ast::DerivedDeclarator::Array(array) => {
                        self.array_of(declared, &array.node.size, is_last && number == 0, span)?
                    }
                    ast::DerivedDeclarator::Function(function) => {
                        self.function_of(declared, &function.node, span)?
                    }
                    ast::DerivedDeclarator::KRFunction(names) => {
                        self.old_function_of(declared, names, span)?
                    }
                    ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => {
                        return Err(self.error(span, "this declarator is not C"));
                    }
                };
            }
            match &current.node.kind.node {
                ast::DeclaratorKind::Abstract => return Ok((declared, None)),
                ast::DeclaratorKind::Identifier(name) => {
                    let span = self.span(name.span);
                    return Ok((declared, Some((name.node.name.clone(), span))));
                }
                ast::DeclaratorKind::Declarator(inner) => current = inner,
            }
        }
    }

    fn pointer_to(
        &mut self,
        to: Declared,
        qualifiers: &[Node<ast::PointerQualifier>],
        span: Span,
    ) -> Outcome<Declared> {
        if to.length.is_some() {
            let element = Declared { length: None, ..to };
            let array = self.nested_length(element, span)?;
            return self.pointer_to(array, qualifiers, span);
        }
        let is_const = qualifiers.iter().any(|qualifier| match &qualifier.node {
            ast::PointerQualifier::TypeQualifier(qualifier) => is_const(&qualifier.node),
            ast::PointerQualifier::Extension(_) => false,
        });
        Ok(Declared::plain(self.types.pointer(to.ty), (to.constness << 1) | u32::from(is_const)))
    }

    fn array_of(
        &mut self,
        element: Declared,
        size: &ast::ArraySize,
        is_outermost: bool,
        span: Span,
    ) -> Outcome<Declared> {
        if self.types.size_of(element.ty).is_none() {
            let shown = self.types.show(element.ty);
            return Err(self.error(span, format!("an array cannot have elements of type `{shown}`")));
        }
        let length = match size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => None,
            ast::ArraySize::VariableExpression(length) | ast::ArraySize::StaticExpression(length) => {
                let value = if self.draft.is_outside() || !is_outermost {
                    self.draft.unevaluated += 1;
                    let value = self.scalar(length);
                    self.draft.unevaluated -= 1;
                    value?
                } else {
                    self.scalar(length)?
                };
                let Some(_) = self.types.integer(value.ty) else {
                    return Err(self.error(span, "the length of an array must be an integer"));
                };
                match value.kind {
                    crate::ir::ExpressionKind::Integer(length) => match u64::try_from(length) {
                        Ok(length) => Some(length),
                        Err(_) => return Err(self.error(span, "the length of this array is negative")),
                    },
                    _ if self.draft.is_outside() && self.draft.unevaluated > 0 => {
                        // Of a parameter: the outermost array is a pointer anyway.
                        if !is_outermost || element.length.is_some() {
                            self.open_parameters.push(span);
                        }
                        Some(1)
                    }
                    _ if self.draft.is_outside() => {
                        return Err(self.error(span, "the length of this array must be constant"));
                    }
                    _ if !is_outermost || element.length.is_some() => {
                        return self.nested_length(element, span);
                    }
                    _ => return Ok(Declared { length: Some(value), ..element }),
                }
            }
        };
        if element.length.is_some() {
            return self.nested_length(element, span);
        }
        match self.types.array(element.ty, length) {
            Some(ty) => Ok(Declared::plain(ty, element.constness)),
            None => Err(self.error(span, "this array is too large")),
        }
    }

    /// An array of variable length inside another type: what is declared can be named, but control cannot come to its declaration.
    fn nested_length(&mut self, element: Declared, span: Span) -> Outcome<Declared> {
        let number = self.unsupported(span, NESTED_LENGTH);
        self.draft.emit(crate::ir::InstructionKind::Unsupported(number), span);
        match self.types.array(element.ty, Some(1)) {
            Some(ty) => Ok(Declared::plain(ty, element.constness)),
            None => Err(self.error(span, "this array is too large")),
        }
    }

    fn function_of(
        &mut self,
        returns: Declared,
        function: &ast::FunctionDeclarator,
        span: Span,
    ) -> Outcome<Declared> {
        if returns.length.is_some()
            || self.types.is_function(returns.ty)
            || matches!(self.types.get(returns.ty), Type::Array(..))
        {
            return Err(self.error(span, "a function cannot return an array or a function"));
        }
        let n_locals = self.draft.locals.len();
        self.scopes.enter();
        let list = function
            .parameters
            .iter()
            .map(|parameter| self.parameter(parameter))
            .collect::<Outcome<Vec<_>>>();
        self.scopes.leave();
        self.draft.locals.truncate(n_locals);
        let mut list = list?;
        let more = function.ellipsis == ast::Ellipsis::Some;
        if let [(None, only, ..)] = list.as_slice()
            && self.types.is_void(*only)
        {
            list.clear();
        }
        if let Some((_, _, _, place)) = list.iter().find(|(_, ty, ..)| self.types.is_void(*ty)) {
            return Err(self.error(*place, "a parameter cannot be `void`"));
        }
        let types: Vec<TypeId> = list.iter().map(|&(_, ty, ..)| ty).collect();
        let is_empty = function.parameters.is_empty() && !more;
        let ty = self.types.intern(Type::Function(returns.ty, types, more || is_empty));
        let parameters = Rc::new(Parameters { list, is_old: false });
        Ok(Declared { ty, constness: 0, length: None, parameters: Some(parameters) })
    }

    /// One parameter: arrays and functions become pointers.
    fn parameter(
        &mut self,
        parameter: &Node<ast::ParameterDeclaration>,
    ) -> Outcome<(Option<String>, TypeId, u32, Span)> {
        let span = self.span(parameter.span);
        let (base, _) = self.specifiers(&parameter.node.specifiers, span)?;
        let (declared, name) = match &parameter.node.declarator {
            Some(declarator) => {
                // Lengths of arrays do not matter here, and may speak of the parameters before.
                self.draft.unevaluated += 1;
                let found = self.declarator(base, declarator);
                self.draft.unevaluated -= 1;
                found?
            }
            None => (base, None),
        };
        let (ty, constness) = self.adjusted(&declared);
        let place = name.as_ref().map_or(span, |&(_, place)| place);
        if let Some((name, place)) = &name {
            // So that lengths of later parameters can speak of it. It is never evaluated.
            let local = self.draft.add_local(format!(".{name}"), ty, *place);
            self.scopes.declare(name, Symbol::Local(local, 0), *place);
        }
        Ok((name.map(|(name, _)| name), ty, constness, place))
    }

    /// The type of a parameter that is declared so.
    pub(super) fn adjusted(&mut self, declared: &Declared) -> (TypeId, u32) {
        match self.types.get(declared.ty).clone() {
            _ if declared.length.is_some() => (self.types.pointer(declared.ty), declared.constness << 1),
            Type::Array(element, _) => (self.types.pointer(element), declared.constness << 1),
            Type::Function(..) => (self.types.pointer(declared.ty), 0),
            _ => (declared.ty, declared.constness),
        }
    }

    fn old_function_of(
        &mut self,
        returns: Declared,
        names: &[Node<ast::Identifier>],
        span: Span,
    ) -> Outcome<Declared> {
        if self.types.is_function(returns.ty) || matches!(self.types.get(returns.ty), Type::Array(..)) {
            return Err(self.error(span, "a function cannot return an array or a function"));
        }
        let int = self.types.int();
        let list =
            names.iter().map(|name| (Some(name.node.name.clone()), int, 0, self.span(name.span))).collect();
        let ty = self.types.intern(Type::Function(returns.ty, Vec::new(), true));
        let parameters = Rc::new(Parameters { list, is_old: true });
        Ok(Declared { ty, constness: 0, length: None, parameters: Some(parameters) })
    }

    /// A type with the attributes that stand in a part of the text.
    pub(super) fn with_attributes(
        &mut self,
        ty: TypeId,
        attributes: &[Attribute],
        span: Span,
    ) -> Outcome<TypeId> {
        let mut ty = ty;
        for attribute in attributes {
            match attribute {
                &Attribute::Mode(bytes) => {
                    let Some(integer) = self.types.integer(ty) else { continue };
                    let rank = match (bytes, self.types.model.word()) {
                        (1, _) => Rank::Char,
                        (2, _) => Rank::Short,
                        (4, _) | (0, 4) => Rank::Int,
                        (0, _) => Rank::Long,
                        (_, 8) => Rank::Long,
                        _ => Rank::LongLong,
                    };
                    let own: Integer = integer_type(self.types.model, rank, integer.signed);
                    ty = self.types.intern(Type::Integer(own));
                }
                Attribute::Other(what) if what.contains("vector_size") || what.contains("mode") => {
                    return Err(self.error(span, format!("{what} is not supported")));
                }
                _ => {}
            }
        }
        Ok(ty)
    }

    /// The attributes in a part of a declaration, but for those of members inside of it.
    pub(super) fn attributes_between(&self, span: Span, bodies: &[Span]) -> Vec<Attribute> {
        let found = self.prepared.marks.others.range(span.range());
        let own = found.filter(|&(&at, _)| !bodies.iter().any(|body| body.range().contains(&at)));
        own.map(|(_, attribute)| attribute.clone()).collect()
    }

    /// Where structures and unions stand among specifiers with their members.
    pub(super) fn bodies<'a>(
        &self,
        specifiers: impl Iterator<Item = &'a Node<ast::TypeSpecifier>>,
    ) -> Vec<Span> {
        let with_body = specifiers.filter(|specifier| match &specifier.node {
            ast::TypeSpecifier::Struct(own) => own.node.declarations.is_some(),
            _ => false,
        });
        with_body.map(|specifier| self.span(specifier.span)).collect()
    }
}
