//! One disjunct of a transition relation: a conjunction of parts, and the variables that all its steps keep.
//!
//! Where the parts imply that a next variable equals its current one, the next variable is replaced by the current one and the
//! pair takes no part in images at all: it is neither quantified nor renamed. Steps of one process among many, which leave
//! almost everything as it is, become cheap that way, and their parts lose the equations \[BCL94\].
//!
//! Invariant: the parts have no next variable of a kept pair; together with the equations of the kept pairs they are the
//! conjunction that was given.

use crate::bdd::Bdd;
use crate::manager::{Manager, Renaming};
use crate::relation::Frame;
use crate::schedule::{Schedule, cluster};
use crate::store::Var;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tertium_support::StopReason;

/// By next variable: the number of its pair, and the current one.
pub(crate) type Befores = FxHashMap<Var, (usize, Var)>;

/// The pairs of a frame, by next variable.
pub(crate) fn befores(frame: &Frame) -> Befores {
    frame.pairs().enumerate().map(|(number, (current, next))| (next, (number, current))).collect()
}

/// Steps that change some of the variables and keep the others.
#[derive(Clone, Debug)]
pub(crate) struct Disjunct {
    kept: BTreeSet<usize>,
    forward: Schedule,
    backward: Schedule,
    /// Exchanges the current and next variables that may change.
    exchange: Renaming,
    /// The pairs that are kept, for the equations.
    equal: Vec<(Var, Var)>,
}

impl Disjunct {
    /// The conjunction of the parts.
    pub(crate) fn new(
        manager: &Manager,
        frame: &Frame,
        befores: &Befores,
        parts: Vec<Bdd>,
    ) -> Result<Self, StopReason> {
        let mut kept = BTreeSet::new();
        for part in &parts {
            kept.extend(kept_by(manager, befores, part)?);
        }
        let equal: Vec<(Var, Var)> = frame
            .pairs()
            .enumerate()
            .filter(|(number, _)| kept.contains(number))
            .map(|(_, pair)| pair)
            .collect();
        let mut about = Vec::new();
        let mut known = FxHashSet::default();
        for part in parts {
            let part = without_next(manager, &part, befores, &kept)?;
            if !part.is_true() && known.insert(part.raw()) {
                about.push(part);
            }
        }
        Self::with_kept(manager, frame, kept, equal, about)
    }

    fn with_kept(
        manager: &Manager,
        frame: &Frame,
        kept: BTreeSet<usize>,
        equal: Vec<(Var, Var)>,
        parts: Vec<Bdd>,
    ) -> Result<Self, StopReason> {
        let changed = |vars: &[Var]| -> Vec<Var> {
            let changed = vars.iter().enumerate().filter(|(number, _)| !kept.contains(number));
            changed.map(|(_, &var)| var).chain(frame.input.iter().copied()).collect()
        };
        let (before, after) = (changed(&frame.current), changed(&frame.next));
        let clusters = cluster(manager, parts, &before)?;
        let pairs = frame.pairs().enumerate().filter(|(number, _)| !kept.contains(number));
        Ok(Self {
            forward: Schedule::new(manager, clusters.clone(), &before)?,
            backward: Schedule::new(manager, clusters, &after)?,
            exchange: manager.exchange(pairs.map(|(_, pair)| pair)),
            kept,
            equal,
        })
    }

    /// The clusters of parts, without the equations.
    pub(crate) fn clusters(&self) -> impl ExactSizeIterator<Item = &Bdd> {
        self.forward.clusters()
    }

    /// The current variables that matter for its steps: those it reads, and those it changes.
    pub(crate) fn about(&self, frame: &Frame) -> impl Iterator<Item = Var> {
        let mut read: FxHashSet<Var> = FxHashSet::default();
        self.clusters().for_each(|cluster| read.extend(cluster.support()));
        let current = frame.current.iter().enumerate();
        current
            .filter(move |(number, var)| !self.kept.contains(number) || read.contains(var))
            .map(|(_, &var)| var)
    }

    /// Parts whose conjunction this is.
    pub(crate) fn parts(&self, manager: &Manager) -> Result<Vec<Bdd>, StopReason> {
        let mut parts: Vec<Bdd> = self.clusters().cloned().collect();
        for &(current, next) in &self.equal {
            parts.push(manager.var(current)?.iff(&manager.var(next)?)?);
        }
        Ok(parts)
    }

    /// The same with other clusters that have no next variable of a kept pair either.
    pub(crate) fn with_clusters(
        &self,
        manager: &Manager,
        frame: &Frame,
        other: impl Fn(&Bdd) -> Result<Bdd, StopReason>,
    ) -> Result<Self, StopReason> {
        let clusters = self.clusters().map(other).collect::<Result<_, _>>()?;
        Self::with_kept(manager, frame, self.kept.clone(), self.equal.clone(), clusters)
    }

    /// What one step reaches from `set`, a function of current and perhaps input variables.
    pub(crate) fn image(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        self.forward.product(set)?.rename(self.exchange)
    }

    /// From where one step that satisfies `step` leads into `set`.
    pub(crate) fn preimage(&self, step: &Bdd, set: &Bdd) -> Result<Bdd, StopReason> {
        self.backward.product(&set.rename(self.exchange)?.and(step)?)
    }
}

/// The numbers of the variables that no step of `part` changes: it implies that next and current are equal.
fn kept_by(manager: &Manager, befores: &Befores, part: &Bdd) -> Result<Vec<usize>, StopReason> {
    let support = part.support();
    let present: FxHashSet<Var> = support.iter().copied().collect();
    let mut kept = Vec::new();
    for next in support {
        // Without both in it, the part says nothing of their being equal unless it is false.
        let Some(&(number, current)) = befores.get(&next).filter(|(_, current)| present.contains(current))
        else {
            continue;
        };
        if part.is_disjoint(&manager.var(current)?.xor(&manager.var(next)?)?)? {
            kept.push(number);
        }
    }
    Ok(kept)
}

/// The part with the next variable of each kept pair replaced by the current one.
fn without_next(
    manager: &Manager,
    part: &Bdd,
    befores: &Befores,
    kept: &BTreeSet<usize>,
) -> Result<Bdd, StopReason> {
    let mut by = Vec::new();
    for next in part.support() {
        if let Some((_, current)) = befores.get(&next).filter(|(number, _)| kept.contains(number)) {
            by.push((next, manager.var(*current)?));
        }
    }
    if by.is_empty() {
        return Ok(part.clone());
    }
    let by: Vec<(Var, &Bdd)> = by.iter().map(|(next, current)| (*next, current)).collect();
    part.compose(&by)
}
