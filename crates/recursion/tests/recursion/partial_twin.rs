//! Partial programs solved without demand: all minimal sets of exits of all states, by plain iteration. Exponential; the twin of
//! the systems on demand where ways have several targets.

use std::collections::BTreeSet;
use tertium_recursion::demand::{Entering, PartialProgram, Side, StateId};
use tertium_support::Id;

type Set = BTreeSet<StateId>;
type Family = BTreeSet<Set>;

/// Full summaries of one side.
pub(crate) struct Full<'p> {
    program: &'p PartialProgram,
    side: Side,
    families: Vec<Family>,
}

impl<'p> Full<'p> {
    /// The least solution; nothing if it has too many sets.
    pub(crate) fn new(program: &'p PartialProgram, side: Side) -> Option<Self> {
        let n = program.states().len();
        let mut full = Self { program, side, families: vec![Family::new(); n] };
        loop {
            let mut changed = false;
            for id in StateId::first(n) {
                let new = full.family(id);
                if new.len() > 12 {
                    return None;
                }
                changed |= new != full.families[id.index()];
                full.families[id.index()] = new;
            }
            if !changed {
                return Some(full);
            }
        }
    }

    fn family(&self, id: StateId) -> Family {
        let state = self.program.state(id);
        let mut family = self.families[id.index()].clone();
        if self.program.exits(state.procedure).contains(&id) {
            family.insert(Set::from([id]));
        }
        for way in state.moves.on(self.side) {
            family.extend(product(way.iter().map(|step| self.families[step.target.index()].clone())));
        }
        for way in state.enterings.on(self.side) {
            family.extend(product(way.iter().map(|&way| self.over(way))));
        }
        minimal(family)
    }

    /// The sets that can be enforced over a call.
    fn over(&self, way: Entering) -> Family {
        let summaries = self.families[way.entry.index()].iter();
        let after = |exits: &Set| {
            let returns = exits.iter().map(|&exit| {
                let targets = self.returns(way, exit);
                targets
                    .iter()
                    .flat_map(|way| product(way.iter().map(|to| self.families[to.index()].clone())))
                    .collect()
            });
            product(returns)
        };
        minimal(summaries.flat_map(after).collect())
    }

    fn returns(&self, way: Entering, exit: StateId) -> Vec<Vec<StateId>> {
        let site = self.program.site(way.site);
        let after = site.result(exit).and_then(|result| site.returns(way.frame, result));
        after.map_or(Vec::new(), |after| after.on(self.side).map(<[StateId]>::to_vec).collect())
    }

    fn pre(&self, inside: &[bool], id: StateId) -> bool {
        let state = self.program.state(id);
        let is_in = |to: &StateId| inside[to.index()];
        let passes = |way: &Entering| {
            let over = |exits: &Set| {
                exits.iter().all(|&exit| self.returns(*way, exit).iter().any(|way| way.iter().all(is_in)))
            };
            is_in(&way.entry) || self.families[way.entry.index()].iter().any(over)
        };
        state.moves.on(self.side).any(|way| way.iter().all(|step| is_in(&step.target)))
            || state.enterings.on(self.side).any(|way| way.iter().all(passes))
    }

    /// RS.
    pub(crate) fn reaching(&self, goal: &[StateId]) -> Vec<bool> {
        let ids = StateId::first(self.families.len());
        let mut inside: Vec<bool> = ids.clone().map(|id| goal.contains(&id)).collect();
        loop {
            let next: Vec<bool> = ids.clone().map(|id| inside[id.index()] || self.pre(&inside, id)).collect();
            if next == inside {
                return inside;
            }
            inside = next;
        }
    }

    /// NT.
    pub(crate) fn diverging(&self) -> Vec<bool> {
        let ids = StateId::first(self.families.len());
        let mut inside = vec![true; self.families.len()];
        loop {
            let next: Vec<bool> = ids.clone().map(|id| inside[id.index()] && self.pre(&inside, id)).collect();
            if next == inside {
                return inside;
            }
            inside = next;
        }
    }
}

/// All unions of one set of each family.
fn product(families: impl Iterator<Item = Family>) -> Family {
    families.fold(Family::from([Set::new()]), |before, family| {
        let joined = before.iter().flat_map(|one| family.iter().map(move |other| one | other));
        minimal(joined.collect())
    })
}

fn minimal(family: Family) -> Family {
    let smaller = |set: &Set| family.iter().any(|other| other != set && other.is_subset(set));
    family.iter().filter(|set| !smaller(set)).cloned().collect()
}
