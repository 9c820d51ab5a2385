//! The most precise vectors that all states of a vector can be led to.
//!
//! None is asked about that a coarser state has already, nor one without a may target; see `precise` for how many are.

use super::state::TriState;
use crate::precise::most_precise;
use crate::site::Move;
use crate::{AbstractState, PredicateAbstraction, Targets};
use std::collections::BTreeSet;
use tertium_expr::{Term, Value};
use tertium_program::CommandId;
use tertium_solve::Answer;
use tertium_support::{Context, StopReason};
use tertium_truth::{Kleene, TriVector};

/// What is known before the search.
#[derive(Clone, Copy)]
pub(super) struct Knowing<'a> {
    /// All targets that there may be.
    pub(super) may: &'a BTreeSet<AbstractState>,
    /// Must targets.
    pub(super) must: &'a [TriState],
    /// How many components of a target may be known.
    pub(super) depth: usize,
}

/// A search for must vectors with one control.
struct Search<'a> {
    context: &'a Context,
    psi: Term,
    control: &'a [Value],
    sites: &'a [&'a Move],
    may: &'a [TriVector],
    must: Vec<&'a TriVector>,
    depth: usize,
}

impl PredicateAbstraction<'_> {
    /// The most precise vectors that all concrete states of a bit vector can be led to by a command with these targets. All weaker vectors are such too.
    pub fn cartesian_musts(
        &mut self,
        context: &Context,
        state: &AbstractState,
        command: CommandId,
        targets: &Targets,
    ) -> Result<Vec<TriState>, StopReason> {
        if !targets.always {
            return Ok(Vec::new());
        }
        let knowing = Knowing { may: &targets.may, must: &[], depth: self.predicates().len() };
        self.musts_knowing(context, &TriState::exact(state), command, knowing)
    }

    /// The most precise vectors that all concrete states of `state` can be led to by a command, which has to be enabled in all of them. All weaker vectors
    /// are such too.
    pub(super) fn musts_knowing(
        &mut self,
        context: &Context,
        state: &TriState,
        command: CommandId,
        knowing: Knowing<'_>,
    ) -> Result<Vec<TriState>, StopReason> {
        let sites = self.sites(context, &state.control)?;
        let sites: Vec<&Move> = sites.iter().filter(|site| site.command == command).collect();
        let mut controls: Vec<Box<[Value]>> = Vec::new();
        for target in knowing.may {
            if !controls.contains(&target.control) {
                controls.push(target.control.clone());
            }
        }
        let psi = state.term(self.program(), self.predicates());
        let mut found = Vec::new();
        for control in controls {
            let here: Vec<TriVector> = knowing
                .may
                .iter()
                .filter(|target| target.control == control)
                .map(AbstractState::vector)
                .collect();
            if let [site] = sites[..]
                && site.inputs.is_empty()
            {
                // One successor each: what all of them agree on.
                found.extend(TriVector::align_all(&here).map(|vector| TriState { control, vector }));
                continue;
            }
            let must = knowing.must.iter().filter(|target| target.control == control);
            let search = Search {
                context,
                psi,
                control: &control,
                sites: &sites,
                may: &here,
                must: must.map(|target| &target.vector).collect(),
                depth: knowing.depth,
            };
            let sharpest = most_precise(self.predicates().len(), |vector| self.leads(&search, vector))?;
            found.extend(sharpest.into_iter().map(|vector| TriState { control: control.clone(), vector }));
        }
        Ok(found)
    }

    /// Whether all states can be led to a vector.
    fn leads(&mut self, search: &Search<'_>, vector: &TriVector) -> Result<bool, StopReason> {
        search.context.poll()?;
        if search.must.iter().any(|known| vector.info_le(known)) {
            return Ok(true);
        }
        let n_known = vector.components().iter().filter(|&&known| known != Kleene::Unknown).count();
        if n_known > search.depth || !search.may.iter().any(|target| vector.info_le(target)) {
            return Ok(false);
        }
        let avoid = search.sites.iter().map(|site| self.avoids(site, search.control, Some(vector)));
        let question: Vec<Term> = [search.psi].into_iter().chain(avoid).collect();
        let terms = &self.program().terms;
        Ok(self.prover().check(search.context, terms, question) == Answer::Unsatisfiable)
    }
}
