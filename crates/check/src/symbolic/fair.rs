//! Where fair paths are, and a lasso along one.
//!
//! A *hull* of a set is a part Z of it with a set A of allowed steps such that every cycle of steps of A inside Z can be
//! completed to a fair one: from every state of Z, allowed steps inside Z lead on for ever and to a step of every justice
//! constraint; and where an allowed step satisfies the first of a compassion pair, some that satisfies the second can be
//! reached. The hull computed here is the largest: no step of a fair cycle is ever taken away. Hence a state of the set has a
//! fair path inside the set iff it can reach Z inside the set.
//!
//! Justice alone: Z is the greatest solution of Z = ⋂ₖ E\[Z U (Z ∩ before_Cₖ(Z))\] \[EL86\], and A is everything; Z has all states
//! with a fair path in the set. Compassion after \[KPR98\], on steps instead of states: where the second of a pair can no longer
//! be reached, steps with the first are forbidden; a state that loses all its steps goes, and everything is looked at again.
//!
//! Cost: with justice, at most |Z| rounds of as many least fixpoints as there are constraints; with compassion at most one round
//! per removed state or step.

use super::outcome::SymbolicTrace;
use super::path::Walk;
use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_support::{Context, StopReason};
use tertium_system::SymbolicModel;

/// Which paths are fair: those with infinitely many steps of each `justice` constraint, and for each pair of `compassion`
/// infinitely many of the second if infinitely many of the first. The functions are of current and input bits.
#[derive(Clone, Copy, Debug)]
pub struct Fairness<'a> {
    /// The justice constraints.
    pub justice: &'a [Bdd],
    /// The compassion pairs.
    pub compassion: &'a [(Bdd, Bdd)],
}

impl<'a> Fairness<'a> {
    /// All constraints of a model.
    pub fn of(model: &'a SymbolicModel) -> Self {
        Self { justice: &model.justice, compassion: &model.compassion }
    }

    /// Justice only.
    pub(crate) fn justice_of(model: &'a SymbolicModel) -> Self {
        Self { justice: &model.justice, compassion: &[] }
    }
}

/// States and steps among which fair paths can go on for ever; see the head of the file.
#[derive(Clone, Debug)]
pub struct Hull {
    /// Z: a function of current bits.
    pub states: Bdd,
    /// A: a function of current and input bits.
    pub steps: Bdd,
}

/// The largest hull inside `within`, any set of states of the model.
pub fn fair_hull(
    context: &Context,
    model: &SymbolicModel,
    within: &Bdd,
    fairness: Fairness<'_>,
) -> Result<Hull, StopReason> {
    hull(&Universe::new(context, model, model.invar.clone()), within, fairness)
}

/// A fair path that starts in `start` and stays in `within`, as a lasso, or `None` if there is none. Its stem is a shortest
/// one into the hull, if there is compassion, and its loop goes round by shortest paths from constraint to constraint.
pub fn fair_lasso(
    context: &Context,
    model: &SymbolicModel,
    start: &Bdd,
    within: &Bdd,
    fairness: Fairness<'_>,
) -> Result<Option<SymbolicTrace>, StopReason> {
    let universe = Universe::new(context, model, model.invar.clone());
    let hull = hull(&universe, within, fairness)?;
    lasso(&universe, &hull, &start.and(within)?, within, fairness)
}

/// The largest hull inside `within`.
pub(crate) fn hull(
    universe: &Universe<'_>,
    within: &Bdd,
    fairness: Fairness<'_>,
) -> Result<Hull, StopReason> {
    let mut hull = Hull { states: within.clone(), steps: universe.model.manager.constant(true) };
    loop {
        universe.round()?;
        let before = hull.clone();
        for constraint in fairness.justice {
            hull.states = leading_to(universe, &hull, constraint)?;
        }
        for (first, second) in fairness.compassion {
            let hopeless = leading_to(universe, &hull, second)?.not();
            hull.steps = hull.steps.diff(&hopeless.and(first)?)?;
        }
        // Only what is allowed inside the states counts: otherwise steps elsewhere would keep the loop going.
        if !fairness.compassion.is_empty() {
            hull.steps = hull.steps.and(&hull.states)?;
        }
        if fairness.justice.is_empty() || !fairness.compassion.is_empty() {
            hull.states = going_on(universe, &hull)?;
        }
        if hull.states == before.states && hull.steps == before.steps {
            return Ok(hull);
        }
    }
}

/// The states of the hull from which allowed steps inside lead to one that satisfies `constraint`.
fn leading_to(universe: &Universe<'_>, hull: &Hull, constraint: &Bdd) -> Result<Bdd, StopReason> {
    let steps = hull.steps.and(constraint)?;
    let goal = universe.before_by(&steps, &hull.states)?.and(&hull.states)?;
    universe.until(&hull.steps, &hull.states, &goal)
}

/// The states of the hull from which allowed steps inside lead on for ever.
fn going_on(universe: &Universe<'_>, hull: &Hull) -> Result<Bdd, StopReason> {
    let mut states = hull.states.clone();
    loop {
        universe.round()?;
        let next = universe.before_by(&hull.steps, &states)?.and(&states)?;
        if next == states {
            return Ok(states);
        }
        states = next;
    }
}

/// A fair lasso from `start` through `within` into the hull, or `None` if no such path leads there.
///
/// After \[CGM+95\]: from where the path has come to, visit a step of every constraint, then return to where the visits began.
/// Where there is no way back, the visits begin anew at the end: the path has then left a strongly connected component for
/// good, which happens only finitely often. On a closed loop, a compassion pair whose first was met and whose second was not
/// asks for one more visit; if the second cannot be reached, no allowed step from here has the first.
pub(crate) fn lasso(
    universe: &Universe<'_>,
    hull: &Hull,
    start: &Bdd,
    within: &Bdd,
    fairness: Fairness<'_>,
) -> Result<Option<SymbolicTrace>, StopReason> {
    let anywhere = universe.model.manager.constant(true);
    let Some(mut walk) = Walk::shortest(universe, start, &anywhere, within, &hull.states)? else {
        return Ok(None);
    };
    let mut anchor = walk.end();
    let mut wanted: Vec<&Bdd> = fairness.justice.iter().collect();
    loop {
        for constraint in &wanted {
            if !walk.meets(universe.model, anchor, constraint) {
                let led = walk.extend_by(universe, hull, constraint)?;
                assert!(led, "every state of a hull leads to every constraint");
            }
        }
        if !walk.close(universe, hull, anchor)? {
            if walk.end() == anchor {
                // Nothing was to be visited, and this state is on no cycle.
                walk.step(universe.model, &hull.steps, &hull.states)?;
            }
            anchor = walk.end();
            wanted = fairness.justice.iter().collect();
            continue;
        }
        let missed = fairness.compassion.iter().find(|(first, second)| {
            walk.meets(universe.model, anchor, first) && !walk.meets(universe.model, anchor, second)
        });
        match missed {
            None => return Ok(Some(walk.into_loop(universe.model, anchor))),
            Some((_, second)) => wanted.push(second),
        }
    }
}
