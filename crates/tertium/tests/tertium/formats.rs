//! Every format is read from a text, and every engine that takes it agrees or does not know.

use tertium::{Check, Error, Model, ReadOptions, Verdict, check};

const COFFEE: &str = include_str!("../../../../examples/coffee.pts");
const VENDING: &str = include_str!("../../../../examples/vending.aut");
const TICKET: &str = include_str!("../../../../examples/ticket-broken.gcl");
const LIGHT: &str = include_str!("../../../../examples/light.smv");

/// The verdict on a property that is given as text, by all engines.
fn verdict(model: &Model, text: &str) -> Verdict {
    let property = model.property(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let answer = check(model, &property).expect("an answer");
    for engine in model.engines() {
        let other = Check::new().engine(*engine).ask(model, &property).expect("an answer").verdict();
        let agrees = other == answer.verdict() || matches!(other, Verdict::Unknown(_));
        assert!(agrees, "{engine} says {other} of {text}, {} says {}", answer.engine(), answer.verdict());
    }
    answer.verdict()
}

#[test]
fn partial_systems_are_read_and_checked() {
    let model = Model::read("coffee.pts", COFFEE).expect("it can be read");
    assert_eq!((model.name(), model.format()), ("coffee.pts", "pts"));
    assert!(model.properties().is_empty());
    assert_eq!(verdict(&model, "<coin . serve . take>ready"), Verdict::True);
    assert_eq!(verdict(&model, "AG ready"), Verdict::False);
    assert!(matches!(verdict(&model, "AG EF ready"), Verdict::Unknown(_)));
    assert!(Check::new().ask_all(&model).expect("no property, no answer").is_empty());
}

#[test]
fn labelled_systems_are_read_with_and_without_modalities() {
    let modal = ReadOptions { modal: true, ..ReadOptions::default() };
    let partial = Model::read_with("vending.aut", VENDING, modal).expect("it can be read");
    assert_eq!(partial.format(), "aut");
    assert_eq!(verdict(&partial, "<coin><tea>true"), Verdict::True);
    assert!(matches!(verdict(&partial, "<coin><coffee>true"), Verdict::Unknown(_)));
    let plain = Model::read("vending.aut", VENDING).expect("it can be read");
    assert_eq!(verdict(&plain, "<coin><\"may:coffee\">true"), Verdict::True);
}

#[test]
fn programs_are_read_and_checked() {
    let model = Model::read("ticket.gcl", TICKET).expect("it can be read");
    let labels: Vec<_> = model.properties().iter().map(|property| property.label()).collect();
    assert_eq!(labels, [Some("mutex"), Some("somebody")]);
    assert_eq!(model.named("mutex").and_then(|property| property.line()), Some(25));
    let answers = Check::new().ask_all(&model).expect("answers");
    let verdicts: Vec<_> =
        answers.iter().map(|answer| answer.as_ref().expect("an answer").verdict()).collect();
    assert_eq!(verdicts, [Verdict::False, Verdict::True]);
    let given = model.property("EF right.pc = crit").expect("it can be read");
    assert_eq!(check(&model, &given).expect("an answer").verdict(), Verdict::True);
}

#[test]
fn smv_models_are_read_and_checked() {
    let model = Model::read("light.smv", LIGHT).expect("it can be read");
    for property in model.properties() {
        assert_eq!(check(&model, property).expect("an answer").verdict(), Verdict::True);
    }
    assert_eq!(verdict(&model, "EF light = green"), Verdict::False);
    let moves = model.named("moves").expect("there is one");
    let vacuity = Check::new().vacuity(&model, moves).expect("an answer");
    assert_eq!(vacuity.all_matter(), Verdict::False);
    let query = Check::new().query(&model, "AG ?{light}").expect("an answer");
    assert_eq!(query.solutions().collect::<Vec<_>>(), ["light = red"]);
}

#[test]
fn a_format_is_found_by_the_text_where_the_name_does_not_tell() {
    for (text, format) in [(COFFEE, "pts"), (VENDING, "aut"), (TICKET, "gcl"), (LIGHT, "smv")] {
        assert_eq!(Model::read("model", text).expect("it can be read").format(), format);
    }
    assert!(matches!(Model::read("model", "once upon a time"), Err(Error::Refused(_))));
}

#[test]
fn mistakes_have_places() {
    let Err(Error::Faulty { messages, text }) = Model::read("wrong.smv", "MODULE main\nVAR x : boolen;\n")
    else {
        panic!("it is wrong")
    };
    assert_eq!((messages[0].severity, messages[0].line), ("error", Some(2)));
    assert!(text.contains("boolen"), "{text}");
    let model = Model::read("coffee.pts", COFFEE).expect("it can be read");
    let error = model.property("AG redy").expect_err("there is no such proposition").to_string();
    assert!(error.contains("ready"), "{error}");
    assert!(matches!(Model::open("no/such/file.pts"), Err(Error::File { .. })));
}

#[test]
fn properties_belong_to_their_model() {
    let light = Model::read("light.smv", LIGHT).expect("it can be read");
    let ticket = Model::read("ticket.gcl", TICKET).expect("it can be read");
    assert!(matches!(check(&light, &ticket.properties()[0]), Err(Error::Refused(_))));
}

#[test]
fn deep_nesting_is_refused_or_answered_on_any_stack() {
    let model = Model::read("coffee.pts", COFFEE).expect("it can be read");
    let deep = format!("{}ready{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(model.property(&deep).is_err());
}
