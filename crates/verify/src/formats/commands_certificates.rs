//! Certificates about random bounded programs, held against states that are enumerated one by one.
//!
//! A true claim has a certificate that passes its judge. Sets with states more or less, and claims that say more, pass exactly if they are
//! right state by state.

use crate::engines::certificate::defined;
use std::collections::BTreeSet;
use tertium_check::symbolic::{InductiveSet, Options, SymbolicChecker};
use tertium_dd::Bdd;
use tertium_encode::diagrams::{EncodedProgram, ProgramOptions, encode_program};
use tertium_expr::Term;
use tertium_induction::{Finding, judge_claim, judge_inductive};
use tertium_logic::Formula;
use tertium_program::{DefinedSet, Interpreter, Predicate, Program, State, TermSystem};
use tertium_support::{Context, Rng};
use tertium_testkit::{
    ProgramShape, random_array_program, random_array_truth, random_cases, random_program, random_truth,
};
use tertium_truth::Verdict;

/// A program with its states one by one.
struct Enumerated<'p> {
    interpreter: Interpreter<'p>,
    /// Each with its codes.
    states: Vec<(State, Vec<u64>)>,
    reachable: BTreeSet<State>,
}

impl<'p> Enumerated<'p> {
    fn new(program: &'p Program, encoded: &EncodedProgram<'p>) -> Self {
        let mut codes: Vec<Vec<u64>> = vec![Vec::new()];
        for variable in &encoded.model.variables {
            let each = 0..=variable.last_code;
            codes = each
                .flat_map(|code| codes.iter().map(move |before| [before.clone(), vec![code]].concat()))
                .collect();
        }
        let state = |codes: Vec<u64>| (encoded.state(&codes).expect("codes of values"), codes);
        let states: Vec<(State, Vec<u64>)> = codes.into_iter().map(state).collect();
        let interpreter = Interpreter::new(program);
        let mut own = Self { interpreter, states, reachable: BTreeSet::new() };
        let initial =
            own.states.iter().map(|(state, _)| state).filter(|state| own.interpreter.is_initial(state));
        let mut open: Vec<State> = initial.cloned().collect();
        while let Some(state) = open.pop() {
            if own.reachable.insert(state.clone()) {
                open.extend(own.next(&state));
            }
        }
        own
    }

    fn next(&self, state: &State) -> Vec<State> {
        let next = self.interpreter.successors(state).expect("inputs have few values");
        next.into_iter().map(|next| next.state).collect()
    }

    fn members(&self, encoded: &EncodedProgram<'_>, set: &Bdd) -> BTreeSet<State> {
        let is_in = |codes: &[u64]| {
            let here = encoded.model.state(codes).expect("there is no limit");
            here.is_subset(set).expect("there is no limit")
        };
        self.states.iter().filter(|(_, codes)| is_in(codes)).map(|(state, _)| state.clone()).collect()
    }

    fn is_inductive(&self, members: &BTreeSet<State>) -> bool {
        let begins =
            |(state, _): &(State, Vec<u64>)| !self.interpreter.is_initial(state) || members.contains(state);
        self.states.iter().all(begins)
            && members.iter().all(|state| self.next(state).iter().all(|next| members.contains(next)))
    }

    fn implies(&self, members: &BTreeSet<State>, claim: Term) -> bool {
        members.iter().all(|state| self.interpreter.holds(state, claim))
    }
}

/// The judge, with the terms of a program.
struct Judge<'p> {
    program: &'p Program,
    system: TermSystem,
}

impl Judge<'_> {
    /// Whether a set passes as an inductive one, and whether it passes as one that implies a claim.
    fn passes(&self, set: &DefinedSet, claim: Term) -> (bool, bool) {
        let (context, terms) = (Context::default(), &self.program.terms);
        let inductive = judge_inductive(&context, terms, &self.system, set, u64::MAX).0;
        let claim = Predicate::plain(terms, claim);
        let implied = judge_claim(&context, terms, &self.system, set, &claim, u64::MAX).0;
        let passes = |finding| match finding {
            Finding::Stands => true,
            Finding::Fails { .. } => false,
            other => panic!("the judge has no limit: {other:?}"),
        };
        (passes(inductive), passes(implied))
    }
}

/// A set with states more or less.
fn mutated(rng: &mut Rng, encoded: &EncodedProgram<'_>, own: &Enumerated<'_>, set: &Bdd, other: &Bdd) -> Bdd {
    let state = |codes: &[u64]| encoded.model.state(codes).expect("there is no limit");
    let changed = match rng.below(4) {
        0 => {
            let reachable: Vec<&(State, Vec<u64>)> =
                own.states.iter().filter(|(state, _)| own.reachable.contains(state)).collect();
            if reachable.is_empty() { Ok(set.clone()) } else { set.diff(&state(&rng.pick(&reachable).1)) }
        }
        1 => set.xor(&state(&rng.pick(&own.states).1)),
        2 => set.or(other),
        _ => set.and(other),
    };
    changed.expect("there is no limit")
}

#[test]
fn certificates_pass_exactly_if_they_are_right_state_by_state() {
    let (mut n_true, mut n_arrays, mut n_claims, mut n_smaller, mut n_pass, mut n_fail) = (0, 0, 0, 0, 0, 0);
    let run = random_cases(200, |rng| {
        // Every fourth has arrays.
        let has_arrays = rng.below(4) == 0;
        let program = match has_arrays {
            true => random_array_program(rng, 4),
            false => random_program(rng, ProgramShape { n_commands: 6, bounded: true, choices: true }),
        };
        let terms = &program.terms;
        let variables: Vec<_> = program.variables().iter().map(|own| own.variable).collect();
        let mut claim = || {
            terms.or((0..3).map(|_| match has_arrays {
                true => random_array_truth(rng, &program),
                false => random_truth(rng, terms, &variables[1..], 1),
            }))
        };
        let (claim, other) = (claim(), claim());
        let context = Context::default();
        let mut encoded =
            encode_program(&context, &program, &ProgramOptions::default()).expect("there is no limit");
        encoded.name("claim", claim).expect("there is no limit");
        encoded.name("other", other).expect("there is no limit");
        let own = Enumerated::new(&program, &encoded);
        let judge = Judge { program: &program, system: program.term_system().system };
        let small = if rng.chance(0.5) { 0 } else { Options::default().small };
        let mut checker =
            SymbolicChecker::new(&context, &encoded.model, Options { small, ..Options::default() });
        let formula = Formula::proposition("claim");
        let outcome = checker.check_invariant(&formula).expect("there is no limit");
        let holds = own.implies(&own.reachable, claim);
        assert_eq!(outcome.verdict == Verdict::True, holds, "{}", terms.print(claim));
        let certificate = checker.invariant_certificate(&formula).expect("there is no limit");
        assert_eq!(certificate.is_some(), holds);
        let Some(certificate) = certificate else { return };
        n_true += 1;
        n_arrays += usize::from(has_arrays);
        if matches!(certificate, InductiveSet::Claim(_)) {
            assert_eq!(judge.passes(&DefinedSet::plain(claim), claim), (true, true));
            n_claims += 1;
        }
        let bits = encoded.bits();
        let as_terms = |set: &Bdd| defined(terms, &bits, set).expect("it is a set of states");
        let set = certificate.states();
        assert_eq!(judge.passes(&as_terms(set), claim), (true, true), "{}", terms.print(claim));
        n_smaller += usize::from(own.members(&encoded, set) != own.reachable);
        for _ in 0..6 {
            let changed = mutated(rng, &encoded, &own, set, &encoded.model.propositions["other"]);
            let members = own.members(&encoded, &changed);
            let stronger = terms.and([claim, other]);
            let expected = (own.is_inductive(&members), own.implies(&members, stronger));
            assert_eq!(judge.passes(&as_terms(&changed), stronger), expected);
            n_pass += usize::from(expected == (true, true));
            n_fail += usize::from(expected != (true, true));
        }
    });
    let counts = (n_true, n_arrays, n_claims, n_smaller, n_pass, n_fail);
    run.enough(
        n_true >= run.share(60)
            && n_arrays >= run.share(10)
            && n_claims >= run.share(10)
            && n_smaller >= run.share(10)
            && n_fail > n_pass,
        format_args!("{counts:?}"),
    );
}
