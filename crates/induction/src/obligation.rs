//! What has to be shown of a set of states, as questions whose answer should be "no".

use tertium_expr::{Term, Terms, Variable};
use tertium_program::{DefinedSet, Predicate, TermSystem};

/// What has to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obligation {
    /// The initial condition has a meaning wherever nothing excludes the state.
    InitialMeaning,
    /// All initial states are inside.
    Begins,
    /// Inside, the claim has a meaning and holds.
    Claims,
    /// From inside, every step that nothing excludes has a meaning.
    StepMeaning,
    /// No step leads from inside to the outside.
    Stays,
}

impl Obligation {
    /// What fails if it does, in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::InitialMeaning => "the initial condition has no meaning at some state",
            Self::Begins => "an initial state is outside of the set",
            Self::Claims => "a state of the set violates the claim",
            Self::StepMeaning => "a step from the set has no meaning",
            Self::Stays => "a step leaves the set",
        }
    }
}

/// An obligation with the terms that must not hold together, and definitions of variables in them.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) obligation: Obligation,
    pub(crate) together: Vec<Term>,
    pub(crate) defined: Vec<(Variable, Term)>,
}

impl Question {
    /// The terms with an equation for each definition.
    pub(crate) fn with_equations(&self, terms: &Terms) -> Vec<Term> {
        let equation = |&(variable, term): &(Variable, Term)| terms.equal(terms.variable(variable), term);
        self.together.iter().copied().chain(self.defined.iter().map(equation)).collect()
    }
}

/// What makes a set an inductive one that implies a claim, the cheapest first. What the system demands of every state
/// belongs to the set. A set or a claim that reads inputs is about all inputs of their domains: one is known of the
/// step at hand, and any other can be the wrong one.
pub(crate) fn obligations(
    terms: &Terms,
    system: &TermSystem,
    set: &DefinedSet,
    claim: &Predicate,
) -> Vec<Question> {
    let mut questions = inductive(terms, system, set);
    debug_assert_eq!(questions[1].obligation, Obligation::Begins, "questions about steps come last");
    questions.insert(2, claims(terms, system, set, claim));
    questions
}

/// What makes a set inductive, the cheapest first.
pub(crate) fn inductive(terms: &Terms, system: &TermSystem, set: &DefinedSet) -> Vec<Question> {
    let mut primed = system.primed(terms);
    for &input in &system.inputs {
        let name = format!("{}'", terms.name(input));
        primed.insert(input, terms.variable(terms.declare(&name, &terms.sort_of(input))));
    }
    let next = set.renamed(terms, &primed, "'");
    let all: Vec<Term> = set.definitions.iter().map(|&(_, term)| term).chain([set.holds]).collect();
    let domain = input_domain(terms, system, &all);
    let outside = terms.and([terms.not(set.holds), domain]);
    let outside_next = terms.and([terms.not(next.holds), primed.apply(terms, domain)]);
    let inside = [system.invariant, set.holds];
    let (here, there) = (&set.definitions[..], &next.definitions[..]);
    let question = |obligation, together: &[&[Term]], defined: &[&[(Variable, Term)]]| Question {
        obligation,
        together: together.concat(),
        defined: defined.concat(),
    };
    vec![
        question(Obligation::InitialMeaning, &[&[system.initial_fault]], &[]),
        question(Obligation::Begins, &[&[system.initial, outside]], &[here]),
        question(Obligation::StepMeaning, &[&inside, &[system.step_fault]], &[here]),
        question(Obligation::Stays, &[&inside, &[system.step, outside_next]], &[here, there]),
    ]
}

/// That a set implies a claim.
pub(crate) fn claims(terms: &Terms, system: &TermSystem, set: &DefinedSet, claim: &Predicate) -> Question {
    let wrong = claim.certain(terms);
    let wrong = terms.and([terms.not(wrong), input_domain(terms, system, &[wrong])]);
    let together = vec![system.invariant, set.holds, wrong];
    Question { obligation: Obligation::Claims, together, defined: set.definitions.clone() }
}

/// That inputs are within their domains, if some term reads one. Else nothing is said: a system without steps may have no inputs at all.
fn input_domain(terms: &Terms, system: &TermSystem, read: &[Term]) -> Term {
    let reads =
        |&term: &Term| terms.variables_of(term).iter().any(|variable| system.inputs.contains(variable));
    if read.iter().any(reads) { system.input_domain } else { terms.boolean(true) }
}
