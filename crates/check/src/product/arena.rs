//! The product as an arena: the ways on from a vertex, and the ways into it, computed from the transitions.

use super::{EdgeGroup, Entry, Part, Place, Product};
use crate::equations::Operator;
use crate::game::{Arena, Player, VertexId};
use crate::names::ActionSet;
use tertium_support::Id;
use tertium_system::{ConcreteId, StateId};

impl Arena for Product<'_> {
    fn n_vertices(&self) -> usize {
        self.n_vertices
    }

    fn owner(&self, v: VertexId) -> Player {
        match self.place(v) {
            Place::At(at, _) => self.parts[at].owner,
            Place::Auxiliary(at, _) if matches!(self.parts[at].operator, Operator::Cover(_)) => Player::Even,
            Place::Auxiliary(..) | Place::Won => Player::Odd,
            Place::Lost => Player::Even,
        }
    }

    fn priority(&self, v: VertexId) -> u32 {
        match self.place(v) {
            Place::At(at, _) => self.parts[at].operator.priority(),
            _ => 0,
        }
    }

    fn next_successor(&self, v: VertexId, cursor: u32) -> Option<(VertexId, u32)> {
        self.find_successor(v, cursor, |_| true)
    }

    fn find_successor(
        &self,
        v: VertexId,
        cursor: u32,
        mut test: impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, u32)> {
        let (at, state) = match self.place(v) {
            Place::At(at, state) => (at, state),
            Place::Auxiliary(at, index) => {
                return self.auxiliary_successor(at, index, cursor as usize, test);
            }
            Place::Won | Place::Lost => return None,
        };
        let part = &self.parts[at];
        if part.decided.contains(state) {
            let sink = if part.owner == Player::Even { self.won() } else { self.lost() };
            return (cursor == 0 && test(sink)).then_some((sink, 1));
        }
        let mut cursor = cursor as usize;
        loop {
            let (index, from, start) = part.locate(cursor, self.n_steps(state), self.n_concrete)?;
            if let Some((target, position)) = self.along(part.edge_groups[index], state, from, &mut test) {
                return Some((target, (start + position + 1) as u32));
            }
            // Nothing more this way: on to the start of the next.
            cursor = start + part.width(index, self.n_steps(state), self.n_concrete);
        }
    }

    fn predecessors(&self, v: VertexId, mut visit: impl FnMut(VertexId)) {
        let (at, state) = match self.place(v) {
            Place::At(at, state) => (at, state),
            Place::Auxiliary(at, index) => return self.auxiliary_predecessors(at, index, visit),
            sink => {
                let winner = if matches!(sink, Place::Won) { Player::Even } else { Player::Odd };
                for &at in self.blocks.iter().filter(|&&at| self.parts[at].owner == winner) {
                    self.parts[at].decided.iter().for_each(|state| visit(self.vertex(at, state)));
                }
                return;
            }
        };
        for &entry in &self.parts[at].entries {
            match entry {
                Entry::Same(user) => {
                    if !self.parts[user].decided.contains(state) {
                        visit(self.vertex(user, state));
                    }
                }
                Entry::Steps(user, modality) => {
                    let (actions, diamond) = self.modality(modality);
                    let decided = &self.parts[user].decided;
                    for &(label, source) in self.problem.prepared.reversed().row(state) {
                        let relevant = if diamond { label.is_must() } else { label.is_may() };
                        if relevant && actions.contains(label.action()) && !decided.contains(source) {
                            visit(self.vertex(user, source));
                        }
                    }
                    if diamond {
                        let hyper = self.problem.system().hyper_musts();
                        for &position in self.problem.prepared.hyper.reaching(state) {
                            if actions.contains(hyper.at(position as usize).0) {
                                visit(self.auxiliary(modality, position as usize));
                            }
                        }
                    }
                }
                Entry::Standing(cover) => {
                    let gamma = self.problem.domain().gamma(state);
                    gamma.iter().for_each(|concrete| visit(self.auxiliary(cover, concrete.index())));
                }
            }
        }
    }
}

impl Part<'_> {
    /// The way that a cursor falls in, the position in it, and the cursor at which the way starts. Ways are sorted by
    /// kind, and all of a kind take the same number of cursors at a state, so this is arithmetic.
    #[inline]
    fn locate(&self, cursor: usize, n_steps: usize, n_concrete: usize) -> Option<(usize, usize, usize)> {
        let [same, steps, standing] = self.n_edge_groups;
        if cursor < same {
            return Some((cursor, 0, cursor));
        }
        let after = cursor - same;
        if after < steps * n_steps {
            let way = after / n_steps;
            return Some((same + way, after % n_steps, same + way * n_steps));
        }
        let after = after - steps * n_steps;
        if after < standing * n_concrete {
            let way = after / n_concrete;
            return Some((same + steps + way, after % n_concrete, cursor - after % n_concrete));
        }
        None
    }

    /// How many cursors a way takes.
    #[inline]
    fn width(&self, way: usize, n_steps: usize, n_concrete: usize) -> usize {
        match self.edge_groups[way] {
            EdgeGroup::Same(_) => 1,
            EdgeGroup::Steps(_) => n_steps,
            EdgeGroup::Standing(_) => n_concrete,
        }
    }
}

impl Product<'_> {
    /// The relevant steps of a modality: its actions, and whether it looks at musts (a diamond) or mays (a box).
    #[inline]
    fn modality(&self, at: usize) -> (&ActionSet, bool) {
        match self.parts[at].operator {
            Operator::Diamond(set, _) => (self.problem.equations.actions(*set), true),
            Operator::Box(set, _) => (self.problem.equations.actions(*set), false),
            _ => unreachable!("only modalities have steps"),
        }
    }

    /// How many steps a modality has to look at from a state: the cursors that its way takes.
    #[inline]
    fn n_steps(&self, state: StateId) -> usize {
        let system = self.problem.system();
        system.transitions().range(state).len() + system.hyper_musts().range(state).len()
    }

    /// The first target of a way at or after `from` that satisfies `test`, and its position.
    #[inline]
    fn along(
        &self,
        group: EdgeGroup,
        state: StateId,
        from: usize,
        test: &mut impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, usize)> {
        match group {
            EdgeGroup::Same(inner) => {
                let target = self.vertex(inner, state);
                (from == 0 && test(target)).then_some((target, 0))
            }
            EdgeGroup::Steps(modality) => self.step(modality, state, from, test),
            EdgeGroup::Standing(cover) => {
                let concrete = self.problem.domain().gamma(state).iter().map(Id::index);
                concrete
                    .filter(|&c| c >= from)
                    .map(|c| (self.auxiliary(cover, c), c))
                    .find(|&(target, _)| test(target))
            }
        }
    }

    #[inline]
    pub(super) fn step(
        &self,
        modality: usize,
        state: StateId,
        from: usize,
        test: &mut impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, usize)> {
        let (actions, diamond) = self.modality(modality);
        let first = self.parts[self.parts[modality].inner[0].0].first;
        let first = first.expect("targets of steps have vertices");
        let (labels, targets) = self.problem.system().transitions().row(state);
        for position in from..labels.len() {
            let label = labels[position];
            let relevant = if diamond { label.is_must() } else { label.is_may() };
            if relevant && actions.contains(label.action()) {
                let target = VertexId::new(first + targets[position].index());
                if test(target) {
                    return Some((target, position));
                }
            }
        }
        if !diamond {
            return None;
        }
        let hyper = self.problem.system().hyper_musts();
        let range = hyper.range(state);
        let skipped = from.max(labels.len()) - labels.len();
        (range.start + skipped..range.end)
            .filter(|&position| actions.contains(hyper.at(position).0))
            .map(|position| (self.auxiliary(modality, position), labels.len() + position - range.start))
            .find(|&(target, _)| test(target))
    }

    /// From a hyper-must to its targets; from a concrete state to the states that stand for it.
    fn auxiliary_successor(
        &self,
        at: usize,
        index: usize,
        cursor: usize,
        mut test: impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, u32)> {
        let body = self.parts[at].inner[0].0;
        if let Operator::Cover(_) = self.parts[at].operator {
            let domain = self.problem.domain();
            return (cursor..self.n_states)
                .map(StateId::new)
                .filter(|&state| domain.gamma(state).contains(ConcreteId::new(index)))
                .map(|state| (self.vertex(body, state), state.raw() + 1))
                .find(|&(target, _)| test(target));
        }
        let (action, targets) = self.problem.system().hyper_musts().at(index);
        // A hyper-must with another action has no way in; giving it no way on keeps both directions equal.
        if !self.modality(at).0.contains(action) {
            return None;
        }
        let targets = targets.iter().enumerate().skip(cursor);
        targets
            .map(|(at, &target)| (self.vertex(body, target), at as u32 + 1))
            .find(|&(target, _)| test(target))
    }

    fn auxiliary_predecessors(&self, at: usize, index: usize, mut visit: impl FnMut(VertexId)) {
        let host = self.host[at];
        let mut enter = |state: StateId| {
            if !self.parts[host].decided.contains(state) {
                visit(self.vertex(host, state));
            }
        };
        if let Operator::Cover(_) = self.parts[at].operator {
            self.problem.domain().abstractions(ConcreteId::new(index)).for_each(enter);
        } else if self.modality(at).0.contains(self.problem.system().hyper_musts().at(index).0) {
            enter(self.problem.prepared.hyper.source[index]);
        }
    }
}
