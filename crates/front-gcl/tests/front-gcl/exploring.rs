//! Exploration against the text of commands, and definite verdicts of cut searches against those of whole ones.

use std::collections::BTreeSet;
use tertium_check::evaluate as evaluate_formula;
use tertium_explore::{Exploration, Gap, reachable};
use tertium_expr::{Term, TermKind, Value, evaluate};
use tertium_front_gcl::{Model, Update, read};
use tertium_program::{Domain, Interpreter, State};
use tertium_support::{Context, Id, Rng, Source};
use tertium_system::PartialSystem;
use tertium_testkit::{FormulaShape, random_cases, random_formula, random_gcl};
use tertium_truth::Belnap;

fn model(text: &str) -> Model {
    read(&Context::default(), &Source::new("test", text))
        .unwrap_or_else(|found| panic!("{text}\n{found:#?}"))
        .0
}

fn explored(model: &Model, most: usize) -> Exploration {
    reachable(&Context::default(), &model.program, most).expect("no limit")
}

fn system(model: &Model, found: &Exploration) -> PartialSystem {
    let propositions = model.program.propositions.iter();
    found.to_system(&model.program, propositions.map(|(name, &term)| (name.as_str(), term)))
}

/// The value of a term, by the definition of what depends on elements that are not there: nothing if it does.
fn certain(model: &Model, state: &State, term: Term) -> Option<Value> {
    let program = &model.program;
    let kind = program.terms.kind(term);
    let lookup = |variable| program.id_of(variable).map(|id| state.0[id.index()].clone());
    let total = || evaluate(&program.terms, term, &lookup).expect("about variables");
    let truths = |parts: &[Term]| -> Vec<Option<bool>> {
        parts.iter().map(|&part| certain(model, state, part)?.as_bool()).collect()
    };
    match &kind {
        TermKind::And(parts) | TermKind::Or(parts) => {
            let decides = matches!(kind, TermKind::Or(_));
            let truths = truths(parts);
            let certain = truths.contains(&Some(decides)) || !truths.contains(&None);
            certain.then(total)
        }
        TermKind::If(condition, then, otherwise) => match certain(model, state, *condition)?.as_bool()? {
            true => certain(model, state, *then),
            false => certain(model, state, *otherwise),
        },
        TermKind::Select(array, at) => {
            certain(model, state, *array)?;
            let at = certain(model, state, *at)?;
            indices(model, state, *array).is_none_or(|domain| domain.has(&at)).then(total)
        }
        _ => kind.operands().into_iter().all(|own| certain(model, state, own).is_some()).then(total),
    }
}

/// The indices of an array whose value is certain.
fn indices(model: &Model, state: &State, array: Term) -> Option<Domain> {
    fn domain(model: &Model, state: &State, array: Term) -> Option<Domain> {
        let program = &model.program;
        match program.terms.kind(array) {
            TermKind::Variable(own) => Some(program.variables()[program.id_of(own)?.index()].domain.clone()),
            TermKind::Store(array, ..) => domain(model, state, array),
            TermKind::If(condition, then, otherwise) => {
                let taken = certain(model, state, condition)?.as_bool()?;
                domain(model, state, if taken { then } else { otherwise })
            }
            TermKind::Select(array, _) => match domain(model, state, array)? {
                Domain::Array(_, element) => Some(Domain::clone(&element)),
                _ => None,
            },
            _ => None,
        }
    }
    match domain(model, state, array)? {
        Domain::Array(index, _) => Some(Domain::clone(&index)),
        _ => None,
    }
}

/// The ends of one list of updates, read off the text: every combination of inputs, without what leaves a range or depends on an element
/// that is not there.
fn ends(model: &Model, state: &State, updates: &[Update]) -> Vec<State> {
    let program = &model.program;
    let mut ends = vec![state.clone()];
    for update in updates {
        let values = match &update.value {
            Ok(term) => certain(model, state, *term).into_iter().collect(),
            Err(domain) => domain.values(100).expect("small"),
        };
        let indices =
            update.indices.iter().map(|&at| certain(model, state, at)).collect::<Option<Vec<Value>>>();
        let Some(indices) = indices else { return Vec::new() };
        ends = ends
            .iter()
            .flat_map(|end| {
                values.iter().filter_map(|value| {
                    let mut end = end.clone();
                    let own = &mut end.0[update.variable.index()];
                    *own =
                        written(&program.variables()[update.variable.index()].domain, own, &indices, value)?;
                    Some(end)
                })
            })
            .collect();
    }
    ends.retain(|end| program.variables().iter().zip(&end.0).all(|(own, value)| own.domain.has(value)));
    ends
}

/// What is left of a value when an element of it becomes another; nothing if there is no such index.
fn written(domain: &Domain, old: &Value, indices: &[Value], value: &Value) -> Option<Value> {
    let [at, inner @ ..] = indices else { return Some(value.clone()) };
    let (Domain::Array(index, element), Value::Array { index: sort, rest, entries }) = (domain, old) else {
        panic!("only arrays have elements");
    };
    let mut entries = entries.clone();
    let new = written(element, entries.get(at).unwrap_or(rest), inner, value)?;
    entries.insert(at.clone(), new);
    index.has(at).then(|| Value::array(sort.clone(), (**rest).clone(), entries))
}

#[test]
fn steps_are_those_of_the_text_and_initial_states_all_that_satisfy_the_condition() {
    random_cases(120, |rng| {
        let text = random_gcl(rng);
        let model = model(&text);
        let program = &model.program;
        let found = explored(&model, 100_000);
        assert!(found.is_complete(), "{text}");
        let interpreter = Interpreter::new(program);
        let mut steps: BTreeSet<(usize, usize, usize)> = BTreeSet::new();
        let states: Vec<State> = found.states().collect();
        for (source, state) in states.iter().enumerate() {
            for (number, command) in model.commands.iter().enumerate() {
                if certain(&model, state, command.guard) != Some(Value::Bool(true)) {
                    continue;
                }
                for end in command.alternatives.iter().flat_map(|updates| ends(&model, state, updates)) {
                    let target = states.iter().position(|other| *other == end).expect("it was found");
                    steps.insert((source, number, target));
                }
            }
        }
        let taken =
            found.steps().map(|step| (step.source, step.command.index(), step.target.expect("complete")));
        assert_eq!(taken.collect::<BTreeSet<_>>(), steps, "{text}");
        let domains: Vec<Vec<Value>> =
            program.variables().iter().map(|own| own.domain.values(100).expect("small")).collect();
        let mut all = vec![Vec::new()];
        for domain in &domains {
            all = all
                .iter()
                .flat_map(|before: &Vec<Value>| {
                    domain.iter().map(|value| [&before[..], std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        let initial: BTreeSet<State> = all
            .into_iter()
            .map(|values| State(values.into()))
            .filter(|state| interpreter.is_initial(state))
            .collect();
        assert_eq!(states[..found.n_initial()].iter().cloned().collect::<BTreeSet<_>>(), initial, "{text}");
    });
}

/// The value of a formula at all initial states together.
fn verdict(system: &PartialSystem, formula: &tertium_logic::Formula) -> Belnap {
    let values = evaluate_formula(system, formula);
    let at: Vec<Belnap> = system.initial().iter().map(|&state| values.at(state)).collect();
    let order = [Belnap::Inconsistent, Belnap::False, Belnap::Unknown];
    order.into_iter().find(|value| at.contains(value)).unwrap_or(Belnap::True)
}

#[test]
fn what_a_cut_search_says_definitely_holds_for_the_whole_model() {
    let mut n_definite = 0;
    let run = random_cases(150, |rng| {
        let text = random_gcl(rng);
        let model = model(&text);
        let whole = explored(&model, 100_000);
        let formula =
            random_formula(rng, &FormulaShape { depth: 4, fixpoints: 2, ..FormulaShape::default() });
        let truth = verdict(&system(&model, &whole), &formula);
        assert!(matches!(truth, Belnap::True | Belnap::False), "{text}\n{formula}");
        for most in [1, 2, rng.between(1, 20)] {
            let cut = explored(&model, most);
            let answer = verdict(&system(&model, &cut), &formula);
            if answer != Belnap::Unknown {
                n_definite += 1;
                assert_eq!(answer, truth, "{most} states of\n{text}\n{formula}");
            }
        }
    });
    run.enough(n_definite > 20, format_args!("{n_definite}"));
}

#[test]
fn printed_random_models_are_read_back_to_the_same_model() {
    random_cases(80, |rng: &mut Rng| {
        let model_read = model(&random_gcl(rng));
        let printed = model_read.to_string();
        let again = model(&printed);
        assert_eq!(again.to_string().lines().count(), printed.lines().count());
        let found = [&model_read, &again].map(|model| explored(model, 1000));
        assert!(found[0].states().eq(found[1].states()), "{printed}");
        assert!(found[0].steps().eq(found[1].steps()), "{printed}");
    });
}

#[test]
fn what_was_left_out_is_said() {
    let found = explored(&model("var x: int = 0; [up] true -> x := x + 1;"), 5);
    assert_eq!((found.n_states(), &found.gaps[..]), (5, &[Gap::Bound][..]));
    let found = explored(&model("var x: int; init x > 0;"), 5);
    assert_eq!((found.n_initial(), &found.gaps[..]), (5, &[Gap::Initial][..]));
    let open = model("var x: int = 0; [in] x = 0 -> x := input; [off] x = 7 -> x := input;");
    let found = explored(&open, 5);
    assert_eq!((found.n_states(), found.gaps.len(), found.unfollowed().count()), (1, 1, 1));
    assert_eq!(open.program.variables()[0].domain, Domain::Int);
    let found = explored(&model("var x: 0..3; init x = 5;"), 5);
    assert!(found.is_complete() && found.n_states() == 0);
    assert_eq!(system(&open, &Exploration::default()).n_states(), 0);
}
