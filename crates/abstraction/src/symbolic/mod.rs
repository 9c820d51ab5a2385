//! Predicate abstraction as decision diagrams: may and must relations without looking at single abstract states.
//!
//! At one control location, a command falls into moves, and a move into groups of predicates that share variables
//! (`site`). What a group says depends on the few predicates in it, so its relation is a small table; the relation of
//! the move is the conjunction of its groups, and predicates that keep their value need nothing at all. The solver is
//! asked the same questions as when single states are explored, each once, and how many abstract states there are does
//! not matter \[Wei09, §5.7\].
//!
//! All predicates count everywhere: a predicate is a variable of the diagrams, and one that a step keeps or that
//! nothing asks for costs nothing there, so precision by location would save no states, and steps between locations
//! would have to forget predicates.
//!
//! Control is followed from where the program begins, by moves that are possible for some predicates. So there are
//! locations for what may be reached by control, whatever the predicates say on the way.
//!
//! | file | holds |
//! |---|---|
//! | `relations` | may and must of the moves |
//! | `musts` | vectors that all states can be led to, by several ways and inputs together |
//! | `labels` | initial states, and propositions |

mod labels;
mod musts;
mod relations;

use crate::PredicateAbstraction;
use crate::site::Union;
use crate::sources::Sources;
use crate::state::at_control;
use indexmap::IndexSet;
use relations::Relations;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tertium_dd::{Bdd, Manager};
use tertium_expr::{Term, Value};
use tertium_support::{Context, Id, Interner, StopReason};
use tertium_system::ActionId;
use tertium_system::monomials::{LocationId, MonomialFrame, MonomialLocation, MonomialSystem};

/// A program seen through predicates, as decision diagrams.
#[derive(Debug)]
pub struct SymbolicAbstraction {
    /// The system; predicates have the numbers of their ids.
    pub system: MonomialSystem,
    /// The control of each location.
    pub controls: IndexSet<Box<[Value]>>,
    /// Whether the program may begin somewhere.
    pub begins: bool,
}

/// Builds the abstraction of everything that control may reach, with these propositions. All predicates have to be
/// global. The diagrams belong to `manager`, which has to be new.
pub fn explore_symbolic(
    context: &Context,
    abstraction: &mut PredicateAbstraction<'_>,
    propositions: &[(String, Term)],
    manager: &Manager,
) -> Result<SymbolicAbstraction, StopReason> {
    let program = abstraction.program();
    assert!(abstraction.precision().is_all_global(), "diagrams have all predicates everywhere");
    let frame = MonomialFrame::new(manager, &order(abstraction));
    let actions: Interner<ActionId> =
        program.commands().iter().map(|command| command.action.as_str()).collect();
    let mut inhabited: FxHashMap<*const Sources, Vec<Bdd>> = FxHashMap::default();
    let mut controls: IndexSet<Box<[Value]>> =
        labels::initial_controls(context, program)?.into_iter().collect();
    let n_initial = controls.len();
    let mut locations: Vec<MonomialLocation> = Vec::new();
    let mut begins = false;
    let mut ticker = context.ticker("following control");
    while let Some(control) = controls.get_index(locations.len()).cloned() {
        ticker.tick(1)?;
        let mut here = at_control(program, &control);
        let sources = abstraction.sources(context, &control)?;
        let inhabited = match inhabited.get(&Rc::as_ptr(&sources)) {
            Some(parts) => parts.clone(),
            None => inhabited.entry(Rc::as_ptr(&sources)).or_insert(sources.inhabited(&frame)?).clone(),
        };
        let mut relations = Relations { context, abstraction, frame: &frame, sources: &sources };
        let (may, must) = relations.at(&control)?;
        let mut moves = |made: Vec<relations::Made>| {
            let made = made.into_iter().map(|made| {
                let (target, _) = controls.insert_full(made.control);
                let action = &program.commands()[made.command.index()].action;
                let action = actions.get(action).expect("all actions are there");
                tertium_system::monomials::MonomialMove {
                    action,
                    target: LocationId::new(target),
                    changed: made.changed,
                    relation: made.relation,
                }
            });
            made.collect()
        };
        let (may, must) = (moves(may), moves(must));
        let initial = match locations.len() < n_initial {
            true => labels::initial(context, abstraction, &frame, &sources, &control)?,
            false => labels::Initial::empty(manager),
        };
        begins |= !initial.possible.is_false();
        let labels = propositions
            .iter()
            .map(|&(_, term)| {
                labels::label(context, abstraction, &frame, &sources, here.apply(&program.terms, term))
            })
            .collect::<Result<_, _>>()?;
        locations.push(MonomialLocation {
            inhabited,
            initial: initial.possible,
            surely_initial: initial.certain,
            labels,
            may,
            must,
        });
    }
    let propositions = propositions.iter().map(|(name, _)| name.as_str()).collect();
    Ok(SymbolicAbstraction {
        system: MonomialSystem { frame, actions, propositions, locations },
        controls,
        begins,
    })
}

/// The predicates, those that share variables next to each other.
fn order(abstraction: &PredicateAbstraction<'_>) -> Vec<usize> {
    let terms = &abstraction.program().terms;
    let mut union = Union::default();
    abstraction.precision().iter().for_each(|&predicate| union.join(terms, predicate));
    let mut order: Vec<_> = abstraction
        .precision()
        .iter()
        .enumerate()
        .map(|(n, &predicate)| {
            let first = terms.variables_of(predicate).into_iter().next();
            (first.map(|variable| union.root(variable)), n)
        })
        .collect();
    order.sort();
    order.into_iter().map(|(_, n)| n).collect()
}
