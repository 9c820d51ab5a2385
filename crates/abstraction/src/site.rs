//! The steps of a program at one valuation of its control variables, prepared for abstraction.
//!
//! With control fixed, only commands of its locations are looked at, many predicates plainly true, false, or what they
//! were before the step. For the rest, conjunctions fall into groups that share no variables, so that a question about
//! all of them is one question about each group; and the answer of a group depends only on the predicates in it.

use crate::state::{at_control, control_variables};
use rustc_hash::FxHashMap;
use tertium_expr::{Substitution, Term, Terms, Value, Variable};
use tertium_program::{CommandId, Input, Precision, Program, Step};
use tertium_support::{Context, Id, StopReason, Ticker};

/// What a predicate that counts after a step is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Post {
    /// Always this.
    Fixed(bool),
    /// What this predicate that counts before the step was, or the opposite if false.
    Copied(usize, bool),
    /// Component `at` of the vectors of a group.
    Solved {
        /// The group.
        group: usize,
        /// The component.
        at: usize,
    },
}

/// Terms that share variables, directly or through others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The predicates before the step that belong here, with what they are at this control.
    pub(crate) sources: Vec<(usize, Term)>,
    /// Domains of the variables here.
    pub(crate) within: Vec<Term>,
    /// Conjuncts of the guard.
    pub(crate) guard: Vec<Term>,
    /// What is to be found out.
    pub(crate) posts: Vec<Term>,
    /// The inputs that occur.
    pub(crate) inputs: Vec<Input>,
}

/// A step with a fixed control target.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) command: CommandId,
    pub(crate) control: Box<[Value]>,
    pub(crate) posts: Vec<Post>,
    pub(crate) groups: Vec<Group>,
    /// Guard and all predicates after the step, not taken apart.
    pub(crate) guard: Term,
    pub(crate) after: Vec<Term>,
    pub(crate) inputs: Vec<Input>,
}

/// All moves at one valuation of the control variables.
pub(crate) fn moves(
    context: &Context,
    program: &Program,
    precision: &Precision,
    control: &[Value],
) -> Result<Vec<Move>, StopReason> {
    let mut ticker = context.ticker("finding the moves at a location");
    let mut here = at_control(program, control);
    let counting = precision.terms_at(program, control).into_iter();
    let before: Vec<Term> = counting.map(|predicate| here.apply(&program.terms, predicate)).collect();
    let mut moves = Vec::new();
    for command in program.locations().edges_at(program, control) {
        for step in &program.commands()[command.index()].steps {
            let maker = Maker { program, precision, before: &before, command, step };
            maker.moves(&mut ticker, &mut here, control, &mut moves)?;
        }
    }
    Ok(moves)
}

struct Maker<'a> {
    program: &'a Program,
    precision: &'a Precision,
    before: &'a [Term],
    command: CommandId,
    step: &'a Step,
}

impl Maker<'_> {
    /// One move for each control target that is not plainly impossible.
    fn moves(
        &self,
        ticker: &mut Ticker<'_>,
        here: &mut Substitution,
        control: &[Value],
        moves: &mut Vec<Move>,
    ) -> Result<(), StopReason> {
        let terms = &self.program.terms;
        let guard = here.apply(terms, self.step.guard);
        // Each control variable with the values it may get, and the condition for each.
        let mut targets = vec![(Vec::new(), guard)];
        for (variable, old) in control_variables(self.program).into_iter().zip(control) {
            let new = match self.step.updates.get(&variable) {
                None => terms.value(old),
                Some(&update) => here.apply(terms, update),
            };
            let values = match terms.as_value(new) {
                Some(value) => vec![value],
                None => {
                    let id = self.program.id_of(variable).expect("it is a variable of the program");
                    let domain = &self.program.variables()[id.index()].domain;
                    domain.values(usize::MAX).expect("control variables have finitely many values")
                }
            };
            let mut longer = Vec::new();
            for (before, guard) in &targets {
                for value in &values {
                    ticker.tick(1)?;
                    let guard = terms.and([*guard, terms.equal(new, terms.value(value))]);
                    if terms.as_bool(guard) != Some(false) {
                        longer.push(([&before[..], std::slice::from_ref(value)].concat(), guard));
                    }
                }
            }
            targets = longer;
        }
        for (control, guard) in targets {
            ticker.tick(1)?;
            moves.extend(self.make(here, control.into(), guard));
        }
        Ok(())
    }

    fn make(&self, here: &mut Substitution, control: Box<[Value]>, guard: Term) -> Option<Move> {
        let terms = &self.program.terms;
        if terms.as_bool(guard) == Some(false) {
            return None;
        }
        let mut step = self.step.substitution();
        let mut there = at_control(self.program, &control);
        let after: Vec<Term> = self
            .precision
            .terms_at(self.program, &control)
            .into_iter()
            .map(|predicate| {
                let at_target = there.apply(terms, predicate);
                let before = step.apply(terms, at_target);
                here.apply(terms, before)
            })
            .collect();
        let (posts, groups) = self.take_apart(guard, &after);
        let inputs = self.step.inputs.clone();
        Some(Move { command: self.command, control, posts, groups, guard, after, inputs })
    }

    /// What each predicate becomes, and the groups of what has to be solved.
    fn take_apart(&self, guard: Term, after: &[Term]) -> (Vec<Post>, Vec<Group>) {
        let terms = &self.program.terms;
        let mut union = Union::default();
        let guard = terms.conjuncts(guard);
        for &term in guard.iter().chain(self.before) {
            union.join(terms, term);
        }
        let mut posts: Vec<Option<Post>> = after.iter().map(|&term| self.known(term)).collect();
        for (&term, _) in after.iter().zip(&posts).filter(|(_, post)| post.is_none()) {
            union.join(terms, term);
        }
        let mut numbers: FxHashMap<Variable, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        // Only what the guard or something to be solved is about needs a group.
        let mut group_of = |union: &mut Union, term: Term, make: bool| {
            let first = terms.variables_of(term).into_iter().next()?;
            let root = union.root(first);
            if make {
                let fresh = numbers.len();
                Some(*numbers.entry(root).or_insert(fresh))
            } else {
                numbers.get(&root).copied()
            }
        };
        for &part in &guard {
            let Some(group) = group_of(&mut union, part, true) else { continue };
            groups.resize_with(groups.len().max(group + 1), Group::default);
            groups[group].guard.push(part);
        }
        for (post, &term) in posts.iter_mut().zip(after) {
            if post.is_none() {
                let group = group_of(&mut union, term, true).expect("constants are known");
                groups.resize_with(groups.len().max(group + 1), Group::default);
                *post = Some(Post::Solved { group, at: groups[group].posts.len() });
                groups[group].posts.push(term);
            }
        }
        for (n, &term) in self.before.iter().enumerate() {
            if let Some(group) = group_of(&mut union, term, false) {
                groups[group].sources.push((n, term));
            }
        }
        for own in self.program.variables() {
            let inside = own.domain.contains(terms, terms.variable(own.variable));
            if let Some(group) = group_of(&mut union, inside, false) {
                groups[group].within.push(inside);
            }
        }
        for input in &self.step.inputs {
            if let Some(group) = group_of(&mut union, terms.variable(input.variable), false) {
                groups[group].inputs.push(input.clone());
            }
        }
        (posts.into_iter().map(|post| post.expect("all are known by now")).collect(), groups)
    }

    /// What a predicate becomes, if that can be told without the solver.
    fn known(&self, after: Term) -> Option<Post> {
        let terms = &self.program.terms;
        if let Some(value) = terms.as_bool(after) {
            return Some(Post::Fixed(value));
        }
        let opposite = terms.not(after);
        let same = self.before.iter().position(|&before| before == after).map(|n| Post::Copied(n, true));
        same.or_else(|| {
            self.before.iter().position(|&before| before == opposite).map(|n| Post::Copied(n, false))
        })
    }
}

/// Sets of variables that occur together.
#[derive(Default)]
pub(crate) struct Union(FxHashMap<Variable, Variable>);

impl Union {
    /// The variable that stands for all that occur together with this one.
    pub(crate) fn root(&mut self, variable: Variable) -> Variable {
        let parent = *self.0.entry(variable).or_insert(variable);
        if parent == variable {
            return variable;
        }
        let root = self.root(parent);
        self.0.insert(variable, root);
        root
    }

    /// The variables of the term occur together.
    pub(crate) fn join(&mut self, terms: &Terms, term: Term) {
        let mut variables = terms.variables_of(term).into_iter();
        let Some(first) = variables.next() else { return };
        for other in variables {
            let (first, other) = (self.root(first), self.root(other));
            // The one declared first stands for both, so that the order of groups is that of declarations.
            self.0.insert(first.max(other), first.min(other));
        }
    }
}
