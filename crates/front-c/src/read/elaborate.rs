//! What all parts of the reader share: the program so far, complaints, and small makers of expressions and places.

use super::draft::Draft;
use super::prepare::Prepared;
use super::scope::Scopes;
use super::types::Types;
use crate::ir::{
    Base, Expression, ExpressionKind, Function, FunctionId, GlobalId, Initial, LocalId, Object, Place,
    StringId, Type, TypeId, UnsupportedConstruct,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tertium_support::{Diagnostic, Diagnostics, Id, Severity, Span, Watch};

/// Something is wrong, and was said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

pub(super) type Outcome<T> = Result<T, Reported>;

/// No more complaints than this are collected.
const MOST_COMPLAINTS: usize = 100;

/// How an object outside of functions was declared so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GlobalState {
    /// Whether there is a definition: one without `extern`, or with an initialiser.
    pub(super) is_defined: bool,
    /// Whether it has an initialiser.
    pub(super) has_initial: bool,
}

/// How a function was declared so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionState {
    /// Its type.
    pub(super) ty: TypeId,
    /// Whether the name was used without any declaration.
    pub(super) is_implicit: bool,
}

/// The program so far.
pub(super) struct Elaborator<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) watch: Watch<'a>,
    pub(super) complaints: Diagnostics,
    /// Whether one of them is an error: then there is no result.
    pub(super) has_errors: bool,
    pub(super) types: Types,
    pub(super) scopes: Scopes,
    pub(super) globals: Vec<Object>,
    pub(super) global_states: Vec<GlobalState>,
    pub(super) initial: Vec<Initial>,
    pub(super) functions: Vec<Function>,
    pub(super) function_states: Vec<FunctionState>,
    pub(super) strings: Vec<Vec<u8>>,
    string_ids: FxHashMap<Vec<u8>, StringId>,
    pub(super) unsupported: Vec<UnsupportedConstruct>,
    unsupported_ids: FxHashMap<(Span, String), usize>,
    /// The functions that have a body somewhere in the file.
    pub(super) defined: FxHashSet<String>,
    /// The labels of the program: `L` and `f.L`.
    pub(super) labels: BTreeSet<String>,
    /// Names that may mean something else than what is declared by them, with how that came.
    pub(super) renamed: FxHashMap<String, String>,
    /// Names outside of functions that are not those of functions.
    pub(super) variables: FxHashSet<String>,
    /// The alignment that names of types say, other than that of the type; nothing where it is not known.
    pub(super) alignments: FxHashMap<String, Option<u64>>,
    /// Parameters that point to arrays of variable length, of what is declared now.
    pub(super) open_parameters: Vec<Span>,
    /// What is not supported from the beginning of the program on.
    pub(super) from_start: Vec<(Span, String)>,
    /// The function that is read.
    pub(super) draft: Draft,
    /// How many structures and unions without a tag there are.
    pub(super) n_nameless: usize,
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(prepared: &'a Prepared, watch: Watch<'a>, types: Types) -> Self {
        Self {
            prepared,
            watch,
            complaints: Vec::new(),
            has_errors: false,
            types,
            scopes: Scopes::new(),
            globals: Vec::new(),
            global_states: Vec::new(),
            initial: Vec::new(),
            functions: Vec::new(),
            function_states: Vec::new(),
            strings: Vec::new(),
            string_ids: FxHashMap::default(),
            unsupported: Vec::new(),
            unsupported_ids: FxHashMap::default(),
            defined: FxHashSet::default(),
            labels: BTreeSet::new(),
            renamed: FxHashMap::default(),
            variables: FxHashSet::default(),
            alignments: FxHashMap::default(),
            open_parameters: Vec::new(),
            from_start: Vec::new(),
            draft: Draft::new("", None),
            n_nameless: 0,
        }
    }

    /// The span in the text of the user.
    pub(super) fn span(&self, span: lang_c::span::Span) -> Span {
        self.prepared.span(span)
    }

    /// Notes a complaint.
    pub(super) fn complain(&mut self, complaint: Diagnostic) -> Reported {
        let is_error = complaint.severity == Severity::Error;
        self.has_errors |= is_error;
        // At least one error is kept, however many warnings there are.
        if self.complaints.len() < if is_error { 2 * MOST_COMPLAINTS } else { MOST_COMPLAINTS } {
            self.complaints.push(complaint);
        }
        Reported
    }

    /// Notes an error.
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.complain(Diagnostic::error(span, message))
    }

    /// Notes something that is allowed but odd.
    pub(super) fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.complain(Diagnostic::warning(span, message));
    }

    /// Notes something that is not supported; gives its number.
    pub(super) fn unsupported(&mut self, span: Span, what: impl Into<String>) -> usize {
        let key = (span, what.into());
        if let Some(&known) = self.unsupported_ids.get(&key) {
            return known;
        }
        let number = self.unsupported.len();
        self.unsupported.push(UnsupportedConstruct { what: key.1.clone(), span });
        self.unsupported_ids.insert(key, number);
        number
    }

    /// A value that is not supported.
    pub(super) fn unsupported_value(
        &mut self,
        span: Span,
        what: impl Into<String>,
        ty: TypeId,
    ) -> Expression {
        let number = self.unsupported(span, what);
        Expression { kind: ExpressionKind::Unsupported(number), ty, span }
    }

    pub(super) fn integer(&self, value: i128, ty: TypeId, span: Span) -> Expression {
        Expression { kind: ExpressionKind::Integer(value), ty, span }
    }

    pub(super) fn int(&mut self, value: i128, span: Span) -> Expression {
        let ty = self.types.int();
        self.integer(value, ty, span)
    }

    pub(super) fn local_place(&self, local: LocalId, span: Span) -> Place {
        let ty = self.draft.locals[local.index()].ty;
        Place { base: Base::Local(local), path: Vec::new(), ty, span }
    }

    pub(super) fn global_place(&self, global: GlobalId, span: Span) -> Place {
        let ty = self.globals[global.index()].ty;
        Place { base: Base::Global(global), path: Vec::new(), ty, span }
    }

    pub(super) fn read_local(&self, local: LocalId, span: Span) -> Expression {
        self.read(self.local_place(local, span))
    }

    pub(super) fn read(&self, place: Place) -> Expression {
        let (ty, span) = (place.ty, place.span);
        Expression { kind: ExpressionKind::Read(Box::new(place)), ty, span }
    }

    /// A string literal, with the zero at its end.
    pub(super) fn string(&mut self, bytes: Vec<u8>) -> StringId {
        if let Some(&known) = self.string_ids.get(&bytes) {
            return known;
        }
        let id = StringId::new(self.strings.len());
        self.strings.push(bytes.clone());
        self.string_ids.insert(bytes, id);
        id
    }

    /// Notes that something can be reached through pointers.
    pub(super) fn mark_address(&mut self, base: &Base) {
        if self.draft.unevaluated > 0 {
            return;
        }
        match base {
            Base::Global(global) => self.globals[global.index()].has_address = true,
            Base::Local(local) => self.draft.locals[local.index()].has_address = true,
            Base::Pointer(_) | Base::Text(_) => {}
        }
    }

    /// The address of a place. The address of what a pointer points to is the pointer.
    pub(super) fn address_of(&mut self, place: Place) -> Expression {
        let ty = self.types.pointer(place.ty);
        let span = place.span;
        if let Base::Pointer(pointer) = &place.base
            && place.path.is_empty()
        {
            return Expression { span, ..self.retyped(pointer.clone(), ty) };
        }
        self.mark_address(&place.base);
        Expression { kind: ExpressionKind::AddressOf(Box::new(place)), ty, span }
    }

    /// A pointer as another type of pointer.
    fn retyped(&mut self, pointer: Expression, ty: TypeId) -> Expression {
        if pointer.ty == ty { pointer } else { self.convert(pointer, ty) }
    }

    /// A function as a value.
    pub(super) fn function_value(&mut self, function: FunctionId, span: Span) -> Expression {
        let ty = self.function_states[function.index()].ty;
        let ty = self.types.pointer(ty);
        Expression { kind: ExpressionKind::Function(function), ty, span }
    }

    /// The type of a function: what it returns, parameters, whether there may be more.
    pub(super) fn signature(&self, ty: TypeId) -> Option<(TypeId, Vec<TypeId>, bool)> {
        match self.types.get(ty) {
            Type::Function(returns, parameters, more) => Some((*returns, parameters.clone(), *more)),
            _ => None,
        }
    }

    /// A value in a temporary, unless it is one or is constant.
    pub(super) fn in_temporary(&mut self, value: Expression) -> Expression {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Function(_) => {
                return value;
            }
            ExpressionKind::Read(place) => {
                if let (Base::Local(local), true) = (&place.base, place.path.is_empty())
                    && self.draft.is_temporary(*local)
                {
                    return value;
                }
            }
            _ => {}
        }
        let (ty, span) = (value.ty, value.span);
        let local = self.draft.temporary(ty, span);
        self.assign(self.local_place(local, span), value, span);
        self.read_local(local, span)
    }

    /// Writes an instruction that assigns.
    pub(super) fn assign(&mut self, to: Place, value: Expression, span: Span) {
        self.draft.emit(crate::ir::InstructionKind::Assign { to, value }, span);
    }
}
