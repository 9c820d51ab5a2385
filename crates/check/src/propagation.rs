//! Components with fixpoints of one sign: propagation along reversed transitions.
//!
//! For least fixpoints, truth spreads from where it is forced by earlier components; what is never reached is false.
//! For greatest fixpoints, falsity spreads and what is never reached is true. Either way one player attracts, at
//! operators of his own as soon as one operand is marked (`any`), at those of the other once all are (`all`, with a
//! counter per state for modalities). Each transition is looked at once per modality: linear time \[CS93\].
//!
//! Marks spread in rounds, one per modal step, so the recorded moves of least fixpoints lead along shortest paths.

use crate::equations::{EquationId, Operator};
use crate::names::ActionSet;
use crate::necessity::{Moves, NO_MOVE, Necessity, Problem, records};
use tertium_logic::Sign;
use tertium_support::{Context, Id, IdSet, StopReason, Ticker};
use tertium_system::{ConcreteId, StateId, StateSet};

/// Booleans with more operands than this in their component count them; shorter ones look at all.
const COUNTED: usize = 4;

/// What reversing a transition costs, in steps looked at.
const REVERSING: usize = 3;

/// Solves one component and stores where its equations hold.
pub(crate) fn solve(
    context: &Context,
    problem: &Problem<'_>,
    members: &[EquationId],
    sign: Sign,
    solution: &mut Necessity,
) -> Result<(), StopReason> {
    let mut propagation = Propagation::new(context, problem, members, sign, solution)?;
    propagation.seed()?;
    propagation.run()?;
    let looked_at = propagation.looked_at;
    let results: Vec<_> = propagation.parts.into_iter().map(|part| (part.marked, part.moves)).collect();
    for (&member, (marked, moves)) in members.iter().zip(results) {
        solution.holds[member.index()] = match sign {
            Sign::Least => marked,
            Sign::Greatest => marked.complement(),
        };
        solution.moves[member.index()] = moves;
    }
    solution.looked_at += looked_at;
    Ok(())
}

/// One equation of the component.
struct Part<'a> {
    operator: &'a Operator,
    /// Operands inside the component, and the index each has among all operands.
    inner: Vec<(usize, usize)>,
    /// Equations of the component that have this one as an operand, with its index there.
    users: Vec<(usize, usize)>,
    marked: StateSet,
    n_marked: usize,
    /// For booleans of the other player: the states where all operands outside the component are marked.
    outside: Option<StateSet>,
    /// What is not yet marked: steps of modalities of the other player; operands of long booleans of the other player;
    /// concrete states, or states that stand for one, of covers.
    open: Vec<u32>,
    /// For hyper-musts: targets not yet marked (`any`), or whether none was marked yet (`all`).
    hyper_open: Vec<u32>,
    covered: IdSet<ConcreteId>,
    moves: Option<Moves>,
    /// Marked states whose consequences are not drawn yet.
    now: Vec<StateId>,
    /// The same, for the next round.
    next: Vec<StateId>,
}

struct Propagation<'a> {
    problem: &'a Problem<'a>,
    sign: Sign,
    parts: Vec<Part<'a>>,
    solution: &'a Necessity,
    context: &'a Context,
    ticker: Ticker<'a>,
    /// The parts with something in `now`, and with something in `next`.
    active: Vec<usize>,
    active_next: Vec<usize>,
    /// How many steps were looked at, and how many of them forwards.
    looked_at: u64,
    forward: usize,
}

impl<'a> Propagation<'a> {
    fn new(
        context: &'a Context,
        problem: &'a Problem<'a>,
        members: &[EquationId],
        sign: Sign,
        solution: &'a Necessity,
    ) -> Result<Self, StopReason> {
        let n = problem.system().n_states();
        let mut parts: Vec<Part<'a>> = Vec::with_capacity(members.len());
        for &member in members {
            let operator = problem.equations.operator(member);
            let inner = problem.equations.inner_operands(members, member);
            parts.push(Part {
                operator,
                inner,
                users: Vec::new(),
                marked: StateSet::empty(n),
                n_marked: 0,
                outside: None,
                open: Vec::new(),
                hyper_open: Vec::new(),
                covered: IdSet::empty(0),
                moves: None,
                now: Vec::new(),
                next: Vec::new(),
            });
        }
        for user in 0..parts.len() {
            for (inner, index) in parts[user].inner.clone() {
                parts[inner].users.push((user, index));
            }
        }
        context.reserve(members.len() as u64 * n as u64 * 4)?;
        let ticker = context.ticker("checking");
        Ok(Self {
            problem,
            sign,
            parts,
            solution,
            context,
            ticker,
            active: Vec::new(),
            active_next: Vec::new(),
            looked_at: 0,
            forward: 0,
        })
    }

    /// Prepares the counters, and marks what is forced from outside the component.
    fn seed(&mut self) -> Result<(), StopReason> {
        let system = self.problem.system();
        let n = system.n_states();
        for at in 0..self.parts.len() {
            self.ticker.tick(n)?;
            let operator = self.parts[at].operator;
            let own = self.is_own(operator);
            if records(self.problem.record, self.sign) && own {
                let entries = match operator {
                    Operator::Cover(_) => self.problem.domain().n_concrete(),
                    _ => n,
                };
                self.parts[at].moves = Some(vec![NO_MOVE; entries]);
            }
            match operator {
                Operator::And(operands) | Operator::Or(operands) => self.seed_boolean(at, operands, own),
                Operator::Diamond(set, _) | Operator::Box(set, _) => {
                    let actions = self.problem.equations.actions(*set);
                    self.seed_modality(at, actions, own);
                }
                Operator::Cover(_) => self.seed_cover(at),
                Operator::Fixpoint { .. } => {}
                Operator::Constant(_) | Operator::Literal { .. } => {
                    unreachable!("constants and literals are not recursive")
                }
            }
        }
        Ok(())
    }

    /// Whether one marked operand is enough: operators of the player who attracts.
    fn is_own(&self, operator: &Operator) -> bool {
        match self.sign {
            Sign::Least => matches!(operator, Operator::Or(_) | Operator::Diamond(..) | Operator::Cover(_)),
            Sign::Greatest => matches!(operator, Operator::And(_) | Operator::Box(..)),
        }
    }

    /// Where an equation outside the component is marked.
    fn outside(&self, id: EquationId) -> StateSet {
        let holds = &self.solution.holds[id.index()];
        match self.sign {
            Sign::Least => holds.clone(),
            Sign::Greatest => holds.complement(),
        }
    }

    fn seed_boolean(&mut self, at: usize, operands: &[EquationId], own: bool) {
        let n = self.problem.system().n_states();
        let mut is_inner = vec![false; operands.len()];
        self.parts[at].inner.iter().for_each(|&(_, index)| is_inner[index] = true);
        let mut all = StateSet::full(n);
        for (index, operand) in operands.iter().enumerate().filter(|&(index, _)| !is_inner[index]) {
            let outside = self.outside(*operand);
            if own {
                outside.iter().for_each(|state| self.mark_now(at, state, index as u32));
            } else {
                all.intersect_with(&outside);
            }
        }
        self.parts[at].outside = (!own).then_some(all);
        let inner = self.parts[at].inner.len();
        if !own && inner > COUNTED {
            self.parts[at].open = vec![inner as u32; n];
        }
    }

    fn seed_modality(&mut self, at: usize, actions: &ActionSet, own: bool) {
        let system = self.problem.system();
        let n = system.n_states();
        let hyper = system.hyper_musts();
        let diamond = matches!(self.parts[at].operator, Operator::Diamond(..));
        if diamond {
            let targets = |position: usize| if own { hyper.at(position).1.len() as u32 } else { 1 };
            self.parts[at].hyper_open = (0..hyper.len()).map(targets).collect();
        }
        if own {
            // A hyper-must into the empty set is a step whose targets are all marked from the start.
            if diamond {
                let empty =
                    (0..hyper.len()).filter(|&h| hyper.at(h).1.is_empty() && actions.contains(hyper.at(h).0));
                for position in empty.collect::<Vec<_>>() {
                    let source = self.problem.prepared.hyper.source[position];
                    self.mark_now(at, source, (n + position) as u32);
                }
            }
            return;
        }
        let simple = self.problem.prepared.uniform && matches!(actions, ActionSet::All);
        let mut open = Vec::with_capacity(n);
        for state in system.states() {
            let single = if simple {
                system.transitions().range(state).len()
            } else {
                let (labels, _) = system.transitions().row(state);
                labels
                    .iter()
                    .filter(|label| {
                        (if diamond { label.is_must() } else { label.is_may() })
                            && actions.contains(label.action())
                    })
                    .count()
            };
            let sets =
                if diamond { hyper.of(state).filter(|&(a, _)| actions.contains(a)).count() } else { 0 };
            open.push((single + sets) as u32);
        }
        let blocked: Vec<StateId> = system.states().filter(|state| open[state.index()] == 0).collect();
        self.parts[at].open = open;
        blocked.into_iter().for_each(|state| self.mark_now(at, state, NO_MOVE));
    }

    fn seed_cover(&mut self, at: usize) {
        let domain = self.problem.domain();
        let n = self.problem.system().n_states();
        self.parts[at].covered = IdSet::empty(domain.n_concrete());
        match self.sign {
            Sign::Least => {
                self.parts[at].open =
                    StateId::first(n).map(|state| domain.gamma(state).count() as u32).collect();
                let empty: Vec<StateId> = StateId::first(n).filter(|&s| !domain.is_consistent(s)).collect();
                empty.into_iter().for_each(|state| self.mark_now(at, state, NO_MOVE));
            }
            Sign::Greatest => {
                let mut open = vec![0u32; domain.n_concrete()];
                for state in StateId::first(n) {
                    domain.gamma(state).iter().for_each(|c| open[c.index()] += 1);
                }
                self.parts[at].open = open;
            }
        }
    }

    fn run(&mut self) -> Result<(), StopReason> {
        loop {
            while let Some(at) = self.active.pop() {
                let mut batch = std::mem::take(&mut self.parts[at].now);
                // A large batch in the order of the rows is read from memory front to back.
                if batch.len() > self.problem.system().n_states() / 64 {
                    batch.sort_unstable();
                }
                self.ticker.tick(batch.len())?;
                for index in 0..self.parts[at].users.len() {
                    let (user, operand) = self.parts[at].users[index];
                    self.propagate(user, operand, &batch)?;
                }
            }
            if self.active_next.is_empty() {
                return Ok(());
            }
            for at in std::mem::take(&mut self.active_next) {
                let part = &mut self.parts[at];
                std::mem::swap(&mut part.now, &mut part.next);
                self.active.push(at);
            }
        }
    }

    /// Draws the consequences of newly marked states of operand `index` for the equation `user`.
    fn propagate(&mut self, user: usize, index: usize, batch: &[StateId]) -> Result<(), StopReason> {
        let operator = self.parts[user].operator;
        match operator {
            Operator::Fixpoint { .. } => {
                batch.iter().for_each(|&state| self.mark_now(user, state, NO_MOVE));
            }
            Operator::And(_) | Operator::Or(_) if self.is_own(operator) => {
                batch.iter().for_each(|&state| self.mark_now(user, state, index as u32));
            }
            Operator::And(_) | Operator::Or(_) if !self.parts[user].open.is_empty() => {
                for &state in batch {
                    let part = &mut self.parts[user];
                    part.open[state.index()] -= 1;
                    let complete = part.open[state.index()] == 0
                        && part.outside.as_ref().is_some_and(|outside| outside.contains(state));
                    if complete {
                        self.mark_now(user, state, NO_MOVE);
                    }
                }
            }
            Operator::And(_) | Operator::Or(_) => {
                for &state in batch {
                    let part = &self.parts[user];
                    let complete = part.outside.as_ref().is_some_and(|outside| outside.contains(state))
                        && part.inner.iter().all(|&(inner, _)| self.parts[inner].marked.contains(state));
                    if complete {
                        self.mark_now(user, state, NO_MOVE);
                    }
                }
            }
            Operator::Diamond(set, _) | Operator::Box(set, _) => {
                self.propagate_step(user, self.problem.equations.actions(*set), batch)?;
            }
            Operator::Cover(_) => self.propagate_cover(user, batch),
            Operator::Constant(_) | Operator::Literal { .. } => {
                unreachable!("constants and literals are not recursive")
            }
        }
        Ok(())
    }

    fn propagate_step(
        &mut self,
        user: usize,
        actions: &ActionSet,
        batch: &[StateId],
    ) -> Result<(), StopReason> {
        let diamond = matches!(self.parts[user].operator, Operator::Diamond(..));
        let own = self.is_own(self.parts[user].operator);
        if own && self.prefers_forward(user, batch.len()) {
            self.step_forward(user, actions, diamond)?;
        } else {
            self.step_backward(user, actions, batch, diamond, own)?;
        }
        if diamond && !self.problem.prepared.hyper.source.is_empty() {
            self.propagate_hyper(user, actions, batch, own);
        }
        Ok(())
    }

    /// Whether to look for marks from the states that have none instead of going back from the new ones: when these
    /// are many, or while that is cheaper than reversing the transitions. What was spent on it counts, so that both
    /// ways together stay linear.
    fn prefers_forward(&self, user: usize, batch: usize) -> bool {
        let system = self.problem.system();
        let (n, m) = (system.n_states(), system.transitions().len());
        let degree = m / n.max(1) + 1;
        let forward = (n - self.parts[user].n_marked) * degree / 2 + n / 64;
        let reversing = if self.problem.prepared.is_reversed() { 0 } else { REVERSING * m };
        forward < batch * degree + reversing.saturating_sub(self.forward)
    }

    /// Marks the unmarked states that have a step to a marked one.
    fn step_forward(&mut self, user: usize, actions: &ActionSet, diamond: bool) -> Result<(), StopReason> {
        let transitions = self.problem.system().transitions();
        let body = self.parts[user].inner[0].0;
        for source in StateId::first(transitions.n_states()) {
            if self.parts[user].marked.contains(source) {
                continue;
            }
            let (labels, targets) = transitions.row(source);
            let found = labels.iter().zip(targets).position(|(label, &target)| {
                self.parts[body].marked.contains(target)
                    && (if diamond { label.is_must() } else { label.is_may() })
                    && actions.contains(label.action())
            });
            let looked_at = found.map_or(targets.len(), |position| position + 1);
            self.ticker.tick(looked_at)?;
            self.looked_at += looked_at as u64;
            self.forward += looked_at;
            if let Some(position) = found {
                self.mark_next(user, source, targets[position].raw());
            }
        }
        Ok(())
    }

    /// Goes back from the newly marked states.
    fn step_backward(
        &mut self,
        user: usize,
        actions: &ActionSet,
        batch: &[StateId],
        diamond: bool,
        own: bool,
    ) -> Result<(), StopReason> {
        let prepared = self.problem.prepared;
        prepared.reverse(self.context)?;
        let reversed = prepared.reversed();
        let simple = prepared.uniform && matches!(actions, ActionSet::All);
        let was_idle = self.parts[user].next.is_empty();
        let Part { marked, n_marked, open, moves, next, .. } = &mut self.parts[user];
        let mut arrive = |source: StateId, target: StateId| {
            if own {
                if marked.insert(source) {
                    *n_marked += 1;
                    next.push(source);
                    if let Some(moves) = moves {
                        moves[source.index()] = target.raw();
                    }
                }
            } else {
                let open = &mut open[source.index()];
                *open -= 1;
                if *open == 0 && marked.insert(source) {
                    *n_marked += 1;
                    next.push(source);
                }
            }
        };
        for &state in batch {
            let steps = reversed.row(state);
            self.ticker.tick(steps.len())?;
            self.looked_at += steps.len() as u64;
            if simple {
                steps.iter().for_each(|&(_, source)| arrive(source, state));
            } else {
                for &(label, source) in steps {
                    let relevant = if diamond { label.is_must() } else { label.is_may() };
                    if relevant && actions.contains(label.action()) {
                        arrive(source, state);
                    }
                }
            }
        }
        if was_idle && !self.parts[user].next.is_empty() {
            self.active_next.push(user);
        }
        Ok(())
    }

    fn propagate_hyper(&mut self, user: usize, actions: &ActionSet, batch: &[StateId], own: bool) {
        let system = self.problem.system();
        let index = &self.problem.prepared.hyper;
        for &state in batch {
            for &position in index.reaching(state) {
                let (action, _) = system.hyper_musts().at(position as usize);
                let open = &mut self.parts[user].hyper_open[position as usize];
                if *open == 0 || !actions.contains(action) {
                    continue;
                }
                *open -= 1;
                if *open > 0 {
                    continue;
                }
                let source = index.source[position as usize];
                if own {
                    self.mark_next(user, source, system.n_states() as u32 + position);
                } else {
                    self.parts[user].open[source.index()] -= 1;
                    if self.parts[user].open[source.index()] == 0 {
                        self.mark_next(user, source, NO_MOVE);
                    }
                }
            }
        }
    }

    fn propagate_cover(&mut self, user: usize, batch: &[StateId]) {
        let domain = self.problem.domain();
        for &state in batch {
            for concrete in domain.gamma(state).iter() {
                let settled = match self.sign {
                    Sign::Least => self.parts[user].covered.insert(concrete),
                    Sign::Greatest => {
                        self.parts[user].open[concrete.index()] -= 1;
                        self.parts[user].open[concrete.index()] == 0
                    }
                };
                if !settled {
                    continue;
                }
                if let Some(moves) = &mut self.parts[user].moves {
                    moves[concrete.index()] = state.raw();
                }
                for above in domain.abstractions(concrete).collect::<Vec<_>>() {
                    let complete = match self.sign {
                        Sign::Least => {
                            self.parts[user].open[above.index()] -= 1;
                            self.parts[user].open[above.index()] == 0
                        }
                        Sign::Greatest => true,
                    };
                    if complete {
                        self.mark_now(user, above, NO_MOVE);
                    }
                }
            }
        }
    }

    fn mark_now(&mut self, at: usize, state: StateId, choice: u32) {
        if self.mark(at, state, choice) {
            if self.parts[at].now.is_empty() {
                self.active.push(at);
            }
            self.parts[at].now.push(state);
        }
    }

    fn mark_next(&mut self, at: usize, state: StateId, choice: u32) {
        if self.mark(at, state, choice) {
            if self.parts[at].next.is_empty() {
                self.active_next.push(at);
            }
            self.parts[at].next.push(state);
        }
    }

    fn mark(&mut self, at: usize, state: StateId, choice: u32) -> bool {
        let part = &mut self.parts[at];
        let new = part.marked.insert(state);
        part.n_marked += usize::from(new);
        if new
            && choice != NO_MOVE
            && let Some(moves) = &mut part.moves
        {
            moves[state.index()] = choice;
        }
        new
    }
}
