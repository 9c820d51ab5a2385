//! The engines that refine: predicate and cartesian abstraction of a program, and concrete search that matches states by predicates.
//!
//! What they answer is confirmed by others: runs by the interpreter, abstract systems by a fresh solver from the definitions,
//! strategies on them by their validator. When a verdict depends on few concrete states, these are shown instead of abstract ones.

use super::confirm::OnSystem;
use super::depth::clear_of;
use super::{count, explicit};
use crate::check::is_limit;
use crate::model::{relied_on, taken_name};
use crate::{
    Asked, Candidate, Engine, Flaw, Halt, Logic, Model, OffersProgram, Opening, Options, PropertyId, Replay,
    Session, Situation, Taken, Turn, Work,
};
use std::sync::Arc;
use tertium_abstraction::{AbstractSystem, Form, TriState};
use tertium_check::{Prepared, Record, Reliance, Semantics, Settings, check};
use tertium_evidence::{AbstractionRound, Advice, Detail, Evidence, Origin, Outcome, SearchRound, Table};
use tertium_explore::{Exploration, Run, check_run, cut_around};
use tertium_expr::Term;
use tertium_logic::Formula;
use tertium_program::{LocId, Precision, PredicateId, Program, State, initial_states};
use tertium_refine::{
    Abstraction, AllStates, Answer, From, Question, Support, decide, decide_by_search, has_boxes, recheck,
    relied_on_ranks, unfold,
};
use tertium_solve::{Prover, Z3};
use tertium_support::{Context, Id, Source, Statistics};
use tertium_system::Step;
use tertium_truth::{Cause, Verdict};

/// Evidence with more concrete states says less than the abstract one.
const MOST_CONCRETE: usize = 100;

const TAKES: &[Taken] = &[Taken::Iterations, Taken::Predicates, Taken::Guards, Taken::Dot];

/// Predicate abstraction.
pub(crate) const PREDICATE: Engine = Engine {
    name: "predicate",
    title: "abstraction by predicates, with refinement",
    fits: |model| model.program().is_some(),
    semantics: &[Semantics::Sis, Semantics::Ris],
    takes: TAKES,
    on_bounded: Some(Turn::quarter(3)),
    on_unbounded: Some(Turn::whole(3)),
    open: |opening, work| open(opening, Method::Predicate, work),
    suits: has_branching_time,
    advise,
};

/// Cartesian abstraction.
pub(crate) const CARTESIAN: Engine = Engine {
    name: "cartesian",
    title: "abstraction by predicates that can be left open, with refinement",
    takes: &[Taken::Iterations, Taken::Predicates, Taken::Guards, Taken::Dot, Taken::Depth],
    on_bounded: None,
    on_unbounded: None,
    open: |opening, work| open(opening, Method::Cartesian, work),
    ..PREDICATE
};

/// Search by matching.
pub(crate) const SEARCH: Engine = Engine {
    name: "search",
    title: "concrete states, matched by predicates until nothing is lost",
    semantics: &[Semantics::Sis],
    takes: &[Taken::Iterations, Taken::Predicates, Taken::Guards, Taken::Dot, Taken::Search, Taken::States],
    on_bounded: Some(Turn::quarter(4)),
    on_unbounded: Some(Turn::whole(4)),
    open: |opening, work| open(opening, Method::Search, work),
    ..PREDICATE
};

/// Whether a property is one that abstractions of programs are made for.
pub(super) fn has_branching_time(model: &dyn Model, property: PropertyId) -> bool {
    matches!(model.properties()[property.index()].logic, Logic::Branching(_) | Logic::Invariant(_))
}

/// What keeps an engine from proving anything goes first.
fn advise(situation: &Situation<'_>) -> Vec<Advice> {
    let weak = ["--light", "--inputs", "--no-guards", "--depth"].into_iter();
    weak.filter_map(|flag| situation.without(flag)).chain(help_with_predicates(situation)).collect()
}

/// That predicates help, where the user gave none.
pub(super) fn help_with_predicates(situation: &Situation<'_>) -> Option<Advice> {
    let helps = matches!(situation.cause, Cause::Imprecise | Cause::Iterations | Cause::Solver);
    let given = situation.is_given("--predicates");
    (helps && !given)
        .then(|| Advice::Help("help with predicates, in a file that `--predicates` names".to_owned()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Predicate,
    Cartesian,
    Search,
}

struct Refining<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersProgram,
    method: Method,
    /// The predicates that the user gives.
    given: Precision,
}

fn open(opening: Opening<'_>, method: Method, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = offered(&opening)?;
    let given = given_predicates(&opening, offer)?;
    work(&mut Refining { opening, offer, method, given });
    Ok(())
}

/// The program of a model.
pub(crate) fn offered<'m>(opening: &Opening<'m>) -> Result<&'m dyn OffersProgram, Halt> {
    opening.model.program().ok_or_else(|| Halt::Bug("the model is no program".to_owned()))
}

/// The predicates that the user gives.
pub(crate) fn given_predicates(opening: &Opening<'_>, offer: &dyn OffersProgram) -> Result<Precision, Halt> {
    read_given(opening.options, offer)
}

/// The same, where no engine was opened.
pub(crate) fn read_given(options: &Options, offer: &dyn OffersProgram) -> Result<Precision, Halt> {
    let mut predicates = Precision::new();
    if let Some(source) = &options.predicates {
        let terms = offer.read_predicates(source).map_err(|found| Halt::faulty(source, found))?;
        for (term, locations) in terms {
            for location in locations {
                predicates.add_atoms(offer.program(), term, location);
            }
        }
    }
    Ok(predicates)
}

impl Session for Refining<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let formula = explicit::formula(&self.opening, asked)?;
        let propositions = self.offer.propositions(asked.property);
        let precision = self.precision(asked.hints);
        let question = Question {
            program: self.offer.program(),
            formula: &formula,
            propositions: &propositions,
            precision,
        };
        let own = self.opening.model.procedures();
        let ranks = !own.is_some_and(|own| own.ends_for_lack_of_room(asked.property, asked.logic));
        let answer = self.decide(&question, ranks);
        let (record, logic) = (asked.record(self.opening.options), asked.logic.clone());
        self.candidate(Posed { formula, logic, propositions, record }, answer)
    }
}

impl<'m> Refining<'m> {
    fn precision(&self, hints: Option<&str>) -> Precision {
        let mut predicates = self.given.clone();
        if let Some(hints) = hints {
            let read = self.offer.read_predicates(&Source::new("<predicates of other properties>", hints));
            // What matters at a location for one property may matter elsewhere for another.
            for (term, _) in read.into_iter().flatten() {
                predicates.add(self.offer.program(), term, LocId::ANYWHERE);
            }
        }
        predicates
    }

    fn decide(&self, question: &Question<'_>, ranks: bool) -> Answer {
        let Opening { context, options, .. } = self.opening;
        let prover = Prover::new(Z3::new());
        let settings = |abstraction| tertium_refine::Settings {
            abstraction,
            // Thorough semantics is for small systems that are given.
            semantics: if options.semantics == Semantics::Ris { Semantics::Ris } else { Semantics::Sis },
            iterations: options.iterations,
            guards: options.guards,
            ranks,
        };
        match self.method {
            Method::Predicate => decide(context, question, &settings(Abstraction::default()), prover),
            Method::Cartesian => {
                let vectors = Abstraction::Vectors { form: Form::default(), depth: options.depth };
                decide(context, question, &settings(vectors), prover)
            }
            Method::Search => decide_by_search(context, question, &options.search_settings(), prover),
        }
    }

    fn candidate(&self, posed: Posed, mut answer: Answer) -> Result<Candidate<'m>, Halt> {
        let support = std::mem::replace(&mut answer.support, Support::Nothing);
        let outcome = answer.outcome.clone();
        // A round that a limit ended has looked at a part of the abstract states only.
        let clear = match (&support, outcome.verdict) {
            (Support::Abstract(found), Verdict::Unknown(cause)) if !is_limit(Verdict::Unknown(cause)) => {
                clear_of(self.opening.context, &found.system, &posed.logic)
            }
            _ => None,
        };
        let mut candidate = match support {
            Support::Run((run, goal)) => self.run(outcome, run, goal, posed.record),
            Support::Abstract(system) if !system.states.is_empty() => {
                self.abstracted(posed, *system, outcome)?
            }
            Support::AllStates(all) => self.on_all_states(posed, *all, outcome),
            Support::Abstract(_) | Support::Nothing => Candidate::plain("", outcome),
        };
        if candidate.outcome.is_definite() {
            candidate.outcome.assumptions.extend(relied_on(self.opening.model));
        }
        count_into(&answer, &mut candidate.outcome.statistics);
        candidate.engine = self.words(&answer);
        candidate.details = self.details(&answer);
        candidate.details.extend(clear);
        candidate.learnt = Some(written(self.offer.program(), &answer.learnt.precision));
        Ok(candidate)
    }

    /// A verdict that a concrete run shows.
    fn run(&self, outcome: Outcome, run: Run, goal: Term, record: Record) -> Candidate<'m> {
        let mut candidate = Candidate::plain("", outcome);
        if record == Record::Moves {
            if let Some((names, evidence)) = self.offer.show_run(&run) {
                candidate.names = names;
                candidate.outcome.evidence = Some(evidence);
            } else {
                let (table, evidence) = named_run(self.offer, &run);
                candidate.names = Arc::new(table);
                candidate.outcome.evidence = evidence;
            }
        }
        candidate.replays.push(Box::new(ReplayedRun { program: self.offer.program(), run, goal }));
        candidate
    }

    /// A verdict of an abstract system, or what keeps it open.
    fn abstracted(
        &self,
        posed: Posed,
        found: AbstractSystem<TriState>,
        mut outcome: Outcome,
    ) -> Result<Candidate<'m>, Halt> {
        let Opening { context, options, .. } = self.opening;
        let program = self.offer.program();
        let found = Arc::new(found);
        let shown = posed.record == Record::Moves;
        let mut system = Arc::new(found.system.clone());
        let mut names = self.offer.abstract_names(Arc::clone(&system));
        let mut origin = Origin::Abstracted;
        let mut replays: Vec<Box<dyn Replay + 'm>> = Vec::new();
        let semantics = options.semantics;
        let ranks = found.ranked.as_ref().map(|ranked| Arc::clone(&ranked.steps));
        let on_system = |system: &Arc<_>, ranks: Option<Arc<_>>, semantics, outcome: &Outcome| {
            outcome.evidence.clone().map(|evidence| OnSystem {
                system: Arc::clone(system),
                ranks,
                semantics,
                formula: posed.formula.clone(),
                verdict: outcome.verdict,
                evidence,
            })
        };
        if outcome.is_definite() {
            replays.push(Box::new(Rechecked {
                program,
                propositions: posed.propositions.clone(),
                found: Arc::clone(&found),
                relied_on: relied_on_ranks(&outcome, &found),
            }));
            replays
                .extend(on_system(&system, ranks, semantics, &outcome).map(|replay| Box::new(replay) as _));
            if shown && let Some((states, cut, again)) = concrete(context, program, &posed, &found, &outcome)?
            {
                (system, outcome, origin) = (Arc::new(cut), again, Origin::Model);
                names = self.offer.names(Arc::clone(&system), states);
                replays.extend(
                    on_system(&system, None, Semantics::Sis, &outcome).map(|replay| Box::new(replay) as _),
                );
            }
            outcome.evidence = outcome.evidence.filter(|_| shown);
        } else {
            let keeps = |evidence: &Evidence| shown && matches!(evidence, Evidence::Open(_));
            outcome.evidence = outcome.evidence.filter(keeps);
        }
        let mut candidate = Candidate::plain("", outcome);
        candidate.names = names;
        candidate.origin = origin;
        candidate.replays = replays;
        Ok(candidate)
    }

    /// A verdict about all reachable states.
    fn on_all_states(&self, posed: Posed, all: AllStates, outcome: Outcome) -> Candidate<'m> {
        let system = Arc::new(all.system);
        let mut candidate = Candidate::plain("", outcome);
        candidate.names = self.offer.names(Arc::clone(&system), all.states);
        candidate.origin = Origin::Model;
        if let Some(evidence) = candidate.outcome.evidence.clone() {
            let (semantics, verdict) = (Semantics::Sis, candidate.outcome.verdict);
            candidate.replays.push(Box::new(OnSystem {
                system,
                ranks: None,
                semantics,
                formula: posed.formula,
                verdict,
                evidence,
            }));
        }
        if posed.record != Record::Moves {
            candidate.outcome.evidence = None;
        }
        candidate
    }

    /// How it was found.
    fn words(&self, answer: &Answer) -> String {
        let semantics = if self.opening.options.semantics == Semantics::Ris { ", ris" } else { "" };
        let kind = match self.method {
            Method::Predicate => format!("predicate abstraction{semantics}"),
            Method::Cartesian => format!("cartesian abstraction{semantics}"),
            Method::Search => "search".to_owned(),
        };
        let predicates = count(answer.learnt.precision.len(), "predicate");
        format!("{kind}, {predicates}, {}", count(answer.rounds.len(), "round"))
    }

    fn details(&self, answer: &Answer) -> Vec<Detail> {
        let terms = &self.offer.program().terms;
        let mut details = Vec::new();
        if answer.learnt.solver.n_gave_up > 0 {
            let products = answer.learnt.hard.iter().map(|(&term, &n)| (terms.print(term).to_string(), n));
            details.push(Detail::GaveUp(answer.learnt.solver.n_gave_up, products.collect()));
        }
        let rounds: Vec<SearchRound> = answer.rounds.iter().filter_map(|round| round.searched).collect();
        if !rounds.is_empty() {
            details.push(Detail::Rounds(rounds));
        } else if !answer.rounds.is_empty() {
            let rounds = answer.rounds.iter().map(|round| AbstractionRound {
                abstract_states: round.n_states,
                steps: round.n_steps,
                predicates: round.n_predicates,
            });
            details.push(Detail::Abstractions(rounds.collect()));
        }
        if matches!(answer.outcome.verdict, Verdict::Unknown(_)) && !answer.learnt.seen.is_empty() {
            let of = |which: fn(&(String, bool, bool)) -> bool| {
                answer.learnt.seen.iter().filter(|label| which(label)).map(|label| label.0.clone()).collect()
            };
            details.push(Detail::Seen(of(|label| label.1), of(|label| label.2)));
        }
        if !answer.outcome.is_definite() {
            details.extend(answer.learnt.sentences().into_iter().map(Detail::LeftOut));
        }
        if !answer.learnt.precision.is_empty() {
            let texts = answer.learnt.precision.iter().map(|&term| terms.print(term).to_string());
            details.push(Detail::Predicates(texts.collect()));
        }
        details
    }
}

/// What a question says, by itself.
struct Posed {
    formula: Formula,
    logic: Logic,
    propositions: Vec<(String, Term)>,
    record: Record,
}

/// The states of the program that show what an abstract outcome says, cut out as a system of their own, and the outcome on them. Nothing
/// if it says something of all runs of a program, or if too many states would be needed.
fn concrete(
    context: &Context,
    program: &Program,
    posed: &Posed,
    found: &AbstractSystem<TriState>,
    outcome: &Outcome,
) -> Result<Option<(Exploration, tertium_system::PartialSystem, Outcome)>, Halt> {
    let (strategy, from) = match &outcome.evidence {
        // What holds of all steps is better said of few abstract states than of many concrete ones.
        Some(Evidence::Proof(strategy)) if !has_boxes(strategy) => (strategy, From::All),
        Some(Evidence::Refutation(strategy)) => (strategy, From::One),
        _ => return Ok(None),
    };
    let Some(unfolding) = unfold(context, program, found, strategy, from, MOST_CONCRETE)? else {
        return Ok(None);
    };
    let all = from == From::All || initial_states(context, program, 1)?.complete;
    let cut = cut_around(context, program, &unfolding.states, unfolding.n_initial, all)?;
    let names = posed.propositions.iter().map(|(name, term)| (name.as_str(), *term));
    let system = cut.to_system(program, names);
    let prepared = Prepared::new(context, &system)?;
    let again = check(context, &prepared, &posed.formula, &Settings::default());
    drop(prepared);
    Ok((again.verdict == outcome.verdict).then_some((cut, system, again)))
}

/// A run in the user's names.
pub(crate) fn named_run(offer: &dyn OffersProgram, run: &Run) -> (Table, Option<Evidence>) {
    let program = offer.program();
    let variables = program.variables().iter().map(|own| program.terms.name(own.variable)).collect();
    let values = |state: &State| state.0.iter().map(ToString::to_string).collect();
    Table::of(variables, Evidence::Trace(run.clone()), values, |taken| taken_name(offer, taken))
}

/// Predicates as they are read, each with the locations where it counts unless it is global.
pub(crate) fn written(program: &Program, predicates: &Precision) -> String {
    let terms = &program.terms;
    let line = |id: PredicateId| {
        let predicate = terms.print(*predicates.get(id));
        if predicates.is_global(id) {
            return format!("{predicate};\n");
        }
        let locations = predicates.locations(id).iter().map(|&location| {
            let condition = program.locations().condition(program, location);
            terms.print(condition).to_string()
        });
        format!("{predicate} at {};\n", locations.collect::<Vec<_>>().join(", "))
    };
    PredicateId::first(predicates.len()).map(line).collect()
}

fn count_into(answer: &Answer, statistics: &mut Statistics) {
    statistics.set("rounds", answer.rounds.len());
    statistics.set("predicates", answer.learnt.precision.len());
    statistics.set("abstract states", answer.rounds.last().map_or(0, |round| round.n_states));
    statistics.set("solver questions", answer.learnt.solver.n_questions);
    statistics.set("solver calls", answer.learnt.solver.n_calls);
    statistics.set("solver gave up", answer.learnt.solver.n_gave_up + answer.learnt.n_open_paths);
    let left_out = answer.learnt.left_out.total();
    if left_out > 0 {
        statistics.set("left out", left_out);
    }
}

struct ReplayedRun<'m> {
    program: &'m Program,
    run: Run,
    goal: Term,
}

impl Replay for ReplayedRun<'_> {
    fn by(&self) -> &'static str {
        "the interpreter"
    }

    fn replay(&self, _: &Context) -> Result<(), Flaw> {
        check_run(self.program, &self.run, self.goal)
            .map_err(|flaw| Flaw::Wrong(format!("the interpreter does not replay the run: {flaw}")))
    }
}

/// An abstract system that a fresh solver is to find again, from the definitions.
pub(crate) struct Rechecked<'m> {
    pub(crate) program: &'m Program,
    pub(crate) propositions: Vec<(String, Term)>,
    pub(crate) found: Arc<AbstractSystem<TriState>>,
    /// What has to be right about ranks.
    pub(crate) relied_on: Vec<(Step, Reliance)>,
}

impl Replay for Rechecked<'_> {
    fn by(&self) -> &'static str {
        "a fresh solver"
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        match recheck(context, self.program, &self.propositions, &self.found, &self.relied_on) {
            Ok(Ok(())) => Ok(()),
            // The solver found it before and does not now: it is at the end of what it can do.
            Ok(Err(_)) => Err(Flaw::GaveUp),
            Err(reason) => Err(Flaw::Stopped(reason)),
        }
    }
}
