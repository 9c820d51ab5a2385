//! The figures \[PPV07\]: which states are visited, in which order.

use crate::common::{context, model, published};
use tertium_front_gcl::Model;
use tertium_search::{
    CheckSettings, Checks, Ending, Identity, LossSettings, Machine, Matching, Order, Precision, Round,
    RoundSettings, Scope, Settings, Written, losses, search_once, search_with_refinement,
};
use tertium_solve::{Prover, Z3};
use tertium_support::Source;

fn precision(model: &Model, predicates: &str) -> Precision {
    let terms = &model.program.terms;
    let mut precision = Precision::new(Identity::default());
    for (term, _) in model.predicates(&Source::new("predicates", predicates)).expect("they are well-formed") {
        for atom in terms.atoms_of(term) {
            precision.add(&model.program, Written::new(terms, atom), Scope::Everywhere);
        }
    }
    precision
}

fn round(model: &Model, predicates: &str, order: Order) -> Round {
    let start = tertium_program::initial_states(&context(), &model.program, 1).expect("no limits");
    let machine = Machine::new(&model.program).expect("no inputs");
    let precision = precision(model, predicates);
    let matching = Matching::Predicates(&precision);
    let found = search_once(
        &context(),
        &machine,
        &start.states,
        matching,
        None,
        RoundSettings { order, ..RoundSettings::default() },
    );
    found.expect("no limits")
}

fn is_exact(model: &Model, predicates: &str, round: &Round) -> bool {
    let (context, mut prover) = (context(), Prover::new(Z3::new()));
    let mut checks = Checks::new(&context, &model.program, &mut prover, CheckSettings::default());
    let machine = Machine::new(&model.program).expect("no inputs");
    let precision = precision(model, predicates);
    losses(&machine, &precision, round, LossSettings::default(), &mut checks)
        .expect("no limits")
        .missed
        .is_empty()
}

/// The states in the order in which they were followed, without commas and spaces.
fn visited(round: &Round) -> String {
    let text = |at: usize| round.state(at).0.iter().map(ToString::to_string).collect::<Vec<_>>().concat();
    round.followed().map(text).collect::<Vec<_>>().join(" ")
}

const FIGURE_1: &str = "control pc: { A, B, C, D, E, F } = A;\nvar x: int = 0;\n\
    [a] pc = A -> x := 1, pc := B;\n[b] pc = A -> x := 0, pc := C;\n[c] pc = B -> pc := D;\n[d] pc = C -> pc := D;\n\
    [e] pc = D && x < 1 -> x := 1, pc := E;\n[f] pc = D && x >= 1 -> x := 2, pc := F;\n";

#[test]
fn a_matched_state_hides_what_comes_after_it() {
    let model = model(FIGURE_1);
    let coarse = round(&model, "x < 2;", Order::Breadth);
    assert_eq!(visited(&coarse), "A0 B1 C0 D1 F2");
    assert!(!is_exact(&model, "x < 2;", &coarse));
    let fine = round(&model, "x < 2; x < 1;", Order::Breadth);
    assert_eq!(visited(&fine), "A0 B1 C0 D1 D0 F2 E1");
    assert!(is_exact(&model, "x < 2; x < 1;", &fine));
}

#[test]
fn depth_first_search_takes_another_way() {
    let model = model(FIGURE_1);
    let found = round(&model, "x < 2;", Order::Depth);
    assert_eq!(visited(&found), "A0 C0 D0 E1 B1");
}

#[test]
fn more_predicates_can_lose_states() {
    let text = "control pc: { A, B, C, D, E, F } = A;\nvar x: int = 0;\n\
        [a] pc = A -> x := x + 1, pc := B;\n[b] pc = A -> pc := C;\n[c] pc = B -> pc := C;\n[d] pc = B -> x := x + 1, pc := E;\n\
        [e] pc = C -> pc := D;\n[f] pc = C && x = 1 -> x := x + 2, pc := E;\n[g] pc = D && x != 1 -> x := x + 4, pc := E;\n\
        [h] pc = E -> pc := F;\n";
    let model = model(text);
    let coarse = round(&model, "x >= 3;", Order::Breadth);
    assert_eq!(visited(&coarse), "A0 B1 C0 E2 D0 F2 E4 F4");
    let fine = round(&model, "x >= 3; x = 1;", Order::Breadth);
    assert_eq!(visited(&fine), "A0 B1 C0 C1 E2 D0 D1 E3 F2 F3");
}

#[test]
fn a_countdown_is_exact_after_one_more_predicate() {
    let model = model("var x: int = 0;\n[down] x >= 0 -> x := x - 1;\n");
    assert_eq!(visited(&round(&model, "x >= 0;", Order::Breadth)), "0 -1");
    // Both states were told apart by the first predicate already: the search ends there, unless it goes on as published.
    for (settings, ending, n_rounds) in
        [(published(), Ending::Exact, 2), (Settings::default(), Ending::AllStates, 1)]
    {
        let mut prover = Prover::new(Z3::new());
        let start = precision(&model, "x >= 0;");
        let answer = search_with_refinement(&context(), &model.program, None, start, &settings, &mut prover);
        assert_eq!(answer.ending, ending);
        let rows: Vec<_> = answer.iterations.iter().map(|it| (it.n_concrete, it.n_abstract)).collect();
        assert_eq!(rows, vec![(2, 2); n_rounds]);
    }
}

#[test]
fn the_order_of_commands_decides_what_is_found_until_the_search_is_exact() {
    let (first, second) = ("[a] pc = 0 -> pc := 1, x := 1;\n", "[b] pc = 0 -> pc := 1, x := 2;\n");
    let rest = "[c] pc = 1 -> pc := 2, x := x + 1;\n[d] pc = 2 && x >= 3 -> pc := 3;\n[e] pc = 2 && x < 3 -> pc := 3;\n";
    for (commands, found) in [([first, second], "00 11 22 32"), ([second, first], "00 12 23 33")] {
        let text = format!("control pc: 0..3 = 0;\nvar x: int = 0;\n{}{rest}", commands.concat());
        let model = model(&text);
        assert_eq!(visited(&round(&model, "x >= 3;", Order::Breadth)), found);
        let mut prover = Prover::new(Z3::new());
        let start = precision(&model, "x >= 3;");
        let answer =
            search_with_refinement(&context(), &model.program, None, start, &published(), &mut prover);
        assert_eq!((answer.ending, answer.iterations.len()), (Ending::Exact, 3));
        assert_eq!((answer.iterations[2].n_concrete, answer.iterations[2].n_abstract), (7, 7));
    }
}
