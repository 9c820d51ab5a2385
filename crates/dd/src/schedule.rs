//! In which order the parts of a conjunction are conjoined, and when each variable can be quantified.
//!
//! Small parts are joined into clusters beforehand; the order of clusters is greedy, by how many variables a cluster lets go
//! and how many new ones it brings \[RAB+95\]. Each variable is quantified right after the last cluster that has it \[BCL94\].

use crate::bdd::Bdd;
use crate::manager::{Manager, VarSet};
use crate::store::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tertium_support::StopReason;

/// Clusters, and what can be quantified after each. What no cluster has is quantified from the set itself at first.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    first: VarSet,
    steps: Vec<(Bdd, VarSet)>,
}

/// Clusters are not joined beyond this many nodes.
const CLUSTER: usize = 1000;

impl Schedule {
    /// Conjoins the clusters one by one and quantifies each of `leaving`.
    pub(crate) fn new(manager: &Manager, clusters: Vec<Bdd>, leaving: &[Var]) -> Result<Self, StopReason> {
        let clusters = arrange(clusters, leaving);
        let mut open: FxHashSet<Var> = leaving.iter().copied().collect();
        let mut steps = Vec::new();
        for cluster in clusters.into_iter().rev() {
            let here: Vec<Var> = cluster.support().into_iter().filter(|var| open.remove(var)).collect();
            steps.push((cluster, manager.var_set(here)?));
        }
        steps.reverse();
        Ok(Self { first: manager.var_set(open)?, steps })
    }

    /// The clusters, in order.
    pub(crate) fn clusters(&self) -> impl ExactSizeIterator<Item = &Bdd> {
        self.steps.iter().map(|(cluster, _)| cluster)
    }

    /// The set conjoined with all clusters, without the variables that leave.
    pub(crate) fn product(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        let mut product = set.exists(&self.first)?;
        for (part, leaving) in &self.steps {
            if product.is_false() {
                break;
            }
            product = product.and_exists(part, leaving)?;
        }
        Ok(product)
    }
}

/// Joins parts that let go of the same variables while they stay small.
pub(crate) fn cluster(manager: &Manager, parts: Vec<Bdd>, leaving: &[Var]) -> Result<Vec<Bdd>, StopReason> {
    let parts = arrange(parts, leaving);
    let mut clusters: Vec<Bdd> = Vec::new();
    let mut current = manager.constant(true);
    for part in &parts {
        let joined = current.and(part)?;
        if joined.n_nodes() > CLUSTER && !current.is_true() {
            clusters.push(std::mem::replace(&mut current, part.clone()));
        } else {
            current = joined;
        }
    }
    clusters.push(current);
    Ok(clusters)
}

/// Orders parts greedily: first those that let many variables of `leaving` go and bring few others; of equals the first.
/// What a variable counts changes twice at most, so this is about linear in the supports.
fn arrange(parts: Vec<Bdd>, leaving: &[Var]) -> Vec<Bdd> {
    let leaving: FxHashSet<Var> = leaving.iter().copied().collect();
    let supports: Vec<Vec<Var>> = parts.iter().map(Bdd::support).collect();
    let mut uses: FxHashMap<Var, Use> = FxHashMap::default();
    for (part, support) in supports.iter().enumerate() {
        for &var in support {
            let leaves = leaving.contains(&var);
            let new = || Use { leaves, is_new: true, n_left: 0, parts: Vec::new() };
            let of_var = uses.entry(var).or_insert_with(new);
            of_var.n_left += 1;
            of_var.parts.push(part);
        }
    }
    let score = |support: &Vec<Var>| support.iter().map(|var| uses[var].counts()).sum();
    let mut scores: Vec<i64> = supports.iter().map(score).collect();
    let mut waiting: BinaryHeap<(i64, Reverse<usize>)> =
        scores.iter().enumerate().map(|(part, &score)| (score, Reverse(part))).collect();
    let mut left: Vec<Option<Bdd>> = parts.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(left.len());
    while let Some((score, Reverse(best))) = waiting.pop() {
        // A part waits once more whenever its score changes.
        if score != scores[best] {
            continue;
        }
        let Some(part) = left[best].take() else { continue };
        arranged.push(part);
        for var in &supports[best] {
            let Some(of_var) = uses.get_mut(var) else { continue };
            let before = of_var.counts();
            of_var.n_left -= 1;
            of_var.is_new = false;
            let change = of_var.counts() - before;
            if change == 0 {
                continue;
            }
            for &part in of_var.parts.iter().filter(|&&part| left[part].is_some()) {
                scores[part] += change;
                waiting.push((scores[part], Reverse(part)));
            }
        }
    }
    debug_assert!(left.iter().all(Option::is_none), "every part has its place");
    arranged
}

/// What is known of a variable while parts are put in order.
struct Use {
    leaves: bool,
    /// Whether no part so far has it.
    is_new: bool,
    /// In how many of the parts that are left it occurs.
    n_left: usize,
    /// The parts with it.
    parts: Vec<usize>,
}

impl Use {
    /// What it adds to the score of a part that has it.
    fn counts(&self) -> i64 {
        if self.leaves && self.n_left == 1 { 2 } else { -i64::from(self.is_new) }
    }
}
