//! Claims that are inductive after several steps: k-induction.
//!
//! With a stretch of k: no run of fewer than k steps from an initial state violates the claim, and k states in a row
//! that satisfy it are followed by one that does. For k = 1 that is induction. The first half also finds short runs to
//! a violation.
//!
//! Cost: for each k two questions with k copies of the step. States are not demanded to be different, so some true claims have no
//! k at all.

use crate::check::{Finding, all_shown, ask};
use crate::obligation::{Obligation, Question, input_domain};
use crate::prove::Proof;
use tertium_expr::{Substitution, Term, Terms, Variable};
use tertium_program::{DefinedSet, Predicate, TermSystem};
use tertium_solve::Model;
use tertium_support::Context;

/// Tries stretches of 1, 2, … steps, up to `most`.
pub fn prove_by_induction(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    claim: &Predicate,
    most: usize,
) -> Proof {
    let path = Path::new(terms, system, claim, most);
    let mut last = Finding::Stands;
    for stretch in 1..=most {
        for question in path.base(stretch - 1) {
            match one(context, terms, &question) {
                Finding::Stands => {}
                Finding::Fails { obligation: Obligation::Begins, model } => {
                    return path.violation(model, stretch - 1);
                }
                other => return proof_of(other),
            }
        }
        let mut shown = true;
        for question in path.induction(stretch) {
            match one(context, terms, &question) {
                Finding::Stands => {}
                Finding::Stopped(reason) => return Proof::Stopped(reason),
                open => {
                    (last, shown) = (open, false);
                    break;
                }
            }
        }
        if shown {
            let set = DefinedSet::plain(claim.certain(terms));
            return Proof::Proved { stretch, set };
        }
    }
    proof_of(last)
}

/// Judges that a claim is inductive with this stretch; all questions at once, from the definition.
pub fn check_stretch(
    context: &Context,
    terms: &Terms,
    system: &TermSystem,
    claim: &Predicate,
    stretch: usize,
) -> Finding {
    let path = Path::new(terms, system, claim, stretch);
    let mut questions: Vec<Question> = (0..stretch).flat_map(|depth| path.base(depth)).collect();
    questions.extend(path.induction(stretch));
    all_shown(context, terms, &questions)
}

fn one(context: &Context, terms: &Terms, question: &Question) -> Finding {
    match ask(context, terms, &question.together) {
        Ok(None) => Finding::Stands,
        Ok(Some(model)) => Finding::Fails { obligation: question.obligation, model },
        Err(None) => Finding::GaveUp(question.obligation),
        Err(Some(reason)) => Finding::Stopped(reason),
    }
}

fn proof_of(finding: Finding) -> Proof {
    match finding {
        Finding::Stands | Finding::Malformed => unreachable!("these were no answers to a question"),
        Finding::Fails { obligation, model } => Proof::NotInductive { obligation, model },
        Finding::GaveUp(obligation) => Proof::GaveUp(obligation),
        Finding::Stopped(reason) => Proof::Stopped(reason),
    }
}

/// The system at several moments, one after the other.
struct Path<'a> {
    terms: &'a Terms,
    system: &'a TermSystem,
    /// By moment: the copies of the variables and inputs of the system, each with the original.
    moments: Vec<Vec<(Variable, Variable)>>,
    /// By moment: what is so of the state. These are terms of the moment.
    states: Vec<At>,
    /// By moment: what is so of the step from there.
    steps: Vec<(Term, Term)>,
}

/// What is so at a moment.
#[derive(Clone, Copy)]
struct At {
    invariant: Term,
    holds: Term,
    /// With inputs of their domains: the claim fails, or has no meaning.
    violated: Term,
    meaningless: Term,
}

impl<'a> Path<'a> {
    fn new(terms: &'a Terms, system: &'a TermSystem, claim: &'a Predicate, n_steps: usize) -> Self {
        let copy = |variable: Variable, moment: usize| {
            terms.declare(&format!("{}@{moment}", terms.name(variable)), &terms.sort_of(variable))
        };
        let originals: Vec<Variable> =
            system.variables.iter().map(|own| own.current).chain(system.inputs.iter().copied()).collect();
        let moments: Vec<Vec<(Variable, Variable)>> = (0..=n_steps)
            .map(|moment| originals.iter().map(|&original| (original, copy(original, moment))).collect())
            .collect();
        let domain = input_domain(terms, system, &[claim.holds, claim.fault]);
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        for moment in 0..=n_steps {
            let mut renaming = renaming_to(terms, &moments[moment]);
            if let Some(after) = moments.get(moment + 1) {
                let pairs = system.variables.iter().zip(after);
                pairs.for_each(|(own, &(_, there))| renaming.insert(own.next, terms.variable(there)));
            }
            let fails = terms.and([terms.not(claim.holds), terms.not(claim.fault)]);
            states.push(At {
                invariant: renaming.apply(terms, system.invariant),
                holds: renaming.apply(terms, claim.certain(terms)),
                violated: renaming.apply(terms, terms.and([domain, fails])),
                meaningless: renaming.apply(terms, terms.and([domain, claim.fault])),
            });
            if moment < n_steps {
                steps.push((renaming.apply(terms, system.step), renaming.apply(terms, system.step_fault)));
            }
        }
        debug_assert_eq!(moments.len(), states.len(), "every moment has a state");
        debug_assert_eq!(steps.len() + 1, states.len(), "there is a step between any two moments");
        Self { terms, system, moments, states, steps }
    }

    /// That no run of this many steps ends in a violation, and none is without meaning.
    fn base(&self, depth: usize) -> Vec<Question> {
        let question = |obligation, together| Question { obligation, together, defined: Vec::new() };
        debug_assert!(depth <= self.steps.len(), "the run stays within the unrolled moments");
        let mut first = renaming_to(self.terms, &self.moments[0]);
        let initial = first.apply(self.terms, self.system.initial);
        let run: Vec<Term> =
            [initial].into_iter().chain(self.steps[..depth].iter().map(|step| step.0)).collect();
        let with = |more: Term| [&run[..], &[more]].concat();
        let mut questions = Vec::new();
        if depth == 0 {
            let fault = first.apply(self.terms, self.system.initial_fault);
            questions.push(question(Obligation::InitialMeaning, vec![fault]));
        } else {
            let before = [&run[..depth], &[self.steps[depth - 1].1]].concat();
            questions.push(question(Obligation::StepMeaning, before));
        }
        let At { violated, meaningless, .. } = self.states[depth];
        questions.push(question(Obligation::Begins, with(violated)));
        questions.push(question(Obligation::Claims, with(meaningless)));
        questions
    }

    /// That after this many states that satisfy the claim, all with a meaning, comes another one.
    fn induction(&self, stretch: usize) -> Vec<Question> {
        let question = |obligation, together| Question { obligation, together, defined: Vec::new() };
        debug_assert!(
            (1..=self.steps.len()).contains(&stretch),
            "the stretch stays within the unrolled moments"
        );
        let mut together: Vec<Term> = vec![self.states[0].invariant];
        for moment in 0..stretch {
            together.push(self.states[moment].holds);
            if moment + 1 < stretch {
                together.push(self.steps[moment].0);
            }
        }
        let fault = [&together[..], &[self.steps[stretch - 1].1]].concat();
        let At { violated, meaningless, .. } = self.states[stretch];
        let outside = self.terms.or([violated, meaningless]);
        let after = [&together[..], &[self.steps[stretch - 1].0, outside]].concat();
        vec![question(Obligation::StepMeaning, fault), question(Obligation::Stays, after)]
    }

    /// The run in a model of the base.
    fn violation(&self, model: Option<Model>, depth: usize) -> Proof {
        debug_assert!(depth < self.moments.len(), "the run stays within the unrolled moments");
        let run = model.map(|model| {
            let values = |moment: &Vec<(Variable, Variable)>| {
                let known = moment.iter().filter_map(|&(own, here)| Some((own, model.get(here)?.clone())));
                Model::new(known)
            };
            self.moments[..=depth].iter().map(values).collect()
        });
        Proof::Violated { run }
    }
}

fn renaming_to(terms: &Terms, moment: &[(Variable, Variable)]) -> Substitution {
    Substitution::new(moment.iter().map(|&(original, copy)| (original, terms.variable(copy))))
}
