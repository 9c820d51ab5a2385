//! Components with fixpoints of one sign, for a block of instances: changes spread along reversed transitions.
//!
//! For least fixpoints every word starts empty and only grows, for greatest ones it starts full and only shrinks; a word is looked at
//! again when one it depends on has changed, until nothing changes. At a modality that can use one step (a
//! diamond that grows, a box that shrinks) the change is handed over as it is. One that needs all steps looks at them, but begins where it
//! last found what holds it back and stops as soon as that is enough to hold it back again: what used to be a counter for each
//! state cannot be kept for 64 instances at once.

use super::block::{Block, Value, diamond};
use crate::equations::{EquationId, Operator};
use crate::necessity::Prepared;
use std::collections::VecDeque;
use tertium_logic::Sign;
use tertium_support::{Id, IdSet, StopReason, Ticker};
use tertium_system::StateId;

tertium_support::define_id!(
    /// A word: an equation of the component at a state.
    CellId
);

/// One equation of the component.
struct Part<'a> {
    operator: &'a Operator,
    /// The operands, inside the component by their position.
    operands: Vec<Operand<'a>>,
    /// The equations of the component that have this one as an operand.
    users: Vec<usize>,
    words: Vec<u64>,
    /// For modalities that need all steps: where to begin looking, by state.
    first: Vec<u32>,
}

enum Operand<'a> {
    Inside(usize),
    Outside(Value<'a>),
}

impl Block<'_> {
    /// Solves a component.
    pub(super) fn spread(&mut self, members: &[EquationId], sign: Sign) -> Result<(), StopReason> {
        let n = self.system().n_states();
        self.context.reserve((12 * n * members.len()) as u64)?;
        self.side.prepared.reverse(self.context)?;
        let mut spread = Spread {
            block: self,
            prepared: self.side.prepared,
            n,
            sign,
            parts: members.iter().map(|&member| self.part(members, member, sign)).collect(),
            queue: VecDeque::new(),
            queued: IdSet::empty(n * members.len()),
        };
        let mut ticker = self.context.ticker("instances");
        spread.run(&mut ticker)?;
        let found: Vec<Vec<u64>> = spread.parts.into_iter().map(|part| part.words).collect();
        for (&member, words) in members.iter().zip(found) {
            self.set(member, Value::Words(words.into()));
        }
        Ok(())
    }

    fn part(&self, members: &[EquationId], member: EquationId, sign: Sign) -> Part<'_> {
        debug_assert!(members.is_sorted(), "members are looked up");
        let equations = &self.side.equations;
        let operator = equations.operator(member);
        let operand = |operand: &EquationId| match members.binary_search(operand) {
            Ok(at) => Operand::Inside(at),
            Err(_) => Operand::Outside(self.value(*operand)),
        };
        let uses = |other: &EquationId| equations.operator(*other).operands().contains(&member);
        let n = self.system().n_states();
        let needs_all = matches!(
            (operator, sign),
            (Operator::Box(..), Sign::Least) | (Operator::Diamond(..), Sign::Greatest)
        );
        Part {
            operator,
            operands: operator.operands().iter().map(operand).collect(),
            users: (0..members.len()).filter(|&at| uses(&members[at])).collect(),
            words: vec![if sign == Sign::Greatest { !0 } else { 0 }; n],
            first: vec![0; if needs_all { n } else { 0 }],
        }
    }
}

struct Spread<'a> {
    block: &'a Block<'a>,
    prepared: &'a Prepared<'a>,
    n: usize,
    sign: Sign,
    parts: Vec<Part<'a>>,
    /// The words whose change was not told to their users yet.
    queue: VecDeque<CellId>,
    queued: IdSet<CellId>,
}

impl Spread<'_> {
    fn run(&mut self, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        for at in 0..self.parts.len() {
            for state in StateId::first(self.n) {
                let looked_at = self.look(at, state);
                ticker.tick(looked_at)?;
            }
        }
        while let Some(cell) = self.queue.pop_front() {
            self.queued.remove(cell);
            let (at, state) = (cell.index() / self.n, StateId::new(cell.index() % self.n));
            for user in 0..self.parts[at].users.len() {
                let looked_at = self.tell(self.parts[at].users[user], at, state);
                ticker.tick(looked_at)?;
            }
        }
        debug_assert!(self.queued.is_empty(), "every change was told");
        Ok(())
    }

    /// Tells a user that an operand of it changed at a state; gives how much was looked at.
    fn tell(&mut self, user: usize, operand: usize, state: StateId) -> usize {
        let set = match self.parts[user].operator {
            Operator::Diamond(set, _) | Operator::Box(set, _) => *set,
            _ => return self.look(user, state),
        };
        let prepared = self.prepared;
        let actions = self.block.side.equations.actions(set);
        let is_diamond = matches!(self.parts[user].operator, Operator::Diamond(..));
        let needs_all = !self.parts[user].first.is_empty();
        let word = self.parts[operand].words[state.index()];
        let mut looked_at = 1;
        for &(label, source) in prepared.reversed().row(state) {
            let counts = if is_diamond { label.is_must() } else { label.is_may() };
            if !counts || !actions.contains(label.action()) {
                continue;
            }
            looked_at += 1;
            if needs_all {
                looked_at += self.look(user, source);
            } else {
                self.hand_over(user, source, word);
            }
        }
        if is_diamond {
            for &position in prepared.hyper.reaching(state) {
                looked_at += self.look(user, prepared.hyper.source[position as usize]);
            }
        }
        looked_at
    }

    /// One step is enough: a diamond grows, or a box shrinks, by what its target has.
    fn hand_over(&mut self, at: usize, state: StateId, word: u64) {
        let before = self.parts[at].words[state.index()];
        let after = if self.sign == Sign::Least { before | word } else { before & word };
        self.change(at, state, after);
    }

    fn change(&mut self, at: usize, state: StateId, after: u64) {
        let word = &mut self.parts[at].words[state.index()];
        debug_assert!(
            match self.sign {
                Sign::Least => *word & !after == 0,
                Sign::Greatest => after & !*word == 0,
            },
            "words of least fixpoints grow, those of greatest ones shrink"
        );
        if *word == after {
            return;
        }
        *word = after;
        let cell = CellId::new(at * self.n + state.index());
        if self.queued.insert(cell) {
            self.queue.push_back(cell);
        }
    }

    /// Computes a word from its operands; gives how much was looked at.
    fn look(&mut self, at: usize, state: StateId) -> usize {
        let part = &self.parts[at];
        let operand = |operand: &Operand<'_>, state: StateId| match operand {
            Operand::Inside(other) => self.parts[*other].words[state.index()],
            Operand::Outside(value) => value.at(state),
        };
        let system = self.prepared.system();
        let (after, looked_at) = match part.operator {
            Operator::And(_) => {
                let words = part.operands.iter().map(|one| operand(one, state));
                (words.fold(!0, |all, word| all & word), 1)
            }
            Operator::Or(_) => {
                let words = part.operands.iter().map(|one| operand(one, state));
                (words.fold(0, |any, word| any | word), 1)
            }
            Operator::Fixpoint { .. } => (operand(&part.operands[0], state), 1),
            Operator::Diamond(set, _) => {
                let actions = self.block.side.equations.actions(*set);
                let word = |target: StateId| operand(&part.operands[0], target);
                match self.sign {
                    Sign::Least => {
                        (diamond(system, actions, state, word), system.transitions().range(state).len())
                    }
                    Sign::Greatest => return self.look_all(at, state),
                }
            }
            Operator::Box(..) => match self.sign {
                Sign::Least => return self.look_all(at, state),
                // Full at first, and then only told what to lose.
                Sign::Greatest => return 1,
            },
            Operator::Constant(_) | Operator::Literal { .. } | Operator::Cover(_) => {
                unreachable!("these depend on nothing, and covers are not of the standard semantics")
            }
        };
        self.change(at, state, after);
        looked_at
    }

    /// A box that may have grown, or a diamond that may have shrunk: all steps count, until the word is found to be as before.
    fn look_all(&mut self, at: usize, state: StateId) -> usize {
        let part = &self.parts[at];
        let (Operator::Diamond(set, _) | Operator::Box(set, _)) = part.operator else {
            unreachable!("only modalities look along steps")
        };
        let actions = self.block.side.equations.actions(*set);
        let word = |target: StateId| match &part.operands[0] {
            Operand::Inside(other) => self.parts[*other].words[target.index()],
            Operand::Outside(value) => value.at(target),
        };
        let is_box = self.sign == Sign::Least;
        let system = self.prepared.system();
        let before = part.words[state.index()];
        let (labels, targets) = system.transitions().row(state);
        // For a box the instances that no step rules out, for a diamond those that no step gives: it is done when all are decided.
        let mut after = if is_box { !0 } else { 0 };
        let first = part.first[state.index()] as usize;
        let mut looked_at = 0;
        for step in (first..labels.len()).chain(0..first) {
            looked_at += 1;
            let label = labels[step];
            let counts = if is_box { label.is_may() } else { label.is_must() };
            if !counts || !actions.contains(label.action()) {
                continue;
            }
            let here = word(targets[step]);
            after = if is_box { after & here } else { after | here };
            let as_before = if is_box { after & !before == 0 } else { before & !after == 0 };
            if as_before {
                self.parts[at].first[state.index()] = step as u32;
                return looked_at;
            }
        }
        if !is_box {
            for (action, targets) in system.hyper_musts().of(state) {
                looked_at += targets.len() + 1;
                if actions.contains(action) {
                    after |= targets.iter().fold(!0, |all, &target| all & word(target));
                }
            }
        }
        self.change(at, state, after);
        looked_at
    }
}
