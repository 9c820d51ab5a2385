//! More predicates for a cartesian abstraction, without asking again what is known \[GHJ01\].
//!
//! Precision only grows: predicates are added, and count at more locations. So at each control the old predicates are some of the new ones.
//! Write (c, v) for a vector c over the old predicates with v for the new ones. Its concrete states are some of those of c, so
//!
//! - what c is not led to by a command, (c, v) is not led to whatever the new predicates are there: absent may steps stay absent;
//! - a vector d that all states of c are led to is one for (c, v), the new predicates left open: must steps stay.
//!
//! Neither costs a solver call. What is left is which values of the new predicates occur at each old may target, and
//! which musts are sharper than the old ones. A vector of which nothing is known is the case of no old predicates. Bit
//! vectors have their may targets in groups of predicates, which are asked for once for many states (`transfer`); what
//! was excluded there is a core that the prover remembers.

use super::musts::Knowing;
use super::state::TriState;
use super::{CartesianAbstraction, Known, TriTargets};
use crate::feasible::feasible;
use crate::site::Move;
use crate::{AbstractState, PredicateAbstraction, Targets};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Precision};
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

/// What was known of vectors with less precision.
pub(super) struct Knowledge {
    precision: Rc<Precision>,
    known: FxHashMap<TriState, Known>,
}

/// What is known of a vector through a precision.
pub(super) struct Coarse {
    precision: Rc<Precision>,
    known: Known,
}

impl CartesianAbstraction<'_> {
    /// The abstraction with more precision: what counts somewhere still does, and new predicates come behind.
    #[must_use]
    pub fn extend(self, more: Precision) -> Self {
        assert!(more.extends(self.precision()), "precision only grows");
        let mut before = vec![Knowledge { precision: Rc::new(self.precision().clone()), known: self.known }];
        before.extend(self.before);
        let program = self.abstraction.program();
        // What is known goes on, and so does what is missing in it.
        let (most_asked, left_out) = (self.abstraction.most_asked, self.abstraction.left_out);
        let new = PredicateAbstraction::new(program, more, self.abstraction.into_prover());
        let mut abstraction = new.asking(most_asked);
        abstraction.left_out = left_out;
        Self { before, depth: self.depth, ..CartesianAbstraction::new(abstraction) }
    }

    /// What is known of the vector with less precision that a state belongs to.
    pub(super) fn coarser(&self, state: &TriState) -> Option<Coarse> {
        self.before.iter().find_map(|Knowledge { precision, known }| {
            let vector = state.vector.only(&self.places(precision, &state.control));
            let known = known.get(&TriState { control: state.control.clone(), vector })?;
            Some(Coarse { precision: Rc::clone(precision), known: Rc::clone(known) })
        })
    }

    /// The places that the predicates of a smaller precision have among those that count with a control.
    fn places(&self, coarse: &Precision, control: &[Value]) -> Vec<usize> {
        let program = self.program();
        let (now, before) = (self.precision().at(program, control), coarse.at(program, control));
        let place = |id| now.binary_search(id).expect("what counted still counts");
        before.iter().map(place).collect()
    }

    /// That every command may lead to every control that it has a move to, seen through no predicates.
    pub(super) fn nothing_known(
        &mut self,
        context: &Context,
        state: &TriState,
    ) -> Result<Coarse, StopReason> {
        let sites = self.abstraction.sites(context, &state.control)?;
        let mut all: Vec<(CommandId, TriTargets)> = Vec::new();
        for site in sites.iter() {
            if all.last().is_none_or(|(command, _)| *command != site.command) {
                let none = TriTargets { may: BTreeSet::new(), must: Vec::new(), always: false };
                all.push((site.command, none));
            }
            let target = AbstractState { control: site.control.clone(), bits: FixedBitSet::new() };
            all.last_mut().expect("there is one now").1.may.insert(target);
        }
        Ok(Coarse { precision: Rc::default(), known: Rc::new(all) })
    }

    /// Where every command leads from a bit vector, of which this is known with less precision.
    pub(super) fn exact_targets(
        &mut self,
        context: &Context,
        state: &AbstractState,
        coarse: Option<Coarse>,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let mut all = Vec::new();
        for (command, targets) in self.abstraction.successors(context, state)? {
            let known = coarse.iter().flat_map(|coarse| {
                let own = coarse.known.iter().filter(|(other, _)| *other == command);
                own.flat_map(|(_, targets)| &targets.must)
                    .map(|target| self.opened(&coarse.precision, target))
            });
            let coarse: Vec<TriState> = known.collect();
            let must = self.abstraction.musts_of_bits(context, state, command, &targets, &coarse)?;
            let Targets { may, always, .. } = targets;
            all.push((command, TriTargets { may, must, always }));
        }
        Ok(all)
    }

    /// Where every command leads from a vector, of which this is known with less precision.
    pub(super) fn grown_targets(
        &mut self,
        context: &Context,
        state: &TriState,
        Coarse { precision, known }: &Coarse,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let mut all = Vec::new();
        for (command, coarse) in known.iter() {
            let may = self.grown_mays(context, state, *command, (precision, &coarse.may))?;
            if may.is_empty() {
                continue;
            }
            let always = coarse.always || self.is_enabled(context, state, *command)?;
            let known: Vec<TriState> =
                coarse.must.iter().map(|target| self.opened(precision, target)).collect();
            let must = self.musts(context, state, *command, (&may, &known, always))?;
            all.push((*command, TriTargets { may, must, always }));
        }
        Ok(all)
    }

    /// The most precise must targets, given the may targets, some must targets, and whether the command is always enabled.
    fn musts(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
        (may, must, always): (&BTreeSet<AbstractState>, &[TriState], bool),
    ) -> Result<Vec<TriState>, StopReason> {
        if !always {
            return Ok(Vec::new());
        }
        let knowing = Knowing { may, must, depth: usize::MAX };
        self.abstraction.musts_knowing(context, state, command, knowing)
    }

    /// The may targets inside of those with less precision.
    fn grown_mays(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
        (precision, coarse): (&Precision, &BTreeSet<AbstractState>),
    ) -> Result<BTreeSet<AbstractState>, StopReason> {
        let program = self.program();
        let terms = &program.terms;
        let psi = state.term(program, self.precision());
        let sites = self.abstraction.sites(context, &state.control)?;
        let mut may = BTreeSet::new();
        for target in coarse {
            let old = self.places(precision, &target.control);
            for site in sites.iter().filter(|site| site.command == command && site.control == target.control)
            {
                let literal = |(n, &place): (usize, &usize)| {
                    if target.bits.contains(n) { site.after[place] } else { terms.not(site.after[place]) }
                };
                let mut condition = vec![psi, site.guard];
                condition.extend(old.iter().enumerate().map(literal));
                let new: Vec<usize> = (0..site.after.len()).filter(|place| !old.contains(place)).collect();
                let posts: Vec<Term> = new.iter().map(|&place| site.after[place]).collect();
                let (values, _) = feasible(context, self.abstraction.prover(), terms, &condition, &posts)?;
                for value in values {
                    let mut bits = FixedBitSet::with_capacity(site.after.len());
                    target.bits.ones().for_each(|n| bits.insert(old[n]));
                    value.ones().for_each(|n| bits.insert(new[n]));
                    may.insert(AbstractState { control: target.control.clone(), bits });
                }
            }
        }
        Ok(may)
    }

    /// Whether a command is enabled in all concrete states.
    pub(super) fn is_enabled(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
    ) -> Result<bool, StopReason> {
        let psi = state.conditions(self.program(), self.precision());
        let sites = self.abstraction.sites(context, &state.control)?;
        let own: Vec<&Move> = sites.iter().filter(|site| site.command == command).collect();
        self.abstraction.is_enabled(context, &psi, &own)
    }

    /// A vector of a smaller precision with the new predicates left open.
    fn opened(&self, coarse: &Precision, target: &TriState) -> TriState {
        let n_now = self.precision().at(self.program(), &target.control).len();
        let mut components = vec![Kleene::Unknown; n_now];
        let places = self.places(coarse, &target.control);
        places.iter().zip(target.vector.components()).for_each(|(&at, &known)| components[at] = known);
        TriState { control: target.control.clone(), vector: TriVector::new(components) }
    }
}
