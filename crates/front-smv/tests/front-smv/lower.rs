//! The model as terms against the interpreter: the same initial states, steps, propositions and faults.

use crate::common::{empty, expr, test, var, variable};
use crate::random_model::{Scope, random_model, random_truth};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tertium_expr::{Term, Value as TermValue, Variable, evaluate};
use tertium_front_smv::{
    BinaryOp, Expr, ExprKind, Fault, FlatModel, Input, Interpreter, Judgement, Lowered, ProgramError, State,
    Type, UnaryOp, Value, VarId, VarKind, lower, read, read_property,
};
use tertium_program::{Predicate, Program};
use tertium_solve::{Answer, Solver, Z3};
use tertium_support::{Context, Id, Rng, Source, render};
use tertium_testkit::{SmvModel, SmvShape, random_cases, random_smv};

fn model_of(source: &Source) -> FlatModel {
    match read(source.clone()) {
        Ok((model, _)) => model,
        Err(diagnostics) => panic!("{}", render(source, &diagnostics, false)),
    }
}

fn random_value(rng: &mut Rng, ty: &Type) -> Value {
    match *ty {
        Type::Boolean => Value::Boolean(rng.chance(0.5)),
        Type::Range(low, high) => {
            let size = usize::try_from(high.abs_diff(low)).unwrap_or(usize::MAX - 1);
            Value::Integer(low.wrapping_add_unsigned(rng.below(size.saturating_add(1)) as u64))
        }
        Type::Enumeration(ref values) => *rng.pick(values),
        Type::Word { width, signed } => {
            let bits = (0..width).fold(0, |bits, place| bits | u64::from(rng.chance(0.5)) << place);
            Value::Word { bits, width, signed }
        }
    }
}

fn random_point(rng: &mut Rng, model: &FlatModel, variables: &[VarId]) -> Box<[Value]> {
    variables.iter().map(|id| random_value(rng, &model.variables[id.index()].ty)).collect()
}

fn truth(lowered: &Lowered<'_>, term: Term, values: &impl Fn(Variable) -> Option<TermValue>) -> bool {
    evaluate(lowered.terms(), term, values).unwrap() == TermValue::Bool(true)
}

fn judged(outcome: Result<Judgement, Fault>) -> (bool, bool) {
    match outcome {
        Ok(judgement) => (judgement.is_yes(), false),
        Err(_) => (false, true),
    }
}

/// One point of a model, on which terms and interpreter are to agree.
struct Pair<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    lowered: &'a Lowered<'m>,
}

impl Pair<'_, '_> {
    fn initial(&self, state: &State) -> bool {
        let values = self.lowered.values(state, None, None);
        let system = self.lowered.system();
        let found = [system.initial, system.initial_fault].map(|term| truth(self.lowered, term, &values));
        let expected = judged(self.interpreter.is_initial(state));
        assert_eq!((found[0], found[1]), expected, "{state:?}");
        assert!(!found[0] || truth(self.lowered, system.invariant, &values), "initial states are states");
        found[0]
    }

    fn step(&self, state: &State, input: &Input, next: &State) -> bool {
        let values = self.lowered.values(state, Some(input), Some(next));
        let system = self.lowered.system();
        let found = [system.step, system.step_fault].map(|term| truth(self.lowered, term, &values));
        let expected = judged(self.interpreter.is_step(state, input, next));
        assert_eq!((found[0], found[1]), expected, "{state:?} {input:?} {next:?}");
        if found[0] {
            let after = self.lowered.values(next, None, None);
            assert!(truth(self.lowered, system.invariant, &after), "steps lead to states");
        }
        found[0]
    }

    fn atom(&self, predicate: Predicate, expr: &Expr, state: &State, input: &Input) {
        let values = self.lowered.values(state, Some(input), None);
        let fault = truth(self.lowered, predicate.fault, &values);
        match self.interpreter.holds(expr, state, Some(input)) {
            Ok(expected) => {
                assert!(!fault, "{expr:?} at {state:?}");
                assert_eq!(truth(self.lowered, predicate.holds, &values), expected, "{expr:?} at {state:?}");
            }
            Err(_) => assert!(fault, "{expr:?} at {state:?}"),
        }
    }
}

/// Compares at random points, and at the points of a random walk. How many initial states and steps were met.
fn compare(rng: &mut Rng, model: &FlatModel, atoms: &[Expr], n_points: usize) -> (usize, usize) {
    let interpreter = Interpreter::new(model);
    let lowered = lower(model, None);
    let predicates: Vec<Predicate> = atoms.iter().map(|atom| lowered.atom(atom)).collect();
    let pair = Pair { interpreter: &interpreter, lowered: &lowered };
    let (mut n_initial, mut n_steps) = (0, 0);
    let mut walk: Vec<(State, Input, State)> = Vec::new();
    for _ in 0..n_points {
        let state = State(random_point(rng, model, interpreter.state_variables()));
        let input = Input(random_point(rng, model, interpreter.input_variables()));
        let next = State(random_point(rng, model, interpreter.state_variables()));
        walk.push((state, input, next));
    }
    let context = Context::default();
    let initial = interpreter.initial_states(&context).unwrap_or_default();
    let mut at = if initial.is_empty() { None } else { Some(rng.pick(&initial).clone()) };
    for _ in 0..n_points {
        let Some(state) = at.take() else { break };
        let successors = interpreter.successors(&context, &state).unwrap_or_default();
        if successors.is_empty() {
            break;
        }
        let (input, next) = rng.pick(&successors).clone();
        at = Some(next.clone());
        walk.push((state, input, next));
    }
    for (state, input, next) in &walk {
        n_initial += usize::from(pair.initial(state));
        n_steps += usize::from(pair.step(state, input, next));
        for (predicate, atom) in predicates.iter().zip(atoms) {
            pair.atom(*predicate, atom, state, input);
        }
    }
    (n_initial, n_steps)
}

#[test]
fn terms_agree_with_the_interpreter_on_random_flat_models_with_faults() {
    let (mut n_initial, mut n_steps) = (0, 0);
    let run = random_cases(400, |rng| {
        let model = random_model(rng, 40);
        let atoms: Vec<Expr> = (0..4).map(|_| random_truth(rng, &model, Scope::Input, 3)).collect();
        let (initial, steps) = compare(rng, &model, &atoms, 40);
        n_initial += initial;
        n_steps += steps;
    });
    run.enough(n_initial > 100 && n_steps > 100, format_args!("{n_initial} initial states, {n_steps} steps"));
}

#[test]
fn terms_agree_with_the_interpreter_on_random_models_as_text() {
    let shape = SmvShape { n_states: 60, ..SmvShape::default() };
    random_cases(150, |rng| {
        let SmvModel { text, atoms, input_atoms } = random_smv(rng, &shape);
        let model = model_of(&Source::new("random.smv", &text));
        let atoms = atoms.iter().chain(&input_atoms).map(|atom| {
            let source = Source::new("atom", format!("LTLSPEC G ({atom})"));
            read_property(&model, &source).unwrap().atoms
        });
        let atoms: Vec<Expr> = atoms.flatten().map(|atom| atom.expr).collect();
        compare(rng, &model, &atoms, 30);
    });
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "smv"));
    files.sort();
    files
}

#[test]
fn terms_agree_with_the_interpreter_on_models_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut n_models = 0;
    for path in files(&root.join("examples")).into_iter().chain(files(&root.join("tests/tasks/smv/small"))) {
        let text = std::fs::read_to_string(&path).unwrap();
        let model = model_of(&Source::new(path.display().to_string(), text));
        let atoms: Vec<Expr> = model
            .specifications
            .iter()
            .flat_map(|specification| specification.atoms.iter().map(|atom| atom.expr.clone()))
            .collect();
        compare(&mut Rng::seeded(7), &model, &atoms, 60);
        compare_by_solver(&mut Rng::seeded(7), &model, &atoms, 20);
        n_models += 1;
    }
    assert!(n_models >= 4, "only {n_models} models were found");
}

/// The solver finds a step exactly where the interpreter does.
#[test]
fn the_solver_finds_the_successors_of_the_interpreter() {
    let shape = SmvShape { n_states: 40, ..SmvShape::default() };
    let context = Context::default();
    random_cases(25, |rng| {
        let SmvModel { text, .. } = random_smv(rng, &shape);
        let model = model_of(&Source::new("random.smv", &text));
        let interpreter = Interpreter::new(&model);
        let lowered = lower(&model, None);
        let terms = lowered.terms();
        let state = State(random_point(rng, &model, interpreter.state_variables()));
        let mut expected: Vec<State> =
            interpreter.successors(&context, &state).unwrap().into_iter().map(|(_, next)| next).collect();
        expected.sort();
        expected.dedup();
        let mut solver = Z3::new();
        let values = lowered.values(&state, None, None);
        for own in &lowered.system().variables {
            let value = values(own.current).unwrap();
            solver.assert(terms, terms.equal(terms.variable(own.current), terms.value(&value)));
        }
        solver.assert(terms, lowered.system().step);
        for next in &expected {
            let after = lowered.values(&state, None, Some(next));
            let here = lowered
                .system()
                .variables
                .iter()
                .map(|own| terms.equal(terms.variable(own.next), terms.value(&after(own.next).unwrap())));
            let here = terms.and(here);
            assert_eq!(solver.check(&context, terms, &[here]), Answer::Satisfiable, "{text}");
            solver.assert(terms, terms.not(here));
        }
        assert_eq!(solver.check(&context, terms, &[]), Answer::Unsatisfiable, "{text}");
    });
}

/// Compares at the points of a walk that the solver finds, each also with one value changed.
fn compare_by_solver(rng: &mut Rng, model: &FlatModel, atoms: &[Expr], n_steps: usize) {
    let interpreter = Interpreter::new(model);
    let lowered = lower(model, None);
    let predicates: Vec<Predicate> = atoms.iter().map(|atom| lowered.atom(atom)).collect();
    let pair = Pair { interpreter: &interpreter, lowered: &lowered };
    let (terms, system, context) = (lowered.terms(), lowered.system(), Context::default());
    let mut solver = Z3::new();
    if solver.check(&context, terms, &[system.initial]) != Answer::Satisfiable {
        return;
    }
    let found = solver.model(terms).unwrap();
    let mut state = lowered.state(&|variable| found.get(variable).cloned()).unwrap();
    assert!(pair.initial(&state), "the solver finds initial states");
    for _ in 0..n_steps {
        let values = lowered.values(&state, None, None);
        let here = system
            .variables
            .iter()
            .map(|own| terms.equal(terms.variable(own.current), terms.value(&values(own.current).unwrap())));
        if solver.check(&context, terms, &[terms.and(here), system.step]) != Answer::Satisfiable {
            return;
        }
        let found = solver.model(terms).unwrap();
        let found = |variable| found.get(variable).cloned();
        let (input, next) = (lowered.input(&found).unwrap(), lowered.next_state(&found).unwrap());
        assert!(pair.step(&state, &input, &next), "the solver finds steps");
        for (predicate, atom) in predicates.iter().zip(atoms) {
            pair.atom(*predicate, atom, &state, &input);
        }
        for _ in 0..5 {
            let mut other = next.clone();
            let at = rng.below(other.0.len());
            let id = interpreter.state_variables()[at];
            other.0[at] = random_value(rng, &model.variables[id.index()].ty);
            pair.step(&state, &input, &other);
            pair.initial(&other);
        }
        state = next;
    }
}

/// The models of the shared corpus, at the points of a walk.
#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn terms_agree_with_the_interpreter_on_the_corpus() {
    let place = |up: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(up).join("shared/corpus/nusmv");
    let folder = ["../../..", "../../../.."].map(place).into_iter().find(|folder| folder.exists());
    let Some(folder) = folder else {
        eprintln!("skipped: the corpus is not beside this repository");
        return;
    };
    for path in files(&folder) {
        let model =
            model_of(&Source::new(path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        let atoms = model.specifications.iter().flat_map(|specification| &specification.atoms);
        let atoms: Vec<Expr> = atoms.map(|atom| atom.expr.clone()).take(30).collect();
        compare_by_solver(&mut Rng::seeded(7), &model, &atoms, 4);
    }
}

/// All values of two operands and of a result: `x op y = z`.
fn compare_operator(operator: BinaryOp, types: [&Type; 3]) {
    let mut model = empty();
    let [x, y, z] = [("x", 0), ("y", 1), ("z", 2)]
        .map(|(name, at)| variable(&mut model, name, VarKind::State, types[at].clone()));
    let applied = expr(
        ExprKind::Binary(operator, Box::new(var(&model, x)), Box::new(var(&model, y))),
        types[2].clone(),
    );
    compare_result(&model, &test(BinaryOp::Equal, applied, var(&model, z)), types);
}

fn compare_result(model: &FlatModel, atom: &Expr, types: [&Type; 3]) {
    let interpreter = Interpreter::new(model);
    let lowered = lower(model, None);
    let predicate = lowered.atom(atom);
    let pair = Pair { interpreter: &interpreter, lowered: &lowered };
    let none = Input(Box::default());
    let [xs, ys, zs] = types.map(all_values);
    for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
        zs.iter().for_each(|&z| pair.atom(predicate, atom, &State([x, y, z].into()), &none));
    }
}

fn all_values(ty: &Type) -> Vec<Value> {
    match *ty {
        Type::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
        Type::Range(low, high) => (low..=high).map(Value::Integer).collect(),
        Type::Enumeration(ref values) => values.clone(),
        Type::Word { width, signed } => {
            (0..1 << width).map(|bits| Value::Word { bits, width, signed }).collect()
        }
    }
}

#[test]
fn every_operator_has_the_values_and_faults_of_the_interpreter() {
    use BinaryOp as Op;
    let number = Type::Range(-3, 3);
    for operator in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Modulo] {
        compare_operator(operator, [&number, &number, &Type::Range(-9, 9)]);
    }
    for signed in [false, true] {
        let word = Type::Word { width: 3, signed };
        for operator in [
            Op::Add,
            Op::Subtract,
            Op::Multiply,
            Op::Divide,
            Op::Modulo,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Xnor,
            Op::Implies,
        ] {
            compare_operator(operator, [&word, &word, &word]);
        }
        for operator in [Op::Divide, Op::Modulo] {
            compare_operator(operator, [&word, &Type::Word { width: 3, signed: !signed }, &word]);
        }
        for operator in [Op::ShiftLeft, Op::ShiftRight] {
            for width in [1, 3, 4] {
                for of in [false, true] {
                    compare_operator(operator, [&word, &Type::Word { width, signed: of }, &word]);
                }
            }
            compare_operator(operator, [&word, &Type::Range(-1, 5), &word]);
        }
        let wide = Type::Word { width: 5, signed: false };
        compare_operator(Op::Concatenate, [&word, &Type::Word { width: 2, signed }, &wide]);
        for operator in [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual] {
            for other in [&word, &Type::Word { width: 2, signed: !signed }, &Type::Range(-5, 8)] {
                compare_operator(operator, [&word, other, &Type::Boolean]);
            }
        }
    }
}

#[test]
fn every_conversion_has_the_values_of_the_interpreter() {
    let words = [(1, false), (3, false), (3, true), (5, false), (5, true)]
        .map(|(width, signed)| Type::Word { width, signed });
    let mut cases: Vec<(UnaryOp, Type, Type)> = Vec::new();
    for word in &words {
        for operator in [UnaryOp::Not, UnaryOp::Minus] {
            cases.push((operator, word.clone(), word.clone()));
        }
        cases.push((UnaryOp::ToInteger, word.clone(), Type::Range(-16, 31)));
        cases.push((UnaryOp::ToBoolean, word.clone(), Type::Boolean));
        for to in &words {
            cases.push((UnaryOp::Resize, word.clone(), to.clone()));
        }
        cases.push((UnaryOp::Resize, Type::Range(-9, 9), word.clone()));
    }
    for (operator, from, to) in cases {
        let mut model = empty();
        let x = variable(&mut model, "x", VarKind::State, from.clone());
        variable(&mut model, "y", VarKind::State, Type::Boolean);
        let z = variable(&mut model, "z", VarKind::State, to.clone());
        let applied = expr(ExprKind::Unary(operator, Box::new(var(&model, x))), to.clone());
        let atom = test(BinaryOp::Equal, applied, var(&model, z));
        compare_result(&model, &atom, [&from, &Type::Boolean, &to]);
    }
}

/// The states that a program leads to.
fn program_successors(program: &Program, state: &tertium_program::State) -> BTreeSet<tertium_program::State> {
    let successors = tertium_program::Interpreter::new(program).successors(state).expect("few inputs");
    successors.into_iter().map(|successor| successor.state).collect()
}

#[test]
fn a_model_and_its_program_have_the_same_initial_states_steps_and_propositions() {
    let context = Context::default();
    let (mut n_steps, mut n_programs) = (0, 0);
    let run = random_cases(120, |rng| {
        let shape = SmvShape { n_states: 40, words: rng.chance(0.5), ..SmvShape::default() };
        let SmvModel { text, atoms, .. } = random_smv(rng, &shape);
        let model = model_of(&Source::new("random.smv", &text));
        let lowered = lower(&model, None);
        let program = match lowered.program(&context) {
            Ok(program) => program,
            Err(ProgramError::Fault) => return,
            Err(other) => panic!("{other:?}\n{text}"),
        };
        n_programs += 1;
        let interpreter = Interpreter::new(&model);
        let own = tertium_program::Interpreter::new(&program);
        let in_program = |state: &State| {
            let values = lowered.values(state, None, None);
            let variables = lowered.system().variables.iter();
            tertium_program::State(variables.map(|own| values(own.current).unwrap()).collect())
        };
        let source = Source::new("atom", format!("INVARSPEC {}", rng.pick(&atoms)));
        let claim = lowered.claim(&read_property(&model, &source).unwrap()).unwrap();
        let claim_there = lowered.in_program(&program, claim.holds);
        let states: Vec<State> =
            (0..12).map(|_| State(random_point(rng, &model, interpreter.state_variables()))).collect();
        for state in states {
            let there = in_program(&state);
            assert_eq!(own.is_initial(&there), interpreter.is_initial(&state).unwrap().is_yes(), "{text}");
            let values = lowered.values(&state, None, None);
            assert_eq!(own.holds(&there, claim_there), truth(&lowered, claim.holds, &values), "{text}");
            if !truth(&lowered, lowered.system().invariant, &values) {
                continue;
            }
            let steps = interpreter.successors(&context, &state).unwrap();
            let expected: BTreeSet<_> = steps.iter().map(|(_, next)| in_program(next)).collect();
            n_steps += expected.len();
            assert_eq!(program_successors(&program, &there), expected, "{text}");
        }
    });
    run.enough(n_programs > 50 && n_steps > 200, format_args!("{n_programs} programs, {n_steps} steps"));
}

#[test]
fn determined_variables_are_updated_words_are_bit_vectors_and_faults_are_refused() {
    let context = Context::default();
    let of = |text: &str| {
        let model = model_of(&Source::new("test.smv", text));
        lower(&model, None).program(&context)
    };
    let program = of("MODULE main VAR a : 0..7; b : {off, on}; c : boolean; d : 0..9;
ASSIGN init(a) := 0; next(a) := case b = on & a < 7 : a + 1; TRUE : 0; esac;
  next(b) := case a = 3 : on; TRUE : off; esac; d := a + 1; next(c) := {TRUE, FALSE};")
    .unwrap();
    let step = &program.commands()[0].steps[0];
    assert_eq!(step.inputs.len(), 1, "only c is chosen");
    let words = of("MODULE main VAR w : unsigned word[4]; ASSIGN next(w) := w + 0ud4_1;").unwrap();
    assert_eq!(words.variables()[0].domain, tertium_program::Domain::Bits(4));
    assert!(words.commands()[0].steps[0].inputs.is_empty());
    let fault = of("MODULE main VAR a : 0..3; ASSIGN next(a) := a + 1;");
    assert_eq!(fault.err(), Some(ProgramError::Fault));
}
