//! Shorter lassos from long ones.
//!
//! Two means, neither of which needs the system: a loop that repeats itself, or that the stem has entered already, is written
//! once; and what lies between two visits of the same state is cut out, if the caller still accepts the rest. Any cut joins a
//! state with itself, so the result is a path again.

use super::outcome::SymbolicTrace;

/// Longer lassos are left as they are, since every cut that is tried costs a look at all that remains.
const LONGEST: usize = 400;

/// A lasso of the same system that is not longer and is accepted, if the given one is.
pub(crate) fn shortened(trace: SymbolicTrace, accepts: impl Fn(&SymbolicTrace) -> bool) -> SymbolicTrace {
    let mut best = folded(trace);
    if best.states.len() > LONGEST {
        return best;
    }
    // Long cuts first. After each, all are tried again, on a shorter path.
    while let Some(shorter) = cuts(&best).into_iter().map(folded).find(|cut| accepts(cut)) {
        debug_assert!(shorter.states.len() < best.states.len(), "a cut makes the lasso shorter");
        best = shorter;
    }
    best
}

/// The same infinite path with the shortest loop and then the shortest stem.
fn folded(mut trace: SymbolicTrace) -> SymbolicTrace {
    let Some(mut start) = trace.loop_start else { return trace };
    debug_assert!(start < trace.states.len(), "the loop begins on the path");
    debug_assert_eq!(trace.states.len(), trace.steps.len(), "every state of a lasso has a step");
    let same = |trace: &SymbolicTrace, a: usize, b: usize| {
        trace.states[a] == trace.states[b] && trace.steps[a] == trace.steps[b]
    };
    let round = trace.states.len() - start;
    let repeats = |period: usize| {
        round.is_multiple_of(period)
            && (start + period..trace.states.len()).all(|at| same(&trace, at, at - period))
    };
    let period = (1..=round).find(|&period| repeats(period)).unwrap_or(round);
    trace.states.truncate(start + period);
    trace.steps.truncate(start + period);
    while start > 0 && same(&trace, start - 1, trace.states.len() - 1) {
        trace.states.pop();
        trace.steps.pop();
        start -= 1;
    }
    trace.loop_start = Some(start);
    trace
}

/// All lassos that lack one stretch between two visits of the same state, the longest stretches first.
fn cuts(trace: &SymbolicTrace) -> Vec<SymbolicTrace> {
    let Some(start) = trace.loop_start else { return Vec::new() };
    let length = trace.states.len();
    // The place after the last is the start of the loop again.
    let state = |at: usize| &trace.states[if at == length { start } else { at }];
    let mut stretches = Vec::new();
    for from in 0..length {
        for to in from + 1..=length {
            // What lies across the start of the loop is no stretch, and a loop has a step.
            let inside = to <= start || from >= start && (from, to) != (start, length);
            if inside && state(from) == state(to) {
                stretches.push((from, to));
            }
        }
    }
    stretches.sort_by_key(|(from, to)| (std::cmp::Reverse(to - from), *from));
    let cut = |(from, to): (usize, usize)| {
        let mut cut = trace.clone();
        cut.states.drain(from..to);
        cut.steps.drain(from..to);
        cut.loop_start = Some(if to <= start { start - (to - from) } else { start });
        cut
    };
    stretches.into_iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lasso through these states, without inputs.
    fn lasso(states: &[u64], start: usize) -> SymbolicTrace {
        SymbolicTrace {
            states: states.iter().map(|&state| vec![state]).collect(),
            steps: vec![Vec::new(); states.len()],
            loop_start: Some(start),
        }
    }

    #[test]
    fn loops_are_written_once_and_begin_early() {
        assert_eq!(folded(lasso(&[1, 2, 3, 2, 3, 2, 3], 1)), lasso(&[1, 2, 3], 1));
        assert_eq!(folded(lasso(&[1, 2, 3, 1, 2], 3)), lasso(&[1, 2, 3, 1, 2], 3));
        assert_eq!(folded(lasso(&[1, 2, 3, 4, 2, 3, 4], 4)), lasso(&[1, 2, 3, 4], 1));
        assert_eq!(folded(lasso(&[5, 5, 5], 2)), lasso(&[5], 0));
    }

    #[test]
    fn stretches_are_cut_out_only_where_the_rest_is_accepted() {
        let long = lasso(&[1, 2, 1, 3, 4, 3, 5], 3);
        assert_eq!(shortened(long.clone(), |_| true), lasso(&[1, 3, 5], 1));
        let visits_four = |trace: &SymbolicTrace| trace.states.contains(&vec![4]);
        assert_eq!(shortened(long.clone(), visits_four), lasso(&[1, 3, 4], 1));
        assert_eq!(shortened(long.clone(), |_| false), long);
    }

    #[test]
    fn every_cut_leaves_a_path() {
        let long = lasso(&[0, 1, 0, 2, 1, 2, 0, 2], 3);
        let step = |trace: &SymbolicTrace, at: usize| {
            let after = if at + 1 == trace.states.len() { trace.loop_start.unwrap() } else { at + 1 };
            (trace.states[at][0], trace.states[after][0])
        };
        let steps: Vec<(u64, u64)> = (0..8).map(|at| step(&long, at)).collect();
        for cut in cuts(&long) {
            assert!((0..cut.states.len()).all(|at| steps.contains(&step(&cut, at))), "{cut:?}");
        }
    }
}
