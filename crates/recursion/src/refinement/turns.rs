//! Whether points are reached, by suggestions of whole proofs and by rounds of refinement, in turn.
//!
//! In each turn a solver for Horn clauses is asked in all ways that are left, first about [copies](Horn::special) of relations for
//! constants. Then rounds of refinement may cost about as much. In the next turn all may cost four times as much.
//!
//! What is suggested is judged like any other proof, obligation by obligation. Where it does not stand, or not all of it was told, it
//! counts as predicates. Predicates and what was found out about steps stay from turn to turn.

use super::decide::prover;
use super::refiner::Refiner;
use super::{Answer, Evidence, Obstacle, Settings};
use crate::abstraction::scopes::Scopes;
use crate::{
    Hints, Horn, Judgement, Special, Suggestion, Try, candidates_for, candidates_for_copies, validate,
};
use tertium_program::{Icfg, PointId};
use tertium_solve::{HornWay, UNITS_PER_STEP};
use tertium_support::{Context, Limits, StopReason};
use tertium_truth::Kleene;

/// The solver's steps in the first turn, in each way: some hundredths of a second.
const FIRST_STEPS: u32 = 1 << 15;
/// At most this.
const MOST_STEPS: u32 = 1 << 31;
/// Each turn has so many times the steps of the one before.
const GROWTH: u32 = 4;

/// What comes second gets this part of the steps.
const SMALLER: u32 = 2;

/// The part of the steps that a way gets. Less is told where relations are put into others.
fn share(way: HornWay) -> u32 {
    match way {
        HornWay::Farkas => 1,
        HornWay::Inlined => SMALLER,
        HornWay::Cores => SMALLER * SMALLER,
    }
}

/// Whether some run comes to one of these points, with at most so many rounds of refinement.
pub fn reach_in_turns(context: &Context, icfg: &Icfg, targets: &[PointId], rounds: usize) -> Answer {
    let turns = turns(context);
    let scopes = Scopes::new(icfg);
    let settings = Settings { rounds, ..Settings::default() };
    let mut prover = prover();
    let mut refiner = Refiner::new(context, &scopes, &settings, &mut prover, true);
    let mut asking = Asking::new(context, &scopes, targets);
    for (turn, steps) in &turns {
        for about in [About::Copies, About::Clauses] {
            let Some(hints) = asking.suggested(about, *steps) else { continue };
            if asking.stands(&hints) {
                return refiner.suggested(hints);
            }
            refiner.take_up(&hints);
        }
        refiner.context = turn;
        let (value, evidence) = match refiner.reach(targets) {
            Ok((_, Evidence::Open(Obstacle::Path { .. }))) if !asking.is_over() => continue,
            Ok(answered) => answered,
            Err(_) => match context.poll() {
                Ok(()) => continue,
                Err(reason) => (Kleene::Unknown, Evidence::Open(Obstacle::Stopped(reason))),
            },
        };
        return refiner.answer(value, evidence);
    }
    let reason = context.poll().err().unwrap_or(StopReason::WorkLimit);
    refiner.answer(Kleene::Unknown, Evidence::Open(Obstacle::Stopped(reason)))
}

/// Parts of a run for the rounds of each turn, and the steps for suggestions before them. The last one has all that is left.
fn turns(context: &Context) -> Vec<(Context, u32)> {
    let steps = std::iter::successors(Some(FIRST_STEPS), |steps| steps.checked_mul(GROWTH));
    let steps = steps.take_while(|&steps| steps <= MOST_STEPS);
    let part = |steps: u32| {
        let work = steps.checked_mul(GROWTH).map(|_| u64::from(steps / SMALLER) * UNITS_PER_STEP);
        (context.branch_with(Limits { work, ..Limits::default() }).0, steps)
    };
    steps.map(part).collect()
}

/// What is asked about.
#[derive(Clone, Copy)]
enum About {
    /// Copies of relations for constants.
    Copies,
    /// The clauses as they are.
    Clauses,
}

/// What is asked of a solver for Horn clauses.
struct Asking<'a> {
    context: &'a Context,
    scopes: &'a Scopes<'a>,
    targets: &'a [PointId],
    horn: Horn,
    /// Copies for constants, as long as they are asked about.
    special: Option<Special>,
    /// Ways that have found nothing yet.
    ways: Vec<HornWay>,
}

impl<'a> Asking<'a> {
    fn new(context: &'a Context, scopes: &'a Scopes<'a>, targets: &'a [PointId]) -> Self {
        let icfg = scopes.icfg;
        let horn = Horn::new(icfg, &scopes.entries, targets);
        let is_somebody_there = context.aside().is_some();
        // Whoever is stopped here notices later.
        let special = is_somebody_there.then(|| horn.special(context, icfg).unwrap_or(None)).flatten();
        let ways = if is_somebody_there { HornWay::ALL.to_vec() } else { Vec::new() };
        Self { context, scopes, targets, horn, special, ways }
    }

    /// Whether there is nothing left to ask.
    fn is_over(&self) -> bool {
        self.special.is_none() && self.ways.is_empty()
    }

    /// What is suggested with these steps. What was found once is not asked for again.
    fn suggested(&mut self, about: About, steps: u32) -> Option<Hints> {
        let (icfg, entries) = (self.scopes.icfg, &self.scopes.entries);
        let suggestion = match about {
            About::Copies => {
                let special = self.special.as_ref()?;
                let tries = [(HornWay::Farkas, steps / SMALLER)];
                candidates_for_copies(self.context, icfg, entries, (&self.horn, special), &tries)
            }
            About::Clauses => {
                let tries: Vec<Try> = self.ways.iter().map(|&way| (way, steps / share(way))).collect();
                candidates_for(self.context, icfg, entries, &self.horn, &tries)
            }
        };
        match suggestion {
            Suggestion::Proof(hints) => {
                match about {
                    About::Copies => self.special = None,
                    About::Clauses => self.ways.retain(|&way| way != hints.way),
                }
                Some(hints)
            }
            Suggestion::Reachable => {
                // No way finds a proof.
                self.special = None;
                self.ways.clear();
                None
            }
            Suggestion::Nothing | Suggestion::Stopped(_) => None,
        }
    }

    /// Whether what is suggested is a proof.
    fn stands(&self, hints: &Hints) -> bool {
        let Scopes { icfg, entries, .. } = self.scopes;
        validate(self.context, icfg, entries, &hints.invariants, self.targets) == Judgement::Stands
    }
}

impl Refiner<'_, '_, '_, '_> {
    /// Lets conditions count as predicates.
    fn take_up(&mut self, hints: &Hints) {
        for (&point, &condition) in &hints.invariants.at {
            self.add(point, condition);
        }
    }

    /// The answer where what was suggested is a proof.
    fn suggested(mut self, hints: Hints) -> Answer {
        self.rounds += 1;
        self.take_up(&hints);
        self.answer(Kleene::False, Evidence::Proof(hints.invariants))
    }
}
