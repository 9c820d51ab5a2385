//! More predicates for a cartesian abstraction, without asking again what is known \[GHJ01\].
//!
//! Write (c, v) for a vector c over the old predicates with v for the new ones. Its concrete states are some of those of c, so
//!
//! - what c is not led to by a command, (c, v) is not led to whatever the new predicates are there: absent may steps stay absent;
//! - a vector d that all states of c are led to is one for (c, v), the new predicates left open: must steps stay.
//!
//! Neither costs a solver call. What is left is which values of the new predicates occur at each old may target, and which musts are sharper than the
//! old ones. A vector of which nothing is known is the case of no old predicates. Bit vectors have their may targets in groups of predicates,
//! which are asked for once for many states (`transfer`); what was excluded there is a core that the prover remembers.

use super::musts::Knowing;
use super::state::TriState;
use super::{CartesianAbstraction, Known, TriTargets};
use crate::feasible::feasible;
use crate::site::Move;
use crate::{AbstractState, PredicateAbstraction, Predicates, Targets};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::Term;
use tertium_program::CommandId;
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

/// What was known of vectors over the first predicates.
pub(super) struct Knowledge {
    n_predicates: usize,
    known: FxHashMap<TriState, Known>,
}

impl CartesianAbstraction<'_> {
    /// The abstraction with more predicates. `more` has to begin with those that there are; new ones come behind.
    #[must_use]
    pub fn extend(self, more: Predicates) -> Self {
        assert!(more.iter().zip(self.predicates().iter()).all(|(one, other)| one == other), "a prefix");
        let n_predicates = self.predicates().len();
        assert!(n_predicates <= more.len(), "predicates are only added");
        let mut before = vec![Knowledge { n_predicates, known: self.known }];
        before.extend(self.before);
        let program = self.abstraction.program();
        let abstraction = PredicateAbstraction::new(program, more, self.abstraction.into_prover());
        Self { before, depth: self.depth, ..CartesianAbstraction::new(abstraction) }
    }

    /// What is known of the vector with fewer predicates that a state belongs to.
    pub(super) fn coarser(&self, state: &TriState) -> Option<Known> {
        self.before.iter().find_map(|knowledge| {
            let components = state.vector.components()[..knowledge.n_predicates].to_vec();
            let coarse = TriState { control: state.control.clone(), vector: TriVector::new(components) };
            knowledge.known.get(&coarse).map(Rc::clone)
        })
    }

    /// That every command may lead to every control that it has a move to, through no predicates.
    pub(super) fn nothing_known(&mut self, context: &Context, state: &TriState) -> Result<Known, StopReason> {
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
        Ok(Rc::new(all))
    }

    /// Where every command leads from a bit vector, of which this is known with fewer predicates.
    pub(super) fn exact_targets(
        &mut self,
        context: &Context,
        state: &AbstractState,
        coarse: Option<Known>,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let mut all = Vec::new();
        for (command, targets) in self.abstraction.successors(context, state)? {
            let coarse = coarse.iter().flat_map(|known| known.iter()).find(|(other, _)| *other == command);
            let coarse = coarse.map_or(&[][..], |(_, coarse)| &coarse.must);
            let coarse: Vec<TriState> = coarse.iter().map(|target| self.opened(target)).collect();
            let must = self.abstraction.musts_of_bits(context, state, command, &targets, &coarse)?;
            let Targets { may, always, .. } = targets;
            all.push((command, TriTargets { may, must, always }));
        }
        Ok(all)
    }

    /// Where every command leads from a vector, of which this is known with fewer predicates.
    pub(super) fn grown_targets(
        &mut self,
        context: &Context,
        state: &TriState,
        coarse: &Known,
    ) -> Result<Vec<(CommandId, TriTargets)>, StopReason> {
        let mut all = Vec::new();
        for (command, coarse) in coarse.iter() {
            let may = self.grown_mays(context, state, *command, &coarse.may)?;
            if may.is_empty() {
                continue;
            }
            let always = coarse.always || self.is_enabled(context, state, *command)?;
            let must = self.musts(context, state, *command, (&may, &coarse.must, always))?;
            all.push((*command, TriTargets { may, must, always }));
        }
        Ok(all)
    }

    /// The most precise must targets, given the may targets, must targets with fewer predicates, and whether the command is always enabled.
    fn musts(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
        (may, coarse, always): (&BTreeSet<AbstractState>, &[TriState], bool),
    ) -> Result<Vec<TriState>, StopReason> {
        if !always {
            return Ok(Vec::new());
        }
        let must: Vec<TriState> = coarse.iter().map(|target| self.opened(target)).collect();
        let knowing = Knowing { may, must: &must, depth: usize::MAX };
        self.abstraction.musts_knowing(context, state, command, knowing)
    }

    /// The may targets inside of those with fewer predicates.
    fn grown_mays(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
        coarse: &BTreeSet<AbstractState>,
    ) -> Result<BTreeSet<AbstractState>, StopReason> {
        let program = self.program();
        let terms = &program.terms;
        let psi = state.term(program, self.predicates());
        let sites = self.abstraction.sites(context, &state.control)?;
        let mut may = BTreeSet::new();
        for target in coarse {
            for site in sites.iter().filter(|site| site.command == command && site.control == target.control)
            {
                let (old, new) = site.after.split_at(target.bits.len());
                let literal = |(n, &after): (usize, &Term)| {
                    if target.bits.contains(n) { after } else { terms.not(after) }
                };
                let mut condition = vec![psi, site.guard];
                condition.extend(old.iter().enumerate().map(literal));
                let (values, _) = feasible(context, self.abstraction.prover(), terms, &condition, new)?;
                for value in values {
                    let mut bits = target.bits.clone();
                    bits.grow(site.after.len());
                    value.ones().for_each(|n| bits.insert(old.len() + n));
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
        let psi = state.conditions(self.program(), self.predicates());
        let sites = self.abstraction.sites(context, &state.control)?;
        let own: Vec<&Move> = sites.iter().filter(|site| site.command == command).collect();
        self.abstraction.is_enabled(context, &psi, &own)
    }

    /// A vector with the new predicates left open.
    fn opened(&self, target: &TriState) -> TriState {
        let mut components = target.vector.components().to_vec();
        components.resize(self.predicates().len(), Kleene::Unknown);
        TriState { control: target.control.clone(), vector: TriVector::new(components) }
    }
}
