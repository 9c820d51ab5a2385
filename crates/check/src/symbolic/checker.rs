//! Questions to one symbolic system, with everything that is found out on the way kept for the next one.
//!
//! A property holds iff it holds at every initial state; with justice, at every one where a fair path begins. Reachable
//! states come first unless the options say otherwise: sets are then computed inside of them. `AG f` with a Boolean f
//! is looked for forwards and a state without f ends the search; if it is not met, `AG f` holds on fair paths as well.

use super::clear::Cut;
use super::ctl::Sets;
use super::diagram_sets::DiagramSets;
use super::ltl::LinearMemory;
use super::normal::as_invariant;
use super::outcome::SymbolicTrace;
use super::outcome::{
    Refusal, SymbolicAssumption, SymbolicClaim, SymbolicError, SymbolicEvidence, SymbolicOutcome,
};
use super::reach::{Reachable, Search};
use super::term::{TermId, Terms};
use super::universe::Universe;
use crate::explain::Explanation;
use std::rc::Rc;
use tertium_dd::Bdd;
use tertium_evidence::Support;
use tertium_logic::{Formula, as_claim, is_boolean};
use tertium_support::{Context, Statistics, StopReason};
use tertium_system::SymbolicModel;
use tertium_truth::Verdict;

/// How to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to compute the reachable states before anything else and stay inside of them. Otherwise they are computed only
    /// where the question needs them.
    pub reachable_first: bool,
    /// How to look for reachable states.
    pub search: Search,
    /// Whether to look for what answers rely on besides the input: reachable states without steps, initial ones without fair paths.
    pub find_deadlocks: bool,
    /// How many claims the evidence may hold; with 0 there is none.
    pub evidence: usize,
    /// Reachable states whose diagram has at most so many nodes are a certificate as they are; beyond that, a smaller one is looked for.
    pub small: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            reachable_first: true,
            search: Search::Suited,
            find_deadlocks: true,
            evidence: 1000,
            small: 64,
        }
    }
}

/// Answers questions about one system.
#[derive(Debug)]
pub struct SymbolicChecker<'m> {
    pub(crate) context: &'m Context,
    pub(crate) model: &'m SymbolicModel,
    pub(crate) options: Options,
    pub(crate) reach: Reachable,
    /// The search for a violation, if it was stopped.
    pub(crate) cut: Option<Cut>,
    pub(crate) terms: Terms,
    pub(crate) sets: Sets,
    /// What is known about linear time.
    pub(crate) linear: LinearMemory,
    universe: Option<Rc<Universe<'m>>>,
    /// A reachable state without steps, once that is known.
    deadlock: Option<Option<SymbolicTrace>>,
    /// How many steps of diagrams were taken to look for small certificates.
    pub(super) certificate_steps: u64,
}

impl<'m> SymbolicChecker<'m> {
    /// A checker that knows nothing yet. From now on the diagrams of the model obey the limits of the context.
    pub fn new(context: &'m Context, model: &'m SymbolicModel, options: Options) -> Self {
        model.manager.set_context(context);
        Self {
            context,
            model,
            options,
            reach: Reachable::new(model, options.search),
            cut: None,
            terms: Terms::new(!model.justice.is_empty()),
            sets: Sets::default(),
            linear: LinearMemory::default(),
            universe: None,
            deadlock: None,
            certificate_steps: 0,
        }
    }

    /// The same with reachable states that another checker of a system with the same steps has found.
    #[must_use]
    pub fn knowing(mut self, reachable: &Reachable) -> Self {
        self.reach = reachable.clone();
        self
    }

    /// All reachable states.
    pub fn reachable(&mut self) -> Result<&Reachable, StopReason> {
        let nothing = self.model.manager.constant(false);
        self.reach.search(self.context, self.model, &nothing)?;
        Ok(&self.reach)
    }

    /// The reachable states that are known so far, also after a limit was reached.
    pub fn known_reachable(&self) -> &Reachable {
        &self.reach
    }

    /// The states where a fair path begins, among those that are looked at; all of them if there is no justice.
    pub fn fair_states(&mut self) -> Result<Bdd, StopReason> {
        let fair = self.terms.fair();
        self.evaluate(fair)
    }

    /// The states where a formula holds: among the reachable ones, if those come first, else among all.
    ///
    /// Propositions may depend on variables of the manager that are in no frame of the relation. Steps leave these alone, so the
    /// result is right for every value of them: as many formulas at once as there are values.
    pub fn states_of(&mut self, formula: &Formula) -> Result<Bdd, SymbolicError> {
        let id = self.understand(formula)?;
        Ok(self.evaluate(id)?)
    }

    /// What was counted so far, also after a limit was reached.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        // A number that does not fit is left out rather than cut.
        let n_states = self.n_reachable().filter(|_| self.reach.complete);
        if let Some(n_states) = n_states.and_then(|n| u64::try_from(n).ok()) {
            statistics.set("reachable states", n_states);
        }
        let (images, iterations) = self.universe.as_ref().map_or((0, 0), |universe| universe.counts());
        if !self.reach.layers.is_empty() {
            statistics.set("depth", self.reach.depth);
        }
        statistics.set("iterations", iterations + self.reach.depth as u64);
        statistics.set("images", images + self.reach.images);
        statistics.set("peak nodes", self.model.manager.peak_nodes());
        statistics
    }

    /// How many reachable states are known, if the number fits 128 bits.
    pub fn n_reachable(&self) -> Option<u128> {
        self.reach.states.count(&self.model.relation.frame().current).exact()
    }

    /// Whether the formula holds at every initial state.
    pub fn check_ctl(&mut self, formula: &Formula) -> Result<SymbolicOutcome, SymbolicError> {
        self.cut = None;
        let id = self.understand(formula)?;
        let mut assumptions = Vec::new();
        if self.model.init.is_false() {
            assumptions.push(SymbolicAssumption::NoInitialState);
        }
        if is_boolean(formula) {
            let failing = self.counted_initial(&mut assumptions)?.diff(&self.boolean(formula)?)?;
            let state = self.model.pick_state(&failing).filter(|_| self.options.evidence > 0);
            let evidence = state.map(|state| {
                let formula = as_claim(formula, false);
                SymbolicEvidence::Tree(SymbolicClaim { formula, state, support: Support::Here })
            });
            // With justice it matters which initial states count.
            self.note_dependence(formula, failing.is_false(), &mut assumptions);
            return Ok(self.outcome(failing.is_false(), evidence, assumptions));
        }
        if !self.model.compassion.is_empty() {
            assumptions.push(SymbolicAssumption::CompassionIgnored);
        }
        if let Some((holds, evidence)) = self.forwards(formula, &mut assumptions)? {
            self.note_unfair_initial(&mut assumptions);
            self.note_dependence(formula, holds, &mut assumptions);
            return Ok(self.outcome(holds, evidence, assumptions));
        }
        let init = self.counted_initial(&mut assumptions)?;
        let failing = match as_invariant(formula).filter(|_| self.options.reachable_first) {
            Some(body) => self.starts_of_failure(&init, &body)?,
            None => init.diff(&self.evaluate(id)?)?,
        };
        let evidence = self.support(formula, &init, &failing).unwrap_or_else(|reason| {
            assumptions.push(SymbolicAssumption::NoEvidence(reason));
            None
        });
        self.note_dependence(formula, failing.is_false(), &mut assumptions);
        Ok(self.outcome(failing.is_false(), evidence, assumptions))
    }

    /// The initial states that count for branching time, as [`SymbolicChecker::check_ctl`] takes them, and what an answer
    /// about all of them relies on besides the input, but for states without steps: see [`SymbolicChecker::note_deadlock`].
    pub fn standpoint(&mut self) -> Result<(Bdd, Vec<SymbolicAssumption>), StopReason> {
        let mut assumptions = Vec::new();
        if self.model.init.is_false() {
            assumptions.push(SymbolicAssumption::NoInitialState);
        }
        if !self.model.compassion.is_empty() {
            assumptions.push(SymbolicAssumption::CompassionIgnored);
        }
        let init = self.counted_initial(&mut assumptions)?;
        Ok((init, assumptions))
    }

    /// The initial states that count for branching time: with justice, those where a fair path begins.
    fn counted_initial(&mut self, assumptions: &mut Vec<SymbolicAssumption>) -> Result<Bdd, StopReason> {
        if self.model.justice.is_empty() {
            return Ok(self.model.init.clone());
        }
        let counted = self.model.init.and(&self.fair_states()?)?;
        if counted != self.model.init {
            assumptions.push(SymbolicAssumption::UnfairInitialStates);
        }
        Ok(counted)
    }

    /// Where `AG f` may fail: all initial states, if f fails at some reachable state where a fair path begins. Nothing is
    /// computed backwards from there; evidence begins at an initial state where it fails.
    fn starts_of_failure(&mut self, init: &Bdd, body: &Formula) -> Result<Bdd, StopReason> {
        let id = self.terms.add(body).expect("the formula was understood");
        let good = self.evaluate(id)?;
        let bad = self.fair_states()?.diff(&good)?;
        Ok(if bad.is_false() { bad } else { init.clone() })
    }

    /// Decides `AG f` with a Boolean f by forward search, if the formula is this and the search is enough.
    fn forwards(
        &mut self,
        formula: &Formula,
        assumptions: &mut Vec<SymbolicAssumption>,
    ) -> Result<Option<(bool, Option<SymbolicEvidence>)>, StopReason> {
        let Some(body) =
            as_invariant(formula).filter(|body| self.options.reachable_first && is_boolean(body))
        else {
            return Ok(None);
        };
        let bad = self.boolean(&body)?.not();
        if !self.meets(&bad)? {
            return Ok(Some((true, None)));
        }
        if !self.model.justice.is_empty() {
            // The bad state counts only if it is fair.
            return Ok(None);
        }
        if self.options.evidence == 0 {
            return Ok(Some((false, None)));
        }
        let evidence = match self.trace_to(&bad) {
            Ok(trace) => {
                let end = trace.states.len() - 1;
                let leaf = SymbolicClaim {
                    formula: as_claim(&body, false),
                    state: trace.states[end].clone(),
                    support: Support::Here,
                };
                Some(SymbolicEvidence::Tree(SymbolicClaim {
                    formula: as_claim(formula, false),
                    state: trace.states[0].clone(),
                    support: Support::Path { trace, at: vec![(end, leaf)] },
                }))
            }
            Err(reason) => {
                assumptions.push(SymbolicAssumption::NoEvidence(reason));
                None
            }
        };
        Ok(Some((false, evidence)))
    }

    /// Why the formula fails at one of the states `failing`, or if there are none, the paths that it claims.
    fn support(
        &mut self,
        formula: &Formula,
        init: &Bdd,
        failing: &Bdd,
    ) -> Result<Option<SymbolicEvidence>, StopReason> {
        let holds = failing.is_false();
        let from = if holds { init } else { failing };
        if self.options.evidence == 0 || from.is_false() {
            return Ok(None);
        }
        let universe = self.universe()?;
        let sets = DiagramSets { universe: &universe, terms: &mut self.terms, sets: &mut self.sets };
        let tree = Explanation::new(sets, self.options.evidence).explain(&as_claim(formula, holds), from)?;
        // Of a property that holds, only paths are worth showing.
        Ok((!holds || tree.has_path()).then_some(SymbolicEvidence::Tree(tree)))
    }

    /// The universe of all questions.
    pub(crate) fn universe(&mut self) -> Result<Rc<Universe<'m>>, StopReason> {
        if let Some(universe) = &self.universe {
            return Ok(Rc::clone(universe));
        }
        let universe = Rc::new(if self.options.reachable_first {
            let states = self.reachable()?.states.clone();
            debug_assert!(self.reach.complete, "the universe is closed under steps");
            Universe::tight(self.context, self.model, states)?
        } else {
            Universe::new(self.context, self.model, self.model.invar.clone())
        });
        self.universe = Some(Rc::clone(&universe));
        Ok(universe)
    }

    pub(crate) fn evaluate(&mut self, id: TermId) -> Result<Bdd, StopReason> {
        let universe = self.universe()?;
        self.sets.evaluate(&universe, &mut self.terms, id)
    }

    /// A formula without temporal operators as a function of current bits.
    pub(crate) fn boolean(&mut self, formula: &Formula) -> Result<Bdd, StopReason> {
        let id = self.terms.add(formula).expect("the formula was understood");
        let everything = Universe::new(self.context, self.model, self.model.manager.constant(true));
        Sets::default().evaluate(&everything, &mut self.terms, id)
    }

    /// The term of a formula that has a meaning here.
    pub(crate) fn understand(&mut self, formula: &Formula) -> Result<TermId, Refusal> {
        for (name, _) in formula.propositions() {
            let Some(set) = self.sets.proposition(self.model, name) else {
                return Err(Refusal::UnknownProposition(name.to_owned()));
            };
            let inputs = &self.model.relation.frame().input;
            if set.support().iter().any(|var| inputs.contains(var)) {
                return Err(Refusal::ReadsInput(name.to_owned()));
            }
        }
        self.terms.add(formula)
    }

    /// Says so if at some initial state no fair path begins, for answers that do not need to know.
    fn note_unfair_initial(&mut self, assumptions: &mut Vec<SymbolicAssumption>) {
        if self.options.find_deadlocks
            && let Err(reason) = self.counted_initial(assumptions)
        {
            assumptions.push(SymbolicAssumption::FairnessUnknown(reason));
        }
    }

    /// A shortest path to a state without steps, if one is reachable.
    pub fn deadlock(&mut self) -> Result<Option<SymbolicTrace>, StopReason> {
        if let Some(known) = &self.deadlock {
            return Ok(known.clone());
        }
        let among = if self.reach.complete { &self.reach.states } else { &self.model.invar };
        let dead = self.model.relation.deadlocks(among)?;
        let found = if self.reach.search(self.context, self.model, &dead)? {
            Some(self.trace_to(&dead)?)
        } else {
            None
        };
        self.deadlock = Some(found.clone());
        Ok(found)
    }

    pub(crate) fn outcome(
        &self,
        holds: bool,
        evidence: Option<SymbolicEvidence>,
        assumptions: Vec<SymbolicAssumption>,
    ) -> SymbolicOutcome {
        let verdict = if holds { Verdict::True } else { Verdict::False };
        SymbolicOutcome { evidence, assumptions, ..SymbolicOutcome::new(verdict, self.statistics()) }
    }
}

pub(super) fn deadlock(trace: &SymbolicTrace) -> SymbolicAssumption {
    let steps = Some(trace.steps.len());
    SymbolicAssumption::Deadlock { state: Some(trace.last().clone()), steps, sure: true }
}
