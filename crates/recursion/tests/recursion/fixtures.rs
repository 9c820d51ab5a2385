//! Small programs with procedures, made by hand, and random ones over finite domains.

use std::collections::BTreeMap;
use tertium_expr::{Term, Terms, Variable};
use tertium_program::{Action, Call, Domain, Icfg, Input, PointId, ProcedureId, Step};
use tertium_support::{Rng, Span};

/// A program that is being made, with short ways to say what is in it.
pub(crate) struct Making {
    pub(crate) icfg: Icfg,
}

impl Making {
    pub(crate) fn new() -> Self {
        Self { icfg: Icfg::new(Terms::new()) }
    }

    pub(crate) fn procedure(&mut self, name: &str) -> ProcedureId {
        self.icfg.add_procedure(name, Span::default())
    }

    pub(crate) fn entry(&self, procedure: ProcedureId) -> PointId {
        self.icfg.procedure(procedure).entry
    }

    pub(crate) fn exit(&self, procedure: ProcedureId) -> PointId {
        self.icfg.procedure(procedure).exit
    }

    pub(crate) fn global(&mut self, name: &str, domain: Domain) -> Variable {
        self.icfg.add_global(name, domain, Span::default())
    }

    pub(crate) fn local(&mut self, procedure: ProcedureId, name: &str, domain: Domain) -> Variable {
        self.icfg.add_variable(procedure, name, domain, Span::default())
    }

    pub(crate) fn formal(&mut self, procedure: ProcedureId, name: &str, domain: Domain) -> Variable {
        let variable = self.local(procedure, name, domain);
        self.icfg.add_formal(procedure, variable);
        variable
    }

    pub(crate) fn result(&mut self, procedure: ProcedureId, name: &str, domain: Domain) -> Variable {
        let variable = self.local(procedure, name, domain);
        self.icfg.add_result(procedure, variable);
        variable
    }

    pub(crate) fn point(&mut self, procedure: ProcedureId) -> PointId {
        self.icfg.add_point(procedure, Span::default())
    }

    pub(crate) fn var(&self, variable: Variable) -> Term {
        self.icfg.terms.variable(variable)
    }

    pub(crate) fn int(&self, value: i64) -> Term {
        self.icfg.terms.integer(value)
    }

    pub(crate) fn plus(&self, variable: Variable, value: i64) -> Term {
        self.icfg.terms.sum([self.var(variable), self.int(value)])
    }

    /// A step without inputs.
    pub(crate) fn step(&mut self, from: PointId, to: PointId, guard: Term, updates: &[(Variable, Term)]) {
        let updates = updates.iter().copied().collect::<BTreeMap<Variable, Term>>();
        let step = Step { guard, inputs: Vec::new(), updates };
        self.icfg.add_edge(from, to, Action::Step(step), true, Span::default());
    }

    /// A step that gives a variable a value from outside.
    pub(crate) fn havoc(&mut self, from: PointId, to: PointId, variable: Variable) {
        let domain = self.icfg.cell(variable).expect("it is declared").domain.clone();
        let input = self.icfg.terms.fresh("in", &domain.sort());
        let term = self.var(input);
        let guard = domain.contains(&self.icfg.terms, term);
        let inputs = vec![Input { variable: input, domain }];
        let step = Step { guard, inputs, updates: BTreeMap::from([(variable, term)]) };
        self.icfg.add_edge(from, to, Action::Step(step), true, Span::default());
    }

    pub(crate) fn call(
        &mut self,
        from: PointId,
        to: PointId,
        callee: ProcedureId,
        arguments: &[Term],
        results: &[Option<Variable>],
    ) {
        let call = Call { callee, arguments: arguments.to_vec(), results: results.to_vec() };
        self.icfg.add_edge(from, to, Action::Call(call), true, Span::default());
    }

    pub(crate) fn yes(&self) -> Term {
        self.icfg.terms.boolean(true)
    }
}

/// `int f(n) { if (n > 100) return n - 10; return f(f(n + 11)); }`, and main fails if `f(n)` is `wrong(n, r)` for any n up to `most`.
pub(crate) fn mc_carthy(most: i64, wrong: impl Fn(&Terms, Term, Term) -> Term) -> (Icfg, PointId) {
    let mut making = Making::new();
    let main = making.procedure("main");
    let f = making.procedure("f");
    let n = making.formal(f, "n", Domain::Int);
    let t = making.local(f, "t", Domain::Int);
    let r = making.result(f, "r", Domain::Int);
    let (entry, exit) = (making.entry(f), making.exit(f));
    let (below, once, twice) = (making.point(f), making.point(f), making.point(f));
    let is_low = making.icfg.terms.at_most(making.var(n), making.int(100));
    let is_high = making.icfg.terms.not(is_low);
    making.step(entry, exit, is_high, &[(r, making.plus(n, -10))]);
    making.step(entry, below, is_low, &[]);
    making.call(below, once, f, &[making.plus(n, 11)], &[Some(t)]);
    making.call(once, twice, f, &[making.var(t)], &[Some(r)]);
    making.step(twice, exit, making.yes(), &[]);
    let (x, y) = (making.local(main, "x", Domain::Int), making.local(main, "y", Domain::Int));
    let (start, ask, after) = (making.entry(main), making.point(main), making.point(main));
    let error = making.point(main);
    making.havoc(start, ask, x);
    let called = making.point(main);
    let few = making.icfg.terms.at_most(making.var(x), making.int(most));
    making.step(ask, called, few, &[]);
    making.call(called, after, f, &[making.var(x)], &[Some(y)]);
    let wrong = wrong(&making.icfg.terms, making.var(x), making.var(y));
    making.step(after, error, wrong, &[]);
    making.step(after, making.exit(main), making.icfg.terms.not(wrong), &[]);
    making.icfg.add_label("reach_error", error);
    (making.icfg, error)
}

/// `for (i = 0; i < n; i++) s += 2;` from main with a global s, for a given n or any; fails if in the end `s = wrong`, which is a function
/// of n.
pub(crate) fn counting(limit: Option<i64>, wrong: impl Fn(&Terms, Term) -> Term) -> (Icfg, PointId) {
    let mut making = Making::new();
    let main = making.procedure("main");
    let s = making.global("s", Domain::Int);
    making.icfg.initial = making.icfg.terms.equal(making.var(s), making.int(0));
    let (i, n) = (making.local(main, "i", Domain::Int), making.local(main, "n", Domain::Int));
    let (start, head, error) = (making.entry(main), making.point(main), making.point(main));
    let chosen = making.point(main);
    match limit {
        Some(limit) => making.step(start, chosen, making.yes(), &[(n, making.int(limit))]),
        None => making.havoc(start, chosen, n),
    }
    let positive = making.icfg.terms.at_most(making.int(0), making.var(n));
    making.step(chosen, head, positive, &[(i, making.int(0))]);
    making.icfg.mark_loop_head(head);
    let more = making.icfg.terms.less(making.var(i), making.var(n));
    making.step(head, head, more, &[(i, making.plus(i, 1)), (s, making.plus(s, 2))]);
    let terms = &making.icfg.terms;
    let is_wrong = terms.equal(making.var(s), wrong(terms, making.var(n)));
    let end = terms.and([terms.not(more), is_wrong]);
    let fine = terms.and([terms.not(more), terms.not(is_wrong)]);
    making.step(head, error, end, &[]);
    making.step(head, making.exit(main), fine, &[]);
    making.icfg.add_label("reach_error", error);
    (making.icfg, error)
}

/// Two procedures that call each other and themselves, with a global, a formal, a local and a result, each of three values.
pub(crate) fn random_finite(rng: &mut Rng) -> Icfg {
    let domain = || Domain::Range(0.into(), 2.into());
    let mut making = Making::new();
    let global = making.global("g", domain());
    let procedures = [making.procedure("main"), making.procedure("f"), making.procedure("h")];
    let mut own = Vec::new();
    for (number, &procedure) in procedures.iter().enumerate() {
        let formal = if number == 0 {
            making.local(procedure, "a", domain())
        } else {
            making.formal(procedure, "a", domain())
        };
        own.push([formal, making.result(procedure, "r", domain())]);
    }
    for (number, &procedure) in procedures.iter().enumerate() {
        let variables = [global, own[number][0], own[number][1]];
        let inner: Vec<PointId> = (0..3).map(|_| making.point(procedure)).collect();
        let all: Vec<PointId> = [&[making.entry(procedure)][..], &inner, &[making.exit(procedure)]].concat();
        for (at, &point) in all[..all.len() - 1].iter().enumerate() {
            for _ in 0..1 + rng.below(2) {
                // Mostly forwards.
                let to = if rng.chance(0.3) { 1 + rng.below(all.len() - 1) } else { at + 1 };
                let one = variables[rng.below(3)];
                match rng.below(4) {
                    0 => making.havoc(point, all[to], one),
                    1 => {
                        let callee = 1 + rng.below(2);
                        let argument = random_value(&making, rng, &variables);
                        let taker = rng.chance(0.8).then_some(one);
                        making.call(point, all[to], procedures[callee], &[argument], &[taker]);
                    }
                    _ => {
                        let guard = random_guard(&making, rng, &variables);
                        let value = random_value(&making, rng, &variables);
                        making.step(point, all[to], guard, &[(one, value)]);
                    }
                }
            }
        }
    }
    if rng.chance(0.5) {
        making.icfg.initial = making.icfg.terms.equal(making.var(global), making.int(rng.below(3) as i64));
    }
    making.icfg
}

fn random_value(making: &Making, rng: &mut Rng, variables: &[Variable]) -> Term {
    let terms = &making.icfg.terms;
    let one = making.var(variables[rng.below(variables.len())]);
    let sum = match rng.below(3) {
        0 => return making.int(rng.below(3) as i64),
        1 => terms.sum([one, making.int(rng.below(3) as i64)]),
        _ => terms.sum([one, making.var(variables[rng.below(variables.len())])]),
    };
    terms.modulo(sum, 3)
}

fn random_guard(making: &Making, rng: &mut Rng, variables: &[Variable]) -> Term {
    let terms = &making.icfg.terms;
    let one = making.var(variables[rng.below(variables.len())]);
    let other = match rng.below(2) {
        0 => making.int(rng.below(3) as i64),
        _ => making.var(variables[rng.below(variables.len())]),
    };
    match rng.below(4) {
        0 => making.yes(),
        1 => terms.equal(one, other),
        2 => terms.not(terms.equal(one, other)),
        _ => terms.at_most(one, other),
    }
}

/// `int fib(n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }`, and main fails if `fib(n)` is a given number for any n.
pub(crate) fn fibonacci(result: i64) -> (Icfg, PointId) {
    let mut making = Making::new();
    let main = making.procedure("main");
    let fib = making.procedure("fib");
    let n = making.formal(fib, "n", Domain::Int);
    let (one, two) = (making.local(fib, "one", Domain::Int), making.local(fib, "two", Domain::Int));
    let r = making.result(fib, "r", Domain::Int);
    let (first, second, sum) = (making.point(fib), making.point(fib), making.point(fib));
    let (entry, exit) = (making.entry(fib), making.exit(fib));
    let is_low = making.icfg.terms.less(making.var(n), making.int(2));
    let is_high = making.icfg.terms.not(is_low);
    making.step(entry, exit, is_low, &[(r, making.var(n))]);
    making.step(entry, first, is_high, &[]);
    making.call(first, second, fib, &[making.plus(n, -1)], &[Some(one)]);
    making.call(second, sum, fib, &[making.plus(n, -2)], &[Some(two)]);
    let total = making.icfg.terms.sum([making.var(one), making.var(two)]);
    making.step(sum, exit, making.yes(), &[(r, total)]);
    let (x, y) = (making.local(main, "x", Domain::Int), making.local(main, "y", Domain::Int));
    let (called, after, error) = (making.point(main), making.point(main), making.point(main));
    making.havoc(making.entry(main), called, x);
    making.call(called, after, fib, &[making.var(x)], &[Some(y)]);
    let hit = making.icfg.terms.equal(making.var(y), making.int(result));
    let deep = making.icfg.terms.at_most(making.int(2), making.var(x));
    making.step(after, error, making.icfg.terms.and([hit, deep]), &[]);
    making.step(after, making.exit(main), making.icfg.terms.not(hit), &[]);
    making.icfg.add_label("reach_error", error);
    (making.icfg, error)
}
