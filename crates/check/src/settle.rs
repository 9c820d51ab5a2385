//! Which steps and labels a partial system would have to settle for a formula to have a definite answer.
//!
//! Every set of at most three open parts is tried on copies of the system, small sets first, in the order of the states: a set is
//! *decisive* if the answer is definite whichever way its parts are settled. The first that is found is a smallest one. The work is
//! bounded, so there may be decisive sets that were not tried; then that is said.
//!
//! A copy costs as much as a check, which is linear in system and formula; there are `2^k` of them for a set of `k` parts.

use crate::check::verdict;
use crate::necessity::Prepared;
use crate::{Labelling, Semantics, label};
use tertium_evidence::{OpenPart, Settling};
use tertium_logic::{Formula, FormulaKind};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{Choice, Modality, PartialSystem, PropId};
use tertium_truth::{Belnap, Verdict};

/// The largest sets that are tried.
pub const MOST_SETTLED: usize = 3;
/// What all copies together may cost: well below a second.
const MOST_WORK: u64 = 1 << 24;
/// What a copy costs besides its states and steps.
const COPY: u64 = 2_000;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// A smallest decisive set.
    By(Settling),
    /// There is none, if all sets were tried.
    Nothing {
        /// Whether they were.
        all: bool,
    },
}

/// What is open in a system, as far as a run from an initial state comes by and the formula asks: steps by their source, then labels.
pub fn open_parts(system: &PartialSystem, formula: &Formula) -> Vec<OpenPart> {
    let reached = system.reachable();
    let states = || system.states().filter(|&state| reached.contains(state));
    let steps = states().flat_map(|source| {
        let open = system.edges(source).filter(|edge| edge.modality == Modality::May);
        open.map(move |edge| OpenPart::Step { source, action: edge.action, target: edge.other })
    });
    let is_asked = |proposition: &PropId| {
        let name = system.labels().names().name(*proposition);
        formula
            .preorder()
            .any(|part| matches!(&part.kind, FormulaKind::Proposition(own) if own.as_str() == name))
    };
    let asked: Vec<PropId> = PropId::first(system.labels().names().len()).filter(is_asked).collect();
    let labels = states().flat_map(|state| {
        let open = asked.iter().filter(move |&&own| system.labels().get(own, state) == Belnap::Unknown);
        open.map(move |&proposition| OpenPart::Label { state, proposition })
    });
    steps.chain(labels).collect()
}

/// Looks for a smallest decisive set. Thorough semantics is asked by the standard one, which is definite only where it is.
pub fn settle(
    context: &Context,
    system: &PartialSystem,
    formula: &Formula,
    semantics: Semantics,
) -> Result<Settled, StopReason> {
    let semantics = if semantics == Semantics::Ris { Semantics::Ris } else { Semantics::Sis };
    let parts = open_parts(system, formula);
    let size = system.n_states() + system.transitions().len();
    let nodes = formula.preorder().count();
    let cost = COPY + u64::try_from(size.saturating_mul(nodes)).unwrap_or(u64::MAX);
    let trial = Trial { context, system, formula, semantics };
    let mut copies = MOST_WORK / cost;
    for k in 1..=MOST_SETTLED.min(parts.len()) {
        let mut chosen: Vec<usize> = (0..k).collect();
        loop {
            let set: Vec<OpenPart> = chosen.iter().map(|&at| parts[at]).collect();
            match trial.ways(&set, &mut copies)? {
                Found::Decisive(ways) => return Ok(Settled::By(Settling { parts: set, ways })),
                Found::OutOfWork => return Ok(Settled::Nothing { all: false }),
                Found::Open => {}
            }
            if !advance(&mut chosen, parts.len()) {
                break;
            }
        }
    }
    Ok(Settled::Nothing { all: true })
}

/// The next set of as many numbers below `n`, in the order of dictionaries. Whether there is one.
fn advance(chosen: &mut [usize], n: usize) -> bool {
    let k = chosen.len();
    let Some(at) = (0..k).rev().find(|&at| chosen[at] < n - k + at) else { return false };
    chosen[at] += 1;
    for next in at + 1..k {
        chosen[next] = chosen[next - 1] + 1;
    }
    true
}

enum Found {
    Decisive(Vec<(Vec<bool>, Verdict)>),
    Open,
    OutOfWork,
}

struct Trial<'t> {
    context: &'t Context,
    system: &'t PartialSystem,
    formula: &'t Formula,
    semantics: Semantics,
}

impl Trial<'_> {
    /// All ways to settle a set, as long as they make the answer definite.
    fn ways(&self, set: &[OpenPart], copies: &mut u64) -> Result<Found, StopReason> {
        let mut ways = Vec::new();
        for bits in 0..1usize << set.len() {
            if *copies == 0 {
                return Ok(Found::OutOfWork);
            }
            *copies -= 1;
            let way: Vec<bool> = (0..set.len()).map(|at| bits >> at & 1 == 0).collect();
            let choices: Vec<Choice> =
                set.iter().zip(&way).map(|(&part, &is_so)| choice(part, is_so)).collect();
            let copy = self.system.settled(&choices);
            let prepared = Prepared::new(self.context, &copy)?;
            let labelling = label(self.context, &prepared, self.formula, self.semantics)?;
            match verdict_of(&copy, &labelling) {
                verdict @ (Verdict::True | Verdict::False) => ways.push((way, verdict)),
                Verdict::Unknown(_) => return Ok(Found::Open),
            }
        }
        debug_assert_eq!(ways.len(), 1 << set.len(), "every way is told");
        Ok(Found::Decisive(ways))
    }
}

/// What a labelling says of all initial states.
fn verdict_of(system: &PartialSystem, labelling: &Labelling) -> Verdict {
    let values: Vec<_> = system.initial().iter().map(|&state| (state, labelling.at(state))).collect();
    verdict(&values)
}

fn choice(part: OpenPart, is_so: bool) -> Choice {
    match part {
        OpenPart::Step { source, action, target } => Choice::Step(source, action, target, is_so),
        OpenPart::Label { state, proposition } => Choice::Label(state, proposition, is_so),
    }
}

#[cfg(test)]
mod tests {
    use super::advance;

    #[test]
    fn sets_come_in_the_order_of_dictionaries_and_each_once() {
        let mut chosen = vec![0, 1];
        let mut all = vec![chosen.clone()];
        while advance(&mut chosen, 4) {
            all.push(chosen.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(Vec::from));
        assert!(!advance(&mut [0], 1));
    }
}
