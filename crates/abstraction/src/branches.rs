//! Several branches from the same states, asked about together: whether all states can be led to a vector, by one
//! branch or another and some inputs.
//!
//! A question is about the predicates that are open only, and of what holds of the states it has what has to do with
//! them, in other names (`renamed_questions`). So states that differ elsewhere have the same questions, which are asked
//! once. A state that the solver finds against a vector is followed on all branches with all inputs: what it is led to
//! rules out other vectors as well.

use crate::group::not_for_any;
use crate::precise::Reply;
use crate::renamed_questions::RenamedQuestions;
use crate::site::{Move, Union};
use std::collections::BTreeSet;
use tertium_expr::{Substitution, Term, TermKind, Terms, Variable};
use tertium_program::{Input, Program};
use tertium_solve::{Answer, Model, Prover};
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

/// So many combinations of inputs are followed from one state. Beyond, a vector is refused without a reason that would refuse others: more
/// questions, the same vectors.
const MOST_INPUTS: usize = 1 << 10;

/// One branch of a command: its guard, what some predicates are after it, and what it chooses.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) guard: Term,
    pub(crate) after: Vec<Term>,
    pub(crate) inputs: Vec<Input>,
}

impl Branch {
    /// A move, as far as these predicates are concerned.
    pub(crate) fn new(site: &Move, predicates: &[usize]) -> Self {
        let after = predicates.iter().map(|&predicate| site.after[predicate]).collect();
        Self { guard: site.guard, after, inputs: site.inputs.clone() }
    }

    /// All its terms.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        [self.guard].into_iter().chain(self.after.iter().copied())
    }

    /// That no inputs lead to a vector.
    fn avoids(&self, program: &Program, vector: &TriVector) -> Term {
        debug_assert_eq!(vector.len(), self.after.len(), "a component for each predicate");
        let terms = &program.terms;
        let literals =
            self.after.iter().zip(vector.components()).filter_map(|(&after, component)| match component {
                Kleene::True => Some(after),
                Kleene::False => Some(terms.not(after)),
                Kleene::Unknown => None,
            });
        not_for_any(program, &self.inputs, terms.and([self.guard].into_iter().chain(literals)))
    }

    /// The vectors that a state is led to, if they can be computed.
    fn ends(&self, terms: &Terms, state: &Model) -> Option<Vec<TriVector>> {
        let mut ends = Vec::new();
        for inputs in Input::combinations(&self.inputs, MOST_INPUTS)? {
            let chosen = self.inputs.iter().map(|input| input.variable).zip(inputs);
            let values = state.iter().map(|(variable, value)| (variable, value.clone()));
            let model = Model::new(values.chain(chosen));
            if !model.satisfies(terms, self.guard)? {
                continue;
            }
            let after = self.after.iter().map(|&after| model.satisfies(terms, after).map(Kleene::from));
            let end = TriVector::new(after.collect::<Option<_>>()?);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        Some(ends)
    }
}

/// States and the branches from them, in other names.
pub(crate) struct Branches {
    psi: Vec<Term>,
    branches: Vec<Branch>,
    back: Substitution,
}

impl Branches {
    /// The states that satisfy all of `psi`, of which there have to be some, and branches about the same predicates.
    pub(crate) fn new(
        questions: &mut RenamedQuestions,
        terms: &Terms,
        psi: &[Term],
        branches: &[Branch],
    ) -> Self {
        debug_assert!(
            branches.windows(2).all(|pair| pair[0].after.len() == pair[1].after.len()),
            "branches are about the same predicates"
        );
        let psi = relevant(terms, psi, branches);
        let inputs =
            branches.iter().flat_map(|branch| &branch.inputs).map(|input| terms.variable(input.variable));
        let all: Vec<Term> =
            psi.iter().copied().chain(branches.iter().flat_map(Branch::terms)).chain(inputs).collect();
        let (renamed, back) = questions.renamed(terms, &all);
        debug_assert_eq!(renamed.len(), all.len(), "terms are renamed one by one");
        let mut renamed = renamed.into_iter();
        let psi: Vec<Term> = renamed.by_ref().take(psi.len()).collect();
        let mut branches: Vec<Branch> = branches.to_vec();
        for branch in &mut branches {
            branch.guard = renamed.next().unwrap_or(branch.guard);
            branch.after.iter_mut().zip(renamed.by_ref()).for_each(|(after, other)| *after = other);
        }
        for (input, other) in branches.iter_mut().flat_map(|branch| &mut branch.inputs).zip(renamed) {
            if let TermKind::Variable(variable) = terms.kind(other) {
                input.variable = variable;
            }
        }
        Self { psi, branches, back }
    }

    /// Whether all states can be led to a vector, and if not, what one of them can be led to.
    pub(crate) fn ask(
        &mut self,
        context: &Context,
        program: &Program,
        prover: &mut Prover<'_>,
        vector: &TriVector,
    ) -> Result<Reply, StopReason> {
        let avoids: Vec<Term> = self.branches.iter().map(|branch| branch.avoids(program, vector)).collect();
        Ok(match self.find(context, program, prover, &avoids)? {
            (Answer::Unsatisfiable, _) => Reply::Yes,
            // What our own evaluation does not confirm is no reason.
            (Answer::Satisfiable, Some(ends)) if !ends.iter().any(|end| vector.info_le(end)) => {
                Reply::Only(ends)
            }
            _ => Reply::No,
        })
    }

    /// What one of the states can be led to, if that can be found out.
    pub(crate) fn some_ends(
        &mut self,
        context: &Context,
        program: &Program,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Vec<TriVector>>, StopReason> {
        Ok(self.find(context, program, prover, &[])?.1)
    }

    /// Whether one of the states satisfies these, and what it can be led to.
    fn find(
        &mut self,
        context: &Context,
        program: &Program,
        prover: &mut Prover<'_>,
        further: &[Term],
    ) -> Result<(Answer, Option<Vec<TriVector>>), StopReason> {
        context.poll()?;
        let terms = &program.terms;
        let (answer, model) = prover.find(context, terms, self.psi.iter().chain(further).copied());
        let answer = answer.unless_stopped()?;
        if answer == Answer::GaveUp {
            prover.reword_hard(|atom| self.back.apply(terms, atom));
        }
        let ends = model.and_then(|model| {
            let all = self.branches.iter().map(|branch| branch.ends(terms, &model));
            let mut ends = all.collect::<Option<Vec<_>>>()?.concat();
            ends.dedup();
            Some(ends)
        });
        Ok((answer, ends))
    }
}

/// The parts of `psi` that share variables with the branches, directly or through others, or have none at all.
fn relevant(terms: &Terms, psi: &[Term], branches: &[Branch]) -> Vec<Term> {
    let mut union = Union::default();
    psi.iter()
        .copied()
        .chain(branches.iter().flat_map(Branch::terms))
        .for_each(|term| union.join(terms, term));
    let variables = branches.iter().flat_map(Branch::terms).flat_map(|term| terms.variables_of(term));
    let about: BTreeSet<Variable> = variables.map(|variable| union.root(variable)).collect();
    let mut parts = psi.to_vec();
    parts.retain(|&part| {
        let first = terms.variables_of(part).into_iter().next();
        first.map_or(terms.as_bool(part) != Some(true), |first| about.contains(&union.root(first)))
    });
    parts
}

/// The components on which some of these vectors differ.
pub(crate) fn varying(vectors: &[TriVector]) -> Vec<usize> {
    let common = TriVector::align_all(vectors);
    let components = common.iter().flat_map(|common| common.components().iter().enumerate());
    components.filter(|(_, known)| **known == Kleene::Unknown).map(|(at, _)| at).collect()
}
