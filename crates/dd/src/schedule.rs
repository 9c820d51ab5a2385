//! In which order the parts of a conjunction are conjoined, and when each variable can be quantified.
//!
//! Small parts are joined into clusters beforehand; the order of clusters is greedy, by how many variables a cluster lets go
//! and how many new ones it brings \[RAB+95\]. Each variable is quantified right after the last cluster that has it \[BCL94\].

use crate::bdd::Bdd;
use crate::manager::{Manager, VarSet};
use crate::store::Var;
use rustc_hash::FxHashSet;
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

/// Orders parts greedily: first those that let many variables of `leaving` go and bring few others.
fn arrange(parts: Vec<Bdd>, leaving: &[Var]) -> Vec<Bdd> {
    let leaving: FxHashSet<Var> = leaving.iter().copied().collect();
    let mut left: Vec<(Bdd, Vec<Var>)> = parts
        .into_iter()
        .map(|part| {
            let support = part.support();
            (part, support)
        })
        .collect();
    let n_vars = left.iter().flat_map(|(_, support)| support).map(|var| var.index() + 1).max().unwrap_or(0);
    // In how many of the parts that are left each variable occurs.
    let mut users = vec![0usize; n_vars];
    left.iter().flat_map(|(_, support)| support).for_each(|var| users[var.index()] += 1);
    let mut brought = vec![false; n_vars];
    let mut arranged = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let score = |support: &[Var]| {
            let (mut go, mut stay, mut new) = (0usize, 0usize, 0usize);
            for var in support {
                if !leaving.contains(var) {
                    new += usize::from(!brought[var.index()]);
                } else if users[var.index()] == 1 {
                    go += 1;
                } else {
                    stay += usize::from(!brought[var.index()]);
                }
            }
            2 * go as i64 - stay as i64 - new as i64
        };
        let best = (0..left.len())
            .max_by_key(|&at| (score(&left[at].1), std::cmp::Reverse(at)))
            .expect("something is left");
        let (part, support) = left.remove(best);
        for var in support {
            users[var.index()] -= 1;
            brought[var.index()] = true;
        }
        arranged.push(part);
    }
    arranged
}
