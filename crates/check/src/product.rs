//! Components with fixpoints of both signs: the parity game of formula and system, whose edges are never stored.
//!
//! Even, the prover, moves at disjunctions and diamonds, Odd at conjunctions and boxes; fixpoints carry the priorities.
//! Operands outside the component are decided already and become moves to one of two sinks. A hyper-must is a vertex
//! of its own, where Odd picks the target; a cover at state s lets Odd pick a concrete state of s and Even a state that
//! stands for it.
//!
//! Few equations become vertices. An operator that has one user in the component, at the same state and with the same
//! owner, is *inlined*: the moves of its user are its own moves. What remains are fixpoints, targets of steps, and
//! changes of owner. Moves are computed from the transitions and their reverse, so the game costs no memory per edge.

use crate::equations::{EquationId, Operator};
use crate::game::{Arena, Player, Regions, Solution, VertexId, solve as solve_game, solve_regions};
use crate::names::ActionSet;
use crate::necessity::{Moves, NO_MOVE, Necessity, Problem, Record, evaluate};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ConcreteId, Domain, StateId, StateSet};

/// Solves one component and stores where its equations hold.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    problem.prepared.reverse(context)?;
    let product = Product::new(problem, members, solution);
    if product.n_vertices >= 1 << 31 {
        return Err(StopReason::MemoryLimit);
    }
    let (holds, moves) = match problem.record {
        Record::Moves => {
            let game = solve_game(context, &product)?;
            (product.regions(game.regions()), product.moves(&game))
        }
        Record::Values => (product.regions(&solve_regions(context, &product)?), vec![None; members.len()]),
    };
    let inlined = product.inlined_innermost_first();
    for ((&member, holds), moves) in members.iter().zip(holds).zip(moves) {
        solution.moves[member.index()] = moves;
        if let Some(holds) = holds {
            solution.holds[member.index()] = holds;
        }
    }
    for at in inlined {
        solution.holds[members[at].index()] = evaluate(context, problem, solution, members[at])?;
    }
    Ok(())
}

/// One equation of the component.
struct Part<'a> {
    operator: &'a Operator,
    /// Operands inside the component, and the index each has among all operands.
    inner: Vec<(usize, usize)>,
    /// The first vertex of this equation, one per state, unless it is inlined.
    first: Option<usize>,
    /// The first auxiliary vertex: one per hyper-must, or per concrete state.
    auxiliary: usize,
    /// For vertices: who moves, and the ways on.
    owner: Player,
    ways: Vec<Way>,
    /// How many ways there are of each kind; they are sorted in this order: same state, steps, standing.
    n_ways: [usize; 3],
    /// For vertices: the states where an operand outside the component decides.
    decided: StateSet,
    /// Where vertices of this equation are entered from.
    entries: Vec<Entry>,
}

impl Part<'_> {
    /// The way that a cursor falls in, the position in it, and the cursor at which the way starts. Ways are sorted by
    /// kind, and all of a kind take the same number of cursors at a state, so this is arithmetic.
    #[inline]
    fn locate(&self, cursor: usize, n_steps: usize, n_concrete: usize) -> Option<(usize, usize, usize)> {
        let [same, steps, standing] = self.n_ways;
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
        match self.ways[way] {
            Way::Same(_) => 1,
            Way::Steps(_) => n_steps,
            Way::Standing(_) => n_concrete,
        }
    }
}

/// A way on from a vertex.
#[derive(Clone, Copy)]
enum Way {
    /// To a vertex of this equation, at the same state.
    Same(usize),
    /// By the steps of this modality.
    Steps(usize),
    /// To the concrete states of this cover.
    Standing(usize),
}

/// A way into a vertex, from a vertex of the first equation.
#[derive(Clone, Copy)]
enum Entry {
    Same(usize),
    Steps(usize, usize),
    /// From the concrete states of this cover.
    Standing(usize),
}

struct Product<'a> {
    problem: &'a Problem<'a>,
    solution: &'a Necessity,
    n_states: usize,
    parts: Vec<Part<'a>>,
    /// The equations that have vertices, in order of their first.
    blocks: Vec<usize>,
    /// The equations that have auxiliary vertices, in order of their first.
    auxiliaries: Vec<usize>,
    /// For modalities with hyper-musts and for covers: the equation at whose vertices they are inlined.
    host: Vec<usize>,
    n_vertices: usize,
    n_concrete: usize,
}

/// What a vertex stands for.
enum Place {
    At(usize, StateId),
    Auxiliary(usize, usize),
    /// Even wins here.
    Won,
    /// Odd wins here.
    Lost,
}

impl<'a> Product<'a> {
    fn new(problem: &'a Problem<'a>, members: &[EquationId], solution: &'a Necessity) -> Self {
        let n_states = problem.system().n_states();
        let parts: Vec<Part<'a>> = members
            .iter()
            .map(|&member| {
                let operator = problem.equations.operator(member);
                let inner = problem.equations.inner_operands(members, member);
                Part {
                    operator,
                    inner,
                    first: None,
                    auxiliary: 0,
                    owner: Player::Even,
                    ways: Vec::new(),
                    n_ways: [0; 3],
                    decided: StateSet::empty(0),
                    entries: Vec::new(),
                }
            })
            .collect();
        let host = (0..parts.len()).collect();
        let mut product = Self {
            problem,
            solution,
            n_states,
            parts,
            blocks: Vec::new(),
            auxiliaries: Vec::new(),
            host,
            n_vertices: 0,
            n_concrete: problem.domain.map_or(0, Domain::n_concrete),
        };
        product.place_vertices();
        for at in product.blocks.clone() {
            product.find_ways(at);
        }
        product
    }

    /// Decides which equations have vertices, and numbers them.
    fn place_vertices(&mut self) {
        let mut user: Vec<Option<usize>> = vec![None; self.parts.len()];
        let mut shared = vec![false; self.parts.len()];
        for at in 0..self.parts.len() {
            for &(inner, _) in &self.parts[at].inner {
                shared[inner] |= user[inner].is_some();
                user[inner] = Some(at);
            }
        }
        let inlined = |at: usize| {
            let Some(user) = user[at].filter(|_| !shared[at]) else { return false };
            let own = |at: usize| mover(self.parts[at].operator);
            match self.parts[user].operator {
                Operator::And(_) | Operator::Or(_) => own(at).is_some() && own(at) == own(user),
                Operator::Fixpoint { .. } => own(at).is_some(),
                _ => false,
            }
        };
        let placed: Vec<usize> = (0..self.parts.len()).filter(|&at| !inlined(at)).collect();
        let mut next = 0;
        for &at in &placed {
            self.parts[at].first = Some(next);
            next += self.n_states;
        }
        for at in 0..self.parts.len() {
            self.parts[at].auxiliary = next;
            let n = match self.parts[at].operator {
                Operator::Diamond(..) => self.problem.system().hyper_musts().len(),
                Operator::Cover(_) => self.problem.domain().n_concrete(),
                _ => 0,
            };
            next += n;
            if n > 0 {
                self.auxiliaries.push(at);
            }
        }
        self.blocks = placed;
        self.n_vertices = next + 2;
    }

    /// Collects the ways on from the vertices of `at`, through what is inlined there.
    fn find_ways(&mut self, at: usize) {
        let mut decided = StateSet::empty(self.n_states);
        let mut stack = vec![at];
        while let Some(part) = stack.pop() {
            self.host[part] = at;
            let operator = self.parts[part].operator;
            if let Some(player) = mover(operator) {
                self.parts[at].owner = player;
            }
            match operator {
                Operator::And(_) | Operator::Or(_) => {
                    decided.union_with(&self.decided_outside(part));
                    for (inner, _) in self.parts[part].inner.clone() {
                        self.go_on(at, inner, &mut stack);
                    }
                }
                Operator::Fixpoint { .. } => self.go_on(at, self.parts[part].inner[0].0, &mut stack),
                Operator::Diamond(..) | Operator::Box(..) => {
                    self.parts[at].ways.push(Way::Steps(part));
                    let body = self.parts[part].inner[0].0;
                    self.parts[body].entries.push(Entry::Steps(at, part));
                }
                Operator::Cover(_) => {
                    self.parts[at].ways.push(Way::Standing(part));
                    let body = self.parts[part].inner[0].0;
                    self.parts[body].entries.push(Entry::Standing(part));
                }
                Operator::Constant(_) | Operator::Literal { .. } => {
                    unreachable!("constants and literals are not recursive")
                }
            }
        }
        self.parts[at].decided = decided;
        let part = &mut self.parts[at];
        let kind = |way: &Way| match way {
            Way::Same(_) => 0,
            Way::Steps(_) => 1,
            Way::Standing(_) => 2,
        };
        part.ways.sort_by_key(kind);
        part.ways.iter().for_each(|way| part.n_ways[kind(way)] += 1);
    }

    fn go_on(&mut self, at: usize, inner: usize, stack: &mut Vec<usize>) {
        if self.parts[inner].first.is_none() {
            stack.push(inner);
        } else {
            self.parts[at].ways.push(Way::Same(inner));
            self.parts[inner].entries.push(Entry::Same(at));
        }
    }

    /// Where the operands outside the component decide a boolean: some hold at a disjunction, some fail at a
    /// conjunction.
    fn decided_outside(&self, at: usize) -> StateSet {
        let mut decided = StateSet::empty(self.n_states);
        let outside = self.outside(at);
        match self.parts[at].operator {
            Operator::Or(_) => outside.for_each(|(_, holds)| decided.union_with(holds)),
            _ => outside.for_each(|(_, holds)| decided.union_with(&holds.complement())),
        }
        decided
    }

    /// The operands outside the component: their indices, and where they hold. Only those are known by now.
    fn outside(&self, at: usize) -> impl Iterator<Item = (usize, &StateSet)> {
        let operands = self.parts[at].operator.operands();
        operands
            .iter()
            .enumerate()
            .map(|(index, operand)| (index, &self.solution.holds[operand.index()]))
            .filter(|(_, holds)| holds.universe() == self.n_states)
    }

    #[inline]
    fn vertex(&self, at: usize, state: StateId) -> VertexId {
        VertexId::new(self.parts[at].first.expect("inlined equations have no vertices") + state.index())
    }

    #[inline]
    fn auxiliary(&self, at: usize, index: usize) -> VertexId {
        VertexId::new(self.parts[at].auxiliary + index)
    }

    fn won(&self) -> VertexId {
        VertexId::new(self.n_vertices - 2)
    }

    fn lost(&self) -> VertexId {
        VertexId::new(self.n_vertices - 1)
    }

    #[inline]
    fn place(&self, v: VertexId) -> Place {
        let index = v.index();
        if index < self.blocks.len() * self.n_states {
            // Both fit in 32 bits, where division is several times faster than in 64.
            let n_states = self.n_states as u32;
            return Place::At(
                self.blocks[(v.raw() / n_states) as usize],
                StateId::from_raw(v.raw() % n_states),
            );
        }
        if v == self.won() {
            return Place::Won;
        }
        if v == self.lost() {
            return Place::Lost;
        }
        let position = self.auxiliaries.partition_point(|&at| self.parts[at].auxiliary <= index) - 1;
        let at = self.auxiliaries[position];
        Place::Auxiliary(at, index - self.parts[at].auxiliary)
    }

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
        way: Way,
        state: StateId,
        from: usize,
        test: &mut impl FnMut(VertexId) -> bool,
    ) -> Option<(VertexId, usize)> {
        match way {
            Way::Same(inner) => {
                let target = self.vertex(inner, state);
                (from == 0 && test(target)).then_some((target, 0))
            }
            Way::Steps(modality) => self.step(modality, state, from, test),
            Way::Standing(cover) => {
                let concrete = self.problem.domain().gamma(state).iter().map(Id::index);
                concrete
                    .filter(|&c| c >= from)
                    .map(|c| (self.auxiliary(cover, c), c))
                    .find(|&(target, _)| test(target))
            }
        }
    }

    #[inline]
    fn step(
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
}

/// Who chooses among the ways of an operator; nobody at a fixpoint.
fn mover(operator: &Operator) -> Option<Player> {
    match operator {
        Operator::Or(_) | Operator::Diamond(..) => Some(Player::Even),
        Operator::And(_) | Operator::Box(..) | Operator::Cover(_) => Some(Player::Odd),
        _ => None,
    }
}

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
            if let Some((target, position)) = self.along(part.ways[index], state, from, &mut test) {
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

impl Product<'_> {
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

    /// Where each equation with vertices holds.
    fn regions(&self, game: &Regions) -> Vec<Option<StateSet>> {
        let holds = |part: &Part<'_>| {
            let first = part.first?;
            Some(StateSet::filter(self.n_states, |state| {
                game.winner(VertexId::new(first + state.index())) == Player::Even
            }))
        };
        self.parts.iter().map(holds).collect()
    }

    /// The inlined equations, each after those it depends on.
    fn inlined_innermost_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        for &block in &self.blocks {
            let mut stack = vec![block];
            let mut found: Vec<usize> = Vec::new();
            while let Some(at) = stack.pop() {
                let inner = self.parts[at].inner.iter().map(|&(inner, _)| inner);
                let inlined: Vec<usize> = inner.filter(|&inner| self.parts[inner].first.is_none()).collect();
                found.extend(&inlined);
                stack.extend(inlined);
            }
            order.extend(found.into_iter().rev());
        }
        order
    }

    /// The moves of Even where it wins, as [`Necessity`] records them.
    fn moves(&self, game: &Solution) -> Vec<Option<Moves>> {
        let mut moves: Vec<Option<Moves>> = self
            .parts
            .iter()
            .map(|part| match part.operator {
                Operator::Or(_) | Operator::Diamond(..) => Some(vec![NO_MOVE; self.n_states]),
                Operator::Cover(_) => Some(vec![NO_MOVE; self.problem.domain().n_concrete()]),
                _ => None,
            })
            .collect();
        for &at in self.blocks.iter().filter(|&&at| self.parts[at].owner == Player::Even) {
            for state in StateId::first(self.n_states) {
                let v = self.vertex(at, state);
                if game.winner(v) == Player::Even
                    && let Some(target) = game.strategy(v)
                {
                    let found = self.record(at, state, target, &mut moves);
                    debug_assert!(found, "every move of the game is a move of the formula");
                }
            }
        }
        for &at in &self.auxiliaries {
            if let (Operator::Cover(_), Some(picks)) = (self.parts[at].operator, &mut moves[at]) {
                for (concrete, pick) in picks.iter_mut().enumerate() {
                    let v = self.auxiliary(at, concrete);
                    let target = game.strategy(v).filter(|_| game.winner(v) == Player::Even);
                    if let Some(Place::At(_, state)) = target.map(|target| self.place(target)) {
                        *pick = state.raw();
                    }
                }
            }
        }
        moves
    }

    /// Records the way through what is inlined at `at` that leads from `state` to `target`.
    fn record(&self, at: usize, state: StateId, target: VertexId, moves: &mut [Option<Moves>]) -> bool {
        let set = |moves: &mut [Option<Moves>], choice: usize| {
            if let Some(moves) = &mut moves[at] {
                moves[state.index()] = choice as u32;
            }
        };
        match self.parts[at].operator {
            Operator::Diamond(..) => match (self.leads_to(at, state, target), self.place(target)) {
                (true, Place::At(_, next)) => set(moves, next.index()),
                (true, Place::Auxiliary(_, hyper)) => set(moves, self.n_states + hyper),
                _ => return false,
            },
            Operator::Or(_) | Operator::Fixpoint { .. } => {
                if target == self.won()
                    && let Some((index, _)) = self.outside(at).find(|(_, holds)| holds.contains(state))
                {
                    set(moves, index);
                    return true;
                }
                let way = self.parts[at].inner.iter().find(|&&(inner, _)| {
                    if self.parts[inner].first.is_some() {
                        self.vertex(inner, state) == target
                    } else {
                        self.record(inner, state, target, moves)
                    }
                });
                let Some(&(_, index)) = way else { return false };
                set(moves, index);
            }
            _ => return false,
        }
        true
    }

    fn leads_to(&self, modality: usize, state: StateId, target: VertexId) -> bool {
        self.step(modality, state, 0, &mut |found| found == target).is_some()
    }
}
