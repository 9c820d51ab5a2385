//! Certificates of the symbolic engine: an inductive set, checked again by clauses on the terms.
//!
//! The set is the engine's, and everything else is not: the transition system and the claim are terms, the bits of the
//! diagram are terms over the same variables, and the obligations go to a propositional solver. No diagram is computed.
//! Every node of the set is one definition. A claim that is inductive by itself needs no diagram at all.
//!
//! A re-check may cost as much work as the answers of its session did, and some milliseconds' worth in any case, so that
//! small models are always checked again. What others left over counts. Beyond that the judge gives up, and the verdict says so.
//! That a set of states is inductive is shown once, for all properties that it proves; one that was given up is tried again only
//! with twice as much work.

use crate::{Encodings, Flaw, Logic, PartTerms, PropertyId, Replay};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use tertium_check::symbolic::InductiveSet;
use tertium_dd::{Bdd, Var};
use tertium_expr::{Sort, Term, Terms, Variable};
use tertium_induction::{Finding, judge_claim, judge_inductive};
use tertium_program::DefinedSet;
use tertium_support::Context;

/// Work that each re-check may do in any case: some milliseconds.
const FREE_WORK: u64 = 1 << 21;

/// Work for each node of a set that is made a definition: part of a microsecond.
const PER_NODE: u64 = 1 << 7;

/// What a session knows about its re-checks.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The work of all answers so far.
    answered: u64,
    /// The work of re-checks beyond what each has for free.
    rechecked: u64,
    /// By part: the set that was judged last, and what came of it.
    judged: FxHashMap<usize, (Bdd, Judged)>,
}

/// What is known about a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    Inductive,
    /// The judge gave up with this budget.
    GivenUp(u64),
}

impl Ledger {
    /// So much work was done before the first answer.
    pub(crate) fn new(answered: u64) -> Self {
        Self { answered, ..Self::default() }
    }

    /// An answer took so much work.
    pub(crate) fn note_answer(&mut self, work: u64) {
        self.answered += work;
    }

    /// How much the next re-check may do.
    fn budget(&self) -> u64 {
        FREE_WORK + self.answered.saturating_sub(self.rechecked)
    }

    fn spend(&mut self, work: u64) {
        self.rechecked += work.saturating_sub(FREE_WORK);
    }
}

/// An inductive set that is said to prove a property.
pub(crate) struct Certificate<'s> {
    pub(crate) encodings: &'s dyn Encodings,
    pub(crate) part: usize,
    pub(crate) property: PropertyId,
    /// What is proved, in the propositions of the property.
    pub(crate) logic: Logic,
    pub(crate) set: InductiveSet,
    pub(crate) ledger: Rc<RefCell<Ledger>>,
}

impl Replay for Certificate<'_> {
    fn by(&self) -> &'static str {
        "SAT on the terms"
    }

    fn is_required(&self) -> bool {
        false
    }

    fn replay(&self, context: &Context) -> Result<(), Flaw> {
        let mut judged = Err(Flaw::NoMeans);
        let mut judge = |part: PartTerms<'_>| judged = self.judge(context, part);
        self.encodings.with_terms(self.part, self.property, &self.logic, &mut judge);
        judged
    }
}

impl Certificate<'_> {
    fn judge(&self, context: &Context, PartTerms { claim, bits }: PartTerms<'_>) -> Result<(), Flaw> {
        context.poll().map_err(Flaw::Stopped)?;
        let mut ledger = self.ledger.borrow_mut();
        let budget = ledger.budget();
        let states = match &self.set {
            InductiveSet::Claim(_) => None,
            InductiveSet::States(states) => Some(states),
        };
        let judged = ledger.judged.get(&self.part).filter(|(set, _)| Some(set) == states);
        let known = judged.map(|(_, judged)| *judged);
        if let Some(Judged::GivenUp(before)) = known
            && budget / 2 < before
        {
            return Err(Flaw::GaveUp);
        }
        let n_nodes = states.map_or(0, Bdd::n_nodes) as u64;
        if n_nodes * PER_NODE >= budget {
            return Err(Flaw::GaveUp);
        }
        let set = match states {
            None => DefinedSet::plain(claim.claim.certain(claim.terms)),
            Some(states) => defined(claim.terms, bits, states)
                .ok_or_else(|| Flaw::Wrong("the set reads more than states".to_owned()))?,
        };
        let mut work = n_nodes * PER_NODE;
        if known != Some(Judged::Inductive) {
            let left = budget.saturating_sub(work);
            let (finding, spent) = judge_inductive(context, claim.terms, claim.system, &set, left);
            work += spent;
            if let Some(states) = states {
                let judged = match finding {
                    Finding::Stands => Judged::Inductive,
                    _ => Judged::GivenUp(budget),
                };
                ledger.judged.insert(self.part, (states.clone(), judged));
            }
            if finding != Finding::Stands {
                ledger.spend(work);
                return flaw(finding);
            }
        }
        let left = budget.saturating_sub(work);
        let (finding, spent) = judge_claim(context, claim.terms, claim.system, &set, claim.claim, left);
        ledger.spend(work + spent);
        flaw(finding)
    }
}

/// What a finding means for the answer.
fn flaw(finding: Finding) -> Result<(), Flaw> {
    match finding {
        Finding::Stands => Ok(()),
        Finding::GaveUp(_) => Err(Flaw::GaveUp),
        Finding::Stopped(reason) => Err(Flaw::Stopped(reason)),
        Finding::Fails { obligation, .. } => {
            Err(Flaw::Wrong(format!("the set is not inductive: {}", obligation.text())))
        }
        Finding::Malformed => Err(Flaw::Wrong("the set is no set of states".to_owned())),
    }
}

/// A set of states as terms: a definition for each node, from its bit and the two nodes below it. A function and its
/// complement share one, as they share a node. Nothing if the diagram reads other bits than these.
pub(crate) fn defined(terms: &Terms, bits: &[(Var, Term)], states: &Bdd) -> Option<DefinedSet> {
    let bits: FxHashMap<Var, Term> = bits.iter().copied().collect();
    if states.support().iter().any(|bit| !bits.contains_key(bit)) {
        return None;
    }
    let mut nodes = Nodes { terms, bits, definitions: Vec::new(), done: FxHashMap::default() };
    let holds = nodes.define(states);
    Some(DefinedSet { definitions: nodes.definitions, holds })
}

struct Nodes<'a> {
    terms: &'a Terms,
    bits: FxHashMap<Var, Term>,
    definitions: Vec<(Variable, Term)>,
    done: FxHashMap<Bdd, Term>,
}

impl Nodes<'_> {
    /// The term that stands for a diagram; defines what is below it first.
    fn define(&mut self, root: &Bdd) -> Term {
        let mut waiting = vec![root.clone()];
        while let Some(at) = waiting.last() {
            if self.known(at).is_some() {
                waiting.pop();
                continue;
            }
            let (low, high) = at.halves();
            match (self.known(&low), self.known(&high)) {
                (Some(no), Some(yes)) => {
                    let bit = self.bits[&at.top().expect("constants are known")];
                    // No variable of a model has blanks in its name.
                    let name = format!("node {}", self.done.len());
                    let variable = self.terms.declare(&name, &Sort::Bool);
                    self.definitions.push((variable, self.terms.ite(bit, yes, no)));
                    self.done.insert(at.clone(), self.terms.variable(variable));
                    waiting.pop();
                }
                (no, yes) => {
                    waiting
                        .extend(no.is_none().then_some(low).into_iter().chain(yes.is_none().then_some(high)));
                }
            }
        }
        self.known(root).expect("it was defined")
    }

    /// What stands for a diagram that is a constant, or defined, or the complement of one that is.
    fn known(&self, diagram: &Bdd) -> Option<Term> {
        if diagram.is_true() || diagram.is_false() {
            return Some(self.terms.boolean(diagram.is_true()));
        }
        let complement = || self.done.get(&diagram.not()).map(|&term| self.terms.not(term));
        self.done.get(diagram).copied().or_else(complement)
    }
}
