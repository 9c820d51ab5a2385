//! Assignments and constraints.
//!
//! A variable has at most one assignment for each time; next values at most one in each process. A variable whose
//! current value is assigned has no other assignment. Inputs are never assigned, frozen variables only at the start.

use super::resolve::Place;
use super::{Elaborator, InstanceId, Parts};
use crate::syntax::tree::{ConstraintKind, Expr as Tree, Item};
use crate::{Assign, AssignTime, Expr, ExprKind, SymbolId, VarId, VarKind};
use rustc_hash::FxHashMap;
use tertium_support::{Diagnostic, Id, Span};

/// What an expression may read beside the current state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Nothing.
    State,
    /// Inputs.
    StateAndInputs,
    /// Inputs and the next state.
    Step,
}

impl<'a> Elaborator<'a> {
    /// All assignments, instance by instance.
    pub(super) fn assign_all(&mut self, parts: &mut Parts) {
        for scope in InstanceId::first(self.instances.len()) {
            for item in self.instances[scope.index()].items.clone() {
                if let Item::Assign(time, target, value) = item {
                    parts.assigns.extend(self.assign(scope, *time, target, value));
                }
            }
        }
        self.refuse_double(&parts.assigns);
        if !self.has_errors() {
            self.refuse_circular_assigns(&parts.assigns);
        }
    }

    /// All constraints, instance by instance.
    pub(super) fn constrain_all(&mut self, parts: &mut Parts) {
        for scope in InstanceId::first(self.instances.len()) {
            for item in self.instances[scope.index()].items.clone() {
                match item {
                    Item::Constraint(kind, body) => {
                        let (list, reads, what) = match kind {
                            ConstraintKind::Init => (&mut parts.init, Reads::State, "INIT"),
                            ConstraintKind::Invar => (&mut parts.invar, Reads::State, "INVAR"),
                            ConstraintKind::Trans => (&mut parts.trans, Reads::Step, "TRANS"),
                            ConstraintKind::Justice => {
                                (&mut parts.justice, Reads::StateAndInputs, "a fairness constraint")
                            }
                        };
                        list.extend(self.constraint(scope, body, reads, what));
                    }
                    Item::Compassion(first, second) => {
                        let what = "a fairness constraint";
                        let first = self.constraint(scope, first, Reads::StateAndInputs, what);
                        let second = self.constraint(scope, second, Reads::StateAndInputs, what);
                        parts.compassion.extend(first.zip(second));
                    }
                    _ => {}
                }
            }
        }
    }

    fn constraint(&mut self, scope: InstanceId, body: &Tree, reads: Reads, what: &str) -> Option<Expr> {
        let body = self.expr(scope, body)?;
        let body = self.condition(body)?;
        self.reads_only(body, reads, what)
    }

    /// The expression, if it reads no more than it may.
    pub(super) fn reads_only(&mut self, expr: Expr, reads: Reads, what: &str) -> Option<Expr> {
        let next = expr.preorder().find(|part| matches!(part.kind, ExprKind::Next(_)));
        if let Some(next) = next.filter(|_| reads != Reads::Step) {
            let complaint = Diagnostic::error(next.span, format!("`next` cannot stand in {what}"));
            let note = "it can in TRANS and on the right of next assignments";
            return self.refuse(complaint.with_note(note));
        }
        if reads == Reads::State
            && let Some(input) = self.input_in(&expr)
        {
            let complaint = Diagnostic::error(input.span, format!("an input cannot be read in {what}"));
            let note = "inputs, and `running`, belong to steps; they can be read in TRANS, next assignments, FAIRNESS and LTLSPEC";
            return self.refuse(complaint.with_note(note));
        }
        Some(expr)
    }

    fn assign(&mut self, scope: InstanceId, time: AssignTime, target: &Tree, value: &Tree) -> Option<Assign> {
        let variable = self.target(scope, time, target);
        let expr = self.expr(scope, value);
        let (target_id, expr) = (variable?, expr?);
        let variable = &self.variables[target_id.index()];
        let (ty, name) = (variable.ty.clone(), variable.name.clone());
        let expr = self.fitting(expr, &ty, &name)?;
        let (reads, what) = match time {
            AssignTime::Init => (Reads::State, "an init assignment"),
            AssignTime::Current => (Reads::State, "an assignment of a current value"),
            AssignTime::Next => (Reads::Step, "a next assignment"),
        };
        let value = self.reads_only(expr, reads, what)?;
        let process = if time == AssignTime::Next { self.instances[scope.index()].process } else { None };
        Some(Assign { target: target_id, time, value, process, span: target.span })
    }

    fn target(&mut self, scope: InstanceId, time: AssignTime, target: &Tree) -> Option<VarId> {
        let place = self.resolve(scope, target)?;
        let what = match place {
            Place::Variable(id) => {
                let variable = &self.variables[id.index()];
                let complaint = match (variable.kind, time) {
                    (VarKind::Input, _) => "an input cannot be assigned",
                    (VarKind::Frozen, AssignTime::Next | AssignTime::Current) => {
                        "a frozen variable can only be assigned with `init`"
                    }
                    _ => return Some(id),
                };
                return self.refuse(Diagnostic::error(target.span, complaint));
            }
            Place::Definition(_) => "a definition",
            Place::Constant(_) => "a constant",
            Place::Instance(_) => "an instance of a module",
            Place::Array(..) => "a whole array",
            Place::Running(_) => "`running`",
            Place::Beginning(_) => "the beginning of a name",
            Place::Select(..) => "an element whose index is not constant",
        };
        self.refuse(Diagnostic::error(target.span, format!("{what} cannot be assigned")))
    }

    fn refuse_double(&mut self, assigns: &[Assign]) {
        let mut seen: FxHashMap<(VarId, AssignTime, Option<SymbolId>), Span> = FxHashMap::default();
        let mut current: FxHashMap<VarId, Span> = FxHashMap::default();
        for assign in assigns {
            if assign.time == AssignTime::Current {
                current.insert(assign.target, assign.span);
            }
        }
        for assign in assigns {
            let name = self.variables[assign.target.index()].name.clone();
            let key = (assign.target, assign.time, assign.process);
            let what = match assign.time {
                AssignTime::Init => format!("the initial value of `{name}` is assigned twice"),
                AssignTime::Current => format!("the current value of `{name}` is assigned twice"),
                AssignTime::Next => format!("the next value of `{name}` is assigned twice"),
            };
            if let Some(first) = seen.insert(key, assign.span) {
                self.complain_of_two(assign.span, first, what);
            }
            if let Some(first) = current.get(&assign.target).filter(|_| assign.time != AssignTime::Current) {
                let what = format!("`{name}` is assigned here, and its current value elsewhere");
                self.complain_of_two(assign.span, *first, what);
            }
        }
    }

    fn complain_of_two(&mut self, second: Span, first: Span, message: String) {
        let complaint = Diagnostic::error(second, message);
        let complaint = if first == second {
            complaint.with_note("two instances of the module assign it")
        } else {
            complaint.with_related(first, "the other assignment")
        };
        self.complain(complaint);
    }
}
