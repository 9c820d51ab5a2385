//! The most precise vectors that all states of a vector can be led to.
//!
//! Nothing is asked about components on which all may targets agree, nor about a vector that a coarser state has as a
//! must target already, or that one branch leads to on its own, as far as that is known of bit vectors; see `branches`
//! and `precise` for the rest.

use super::state::TriState;
use crate::branches::{Branch, varying};
use crate::precise::{Bounds, most_precise};
use crate::site::{Move, Post};
use crate::transfer::Seen;
use crate::{AbstractState, PredicateAbstraction, Targets};
use std::collections::BTreeSet;
use tertium_expr::Value;
use tertium_program::CommandId;
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

impl PredicateAbstraction<'_> {
    /// The most precise vectors that all concrete states of a bit vector can be led to by a command with these targets.
    /// All weaker vectors are such too.
    pub fn cartesian_musts(
        &mut self,
        context: &Context,
        state: &AbstractState,
        command: CommandId,
        targets: &Targets,
    ) -> Result<Vec<TriState>, StopReason> {
        self.musts_of_bits(context, state, command, targets, &[])
    }

    /// The same if these must targets are known from fewer predicates.
    pub(super) fn musts_of_bits(
        &mut self,
        context: &Context,
        state: &AbstractState,
        command: CommandId,
        targets: &Targets,
        coarse: &[TriState],
    ) -> Result<Vec<TriState>, StopReason> {
        if !targets.always {
            return Ok(Vec::new());
        }
        let mut must: Vec<TriState> = targets.must.iter().map(TriState::exact).collect();
        must.extend_from_slice(coarse);
        must.extend(self.led_by_one_way(context, state, command)?);
        let knowing = Knowing { may: &targets.may, must: &must, depth: usize::MAX };
        self.musts_knowing(context, &TriState::exact(state), command, knowing)
    }

    /// What all states of a bit vector are led to by one branch that is always enabled, whatever inputs it chooses.
    /// Takes no call where the targets are known.
    fn led_by_one_way(
        &mut self,
        context: &Context,
        state: &AbstractState,
        command: CommandId,
    ) -> Result<Vec<TriState>, StopReason> {
        let sites = self.sites(context, &state.control)?;
        let mut found = Vec::new();
        for (at, site) in sites.iter().enumerate().filter(|(_, site)| site.command == command) {
            let Some(answers) = self.answers(context, Seen { state, site, at })? else { continue };
            if !answers.iter().all(|answer| answer.always) {
                continue;
            }
            let component = |post: &Post| match *post {
                Post::Fixed(value) => Kleene::from(value),
                Post::Copied(source, same) => Kleene::from(state.bits.contains(source) == same),
                Post::Solved { group, .. } if !site.groups[group].inputs.is_empty() => Kleene::Unknown,
                Post::Solved { group, at } => {
                    let mut values = answers[group].vectors.iter().map(|vector| vector.contains(at));
                    let first = values.next();
                    match values.all(|value| Some(value) == first) {
                        true => first.map_or(Kleene::Unknown, Kleene::from),
                        false => Kleene::Unknown,
                    }
                }
            };
            let vector = TriVector::new(site.posts.iter().map(component).collect());
            found.push(TriState { control: site.control.clone(), vector });
        }
        Ok(found)
    }

    /// The most precise vectors that all concrete states of `state` can be led to by a command, which has to be enabled
    /// in all of them. All weaker vectors are such too.
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
        let psi = state.conditions(self.program(), self.precision());
        let mut found = Vec::new();
        for control in controls {
            let here: Vec<TriVector> = knowing
                .may
                .iter()
                .filter(|target| target.control == control)
                .map(AbstractState::vector)
                .collect();
            let Some(common) = TriVector::align_all(&here) else { continue };
            if let [site] = sites[..]
                && site.inputs.is_empty()
            {
                // One successor each: what all of them agree on.
                found.push(TriState { control, vector: common });
                continue;
            }
            // What all targets agree on is settled, unless few components may be known at all.
            let open: Vec<usize> =
                if knowing.depth < common.len() { (0..common.len()).collect() } else { varying(&here) };
            let branches =
                sites.iter().filter(|site| site.control == control).map(|site| Branch::new(site, &open));
            let mut branches = self.branches(&psi, &branches.collect::<Vec<_>>());
            let must = knowing.must.iter().filter(|target| target.control == control);
            let bounds = Bounds {
                above: Some(here.iter().map(|target| target.only(&open)).collect()),
                below: must.map(|target| target.vector.only(&open)).collect(),
                depth: knowing.depth,
            };
            let sharpest = most_precise(open.len(), &bounds, |vector| {
                self.ask_branches(context, &mut branches, vector)
            })?;
            self.left_out.searches += u64::from(!sharpest.complete);
            for vector in sharpest.vectors {
                let mut components = common.components().to_vec();
                open.iter().zip(vector.components()).for_each(|(&at, &known)| components[at] = known);
                found.push(TriState { control: control.clone(), vector: TriVector::new(components) });
            }
        }
        Ok(found)
    }
}
