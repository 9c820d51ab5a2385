//! Which vectors over 0, 1 and * all concrete states can be led to, by a command that can go several ways and choose inputs.
//!
//! A vector is such a target iff no state with the given predicates avoids it on all ways: one solver call. Only components that differ between ways
//! are searched; see `precise` for how many calls that takes.

use crate::precise::most_precise;
use crate::site::{Move, Post};
use crate::transfer::not_for_any;
use tertium_expr::Term;
use tertium_program::{Input, Program};
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

/// One way that a command can go: its guard, what some predicates are after it, and what it chooses.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) guard: Term,
    pub(super) after: Vec<Term>,
    pub(super) inputs: Vec<Input>,
}

impl Way {
    /// A move, as far as these predicates are concerned.
    pub(super) fn new(site: &Move, predicates: &[usize]) -> Self {
        let after = predicates.iter().map(|&predicate| site.after[predicate]).collect();
        Self { guard: site.guard, after, inputs: site.inputs.clone() }
    }

    /// All its terms.
    pub(super) fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        [self.guard].into_iter().chain(self.after.iter().copied())
    }
}

/// The predicates that have to be searched for, and the others with what all moves make of them.
pub(super) fn differing(moves: &[&Move]) -> (Vec<usize>, Vec<(usize, Post)>) {
    let Some((first, others)) = moves.split_first() else { return (Vec::new(), Vec::new()) };
    let (mut searched, mut common) = (Vec::new(), Vec::new());
    for (predicate, &post) in first.posts.iter().enumerate() {
        let agreed = others.iter().all(|other| other.posts[predicate] == post);
        if agreed && !matches!(post, Post::Solved { .. }) {
            common.push((predicate, post));
        } else {
            searched.push(predicate);
        }
    }
    (searched, common)
}

/// The most precise vectors that all states with `psi` can be led to on one of the ways.
pub(super) fn must_vectors(
    context: &Context,
    program: &Program,
    prover: &mut Prover<'_>,
    psi: &[Term],
    ways: &[Way],
) -> Result<Vec<TriVector>, StopReason> {
    let Some(first) = ways.first() else { return Ok(Vec::new()) };
    let length = first.after.len();
    let mut search = Search { context, program, prover, psi, ways };
    most_precise(length, |vector| search.leads(vector))
}

struct Search<'a, 's> {
    context: &'a Context,
    program: &'a Program,
    prover: &'a mut Prover<'s>,
    psi: &'a [Term],
    ways: &'a [Way],
}

impl Search<'_, '_> {
    /// Whether all states can be led to a vector.
    fn leads(&mut self, vector: &TriVector) -> Result<bool, StopReason> {
        self.context.poll()?;
        let terms = &self.program.terms;
        let avoids = |way: &Way| {
            let literals =
                way.after.iter().zip(vector.components()).filter_map(|(&after, component)| match component {
                    Kleene::True => Some(after),
                    Kleene::False => Some(terms.not(after)),
                    Kleene::Unknown => None,
                });
            let reaches = terms.and([way.guard].into_iter().chain(literals));
            not_for_any(self.program, &way.inputs, reaches)
        };
        let question: Vec<Term> = self.psi.iter().copied().chain(self.ways.iter().map(avoids)).collect();
        Ok(self.prover.check(self.context, terms, question) == Answer::Unsatisfiable)
    }
}
