//! Which truth values some terms can have together, under a condition.
//!
//! The solver is asked whether the condition can be satisfied at all. If so, its model gives one vector, and what is left
//! falls into the cubes that agree with the vector up to some place and differ there; each is asked for in the same way. Every call thus
//! finds a new vector or excludes a cube, and these are all disjoint: there are never more calls than vectors, and far fewer if
//! they can be excluded by the cube.

use fixedbitset::FixedBitSet;
use tertium_expr::{Term, Terms};
use tertium_solve::{Answer, Model, Prover};
use tertium_support::{Context, StopReason};

/// The vectors of truth values that `posts` can have where all of `condition` hold, in order. Where the solver gives up, a vector counts
/// as possible, and the second value is false: it may be that not all of them are.
pub(crate) fn feasible(
    context: &Context,
    prover: &mut Prover<'_>,
    terms: &Terms,
    condition: &[Term],
    posts: &[Term],
) -> Result<(Vec<FixedBitSet>, bool), StopReason> {
    let mut search = Search { context, prover, terms, posts, found: Vec::new(), exact: true };
    search.cube(condition.to_vec(), FixedBitSet::with_capacity(posts.len()), 0)?;
    search.found.sort();
    debug_assert!(search.found.is_sorted_by(|a, b| a < b), "the cubes do not overlap");
    Ok((search.found, search.exact))
}

struct Search<'a, 's> {
    context: &'a Context,
    prover: &'a mut Prover<'s>,
    terms: &'a Terms,
    posts: &'a [Term],
    found: Vec<FixedBitSet>,
    exact: bool,
}

impl Search<'_, '_> {
    /// Finds all vectors that begin with the first `fixed` of `bits`, which `condition` says too.
    fn cube(&mut self, condition: Vec<Term>, mut bits: FixedBitSet, fixed: usize) -> Result<(), StopReason> {
        debug_assert!(fixed <= self.posts.len() && fixed <= condition.len(), "what is fixed is a condition");
        self.context.poll()?;
        let (answer, model) = self.prover.find(self.context, self.terms, condition.iter().copied());
        let vector = match answer {
            Answer::Unsatisfiable => return Ok(()),
            Answer::Stopped(reason) => return Err(reason),
            Answer::GaveUp => None,
            Answer::Satisfiable => model.and_then(|model| self.vector(&model, &bits, fixed)),
        };
        if let Some(vector) = vector {
            let mut condition = condition;
            for at in fixed..self.posts.len() {
                let mut other = vector.clone();
                other.toggle(at);
                let mut inside = condition.clone();
                inside.push(self.literal(at, other.contains(at)));
                self.cube(inside, other, at + 1)?;
                condition.push(self.literal(at, vector.contains(at)));
            }
            self.found.push(vector);
            return Ok(());
        }
        // No model to go by: both halves, down to single vectors.
        if fixed == self.posts.len() {
            self.exact &= answer == Answer::Satisfiable;
            self.found.push(bits);
            return Ok(());
        }
        for value in [false, true] {
            bits.set(fixed, value);
            let mut inside = condition.clone();
            inside.push(self.literal(fixed, value));
            self.cube(inside, bits.clone(), fixed + 1)?;
        }
        Ok(())
    }

    /// The values of all terms in a model; the first ones are known.
    fn vector(&self, model: &Model, bits: &FixedBitSet, fixed: usize) -> Option<FixedBitSet> {
        let mut vector = bits.clone();
        for (at, &post) in self.posts.iter().enumerate().skip(fixed) {
            vector.set(at, model.satisfies(self.terms, post)?);
        }
        Some(vector)
    }

    fn literal(&self, at: usize, value: bool) -> Term {
        if value { self.posts[at] } else { self.terms.not(self.posts[at]) }
    }
}
