//! Preconditions and steps against running statements, and programs against their text.

use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{BigInt, Sort, Term, Terms, Value, Variable, evaluate};
use tertium_program::{Domain, Interpreter, Program, Role, State, Statement, Step, initial_states};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Cancel, Context, Limits, Rng, Span};
use tertium_testkit::{random_cases, random_number, random_truth};

type Memory = BTreeMap<Variable, Value>;

fn context() -> Context {
    Context::new(Limits::default(), Cancel::default())
}

fn value(terms: &Terms, memory: &Memory, term: Term) -> Value {
    evaluate(terms, term, &|variable| memory.get(&variable).cloned()).expect("all variables have values")
}

/// The ends of a statement, by the meaning of each form.
fn run(terms: &Terms, statement: &Statement, memory: &Memory) -> BTreeSet<Memory> {
    match statement {
        Statement::Skip => BTreeSet::from([memory.clone()]),
        Statement::Assign(updates) => {
            let mut after = memory.clone();
            after.extend(updates.iter().map(|&(variable, term)| (variable, value(terms, memory, term))));
            BTreeSet::from([after])
        }
        Statement::Assume(guard) if value(terms, memory, *guard) == Value::Bool(true) => {
            BTreeSet::from([memory.clone()])
        }
        Statement::Assume(_) => BTreeSet::new(),
        Statement::Havoc(variable, domain) => {
            let values = domain.values(100).expect("small domains");
            values
                .into_iter()
                .map(|value| {
                    memory.iter().map(|(v, old)| (*v, old.clone())).chain([(*variable, value)]).collect()
                })
                .collect()
        }
        Statement::Sequence(parts) => parts.iter().fold(BTreeSet::from([memory.clone()]), |ends, part| {
            ends.iter().flat_map(|end| run(terms, part, end)).collect()
        }),
        Statement::Choice(parts) => parts.iter().flat_map(|part| run(terms, part, memory)).collect(),
        Statement::If(condition, then, otherwise) => match value(terms, memory, *condition) {
            Value::Bool(true) => run(terms, then, memory),
            _ => run(terms, otherwise, memory),
        },
        Statement::Step(step) => run_step(terms, step, memory),
    }
}

fn random_statement(rng: &mut Rng, terms: &Terms, variables: &[Variable], depth: usize) -> Statement {
    let inner = |rng: &mut Rng| random_statement(rng, terms, variables, depth - 1);
    match rng.below(if depth == 0 { 4 } else { 8 }) {
        0 => Statement::Skip,
        1 => {
            let assigned = variables.iter().copied().filter(|_| rng.chance(0.6)).collect::<Vec<_>>();
            let updates = assigned.into_iter().map(|variable| {
                let term = match terms.sort_of(variable) {
                    Sort::Int => random_number(rng, terms, variables, 2),
                    _ => random_truth(rng, terms, variables, 1),
                };
                (variable, term)
            });
            Statement::Assign(updates.collect())
        }
        2 => Statement::Assume(random_truth(rng, terms, variables, 1)),
        3 => {
            let variable = *rng.pick(variables);
            let domain = match terms.sort_of(variable) {
                Sort::Int => Domain::Range(BigInt::from(-1), BigInt::from(rng.below(3))),
                _ => Domain::Bool,
            };
            Statement::Havoc(variable, domain)
        }
        4 => Statement::Sequence((0..rng.below(4)).map(|_| inner(rng)).collect()),
        5 => Statement::Choice((0..rng.below(4)).map(|_| inner(rng)).collect()),
        6 => Statement::Choice(inner(rng).steps(terms).into_iter().map(Statement::Step).collect()),
        _ => {
            let condition = random_truth(rng, terms, variables, 1);
            Statement::If(condition, Box::new(inner(rng)), Box::new(inner(rng)))
        }
    }
}

fn variables(terms: &Terms) -> Vec<Variable> {
    vec![terms.declare("x", &Sort::Int), terms.declare("y", &Sort::Int), terms.declare("p", &Sort::Bool)]
}

fn random_memory(rng: &mut Rng, terms: &Terms, variables: &[Variable]) -> Memory {
    let value = |sort| match sort {
        Sort::Int => Value::int(rng.below(9) as i64 - 4),
        _ => Value::Bool(rng.chance(0.5)),
    };
    let values: Vec<Value> = variables.iter().map(|&variable| terms.sort_of(variable)).map(value).collect();
    variables.iter().copied().zip(values).collect()
}

fn run_step(terms: &Terms, step: &Step, memory: &Memory) -> BTreeSet<Memory> {
    let mut all = vec![memory.clone()];
    for input in &step.inputs {
        let values = input.domain.values(100).expect("small domains");
        all = all
            .iter()
            .flat_map(|before| {
                values.iter().map(|value| {
                    let mut after = before.clone();
                    after.insert(input.variable, value.clone());
                    after
                })
            })
            .collect();
    }
    let enabled = all.into_iter().filter(|memory| value(terms, memory, step.guard) == Value::Bool(true));
    enabled
        .map(|inputs| {
            let mut after = memory.clone();
            after.extend(
                step.updates.iter().map(|(&variable, &term)| (variable, value(terms, &inputs, term))),
            );
            after
        })
        .collect()
}

#[test]
fn preconditions_hold_where_all_ends_satisfy_the_condition() {
    random_cases(1500, |rng| {
        let terms = Terms::new();
        let variables = variables(&terms);
        let statement = random_statement(rng, &terms, &variables, 3);
        let eta = random_truth(rng, &terms, &variables, 2);
        let pre = statement.pre(&terms, eta);
        let steps = statement.steps(&terms);
        for _ in 0..5 {
            let memory = random_memory(rng, &terms, &variables);
            let ends = run(&terms, &statement, &memory);
            let all = ends.iter().all(|end| value(&terms, end, eta) == Value::Bool(true));
            assert_eq!(value(&terms, &memory, pre), Value::Bool(all), "{statement:?}");
            let by_steps: BTreeSet<Memory> =
                steps.iter().flat_map(|step| run_step(&terms, step, &memory)).collect();
            assert_eq!(by_steps, ends, "{statement:?}");
            for step in &steps {
                let ends = run_step(&terms, step, &memory);
                let all = ends.iter().all(|end| value(&terms, end, eta) == Value::Bool(true));
                assert_eq!(value(&terms, &memory, step.pre(&terms, eta)), Value::Bool(all));
                assert_eq!(value(&terms, &memory, step.enabled(&terms)), Value::Bool(!ends.is_empty()));
            }
        }
    });
}

#[test]
fn what_comes_after_is_what_does_not_avoid_it_before() {
    // post(psi) and eta is satisfiable iff psi and not pre(not eta) is; a negation is missing in the source.
    random_cases(150, |rng| {
        let terms = Terms::new();
        let variables = variables(&terms);
        let statement = random_statement(rng, &terms, &variables, 2);
        let (psi, eta) = (random_truth(rng, &terms, &variables, 1), random_truth(rng, &terms, &variables, 1));
        let bounded =
            terms.and(variables.iter().filter(|&&v| terms.sort_of(v) == Sort::Int).map(|&v| {
                Domain::Range(BigInt::from(-2), BigInt::from(2)).contains(&terms, terms.variable(v))
            }));
        let exists = (0..50).any(|point| {
            let (x, y, p) = (point % 5 - 2, point / 5 % 5 - 2, point / 25 == 1);
            let memory: Memory =
                variables.iter().copied().zip([Value::int(x), Value::int(y), Value::Bool(p)]).collect();
            value(&terms, &memory, psi) == Value::Bool(true)
                && run(&terms, &statement, &memory)
                    .iter()
                    .any(|end| value(&terms, end, eta) == Value::Bool(true))
        });
        let avoided = statement.pre(&terms, terms.not(eta));
        let answer = Z3::new().check(&context(), &terms, &[bounded, psi, terms.not(avoided)]);
        assert_eq!(answer == Answer::Satisfiable, exists);
        let never = statement.pre(&terms, terms.boolean(false));
        let deadlocked = Z3::new().check(&context(), &terms, &[never, terms.not(avoided)]);
        assert_eq!(deadlocked, Answer::Unsatisfiable, "where there is no end, everything holds of all ends");
    });
}

/// Counts up to a bound or starts anew.
fn counter() -> Program {
    let mut program = Program::new(Terms::new());
    let place = Span::default();
    let n = program.add_variable("n", Domain::Range(BigInt::from(0), BigInt::from(3)), Role::Data, place);
    let n = program.variables()[tertium_support::Id::index(n)].variable;
    let terms = &program.terms;
    let now = terms.variable(n);
    let up = Statement::Assign(vec![(n, terms.sum([now, terms.integer(1)]))]);
    let any = Statement::guarded(
        terms.equal(now, terms.integer(3)),
        Statement::Havoc(n, Domain::Range(BigInt::from(-5), BigInt::from(1))),
    );
    program.initial = program.terms.at_most(now, program.terms.integer(1));
    program.add_command("up", up, place);
    program.add_command("again", any, place);
    program
}

#[test]
fn assignments_out_of_range_block() {
    let program = counter();
    let interpreter = Interpreter::new(&program);
    let state = |n: i64| State(Box::new([Value::int(n)]));
    let next = |n: i64| -> Vec<(&str, State)> {
        let successors = interpreter.successors(&state(n)).expect("small inputs");
        successors
            .into_iter()
            .map(|s| (&*program.commands()[tertium_support::Id::index(s.command)].action, s.state))
            .collect()
    };
    assert_eq!(next(1), [("up", state(2))]);
    assert_eq!(next(3), [("again", state(0)), ("again", state(1))]);
}

#[test]
fn initial_states_are_found_one_by_one() {
    let program = counter();
    let all = initial_states(&context(), &program, 10).expect("no limits");
    assert!(all.complete);
    assert_eq!(all.states.iter().collect::<BTreeSet<_>>().len(), 2);
    let one = initial_states(&context(), &program, 1).expect("no limits");
    assert_eq!((one.states.len(), one.complete), (1, false));
    let mut without_start = counter();
    without_start.initial = without_start.terms.boolean(false);
    let none = initial_states(&context(), &without_start, 3).expect("no limits");
    assert!(none.complete && none.states.is_empty());
}
