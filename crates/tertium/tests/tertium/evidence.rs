//! Evidence is walked in the user's names, whatever its kind, and what is walked is what the model does.

use tertium::{Belnap, Check, Evidence, Model, Path, Reason, Semantics, Verdict, check};

/// Every step begins where the one before ended; the last one of a lasso leads back.
fn require_connected(path: &Path<'_>) {
    let states: Vec<_> = path.states().map(|state| state.id()).collect();
    let mut at = path.start().id();
    for (number, step) in path.steps().enumerate() {
        assert_eq!((step.source().id(), at), (states[number], states[number]));
        at = step.target().id();
        if step.closes_loop() {
            assert_eq!(Some(at), path.loop_start().map(|start| states[start]));
        }
    }
    assert!(path.loop_start().is_some() || at == path.last().id());
}

#[test]
fn a_path_of_a_program_can_be_followed_by_hand() {
    let text = "var x: int = 1;
var by: 2 .. 5 = 2;
[grow] x < 20 -> x := x * by, by := input 2 .. 5;
invariant small: x != 6;
";
    let model = Model::read("grow.gcl", text).expect("it can be read");
    let by_predicates = Check::new().engine("predicate");
    let answer = by_predicates.ask(&model, &model.properties()[0]).expect("an answer");
    assert_eq!(answer.verdict(), Verdict::False);
    let path = answer.path().expect("a path");
    require_connected(&path);
    let (mut x, mut by) = (1, "2".to_owned());
    for step in path.steps() {
        assert_eq!((step.action(), step.line(), step.process()), ("grow", Some(3), None));
        x *= by.parse::<i32>().expect("a number");
        let [(_, input)] = step.inputs() else { panic!("one input: {:?}", step.inputs()) };
        assert!(step.changes().iter().any(|new| new.text == format!("x = {x}")));
        let is_new = step.changes().iter().any(|new| new.text == format!("by = {input}"));
        assert_eq!(is_new, *input != by);
        by.clone_from(input);
    }
    assert_eq!(path.last().value("x").as_deref(), Some("6"));
    assert_eq!(path.last().value("y"), None);
}

#[test]
fn a_lasso_of_a_model_comes_back() {
    let text =
        "MODULE main VAR n : 0 .. 3; ASSIGN init(n) := 0; next(n) := case n < 3 : n + 1; TRUE : 1; esac;
LTLSPEC F G n = 3
";
    let model = Model::read("round.smv", text).expect("it can be read");
    let answer = check(&model, &model.properties()[0]).expect("an answer");
    assert_eq!(answer.verdict(), Verdict::False);
    let path = answer.path().expect("a lasso");
    assert!(path.loop_start().is_some());
    require_connected(&path);
    for step in path.steps() {
        let n = |value: Option<String>| value.expect("n").parse::<i32>().expect("a number");
        let (before, after) = (n(step.source().value("n")), n(step.target().value("n")));
        assert_eq!(after, if before < 3 { before + 1 } else { 1 });
    }
}

#[test]
fn inputs_of_a_model_belong_to_steps() {
    let text = "MODULE main IVAR add : 1 .. 2; VAR n : 0 .. 9; ASSIGN init(n) := 0;
next(n) := case n < 8 : n + add; TRUE : n; esac;
INVARSPEC n != 5
";
    let model = Model::read("add.smv", text).expect("it can be read");
    let answer = check(&model, &model.properties()[0]).expect("an answer");
    let path = answer.path().expect("a path");
    let mut n = 0;
    for step in path.steps() {
        let [(name, add)] = step.inputs() else { panic!("one input: {:?}", step.inputs()) };
        assert_eq!(name, "add");
        n += add.parse::<i32>().expect("a number");
        assert_eq!(step.target().value("n"), Some(n.to_string()));
    }
    assert_eq!((n, path.steps().count()), (5, 3));
}

#[test]
fn claims_of_a_tree_hold_where_they_are_made() {
    let text = "MODULE main VAR a : boolean; b : boolean; ASSIGN init(a) := FALSE; init(b) := FALSE;
CTLSPEC AG (a -> AG (b -> AX !a))
";
    let model = Model::read("tree.smv", text).expect("it can be read");
    let answer = check(&model, &model.properties()[0]).expect("an answer");
    let root = answer.claim().expect("a tree");
    assert_eq!(root.state().value("a").as_deref(), Some("FALSE"));
    let mut stack = vec![root];
    let (mut n_claims, mut n_paths) = (0, 0);
    while let Some(claim) = stack.pop() {
        n_claims += 1;
        if let Some(path) = claim.path() {
            n_paths += 1;
            require_connected(&path);
            assert_eq!(path.start().id(), claim.state().id());
            let states: Vec<_> = path.states().collect();
            stack.extend(claim.along().map(|(at, inner)| {
                assert_eq!(inner.state().id(), states[at].id());
                inner
            }));
        }
        match claim.formula().as_str() {
            "a" => assert_eq!(claim.state().value("a").as_deref(), Some("TRUE")),
            "b" => assert_eq!(claim.state().value("b").as_deref(), Some("TRUE")),
            _ => {}
        }
        assert!(!claim.is_only_stated());
        stack.extend(claim.parts());
    }
    assert!(n_claims > 3 && n_paths == 3, "{n_claims} claims, {n_paths} paths");
}

#[test]
fn every_claim_of_a_strategy_leads_to_facts() {
    let text = "system game : kmts;
propositions goal;
actions a, b;
state s : !goal; state t : !goal; state w : goal;
init s;
both s -a-> t; both s -a-> w; both t -b-> s; both t -b-> w; both w -a-> w;
";
    let model = Model::read("game.pts", text).expect("it can be read");
    let property = model.property("AG EF goal").expect("a property");
    let answer = check(&model, &property).expect("an answer");
    let proof = answer.proof().expect("a proof");
    assert!(answer.refutation().is_none() && answer.claim().is_none());
    let mut seen = vec![false; proof.positions().count()];
    let mut stack: Vec<_> = proof.roots().collect();
    let mut actions = Vec::new();
    while let Some(claim) = stack.pop() {
        if std::mem::replace(&mut seen[claim.number()], true) {
            continue;
        }
        if claim.text() == "goal" {
            assert_eq!(claim.state().name(), "w");
        }
        for (reason, to) in claim.supports() {
            match reason {
                Reason::Operand => assert_eq!(claim.state().id(), to.state().id()),
                Reason::Step(name) => actions.push(name.action),
                Reason::StandsFor(_) => panic!("there is no domain"),
            }
            stack.push(to);
        }
    }
    assert!(seen.into_iter().all(|is_seen| is_seen), "all claims are reached");
    assert!(actions.contains(&"a".to_owned()) && actions.contains(&"b".to_owned()));
    let values: Vec<_> = answer.initial_values().map(|(state, value)| (state.name(), value)).collect();
    assert_eq!(values, [("s".to_owned(), Belnap::True)]);
}

#[test]
fn what_is_open_is_named_and_reached() {
    let model = Model::read("coffee.pts", include_str!("../../../../examples/coffee.pts")).expect("a model");
    let property = model.property("AG EF ready").expect("a property");
    let answer = check(&model, &property).expect("an answer");
    assert!(matches!(answer.evidence(), Some(Evidence::Open(_))));
    let open = answer.open().expect("something is open");
    require_connected(&open.path);
    assert!(!open.text.is_empty() && !open.next.is_empty());
    let report = answer.report();
    assert_eq!((report.verdict, report.file.as_str()), ("unknown", "coffee.pts"));
    assert!(answer.text().starts_with("UNKNOWN"), "{}", answer.text());
    assert!(answer.dot().is_some_and(|picture| picture.starts_with("digraph")));
    let thorough = Check::new().semantics(Semantics::Thorough).ask(&model, &property).expect("an answer");
    assert!(matches!(thorough.verdict(), Verdict::Unknown(_)));
}
