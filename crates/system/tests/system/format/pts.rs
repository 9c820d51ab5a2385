//! `.pts` in and out.

use super::odd::{complaints, declarable, located, odd_system};
use tertium_support::{Context, Id, Rng, Source, render};
use tertium_system::format::{
    DomainFault, Family, MAX_FAULTS, PtsError, PtsFile, ReadError, print_pts, read_pts,
};
use tertium_system::{Modality, PartialSystem, StateId, SystemBuilder};
use tertium_truth::Belnap;

fn read(text: &str) -> Result<PtsFile, ReadError> {
    read_pts(&Context::default(), &Source::new("f.pts", text))
}

fn faults(text: &str) -> Vec<String> {
    located(&Source::new("f.pts", text), &complaints(read(text)))
}

fn shown(text: &str) -> String {
    render(&Source::new("f.pts", text), &complaints(read(text)), false)
}

#[test]
fn what_is_printed_reads_back_as_the_same_system() {
    for seed in 0..3000 {
        let mut rng = Rng::seeded(seed);
        let system = odd_system(&mut rng);
        let family = *rng.pick(&declarable(&system));
        let name = [None, Some("M 1"), Some("M1"), Some("")][rng.below(4)];
        let text = print_pts(&system, name, family).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let again = read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        assert_eq!(again.system, system, "seed {seed}\n{text}");
        assert_eq!((again.name.as_deref(), again.family), (name, family), "seed {seed}\n{text}");
        assert_eq!(print_pts(&again.system, name, family).unwrap(), text, "seed {seed}");
    }
}

/// A file in printed form; the page on the format begins with it.
pub(crate) const SMALL: &str = "\
system M1 : gkmts;
propositions p, q = f;
actions a, \"\";
concrete c1, c2, c3;

state s1 = {c1, c2, c3} : q;
state s2 = {c1, c2} : p, q;
state \"s 3\" = {} : !p, q=d;
init s1, s2;

may s1 -a-> s2;
must s1 -a-> {s2, \"s 3\"};
both s2 -a-> s1, s2;
must s2 -> \"s 3\";
";

#[test]
fn the_printed_form_is_the_one_in_the_documentation() {
    let file = read(SMALL).unwrap();
    assert_eq!(print_pts(&file.system, Some("M1"), Some(Family::Gkmts)).unwrap(), SMALL);
}

#[test]
fn every_statement_means_what_it_says() {
    let system = read(SMALL).unwrap().system;
    let state = |name: &str| system.state_named(name).unwrap();
    let prop = |name: &str| system.labels().names().get(name).unwrap();
    assert_eq!(system.initial(), [state("s1"), state("s2")]);
    assert_eq!(system.labels().get(prop("p"), state("s1")), Belnap::Unknown);
    assert_eq!(system.labels().get(prop("p"), state("s 3")), Belnap::False);
    assert_eq!(system.labels().get(prop("q"), state("s 3")), Belnap::Inconsistent);
    let a = system.actions().get("a").unwrap();
    let plain = system.actions().get("").unwrap();
    assert_eq!(system.transitions().find(state("s1"), a, state("s2")), Some(Modality::May));
    assert_eq!(system.transitions().find(state("s2"), a, state("s2")), Some(Modality::Both));
    assert_eq!(system.transitions().find(state("s2"), plain, state("s 3")), Some(Modality::Must));
    assert_eq!(system.hyper_musts().len(), 1);
    let domain = system.domain().unwrap();
    assert!(domain.precision_le(state("s1"), state("s2")) && !domain.is_consistent(state("s 3")));
}

#[test]
fn may_and_must_on_one_edge_are_both_and_a_set_of_one_is_a_single_must() {
    let together = read("state s; init s; may s -> s; must s -> s;").unwrap().system;
    assert_eq!(together, read("state s; init s; both s -> s;").unwrap().system);
    let single = read("state s; init s; must s -> {s, s};").unwrap().system;
    assert_eq!(single, read("state s; init s; must s -> s;").unwrap().system);
}

#[test]
fn states_may_be_numbered_and_are_declared_before_or_after_use() {
    let numbered = read("states 3; init 2; propositions p; state 1 : p; may 0 -> 1, 2;").unwrap().system;
    assert_eq!(numbered.n_states(), 3);
    assert_eq!(numbered.initial(), [StateId::new(2)]);
    let late = read("may t -> s; init t; state s : p; state t; propositions p;").unwrap().system;
    assert_eq!(late.state_named("t"), Some(StateId::new(1)));
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    for (text, expected) in [
        ("", "1:1 there are no states"),
        ("system x;", "1:1 there are no states"),
        ("states 0;", "1:1 there are no states"),
        ("state s;", "1:7 there is no initial state"),
        ("state s;\nstate s; init s;", "2:7 duplicate state `s`"),
        ("propositions p, p; state s; init s;", "1:17 duplicate proposition `p`"),
        ("actions a, a; state s; init s;", "1:12 duplicate action `a`"),
        ("concrete a, a; state s = {a}; init s;", "1:13 duplicate concrete state `a`"),
        ("state s; init s; may s -> t;", "1:27 unknown state `t`"),
        ("states 2; init 0; may 0 -> 2;", "1:28 unknown state `2`"),
        ("states 2; init 00;", "1:16 unknown state `00`"),
        ("states 99999999999; init 0;", "1:8 this is no number of states for a file of this length"),
        ("states 9e9; init 9999999999;", "1:8 this is no number of states for a file of this length"),
        ("state s : q; init s;", "1:11 unknown proposition `q`"),
        ("actions a; state s; init s; may s -b-> s;", "1:36 unknown action `b`"),
        (
            "actions a; state s; init s; may s -> s;",
            "1:35 this transition has no action, although the file declares actions",
        ),
        ("concrete c; state s = {c, d}; init s;", "1:27 unknown concrete state `d`"),
        ("state s = {d}; init s;", "1:12 unknown concrete state `d`"),
        ("state s = {}; init s;", "1:11 a set of concrete states, but none are declared"),
        (
            "concrete c; state s = {c}; state t; init s;",
            "1:34 a state without a set of concrete states, although some are declared",
        ),
        (
            "concrete c; states 2; state 0 = {c}; init 0;",
            "1:13 a state without a set of concrete states, although some are declared",
        ),
        ("state s; init s; must s -> {};", "1:28 a must into the empty set can never be kept"),
        ("state s, t; init s; may s -> {s, t};", "1:30 only a must leads into a set of states"),
        ("propositions p; state s : p, !p; init s;", "1:30 proposition `p` has two values at one state"),
        ("propositions p; state s : p=x; init s;", "1:29 expected a value, found `x`"),
        ("propositions p; state s, t : p; init s;", "1:28 expected `;`, found `:`"),
        ("system x : ktms; state s; init s;", "1:12 unknown family `ktms`"),
        ("system x; system y; state s; init s;", "1:11 a second `system` statement"),
        ("state s; init s; staet t;", "1:18 unknown statement `staet`"),
        ("state s; init s", "1:16 expected `;`, found the end of the file"),
        ("state s; init s; @@ ;", "1:18 unexpected character `@`"),
    ] {
        assert_eq!(faults(text)[0], expected, "{text}");
        assert!(faults(text).len() <= 2, "{text}: {:?}", faults(text));
    }
}

#[test]
fn a_declared_family_is_a_promise() {
    let check =
        |family: &str, rest: &str| faults(&format!("system : {family};\nstate s, t; init s;\n{rest}"));
    for family in ["kmts", "mts"] {
        let message = format!("3:1 this must is outside may, which the family `{family}` does not allow");
        assert_eq!(check(family, "must s -a-> t;"), [message]);
    }
    for family in ["bts", "lts", "pks"] {
        let message = format!("3:1 this transition is may only, which the family `{family}` does not allow");
        assert_eq!(check(family, "may s -a-> t;"), [message]);
    }
    for family in ["bts", "lts", "pks", "kmts", "mts", "mixts"] {
        assert_eq!(
            check(family, "must s -a-> {s, t};"),
            [format!("3:1 the family `{family}` has no hyper-musts")]
        );
    }
    for family in ["bts", "lts"] {
        let message = format!("3:18 the family `{family}` has no unknown labels");
        assert_eq!(check(family, "propositions p = m;"), [message.as_str()]);
        let message = format!("3:28 the family `{family}` has no unknown labels");
        assert_eq!(check(family, "propositions p; state u  : p?;"), [message.as_str()]);
    }
    for family in ["pks", "kmts", "mts"] {
        let message = format!("3:27 the family `{family}` has no inconsistent labels");
        assert_eq!(check(family, "propositions p; state u : p=d;"), [message.as_str()]);
    }
    let note = shown("system : mts; state s, t; init s; must s -a-> t;");
    assert!(note.contains("add `may s -a-> t;`, or write `both`"), "{note}");
    assert!(read("system : mts; state s, t; init s; must s -a-> t; may s -a-> t;").is_ok());
}

#[test]
fn a_domain_is_a_promise_too() {
    let check = |rest: &str| faults(&format!("propositions p; concrete 1, 2;\n{rest} init s;"));
    assert_eq!(
        check("state s = {1, 2}; state t = {2, 1};"),
        ["2:29 states `s` and `t` stand for the same set"]
    );
    assert_eq!(check("state s = {1};"), ["1:29 no state stands for the concrete state `2`"]);
    assert_eq!(
        check("state s = {1, 2} : p=d;"),
        ["2:20 state `s` stands for something, but proposition `p` is inconsistent there"]
    );
}

#[test]
fn unknown_names_come_with_the_nearest_known_ones() {
    let text = "propositions request; state idle, busy; init idel; state x : requets;";
    let shown = shown(text);
    assert!(shown.contains("did you mean `idle`?"), "{shown}");
    assert!(shown.contains("did you mean `request`?"), "{shown}");
}

#[test]
fn several_mistakes_are_reported_at_once_up_to_a_bound() {
    let text = "state s\nstate t : p;\ninit s, u;\nmust s -> {};\nmay t -> -> s;\n";
    assert_eq!(
        faults(text),
        [
            "1:8 expected `;`, found `state`",
            "4:11 a must into the empty set can never be kept",
            "5:10 expected a state or `{`, found `->`",
            "3:9 unknown state `u`",
            "2:11 unknown proposition `p`"
        ]
    );
    let many: String = (0..1_000_000).map(|i| format!("may {i} -> x{i};\n")).collect();
    assert_eq!(complaints(read(&many)).len(), MAX_FAULTS);
    let actions: String = (0..300_000).map(|i| format!("may s -x{i}-> s;\n")).collect();
    let declared: Vec<String> = (0..20_000).map(|i| format!("a{i}")).collect();
    let text = format!("actions {};\nstate s; init s;\n{actions}", declared.join(", "));
    assert_eq!(complaints(read(&text)).len(), MAX_FAULTS);
    assert_eq!(complaints(read(&"@ ".repeat(1_000_000))).len(), MAX_FAULTS);
    assert_eq!(complaints(read(&"state s;\n".repeat(1_000_000))).len(), MAX_FAULTS);
}

#[test]
fn endless_names_lists_and_lines_do_no_harm() {
    let long = "n".repeat(5_000_000);
    let file = read(&format!("state {long}; init {long}; both {long} -> \"{long}\";")).unwrap();
    assert_eq!(file.system.n_states(), 1);
    assert!(shown(&format!("state {long}; init {long}x;")).len() < 4000);
    let digits = "9".repeat(100_000);
    assert_eq!(complaints(read(&format!("states {digits}; init 0;"))).len(), 1);
    let names: Vec<String> = (0..200_000).map(|i| format!("s{i}")).collect();
    let list = names.join(", ");
    let file = read(&format!("state {list}; init {list}; must s0 -> {{{list}}}; may s1 -> {list};")).unwrap();
    assert_eq!(file.system.initial().len(), 200_000);
    assert_eq!(complaints(read(&"{".repeat(1_000_000))).len(), 2);
}

#[test]
fn what_would_not_read_back_is_not_printed() {
    let refuse = |system: &PartialSystem| print_pts(system, None, None).unwrap_err();
    assert_eq!(refuse(&SystemBuilder::named().build()), PtsError::NoStates);
    let s = StateId::from_raw(0);
    let start = || {
        let mut builder = SystemBuilder::numbered(1);
        builder.initial(s);
        builder
    };
    let mut builder = start();
    let action = builder.action("a");
    builder.hyper_must(s, action, vec![]);
    assert_eq!(refuse(&builder.build()), PtsError::EmptyHyperTarget(s));
    let mut builder = start();
    let concrete = builder.concrete("c");
    assert_eq!(refuse(&builder.build()), PtsError::Domain(DomainFault::Uncovered(concrete)));
    let mut builder = start();
    builder.proposition("p", Belnap::Unknown);
    let refused = print_pts(&builder.build(), None, Some(Family::Bts));
    assert_eq!(refused, Err(PtsError::Family(Family::Bts)));
}
