//! Predicates that exclude a path which no run takes.
//!
//! The conditions of a core are pulled back along the path by weakest preconditions, through calls and returns; what is required
//! at a point speaks of the activation there, and of callers that wait. Inputs, and variables that begin with any value, are
//! eliminated where they are chosen. The atoms of what is required are predicates at that point. A variable of a caller that
//! waits has no place in a callee: it is written as what the callee was given, by a ghost, if it is that up to a constant.

use super::symbolic::{Condition, Executed, chosen};
use crate::Move;
use crate::abstraction::scopes::Scopes;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{BigInt, Substitution, Term, TermKind, Terms, Variable};
use tertium_program::{Action, Call, EdgeId, PointId};
use tertium_support::{Context, StopReason};

/// The most comparisons that are looked at to eliminate what was chosen in a move.
const MOST_ELIMINATED: usize = 64;

/// A predicate, where it is wanted.
pub(crate) type Wanted = (PointId, Term);

/// What excludes a path: the atoms of what the conditions `core` require at each point.
pub(crate) fn explain(
    context: &Context,
    scopes: &Scopes<'_>,
    moves: &[(Move, EdgeId)],
    executed: &Executed,
    core: &[Condition],
) -> Result<Vec<Wanted>, StopReason> {
    let mut ticker = context.ticker("finding predicates for a path");
    let mut back = Back {
        scopes,
        executed,
        moves,
        calls: open_calls(moves),
        required: BTreeSet::new(),
        inverse: BTreeMap::new(),
        frozen: BTreeMap::new(),
        thawed: BTreeMap::new(),
    };
    let mut wanted: BTreeSet<Wanted> = BTreeSet::new();
    for at in (0..=moves.len()).rev() {
        ticker.tick(256)?;
        if let Some(&(what, edge)) = moves.get(at) {
            back.over(at, what, edge);
        }
        let own = core.iter().filter(|condition| condition.at == at);
        back.required.extend(own.map(|condition| condition.here));
        back.eliminate(at);
        let point = match at {
            0 => scopes.icfg.procedure(scopes.icfg.main).entry,
            _ => end_of(scopes, moves[at - 1]),
        };
        for atom in back.atoms() {
            ticker.tick(16)?;
            wanted.extend(back.placed(at, point, atom).map(|atom| (point, atom)));
        }
    }
    Ok(wanted.into_iter().collect())
}

/// Where a move leads.
fn end_of(scopes: &Scopes<'_>, (what, edge): (Move, EdgeId)) -> PointId {
    let edge = scopes.icfg.edge(edge);
    match (what, &edge.action) {
        (Move::Call, Action::Call(call)) => scopes.icfg.procedure(call.callee).entry,
        _ => edge.target,
    }
}

/// After each number of moves, the calls that were begun and have not ended: their moves.
fn open_calls(moves: &[(Move, EdgeId)]) -> OpenCalls {
    let mut parents = Vec::new();
    let (mut innermost, mut of) = (Vec::with_capacity(moves.len() + 1), None);
    innermost.push(None);
    for (at, &(what, _)) in moves.iter().enumerate() {
        parents.push(of);
        match what {
            Move::Step => {}
            Move::Call => of = Some(at),
            Move::Return => of = of.and_then(|call: usize| parents[call]),
        }
        innermost.push(of);
    }
    OpenCalls { parents, innermost }
}

/// Calls as a tree.
struct OpenCalls {
    /// For each move, the call that it happens in.
    parents: Vec<Option<usize>>,
    /// After so many moves, the call that one is in.
    innermost: Vec<Option<usize>>,
}

struct Back<'a, 'p> {
    scopes: &'a Scopes<'p>,
    executed: &'a Executed,
    moves: &'a [(Move, EdgeId)],
    calls: OpenCalls,
    /// What has to hold here for the rest of the core to be possible. Variables of callers that wait are frozen.
    required: BTreeSet<Term>,
    /// For calls that were looked at: what variables of the caller are in terms of ghosts of the callee.
    inverse: BTreeMap<(usize, Variable), Option<Term>>,
    /// The names of variables of callers that wait, by call, and back.
    frozen: BTreeMap<(usize, Variable), Variable>,
    thawed: BTreeMap<Variable, (usize, Variable)>,
}

impl Back<'_, '_> {
    fn terms(&self) -> &Terms {
        self.scopes.terms()
    }

    /// The name of a variable of a caller while the callee of this call runs.
    fn frozen(&mut self, variable: Variable, call: usize) -> Variable {
        let terms = self.scopes.terms();
        *self.frozen.entry((call, variable)).or_insert_with(|| {
            let name = terms.declare(&format!("{}|{call}", terms.name(variable)), &terms.sort_of(variable));
            self.thawed.insert(name, (call, variable));
            name
        })
    }

    /// Goes back over a move.
    fn over(&mut self, at: usize, what: Move, edge: EdgeId) {
        let scopes = self.scopes;
        let terms = scopes.terms();
        let mut before = match (what, &scopes.icfg.edge(edge).action) {
            (Move::Step, _) => match &self.executed.steps[at] {
                Some(step) => step.substitution(),
                None => return,
            },
            (Move::Return, Action::Call(call)) => {
                let begun = self.calls.innermost[at].expect("what returns was called");
                self.before_return(begun, call)
            }
            (Move::Call, Action::Call(call)) => {
                let callee = scopes.icfg.procedure(call.callee);
                let choices = self.executed.choices[at].iter();
                let mut replaced: BTreeMap<Variable, Term> =
                    choices.map(|&(variable, name)| (variable, terms.variable(name))).collect();
                for &variable in &callee.variables {
                    replaced.entry(variable).or_insert_with(|| terms.variable(chosen(scopes, variable, at)));
                }
                replaced.extend(callee.formals.iter().copied().zip(call.arguments.iter().copied()));
                let frozen = self.frozen.range((at, Variable::from_raw(0))..(at + 1, Variable::from_raw(0)));
                replaced.extend(frozen.map(|(&(_, variable), &name)| (name, terms.variable(variable))));
                Substitution::new(replaced)
            }
            (_, Action::Step(_)) => unreachable!("moves fit their edges"),
        };
        let required = std::mem::take(&mut self.required);
        for term in required {
            let term = before.apply(terms, term);
            self.required.extend(terms.conjuncts(term));
        }
        self.required.retain(|&term| terms.as_bool(term).is_none());
    }

    fn before_return(&mut self, begun: usize, call: &Call) -> Substitution {
        let scopes = self.scopes;
        let terms = scopes.terms();
        let mut replaced = BTreeMap::new();
        let said: BTreeSet<Variable> =
            self.required.iter().flat_map(|&term| terms.variables_of(term)).collect();
        for variable in said {
            if scopes.icfg.cell(variable).is_some_and(|cell| cell.owner.is_some()) {
                let name = self.frozen(variable, begun);
                replaced.insert(variable, terms.variable(name));
            }
        }
        let results = &scopes.icfg.procedure(call.callee).results;
        for (result, taker) in results.iter().zip(&call.results) {
            replaced.extend(taker.map(|taker| (taker, terms.variable(*result))));
        }
        Substitution::new(replaced)
    }

    /// Takes out what is chosen in the next move, as far as that succeeds.
    fn eliminate(&mut self, at: usize) {
        let Some(choices) = self.executed.choices.get(at).filter(|choices| !choices.is_empty()) else {
            return;
        };
        let terms = self.scopes.terms();
        let names: BTreeSet<Variable> = choices.iter().map(|&(_, name)| name).collect();
        let (with, without): (Vec<Term>, Vec<Term>) =
            self.required.iter().partition(|&&term| !terms.variables_of(term).is_disjoint(&names));
        if with.is_empty() {
            return;
        }
        let (left, _) = terms.eliminate_some(names, terms.and(with), MOST_ELIMINATED);
        self.required = without.into_iter().chain(terms.conjuncts(left)).collect();
    }

    fn atoms(&self) -> BTreeSet<Term> {
        self.required.iter().flat_map(|&term| self.terms().atoms_of(term)).collect()
    }

    /// An atom as a predicate at a point, if it can be said there.
    fn placed(&mut self, at: usize, point: PointId, atom: Term) -> Option<Term> {
        let terms = self.scopes.terms();
        let mut atom = atom;
        loop {
            let variables = terms.variables_of(atom);
            let frozen =
                variables.iter().filter_map(|variable| Some((*self.thawed.get(variable)?, *variable)));
            // The oldest caller first: what it knows is said in terms of the next.
            let Some(((call, own), name)) = frozen.min() else { break };
            let value = self.inverted(at, call, own)?;
            atom = Substitution::new([(name, value)]).apply(terms, atom);
        }
        self.scopes.predicate(point, atom)
    }

    /// A variable of the caller of a call, as the activation that runs after `at` moves, or the caller of the next call, sees it.
    fn inverted(&mut self, at: usize, call: usize, variable: Variable) -> Option<Term> {
        let scopes = self.scopes;
        let terms = scopes.terms();
        let own = match self.inverse.get(&(call, variable)) {
            Some(&known) => known,
            None => {
                let own = self.given(call, variable);
                self.inverse.insert((call, variable), own);
                own
            }
        }?;
        let mut next = self.calls.innermost[at]?;
        if next == call {
            return Some(own);
        }
        while self.calls.parents[next] != Some(call) {
            next = self.calls.parents[next]?;
        }
        let mut replaced = Vec::new();
        for inside in terms.variables_of(own) {
            // Ghosts of an activation that waits have no name.
            if scopes.icfg.cell(inside)?.owner.is_some() {
                replaced.push((inside, terms.variable(self.frozen(inside, next))));
            }
        }
        Some(Substitution::new(replaced).apply(terms, own))
    }

    /// A variable of the caller, in terms of the callee: of what it was given, or a constant.
    fn given(&self, call: usize, variable: Variable) -> Option<Term> {
        let scopes = self.scopes;
        let terms = scopes.terms();
        let Action::Call(what) = &scopes.icfg.edge(self.moves[call].1).action else { return None };
        let inside = |outside: Variable| {
            let ghost = scopes.entries.ghost(outside)?;
            let is_same = !scopes.may_change(what.callee, outside);
            Some(terms.variable(if is_same { outside } else { ghost }))
        };
        let formals = &scopes.icfg.procedure(what.callee).formals;
        for (&formal, &argument) in formals.iter().zip(&what.arguments) {
            match terms.kind(argument) {
                TermKind::Variable(own) if own == variable => return inside(formal),
                TermKind::Sum(constant, parts)
                    if parts.len() == 1 && parts[0].1 == terms.variable(variable) =>
                {
                    let rest = terms.difference(inside(formal)?, terms.integer(constant));
                    if parts[0].0 == BigInt::from(1) {
                        return Some(rest);
                    }
                    if parts[0].0 == BigInt::from(-1) {
                        return Some(terms.scaled(-1, rest));
                    }
                }
                _ => {}
            }
        }
        let known = self.executed.at_calls.get(&call)?;
        let value = *known.get(&variable)?;
        if terms.as_value(value).is_some() {
            return Some(value);
        }
        let same = scopes.icfg.globals().iter().find(|global| known.get(global) == Some(&value));
        same.and_then(|&global| inside(global))
    }
}
