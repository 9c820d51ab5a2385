//! Processes that are there once for each number of a range, and quantifiers over such numbers.

use tertium_front_gcl::{Model, Resolved, read, read_plainly};
use tertium_support::{Cancel, Context, Diagnostics, Id, Limits, ReadError, Source, StopReason};

fn read_text(text: &str) -> Result<Model, Diagnostics> {
    let read = read(&Context::default(), &Source::new("test", text)).map_err(ReadError::into_complaints);
    read.map(|(model, _)| model)
}

fn model(text: &str) -> Model {
    read_text(text).unwrap_or_else(|complaints| panic!("{text}\n{complaints:#?}"))
}

/// The only complaint: what it points at, its message and its notes.
fn complaint(text: &str) -> (&str, String) {
    let complaints = read_text(text).map(|model| model.to_string()).expect_err(text);
    assert_eq!(complaints.len(), 1, "{text}\n{complaints:#?}");
    let notes = complaints[0].notes.join("; ");
    (&text[complaints[0].span.range()], format!("{}; {notes}", complaints[0].message))
}

const RING: &str = "
    const N = 3;
    enum loc = { idle, crit };
    var token: 0..N = 1;
    process worker[i in 1..N] {
      control pc: loc = idle;
      var n: array 0..1 of 0..N = i;
      init token != N + i;
      prop inside = pc = crit;
      [enter] pc = idle && token = i -> pc := crit, worker[i mod N + 1].n[0] := i;
      [leave] pc = crit -> pc := idle, token := i mod N + 1;
    }
    process clock { var tick: bool = false; [tick] true -> tick := !tick; }
    invariant mutex: forall i, j in 1..N, i != j: !(worker[i].pc = crit && worker[j].pc = crit);
    reach all: exists i in 2..N: worker[i].inside = true || worker[i].pc = crit;
    property last: EF worker[3].inside;";

#[test]
fn a_template_stands_for_what_its_instances_would_say() {
    let templates = model(&RING.replace(".inside = true", ".pc = crit"));
    let written_out = model(
        "const N = 3; enum loc = { idle, crit }; var token: 0..N = 1;
         control worker[1].pc: loc = idle; var worker[1].n: array 0..1 of 0..N = 1;
         control worker[2].pc: loc = idle; var worker[2].n: array 0..1 of 0..N = 2;
         control worker[3].pc: loc = idle; var worker[3].n: array 0..1 of 0..N = 3;
         var clock.tick: bool = false;
         init token != 4; init token != 5; init token != 6;
         prop worker[1].inside = worker[1].pc = crit;
         prop worker[2].inside = worker[2].pc = crit;
         prop worker[3].inside = worker[3].pc = crit;
         [enter] worker[1].pc = idle && token = 1 -> worker[1].pc := crit, worker[2].n[0] := 1;
         [leave] worker[1].pc = crit -> worker[1].pc := idle, token := 2;
         [enter] worker[2].pc = idle && token = 2 -> worker[2].pc := crit, worker[3].n[0] := 2;
         [leave] worker[2].pc = crit -> worker[2].pc := idle, token := 3;
         [enter] worker[3].pc = idle && token = 3 -> worker[3].pc := crit, worker[1].n[0] := 3;
         [leave] worker[3].pc = crit -> worker[3].pc := idle, token := 1;
         [tick] true -> clock.tick := !clock.tick;
         invariant mutex: forall i, j in 1..N, i != j: !(worker[i].pc = crit && worker[j].pc = crit);
         reach all: exists i in 2..N: worker[i].pc = crit || worker[i].pc = crit;
         property last: EF worker[3].inside;",
    );
    assert_eq!(templates.to_string(), written_out.to_string());
    let again = model(&templates.to_string());
    assert_eq!(again.to_string(), templates.to_string());
    let by_proposition = templates.formula(&Source::new("p", "AG (exists i in 2..N: worker[i].inside)"));
    let by_variable = templates.formula(&Source::new("p", "AG (exists i in 2..N: worker[i].pc = crit)"));
    let only = |read: Result<Resolved, Diagnostics>| {
        *read.expect("it is right").atoms.values().next().expect("an atom")
    };
    assert_eq!(only(by_proposition), only(by_variable));
    let term = |model: &Model| {
        let mutex = *model.properties[0].meaning.atoms().values().next().expect("an atom");
        model.program.terms.print(mutex).to_string()
    };
    assert_eq!(term(&templates), term(&written_out));
}

#[test]
fn instances_are_known_after_reading() {
    let model = model(&RING.replace(".inside = true", ".pc = crit"));
    let program = &model.program;
    let [template] = program.templates() else { panic!("one template") };
    assert_eq!((template.name.as_str(), template.index.as_str()), ("worker", "i"));
    assert_eq!((template.low.to_string(), template.high.to_string()), ("1".to_owned(), "3".to_owned()));
    assert!(program.has_uniform_templates());
    let names: Vec<&str> = program.processes().iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["worker[1]", "worker[2]", "worker[3]", "clock"]);
    for (number, &instance) in template.instances.iter().enumerate() {
        let own = &program.processes()[instance.index()];
        assert_eq!(
            own.instance.as_ref().map(|(_, number)| number.to_string()),
            Some((number + 1).to_string())
        );
        let variables: Vec<String> = own
            .variables
            .iter()
            .map(|id| program.terms.name(program.variables()[id.index()].variable))
            .collect();
        assert_eq!(variables, ["pc", "n"].map(|name| format!("worker[{}].{name}", number + 1)));
        let actions: Vec<&str> =
            own.commands.iter().map(|id| program.commands()[id.index()].action.as_str()).collect();
        assert_eq!(actions, ["enter", "leave"]);
        assert!(own.commands.iter().all(|&id| program.taker(id) == Some(own.name.as_str())));
    }
}

#[test]
fn mistakes_in_a_template_are_told_once_and_say_where() {
    let within = |what: &str| format!("process w[i in 1..3] {{ var x: 0..9 = 0; {what} }}");
    for (text, place, part) in [
        (within("[a] y = 0 -> skip;"), "y", "this is so in `w[1]`"),
        (within("[a] w[i + 1].x = 0 -> skip;"), "w[i + 1].x", "this is so in `w[3]`"),
        (within("[a] true -> w[i - 1].x := 0;"), "w[i - 1].x", "this is so in `w[1]`"),
        (within("[a] true -> w[x].y := 0;"), "w[x].y", "no process `w[…]` has a variable `y`"),
        (within("[a] w[x].y = 0 -> skip;"), "w[x].y", "no process `w[…]` has `y`"),
        (within("[a] v[x].x = 0 -> skip;"), "v[x].x", "no process `v[…]` has `x`"),
        (
            within("[a] true -> w[x].x := input;"),
            "w[x].x",
            "an input is assigned to a process with a constant index",
        ),
        (
            within("[a] true -> w[x].x := 1, w[2].x := 2;"),
            "w[2].x := 2",
            "`w[2].x` can be assigned twice at once",
        ),
        (
            within("[a] true -> w[x].x := 1, w[1 - x].x := 2;"),
            "w[1 - x].x := 2",
            "`x` of one process can be assigned",
        ),
        (within("prop p = x > 1; [a] w[x].p -> skip;"), "w[x].p", "`p` is a proposition of `w`"),
        (
            within("prop p = x > 1; [a] true -> w[x].p := true;"),
            "w[x].p",
            "is a proposition and cannot be assigned",
        ),
        (within("var b: bits(i); [a] w[x].b = w[1].b -> skip;"), "w[x].b", "of sort bits(2) in `w[2]`"),
        (within("var a: array 1..i of bool; [a] true -> w[x].a[1] := true;"), "w[x].a", "not of one type"),
        (within("[a] w[x = 1].x = 1 -> skip;"), "x = 1", "this is of sort bool, but int is expected"),
        (within("var i: bool;"), "i", "is the index of the process"),
        (within("[a] true -> i := 1;"), "i", "is a constant and cannot be assigned"),
        (format!("var w: int; {}", within("")), "w", "`w` is declared twice"),
        (format!("const w = 1; {}", within("")), "w", "`w` is declared twice"),
        (format!("{} prop w = true;", within("")), "w", "`w` is declared twice"),
        (format!("process w {{ }} {}", within("")), "w", "the process `w` is declared twice"),
        (format!("{} var w[4].x: int;", within("")), "w[4].x", "is declared in its process, not beside it"),
        ("var x: int; init forall i, i in 1..2: x = i;".to_owned(), "i, i in 1..2", "two numbers at once"),
        (within("process v { }"), "process", "stands outside of processes"),
        ("process w[i in 3..1] { }".to_owned(), "3..1", "is empty"),
        ("process w[i in 1..1000000000] { }".to_owned(), "1..1000000000", "too many processes `w`"),
        ("process w[i in 1..2, j in 1..2] { }".to_owned(), ",", "a process has one index"),
        ("process w[i] { }".to_owned(), "]", "expected `in` and a range"),
        ("var n: int; process w[i in 1..n] { }".to_owned(), "n", "has to be a constant"),
        ("var x: int; init forall i in 1..x: x = i;".to_owned(), "x", "the range of an index is constant"),
        ("var x: int; init forall i in 1..3 x = i;".to_owned(), "x", "expected `,` or `:`"),
        ("var x: int; init exists i: x = i;".to_owned(), "=", "expected"),
    ] {
        let (found, message) = complaint(&text);
        assert!(found == place && message.contains(part), "{text}\n{found}: {message}");
    }
}

#[test]
fn quantifiers_stand_for_what_they_say_of_each_number() {
    for (quantified, plain) in [
        ("forall i in 1..3: a[i] = 0", "a[1] = 0 && a[2] = 0 && a[3] = 0"),
        ("exists i, j in 1..3, i < j: a[i] > a[j]", "a[1] > a[2] || a[1] > a[3] || a[2] > a[3]"),
        ("forall i in 1..2, j in i + 1..3: a[i] = a[j]", "a[1] = a[2] && a[1] = a[3] && a[2] = a[3]"),
        ("forall k in 2..1: false", "true"),
        ("exists k in 2..1: true", "false"),
        ("forall k in 1..2, a[k] > 0: k = i", "(a[1] > 0 => 1 = i) && (a[2] > 0 => 2 = i)"),
        ("exists k in 1..2, a[k] > 0: k = i", "a[1] > 0 && 1 = i || a[2] > 0 && 2 = i"),
        ("forall i in 1..1: exists i in 2..2: i = 2", "true"),
        ("!(exists k in -1..1, k in { -1, 1 }: i = k) && i > 0", "!(i = -1 || i = 1) && i > 0"),
    ] {
        let text = |guard: &str| format!("var a: array 1..3 of 0..9 = 0; var i: int; [a] {guard} -> skip;");
        assert_eq!(model(&text(quantified)).to_string(), model(&text(plain)).to_string(), "{quantified}");
    }
}

#[test]
fn names_inside_win_over_names_outside() {
    let text =
        "var i, x: int = 7; process w[i in 1..2] { var y: int = i; [a] y = i && x = 7 -> y := i + x; }";
    let shown = model(text).to_string();
    assert!(
        shown.contains("[a] x = 7 && w[2].y = 2 -> w[2].y := 9 ") || shown.contains("w[2].y := x + 2"),
        "{shown}"
    );
    assert!(shown.contains("var w[2].y: int = 2;"), "{shown}");
}

#[test]
fn what_is_written_out_is_bounded_and_counts_as_work() {
    for range in ["i in 1..1000000000", "i, j, k in 1..1000", "i in 1..1000000000000, j in 1..0"] {
        let (_, message) = complaint_of(&format!("var x: int; init forall {range}: x != i;"));
        assert!(message.contains("too many instances"), "{message}");
    }
    let text = "process w[i in 1..60000] { var x: 0..1 = 0; [a] x = 0 -> x := 1; }";
    let context = Context::new(Limits { work: Some(50_000), ..Limits::default() }, Cancel::default());
    match read_plainly(&context, &Source::new("test", text), &[]) {
        Err(ReadError::Stopped(reason)) => assert_eq!(reason, StopReason::WorkLimit),
        other => panic!("a limit is kept: {:?}", other.map(|(model, _)| model.commands.len())),
    }
}

fn complaint_of(text: &str) -> (String, String) {
    let (place, message) = complaint(text);
    (place.to_owned(), message)
}
