//! Questions that differ in the names of variables only, asked once.
//!
//! Programs repeat themselves: processes of one kind, or blocks of code about one variable each. Before a question is
//! asked, its variables are replaced by others, the first that occurs by the first of its sort, and so on. Questions
//! that are then equal have equal answers, since names do not matter; and the solver sees few variables, which keeps it
//! quick however large the program is.

use crate::feasible::feasible;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tertium_expr::{Sort, Substitution, Term, Terms, Variable};
use tertium_solve::{Answer, Prover};
use tertium_support::{Context, StopReason};

/// Vectors of truth values, and whether all of them are certainly possible.
pub(crate) type Vectors = Rc<(Vec<FixedBitSet>, bool)>;

/// The variables that questions are asked about, and what was found out.
#[derive(Debug, Default)]
pub(crate) struct RenamedQuestions {
    variables: Vec<(Sort, Vec<Variable>)>,
    /// By the number of conditions, and conditions and posts.
    vectors: FxHashMap<(usize, Vec<Term>), Vectors>,
}

impl RenamedQuestions {
    /// The vectors of truth values that `posts` can have under a condition; see `feasible`.
    pub(crate) fn feasible(
        &mut self,
        context: &Context,
        prover: &mut Prover<'_>,
        terms: &Terms,
        condition: &[Term],
        posts: &[Term],
    ) -> Result<Vectors, StopReason> {
        let all: Vec<Term> = condition.iter().chain(posts).copied().collect();
        let (renamed, mut back) = self.renamed(terms, &all);
        let key = (condition.len(), renamed);
        if let Some(known) = self.vectors.get(&key) {
            return Ok(Rc::clone(known));
        }
        let (condition, posts) = key.1.split_at(key.0);
        debug_assert_eq!(key.1.len(), all.len(), "terms are renamed one by one");
        let n_gave_up = prover.statistics().n_gave_up;
        let found = feasible(context, prover, terms, condition, posts);
        if prover.statistics().n_gave_up > n_gave_up {
            prover.reword_hard(|atom| back.apply(terms, atom));
        }
        let found = Rc::new(found?);
        self.vectors.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// Whether these can hold together.
    pub(crate) fn check(
        &mut self,
        context: &Context,
        prover: &mut Prover<'_>,
        terms: &Terms,
        together: &[Term],
    ) -> Answer {
        let (question, mut back) = self.renamed(terms, together);
        let answer = prover.check(context, terms, question);
        if answer == Answer::GaveUp {
            prover.reword_hard(|atom| back.apply(terms, atom));
        }
        answer
    }

    /// The same terms about other variables, and the way back.
    pub(crate) fn renamed(&mut self, terms: &Terms, all: &[Term]) -> (Vec<Term>, Substitution) {
        let mut used: FxHashMap<Variable, Term> = FxHashMap::default();
        let mut back = Vec::new();
        let mut n_used = vec![0; self.variables.len()];
        for variable in all.iter().flat_map(|&term| terms.variables_of(term)) {
            if used.contains_key(&variable) {
                continue;
            }
            let sort = terms.sort_of(variable);
            let of_sort = self.variables.iter().position(|(known, _)| *known == sort);
            let of_sort = of_sort.unwrap_or_else(|| {
                self.variables.push((sort.clone(), Vec::new()));
                n_used.push(0);
                self.variables.len() - 1
            });
            let known = &mut self.variables[of_sort].1;
            if n_used[of_sort] == known.len() {
                // No name of a program has a space. The same ones each time, so that what the solver was asked before is remembered.
                known.push(terms.declare(&format!("{sort} {}", known.len()), &sort));
            }
            let other = known[n_used[of_sort]];
            used.insert(variable, terms.variable(other));
            back.push((other, terms.variable(variable)));
            n_used[of_sort] += 1;
        }
        debug_assert_eq!(used.len(), back.len(), "each variable has one other name");
        let mut renaming = Substitution::new(used);
        (all.iter().map(|&term| renaming.apply(terms, term)).collect(), Substitution::new(back))
    }
}
