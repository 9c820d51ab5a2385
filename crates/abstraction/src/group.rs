//! What a group of a move says: the vectors that its predicates can have after the step, and which of them all states can be led to.
//!
//! For a move taken apart into groups, the may targets are all combinations of the groups' vectors, and a combination
//! is a must target iff its part is one in each group: the states in the group's sources can all choose inputs that
//! lead there. Without inputs that is so iff there is one vector only and the guard is implied.
//!
//! Cost: what a group is asked once for each valuation of its sources is remembered. Calls for must are at most one
//! more than for may in groups without inputs, and one for each vector with.

use crate::site::{Group, Move, Post};
use crate::transfer::Seen;
use crate::{AbstractState, PredicateAbstraction, Targets};
use fixedbitset::FixedBitSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{Input, Program};
use tertium_solve::Answer;
use tertium_support::{Context, StopReason};

/// A group of a move at some control, and the values of its sources.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct GroupKey {
    control: Box<[Value]>,
    site: usize,
    group: usize,
    sources: FixedBitSet,
}

/// What a group says for one valuation of its sources.
pub(crate) struct GroupAnswer {
    pub(crate) vectors: Vec<FixedBitSet>,
    /// For each vector, whether it is one that all states can be led to.
    pub(crate) musts: Vec<bool>,
    /// Whether the guard can be met in all states.
    pub(crate) always: bool,
}

impl PredicateAbstraction<'_> {
    /// What the groups of a move say at a state; nothing if it leads nowhere.
    pub(crate) fn answers(
        &mut self,
        context: &Context,
        Seen { state, site, at }: Seen<'_>,
    ) -> Result<Option<Vec<Rc<GroupAnswer>>>, StopReason> {
        let mut answers = Vec::new();
        for (number, group) in site.groups.iter().enumerate() {
            let mut seen = FixedBitSet::with_capacity(group.sources.len());
            for (n, &(predicate, _)) in group.sources.iter().enumerate() {
                seen.set(n, state.bits.contains(predicate));
            }
            let answer = self.answer(context, &state.control, at, number, group, seen)?;
            if answer.vectors.is_empty() {
                return Ok(None);
            }
            answers.push(answer);
        }
        Ok(Some(answers))
    }

    /// What a group of a move says where the sources are as `seen`, by their place in the group.
    pub(crate) fn answer(
        &mut self,
        context: &Context,
        control: &[Value],
        site: usize,
        number: usize,
        group: &Group,
        seen: FixedBitSet,
    ) -> Result<Rc<GroupAnswer>, StopReason> {
        debug_assert_eq!(seen.len(), group.sources.len(), "every source has a value");
        let key = GroupKey { control: control.into(), site, group: number, sources: seen };
        if let Some(answer) = self.answers.get(&key) {
            return Ok(Rc::clone(answer));
        }
        let terms = &self.program.terms;
        let literal = |(n, &(_, term)): (usize, &(usize, Term))| {
            if key.sources.contains(n) { term } else { terms.not(term) }
        };
        let psi: Vec<Term> =
            group.sources.iter().enumerate().map(literal).chain(group.within.iter().copied()).collect();
        let condition: Vec<Term> = psi.iter().chain(&group.guard).copied().collect();
        let found = self.questions.feasible(context, &mut self.prover, terms, &condition, &group.posts)?;
        let vectors = found.0.clone();
        debug_assert!(
            vectors.iter().all(|vector| vector.len() == group.posts.len()),
            "a vector has a value for each predicate of the group"
        );
        let before = self.prover.statistics();
        let guard = terms.and(group.guard.iter().copied());
        let mut implied = |reaches: Term| {
            let avoids = not_for_any(self.program, &group.inputs, reaches);
            let question: Vec<Term> = psi.iter().copied().chain([avoids]).collect();
            self.questions.check(context, &mut self.prover, terms, &question) == Answer::Unsatisfiable
        };
        let always = !vectors.is_empty() && implied(guard);
        let musts = vectors
            .iter()
            .map(|vector| match (always, group.inputs.is_empty()) {
                (false, _) => false,
                (true, true) => vectors.len() == 1,
                (true, false) => {
                    let literals = group
                        .posts
                        .iter()
                        .enumerate()
                        .map(|(n, &post)| if vector.contains(n) { post } else { terms.not(post) });
                    implied(terms.and([guard].into_iter().chain(literals)))
                }
            })
            .collect();
        self.for_musts += self.prover.statistics().since(&before);
        let answer = Rc::new(GroupAnswer { vectors, musts, always });
        self.answers.insert(key, Rc::clone(&answer));
        Ok(answer)
    }
}

/// That `reaches` holds for no values of the inputs.
pub(crate) fn not_for_any(program: &Program, inputs: &[Input], reaches: Term) -> Term {
    let terms = &program.terms;
    let step = tertium_program::Step {
        guard: reaches,
        inputs: inputs.to_vec(),
        updates: std::collections::BTreeMap::new(),
    };
    step.pre(terms, terms.boolean(false))
}

/// Adds the combinations of the groups' vectors.
pub(crate) fn combine(
    state: &AbstractState,
    site: &Move,
    answers: &[Rc<GroupAnswer>],
    targets: &mut Targets,
) {
    debug_assert_eq!(answers.len(), site.groups.len(), "every group has an answer");
    debug_assert!(
        answers.iter().all(|answer| !answer.vectors.is_empty() && answer.musts.len() == answer.vectors.len()),
        "a group leads somewhere, and says of each vector whether all states are led there"
    );
    let mut chosen = vec![0; answers.len()];
    loop {
        let mut bits = FixedBitSet::with_capacity(site.posts.len());
        for (n, post) in site.posts.iter().enumerate() {
            let value = match *post {
                Post::Fixed(value) => value,
                Post::Copied(source, same) => state.bits.contains(source) == same,
                Post::Solved { group, at } => answers[group].vectors[chosen[group]].contains(at),
            };
            bits.set(n, value);
        }
        let target = AbstractState { control: site.control.clone(), bits };
        if answers.iter().zip(&chosen).all(|(answer, &vector)| answer.musts[vector]) {
            targets.must.insert(target.clone());
        }
        targets.may.insert(target);
        // The next combination, like counting.
        let Some(place) = (0..answers.len()).rev().find(|&n| chosen[n] + 1 < answers[n].vectors.len()) else {
            return;
        };
        chosen[place] += 1;
        chosen[place + 1..].fill(0);
    }
}
