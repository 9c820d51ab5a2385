//! Whole relations as single diagrams, with bits for the locations: what they would take if they were kept so.
//!
//! The bits of control come first in the order, each next to its successor, and then the predicates. This is for comparing sizes; checkers
//! use the relation in parts.

use super::{MonomialMove, MonomialSystem, MonomialVariables, expanded, monomial_must};
use tertium_dd::{Bdd, Var};
use tertium_support::{Context, Id, StopReason};

/// The nodes of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSize {
    /// Of its may steps.
    pub may: usize,
    /// Of its must steps.
    pub must: usize,
}

impl RelationSize {
    /// Of both diagrams.
    pub fn total(self) -> usize {
        self.may + self.must
    }
}

/// The nodes of the relations of a system for both semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSizes {
    /// May from monomials to minterms, must from monomials to monomials.
    pub standard: RelationSize,
    /// May from minterms to minterms, must from minterms to monomials.
    pub reduced: RelationSize,
}

impl RelationSizes {
    /// Builds all four diagrams and counts their nodes.
    pub fn of(context: &Context, system: &MonomialSystem) -> Result<Self, StopReason> {
        let manager = system.frame.manager();
        let n_bits = usize::BITS - system.locations.len().saturating_sub(1).leading_zeros();
        let control = manager.add_first_vars(2 * n_bits as usize)?;
        let builder = Builder { context, system, control };
        let kept_value = |own: MonomialVariables| manager.var(own.value)?.iff(&manager.var(own.next_value)?);
        let reduced = RelationSize {
            may: builder.size(true, |_, step| Ok(step.relation.clone()), kept_value)?,
            must: builder.size(
                false,
                |_, step| Ok(step.relation.clone()),
                |own| kept_value(own)?.diff(&manager.var(own.next_open)?),
            )?,
        };
        let open_or_kept = |own: MonomialVariables| manager.var(own.open)?.or(&kept_value(own)?);
        let standard = RelationSize {
            may: builder.size(
                true,
                |at, step| expanded(system, &system.locations[at], step),
                open_or_kept,
            )?,
            must: builder.size(
                false,
                |at, step| monomial_must(system, &system.locations[at], step),
                |own| open_or_kept(own)?.and(&manager.var(own.open)?.iff(&manager.var(own.next_open)?)?),
            )?,
        };
        Ok(Self { standard, reduced })
    }
}

struct Builder<'a> {
    context: &'a Context,
    system: &'a MonomialSystem,
    /// Each bit of control before its successor.
    control: Vec<Var>,
}

impl Builder<'_> {
    /// The nodes of a relation with these local relations of moves, and this for each predicate that a move keeps.
    fn size(
        &self,
        may: bool,
        local: impl Fn(usize, &MonomialMove) -> Result<Bdd, StopReason>,
        kept: impl Fn(MonomialVariables) -> Result<Bdd, StopReason>,
    ) -> Result<usize, StopReason> {
        let frame = &self.system.frame;
        let manager = frame.manager();
        let kept: Vec<Bdd> = frame.iter().map(kept).collect::<Result<_, _>>()?;
        let mut by_level: Vec<usize> = (0..frame.len()).collect();
        by_level.sort_by_key(|&predicate| std::cmp::Reverse(manager.level(frame.get(predicate).open)));
        let mut whole = manager.constant(false);
        for (at, location) in self.system.locations.iter().enumerate() {
            self.context.poll()?;
            let mut here = manager.constant(false);
            for step in if may { &location.may } else { &location.must } {
                debug_assert!(step.changed.is_sorted(), "changed predicates are looked up");
                let mut local = Some(local(at, step)?);
                let lowest = local.iter().flat_map(Bdd::support).map(|var| manager.level(var)).max();
                let mut steps = manager.constant(true);
                for &predicate in &by_level {
                    // The local part comes in where it belongs in the order, so that each conjunction only adds nodes on top.
                    if lowest.is_some_and(|lowest| manager.level(frame.get(predicate).open) <= lowest)
                        && let Some(local) = local.take()
                    {
                        steps = steps.and(&local)?;
                    }
                    if step.changed.binary_search(&predicate).is_err() {
                        steps = steps.and(&kept[predicate])?;
                    }
                }
                if let Some(local) = local {
                    steps = steps.and(&local)?;
                }
                here = here.or(&steps.and(&self.location(1, step.target.index())?)?)?;
            }
            whole = whole.or(&here.and(&self.location(0, at)?)?)?;
        }
        Ok(whole.n_nodes())
    }

    /// A location before (0) or after (1) a step.
    fn location(&self, side: usize, number: usize) -> Result<Bdd, StopReason> {
        let bits = self.control.iter().skip(side).step_by(2).enumerate();
        Bdd::cube(self.system.frame.manager(), bits.map(|(bit, &var)| (var, number >> bit & 1 == 1)))
    }
}
