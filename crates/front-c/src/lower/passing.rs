//! Calls: edges of their own, with what is passed and what comes back.
//!
//! What is passed is said over the variables at the point of the call, so a step with updates ends before a call. Results go to the
//! variables of a place if it is a variable of the same shape, else to variables of the graph alone and from there to the place.

use super::Lowering;
use super::graph::{After, At, Graph};
use super::layout::{Content, Key, ObjectKind, SlotId};
use super::memory::{Cell, Choice, Storage};
use super::options::{Assumption, Construct, Doubt, InputOrigin};
use super::state::State;
use super::value::{Number, Pointer, Value};
use crate::ir::{Argument, Callee, Expression, FunctionId, Object, Place, Type, Undefined};
use std::collections::BTreeMap;
use tertium_expr::{Term, Variable};
use tertium_program::{Action, Call, PointId};
use tertium_support::{Id, Span};

impl Lowering<'_> {
    /// A call.
    #[allow(clippy::too_many_arguments, reason = "the parts of the instruction, and where it stands")]
    pub(super) fn call(
        &mut self,
        graph: &Graph<'_>,
        from: &mut PointId,
        state: &mut State,
        callee: &Callee,
        arguments: &[Argument],
        to: Option<&Place>,
        at: At<'_>,
    ) -> After {
        let span = at.span;
        match callee {
            Callee::Function(id) if self.procedures.contains_key(id) => {
                self.call_known(graph, from, state, *id, arguments, to, at);
            }
            Callee::Function(id) => {
                let name = self.unit.function(*id).name.clone();
                if self.may_call_back(&name) {
                    self.call_back(graph, *from, state, &name, span);
                    return After::Ends;
                }
                self.call_missing(state, &name, arguments, to, span);
            }
            Callee::Pointer(pointer) => {
                return self.call_pointer(graph, from, state, pointer, arguments, to, at);
            }
        }
        After::GoesOn
    }

    /// A call through a pointer: one of the functions whose address is taken.
    #[allow(clippy::too_many_arguments, reason = "the parts of the instruction, and where it stands")]
    fn call_pointer(
        &mut self,
        graph: &Graph<'_>,
        from: &mut PointId,
        state: &mut State,
        pointer: &Expression,
        arguments: &[Argument],
        to: Option<&Place>,
        at: At<'_>,
    ) -> After {
        let span = at.span;
        let pointees = self.pointees_of(pointer);
        let taken = self.value(state, pointer);
        let pointer = self.pointer(state, taken);
        let after = self.icfg.add_point(self.procedures[&graph.id], span);
        self.assumed(Undefined::InvalidCall);
        for (pointee, id) in self.points_to.functions() {
            let mut state = state.clone();
            let mut from = *from;
            let is_this = self.icfg.terms.equal(pointer.code, self.icfg.terms.integer(pointee.index() + 1));
            state.demand(&self.icfg.terms, is_this);
            let is_possible = pointees.is_unknown || pointees.ids.contains(&pointee);
            if state.is_impossible(&self.icfg.terms) || !is_possible || !self.takes(id, arguments) {
                continue;
            }
            match self.procedures.contains_key(&id) {
                true => self.call_known(graph, &mut from, &mut state, id, arguments, to, at),
                false => {
                    let name = self.unit.function(id).name.clone();
                    if self.may_call_back(&name) {
                        self.call_back(graph, from, &state, &name, span);
                        continue;
                    }
                    self.call_missing(&mut state, &name, arguments, to, span);
                }
            }
            self.edge(from, after, &state);
        }
        *from = after;
        *state = State::new(Default::default());
        After::GoesOn
    }

    /// Whether a function can be called with these arguments; else a call is undefined.
    fn takes(&self, id: FunctionId, arguments: &[Argument]) -> bool {
        let function = self.unit.function(id);
        let has_type = |(local, argument): (&Object, &Argument)| {
            let (own, given) = match argument {
                Argument::Value(value) => (self.unit.ty(local.ty), value.ty),
                Argument::Copied(place) => (self.unit.ty(local.ty), place.ty),
            };
            match (own, self.unit.ty(given)) {
                (Type::Integer(own), Type::Integer(given)) => own.bits == given.bits,
                (Type::Pointer(_), Type::Pointer(_)) => true,
                (own, given) => own == given,
            }
        };
        if function.body.is_none() {
            // Its parameters are not known by their types here: what it does is not followed anyway.
            return true;
        }
        let parameters = &function.locals[..function.n_parameters];
        let is_enough =
            arguments.len() == parameters.len() || function.is_variadic && arguments.len() > parameters.len();
        is_enough && parameters.iter().zip(arguments).all(has_type)
    }

    /// A call of a function with a body: an edge of its own.
    #[allow(clippy::too_many_arguments, reason = "the parts of the instruction, and where it stands")]
    fn call_known(
        &mut self,
        graph: &Graph<'_>,
        from: &mut PointId,
        state: &mut State,
        callee: FunctionId,
        arguments: &[Argument],
        to: Option<&Place>,
        at: At<'_>,
    ) {
        let span = at.span;
        let procedure = self.procedures[&callee];
        if !state.updates.is_empty() {
            *from = self.cut(graph, *from, state, at);
        }
        let n_formals = self.formal_slots[&callee].len();
        let mut passed: Vec<(Variable, Term)> = Vec::new();
        for number in 0..n_formals {
            let found = match arguments.get(number) {
                Some(argument) => self.argument(state, callee, number, argument),
                None => self.missing_argument(state, callee, number),
            };
            passed.extend(found);
        }
        // The call has terms over the variables where it begins: a variable of its own takes what comes from an input.
        let mut terms: Vec<Term> = Vec::new();
        for &(formal, term) in &passed {
            terms.push(match self.has_input(state, term) {
                false => term,
                true => {
                    let variable = self.temporary(graph.id, formal, "argument", span);
                    state.set(&self.icfg.terms, variable, term);
                    self.icfg.terms.variable(variable)
                }
            });
        }
        let span_before = state.span;
        *from = self.cut(graph, *from, state, at);
        let after = self.icfg.add_point(self.procedures[&graph.id], span);
        let results: Vec<Variable> = self.icfg.procedure(procedure).results.clone();
        let (taken, moved) = self.takers(graph.id, callee, &results, to, span);
        let mut by_formal: BTreeMap<Variable, Term> = BTreeMap::new();
        for ((formal, _), term) in passed.iter().zip(terms) {
            by_formal.insert(*formal, term);
        }
        let formals = self.icfg.procedure(procedure).formals.clone();
        let arguments = formals.iter().map(|formal| by_formal[formal]).collect();
        let call = Call { callee: procedure, arguments, results: taken };
        let edge = self.icfg.add_edge(*from, after, Action::Call(call), true, span_before.unwrap_or(span));
        self.note_doubts(edge, state);
        *from = after;
        let mut flow = std::mem::take(&mut state.flow);
        self.known.forget_globals(self.layout, &mut flow);
        if let Some(place) = to {
            self.known.forget(self.layout, graph.id, &mut flow, place);
        }
        *state = State::new(flow);
        if let (Some(place), Some(moved)) = (to, moved) {
            self.take(state, callee, place, &moved);
        }
    }

    /// Whether a term mentions an input of the step.
    fn has_input(&self, state: &State, term: Term) -> bool {
        let mentioned = self.icfg.terms.variables_of(term);
        state.inputs.iter().any(|input| mentioned.contains(&input.variable))
    }

    /// A variable of the graph alone, with the domain of another.
    fn temporary(&mut self, id: FunctionId, like: Variable, name: &str, span: Span) -> Variable {
        let domain = self.icfg.cell(like).expect("it is a variable of the graph").domain.clone();
        let name = format!(".{name}{}", self.n_temporaries);
        self.n_temporaries += 1;
        self.icfg.add_variable(self.procedures[&id], &name, domain, span)
    }

    /// What a parameter gets: a term for each of its variables.
    fn argument(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        number: usize,
        argument: &Argument,
    ) -> Vec<(Variable, Term)> {
        let slots = self.formal_slots[&callee][number].clone();
        match argument {
            Argument::Value(value) => {
                let found = self.value(state, value);
                let Some((slot, cells)) = slots.first() else { return Vec::new() };
                let Some(&cell) = cells.first() else { return Vec::new() };
                let own = self.layout.slot(*slot).ty;
                let found = self.seen_as(state, found, value.ty, own);
                self.cell_terms(state, *slot, cell, found)
            }
            Argument::Copied(place) => {
                let Some(mut choices) = self.locate(state, place).filter(|found| found.len() == 1) else {
                    return self.missing_argument(state, callee, number);
                };
                let choice = choices.remove(0);
                let mut found = Vec::new();
                for (slot, cells) in slots {
                    let path = [choice.path.clone(), self.layout.slot(slot).path.clone()].concat();
                    found.extend(self.copied_terms(state, &choice, &path, slot, &cells));
                }
                found
            }
        }
    }

    /// The terms of a part of a structure that is passed.
    fn copied_terms(
        &mut self,
        state: &mut State,
        choice: &Choice,
        path: &[Key],
        slot: SlotId,
        cells: &[Cell],
    ) -> Vec<(Variable, Term)> {
        let source = self.layout.find(choice.object, path);
        let Some(&first) = cells.first() else { return Vec::new() };
        if self.layout.slot(slot).dimensions.is_empty() {
            let value = source.map_or(Value::Unknown, |source| self.read_slot(state, source, choice.index));
            return self.cell_terms(state, slot, first, value);
        }
        // Whole arrays are passed as they are, if both sides have the same variables.
        let own = source.filter(|_| !choice.path.contains(&Key::Any)).map(|own| self.storage(own));
        let from = match own {
            Some(Storage::Arrays(cell)) => vec![cell],
            Some(Storage::Cells(cells)) => cells,
            Some(Storage::Nothing) | None => Vec::new(),
        };
        let mut found = Vec::new();
        for (number, cell) in cells.iter().enumerate() {
            let like = from.get(number).filter(|_| from.len() == cells.len()).copied();
            let pairs =
                [(Some(cell.value), like.map(|own| own.value)), (cell.index, like.and_then(|own| own.index))];
            for (variable, source) in pairs {
                let Some(variable) = variable else { continue };
                let sort = self.icfg.terms.sort_of(variable);
                let source = source.filter(|&own| self.icfg.terms.sort_of(own) == sort);
                let term = match source {
                    Some(own) => state.value_of(&self.icfg.terms, own),
                    None => self.any_of(state, variable, InputOrigin::Approximation),
                };
                found.push((variable, term));
            }
        }
        found
    }

    fn cell_terms(
        &mut self,
        state: &mut State,
        slot: SlotId,
        cell: Cell,
        value: Value,
    ) -> Vec<(Variable, Term)> {
        let (term, index, _) = self.stored(state, slot, value);

        [(cell.value, term)].into_iter().chain(cell.index.map(|variable| (variable, index))).collect()
    }

    /// A parameter without argument has any value.
    fn missing_argument(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        number: usize,
    ) -> Vec<(Variable, Term)> {
        let slots = self.formal_slots[&callee][number].clone();
        let variables = slots.into_iter().flat_map(|(_, cells)| cells);
        let variables =
            variables.flat_map(|cell| [Some(cell.value), cell.index]).flatten().collect::<Vec<_>>();
        let any = |variable| (variable, self.any_of(state, variable, InputOrigin::Approximation));
        variables.into_iter().map(any).collect()
    }

    /// Any value of the domain of a variable.
    fn any_of(&mut self, state: &mut State, variable: Variable, origin: InputOrigin) -> Term {
        let domain = self.icfg.cell(variable).expect("it is a variable of the graph").domain.clone();
        let name = self.icfg.terms.name(variable);
        self.input(state, &name, domain, origin)
    }

    /// Which variables take the results of a call: those of the place, if it is a variable of the same shape, else variables of the
    /// graph alone, which are given too.
    fn takers(
        &mut self,
        id: FunctionId,
        callee: FunctionId,
        results: &[Variable],
        to: Option<&Place>,
        span: Span,
    ) -> (Vec<Option<Variable>>, Option<Vec<Variable>>) {
        let Some(place) = to else { return (vec![None; results.len()], None) };
        if let Some(own) = self.direct_variables(id, callee, place)
            && own.len() == results.len()
            && own.iter().zip(results).all(|(&one, &other)| {
                self.icfg.cell(one).map(|cell| &cell.domain) == self.icfg.cell(other).map(|cell| &cell.domain)
            })
        {
            return (own.into_iter().map(Some).collect(), None);
        }
        let own: Vec<Variable> =
            results.iter().map(|&like| self.temporary(id, like, "result", span)).collect();
        (own.iter().copied().map(Some).collect(), Some(own))
    }

    /// The variables of a place that is a variable or a member of one, in the order of the results of a function.
    fn direct_variables(
        &mut self,
        id: FunctionId,
        callee: FunctionId,
        place: &Place,
    ) -> Option<Vec<Variable>> {
        let (object, path) = super::ranges::direct(self.layout, id, place)?;
        if path.contains(&Key::Any) {
            return None;
        }
        let result = self.layout.object(ObjectKind::Result(callee))?;
        let mut found = Vec::new();
        for slot in self.layout.below(result, &[]) {
            let own = self.layout.slot(slot).clone();
            let target = self.layout.find(object, &[path.clone(), own.path.clone()].concat())?;
            let (from, to) = (self.storage(slot), self.storage(target));
            match (from, to) {
                (Storage::Nothing, Storage::Nothing) => {}
                (Storage::Cells(from), Storage::Cells(to)) if from.len() == to.len() => {
                    for (from, to) in from.iter().zip(&to) {
                        found.push(to.value);
                        match (from.index, to.index) {
                            (None, None) => {}
                            (Some(_), Some(to)) => found.push(to),
                            _ => return None,
                        }
                    }
                }
                (Storage::Arrays(_), Storage::Arrays(to)) => {
                    found.push(to.value);
                    found.extend(to.index);
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Moves results from variables of the graph alone to where they belong.
    fn take(&mut self, state: &mut State, callee: FunctionId, place: &Place, from: &[Variable]) {
        let Some(result) = self.layout.object(ObjectKind::Result(callee)) else { return };
        let choices = self.locate(state, place);
        if choices.is_none() {
            self.write_anywhere(state, place);
        }
        let mut next = from.iter().copied();
        for slot in self.layout.below(result, &[]) {
            let own = self.layout.slot(slot).clone();
            let cells = match self.storage(slot) {
                Storage::Cells(cells) if own.dimensions.is_empty() => cells,
                Storage::Nothing => Vec::new(),
                storage => {
                    let from: Vec<Variable> =
                        super::variables(&storage).iter().filter_map(|_| next.next()).collect();
                    self.take_array(state, choices.as_deref(), slot, &from, place.span);
                    continue;
                }
            };
            let value = match cells.first() {
                None => Value::Unknown,
                Some(cell) => {
                    let value = next.next().expect("a variable for each result");
                    let index = cell.index.and_then(|_| next.next());
                    self.value_of_variables(slot, value, index)
                }
            };
            match &choices {
                None => {}
                Some(choices) => {
                    let moved = choices.iter().cloned().map(|mut choice| {
                        choice.path.extend(own.path.iter().copied());
                        choice
                    });
                    self.write_choices(state, &moved.collect::<Vec<_>>(), own.ty, value);
                }
            }
        }
    }

    /// Moves an array in a result to where it belongs.
    fn take_array(
        &mut self,
        state: &mut State,
        choices: Option<&[Choice]>,
        slot: SlotId,
        from: &[Variable],
        span: Span,
    ) {
        let Some(choices) = choices else { return };
        let own = self.layout.slot(slot).clone();
        for choice in choices {
            let path = [choice.path.clone(), own.path.clone()].concat();
            let Some(target) = self.layout.find(choice.object, &path) else { continue };
            let to = super::variables(&self.storage(target));
            let terms = &self.icfg.terms;
            let is_alike = to.len() == from.len()
                && to.iter().zip(from).all(|(&to, &from)| terms.sort_of(to) == terms.sort_of(from));
            if is_alike && !choice.path.contains(&Key::Any) {
                for (&to, &from) in to.iter().zip(from) {
                    let kept = state.value_of(terms, to);
                    state.set(terms, to, terms.ite(choice.condition, terms.variable(from), kept));
                }
            } else {
                self.approximate(state, "an array in a result", span);
                self.havoc_slot(state, target, &InputOrigin::Approximation);
            }
        }
    }

    fn value_of_variables(&self, slot: SlotId, value: Variable, index: Option<Variable>) -> Value {
        let terms = &self.icfg.terms;
        match self.layout.slot(slot).content {
            _ if self.bits_width(slot).is_some() => Value::Bits(terms.variable(value)),
            Content::Integer(ty) => {
                let all = self.interval_of(ty);
                Value::Number(Number::new(terms.variable(value), all, all))
            }
            _ => Value::Pointer(Pointer {
                code: terms.variable(value),
                index: index.map_or(terms.integer(0), |own| terms.variable(own)),
            }),
        }
    }

    /// Whether a function without body may call functions of the program: it can come to the address of one.
    fn may_call_back(&self, name: &str) -> bool {
        let mut reached = self.points_to.escaped_functions();
        reached.any(|id| self.unit.function(id).body.is_some()) && !calls_nobody(name)
    }

    /// What a call does that may call functions of the program is not supported.
    fn call_back(&mut self, graph: &Graph<'_>, from: PointId, state: &State, name: &str, span: Span) {
        let what = format!("`{name}`, which has no body and may call functions of the program");
        let number = self.unit.unsupported.len() + self.unsupported.len();
        self.unsupported_as(graph, from, state, number, Construct { what, span });
    }

    /// A call of a function without body: it may write whatever it can reach, and its result is any value.
    fn call_missing(
        &mut self,
        state: &mut State,
        name: &str,
        arguments: &[Argument],
        to: Option<&Place>,
        span: Span,
    ) {
        for argument in arguments {
            if let Argument::Value(value) = argument {
                self.value(state, value);
            }
        }
        self.assumptions.insert(Assumption::MissingBody(name.to_owned()));
        state.doubt(Doubt::MissingBody { name: name.to_owned(), span });
        for slot in self.points_to.escaped_slots(self.layout) {
            state.is_approximate = true;
            self.havoc_slot(state, slot, &InputOrigin::Approximation);
        }
        if let Some(place) = to {
            self.havoc(state, place, &InputOrigin::Approximation);
        }
    }
}

/// Whether this is a function of the C library that calls no function of the program, whatever it can reach.
fn calls_nobody(name: &str) -> bool {
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    matches!(
        name,
        "scanf"
            | "fscanf"
            | "sscanf"
            | "sprintf"
            | "snprintf"
            | "getchar"
            | "getc"
            | "fgetc"
            | "fgets"
            | "fopen"
            | "fclose"
            | "fread"
            | "fwrite"
            | "rand"
            | "srand"
            | "random"
            | "srandom"
            | "time"
            | "clock"
            | "strncmp"
            | "strncpy"
            | "strcat"
            | "strncat"
            | "strchr"
            | "strrchr"
            | "strstr"
            | "strdup"
            | "atoi"
            | "atol"
            | "strtol"
            | "strtoul"
            | "getenv"
            | "memchr"
    )
}
