//! Transition relations in parts, and their images.
//!
//! A relation is a disjunction of conjunctions of parts over current, input and next variables. Parts are never all
//! conjoined: an image conjoins them one after the other and quantifies each variable as soon as no later part has it
//! \[BCL94\]. Small parts are joined into clusters beforehand; the order of clusters is greedy, by how many variables a
//! cluster lets go and how many new ones it brings \[RAB+95\].

use crate::bdd::Bdd;
use crate::manager::{Manager, Renaming, VarSet};
use crate::store::Var;
use rustc_hash::FxHashSet;
use tertium_support::StopReason;

/// The variables of a relation. Current variable k becomes next variable k.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The variables of the state before a step.
    pub current: Vec<Var>,
    /// The variables of the state after it.
    pub next: Vec<Var>,
    /// The variables of the step itself.
    pub input: Vec<Var>,
}

/// A transition relation.
#[derive(Clone, Debug)]
pub struct Relation {
    manager: Manager,
    frame: Frame,
    disjuncts: Vec<Conjunction>,
    to_current: Renaming,
    to_next: Renaming,
    next: VarSet,
    current: VarSet,
    input: VarSet,
}

/// One disjunct: its clusters in the order for images and in the order for pre-images.
#[derive(Clone, Debug)]
struct Conjunction {
    forward: Schedule,
    backward: Schedule,
}

/// Clusters, and what can be quantified after each. What no cluster has is quantified from the set itself at first.
#[derive(Clone, Debug)]
struct Schedule {
    first: VarSet,
    steps: Vec<(Bdd, VarSet)>,
}

/// Clusters are not joined beyond this many nodes.
const CLUSTER: usize = 1000;

impl Relation {
    /// The disjunction of the conjunctions of `parts`.
    pub fn new(manager: &Manager, frame: Frame, parts: Vec<Vec<Bdd>>) -> Result<Self, StopReason> {
        let pairs = || frame.current.iter().copied().zip(frame.next.iter().copied());
        let to_next =
            manager.renaming(pairs().flat_map(|(current, next)| [(current, next), (next, current)]));
        let mut disjuncts = Vec::new();
        for conjuncts in parts {
            let leaving: Vec<Var> = frame.current.iter().chain(&frame.input).copied().collect();
            let clusters = cluster(&arrange(conjuncts, &leaving), manager)?;
            let forward = Schedule::new(manager, arrange(clusters.clone(), &leaving), &leaving)?;
            let leaving: Vec<Var> = frame.next.iter().chain(&frame.input).copied().collect();
            let backward = Schedule::new(manager, arrange(clusters, &leaving), &leaving)?;
            disjuncts.push(Conjunction { forward, backward });
        }
        Ok(Self {
            manager: manager.clone(),
            disjuncts,
            to_current: to_next,
            to_next,
            next: manager.var_set(frame.next.iter().copied())?,
            current: manager.var_set(frame.current.iter().copied())?,
            input: manager.var_set(frame.input.iter().copied())?,
            frame,
        })
    }

    /// The variables.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The current variables as a set.
    pub fn current(&self) -> &VarSet {
        &self.current
    }

    /// The input variables as a set.
    pub fn input(&self) -> &VarSet {
        &self.input
    }

    /// How many disjuncts there are, and clusters in all.
    pub fn n_parts(&self) -> (usize, usize) {
        (self.disjuncts.len(), self.disjuncts.iter().map(|part| part.forward.steps.len()).sum())
    }

    /// A function of current variables as one of next variables.
    pub fn primed(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        set.rename(self.to_next)
    }

    /// A function of next variables as one of current variables.
    pub fn unprimed(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        set.rename(self.to_current)
    }

    /// The states that one step reaches from `set`, a function of current and perhaps input variables.
    pub fn image(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        let mut all = self.manager.constant(false);
        for disjunct in 0..self.disjuncts.len() {
            all = all.or(&self.image_of(disjunct, set)?)?;
        }
        Ok(all)
    }

    /// The same by one disjunct only.
    pub fn image_of(&self, disjunct: usize, set: &Bdd) -> Result<Bdd, StopReason> {
        let product = self.disjuncts[disjunct].forward.product(set)?;
        self.unprimed(&product)
    }

    /// The states from which some step leads into `set`, a function of current variables.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        let target = self.primed(set)?;
        self.backward(&target)
    }

    /// The same, by steps that satisfy `step`, a function of current and input variables.
    pub fn preimage_by(&self, step: &Bdd, set: &Bdd) -> Result<Bdd, StopReason> {
        let target = self.primed(set)?.and(step)?;
        self.backward(&target)
    }

    fn backward(&self, target: &Bdd) -> Result<Bdd, StopReason> {
        let mut all = self.manager.constant(false);
        for disjunct in &self.disjuncts {
            all = all.or(&disjunct.backward.product(target)?)?;
        }
        Ok(all)
    }

    /// The steps from `from` (of current and perhaps input variables) to `to` (of current variables), as a function of current,
    /// input and next variables.
    pub fn steps(&self, from: &Bdd, to: &Bdd) -> Result<Bdd, StopReason> {
        let both = from.and(&self.primed(to)?)?;
        let mut all = self.manager.constant(false);
        for disjunct in &self.disjuncts {
            let mut steps = both.clone();
            for (part, _) in &disjunct.forward.steps {
                steps = steps.and(part)?;
            }
            all = all.or(&steps)?;
        }
        Ok(all)
    }

    /// The states without any step.
    pub fn deadlocks(&self) -> Result<Bdd, StopReason> {
        Ok(self.backward(&self.manager.constant(true))?.not())
    }

    /// A relation with the same steps from the states of `care`, and any from others, where that makes parts smaller.
    pub fn within(&self, care: &Bdd) -> Result<Self, StopReason> {
        if care.is_false() {
            return Ok(self.clone());
        }
        let smaller = |(part, _): &(Bdd, VarSet)| {
            let restricted = part.restrict(care)?;
            Ok(if restricted.n_nodes() < part.n_nodes() { restricted } else { part.clone() })
        };
        let disjuncts = self.disjuncts.iter();
        let parts = disjuncts.map(|disjunct| disjunct.forward.steps.iter().map(smaller).collect());
        Self::new(&self.manager, self.frame.clone(), parts.collect::<Result<_, StopReason>>()?)
    }

    /// The next variables as a set.
    pub fn next(&self) -> &VarSet {
        &self.next
    }

    /// The steps that also satisfy each of `parts`, with further variables: a product with what the parts describe.
    pub fn extended(&self, further: &Frame, parts: &[Bdd]) -> Result<Self, StopReason> {
        let mut frame = self.frame.clone();
        frame.current.extend(&further.current);
        frame.next.extend(&further.next);
        frame.input.extend(&further.input);
        let clusters = |disjunct: &Conjunction| {
            let own = disjunct.forward.steps.iter().map(|(cluster, _)| cluster.clone());
            own.chain(parts.iter().cloned()).collect()
        };
        Self::new(&self.manager, frame, self.disjuncts.iter().map(clusters).collect())
    }
}

impl Schedule {
    /// Quantifies each of `leaving` after the last cluster that has it.
    fn new(manager: &Manager, clusters: Vec<Bdd>, leaving: &[Var]) -> Result<Self, StopReason> {
        let mut open: FxHashSet<Var> = leaving.iter().copied().collect();
        let mut steps = Vec::new();
        for cluster in clusters.into_iter().rev() {
            let here: Vec<Var> = cluster.support().into_iter().filter(|var| open.remove(var)).collect();
            steps.push((cluster, manager.var_set(here)?));
        }
        steps.reverse();
        Ok(Self { first: manager.var_set(open)?, steps })
    }

    fn product(&self, set: &Bdd) -> Result<Bdd, StopReason> {
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

/// Joins neighbours while they stay small.
fn cluster(parts: &[Bdd], manager: &Manager) -> Result<Vec<Bdd>, StopReason> {
    let mut clusters: Vec<Bdd> = Vec::new();
    let mut current = manager.constant(true);
    for part in parts {
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
