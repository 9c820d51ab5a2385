//! The encoding against the interpreter: the same states, initial states, steps, propositions and faults.

use crate::common::{
    any_of, assign, boolean, case, empty, int, next, not, number, specification, test, var, variable,
};
use crate::random_model::{Scope, random_model, random_truth};
use std::collections::{BTreeMap, BTreeSet};
use tertium_dd::{Bdd, Var};
use tertium_front_smv::{
    AssignTime, BinaryOp, EncodeError, EncodeOptions, Encoded, Expr, Fault, FlatModel, Input, Interpreter,
    Judgement, Outline, SpecificationKind, State, Type, Value, VarId, VarKind, VariableOrder,
    cone_of_influence, encode, order_variables, read_order, write_order,
};
use tertium_logic::Formula;
use tertium_support::{Context, Id, Rng, Source};
use tertium_testkit::random_cases;

fn encoded<'m>(model: &'m FlatModel, options: &EncodeOptions) -> Result<Encoded<'m>, EncodeError> {
    encode(&Context::default(), model, options)
}

fn complaint(model: &FlatModel) -> (String, Vec<String>) {
    match encoded(model, &EncodeOptions::default()) {
        Err(EncodeError::Model(diagnostic)) => (diagnostic.message, diagnostic.notes),
        other => panic!("no complaint: {:?}", other.map(|_| ())),
    }
}

/// All combinations of values of these variables.
fn combinations(model: &FlatModel, variables: &[VarId]) -> Vec<Box<[Value]>> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for id in variables {
        let values: Vec<Value> = match &model.variables[id.index()].ty {
            Type::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
            Type::Range(low, high) => (*low..=*high).map(Value::Integer).collect(),
            Type::Enumeration(values) => values.clone(),
            &Type::Word { width, signed } => {
                (0..1 << width).map(|bits| Value::Word { bits, width, signed }).collect()
            }
        };
        let extend = |prefix: Vec<Value>| {
            values.iter().map(move |&value| [prefix.clone(), vec![value]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all.into_iter().map(Into::into).collect()
}

/// A point: the bits of a state, an input and a next state.
struct Points<'e, 'm> {
    encoded: &'e Encoded<'m>,
    bits: Vec<bool>,
}

impl<'e, 'm> Points<'e, 'm> {
    fn new(encoded: &'e Encoded<'m>) -> Self {
        Self { encoded, bits: vec![false; encoded.model.manager.n_vars()] }
    }

    fn set(&mut self, variables: &[VarId], values: &[Value], after: bool) {
        for (&id, &value) in variables.iter().zip(values) {
            let Some(at) = self.encoded.symbolic(id) else { continue };
            let code = self.encoded.code(id, value).unwrap();
            assert_eq!(self.encoded.value(id, code), Some(value));
            let variable = &self.encoded.model.variables[at];
            let vars: &[Var] = if after { &variable.next } else { &variable.current };
            for (place, var) in vars.iter().enumerate() {
                self.bits[var.index()] = code >> place & 1 == 1;
            }
        }
    }

    fn holds(&self, function: &Bdd) -> bool {
        function.eval(|var| self.bits[var.index()])
    }
}

/// Everything about a model, by the interpreter, state by state.
struct Explicit {
    states: Vec<State>,
    inputs: Vec<Input>,
    valid: Vec<bool>,
    initial: Vec<bool>,
    /// By source, input and target; only from valid states. None from a state where some has no meaning.
    steps: Vec<(usize, usize, usize, bool)>,
    /// Whether some state has a step without meaning.
    has_faults: bool,
}

fn explicit(model: &FlatModel) -> Result<Explicit, Fault> {
    let interpreter = Interpreter::new(model);
    // The constraints on states alone.
    let mut everywhere = FlatModel { init: Vec::new(), ..model.clone() };
    everywhere.assigns.retain(|assign| assign.time == AssignTime::Current);
    let everywhere = Interpreter::new(&everywhere);
    let states: Vec<State> =
        combinations(model, interpreter.state_variables()).into_iter().map(State).collect();
    let inputs: Vec<Input> =
        combinations(model, interpreter.input_variables()).into_iter().map(Input).collect();
    let yes = |judged: Result<Judgement, Fault>| judged.map(|judgement| judgement.is_yes());
    let valid: Vec<bool> =
        states.iter().map(|state| yes(everywhere.is_initial(state))).collect::<Result<_, _>>()?;
    let initial: Vec<bool> =
        states.iter().map(|state| yes(interpreter.is_initial(state))).collect::<Result<_, _>>()?;
    let mut steps = Vec::new();
    let mut faults: BTreeMap<usize, Fault> = BTreeMap::new();
    for (s, state) in states.iter().enumerate().filter(|(s, _)| valid[*s]) {
        let before = steps.len();
        for (i, input) in inputs.iter().enumerate() {
            for (t, next) in states.iter().enumerate() {
                match yes(interpreter.is_step(state, input, next)) {
                    Ok(is_step) => steps.push((s, i, t, is_step)),
                    Err(fault) => {
                        steps.push((s, i, t, false));
                        faults.insert(s, fault);
                    }
                }
            }
        }
        if faults.contains_key(&s) {
            steps[before..].iter_mut().for_each(|step| step.3 = false);
        }
    }
    // A fault counts if it can be met.
    let mut reached: BTreeSet<usize> = (0..states.len()).filter(|&s| initial[s]).collect();
    loop {
        let next = steps.iter().filter(|step| step.3 && reached.contains(&step.0)).map(|step| step.2);
        let next: BTreeSet<usize> = next.filter(|t| !reached.contains(t)).collect();
        if next.is_empty() {
            break;
        }
        reached.extend(next);
    }
    let has_faults = !faults.is_empty();
    match faults.into_iter().find(|(s, _)| reached.contains(s)) {
        Some((_, fault)) => Err(fault),
        None => Ok(Explicit { states, inputs, valid, initial, steps, has_faults }),
    }
}

fn compare(model: &FlatModel, explicit: &Explicit, encoded: &Encoded<'_>) {
    let interpreter = Interpreter::new(model);
    let mut points = Points::new(encoded);
    let system = &encoded.model;
    for (s, state) in explicit.states.iter().enumerate() {
        points.set(interpreter.state_variables(), &state.0, false);
        assert_eq!(points.holds(&system.invar), explicit.valid[s], "invar at {state:?}\n{model:#?}");
        assert_eq!(points.holds(&system.init), explicit.initial[s], "init at {state:?}\n{model:#?}");
    }
    let everything = system.manager.constant(true);
    let steps = system.relation.steps(&everything, &everything).unwrap();
    let mut images: Vec<Bdd> = Vec::new();
    let codes = |values: &[Value]| -> Vec<u64> {
        let pairs = interpreter.state_variables().iter().zip(values);
        pairs.map(|(&id, &value)| encoded.code(id, value).unwrap()).collect()
    };
    for state in &explicit.states {
        images.push(system.relation.image(&system.state(&codes(&state.0)).unwrap()).unwrap());
    }
    let mut reached = vec![vec![false; explicit.states.len()]; explicit.states.len()];
    for &(s, i, t, is_step) in &explicit.steps {
        points.set(interpreter.state_variables(), &explicit.states[s].0, false);
        points.set(interpreter.input_variables(), &explicit.inputs[i].0, false);
        points.set(interpreter.state_variables(), &explicit.states[t].0, true);
        let what = || {
            format!("{:?} {:?} {:?}\n{model:#?}", explicit.states[s], explicit.inputs[i], explicit.states[t])
        };
        assert_eq!(points.holds(&steps), is_step, "step {}", what());
        reached[s][t] |= is_step;
    }
    for (s, targets) in reached.iter().enumerate() {
        for (t, &is_reached) in targets.iter().enumerate() {
            points.set(interpreter.state_variables(), &explicit.states[t].0, false);
            assert_eq!(points.holds(&images[s]), is_reached, "image\n{model:#?}");
        }
    }
    // Nothing else: codes that stand for no value, and steps from what is no state.
    let frame = system.relation.frame();
    let all: Vec<Var> = frame.current.iter().chain(&frame.input).chain(&frame.next).copied().collect();
    let n_steps = explicit.steps.iter().filter(|step| step.3).count();
    assert_eq!(steps.minterms(&all).count(), n_steps);
    assert_eq!(
        system.invar.minterms(&frame.current).count(),
        explicit.valid.iter().filter(|&&valid| valid).count()
    );
}

#[test]
fn random_models_have_the_states_steps_and_faults_of_the_interpreter() {
    let (mut fine, mut faulty, mut unreachable) = (0, 0, 0);
    let run = random_cases(400, |rng| {
        let model = random_model(rng, 40);
        let options = EncodeOptions { order: random_order(rng, &model), ..EncodeOptions::default() };
        match (explicit(&model), encoded(&model, &options)) {
            (Ok(explicit), Ok(encoded)) => {
                fine += 1;
                unreachable += usize::from(explicit.has_faults);
                assert_eq!(encoded.model.faulty.is_false(), !explicit.has_faults, "{model:#?}");
                compare(&model, &explicit, &encoded);
            }
            (Err(_), Err(EncodeError::Model(diagnostic))) => {
                faulty += 1;
                assert_ne!(diagnostic.message, "this has no meaning in some state");
            }
            (explicit, encoded) => {
                panic!("{:?} {:?}\n{model:#?}", explicit.map(|_| ()), encoded.map(|_| ()))
            }
        }
    });
    run.enough(
        fine > faulty / 4 && faulty > fine / 20 && unreachable > 5 || fine + faulty < 100,
        format_args!("{fine} fine, {faulty} faulty, {unreachable} with faults that cannot be met"),
    );
}

fn random_order(rng: &mut Rng, model: &FlatModel) -> VariableOrder {
    let mut all: Vec<VarId> = VarId::first(model.variables.len()).collect();
    match rng.below(3) {
        0 => VariableOrder::Declaration,
        1 => VariableOrder::Structure,
        _ => {
            rng.shuffle(&mut all);
            VariableOrder::Given(all)
        }
    }
}

#[test]
fn random_propositions_hold_where_the_interpreter_says() {
    random_cases(300, |rng| {
        let model = random_model(rng, 40);
        let Ok(mut encoded) = encoded(&model, &EncodeOptions::default()) else { return };
        let scope = if rng.chance(0.5) { Scope::State } else { Scope::Input };
        let atom = random_truth(rng, &model, scope, 3);
        let function = encoded.atom(&atom);
        let interpreter = Interpreter::new(&model);
        let mut points = Points::new(&encoded);
        let mut fault = false;
        for state in combinations(&model, interpreter.state_variables()).into_iter().map(State) {
            for input in combinations(&model, interpreter.input_variables()).into_iter().map(Input) {
                points.set(interpreter.state_variables(), &state.0, false);
                points.set(interpreter.input_variables(), &input.0, false);
                if !points.holds(&encoded.model.invar) {
                    continue;
                }
                match (interpreter.holds(&atom, &state, Some(&input)), &function) {
                    (Ok(holds), Ok(function)) => assert_eq!(points.holds(function), holds, "{atom:?}"),
                    (Err(_), _) => fault = true,
                    (Ok(_), Err(_)) => {}
                }
            }
        }
        assert_eq!(function.is_err(), fault, "{atom:?}\n{model:#?}");
    });
}

#[test]
fn the_cone_of_influence_is_bisimilar_to_the_whole_model() {
    let mut smaller = 0;
    let run = random_cases(400, |rng| {
        let model = random_model(rng, 100);
        let atom = random_truth(rng, &model, Scope::State, 0);
        let specification =
            specification(SpecificationKind::Ctl(Formula::proposition("p")), vec![("p", atom)]);
        let cone = cone_of_influence(&model, &Outline::new(&model), &specification);
        let Ok(mut whole) = encoded(&model, &EncodeOptions::default()) else { return };
        let options = EncodeOptions { keep: Some(cone.clone()), ..EncodeOptions::default() };
        let mut part = encoded(&model, &options).unwrap();
        let registered = part.register(&specification);
        assert_eq!(registered, whole.register(&specification));
        if registered.is_err() {
            return;
        }
        assert!(part.model.propositions.contains_key("p"));
        smaller += usize::from(part.variables().len() < whole.variables().len());
        let interpreter = Interpreter::new(&model);
        let kept: Vec<VarId> =
            interpreter.state_variables().iter().copied().filter(|id| cone.contains(id)).collect();
        // Cut down, initial states and images are those of the part.
        let same = |set: &Bdd, of_part: &Bdd, what: &str| {
            let dropped = interpreter.state_variables().iter().filter(|id| !cone.contains(id));
            let dropped = dropped.flat_map(|&id| &whole.model.variables[whole.symbolic(id).unwrap()].current);
            let set = set.exists(&whole.model.manager.var_set(dropped.copied()).unwrap()).unwrap();
            let (mut all, mut some) = (Points::new(&whole), Points::new(&part));
            for values in combinations(&model, &kept) {
                all.set(&kept, &values, false);
                some.set(&kept, &values, false);
                assert_eq!(all.holds(&set), some.holds(of_part), "{what} {values:?} {cone:?}\n{model:#?}");
            }
        };
        same(&whole.model.init, &part.model.init, "init");
        let mut states = combinations(&model, interpreter.state_variables());
        rng.shuffle(&mut states);
        for values in states.into_iter().take(20) {
            let codes = |encoded: &Encoded<'_>| -> Vec<u64> {
                let pairs = interpreter.state_variables().iter().zip(&values);
                let kept = pairs.filter(|(id, _)| encoded.symbolic(**id).is_some());
                kept.map(|(&id, &value)| encoded.code(id, value).unwrap()).collect()
            };
            let state = whole.model.state(&codes(&whole)).unwrap();
            if state.is_subset(&whole.model.invar).unwrap() {
                let from = part.model.state(&codes(&part)).unwrap();
                let image = whole.model.relation.image(&state).unwrap();
                same(&image, &part.model.relation.image(&from).unwrap(), "image");
            }
        }
    });
    run.enough(smaller > 10, format_args!("{smaller} cones were smaller than the model"));
}

/// `next(x) := x + 1` with x in 0..top.
fn counter(top: i64) -> (FlatModel, VarId) {
    let mut model = empty();
    let x = variable(&mut model, "x", VarKind::State, Type::Range(0, top));
    let value = number(BinaryOp::Add, var(&model, x), int(1));
    assign(&mut model, x, AssignTime::Init, int(0), None);
    assign(&mut model, x, AssignTime::Next, value, None);
    (model, x)
}

#[test]
fn a_value_outside_the_type_is_told_with_the_state() {
    let (model, _) = counter(6);
    let (message, notes) = complaint(&model);
    assert_eq!(message, "`x` is assigned 7, which is not of its type");
    assert_eq!(notes, ["for example with x = 6"]);
}

#[test]
fn a_fault_that_another_law_excludes_is_none() {
    let (mut model, x) = counter(6);
    // No step leaves the last state.
    let stays = test(BinaryOp::Less, var(&model, x), int(6));
    model.trans.push(stays);
    let encoded = encoded(&model, &EncodeOptions::default()).unwrap();
    let deadlocks = encoded.model.relation.deadlocks(&encoded.model.invar).unwrap();
    assert_eq!(deadlocks, encoded.model.state(&[6]).unwrap());
}

#[test]
fn a_fault_that_cannot_be_met_is_none() {
    let (mut model, x) = counter(6);
    // It goes from the first state to itself, and would leave its range from the last.
    model.assigns[1].value = number(BinaryOp::Multiply, var(&model, x), int(2));
    let encoded = encoded(&model, &EncodeOptions::default()).unwrap();
    let large = |n: u64| encoded.model.state(&[n]).unwrap();
    let faulty = [4, 5, 6].map(large).into_iter().reduce(|one, other| one.or(&other).unwrap()).unwrap();
    assert_eq!(encoded.model.faulty, faulty);
    assert_eq!(encoded.model.relation.image(&large(3)).unwrap(), large(6));
    assert!(encoded.model.relation.image(&faulty).unwrap().is_false(), "such states have no steps");
}

#[test]
fn missing_branches_and_divisions_by_zero_are_told() {
    let (mut model, x) = counter(3);
    let smaller = test(BinaryOp::Less, var(&model, x), int(2));
    model.assigns[1].value = case(vec![(smaller, int(2))]);
    let (message, notes) = complaint(&model);
    assert!(message.contains("no condition of this `case` holds"), "{message}");
    assert!(notes.iter().any(|note| note == "for example with x = 2"), "{notes:?}");

    let (mut model, x) = counter(3);
    model.assigns.pop();
    let quotient = number(BinaryOp::Divide, int(1), var(&model, x));
    model.invar.push(test(BinaryOp::LessEqual, quotient, int(1)));
    let (message, notes) = complaint(&model);
    assert!(message.contains("division by zero"), "{message}");
    assert_eq!(notes, ["for example with x = 0"]);
}

#[test]
fn a_wide_counter_modulo_its_size_is_cheap() {
    let (mut model, x) = counter(65_535);
    let sum = number(BinaryOp::Add, var(&model, x), int(1));
    model.assigns[1].value = number(BinaryOp::Modulo, sum, int(65_536));
    let encoded = encoded(&model, &EncodeOptions::default()).unwrap();
    assert!(encoded.model.manager.peak_nodes() < 5_000, "{}", encoded.model.manager.peak_nodes());
    let image = encoded.model.relation.image(&encoded.model.state(&[65_535]).unwrap()).unwrap();
    assert_eq!(image, encoded.model.state(&[0]).unwrap());
    // As a set it costs no more.
    let all = any_of((0..=65_535).map(int).collect());
    model.assigns[1].value = case(vec![(boolean(true), all)]);
    let encoded = encode(&Context::default(), &model, &EncodeOptions::default()).unwrap();
    assert!(encoded.model.relation.image(&encoded.model.init).unwrap().is_true());
}

#[test]
fn variables_that_meet_in_arithmetic_share_their_bits() {
    let mut model = empty();
    let ty = Type::Range(0, 65_535);
    let ids = ["x", "y", "z"].map(|name| variable(&mut model, name, VarKind::State, ty.clone()));
    let [x, y, z] = ids.map(|id| var(&model, id));
    let sum = number(BinaryOp::Add, x.clone(), y.clone());
    model.invar.push(test(BinaryOp::Equal, sum, z.clone()));
    model.invar.push(test(BinaryOp::LessEqual, x, y));
    let mut encoded = encoded(&model, &EncodeOptions::default()).unwrap();
    assert!(encoded.model.invar.n_nodes() < 500, "{}", encoded.model.invar.n_nodes());
    assert_eq!(encoded.order(), ids);
    let half = encoded.atom(&test(BinaryOp::Equal, z, int(2))).unwrap().and(&encoded.model.invar).unwrap();
    assert_eq!(half.minterms(&encoded.model.relation.frame().current).count(), 2);
}

#[test]
fn a_node_limit_ends_the_encoding() {
    let mut model = empty();
    let ty = Type::Word { width: 32, signed: false };
    let [a, b, c] = ["a", "b", "c"].map(|name| variable(&mut model, name, VarKind::State, ty.clone()));
    let product = Expr { ty: ty.clone(), ..number(BinaryOp::Multiply, var(&model, a), var(&model, b)) };
    assign(&mut model, c, AssignTime::Next, product, None);
    let options = EncodeOptions { node_limit: Some(100_000), ..EncodeOptions::default() };
    assert!(matches!(encoded(&model, &options), Err(EncodeError::Stopped(_))));
}

#[test]
fn only_the_cone_keeps_what_the_specification_needs() {
    let mut model = empty();
    let [a, b, c, d] =
        ["a", "b", "c", "d"].map(|name| variable(&mut model, name, VarKind::State, Type::Boolean));
    let value = var(&model, b);
    assign(&mut model, a, AssignTime::Next, value, None);
    let value = not(var(&model, a));
    assign(&mut model, c, AssignTime::Next, value, None);
    let about = specification(SpecificationKind::Ctl(Formula::proposition("p")), vec![("a", var(&model, a))]);
    assert_eq!(cone_of_influence(&model, &Outline::new(&model), &about), BTreeSet::from([a, b]));
    // A constraint may exclude steps, so what it reads stays.
    let constraint = next(var(&model, d));
    model.trans.push(constraint);
    assert_eq!(cone_of_influence(&model, &Outline::new(&model), &about), BTreeSet::from([a, b, d]));
}

#[test]
fn an_order_file_is_read_back_and_its_mistakes_are_named() {
    let mut model = empty();
    let [a, b, c] =
        ["left", "right", "p.x"].map(|name| variable(&mut model, name, VarKind::State, Type::Boolean));
    let file = Source::new("order", write_order(&model, &[c, a, b]));
    assert_eq!(read_order(&model, &file), Ok(vec![c, a, b]));
    let file = Source::new("order", "# the middle first\n  right -- this one\n\n");
    let order = read_order(&model, &file).unwrap();
    assert_eq!(order, [b]);
    assert_eq!(order_variables(&model, &VariableOrder::Given(order)), [b, a, c]);
    let file = Source::new("order", "rigth\nleft\nleft\n");
    let complaints = read_order(&model, &file).unwrap_err();
    assert_eq!(complaints.len(), 2);
    assert_eq!(complaints[0].message, "unknown variable `rigth`");
    assert_eq!(complaints[0].notes, ["did you mean `right`?"]);
    assert_eq!(file.line_column(complaints[1].span.start), (3, 1));
}

#[test]
fn the_structure_brings_together_what_occurs_together() {
    // A chain whose links are declared far from each other.
    let mut model = empty();
    let ids: Vec<VarId> =
        (0..16).map(|n| variable(&mut model, &format!("v{n}"), VarKind::State, Type::Boolean)).collect();
    let chain: Vec<VarId> = (0..16).map(|n| ids[n * 7 % 16]).collect();
    for pair in chain.windows(2) {
        let value = var(&model, pair[0]);
        assign(&mut model, pair[1], AssignTime::Next, value, None);
    }
    let length = |order: &[VarId]| -> usize {
        let place = |id: VarId| order.iter().position(|&other| other == id).unwrap();
        chain.windows(2).map(|pair| place(pair[0]).abs_diff(place(pair[1]))).sum()
    };
    let order = order_variables(&model, &VariableOrder::Structure);
    assert!(2 * length(&order) < length(&ids), "{order:?}");
}
