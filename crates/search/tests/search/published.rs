//! The published tables \[PPV07\]: states, predicates and questions of each iteration.

use crate::common::{RAX, context, error_of, model, search, ticket};
use tertium_search::{
    Accounting, Answer, CheckSettings, Ending, Identity, Reason, Scope, Settings, Written,
    search_with_refinement, starting_predicates,
};
use tertium_solve::{Prover, Z3};

fn published() -> Settings {
    Settings {
        identity: Identity::Written,
        checks: CheckSettings { accounting: Accounting::Published, ..CheckSettings::default() },
        values_after: None,
        ..Settings::default()
    }
}

fn figures(answer: &Answer) -> Vec<(usize, usize, usize, usize, usize)> {
    let row = |it: &tertium_search::Iteration| {
        (it.n_concrete, it.n_abstract, it.counted.queries, it.counted.hits, it.added.len())
    };
    answer.iterations.iter().map(row).collect()
}

#[test]
fn the_ticket_protocol_with_three_processes_is_proved_as_published() {
    let model = model(&ticket(3, 1));
    let answer = search(&model, &published());
    assert_eq!(
        figures(&answer),
        [
            (52, 25, 14, 18, 4),
            (58, 31, 70, 152, 5),
            (58, 31, 151, 475, 1),
            (58, 31, 173, 585, 1),
            (58, 31, 195, 657, 0)
        ]
    );
    assert_eq!(answer.ending, Ending::Exact);
}

#[test]
fn the_ticket_protocol_with_two_processes_is_proved_as_published() {
    let own = model(&ticket(2, 1));
    let answer = search(&own, &published());
    assert_eq!(
        figures(&answer),
        [(15, 9, 9, 7, 3), (15, 9, 25, 27, 2), (15, 9, 41, 73, 1), (15, 9, 49, 87, 0)]
    );
}

#[test]
fn broken_tickets_are_found_out_as_published() {
    let own = model(&ticket(2, 2));
    let answer = search(&own, &published());
    assert_eq!(figures(&answer), [(15, 9, 9, 7, 3), (31, 17, 29, 79, 2)]);
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    assert_eq!(answer.last().path_to(visit).len(), 8);
    let own = model(&ticket(3, 2));
    let answer = search(&own, &published());
    assert_eq!(figures(&answer).iter().map(|row| (row.0, row.1, row.4)).collect::<Vec<_>>(), [(102, 44, 4)]);
    assert!(matches!(answer.ending, Ending::Reached(_)));
}

#[test]
fn the_deadlock_of_the_remote_agent_is_found_in_the_first_iteration() {
    let own = model(RAX);
    let answer = search(&own, &published());
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    assert_eq!(answer.iterations.len(), 1);
    assert_eq!(answer.last().path_to(visit).len(), 8);
}

#[test]
fn the_remote_agent_is_refined_without_end_unless_invariants_are_given() {
    let model = model(RAX);
    let settings = Settings { iterations: 4, ..published() };
    let goal = error_of(&model);
    let start = starting_predicates(&model.program, goal, &settings);
    let mut prover = Prover::new(Z3::new());
    let answer =
        search_with_refinement(&context(), &model.program, None, start.clone(), &settings, &mut prover);
    assert_eq!(
        figures(&answer),
        [(69, 44, 10, 10, 2), (101, 65, 20, 44, 2), (101, 65, 26, 64, 2), (101, 65, 32, 84, 2)]
    );
    assert_eq!(answer.ending, Ending::Open(Reason::Iterations));
    let mut start = start;
    let terms = &model.program.terms;
    for own in model.program.variables().iter().filter(|own| terms.name(own.variable).starts_with('e')) {
        let positive = terms.at_most(terms.integer(0), terms.variable(own.variable));
        let atom = *terms.atoms_of(positive).first().expect("it is one");
        assert!(start.add(&model.program, Written::new(terms, atom), Scope::Everywhere));
    }
    let answer = search_with_refinement(&context(), &model.program, None, start, &settings, &mut prover);
    assert_eq!(
        figures(&answer).iter().map(|row| (row.0, row.1, row.4)).collect::<Vec<_>>(),
        [(69, 44, 2), (101, 65, 0)]
    );
    assert_eq!(answer.iterations.iter().map(|it| it.counted.queries).sum::<usize>(), 40);
    assert_eq!(answer.ending, Ending::Exact);
}

/// Two processes that draw numbers; the second waits for the first if its number is smaller. `second` is what lets the second one pass.
fn bakery(second: &str) -> String {
    let mut text =
        String::from("control pc0, pc1: 0..4 = 0;\ncontrol j0, j1: 0..2 = 0;\ncontrol ch0, ch1: 0..1 = 0;\n");
    text += "var num0, num1, max0, max1: int = 0;\n";
    for (i, k) in [(0, 1), (1, 0)] {
        let passes = if i == 0 { "!(num1 < num0)" } else { second };
        text += &format!("[a] pc{i} = 0 -> ch{i} := 1, j{i} := 0, max{i} := 0, pc{i} := 1;\n");
        for m in 0..2 {
            text += &format!(
                "[b] pc{i} = 1 && j{i} = {m} && num{m} > max{i} -> max{i} := num{m}, j{i} := {};\n",
                m + 1
            );
            text += &format!("[c] pc{i} = 1 && j{i} = {m} && num{m} <= max{i} -> j{i} := {};\n", m + 1);
        }
        text += &format!(
            "[d] pc{i} = 1 && j{i} = 2 -> num{i} := max{i} + 1, j{i} := 0, ch{i} := 0, pc{i} := 2;\n"
        );
        for m in 0..2 {
            text += &format!("[e] pc{i} = 2 && j{i} = {m} && ch{m} = 0 -> pc{i} := 3;\n");
        }
        text += &format!("[f] pc{i} = 3 && j{i} = {i} -> j{i} := {}, pc{i} := 2;\n", i + 1);
        text += &format!("[g] pc{i} = 3 && j{i} = {k} && num{k} = 0 -> j{i} := {}, pc{i} := 2;\n", k + 1);
        text += &format!(
            "[h] pc{i} = 3 && j{i} = {k} && num{k} != 0 && {passes} -> j{i} := {}, pc{i} := 2;\n",
            k + 1
        );
        text += &format!("[i] pc{i} = 2 && j{i} = 2 -> pc{i} := 4;\n");
        text += &format!("[j] pc{i} = 4 -> num{i} := 0, pc{i} := 0;\n");
    }
    text += "prop error = pc0 = 4 && pc1 = 4;\n";
    text
}

#[test]
fn the_bakery_is_proved_in_three_iterations_and_its_error_found_in_one() {
    let own = model(&bakery("num1 < num0"));
    let answer = search(&own, &published());
    assert_eq!(answer.ending, Ending::Exact);
    let states: Vec<(usize, usize)> = figures(&answer).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(states, [(254, 140), (386, 209), (513, 280)]);
    let own = model(&bakery("num1 > num0"));
    let answer = search(&own, &published());
    assert!(matches!(answer.ending, Ending::Reached(_)));
    assert_eq!(answer.iterations.len(), 1);
    assert_eq!((answer.iterations[0].n_concrete, answer.iterations[0].n_abstract), (304, 164));
}

/// A driver that takes and gives back a lock; `release` and `count` are what it does for a request.
fn driver(release: &str, count: &str) -> String {
    format!(
        "control pc: 0..7 = 0;\ncontrol lock: 0..1 = 0;\nvar np, old: int = 0;\n\
         [take] pc = 0 && lock = 0 -> lock := 1, old := np, pc := 1;\n[take] pc = 0 && lock = 1 -> pc := 7;\n\
         [some] pc = 1 -> pc := 2;\n[none] pc = 1 -> pc := 4;\n\
         [give] pc = 2 && lock = 1 -> {release}pc := 3;\n[give] pc = 2 && lock = 0 -> pc := 7;\n\
         [count] pc = 3 -> {count}pc := 4;\n[again] pc = 4 && np != old -> pc := 0;\n[done] pc = 4 && np = old -> pc := 5;\n\
         [give] pc = 5 && lock = 1 -> lock := 0, pc := 6;\n[give] pc = 5 && lock = 0 -> pc := 7;\n\
         prop error = pc = 7;\n"
    )
}

#[test]
fn the_driver_keeps_its_lock_discipline_unless_it_forgets_something() {
    let own = model(&driver("lock := 0, ", "np := np + 1, "));
    let answer = search(&own, &published());
    assert_eq!(
        figures(&answer).iter().map(|row| (row.0, row.1, row.2, row.4)).collect::<Vec<_>>(),
        [(10, 9, 3, 0)]
    );
    assert_eq!(answer.ending, Ending::Exact);
    for broken in [driver("", "np := np + 1, "), driver("lock := 0, ", "")] {
        let own = model(&broken);
        let answer = search(&own, &published());
        assert!(matches!(answer.ending, Ending::Reached(_)));
        assert_eq!(figures(&answer).iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), [(10, 10)]);
    }
}
