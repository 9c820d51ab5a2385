//! Inputs of the `growth` suite: one notion of a format varied in each, everything else kept small.

use std::fmt::Write;

/// A family of inputs.
pub(crate) struct Family {
    /// The format and what is varied.
    pub(crate) name: &'static str,
    /// The extension that says the format.
    pub(crate) extension: &'static str,
    /// The text with so many of what is varied, and the properties that are given besides it.
    pub(crate) make: fn(usize) -> (String, Vec<String>),
    /// Whether whole runs are of interest: properties that are cheap one by one, and all true.
    pub(crate) whole: bool,
}

/// All families.
pub(crate) const ALL: [Family; 18] = [
    Family { name: "gcl commands", extension: "gcl", make: gcl_commands, whole: false },
    Family { name: "gcl variables", extension: "gcl", make: gcl_variables, whole: false },
    Family { name: "gcl variables and commands", extension: "gcl", make: gcl_both, whole: false },
    Family { name: "gcl properties", extension: "gcl", make: gcl_properties, whole: true },
    Family { name: "smv cases", extension: "smv", make: smv_cases, whole: false },
    Family { name: "smv variables", extension: "smv", make: smv_variables, whole: false },
    Family { name: "smv definitions", extension: "smv", make: smv_definitions, whole: false },
    Family { name: "smv variables and definitions", extension: "smv", make: smv_defined, whole: true },
    Family { name: "smv variables and sums", extension: "smv", make: smv_summed, whole: false },
    Family { name: "smv instances", extension: "smv", make: smv_instances, whole: false },
    Family { name: "smv properties", extension: "smv", make: smv_properties, whole: true },
    Family { name: "smv variables and properties", extension: "smv", make: smv_both, whole: false },
    Family { name: "smv variables with a property each", extension: "smv", make: smv_each, whole: true },
    Family { name: "pts transitions", extension: "pts", make: pts_transitions, whole: false },
    Family { name: "pts propositions", extension: "pts", make: pts_propositions, whole: false },
    Family { name: "pts properties", extension: "pts", make: pts_properties, whole: true },
    Family { name: "aut transitions", extension: "aut", make: aut_transitions, whole: false },
    Family { name: "aut actions", extension: "aut", make: aut_actions, whole: false },
];

/// A line for each number.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut text, k| {
        let _ = writeln!(text, "{}", line(k));
        text
    })
}

fn gcl_commands(n: usize) -> (String, Vec<String>) {
    let commands = lines(n, |k| format!("[a{}] x = {k} && y < 9 -> x := {}, y := y + 1;", k % 7, k + 1));
    (format!("var x: 0..{n} = 0;\nvar y: 0..9 = 0;\n{commands}invariant x <= {n};\n"), Vec::new())
}

fn gcl_variables(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("var x{k}: 0..3 = 0;"));
    (format!("{variables}[up] x0 < 3 -> x0 := x0 + 1;\ninvariant x0 <= 3;\n"), Vec::new())
}

fn gcl_both(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("var x{k}: 0..3 = 0;"));
    let commands = lines(n, |k| format!("[up] x{k} < 3 -> x{k} := x{k} + 1;"));
    (format!("{variables}{commands}invariant x0 <= 3;\n"), Vec::new())
}

fn gcl_properties(n: usize) -> (String, Vec<String>) {
    let properties = lines(n, |k| format!("property p{k}: AG (x <= 7 || y = {});", k + 9));
    let model = "var x: 0..7 = 0;\nvar y: int = 0;\n[up] x < 7 -> x := x + 1;\n[zero] x = 7 -> x := 0;\n";
    (format!("{model}{properties}"), Vec::new())
}

fn smv_cases(n: usize) -> (String, Vec<String>) {
    let cases = lines(n, |k| format!("  x = {k} & b : {};", (k + 1) % n));
    let model =
        format!("MODULE main\nVAR x : 0..{}; b : boolean;\nASSIGN init(x) := 0;\nnext(x) := case\n", n - 1);
    (format!("{model}{cases}  TRUE : x;\nesac;\nSPEC AG (x = 0 -> EF x = 1)\n"), Vec::new())
}

fn smv_variables(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("  x{k} : boolean;"));
    let laws = lines(n, |k| format!("  init(x{k}) := FALSE; next(x{k}) := !x{k};"));
    let model = format!("MODULE main\nVAR\n{variables}ASSIGN\n{laws}");
    (format!("{model}SPEC AG (x0 -> AX !x0)\n"), Vec::new())
}

fn smv_definitions(n: usize) -> (String, Vec<String>) {
    let definitions = lines(n, |k| match k {
        0 => "  d0 := x & y;".to_owned(),
        _ => format!("  d{k} := d{} xor x;", k - 1),
    });
    let model = format!("MODULE main\nVAR x : boolean; y : boolean;\nDEFINE\n{definitions}");
    (format!("{model}SPEC AG (d{} | x | y)\n", n - 1), Vec::new())
}

/// Each definition reads all variables up to its own.
fn smv_defined(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("  x{k} : boolean;"));
    let definitions = lines(n, |k| match k {
        0 => "  d0 := x0;".to_owned(),
        _ => format!("  d{k} := d{} & x{k};", k - 1),
    });
    let model = format!("MODULE main\nVAR\n{variables}DEFINE\n{definitions}");
    (format!("{model}SPEC AG (d{} -> x0)\n", n - 1), Vec::new())
}

/// Each definition is the sum of all variables up to its own.
fn smv_summed(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("  x{k} : 0..1;"));
    let definitions = lines(n, |k| match k {
        0 => "  d0 := x0;".to_owned(),
        _ => format!("  d{k} := d{} + x{k};", k - 1),
    });
    let model = format!("MODULE main\nVAR\n{variables}DEFINE\n{definitions}");
    (format!("{model}SPEC AG (d{} >= 0)\n", n - 1), Vec::new())
}

fn smv_instances(n: usize) -> (String, Vec<String>) {
    let cell = "MODULE cell(before)\nVAR on : boolean;\nASSIGN init(on) := FALSE; next(on) := before;\n";
    let cells = lines(n, |k| match k {
        0 => "  c0 : cell(FALSE);".to_owned(),
        _ => format!("  c{k} : cell(c{}.on);", k - 1),
    });
    (format!("{cell}MODULE main\nVAR\n{cells}SPEC AG !c0.on\n"), Vec::new())
}

fn smv_properties(n: usize) -> (String, Vec<String>) {
    let model = "MODULE main\nVAR x : 0..7; b : boolean;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 8;\n";
    let properties = lines(n, |k| format!("SPEC AG (x = {} -> EF (x != {} | b))", k % 8, k % 5));
    (format!("{model}{properties}"), Vec::new())
}

/// A chain, in which every variable depends on all before it, with a property for each.
fn smv_both(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("  x{k} : boolean;"));
    let laws = lines(n - 1, |k| format!("  init(x{0}) := FALSE; next(x{0}) := x{k};", k + 1));
    let properties = lines(n, |k| format!("SPEC AG (x{k} -> AX x{})", (k + 1) % n));
    (format!("MODULE main\nVAR\n{variables}ASSIGN\n{laws}{properties}"), Vec::new())
}

/// Variables that have nothing to do with each other, with a property for each.
fn smv_each(n: usize) -> (String, Vec<String>) {
    let variables = lines(n, |k| format!("  x{k} : boolean;"));
    let laws = lines(n, |k| format!("  init(x{k}) := FALSE; next(x{k}) := !x{k};"));
    let properties = lines(n, |k| format!("SPEC AG (x{k} -> AX !x{k})"));
    (format!("MODULE main\nVAR\n{variables}ASSIGN\n{laws}{properties}"), Vec::new())
}

/// A formula that is cheap on every system.
fn some_step() -> Vec<String> {
    vec!["nu X. [true] X".to_owned()]
}

fn pts_transitions(n: usize) -> (String, Vec<String>) {
    let states = lines(n, |k| format!("state s{k}{};", if k % 3 == 0 { " : p" } else { "" }));
    let steps = lines(n, |k| format!("both s{k} -> s{};", (k + 1) % n));
    (format!("system S : bts;\npropositions p;\n{states}init s0;\n{steps}"), some_step())
}

fn pts_propositions(n: usize) -> (String, Vec<String>) {
    let names: Vec<String> = (0..n).map(|k| format!("p{k}")).collect();
    let (names, here) = (names.join(", "), names[n / 2..].join(", "));
    let states = format!("state s : {here};\nstate t : p0;\ninit s;\nboth s -> t;\nboth t -> s;\n");
    (format!("system S : bts;\npropositions {names};\n{states}"), some_step())
}

fn pts_properties(n: usize) -> (String, Vec<String>) {
    let model =
        "system S : bts;\npropositions p;\nstate s : p;\nstate t;\ninit s;\nboth s -> t;\nboth t -> s;\n";
    let given = (0..n).map(|k| if k % 2 == 0 { "nu X. [true] X" } else { "AG (p || EX p)" }.to_owned());
    (model.to_owned(), given.collect())
}

fn aut_transitions(n: usize) -> (String, Vec<String>) {
    let steps = lines(n, |k| format!("({k},\"a{}\",{})", k % 7, (k + 1) % n));
    (format!("des (0,{n},{n})\n{steps}"), some_step())
}

fn aut_actions(n: usize) -> (String, Vec<String>) {
    let steps = lines(n, |k| format!("({},\"a{k}\",{})", k % 2, (k + 1) % 2));
    (format!("des (0,{n},2)\n{steps}"), some_step())
}
