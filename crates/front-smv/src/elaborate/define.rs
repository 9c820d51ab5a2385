//! Definitions, each after those it uses.
//!
//! A definition is looked at; if it names others that are not finished, it waits for them and is looked at again.
//! There is no recursion, so that a long row of definitions in the wrong order does no harm, and each definition is
//! looked at twice at most. One that waits for itself is circular.
//!
//! A definition with `next` inside is put in wherever it is used, since in the flat model definitions are about one
//! state.

use super::resolve::STEPS;
use super::{DefinitionId, Elaborator, InstanceId};
use crate::syntax::tree;
use crate::{Define, DefineId, Expr};
use tertium_support::{Diagnostic, Id, Span};

/// A definition as it stands in the text.
pub(super) struct Definition<'a> {
    /// The full name.
    pub(super) name: String,
    /// What it stands for, unless it is finished.
    pub(super) body: Option<&'a tree::Expr>,
    /// Where the names in the body are looked up.
    pub(super) scope: InstanceId,
    /// How far we are.
    pub(super) state: State,
}

/// How far a definition is.
pub(super) enum State {
    /// Not looked at.
    Waiting,
    /// Looked at, waiting for others.
    Open,
    /// Finished.
    Done(DefineId),
    /// Finished, and put in where it is used.
    Inline(Expr),
    /// Another name for a whole array, which is no value.
    Array,
    /// There was a complaint.
    Failed,
}

impl<'a> Definition<'a> {
    /// A definition that was not looked at.
    pub(super) fn new(name: String, body: &'a tree::Expr, scope: InstanceId) -> Self {
        Self { name, body: Some(body), scope, state: State::Waiting }
    }
}

impl Elaborator<'_> {
    /// Finishes all definitions.
    pub(super) fn define_all(&mut self) {
        for id in DefinitionId::first(self.definitions.len()) {
            let mut waiting = vec![id];
            while let Some(&id) = waiting.last() {
                if matches!(self.definitions[id.index()].state, State::Waiting | State::Open) {
                    let needs = self.define(id);
                    if !needs.is_empty() {
                        self.refuse_circular(&waiting, &needs);
                        let fresh = |need: &DefinitionId| {
                            matches!(self.definitions[need.index()].state, State::Waiting)
                        };
                        waiting.extend(needs.iter().copied().filter(fresh));
                        continue;
                    }
                }
                waiting.pop();
            }
        }
    }

    /// Looks at a definition: it is finished afterwards, or the others that it waits for are given.
    fn define(&mut self, id: DefinitionId) -> Vec<DefinitionId> {
        let definition = &self.definitions[id.index()];
        let Some(body) = definition.body else { return Vec::new() };
        let scope = definition.scope;
        let n_complaints = self.diagnostics.len();
        if body.is_reference() && matches!(self.named_array(id, STEPS), Some(Some(_))) {
            self.definitions[id.index()].state = State::Array;
            self.needs.clear();
            return Vec::new();
        }
        let expr = self.expr(scope, body);
        let mut needs = std::mem::take(&mut self.needs);
        if !needs.is_empty() {
            // What is wrong will be found again when the others are there.
            self.diagnostics.truncate(n_complaints);
            needs.sort_unstable();
            needs.dedup();
            self.definitions[id.index()].state = State::Open;
            return needs;
        }
        self.definitions[id.index()].state = match expr {
            None => State::Failed,
            Some(expr) if expr.has_next() => State::Inline(expr),
            Some(expr) => {
                let facts = self.facts_of(&expr);
                self.facts.push(facts);
                let name = self.definitions[id.index()].name.clone();
                self.defines.push(Define { name, body: expr });
                State::Done(DefineId::new(self.defines.len() - 1))
            }
        };
        needs
    }

    /// A definition that needs one which waits for it never ends: both fail.
    fn refuse_circular(&mut self, waiting: &[DefinitionId], needs: &[DefinitionId]) {
        for need in needs {
            if !matches!(self.definitions[need.index()].state, State::Open) {
                continue;
            }
            // All that wait for others lie on the way to the top; the rest of the stack is still untouched.
            let open = waiting.iter().skip_while(|id| *id != need);
            let names: Vec<String> = open
                .filter(|id| matches!(self.definitions[id.index()].state, State::Open))
                .map(|id| format!("`{}`", self.definitions[id.index()].name))
                .collect();
            let definition = &mut self.definitions[need.index()];
            definition.state = State::Failed;
            let span = definition.body.map_or(Span::default(), |body| body.span);
            let message = format!("the definition of `{}` is circular", definition.name);
            let complaint = Diagnostic::error(span, message);
            let note = format!("it goes through {}", names.join(", "));
            self.complain(if names.len() > 1 { complaint.with_note(note) } else { complaint });
        }
    }
}
