//! What attributes and assembler names say of functions and variables beyond their types: names that mean something else, and
//! functions that run without a call. None of that is supported: control that comes to it ends there.

use super::attribute::Attribute;
use super::declare::Storage;
use super::elaborate::Elaborator;
use super::library;
use crate::ir::{FunctionId, Instruction, InstructionKind};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::{Id, Span};

impl Elaborator<'_> {
    /// Looks through all declarations outside of functions for names that mean something else, before any of them is used.
    pub(super) fn find_renamed(&mut self, unit: &ast::TranslationUnit) {
        let declarations = unit.0.iter().filter_map(|item| match &item.node {
            ast::ExternalDeclaration::Declaration(declaration) => Some(declaration),
            _ => None,
        });
        let declarations: Vec<_> = declarations.collect();
        let mut marked = Vec::new();
        for declaration in &declarations {
            let found = self.attributes_of(declaration.span);
            for declarator in &declaration.node.declarators {
                let Some((name, is_function)) = declared_as(&declarator.node.declarator) else { continue };
                if !is_function {
                    self.variables.insert(name.to_owned());
                }
                marked.extend(found.iter().map(|(_, own)| (name, is_function, own.clone())));
            }
        }
        // A name may stand for one that stands for another.
        marked.sort_by_key(|(.., attribute)| matches!(attribute, Attribute::Name(_)));
        let mut before = usize::MAX;
        while before != self.renamed.len() {
            before = self.renamed.len();
            for (name, is_function, attribute) in &marked {
                self.rename(name, *is_function, attribute);
            }
        }
        for (&at, attribute) in &self.prepared.marks.others {
            if let Attribute::Runs(word) = attribute {
                let when = if word == "constructor" { "before" } else { "after" };
                self.from_start.push((Span::point(at), format!("functions that run {when} `main`")));
            }
        }
    }

    /// Notes that a name means something else, if it does; gives whether it does.
    fn rename(&mut self, name: &str, is_function: bool, attribute: &Attribute) -> bool {
        match attribute {
            Attribute::Alias(word) => {
                self.renamed.insert(name.to_owned(), format!("`{name}` with the attribute `{word}`"));
                true
            }
            Attribute::Name(other) => {
                let what = format!("`{name}` with an assembler name");
                let Some(other) = other.as_deref().filter(|_| is_function) else {
                    if other.as_deref() == Some(name) {
                        return false;
                    }
                    self.renamed.insert(name.to_owned(), what);
                    return true;
                };
                // Libraries give names to their functions: that is without effect as long as nothing here has such a name.
                let has_body = self.defined.contains(name);
                let meaning = library::meaning(other);
                let is_free = !has_body
                    && !self.defined.contains(other)
                    && !self.variables.contains(other)
                    && !self.renamed.contains_key(other)
                    && (meaning.is_none() || meaning == library::meaning(name));
                if other == name || is_free {
                    return false;
                }
                self.renamed.insert(name.to_owned(), what.clone());
                if has_body {
                    self.renamed.insert(other.to_owned(), what);
                }
                true
            }
            _ => false,
        }
    }

    /// The attributes in a declaration, and before it.
    fn attributes_of(&self, span: lang_c::span::Span) -> Vec<(usize, Attribute)> {
        let bytes = self.prepared.text.as_bytes();
        let mut start = span.start.min(bytes.len());
        while start > 0 && bytes[start - 1].is_ascii_whitespace() {
            start -= 1;
        }
        let range = self.prepared.original(start)..self.prepared.original(span.end.min(bytes.len()));
        let found = self.prepared.marks.others.range(range);
        found.map(|(&at, attribute)| (at, attribute.clone())).collect()
    }

    /// What the attributes of a declaration inside of a function say.
    pub(super) fn local_attributes(&mut self, declaration: &Node<ast::Declaration>, storage: Storage) {
        for (at, attribute) in self.attributes_of(declaration.span) {
            let span = Span::point(at);
            match &attribute {
                Attribute::Cleanup => {
                    let number = self.unsupported(span, "the attribute `cleanup`");
                    self.draft.emit(InstructionKind::Unsupported(number), span);
                }
                Attribute::Alias(_) | Attribute::Name(_) => {
                    for declarator in &declaration.node.declarators {
                        let Some((name, is_function)) = declared_as(&declarator.node.declarator) else {
                            continue;
                        };
                        let is_outer = is_function || matches!(storage, Storage::Extern | Storage::Static);
                        // Other functions may have used the name already.
                        if is_outer && self.rename(name, is_function, &attribute) {
                            let what = self.renamed[name].clone();
                            self.from_start.push((span, what));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A name is used that may mean something else.
    pub(super) fn uses_renamed(&mut self, name: &str, span: Span) {
        if self.draft.unevaluated > 0 {
            return;
        }
        let Some(what) = self.renamed.get(name).cloned() else { return };
        if self.scopes.is_file() {
            self.from_start.push((span, what));
        } else {
            let number = self.unsupported(span, what);
            self.draft.emit(InstructionKind::Unsupported(number), span);
        }
    }

    /// What is not supported from the beginning on stands at the beginning of main.
    pub(super) fn unsupported_from_start(&mut self, main: FunctionId) {
        for (span, what) in std::mem::take(&mut self.from_start).into_iter().rev() {
            let number = self.unsupported(span, what);
            if let Some(body) = &mut self.functions[main.index()].body {
                let kind = InstructionKind::Unsupported(number);
                body.blocks[0].instructions.insert(0, Instruction { kind, span });
            }
        }
    }
}

/// The name that a declarator declares, and whether as a function.
fn declared_as(declarator: &Node<ast::Declarator>) -> Option<(&str, bool)> {
    let mut current = &declarator.node;
    loop {
        match &current.kind.node {
            ast::DeclaratorKind::Abstract => return None,
            ast::DeclaratorKind::Declarator(inner) => current = &inner.node,
            ast::DeclaratorKind::Identifier(name) => {
                let is_function = current.derived.iter().any(|derived| {
                    matches!(
                        derived.node,
                        ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_)
                    )
                });
                return Some((&name.node.name, is_function));
            }
        }
    }
}
