//! Transition relations in parts, and their images.
//!
//! A relation is a disjunction of conjunctions of parts over current, input and next variables. Parts are never all
//! conjoined: see [`crate::schedule`]. Each disjunct is about the variables that it changes: see [`crate::disjunct`].

use crate::bdd::Bdd;
use crate::disjunct::{Disjunct, befores};
use crate::manager::{Manager, Renaming, VarSet};
use crate::store::Var;
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

impl Frame {
    /// Each current variable with its next one.
    pub fn pairs(&self) -> impl Iterator<Item = (Var, Var)> {
        self.current.iter().copied().zip(self.next.iter().copied())
    }
}

/// Steps that change some of the variables.
#[derive(Clone, Debug)]
pub struct Change {
    /// Their conjunction; of next variables they read only those that change.
    pub parts: Vec<Bdd>,
    /// The numbers of the pairs of the frame that may change, in order.
    pub changed: Vec<usize>,
}

/// A transition relation.
#[derive(Clone, Debug)]
pub struct Relation {
    manager: Manager,
    frame: Frame,
    disjuncts: Vec<Disjunct>,
    /// Exchanges current and next variables.
    exchange: Renaming,
    next: VarSet,
    current: VarSet,
    input: VarSet,
}

impl Relation {
    /// The disjunction of the conjunctions of `parts`.
    pub fn new(manager: &Manager, frame: Frame, parts: Vec<Vec<Bdd>>) -> Result<Self, StopReason> {
        let befores = befores(&frame);
        let disjuncts = parts.into_iter().map(|parts| Disjunct::new(manager, &frame, &befores, parts));
        let disjuncts = disjuncts.collect::<Result<_, _>>()?;
        Self::of_disjuncts(manager, frame, disjuncts)
    }

    /// The disjunction of steps that each change some variables and keep all others. What is kept costs nothing.
    pub fn changing(manager: &Manager, frame: Frame, changes: Vec<Change>) -> Result<Self, StopReason> {
        let disjunct = |change: Change| Disjunct::changing(manager, &frame, change.changed, change.parts);
        let disjuncts = changes.into_iter().map(disjunct).collect::<Result<_, _>>()?;
        Self::of_disjuncts(manager, frame, disjuncts)
    }

    fn of_disjuncts(manager: &Manager, frame: Frame, disjuncts: Vec<Disjunct>) -> Result<Self, StopReason> {
        debug_assert_eq!(frame.current.len(), frame.next.len(), "variables come in pairs");
        Ok(Self {
            manager: manager.clone(),
            disjuncts,
            exchange: manager.exchange(frame.pairs()),
            next: manager.var_set(frame.next.iter().copied())?,
            current: manager.var_set(frame.current.iter().copied())?,
            input: manager.var_set(frame.input.iter().copied())?,
            frame,
        })
    }

    /// The owner of the diagrams.
    pub(crate) fn manager(&self) -> &Manager {
        &self.manager
    }

    pub(crate) fn disjuncts(&self) -> &[Disjunct] {
        &self.disjuncts
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
        (self.disjuncts.len(), self.disjuncts.iter().map(|part| part.clusters().len()).sum())
    }

    /// A function of current variables as one of next variables.
    pub fn primed(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        set.rename(self.exchange)
    }

    /// A function of next variables as one of current variables.
    pub fn unprimed(&self, set: &Bdd) -> Result<Bdd, StopReason> {
        set.rename(self.exchange)
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
        self.disjuncts[disjunct].image(set)
    }

    /// The states among `from` from which some step leads into `set`, both functions of current variables.
    pub fn preimage(&self, set: &Bdd, from: &Bdd) -> Result<Bdd, StopReason> {
        self.preimage_by(&self.manager.constant(true), set, from)
    }

    /// The same, by steps that satisfy `step`, a function of current and input variables.
    pub fn preimage_by(&self, step: &Bdd, set: &Bdd, from: &Bdd) -> Result<Bdd, StopReason> {
        let mut all = self.manager.constant(false);
        for disjunct in &self.disjuncts {
            // Without `from`, the union over many disjuncts can be far larger than what is of interest.
            all = all.or(&disjunct.preimage(step, set)?.and(from)?)?;
            if all == *from {
                break;
            }
        }
        Ok(all)
    }

    /// The steps from `from` (of current and perhaps input variables) to `to` (of current variables), as a function of current,
    /// input and next variables.
    pub fn steps(&self, from: &Bdd, to: &Bdd) -> Result<Bdd, StopReason> {
        let both = from.and(&self.primed(to)?)?;
        let mut all = self.manager.constant(false);
        for disjunct in &self.disjuncts {
            // The equations of what is kept are only worth writing down where there is a step.
            if disjunct.image(from)?.is_disjoint(to)? {
                continue;
            }
            all = all.or(&disjunct
                .parts(&self.manager, &self.frame)?
                .iter()
                .try_fold(both.clone(), |steps, part| steps.and(part))?)?;
        }
        Ok(all)
    }

    /// The states among `from` without any step.
    pub fn deadlocks(&self, from: &Bdd) -> Result<Bdd, StopReason> {
        from.diff(&self.preimage(&self.manager.constant(true), from)?)
    }

    /// The relation with steps from states to themselves: `stays` says with which inputs from which.
    pub fn staying_at(&self, stays: &Bdd) -> Result<Self, StopReason> {
        let mut disjuncts = self.disjuncts.clone();
        disjuncts.push(Disjunct::changing(&self.manager, &self.frame, Vec::new(), vec![stays.clone()])?);
        Ok(Self { disjuncts, ..self.clone() })
    }

    /// A relation with the same steps from the states of `care`, and any from others, where that makes parts smaller.
    pub fn within(&self, care: &Bdd) -> Result<Self, StopReason> {
        if care.is_false() {
            return Ok(self.clone());
        }
        let smaller = |part: &Bdd| {
            let restricted = part.restrict(care)?;
            Ok(if restricted.n_nodes() < part.n_nodes() { restricted } else { part.clone() })
        };
        let disjuncts = self.disjuncts.iter();
        let disjuncts = disjuncts.map(|disjunct| disjunct.with_clusters(&self.manager, &self.frame, smaller));
        Ok(Self { disjuncts: disjuncts.collect::<Result<_, StopReason>>()?, ..self.clone() })
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
        let extended = |disjunct: &Disjunct| {
            let own = disjunct.parts(&self.manager, &self.frame)?;
            Ok(own.into_iter().chain(parts.iter().cloned()).collect())
        };
        let parts = self.disjuncts.iter().map(extended).collect::<Result<_, StopReason>>()?;
        Self::new(&self.manager, frame, parts)
    }
}
