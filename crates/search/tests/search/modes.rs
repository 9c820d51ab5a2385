//! Other ways to search: sparing questions, by location, without a solver, with values.

use crate::common::{model, search};
use tertium_search::{Answer, CheckSettings, Ending, LossSettings, Reason, Settings};
use tertium_testkit::{REMOTE_AGENT, ticket_model};

fn states(answer: &Answer) -> Vec<(usize, usize)> {
    answer.iterations.iter().map(|iteration| (iteration.n_concrete, iteration.n_abstract)).collect()
}

fn queries(answer: &Answer) -> usize {
    answer.iterations.iter().map(|iteration| iteration.counted.queries).sum()
}

#[test]
fn sparing_questions_change_nothing_but_their_number() {
    for (text, most) in [
        (ticket_model(2, 1), 124),
        (ticket_model(2, 2), 38),
        (ticket_model(3, 1), 603),
        (ticket_model(3, 2), 14),
    ] {
        let model = model(&text);
        let usual = search(&model, &Settings::default());
        assert!(queries(&usual) <= most, "{} of {most}", queries(&usual));
        for (cache, tautologies) in [(true, false), (false, true), (false, false)] {
            let checks = CheckSettings { cache, tautologies, ..CheckSettings::default() };
            let other = search(&model, &Settings { checks, ..Settings::default() });
            assert_eq!(states(&usual), states(&other));
            assert_eq!(usual.ending, other.ending);
            let added = |answer: &Answer| -> Vec<_> {
                answer.iterations.iter().map(|iteration| iteration.added.clone()).collect()
            };
            assert_eq!(added(&usual), added(&other));
            if !cache && usual.ending == Ending::Exact {
                assert!(queries(&other) > queries(&usual));
            }
        }
    }
}

#[test]
fn predicates_by_location_prove_the_ticket_protocol_more_slowly() {
    let settings = Settings {
        losses: LossSettings { by_location: true, ..LossSettings::default() },
        values_after: None,
        ..Settings::default()
    };
    let own = model(&ticket_model(2, 1));
    let answer = search(&own, &settings);
    let followed = |answer: &Answer| -> Vec<usize> { states(answer).iter().map(|row| row.1).collect() };
    assert_eq!((answer.ending, followed(&answer)), (Ending::Exact, vec![9; 5]));
    let own = model(&ticket_model(3, 1));
    let answer = search(&own, &settings);
    assert_eq!((answer.ending, followed(&answer)), (Ending::Exact, vec![25, 28, 31, 31, 31, 31, 31]));
    for (n, iterations) in [(2, 2), (3, 1)] {
        let own = model(&ticket_model(n, 2));
        let answer = search(&own, &settings);
        assert!(matches!(answer.ending, Ending::Reached(_)));
        assert_eq!(answer.iterations.len(), iterations);
    }
}

#[test]
fn without_a_solver_errors_are_found_and_nothing_is_proved() {
    let settings = Settings {
        losses: LossSettings { unasked: true, ..LossSettings::default() },
        values_after: None,
        iterations: 7,
        ..Settings::default()
    };
    for (text, iterations) in [(ticket_model(2, 2), 2), (ticket_model(3, 2), 1), (REMOTE_AGENT.to_owned(), 1)]
    {
        let own = model(&text);
        let answer = search(&own, &settings);
        assert!(matches!(answer.ending, Ending::Reached(_)));
        assert_eq!((answer.iterations.len(), queries(&answer)), (iterations, 0));
    }
    let own = model(&ticket_model(2, 1));
    let answer = search(&own, &settings);
    assert_eq!(answer.ending, Ending::Open(Reason::Iterations));
    assert_eq!(states(&answer), [(15, 9); 7]);
}

#[test]
fn a_finite_program_with_endless_predicates_is_proved_by_values() {
    let text = "control pc: 0..1 = 0;\nvar x, y, z: int = 0;\n[a] pc = 0 && y >= 0 -> y := y + x, z := 1 - z;\n\
                [b] pc = 0 && y < 0 -> pc := 1;\nprop error = pc = 1;\n";
    let endless = Settings { values_after: None, iterations: 9, ..Settings::default() };
    let own = model(text);
    let answer = search(&own, &endless);
    assert_eq!(answer.ending, Ending::Open(Reason::Iterations));
    assert!(answer.iterations.iter().all(|iteration| iteration.added.len() == 1));
    assert_eq!(states(&answer), [(2, 1); 9]);
    let own = model(text);
    let answer = search(&own, &Settings::default());
    assert_eq!(answer.ending, Ending::AllStates);
}

/// A program that goes through so many locations one after the other, counts on the way, and looks at what it counted at the end.
fn straight_line(locations: usize) -> String {
    let step = |n: usize| format!("[go] pc = {n} -> x := x + y, pc := {};\n", n + 1);
    let steps: String = (0..locations).map(step).collect();
    let (first, last) = (locations + 1, locations + 2);
    format!(
        "control pc: 0..{last} = 0;\nvar x: int = 0;\nvar y: int = 1;\n{steps}\
         [good] pc = {locations} && x = {locations} -> pc := {first};\n\
         [bad] pc = {locations} && x != {locations} -> pc := {last};\nprop error = pc = {last};\n"
    )
}

#[test]
fn a_round_that_tells_all_states_apart_is_the_last() {
    for locations in [1, 5, 24] {
        let own = model(&straight_line(locations));
        let answer = search(&own, &Settings { values_after: None, ..Settings::default() });
        assert_eq!((answer.ending, answer.iterations.len()), (Ending::AllStates, 1));
        assert_eq!(answer.last().n_visits(), locations + 2);
    }
    // A goal that is reached is still found, and a bound on the states is still one.
    let broken = straight_line(24).replace("x != 24", "x = 24");
    assert!(matches!(search(&model(&broken), &Settings::default()).ending, Ending::Reached(_)));
    let few = Settings { states: 10, ..Settings::default() };
    assert_eq!(search(&model(&straight_line(24)), &few).ending, Ending::Open(Reason::States));
}

#[test]
fn what_was_matched_at_the_beginning_was_not_told_apart() {
    // Both initial states have the same key in the first round, and no step tells them apart.
    let text = "control pc: 0..2 = 0;\nvar x: 0..3;\nvar y: 0..1 = 0;\ninit x < 2;\n\
                [a] pc = 0 -> y := x, pc := 1;\n[b] pc = 1 && y = 1 -> pc := 2;\nprop error = pc = 2;\n";
    assert!(matches!(search(&model(text), &Settings::default()).ending, Ending::Reached(_)));
}
