//! Which vectors over 0, 1 and * all concrete states can be led to, by a command that has several branches and choose inputs.
//!
//! A vector is such a target iff no state with the given predicates avoids it on all branches: one question
//! (`branches`). Only components that differ between branches are searched; see `precise` for how many questions that
//! takes.

use crate::PredicateAbstraction;
use crate::branches::Branch;
use crate::precise::{Bounds, most_precise};
use crate::site::{Move, Post};
use tertium_expr::Term;
use tertium_support::{Context, StopReason};
use tertium_truth::TriVector;

/// The predicates that have to be searched for, and the others with what all moves make of them.
pub(super) fn differing(moves: &[&Move]) -> (Vec<usize>, Vec<(usize, Post)>) {
    let Some((first, others)) = moves.split_first() else { return (Vec::new(), Vec::new()) };
    debug_assert!(
        others.iter().all(|other| other.control == first.control),
        "moves to one control have the same predicates"
    );
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

/// The most precise vectors that all states with `psi` can be led to on one of the branches, which are about the same
/// predicates. `may` has all vectors that one of them is led to, if they are known.
pub(super) fn must_vectors(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    psi: &[Term],
    branches: &[Branch],
    may: Option<Vec<TriVector>>,
) -> Result<Vec<TriVector>, StopReason> {
    let Some(first) = branches.first() else { return Ok(Vec::new()) };
    let length = first.after.len();
    let mut branches = abstraction.branches(psi, branches);
    let above = match may {
        Some(may) => Some(may),
        None => abstraction.some_ends(context, &mut branches)?,
    };
    let bounds = Bounds { above, below: Vec::new(), depth: length };
    let sharpest =
        most_precise(length, &bounds, |vector| abstraction.ask_branches(context, &mut branches, vector))?;
    abstraction.left_out.searches += u64::from(!sharpest.complete);
    Ok(sharpest.vectors)
}
