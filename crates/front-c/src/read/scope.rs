//! Names and what they mean, innermost scope first.

use crate::ir::{CompositeId, FunctionId, GlobalId, LocalId, TypeId};
use rustc_hash::FxHashMap;
use tertium_support::Span;

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    /// A local, and which levels of its type are `const`.
    Local(LocalId, u32),
    /// A global or a static local.
    Global(GlobalId, u32),
    /// An array of variable length: the local that points to it, the local that has its size in bytes.
    Variable(LocalId, LocalId),
    /// A function.
    Function(FunctionId),
    /// A type.
    Type(TypeId, u32),
    /// An enumerator.
    Constant(i128, TypeId),
    /// Something whose declaration is wrong, which was said already.
    Broken,
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    /// A structure or union.
    Composite(CompositeId),
    /// An enumeration, and whether its list was seen.
    Enumeration(TypeId, bool),
}

/// One scope.
#[derive(Default)]
struct Scope {
    names: FxHashMap<String, (Symbol, Span)>,
    tags: FxHashMap<String, (Tag, Span)>,
}

/// The scopes that are open.
pub(super) struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { scopes: vec![Scope::default()] }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        debug_assert!(self.scopes.len() > 1, "the file is never left");
        self.scopes.pop();
    }

    /// Whether this is outside of functions.
    pub(super) fn is_file(&self) -> bool {
        self.scopes.len() == 1
    }

    fn innermost(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the file is never left")
    }

    /// What a name means here.
    pub(super) fn find(&self, name: &str) -> Option<(Symbol, Span)> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name).copied())
    }

    /// What a name means in the innermost scope.
    pub(super) fn find_here(&self, name: &str) -> Option<(Symbol, Span)> {
        self.scopes.last().and_then(|scope| scope.names.get(name).copied())
    }

    /// What a name means outside of functions.
    pub(super) fn find_in_file(&self, name: &str) -> Option<(Symbol, Span)> {
        self.scopes[0].names.get(name).copied()
    }

    pub(super) fn declare(&mut self, name: &str, symbol: Symbol, span: Span) {
        self.innermost().names.insert(name.to_owned(), (symbol, span));
    }

    pub(super) fn declare_in_file(&mut self, name: &str, symbol: Symbol, span: Span) {
        self.scopes[0].names.insert(name.to_owned(), (symbol, span));
    }

    pub(super) fn find_tag(&self, name: &str) -> Option<(Tag, Span)> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn find_tag_here(&self, name: &str) -> Option<(Tag, Span)> {
        self.scopes.last().and_then(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn declare_tag(&mut self, name: &str, tag: Tag, span: Span) {
        self.innermost().tags.insert(name.to_owned(), (tag, span));
    }

    /// The names that can be used here, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().flat_map(|scope| scope.names.keys().map(String::as_str))
    }
}
