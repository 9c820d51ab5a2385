//! The symbolic engine: decision diagrams.
//!
//! A property is checked on the part of the model that it depends on. Evidence from a part is completed to the whole model; where that
//! would get too long, the whole model is asked for its own. A true claim about all reachable states is proved by these, and the
//! proof is checked again on the terms (`certificate`).

use super::certificate::{Certificate, Ledger};
use super::{depth, monomials};
use crate::model::is_made_for_diagrams;
use crate::{
    Asked, Candidate, Encodings, Engine, Halt, Logic, Opening, PropertyId, Session, Shown, Taken, Turn,
    Wanted, Work,
};
use std::cell::RefCell;
use std::rc::Rc;
use tertium_check::symbolic::{
    InductiveSet, Options, Quantity, SymbolicAssumption, SymbolicChecker, SymbolicError, SymbolicOutcome,
};
use tertium_check::{Record, Semantics};
use tertium_evidence::{Assumption, Detail, Evidence, Outcome};
use tertium_support::{Id, Statistics};
use tertium_truth::Verdict;

/// The row of the table.
pub(crate) const SYMBOLIC: Engine = Engine {
    name: "symbolic",
    title: "sets of states, as decision diagrams",
    fits: is_made_for_diagrams,
    semantics: &[Semantics::Sis],
    takes: &[Taken::Nodes, Taken::Order, Taken::Dot],
    on_bounded: Some(Turn::whole(1)),
    on_unbounded: None,
    open,
    suits: |_, _| true,
    advise: |situation| {
        let dear = ["--whole-model", "--keep-order"].into_iter();
        dear.filter_map(|flag| situation.without(flag)).collect()
    },
};

/// The row for bounded programs.
pub(crate) const ON_PROGRAMS: Engine = Engine {
    title: "sets of states, as decision diagrams",
    fits: |model| model.symbolic().is_some() && model.program().is_some(),
    open: open_on_program,
    ..SYMBOLIC
};

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.symbolic().ok_or_else(|| Halt::Bug("the model has no diagrams".to_owned()))?;
    let encodings = offer.encode(opening.context, opening.asked, &opening.options.symbolic)?;
    // A model without meaning is no mistake of any of its properties.
    if let Some(&first) = opening.asked.first() {
        encodings.check_model(encodings.part_of(first))?;
    }
    let evidence = if opening.options.record == Record::Moves { Options::default().evidence } else { 0 };
    let options = Options { evidence, ..Options::default() };
    let ledger = Rc::new(RefCell::new(Ledger::new(opening.context.spent())));
    work(&mut Symbolic { inquiry: Inquiry::new(opening, encodings.as_ref(), options), ledger });
    Ok(())
}

/// Steps between states have no names here: formulas that ask for actions are left to the abstraction.
fn open_on_program(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let mut outcome = Ok(());
    open(opening, &mut |on_states| {
        outcome = monomials::open(opening, &mut |abstracted| {
            work(&mut OnProgram { on_states: &mut *on_states, abstracted });
        });
    })?;
    outcome
}

/// The engine on states, and the one on an abstraction.
struct OnProgram<'s> {
    on_states: &'s mut dyn Session,
    abstracted: &'s mut dyn Session,
}

impl Session for OnProgram<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let asks_for_actions = match asked.logic {
            Logic::Branching(formula) => !formula.action_labels().is_empty(),
            _ => false,
        };
        let session = if asks_for_actions { &mut *self.abstracted } else { &mut *self.on_states };
        session.ask(asked)
    }

    fn order(&mut self) -> Option<Result<String, Halt>> {
        self.on_states.order()
    }
}

/// The checkers of a model, one for each part of it that was asked about.
pub(crate) struct Inquiry<'e> {
    opening: Opening<'e>,
    pub(crate) encodings: &'e dyn Encodings,
    /// By part, once something was asked there.
    checkers: Vec<Option<SymbolicChecker<'e>>>,
    options: Options,
}

/// A question about a part of a model.
#[derive(Clone, Copy)]
pub(crate) struct AskedOfPart<'l> {
    /// Whose propositions it has.
    pub(crate) property: PropertyId,
    /// What is asked, perhaps with constants in place of parts of the property.
    pub(crate) logic: &'l Logic,
    /// The part of the model.
    pub(crate) part: usize,
}

impl<'e> Inquiry<'e> {
    /// Nothing was asked yet.
    pub(crate) fn new(opening: Opening<'e>, encodings: &'e dyn Encodings, options: Options) -> Self {
        let checkers = (0..encodings.n_parts()).map(|_| None).collect();
        Self { opening, encodings, checkers, options }
    }

    /// The checker of a part.
    pub(crate) fn checker(&mut self, asked: AskedOfPart<'_>) -> Result<&mut SymbolicChecker<'e>, Halt> {
        let context = self.opening.context;
        context.poll()?;
        let model = self.encodings.model(asked.part, asked.property)?;
        let options = self.options;
        Ok(self.checkers[asked.part].get_or_insert_with(|| SymbolicChecker::new(context, model, options)))
    }

    /// The outcome of a question with a truth value.
    pub(crate) fn outcome(&mut self, asked: AskedOfPart<'_>) -> Result<SymbolicOutcome, Halt> {
        let checker = self.checker(asked)?;
        Ok(match asked.logic {
            Logic::Branching(formula) => checker.check_ctl(formula)?,
            Logic::Invariant(formula) => checker.check_invariant(formula)?,
            Logic::Linear(formula) => checker.check_ltl(formula)?,
            Logic::Shortest(..) | Logic::Longest(..) => unreachable!("lengths have no truth value"),
        })
    }

    /// The evidence of an outcome in the values of the whole model.
    pub(crate) fn shown(
        &mut self,
        asked: AskedOfPart<'_>,
        outcome: &mut SymbolicOutcome,
    ) -> Result<Option<Shown<'e>>, Halt> {
        let Some(found) = outcome.evidence.take() else { return Ok(None) };
        let holds = outcome.verdict == Verdict::True;
        let encodings = self.encodings;
        let shown = encodings.show(asked.part, asked.property, asked.logic, found, holds)?;
        let whole = encodings.n_parts() - 1;
        if shown.is_some() || asked.part == whole {
            return Ok(shown);
        }
        let asked = AskedOfPart { part: whole, ..asked };
        let mut again = match self.outcome(asked) {
            Ok(again) => again,
            Err(Halt::Stopped(reason)) => {
                outcome.assumptions.push(SymbolicAssumption::NoEvidence(reason));
                return Ok(None);
            }
            Err(failed) => return Err(failed),
        };
        if again.verdict != outcome.verdict {
            let text = &self.opening.model.properties()[asked.property.index()].name.text;
            return Err(Halt::Bug(format!("the model and its cone of influence disagree about {text}")));
        }
        outcome.assumptions = again.assumptions;
        match again.evidence.take() {
            Some(found) => encodings.show(whole, asked.property, asked.logic, found, holds),
            None => Ok(None),
        }
    }

    /// What was counted on a part.
    pub(crate) fn counted(&self, part: usize) -> Statistics {
        let mut statistics =
            self.checkers[part].as_ref().map_or_else(Statistics::default, SymbolicChecker::statistics);
        let (own, all) = self.encodings.n_variables(part);
        if own < all {
            statistics.set("variables", all);
            statistics.set("variables in cone", own);
        }
        statistics
    }

    /// How many states are reachable, if that is known of the whole model.
    fn reachable(&self, part: usize) -> Option<String> {
        let is_whole = part + 1 == self.encodings.n_parts();
        let checker = self.checkers[part].as_ref().filter(|_| is_whole)?;
        let known = checker.known_reachable();
        let frame = checker.model().relation.frame();
        known.complete.then(|| known.states.count(&frame.current).to_string())
    }
}

impl From<SymbolicError> for Halt {
    fn from(error: SymbolicError) -> Self {
        match error {
            SymbolicError::Stopped(reason) => Self::Stopped(reason),
            SymbolicError::Refused(refusal) => Self::Refused(refusal.to_string()),
        }
    }
}

/// Assumptions without the states they speak of, which are those of a part.
pub(crate) fn assumptions(found: Vec<SymbolicAssumption>) -> Vec<Assumption> {
    found.into_iter().map(|assumption| assumption.map(|_| None)).collect()
}

struct Symbolic<'e> {
    inquiry: Inquiry<'e>,
    /// What answers and re-checks cost.
    ledger: Rc<RefCell<Ledger>>,
}

impl Session for Symbolic<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let Asked { property, logic, wanted, .. } = asked;
        let part = self.inquiry.encodings.part_of(property);
        let asked = AskedOfPart { property, logic, part };
        let answered = match (logic.has_truth_value(), wanted) {
            (true, Wanted::Everything) => self.verdict(asked),
            (true, Wanted::Verdict | Wanted::Note) => self.decided(asked),
            (false, _) => self.length(asked),
        };
        match answered {
            Err(Halt::Stopped(reason)) => {
                let verdict = Verdict::Unknown(reason.into());
                let outcome = Outcome::new(verdict, self.inquiry.counted(part));
                let mut candidate = Candidate::plain("symbolic", outcome);
                let is_claim = wanted == Wanted::Everything && depth::claim(logic).is_some();
                let checker = self.inquiry.checkers[part].as_ref().filter(|_| is_claim);
                let depth = checker.and_then(SymbolicChecker::clear_depth);
                candidate.details.extend(depth.map(Detail::NoViolationWithin));
                Ok(candidate)
            }
            answered => answered,
        }
    }

    fn order(&mut self) -> Option<Result<String, Halt>> {
        Some(self.inquiry.encodings.order())
    }
}

impl<'e> Symbolic<'e> {
    fn length(&mut self, asked: AskedOfPart<'_>) -> Result<Candidate<'e>, Halt> {
        let checker = self.inquiry.checker(asked)?;
        let found = match asked.logic {
            Logic::Longest(from, to) => checker.compute_maximum(from, to)?,
            Logic::Shortest(from, to) => checker.compute_minimum(from, to)?,
            _ => unreachable!("other properties have a truth value"),
        };
        let mut outcome = Outcome::new(Verdict::True, self.inquiry.counted(asked.part));
        outcome.length = Some(match found.quantity {
            Quantity::Finite(length) => length.to_string(),
            Quantity::Infinite => "infinite".to_owned(),
            Quantity::Undefined => "undefined".to_owned(),
        });
        outcome.assumptions = assumptions(found.assumptions);
        Ok(Candidate::plain("symbolic", outcome))
    }

    fn verdict(&mut self, asked: AskedOfPart<'_>) -> Result<Candidate<'e>, Halt> {
        let context = self.inquiry.opening.context;
        let before = context.spent();
        let mut found = self.inquiry.outcome(asked)?;
        let shown = self.inquiry.shown(asked, &mut found)?;
        self.ledger.borrow_mut().note_answer(context.spent() - before);
        let mut outcome = Outcome::new(found.verdict, self.inquiry.counted(asked.part));
        outcome.reachable = self.inquiry.reachable(asked.part);
        outcome.assumptions = assumptions(found.assumptions);
        let mut candidate = Candidate::plain("symbolic", outcome);
        if let Some(shown) = shown {
            candidate.names = shown.names;
            candidate.outcome.evidence = Some(shown.evidence);
            candidate.replays.push(shown.replay);
        } else if found.verdict == Verdict::True
            && let Some(set) = self.certificate(asked)?
        {
            candidate.outcome.evidence = Some(Evidence::InductiveSet { nodes: set.states().n_nodes() });
            candidate.replays.push(Box::new(Certificate {
                encodings: self.inquiry.encodings,
                part: asked.part,
                property: asked.property,
                logic: asked.logic.clone(),
                set,
                ledger: Rc::clone(&self.ledger),
            }));
        }
        Ok(candidate)
    }

    /// The set that proves a true claim about all reachable states. None is looked for if nobody wants evidence.
    fn certificate(&mut self, asked: AskedOfPart<'_>) -> Result<Option<InductiveSet>, Halt> {
        if self.inquiry.opening.options.record != Record::Moves {
            return Ok(None);
        }
        let checker = self.inquiry.checker(asked)?;
        let set = match asked.logic {
            Logic::Invariant(formula) => checker.invariant_certificate(formula),
            Logic::Branching(formula) => checker.branching_certificate(formula),
            Logic::Linear(formula) => checker.linear_certificate(formula),
            Logic::Shortest(..) | Logic::Longest(..) => Ok(None),
        };
        // A limit that is reached here is not one of the answer: it only has no certificate.
        Ok(set.unwrap_or(None))
    }

    /// The verdict alone, by the sets that the checker keeps.
    fn decided(&mut self, asked: AskedOfPart<'_>) -> Result<Candidate<'e>, Halt> {
        let checker = self.inquiry.checker(asked)?;
        let holds = match asked.logic {
            Logic::Branching(formula) => checker.decide_ctl(formula)?,
            Logic::Invariant(formula) => checker.decide_invariant(formula)?,
            Logic::Linear(formula) => checker.decide_ltl(formula)?,
            Logic::Shortest(..) | Logic::Longest(..) => unreachable!("lengths have no truth value"),
        };
        let verdict = if holds { Verdict::True } else { Verdict::False };
        Ok(Candidate::plain("symbolic", Outcome::new(verdict, self.inquiry.counted(asked.part))))
    }
}
