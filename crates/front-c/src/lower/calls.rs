//! Who calls whom: the functions that can be reached from main, and which of them can be active twice.

use crate::ir::{
    Argument, Base, BlockId, Body, Callee, End, Expression, ExpressionKind, Function, FunctionId,
    InstructionKind, Place, Step, Unit,
};
use std::collections::{BTreeMap, BTreeSet};
use tertium_support::{ComponentSearch, Id};

/// The calls of a program.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The functions with bodies that can be reached, main first, else by number.
    pub(super) functions: Vec<FunctionId>,
    /// The functions that a pointer can point to.
    pub(super) pointed: BTreeSet<FunctionId>,
    /// Those that can be called while they are active.
    pub(super) recursive: BTreeSet<FunctionId>,
    /// Those that are called at most once in a run: from one place outside of loops, of a function of which that is true too.
    pub(super) once: BTreeSet<FunctionId>,
    /// Whether main is called by somebody.
    pub(super) calls_main: bool,
}

impl Calls {
    /// Finds the calls of a program. Linear in the program, but for calls through pointers, which may call each function whose address
    /// is taken.
    pub(super) fn new(unit: &Unit) -> Self {
        let mut found = Self::default();
        let mut targets: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        // How many calls through pointers each function has.
        let mut by_pointer: BTreeMap<FunctionId, usize> = BTreeMap::new();
        let mut open = vec![unit.main];
        for initial in &unit.initial {
            addresses(&initial.value, &mut found.pointed);
        }
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        loop {
            while let Some(id) = open.pop() {
                if !seen.insert(id) || unit.function(id).body.is_none() {
                    continue;
                }
                let function = unit.function(id);
                expressions(function, &mut |expression| addresses(expression, &mut found.pointed));
                let own = targets.entry(id).or_default();
                for callee in callees(function) {
                    match callee {
                        Callee::Function(callee) => {
                            own.push(*callee);
                            open.push(*callee);
                        }
                        Callee::Pointer(_) => {
                            *by_pointer.entry(id).or_default() += 1;
                        }
                    }
                }
            }
            if !by_pointer.is_empty() {
                open.extend(found.pointed.iter().filter(|id| !seen.contains(id)));
            }
            if open.is_empty() {
                break;
            }
        }
        for (&id, &times) in &by_pointer {
            let own = targets.entry(id).or_default();
            (0..times.min(2)).for_each(|_| own.extend(&found.pointed));
        }
        found.calls_main = targets.values().any(|own| own.contains(&unit.main));
        let others = seen.into_iter().filter(|&id| id != unit.main && unit.function(id).body.is_some());
        found.functions = [unit.main].into_iter().chain(others).collect();
        found.find_recursive(unit, &targets);
        found.find_once(unit, &targets);
        found
    }

    fn find_recursive(&mut self, unit: &Unit, targets: &BTreeMap<FunctionId, Vec<FunctionId>>) {
        let mut search = ComponentSearch::new(unit.functions.len());
        let successors = |id: FunctionId| targets.get(&id).map(Vec::as_slice).unwrap_or_default();
        for component in search.components(&self.functions, successors, |id| targets.contains_key(&id)) {
            let is_cyclic = component.len() > 1 || successors(component[0]).contains(&component[0]);
            if is_cyclic {
                self.recursive.extend(component);
            }
        }
    }

    fn find_once(&mut self, unit: &Unit, targets: &BTreeMap<FunctionId, Vec<FunctionId>>) {
        let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        for (&caller, own) in targets {
            own.iter().for_each(|&callee| callers.entry(callee).or_default().push(caller));
        }
        // A chain of callers ends at main, or somewhere that is not called once.
        for &id in &self.functions {
            let mut at = id;
            let is_once = loop {
                if self.recursive.contains(&at) {
                    break false;
                }
                if at == unit.main {
                    break !callers.contains_key(&at);
                }
                match callers.get(&at).map(Vec::as_slice) {
                    Some(&[caller]) if !calls_in_loop(unit.function(caller), at) => at = caller,
                    _ => break false,
                }
            };
            if is_once {
                self.once.insert(id);
            }
        }
    }
}

/// Whether a function calls another from a block that can come by again.
fn calls_in_loop(function: &Function, callee: FunctionId) -> bool {
    let Some(body) = &function.body else { return false };
    let in_loop = blocks_in_loops(function);
    body.blocks.iter().zip(in_loop).any(|(block, in_loop)| {
        in_loop
            && block.instructions.iter().any(|instruction| match &instruction.kind {
                InstructionKind::Call { callee: Callee::Function(id), .. } => *id == callee,
                InstructionKind::Call { callee: Callee::Pointer(_), .. } => true,
                _ => false,
            })
    })
}

/// Of each block, whether it can come by again.
pub(super) fn blocks_in_loops(function: &Function) -> Vec<bool> {
    let Some(body) = &function.body else { return Vec::new() };
    let after: Vec<Vec<BlockId>> = body.blocks.iter().map(|block| successors(&block.end)).collect();
    let all: Vec<BlockId> = BlockId::first(after.len()).collect();
    let mut search = ComponentSearch::new(after.len());
    let mut found = vec![false; after.len()];
    for component in search.components(&all, |id| &after[id.index()], |_| true) {
        let is_loop = component.len() > 1 || after[component[0].index()].contains(&component[0]);
        component.iter().for_each(|id| found[id.index()] = is_loop);
    }
    found
}

/// Where control may go at the end of a block.
pub(super) fn successors(end: &End) -> Vec<BlockId> {
    match end {
        End::Goto(to) => vec![*to],
        End::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        End::Switch { cases, otherwise, .. } => cases.iter().map(|&(_, to)| to).chain([*otherwise]).collect(),
        End::Return(_) | End::Exit(_) | End::Error(_) | End::Unreachable | End::Unsupported(_) => Vec::new(),
    }
}

fn callees(function: &Function) -> impl Iterator<Item = &Callee> {
    let blocks = function.body.iter().flat_map(|body| &body.blocks);
    blocks.flat_map(|block| &block.instructions).filter_map(|instruction| match &instruction.kind {
        InstructionKind::Call { callee, .. } => Some(callee),
        _ => None,
    })
}

/// Calls `visit` with each expression that stands in an instruction or at the end of a block, not with those inside of others.
pub(super) fn expressions<'a>(function: &'a Function, visit: &mut impl FnMut(&'a Expression)) {
    let Some(body) = &function.body else { return };
    for block in &body.blocks {
        for instruction in &block.instructions {
            match &instruction.kind {
                InstructionKind::Assign { to, value } => {
                    in_place(to, visit);
                    visit(value);
                }
                InstructionKind::Copy { to, from } => {
                    in_place(to, visit);
                    in_place(from, visit);
                }
                InstructionKind::Clear(place) | InstructionKind::Input { to: place, .. } => {
                    in_place(place, visit)
                }
                InstructionKind::Evaluate(value) | InstructionKind::Assume(value) => visit(value),
                InstructionKind::Live(_) | InstructionKind::Unsupported(_) => {}
                InstructionKind::Call { callee, arguments, to } => {
                    if let Callee::Pointer(pointer) = callee {
                        visit(pointer);
                    }
                    arguments.iter().for_each(|argument| in_argument(argument, visit));
                    to.iter().for_each(|place| in_place(place, visit));
                }
                InstructionKind::Builtin { arguments, to, .. } => {
                    arguments.iter().for_each(&mut *visit);
                    to.iter().for_each(|place| in_place(place, visit));
                }
            }
        }
        match &block.end {
            End::Branch { condition, .. } => visit(condition),
            End::Switch { value, .. } => visit(value),
            End::Return(Some(argument)) => in_argument(argument, visit),
            _ => {}
        }
    }
}

/// Calls `visit` with every place of a function, also inside of expressions.
pub(super) fn places<'a>(function: &'a Function, visit: &mut impl FnMut(&'a Place)) {
    let mut open: Vec<&Expression> = Vec::new();
    expressions(function, &mut |expression| open.push(expression));
    while let Some(expression) = open.pop() {
        if let ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) = &expression.kind {
            visit(place);
        }
        open.extend(operands(expression));
    }
    let blocks = function.body.iter().flat_map(|body| &body.blocks);
    for block in blocks {
        for instruction in &block.instructions {
            match &instruction.kind {
                InstructionKind::Assign { to, .. }
                | InstructionKind::Clear(to)
                | InstructionKind::Input { to, .. }
                | InstructionKind::Builtin { to: Some(to), .. } => visit(to),
                InstructionKind::Copy { to, from } => {
                    visit(to);
                    visit(from);
                }
                InstructionKind::Call { arguments, to, .. } => {
                    to.iter().for_each(&mut *visit);
                    arguments.iter().for_each(|argument| {
                        if let Argument::Copied(place) = argument {
                            visit(place);
                        }
                    });
                }
                _ => {}
            }
        }
        if let End::Return(Some(Argument::Copied(place))) = &block.end {
            visit(place);
        }
    }
}

fn in_argument<'a>(argument: &'a Argument, visit: &mut impl FnMut(&'a Expression)) {
    match argument {
        Argument::Value(value) => visit(value),
        Argument::Copied(place) => in_place(place, visit),
    }
}

fn in_place<'a>(place: &'a Place, visit: &mut impl FnMut(&'a Expression)) {
    if let Base::Pointer(pointer) = &place.base {
        visit(pointer);
    }
    for step in &place.path {
        if let Step::Element(index) = step {
            visit(index);
        }
    }
}

/// The expressions that an expression is made of.
pub(super) fn operands(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Unsupported(_) => Vec::new(),
        ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) => {
            let mut found = Vec::new();
            in_place(place, &mut |inner| found.push(inner));
            found
        }
        ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => vec![inner],
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Offset(left, right, _)
        | ExpressionKind::Distance(left, right, _) => vec![left, right],
        ExpressionKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
    }
}

/// The functions whose addresses an expression takes.
fn addresses(expression: &Expression, found: &mut BTreeSet<FunctionId>) {
    let mut open = vec![expression];
    while let Some(expression) = open.pop() {
        if let ExpressionKind::Function(id) = expression.kind {
            found.insert(id);
        }
        open.extend(operands(expression));
    }
}

/// The blocks of a body such that most come after those that lead to them.
pub(super) fn reverse_postorder_of(body: &Body) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut order = Vec::new();
    let mut path = vec![(BlockId::new(0), successors(&body.blocks[0].end), 0usize)];
    seen[0] = true;
    while let Some((block, after, next)) = path.last_mut() {
        match after.get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    path.push((to, successors(&body.blocks[to.index()].end), 0));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}
