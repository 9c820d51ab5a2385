//! The graph of one function: points, and edges that stand for all instructions between two of them.
//!
//! Points are the entry and the exit, blocks where control comes together, loop heads, labels, both ends of calls, and places where a
//! step became too large. Whatever lies between is one step: a block that is entered in one way goes on with the state of the block
//! before, so that branches are edges and not terms. Linear in the function, but for what a step may grow to.

use super::Lowering;
use super::layout::ObjectKind;
use super::live::Live;
use super::memory::Choice;
use super::options::{Construct, Doubt, Granularity, InputOrigin, Meant};
use super::state::State;
use super::value::Value;
use crate::ir::{
    Argument, Block, BlockId, Body, End, Exit, Expression, Failure, FunctionId, InstructionKind, LocalId,
    Type, Undefined,
};
use std::collections::BTreeMap;
use tertium_expr::Term;
use tertium_program::{Action, EdgeId, PointId};
use tertium_support::{Id, Span, StopReason, Ticker};

/// A step is cut where one of its terms, or its guard, is longer.
const MOST_LENGTH: usize = 160;

/// Where a path is continued.
struct Task {
    from: PointId,
    state: State,
    block: BlockId,
    instruction: usize,
}

/// What is known of one function while its graph is made.
pub(super) struct Graph<'b> {
    body: &'b Body,
    pub(super) id: FunctionId,
    /// The points of blocks that have one, once control was seen to go there.
    points: BTreeMap<BlockId, PointId>,
    /// Whether a block begins at a point of its own.
    is_anchor: Vec<bool>,
    open: Vec<Task>,
}

/// Where a path is: before an instruction of a block.
#[derive(Clone, Copy)]
pub(super) struct At<'b> {
    pub(super) block: &'b Block,
    pub(super) instruction: usize,
    pub(super) span: Span,
}

/// What happens to the path after an instruction.
pub(super) enum After {
    GoesOn,
    Ends,
}

impl Lowering<'_> {
    /// Makes the graph of one function.
    pub(super) fn graph(&mut self, id: FunctionId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let unit = self.unit;
        let Some(body) = &unit.function(id).body else { return Ok(()) };
        self.function = id;
        let mut graph = Graph::new(body, id);
        let entry = self.icfg.procedure(self.procedures[&id]).entry;
        let mut state = State::new(self.known.at(id, BlockId::new(0)).unwrap_or_default());
        self.take_parameters(id, &mut state);
        match graph.is_anchor[0] {
            true => self.go(&mut graph, entry, state, BlockId::new(0)),
            false => graph.open.push(Task { from: entry, state, block: BlockId::new(0), instruction: 0 }),
        }
        while let Some(task) = graph.open.pop() {
            ticker.tick(16)?;
            self.path(&mut graph, task, ticker)?;
        }
        Ok(())
    }

    /// Parameters that are not variables of the procedure take their values from its formals.
    fn take_parameters(&mut self, id: FunctionId, state: &mut State) {
        for (from, to) in self.copied_formals.get(&id).cloned().unwrap_or_default() {
            let term = self.icfg.terms.variable(from);
            state.set(&self.icfg.terms, to, term);
        }
    }

    /// The point where a block begins.
    fn point_of(&mut self, graph: &mut Graph<'_>, block: BlockId) -> PointId {
        if let Some(&point) = graph.points.get(&block) {
            return point;
        }
        let own = &graph.body.blocks[block.index()];
        let span = own.instructions.first().map_or(own.span, |first| first.span);
        let point = self.icfg.add_point(self.procedures[&graph.id], span);
        if own.is_loop_head {
            self.icfg.mark_loop_head(point);
        }
        let function = &self.unit.function(graph.id).name;
        for (name, _) in graph.body.labels.iter().filter(|&(_, &at)| at == block) {
            self.icfg.add_label(name, point);
            self.icfg.add_label(&format!("{function}.{name}"), point);
        }
        self.blocks.insert(point, block);
        graph.points.insert(block, point);
        let flow = self.known.at(graph.id, block).unwrap_or_default();
        graph.open.push(Task { from: point, state: State::new(flow), block, instruction: 0 });
        point
    }

    /// Goes to a block: on with the same step, or to its point.
    fn go(&mut self, graph: &mut Graph<'_>, from: PointId, state: State, block: BlockId) {
        if state.is_impossible(&self.icfg.terms) {
            return;
        }
        if graph.is_anchor[block.index()] {
            let to = self.point_of(graph, block);
            let mut state = state;
            self.drop_temporaries(&mut state, |live, local| live.is_live(block, local));
            self.edge(from, to, &state);
        } else {
            graph.open.push(Task { from, state, block, instruction: 0 });
        }
    }

    /// Forgets the values of temporaries of the reader that nobody reads.
    fn drop_temporaries(&self, state: &mut State, is_live: impl Fn(&Live, LocalId) -> bool) {
        let function = self.unit.function(self.function);
        state.updates.retain(|variable, _| match self.meanings.get(variable).map(|own| own.object) {
            Some(Meant::Local(own, local)) if own == self.function => {
                !function.locals[local.index()].name.starts_with('.') || is_live(&self.live, local)
            }
            _ => true,
        });
    }

    /// An edge that does what a state says.
    pub(super) fn edge(&mut self, from: PointId, to: PointId, state: &State) {
        if state.is_impossible(&self.icfg.terms) {
            return;
        }
        let step = state.step(&self.icfg.terms);
        let span = state.span.unwrap_or_else(|| self.icfg.point(from).span);
        let edge = self.icfg.add_edge(from, to, Action::Step(step), !state.is_approximate, span);
        self.note_doubts(edge, state);
    }

    /// What a state knows that is not followed exactly belongs to an edge.
    pub(super) fn note_doubts(&mut self, edge: EdgeId, state: &State) {
        let mut doubts = state.doubts.clone();
        if doubts.is_empty() && state.is_approximate {
            doubts.push(Doubt::Construct(Construct {
                span: self.icfg.edge(edge).span,
                what: "a value".to_owned(),
            }));
        }
        if !doubts.is_empty() {
            self.doubts.entry(edge).or_default().extend(doubts);
        }
    }

    /// A point after what was done so far, from where nothing is done yet. The same point if nothing was.
    pub(super) fn cut(&mut self, graph: &Graph<'_>, from: PointId, state: &mut State, at: At<'_>) -> PointId {
        if state.is_empty() {
            return from;
        }
        let to = self.icfg.add_point(self.procedures[&graph.id], at.span);
        self.drop_temporaries(state, |live, local| live.is_live_before(at.block, at.instruction, local));
        self.edge(from, to, state);
        *state = State::new(std::mem::take(&mut state.flow));
        to
    }

    /// Follows a path to the end of its block.
    fn path(&mut self, graph: &mut Graph<'_>, task: Task, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let Task { mut from, mut state, block, instruction } = task;
        let own = &graph.body.blocks[block.index()];
        for (number, instruction) in own.instructions.iter().enumerate().skip(instruction) {
            ticker.tick(4)?;
            let at = At { block: own, instruction: number, span: instruction.span };
            self.at = (block.index(), number);
            let is_cut = self.options.granularity == Granularity::Instructions || state.is_large(MOST_LENGTH);
            if is_cut && !state.is_empty() {
                from = self.cut(graph, from, &mut state, at);
            }
            if !matches!(instruction.kind, InstructionKind::Live(_)) {
                state.extend_span(instruction.span);
            }
            let after = match &instruction.kind {
                InstructionKind::Call { callee, arguments, to } => {
                    self.call(graph, &mut from, &mut state, callee, arguments, to.as_ref(), at)
                }
                InstructionKind::Unsupported(number) => {
                    self.unsupported_at(graph, from, &state, *number);
                    After::Ends
                }
                kind => {
                    self.instruction(&mut state, kind, instruction.span);
                    After::GoesOn
                }
            };
            if matches!(after, After::Ends) || state.is_impossible(&self.icfg.terms) {
                return Ok(());
            }
        }
        if self.options.granularity == Granularity::Instructions && !state.is_empty()
            || state.is_large(MOST_LENGTH)
        {
            let at = At { block: own, instruction: own.instructions.len(), span: own.span };
            from = self.cut(graph, from, &mut state, at);
        }
        self.end(graph, from, state, &own.end, own.span);
        Ok(())
    }

    fn end(&mut self, graph: &mut Graph<'_>, from: PointId, mut state: State, end: &End, span: Span) {
        match end {
            End::Goto(to) => self.go(graph, from, state, *to),
            End::Branch { condition, then, otherwise, .. } => {
                state.extend_span(condition.span);
                let holds = self.condition(&mut state, condition);
                for (to, wanted) in [(*then, true), (*otherwise, false)] {
                    let mut state = state.clone();
                    let is_so = if wanted { holds } else { self.icfg.terms.not(holds) };
                    self.learn(&mut state, condition, wanted);
                    state.demand(&self.icfg.terms, is_so);
                    self.go(graph, from, state, to);
                }
            }
            End::Switch { value, cases, otherwise } => {
                self.switch(graph, from, state, value, cases, *otherwise);
            }
            End::Return(argument) => {
                state.extend_span(span);
                self.give(graph.id, &mut state, argument.as_ref());
                let exit = self.icfg.procedure(self.procedures[&graph.id]).exit;
                self.drop_temporaries(&mut state, |_, _| false);
                self.edge(from, exit, &state);
            }
            End::Exit(exit) => {
                let name = match exit {
                    Exit::Exit => "exit",
                    Exit::Abort => "abort",
                };
                self.stop(graph, from, state, name, span);
            }
            End::Error(failure) => {
                let name = match failure {
                    Failure::ErrorCall => "reach_error",
                    Failure::Assertion => "assert",
                };
                self.stop(graph, from, state, name, span);
            }
            End::Unreachable => self.assumed(Undefined::Unreachable),
            End::Unsupported(number) => self.unsupported_at(graph, from, &state, *number),
        }
    }

    /// Control ends at a point with a name.
    fn stop(
        &mut self,
        graph: &Graph<'_>,
        from: PointId,
        mut state: State,
        name: &str,
        span: Span,
    ) -> PointId {
        state.extend_span(span);
        self.drop_temporaries(&mut state, |_, _| false);
        let point = self.icfg.add_point(self.procedures[&graph.id], span);
        self.icfg.add_label(name, point);
        self.edge(from, point, &state);
        point
    }

    fn unsupported_at(&mut self, graph: &Graph<'_>, from: PointId, state: &State, number: usize) {
        let Some(own) = self.unit.unsupported.get(number) else { return };
        let construct = Construct { what: own.what.clone(), span: own.span };
        self.unsupported_as(graph, from, state, number, construct);
    }

    /// Control ends at something that is not supported, with a number of its own.
    pub(super) fn unsupported_as(
        &mut self,
        graph: &Graph<'_>,
        from: PointId,
        state: &State,
        number: usize,
        construct: Construct,
    ) {
        let point = self.stop(graph, from, state.clone(), "unsupported", construct.span);
        self.icfg.add_label(&format!("unsupported.{number}"), point);
        self.unsupported.push((point, construct));
    }

    /// A case for each target: its values, or none of all the others.
    fn switch(
        &mut self,
        graph: &mut Graph<'_>,
        from: PointId,
        mut state: State,
        value: &Expression,
        cases: &[(i128, BlockId)],
        otherwise: BlockId,
    ) {
        state.extend_span(value.span);
        let Type::Integer(ty) = *self.unit.ty(value.ty) else { return };
        let found = self.value(&mut state, value);
        let of_bits = match found {
            Value::Bits(bits) => Some(bits),
            _ => None,
        };
        let number = match of_bits {
            Some(_) => self.constant(0, ty),
            None => self.number(&mut state, found, ty),
        };
        let terms = &self.icfg.terms;
        let is = |case: i128| match of_bits {
            Some(bits) => terms.equal(bits, self.bits_of(case, ty)),
            None => terms.equal(number.term, self.constant(case, ty).term),
        };
        let mut by_target: BTreeMap<BlockId, Vec<Term>> = BTreeMap::new();
        for &(case, to) in cases.iter().filter(|&&(_, to)| to != otherwise) {
            by_target.entry(to).or_default().push(is(case));
        }
        let all: Vec<Term> = by_target.values().flatten().copied().collect();
        let rest = terms.not(terms.or(all));
        let mut goals: Vec<(BlockId, Term)> =
            by_target.into_iter().map(|(to, cases)| (to, terms.or(cases))).collect();
        goals.push((otherwise, rest));
        for (to, condition) in goals {
            let mut state = state.clone();
            state.demand(&self.icfg.terms, condition);
            // What the analysis knows at the block holds there, whichever case it was.
            if let Some(flow) = self.known.at(graph.id, to) {
                state.flow = flow;
            }
            self.go(graph, from, state, to);
        }
    }

    /// The result of the function gets its value.
    fn give(&mut self, id: FunctionId, state: &mut State, argument: Option<&Argument>) {
        let (Some(argument), Some(object)) = (argument, self.layout.object(ObjectKind::Result(id))) else {
            return;
        };
        match argument {
            Argument::Value(value) => {
                let found = self.value(state, value);
                if let Some(slot) = self.layout.find(object, &[]) {
                    let zero = self.constant(0, super::LONG);
                    self.write_slot(state, self.icfg.terms.boolean(true), slot, zero, found);
                }
            }
            Argument::Copied(place) => {
                let condition = self.icfg.terms.boolean(true);
                let index = self.constant(0, super::LONG);
                let to = Choice { condition, object, path: Vec::new(), index };
                self.copy_to(state, vec![to], place);
            }
        }
    }

    /// Memory where locals live, at the instruction that begins their life.
    pub(super) fn live(&mut self, state: &mut State, local: LocalId) {
        let Some(object) = self.layout.object(ObjectKind::Local(self.function, local)) else { return };
        let origin = InputOrigin::Uninitialised { function: self.function, local };
        for slot in self.layout.below(object, &[]) {
            self.havoc_slot(state, slot, &origin);
        }
    }
}

impl<'b> Graph<'b> {
    fn new(body: &'b Body, id: FunctionId) -> Self {
        let mut entered = vec![0usize; body.blocks.len()];
        for block in &body.blocks {
            for to in super::calls::successors(&block.end) {
                entered[to.index()] += 1;
            }
        }
        let mut is_anchor: Vec<bool> =
            body.blocks.iter().zip(&entered).map(|(block, &n)| n > 1 || block.is_loop_head).collect();
        is_anchor[0] |= entered[0] > 0;
        body.labels.values().for_each(|block| is_anchor[block.index()] = true);
        Self { body, id, points: BTreeMap::new(), is_anchor, open: Vec::new() }
    }
}
