//! Targets looked at through few predicates at a time \[GHJ01\].
//!
//! Whether all of n predicates can have some values after a step takes up to 2^n questions. With a bound k, only the
//! values of k predicates together are asked for, for each set of k; a bit vector counts as a may target if all its
//! parts are possible. That is more may targets than exactly. A must target is asked for only if at most k of its
//! components are known, which is fewer; but where every state has one successor, what all may targets agree on is a
//! must target of itself, without a call. For k = n all is exact.
//!
//! Cost: for n predicates at most (n choose k) · 2^k calls for may. The may targets are enumerated, and there can be 2^n of them.

use super::musts::Knowing;
use super::{CartesianAbstraction, TriState, TriTargets};
use crate::AbstractState;
use crate::feasible::feasible;
use crate::site::Move;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;
use tertium_expr::{Term, Value};
use tertium_program::CommandId;
use tertium_support::{Context, StopReason};

/// The values that some predicates, by number, can have together.
struct Part {
    predicates: Vec<usize>,
    possible: BTreeSet<FixedBitSet>,
}

impl CartesianAbstraction<'_> {
    /// Where every command leads from a vector, with questions about `depth` predicates at a time.
    pub(super) fn limited_targets(
        &mut self,
        context: &Context,
        state: &TriState,
        depth: usize,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let sites = self.abstraction.sites(context, &state.control)?;
        let mut commands: Vec<CommandId> = sites.iter().map(|site| site.command).collect();
        commands.dedup();
        let mut all = Vec::new();
        for command in commands {
            let own: Vec<&Move> = sites.iter().filter(|site| site.command == command).collect();
            let controls: BTreeSet<&Box<[Value]>> = own.iter().map(|site| &site.control).collect();
            let mut may = BTreeSet::new();
            for control in controls {
                let here: Vec<&Move> = own.iter().copied().filter(|site| site.control == *control).collect();
                let parts = self.parts(context, state, &here, depth)?;
                for bits in vectors(context, &parts, self.precision().at(self.program(), control).len())? {
                    may.insert(AbstractState { control: control.clone(), bits });
                }
            }
            if may.is_empty() {
                continue;
            }
            let always = self.is_enabled(context, state, command)?;
            let must = match always {
                false => Vec::new(),
                true => {
                    let knowing = Knowing { may: &may, must: &[], depth };
                    self.abstraction.musts_knowing(context, state, command, knowing)?
                }
            };
            all.push((command, TriTargets { may, must, always }));
        }
        Ok(all)
    }

    /// What is possible for each `depth` predicates after one of these moves, which have the same control.
    fn parts(
        &mut self,
        context: &Context,
        state: &TriState,
        sites: &[&Move],
        depth: usize,
    ) -> Result<Vec<Part>, StopReason> {
        let program = self.program();
        let psi = state.term(program, self.precision());
        let mut parts = Vec::new();
        let n_after = sites.first().map_or(0, |site| site.after.len());
        for predicates in subsets(n_after, depth) {
            let mut possible = BTreeSet::new();
            for site in sites {
                let posts: Vec<Term> = predicates.iter().map(|&n| site.after[n]).collect();
                let condition = [psi, site.guard];
                let prover = self.abstraction.prover();
                possible.extend(feasible(context, prover, &program.terms, &condition, &posts)?.0);
            }
            parts.push(Part { predicates, possible });
        }
        Ok(parts)
    }
}

/// The subsets of 0..n with `size` elements, or the whole if there are no more.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let size = size.min(n);
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = all.iter().flat_map(|set: &Vec<usize>| {
            let next = set.last().map_or(0, |&last| last + 1);
            (next..n).map(move |n| [set.clone(), vec![n]].concat())
        });
        all = longer.collect();
    }
    all
}

/// The bit vectors all of whose parts are possible.
fn vectors(context: &Context, parts: &[Part], n: usize) -> Result<Vec<FixedBitSet>, StopReason> {
    let mut ticker = context.ticker("combining what is possible");
    let mut found = vec![FixedBitSet::with_capacity(n)];
    // The part without predicates says whether there is a target at all.
    let settled =
        |at: usize| parts.iter().filter(move |part| part.predicates.last().map_or(0, |&last| last + 1) == at);
    for at in 0..=n {
        if at > 0 {
            let both = found.into_iter().flat_map(|bits| {
                let mut with = bits.clone();
                with.insert(at - 1);
                [bits, with]
            });
            found = both.collect();
        }
        ticker.tick(found.len())?;
        found.retain(|bits| {
            settled(at).all(|part| {
                let mut own = FixedBitSet::with_capacity(part.predicates.len());
                part.predicates
                    .iter()
                    .enumerate()
                    .for_each(|(n, &predicate)| own.set(n, bits.contains(predicate)));
                part.possible.contains(&own)
            })
        });
    }
    Ok(found)
}
