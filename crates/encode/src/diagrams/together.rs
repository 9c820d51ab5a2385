//! Which variables of a program occur together, and the bits that they get by that.
//!
//! Guards with what is assigned under them, and assignments with what they read, pull variables together. Wide
//! variables meet where they are added, compared or copied: products, quotients and shifted bits are not aligned. Cost:
//! linear in the terms of the program, but for the sets of wide variables below each term.

use super::order::{Classes, WIDE, arrange, interleave};
use super::{Finite, Layout, Values, make_bits};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_dd::Manager;
use tertium_expr::{Sort, Term, TermKind, Terms, Variable};
use tertium_program::{Program, VarId};
use tertium_support::Id;
use tertium_system::SymbolicVariable;

/// Makes the bits: each current bit beside its next one, variables that occur together near each other, bits of wide variables that
/// meet in arithmetic in turn.
pub(super) fn lay_out(
    manager: &Manager,
    program: &Program,
    values: &[Values],
    first: Option<&[VarId]>,
) -> (Layout, Vec<SymbolicVariable>) {
    let widths: Vec<usize> = values.iter().map(Values::width).collect();
    let mut meetings = Meetings::new(program, &widths);
    let mut order = arrange(widths.len(), &meetings.edges(program));
    if let Some(first) = first {
        let mut given: Vec<usize> = first.iter().map(|id| id.index()).collect();
        let named: BTreeSet<usize> = given.iter().copied().collect();
        given.extend(order.into_iter().filter(|variable| !named.contains(variable)));
        order = given;
    }
    let mut variables: Vec<SymbolicVariable> = (program.variables().iter().zip(values))
        .map(|(own, values)| SymbolicVariable {
            name: program.terms.name(own.variable),
            is_input: false,
            current: Vec::new(),
            next: Vec::new(),
            last_code: values.last_code(),
        })
        .collect();
    let bits = interleave(&order, |variable| widths[variable], |variable| meetings.classes.find(variable));
    make_bits(manager, &mut variables, bits);
    debug_assert!(
        variables
            .iter()
            .zip(&widths)
            .all(|(own, &width)| own.current.len() == width && own.next.len() == width),
        "every bit of a variable is made once"
    );
    let mut layout = Layout::new();
    for ((own, values), variable) in program.variables().iter().zip(values).zip(&variables) {
        layout.insert(own.variable, Finite { values: values.clone(), bits: variable.current.clone() });
    }
    (layout, variables)
}

/// Which variables of a program occur together.
struct Meetings<'p> {
    terms: &'p Terms,
    places: FxHashMap<Variable, usize>,
    widths: &'p [usize],
    classes: Classes,
    /// By term: the wide variables whose bits become bits of its value.
    sources: FxHashMap<Term, Vec<usize>>,
}

impl<'p> Meetings<'p> {
    fn new(program: &'p Program, widths: &'p [usize]) -> Self {
        let own = program.variables().iter().enumerate();
        let places = own.map(|(at, own)| (own.variable, at)).collect();
        let classes = Classes::new(widths.len());
        let mut meetings =
            Self { terms: &program.terms, places, widths, classes, sources: FxHashMap::default() };
        meetings.visit(program.initial);
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            meetings.visit(step.guard);
            for (variable, &term) in &step.updates {
                let mut sources = meetings.visit(term);
                sources.extend(meetings.places.get(variable).filter(|&&at| widths[at] >= WIDE));
                meetings.classes.join(&sources);
            }
        }
        for &term in program.propositions.values() {
            meetings.visit(term);
        }
        meetings
    }

    /// The wide variables whose bits become bits of the value; joins those that meet inside.
    fn visit(&mut self, root: Term) -> Vec<usize> {
        let mut waiting = vec![root];
        while let Some(&term) = waiting.last() {
            if self.sources.contains_key(&term) {
                waiting.pop();
                continue;
            }
            let kind = self.terms.kind(term);
            let before = waiting.len();
            waiting.extend(kind.operands().into_iter().filter(|part| !self.sources.contains_key(part)));
            if waiting.len() == before {
                let sources = self.combine(term, &kind);
                self.sources.insert(term, sources);
                waiting.pop();
            }
        }
        self.sources[&root].clone()
    }

    fn combine(&mut self, term: Term, kind: &TermKind) -> Vec<usize> {
        if let TermKind::Variable(variable) = kind {
            let at = self.places.get(variable).filter(|&&at| self.widths[at] >= WIDE);
            return at.into_iter().copied().collect();
        }
        let mut sources: Vec<usize> =
            kind.operands().iter().flat_map(|operand| self.sources[operand].iter().copied()).collect();
        sources.sort_unstable();
        sources.dedup();
        // Products, quotients and shifted bits are not aligned.
        if !matches!(kind, TermKind::Product(_) | TermKind::Divide(..) | TermKind::Modulo(..)) {
            self.classes.join(&sources);
        }
        // A truth value has no bits of its operands.
        if self.terms.sort(term) == Sort::Bool { Vec::new() } else { sources }
    }

    /// One edge for each conjunct of a guard and for each assignment.
    fn edges(&self, program: &Program) -> Vec<Vec<usize>> {
        let mut edges = Vec::new();
        let mut read: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        let mut reads = |term: Term| {
            let found = read.entry(term).or_insert_with(|| {
                let variables = self.terms.variables_of(term);
                variables.iter().filter_map(|variable| self.places.get(variable).copied()).collect()
            });
            found.clone()
        };
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            // The guard decides whether anything is assigned, so it belongs together with what is.
            let mut edge = reads(step.guard);
            for (variable, &term) in &step.updates {
                let mut assigned = reads(term);
                assigned.extend(self.places.get(variable));
                edge.extend(self.places.get(variable));
                edges.push(assigned);
            }
            edges.push(edge);
        }
        edges.extend(self.terms.conjuncts(program.initial).into_iter().map(&mut reads));
        for edge in &mut edges {
            edge.sort_unstable();
            edge.dedup();
        }
        edges.retain(|edge| edge.len() > 1);
        edges
    }
}
