//! Which variables of a program occur together, and the bits that they get by that.
//!
//! Guards with what is assigned under them, and assignments with what they read, pull variables together. Wide
//! variables meet where they are added, compared or copied: products, quotients and shifted bits are not aligned. An element of an array
//! at a constant index counts for itself; where the index is not constant, all elements are meant. Cost: linear in the terms of the
//! program, but for the sets of wide places below each term, and of those of arrays.

use super::order::{Classes, WIDE, arrange, interleave};
use super::{Form, Layout, Placed, make_bits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;
use tertium_dd::Manager;
use tertium_expr::{Sort, Term, TermKind, Terms, Variable};
use tertium_program::Program;
use tertium_system::SymbolicVariable;

/// Makes the bits: each current bit beside its next one, variables that occur together near each other, bits of wide variables that
/// meet in arithmetic in turn.
pub(super) fn lay_out(
    manager: &Manager,
    program: &Program,
    forms: &[Form],
    first: Option<&[usize]>,
) -> (Layout, Vec<SymbolicVariable>) {
    let widths: Vec<usize> =
        forms.iter().flat_map(|form| form.places().into_iter().map(|values| values.width())).collect();
    let mut meetings = Meetings::new(program, forms, &widths);
    let mut order = arrange(widths.len(), &meetings.edges(program));
    if let Some(first) = first {
        let mut given: Vec<usize> = first.to_vec();
        let named: BTreeSet<usize> = given.iter().copied().collect();
        given.extend(order.into_iter().filter(|place| !named.contains(place)));
        order = given;
    }
    let mut variables: Vec<SymbolicVariable> = Vec::with_capacity(widths.len());
    for (own, form) in program.variables().iter().zip(forms) {
        let names = form.names(&program.terms.name(own.variable));
        variables.extend(names.into_iter().zip(form.places()).map(|(name, values)| SymbolicVariable {
            name,
            is_input: false,
            current: Vec::new(),
            next: Vec::new(),
            last_code: values.last_code(),
        }));
    }
    let bits = interleave(&order, |place| widths[place], |place| meetings.classes.find(place));
    make_bits(manager, &mut variables, bits);
    debug_assert!(
        variables
            .iter()
            .zip(&widths)
            .all(|(own, &width)| own.current.len() == width && own.next.len() == width),
        "every bit of a variable is made once"
    );
    let mut layout = Layout::new();
    let mut places = variables.iter();
    for (own, form) in program.variables().iter().zip(forms) {
        let mut bits = |_: &_| places.next().map_or_else(Vec::new, |place| place.current.clone());
        layout.insert(own.variable, Placed::new(form, &mut bits));
    }
    (layout, variables)
}

/// Which places of the variables of a program occur together.
struct Meetings<'p> {
    terms: &'p Terms,
    /// By variable: its places and its form.
    places: FxHashMap<Variable, (Range<usize>, &'p Form)>,
    widths: &'p [usize],
    classes: Classes,
    /// By term: the wide places whose bits become bits of its value.
    sources: FxHashMap<Term, Vec<usize>>,
}

/// What an assignment says: some places get new values, which are read off from a term; and terms say which.
struct Written {
    places: Range<usize>,
    value: Term,
    index: Option<Term>,
}

impl<'p> Meetings<'p> {
    fn new(program: &'p Program, forms: &'p [Form], widths: &'p [usize]) -> Self {
        let mut places = FxHashMap::default();
        let mut first = 0;
        for (own, form) in program.variables().iter().zip(forms) {
            let next = first + form.n_places();
            places.insert(own.variable, (first..next, form));
            first = next;
        }
        debug_assert_eq!(first, widths.len(), "each place has a width");
        let classes = Classes::new(widths.len());
        let mut meetings =
            Self { terms: &program.terms, places, widths, classes, sources: FxHashMap::default() };
        meetings.visit(program.initial);
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            meetings.visit(step.guard);
            for (variable, &term) in &step.updates {
                for written in meetings.written(*variable, term) {
                    written.index.map(|index| meetings.visit(index));
                    let mut sources = meetings.visit(written.value);
                    sources.extend(meetings.wide(written.places));
                    meetings.classes.join(&sources);
                }
            }
        }
        for &term in program.propositions.values() {
            meetings.visit(term);
        }
        meetings
    }

    /// Those of some places that are wide.
    fn wide(&self, places: Range<usize>) -> Vec<usize> {
        places.filter(|&place| self.widths[place] >= WIDE).collect()
    }

    /// The places that a term is: a variable, or an element at constant indices.
    fn places_of(&self, term: Term) -> Option<(Range<usize>, &'p Form)> {
        match self.terms.kind(term) {
            TermKind::Variable(variable) => self.places.get(&variable).cloned(),
            TermKind::Select(array, index) => {
                let (places, form) = self.places_of(array)?;
                let Form::Array(own) = form else { return None };
                let nth = own.indices.binary_search(&self.terms.as_value(index)?).ok()?;
                let size = own.element.n_places();
                let first = places.start + nth * size;
                Some((first..first + size, &own.element))
            }
            _ => None,
        }
    }

    /// What an assignment writes: the elements that are stored in the array that was there, or all of the variable.
    fn written(&self, variable: Variable, term: Term) -> Vec<Written> {
        let Some((places, form)) = self.places.get(&variable).cloned() else { return Vec::new() };
        let own = self.terms.variable(variable);
        let (mut at, mut found) = (term, Vec::new());
        while let (Form::Array(form), TermKind::Store(array, index, value)) = (form, self.terms.kind(at)) {
            let nth = self.terms.as_value(index).and_then(|index| form.indices.binary_search(&index).ok());
            found.push(match nth {
                Some(nth) => {
                    let first = places.start + nth * form.element.n_places();
                    Written { places: first..first + form.element.n_places(), value, index: None }
                }
                None => Written { places: places.clone(), value, index: Some(index) },
            });
            at = array;
        }
        if at == own { found } else { vec![Written { places, value: term, index: None }] }
    }

    /// The wide places whose bits become bits of the value; joins those that meet inside.
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
        if let Some((places, _)) = self.places_of(term) {
            return self.wide(places);
        }
        let read = match kind {
            // An index says which element it is, not what this is.
            TermKind::Select(array, _) => vec![*array],
            TermKind::Store(array, _, element) => vec![*array, *element],
            kind => kind.operands(),
        };
        let mut sources: Vec<usize> =
            read.iter().flat_map(|operand| self.sources[operand].iter().copied()).collect();
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
        let mut reads = |term: Term| read.entry(term).or_insert_with(|| self.read_by(term)).clone();
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            // The guard decides whether anything is assigned, so it belongs together with what is.
            let mut edge = reads(step.guard);
            for (&variable, &term) in &step.updates {
                for written in self.written(variable, term) {
                    let mut assigned = reads(written.value);
                    assigned.extend(written.index.map(&mut reads).unwrap_or_default());
                    assigned.extend(written.places.clone());
                    edge.extend(written.places);
                    edges.push(assigned);
                }
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

    /// The places that a term reads.
    fn read_by(&self, term: Term) -> Vec<usize> {
        let (mut open, mut seen, mut found) = (vec![term], FxHashSet::default(), BTreeSet::new());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.places_of(term) {
                Some((places, _)) => found.extend(places),
                None => open.extend(self.terms.kind(term).operands()),
            }
        }
        found.into_iter().collect()
    }
}
