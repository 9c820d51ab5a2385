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
    /// The numbers of the pairs that may change, in order.
    changed: Vec<usize>,
    forward: Schedule,
    backward: Schedule,
    /// Exchanges the current and next variables that may change.
    exchange: Renaming,
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
        let mut about = Vec::new();
        let mut known = FxHashSet::default();
        for part in parts {
            let part = without_next(manager, &part, befores, &kept)?;
            if !part.is_true() && known.insert(part.raw()) {
                about.push(part);
            }
        }
        let changed = (0..frame.current.len()).filter(|number| !kept.contains(number)).collect();
        Self::changing(manager, frame, changed, about)
    }

    /// The conjunction of the parts, which keeps all but these pairs. The numbers are in order, and parts have no other next variables.
    pub(crate) fn changing(
        manager: &Manager,
        frame: &Frame,
        changed: Vec<usize>,
        parts: Vec<Bdd>,
    ) -> Result<Self, StopReason> {
        debug_assert!(changed.is_sorted_by(|one, other| one < other), "pairs are in order, each once");
        debug_assert!(
            changed.last().is_none_or(|&last| last < frame.current.len()),
            "pairs are of the frame"
        );
        let leaving = |vars: &[Var]| -> Vec<Var> {
            changed.iter().map(|&number| vars[number]).chain(frame.input.iter().copied()).collect()
        };
        let (before, after) = (leaving(&frame.current), leaving(&frame.next));
        let clusters = cluster(manager, parts, &before)?;
        let pairs = changed.iter().map(|&number| (frame.current[number], frame.next[number]));
        Ok(Self {
            forward: Schedule::new(manager, clusters.clone(), &before)?,
            backward: Schedule::new(manager, clusters, &after)?,
            exchange: manager.exchange(pairs),
            changed,
        })
    }

    /// The clusters of parts, without the equations.
    pub(crate) fn clusters(&self) -> impl ExactSizeIterator<Item = &Bdd> {
        self.forward.clusters()
    }

    /// The current variables that matter for its steps: those it reads, and those it changes.
    pub(crate) fn about(&self, frame: &Frame) -> FxHashSet<Var> {
        let mut about: FxHashSet<Var> = FxHashSet::default();
        self.clusters().for_each(|cluster| about.extend(cluster.support()));
        for input in &frame.input {
            about.remove(input);
        }
        for &number in &self.changed {
            about.remove(&frame.next[number]);
            about.insert(frame.current[number]);
        }
        about
    }

    /// Parts whose conjunction this is.
    pub(crate) fn parts(&self, manager: &Manager, frame: &Frame) -> Result<Vec<Bdd>, StopReason> {
        let mut parts: Vec<Bdd> = self.clusters().cloned().collect();
        let mut changed = self.changed.iter().copied().peekable();
        for (number, (current, next)) in frame.pairs().enumerate() {
            if changed.next_if_eq(&number).is_none() {
                parts.push(manager.var(current)?.iff(&manager.var(next)?)?);
            }
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
        Self::changing(manager, frame, self.changed.clone(), clusters)
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
