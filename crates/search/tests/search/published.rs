//! The published tables \[PPV07\]: states, predicates and questions of each iteration.

use crate::common::{context, error_of, model, published, search};
use tertium_search::{
    Answer, Ending, Reason, Scope, Settings, Written, search_with_refinement, starting_predicates,
};
use tertium_solve::{Prover, Z3};
use tertium_testkit::{REMOTE_AGENT, bakery_model, driver_model, ticket_model};

fn figures(answer: &Answer) -> Vec<(usize, usize, usize, usize, usize)> {
    let row = |it: &tertium_search::Iteration| {
        (it.n_concrete, it.n_abstract, it.counted.queries, it.counted.hits, it.added.len())
    };
    answer.iterations.iter().map(row).collect()
}

#[test]
fn the_ticket_protocol_with_three_processes_is_proved_as_published() {
    let model = model(&ticket_model(3, 1));
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
    let own = model(&ticket_model(2, 1));
    let answer = search(&own, &published());
    assert_eq!(
        figures(&answer),
        [(15, 9, 9, 7, 3), (15, 9, 25, 27, 2), (15, 9, 41, 73, 1), (15, 9, 49, 87, 0)]
    );
}

#[test]
fn broken_tickets_are_found_out_as_published() {
    let own = model(&ticket_model(2, 2));
    let answer = search(&own, &published());
    assert_eq!(figures(&answer), [(15, 9, 9, 7, 3), (31, 17, 29, 79, 2)]);
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    assert_eq!(answer.last().path_to(visit).len(), 8);
    let own = model(&ticket_model(3, 2));
    let answer = search(&own, &published());
    assert_eq!(figures(&answer).iter().map(|row| (row.0, row.1, row.4)).collect::<Vec<_>>(), [(102, 44, 4)]);
    assert!(matches!(answer.ending, Ending::Reached(_)));
}

#[test]
fn the_deadlock_of_the_remote_agent_is_found_in_the_first_iteration() {
    let own = model(REMOTE_AGENT);
    let answer = search(&own, &published());
    let Ending::Reached(visit) = answer.ending else { panic!("{:?}", answer.ending) };
    assert_eq!(answer.iterations.len(), 1);
    assert_eq!(answer.last().path_to(visit).len(), 8);
}

#[test]
fn the_remote_agent_is_refined_without_end_unless_invariants_are_given() {
    let model = model(REMOTE_AGENT);
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

#[test]
fn the_bakery_is_proved_in_three_iterations_and_its_error_found_in_one() {
    let own = model(&bakery_model("num1 < num0"));
    let answer = search(&own, &published());
    assert_eq!(answer.ending, Ending::Exact);
    let states: Vec<(usize, usize)> = figures(&answer).iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(states, [(254, 140), (386, 209), (513, 280)]);
    let own = model(&bakery_model("num1 > num0"));
    let answer = search(&own, &published());
    assert!(matches!(answer.ending, Ending::Reached(_)));
    assert_eq!(answer.iterations.len(), 1);
    assert_eq!((answer.iterations[0].n_concrete, answer.iterations[0].n_abstract), (304, 164));
}

#[test]
fn the_driver_keeps_its_lock_discipline_unless_it_forgets_something() {
    let own = model(&driver_model("lock := 0, ", "np := np + 1, "));
    let answer = search(&own, &published());
    assert_eq!(
        figures(&answer).iter().map(|row| (row.0, row.1, row.2, row.4)).collect::<Vec<_>>(),
        [(10, 9, 3, 0)]
    );
    assert_eq!(answer.ending, Ending::Exact);
    for broken in [driver_model("", "np := np + 1, "), driver_model("lock := 0, ", "")] {
        let own = model(&broken);
        let answer = search(&own, &published());
        assert!(matches!(answer.ending, Ending::Reached(_)));
        assert_eq!(figures(&answer).iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), [(10, 10)]);
    }
}
