//! Proof by induction: a claim about all reachable states that no step can break, as it is written.
//!
//! One question to the solver for each obligation; nothing is searched. Beside engines that ask it, too, the solver is asked with
//! growing patience, so that a long question does not keep them waiting; a proof that was found is judged at once. Where the claim is
//! not inductive as it is written, this engine says nothing. The set that proves the claim is judged again apart from everything else,
//! in a solver of its own.

use super::abstraction::written;
use crate::model::is_bounded;
use crate::{
    Asked, Candidate, Engine, Flaw, Halt, Logic, OffersTerms, Opening, PropertyId, Replay, Session, Taken,
    Turn, Work,
};
use tertium_check::Semantics;
use tertium_evidence::{Assumption, Detail, Evidence, Outcome};
use tertium_induction::{Finding, Patience, Proof, prove_as_written, validate};
use tertium_logic::{FormulaKind, PathOperator, PathQuantifier, is_boolean};
use tertium_program::{DefinedSet, LocId, Precision};
use tertium_support::{Context, Id, Statistics};
use tertium_truth::{Cause, Verdict};

/// The row of the table.
pub(crate) const INDUCTION: Engine = Engine {
    name: "induction",
    title: "proof of invariants by induction, as they are written",
    fits: |model| model.terms().is_some(),
    semantics: &[Semantics::Sis],
    takes: &[Taken::Dot],
    on_bounded: Some(Turn::whole(2)),
    on_unbounded: Some(Turn::whole(2)),
    open,
    suits: |model, property| match &model.properties()[property.index()].logic {
        Logic::Invariant(_) => true,
        Logic::Branching(formula) => match &formula.kind {
            FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(always)) => is_boolean(always),
            _ => false,
        },
        Logic::Linear(_) | Logic::Shortest(..) | Logic::Longest(..) => false,
    },
    advise: |_| Vec::new(),
};

/// What this engine leaves alone.
const NO_CLAIM: &str = "only claims about all reachable states are proved by induction";

/// What a proof that failed leaves open.
fn why_open(proof: &Proof) -> Option<String> {
    match proof {
        Proof::Proved { .. } | Proof::Stopped(_) => None,
        Proof::GaveUp(obligation) => Some(format!("the solver gave up on whether {}", obligation.text())),
        Proof::Violated { .. } => Some("an initial state violates it: another engine shows which".to_owned()),
        Proof::NotInductive { .. } => Some(
            "it is not inductive as it is written: a step leaves it; whether that step can be reached was not looked at"
                .to_owned(),
        ),
    }
}

fn open(opening: Opening<'_>, work: &mut Work<'_>) -> Result<(), Halt> {
    let offer = opening.model.terms().ok_or_else(|| Halt::Bug("the model has no terms".to_owned()))?;
    work(&mut Inductive { opening, offer });
    Ok(())
}

struct Inductive<'m> {
    opening: Opening<'m>,
    offer: &'m dyn OffersTerms,
}

impl Session for Inductive<'_> {
    fn ask(&mut self, asked: Asked<'_>) -> Result<Candidate<'_>, Halt> {
        let context = self.opening.context;
        // Turns of diagrams take longer than any question: beside them nothing is won by asking in parts.
        let in_parts = self.opening.growing && !is_bounded(self.opening.model);
        let patience = if in_parts { Patience::Growing } else { Patience::Whole };
        let mut proof = None;
        let mut begins = true;
        self.offer.with_claim(asked.property, asked.logic, &mut |own| {
            let found = prove_as_written(context, own.terms, own.system, own.claim, patience);
            begins = own.terms.as_bool(own.system.initial) != Some(false);
            proof = Some(found);
        });
        let verdict = match proof {
            Some(Proof::Proved { .. }) => Verdict::True,
            Some(Proof::GaveUp(_)) => Verdict::Unknown(Cause::Solver),
            Some(Proof::Stopped(reason)) => Verdict::Unknown(reason.into()),
            // A state that breaks the claim is reported by engines that show how it is reached.
            Some(Proof::Violated { .. } | Proof::NotInductive { .. }) | None => {
                Verdict::Unknown(Cause::Imprecise)
            }
        };
        let mut outcome = Outcome::new(verdict, Statistics::default());
        let mut candidate = Candidate::plain("induction, as written", Outcome::unknown(Cause::Imprecise));
        if let Some(Proof::Proved { .. }) = proof {
            let text = &self.opening.model.properties()[asked.property.index()].name.text;
            outcome.evidence = Some(Evidence::Invariant(vec![text.clone()]));
            if !begins {
                outcome.assumptions.push(Assumption::NoInitialState);
            }
            candidate.replays.push(Box::new(Judged {
                offer: self.offer,
                property: asked.property,
                logic: asked.logic.clone(),
            }));
        }
        candidate.outcome = outcome;
        candidate
            .details
            .extend(proof.as_ref().map_or_else(|| Some(NO_CLAIM.to_owned()), why_open).map(Detail::LeftOut));
        candidate.learnt = self.learnt(asked.property).filter(|_| verdict == Verdict::True);
        Ok(candidate)
    }
}

impl Inductive<'_> {
    /// What a proof offers to other questions about a program: the predicates that the property speaks of.
    fn learnt(&self, property: PropertyId) -> Option<String> {
        let offer = self.opening.model.program()?;
        let mut predicates = Precision::new();
        for (_, term) in offer.propositions(property) {
            predicates.add_atoms(offer.program(), term, LocId::ANYWHERE);
        }
        Some(written(offer.program(), &predicates))
    }
}

/// The set of a proof, the claim itself, to be judged again.
struct Judged<'m> {
    offer: &'m dyn OffersTerms,
    property: PropertyId,
    logic: Logic,
}

impl Replay for Judged<'_> {
    fn by(&self) -> &'static str {
        "a fresh solver"
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        let mut judged = Err(Flaw::Wrong("the claim cannot be made again".to_owned()));
        self.offer.with_claim(self.property, &self.logic, &mut |asked| {
            let set = DefinedSet::plain(asked.claim.certain(asked.terms));
            judged = match validate(context, asked.terms, asked.system, &set, asked.claim, Patience::Whole) {
                Finding::Stands => Ok(()),
                Finding::GaveUp(_) => Err(Flaw::GaveUp),
                Finding::Stopped(reason) => Err(Flaw::Stopped(reason)),
                Finding::Fails { obligation, .. } => {
                    Err(Flaw::Wrong(format!("the set is not inductive: {obligation:?}")))
                }
                Finding::Malformed => Err(Flaw::Wrong("the set is no set of states".to_owned())),
            };
        });
        judged
    }
}
