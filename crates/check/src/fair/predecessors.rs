//! The steps of a graph backwards: the sources of the steps into each state, each source once, in compressed rows.
//!
//! Four bytes for each state, and four for each pair of a source and a target.

use tertium_support::{Id, StopReason, Ticker};
use tertium_system::{StateGraph, StateId};

/// Sources by target.
#[derive(Debug)]
pub(super) struct Predecessors {
    /// By state: where its row begins; one more entry than states.
    starts: Vec<u32>,
    sources: Vec<StateId>,
}

impl Predecessors {
    pub(super) fn new<G: StateGraph>(graph: &G, ticker: &mut Ticker<'_>) -> Result<Self, StopReason> {
        let n = graph.n_states();
        let mut starts = vec![0_u32; n + 1];
        each_pair(graph, ticker, |_, target| starts[target.index() + 1] += 1)?;
        for at in 0..n {
            starts[at + 1] += starts[at];
        }
        let mut sources = vec![StateId::new(0); starts[n] as usize];
        let mut next: Vec<u32> = starts[..n].to_vec();
        each_pair(graph, ticker, |source, target| {
            let place = &mut next[target.index()];
            sources[*place as usize] = source;
            *place += 1;
        })?;
        debug_assert!(next.iter().zip(&starts[1..]).all(|(next, end)| next == end), "rows are full");
        let made = Self { starts, sources };
        debug_assert!(
            StateId::first(n).all(|state| made.of(state).is_sorted_by(|one, other| one < other)),
            "sources are in order, each once"
        );
        Ok(made)
    }

    /// The sources of the steps into a state.
    #[inline]
    pub(super) fn of(&self, state: StateId) -> &[StateId] {
        let at = state.index();
        &self.sources[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Each pair of a source and a target once, by source.
fn each_pair<G: StateGraph>(
    graph: &G,
    ticker: &mut Ticker<'_>,
    mut tell: impl FnMut(StateId, StateId),
) -> Result<(), StopReason> {
    // The last source that a target was told with.
    let mut last = vec![u32::MAX; graph.n_states()];
    for source in StateId::first(graph.n_states()) {
        let steps = graph.steps(source);
        ticker.tick(1 + steps.len())?;
        for target in steps.filter_map(|step| graph.step(step).1) {
            if last[target.index()] != source.raw() {
                last[target.index()] = source.raw();
                tell(source, target);
            }
        }
    }
    Ok(())
}
