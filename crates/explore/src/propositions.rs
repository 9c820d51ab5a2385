//! Where terms hold among the states of a graph: run as code on their words, and by the interpreter where code cannot tell.

use crate::code::Code;
use crate::moves::Moves;
use crate::packed::Wide;
use tertium_expr::Term;
use tertium_program::Interpreter;
use tertium_support::Id;
use tertium_system::{StateGraph, StateId, StateSet};

/// What words mean.
pub(crate) struct Seen<'a, 'p> {
    pub(crate) interpreter: &'a Interpreter<'p>,
    pub(crate) moves: &'a Moves,
    pub(crate) wide: &'a Wide,
}

/// The states where terms hold, by term, as sets among `universe` states. `tick` hears of the work.
pub(crate) fn states_where<G: StateGraph, E>(
    seen: &Seen<'_, '_>,
    graph: &G,
    universe: usize,
    terms: &[Term],
    mut tick: impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<StateSet>, E> {
    let program = seen.interpreter.program();
    let layout = seen.moves.layout();
    let compile = |&term: &Term| Code::new(&program.terms, layout, term);
    let codes: Vec<Code> = terms.iter().map(compile).collect();
    let mut sets = vec![StateSet::empty(universe); terms.len()];
    let mut stack = Vec::new();
    for state in StateId::first(graph.n_states()) {
        tick(1 + terms.len())?;
        let words = graph.words(state);
        for ((&term, code), set) in terms.iter().zip(&codes).zip(&mut sets) {
            let by_code = code.run(words, &mut stack);
            stack.clear();
            let holds = by_code.map_or_else(
                || seen.interpreter.holds(&layout.state(seen.wide, words), term),
                |value| value != 0,
            );
            if holds {
                set.insert(state);
            }
        }
    }
    Ok(sets)
}
