//! Limits are answers, options that do not fit are errors, and threads share models.

use std::thread;
use std::time::Duration;
use tertium::{Cancel, Cause, Check, Error, Model, Semantics, Validation, Verdict, check};

const ENDLESS: &str = "var x, y: int = 0;
[up] true -> x := x + 1, y := y + x;
invariant a: y >= 0;
invariant b: x * x >= y;
";

fn endless() -> Model {
    Model::read("endless.gcl", ENDLESS).expect("it can be read")
}

#[test]
fn a_limit_on_work_makes_answers_unknown_in_the_same_way_each_time() {
    let model = Model::read("wide.gcl", "var x: int = 0; [up] true -> x := x + 1; reach x = 1000000000;")
        .expect("it can be read");
    let check = Check::new().work(3_000_000);
    let answers: Vec<_> =
        (0..2).map(|_| check.ask(&model, &model.properties()[0]).expect("an answer")).collect();
    assert!(matches!(answers[0].verdict(), Verdict::Unknown(_)));
    let json = |index: usize| answers[index].json().expect("JSON");
    assert_eq!(json(0), json(1));
}

#[test]
fn no_time_leaves_everything_unknown() {
    let no_time = [Check::new().time(Duration::ZERO), Check::new().time_each(Duration::ZERO)];
    let answers: Vec<_> =
        no_time.iter().flat_map(|check| check.ask_all(&endless()).expect("answers")).collect();
    assert_eq!(answers.len(), 4);
    for answer in answers {
        let answer = answer.expect("an answer");
        assert_eq!(answer.cause(), Some(Cause::Time));
        assert!(answer.evidence().is_none() && answer.path().is_none());
        let json = answer.json().expect("JSON");
        assert!(json.contains("U-TIME"), "{json}");
    }
}

#[test]
fn a_flag_ends_a_check_from_another_thread() {
    let (model, flag) = (endless(), Cancel::default());
    let check = Check::new().engine("predicate").iterations(1_000_000).cancel(flag.clone());
    let answer = thread::scope(|scope| {
        let asked = scope.spawn(|| check.ask(&model, &model.properties()[1]));
        thread::sleep(Duration::from_millis(50));
        flag.cancel();
        asked.join().expect("no panic")
    });
    // It is true, but hard: the flag may come late, never with a wrong verdict.
    assert_ne!(answer.expect("an answer").verdict(), Verdict::False);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let model = endless();
    let property = &model.properties()[0];
    let refused = |check: Check| match check.ask(&model, property) {
        Err(Error::Refused(why)) => why,
        other => panic!("not refused: {other:?}"),
    };
    assert!(refused(Check::new().engine("magic")).contains("predicate"));
    assert!(refused(Check::new().engine("predicate").states(7)).contains("a bound on states"));
    let _ = refused(Check::new().semantics(Semantics::Thorough).engine("search"));
}

#[test]
fn models_and_answers_can_be_shared_by_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    let model = endless();
    shared(&model);
    let answers: Vec<_> = thread::scope(|scope| {
        let ask = || scope.spawn(|| check(&model, &model.property("AG x >= 0").expect("a property")));
        let asked: Vec<_> = (0..2).map(|_| ask()).collect();
        asked.into_iter().map(|thread| thread.join().expect("no panic").expect("an answer")).collect()
    });
    shared(&answers[0]);
    assert!(answers.iter().all(|answer| answer.verdict() == Verdict::True));
    assert!(matches!(answers[0].validation(), Validation::Passed(_)), "{:?}", answers[0].validation());
}

#[test]
fn without_validation_nobody_says_it_passed() {
    let model = endless();
    let property = model.property("EF x = 3").expect("a property");
    let answer = Check::new().validate(false).ask(&model, &property).expect("an answer");
    assert_eq!((answer.verdict(), answer.validation()), (Verdict::True, &Validation::Unasked));
}
