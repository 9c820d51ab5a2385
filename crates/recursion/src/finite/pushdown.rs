//! The operational semantics as a pushdown system, by saturation \[BEM97\]: the reference for everything without a stack.
//!
//! A stack has the state of the running activation on top, and below it for each activation that waits its state and the
//! call edge. An exit state is popped, and carried by the control state to the waiting activation. With rules ⟨p, γ⟩ → ⟨q, w⟩,
//! |w| ≤ 2, the configurations from which a regular set is reached are regular again: if ⟨p, γ⟩ → ⟨q, w⟩ and the automaton
//! reads w from q to r, it may read γ from p to r.
//!
//! *EF*: the set is all stacks with a goal on top. *Infinite runs*: there is one from a configuration iff it reaches one whose
//! head (p, γ) *repeats*, that is, leads to itself with more below. Heads repeat that lie on a cycle of the head graph:
//! (p, γ) → (q, γ') if there is a rule ⟨p, γ⟩ → ⟨q, γ' w⟩, and (p, γ) → (r, γ'') if there is a rule ⟨p, γ⟩ → ⟨q, γ' γ''⟩ and
//! ⟨q, γ'⟩ can be popped to r, which saturation of the empty stacks says.
//!
//! Nothing here knows summaries. Cost: cubic at worst.

use super::FiniteProgram;
use rustc_hash::{FxHashMap, FxHashSet};
use tertium_program::EdgeId;

/// A state of the automaton: the control state in which procedures run, one for each exit state that is carried, and one that
/// accepts.
type Reader = usize;
/// What lies on the stack, by number: states first, then waiting activations.
type Symbol = usize;

/// A rule.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Pop(Reader),
    Swap(Reader, Symbol),
    Push(Reader, Symbol, Symbol),
}

/// A finite program as a pushdown system.
#[derive(Debug)]
pub struct Pushdown {
    n_states: usize,
    n_symbols: usize,
    rules: FxHashMap<(Reader, Symbol), Vec<Rule>>,
}

const RUN: Reader = 0;

impl Pushdown {
    /// The pushdown system of a program.
    pub fn new(program: &FiniteProgram<'_>) -> Self {
        let n_states = program.n_states();
        let mut rules: FxHashMap<(Reader, Symbol), Vec<Rule>> = FxHashMap::default();
        let mut waiting: Vec<(EdgeId, usize)> = Vec::new();
        for state in 0..n_states {
            let own = rules.entry((RUN, state)).or_default();
            own.extend(program.steps(state).iter().map(|&(_, target)| Rule::Swap(RUN, target)));
            for (edge, entries) in program.calls(state) {
                let below = n_states + waiting.len();
                waiting.push((*edge, state));
                own.extend(entries.iter().map(|&entry| Rule::Push(RUN, entry, below)));
            }
        }
        for procedure in program.icfg().procedures() {
            for exit in program.states_at(procedure.exit) {
                rules.entry((RUN, exit)).or_default().push(Rule::Pop(carries(exit)));
            }
        }
        for (index, &(edge, caller)) in waiting.iter().enumerate() {
            let tertium_program::Action::Call(call) = &program.icfg().edge(edge).action else {
                unreachable!("calls are along edges that call")
            };
            for exit in program.states_at(program.icfg().procedure(call.callee).exit) {
                if let Some(after) = program.after_return(caller, edge, exit) {
                    let own = rules.entry((carries(exit), n_states + index)).or_default();
                    own.push(Rule::Swap(RUN, after));
                }
            }
        }
        Self { n_states, n_symbols: n_states + waiting.len(), rules }
    }

    /// By state: whether a run that has nothing but this state on the stack can come to a goal on top.
    pub fn reaching(&self, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        self.tops((0..self.n_states).filter(|&state| goal(state)).collect())
    }

    /// By state: whether a run that has nothing but this state on the stack can go on for ever.
    pub fn diverging(&self) -> Vec<bool> {
        let heads = self.heads();
        let repeats = |&head: &Symbol| on_a_cycle(&heads, head);
        // Waiting activations are not tops of configurations in which procedures run, and the others repeat with them.
        self.tops((0..self.n_states).filter(repeats).collect())
    }

    /// By state: whether, alone on the stack, it leads to a stack with one of `tops` on top.
    fn tops(&self, tops: Vec<Symbol>) -> Vec<bool> {
        let accepts = carries(self.n_states);
        let mut reads: Vec<(Reader, Symbol, Reader)> =
            tops.into_iter().map(|top| (RUN, top, accepts)).collect();
        reads.extend((0..self.n_symbols).map(|symbol| (accepts, symbol, accepts)));
        let reads = self.saturate(reads);
        (0..self.n_states).map(|state| reads.contains(&(RUN, state, accepts))).collect()
    }

    /// The head graph of the states in which procedures run.
    fn heads(&self) -> Vec<Vec<Symbol>> {
        let pops = self.saturate(Vec::new());
        let mut popped: FxHashMap<Symbol, Vec<Reader>> = FxHashMap::default();
        for &(from, symbol, to) in &pops {
            if from == RUN {
                popped.entry(symbol).or_default().push(to);
            }
        }
        let own = |state: Symbol| {
            let mut next = Vec::new();
            for &rule in self.rules.get(&(RUN, state)).into_iter().flatten() {
                match rule {
                    Rule::Pop(_) => {}
                    Rule::Swap(_, symbol) => next.push(symbol),
                    Rule::Push(_, top, below) => {
                        next.push(top);
                        // The waiting activation swaps to a running one at once.
                        for &reader in popped.get(&top).into_iter().flatten() {
                            for &rule in self.rules.get(&(reader, below)).into_iter().flatten() {
                                if let Rule::Swap(_, symbol) = rule {
                                    next.push(symbol);
                                }
                            }
                        }
                    }
                }
            }
            next
        };
        (0..self.n_states).map(own).collect()
    }

    /// All transitions of the automaton for the configurations that lead to those which `reads` accepts.
    fn saturate(&self, reads: Vec<(Reader, Symbol, Reader)>) -> FxHashSet<(Reader, Symbol, Reader)> {
        let mut found = FxHashSet::default();
        let mut from: FxHashMap<(Reader, Symbol), Vec<Reader>> = FxHashMap::default();
        // Rules by what has to be read next, with what is added then; for a push, first by its top and then by what is below.
        type Waits = FxHashMap<(Reader, Symbol), Vec<(Reader, Symbol, Option<Symbol>)>>;
        let mut waits: Waits = FxHashMap::default();
        let mut queue = reads;
        for (&(control, symbol), rules) in &self.rules {
            for &rule in rules {
                match rule {
                    Rule::Pop(to) => queue.push((control, symbol, to)),
                    Rule::Swap(to, next) => {
                        waits.entry((to, next)).or_default().push((control, symbol, None))
                    }
                    Rule::Push(to, top, below) => {
                        waits.entry((to, top)).or_default().push((control, symbol, Some(below)));
                    }
                }
            }
        }
        while let Some(read) = queue.pop() {
            if !found.insert(read) {
                continue;
            }
            let (reader, symbol, to) = read;
            from.entry((reader, symbol)).or_default().push(to);
            for (control, top, below) in waits.get(&(reader, symbol)).cloned().unwrap_or_default() {
                let Some(below) = below else {
                    queue.push((control, top, to));
                    continue;
                };
                waits.entry((to, below)).or_default().push((control, top, None));
                let ends = from.get(&(to, below)).into_iter().flatten();
                queue.extend(ends.map(|&end| (control, top, end)));
            }
        }
        found
    }
}

/// The control state that carries an exit state.
fn carries(exit: usize) -> Reader {
    exit + 1
}

/// Whether a node can come back to itself.
fn on_a_cycle(graph: &[Vec<usize>], node: usize) -> bool {
    let (mut seen, mut queue) = (FxHashSet::default(), graph[node].clone());
    while let Some(next) = queue.pop() {
        if next == node {
            return true;
        }
        if seen.insert(next) {
            queue.extend(&graph[next]);
        }
    }
    false
}
