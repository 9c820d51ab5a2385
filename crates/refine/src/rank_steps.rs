//! What the steps of an abstract system do to ranks.
//!
//! Only steps inside strongly connected components matter. Of each, every concrete step that it stands for is asked about: first those of
//! the command between two valuations of control, once for the whole system, and where that does not say that the rank falls, those
//! between the two abstract states.

use crate::hops::{between, relations};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_abstraction::{AbstractSystem, Rank, Ranked, TriState};
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Program};
use tertium_ranking::{Change, Relation, judge};
use tertium_solve::Prover;
use tertium_support::{ComponentSearch, Context, Id, StopReason};
use tertium_system::{ActionId, RankedSteps, StateId};

/// A step of a command between two valuations of control, and a rank before and after.
type Asked = (CommandId, usize, Box<[Value]>, Box<[Value]>, Term, Term);

/// What is known of steps whatever predicates hold.
pub(crate) type Known = FxHashMap<Asked, Change>;

/// What the steps of a system do to these ranks.
pub(crate) fn ranked(
    context: &Context,
    program: &Program,
    prover: &mut Prover<'_>,
    found: &AbstractSystem<TriState>,
    ranks: &[Rank],
    known: &mut Known,
) -> Result<Ranked, StopReason> {
    debug_assert!(ranks.len() <= RankedSteps::MOST, "a set of ranks is one word");
    let inside = inside(found);
    let terms_at: Vec<Vec<Option<Term>>> = ranks
        .iter()
        .map(|rank| found.states.iter().map(|state| rank.at(program, &found.precision, state)).collect())
        .collect();
    let names = ranks.iter().map(|rank| name(program, rank)).collect();
    let mut steps = RankedSteps::new(names);
    let mut changes: BTreeMap<(StateId, ActionId, StateId), (u64, u64)> = BTreeMap::new();
    for &(source, command, target) in
        found.edges.iter().filter(|&&(source, _, target)| inside(source, target))
    {
        context.poll()?;
        let (from, to) = (&found.states[source.index()], &found.states[target.index()]);
        let name = &program.commands()[command.index()].action;
        let action = found.system.actions().get(name).expect("an edge has the action of its command");
        let entry = changes.entry((source, action, target)).or_insert((steps.all(), 0));
        let mut asking = Asking { context, program, prover, found, known, from, to, command };
        for (number, relation) in relations(program, from, command, to) {
            for (rank, terms) in terms_at.iter().enumerate() {
                let change = match (terms[source.index()], terms[target.index()]) {
                    (Some(before), Some(after)) => asking.change(number, &relation, before, after)?,
                    _ => Change::MayGrow,
                };
                if change != Change::Falls {
                    entry.0 &= !(1 << rank);
                }
                if change == Change::MayGrow {
                    entry.1 |= 1 << rank;
                }
            }
        }
    }
    for ((source, action, target), (falls, may_grow)) in changes {
        steps.set(source, action, target, falls, may_grow);
    }
    Ok(Ranked { ranks: ranks.to_vec(), steps: Arc::new(steps) })
}

/// As the user reads a rank: its term, or its terms with the control where each counts.
fn name(program: &Program, rank: &Rank) -> String {
    let print = |term: Term| program.terms.print(term).to_string();
    let terms = rank.terms();
    let [first, rest @ ..] = &terms[..] else { return String::new() };
    if rest.is_empty() {
        return print(*first);
    }
    let shown = terms.iter().take(MOST_SHOWN).map(|&term| {
        let piece = rank.pieces.iter().find(|piece| piece.term == term).expect("a term is that of a piece");
        let control = program.control().iter().zip(&piece.control).map(|(id, value)| {
            let own = program.terms.name(program.variables()[id.index()].variable);
            format!("{own} = {value}")
        });
        let given = piece.given.iter().map(|&literal| print(literal));
        let place: Vec<String> = control.chain(given).collect();
        format!("{} where {}", print(term), place.join(", "))
    });
    let mut shown: Vec<String> = shown.collect();
    if terms.len() > MOST_SHOWN {
        shown.push("…".to_owned());
    }
    format!("({})", shown.join("; "))
}

/// So many terms of a rank are shown.
const MOST_SHOWN: usize = 3;

/// Whether a step stays inside a strongly connected component.
fn inside(found: &AbstractSystem<TriState>) -> impl Fn(StateId, StateId) -> bool + use<> {
    let n = found.states.len();
    let mut targets: Vec<Vec<StateId>> = vec![Vec::new(); n];
    for &(source, _, target) in &found.edges {
        targets[source.index()].push(target);
    }
    let all: Vec<StateId> = StateId::first(n).collect();
    let components =
        ComponentSearch::new(n).components(&all, |state: StateId| &targets[state.index()][..], |_| true);
    let mut of = vec![0; n];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|state| of[state.index()] = number);
    }
    move |source, target| of[source.index()] == of[target.index()]
}

/// Questions about one edge.
struct Asking<'a, 'p> {
    context: &'a Context,
    program: &'a Program,
    prover: &'a mut Prover<'p>,
    found: &'a AbstractSystem<TriState>,
    known: &'a mut Known,
    from: &'a TriState,
    to: &'a TriState,
    command: CommandId,
}

impl Asking<'_, '_> {
    fn change(
        &mut self,
        number: usize,
        relation: &Relation,
        before: Term,
        after: Term,
    ) -> Result<Change, StopReason> {
        let terms = &self.program.terms;
        let (from, to) = (self.from, self.to);
        let asked = (self.command, number, from.control.clone(), to.control.clone(), before, after);
        let change = match self.known.get(&asked) {
            Some(&change) => change,
            None => {
                let change = judge(self.context, terms, self.prover, relation, before, after)?;
                self.known.insert(asked, change);
                change
            }
        };
        if change == Change::Falls {
            return Ok(change);
        }
        let narrow = between(self.program, &self.found.precision, relation, from, to);
        if narrow == *relation {
            return Ok(change);
        }
        judge(self.context, terms, self.prover, &narrow, before, after)
    }
}
