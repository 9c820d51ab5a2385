//! The text of a harness.

use super::scan::{Found, functions};
use super::{ASSUMED, AskedBy, Harness, HarnessError, NO_INPUT, REACHED};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What `write!` to a text expects.
const ROOM: &str = "texts take all that is written";

/// The prefix of functions that ask for values.
const NONDET: &str = "__VERIFIER_nondet_";

/// One C text that runs the program with the inputs.
pub fn harness(harness: &Harness<'_>) -> String {
    let found = functions(harness.program);
    let plan = Plan::new(harness, &found);
    let mut out = header(harness);
    out.push_str(&prelude(&plan));
    writeln!(out, "#line 1 \"{}\"", escaped(harness.file_name)).expect(ROOM);
    out.push_str(&edited(harness.program, &plan.edits));
    if !out.ends_with('\n') {
        out.push('\n');
    }
    writeln!(out, "\n/* ---- what the program takes from outside ---- */").expect(ROOM);
    out.push_str(&definitions(harness, &plan));
    out
}

/// What has to be defined, and where the text of the program is changed.
struct Plan<'a> {
    /// Functions that give values, with the numbers of their calls in the run.
    givers: BTreeMap<&'a str, Vec<usize>>,
    /// Variables that get values where they are declared, by the byte after the name.
    variables: BTreeMap<usize, Vec<usize>>,
    /// Functions that do nothing and give zero.
    missing: BTreeSet<&'a str>,
    /// Functions that end the program because the error is reached.
    enders: BTreeSet<&'a str>,
    /// Assertion functions that have to be defined: those that only say where, and those with a condition.
    assertions: BTreeSet<&'a str>,
    /// Whether `__VERIFIER_assume` has to be defined.
    assume: bool,
    /// Functions that the program calls without saying what they are.
    undeclared: BTreeSet<&'a str>,
    /// What is put in before which byte, by byte.
    edits: BTreeMap<usize, String>,
}

impl<'a> Plan<'a> {
    fn new(harness: &'a Harness<'_>, found: &BTreeMap<&'a str, Found>) -> Self {
        let has_body = |name: &str| found.get(name).is_some_and(|found| found.body.is_some());
        let mut plan = Self {
            givers: BTreeMap::new(),
            variables: BTreeMap::new(),
            missing: BTreeSet::new(),
            enders: BTreeSet::new(),
            assertions: BTreeSet::new(),
            assume: found.contains_key("__VERIFIER_assume") && !has_body("__VERIFIER_assume"),
            undeclared: BTreeSet::new(),
            edits: BTreeMap::new(),
        };
        for &name in found.keys().filter(|name| name.starts_with(NONDET) && !has_body(name)) {
            plan.givers.insert(name, Vec::new());
        }
        for (index, input) in harness.inputs.iter().enumerate() {
            match &input.by {
                AskedBy::Call(function) => plan.givers.entry(function).or_default().push(index),
                AskedBy::Variable(at) => plan.variables.entry(*at).or_default().push(index),
                AskedBy::Parameter(name) => {
                    if let Some(body) = found.get("main").and_then(|main| main.body.clone()) {
                        let assignment = format!(" {name} = {};", input.literal);
                        plan.edits.entry(body.start + 1).or_default().push_str(&assignment);
                    }
                }
                AskedBy::Elements(at, n) => {
                    let all = format!(" = {{ [0 ... {}] = {} }}", n.saturating_sub(1), input.literal);
                    plan.edits.insert(*at, all);
                }
            }
        }
        for (number, at) in plan.variables.keys().enumerate() {
            plan.edits.insert(*at, format!(" = tertium_variable_{number}()"));
        }
        for error in &harness.errors {
            plan.error(error, found);
        }
        for name in harness.missing.iter().map(|name| &name[..]) {
            let is_known = plan.givers.contains_key(name) || plan.enders.contains(name);
            if !is_known && !has_body(name) {
                plan.missing.insert(name);
            }
        }
        let own = plan.givers.keys().chain(&plan.enders).chain(&plan.assertions).copied();
        let assume = plan.assume.then_some("__VERIFIER_assume");
        let undeclared = |name: &&str| found.get(name).is_some_and(|found| !found.declared);
        let has_header = harness.program.contains("#include");
        let is_macro = |name: &str| has_header && name == "assert";
        plan.undeclared = own.chain(assume).filter(undeclared).filter(|name| !is_macro(name)).collect();
        plan
    }

    fn error(&mut self, error: &'a HarnessError, found: &BTreeMap<&'a str, Found>) {
        const STOP: &str = " tertium_reached();";
        match error {
            HarnessError::Call { function, body } => {
                let body = body.clone().or_else(|| found.get(&function[..])?.body.clone());
                match body {
                    Some(body) => self.edits.entry(body.start + 1).or_default().push_str(STOP),
                    None => {
                        self.enders.insert(function);
                    }
                }
            }
            HarnessError::Place(at) => self.edits.entry(*at).or_default().push_str(STOP),
            HarnessError::Assertion => {
                // Those of the libraries of systems, and one that a program only declares.
                for name in ["__assert_fail", "__assert_rtn", "__assert", "assert"] {
                    match found.get(name) {
                        Some(Found { body: Some(body), .. }) if name != "assert" => {
                            self.edits.entry(body.start + 1).or_default().push_str(STOP);
                        }
                        Some(Found { body: Some(_), .. }) => {}
                        Some(_) => {
                            self.assertions.insert(name);
                        }
                        None if name == "__assert_fail" => {
                            self.assertions.insert(name);
                        }
                        None => {}
                    }
                }
            }
        }
    }
}

/// What it is, and how to use it.
fn header(harness: &Harness<'_>) -> String {
    let option = if harness.is_32_bit { "-m32 " } else { "" };
    let name = commented(harness.file_name);
    let mut out = String::from("/*\n");
    writeln!(out, " * This is {name} together with the inputs of a run that violates").expect(ROOM);
    writeln!(out, " *     {}", commented(harness.property)).expect(ROOM);
    writeln!(out, " * Tertium wrote it. Compile and run it:").expect(ROOM);
    writeln!(out, " *     cc -w {option}THIS_FILE.c -o run -lm && ./run; echo $?").expect(ROOM);
    writeln!(out, " * The exit status is {REACHED} if the error is reached, {NO_INPUT} if the program asks for an input that").expect(ROOM);
    writeln!(out, " * the run does not have, and {ASSUMED} if an assumption of the program does not hold.")
        .expect(ROOM);
    if !harness.inputs.is_empty() {
        writeln!(out, " *\n * The inputs, in order:").expect(ROOM);
        const SHOWN: usize = 20;
        for input in harness.inputs.iter().take(SHOWN) {
            let by = match &input.by {
                AskedBy::Call(function) => format!("{}()", commented(function)),
                AskedBy::Variable(at) => format!("a variable without value, {}", place(harness.program, *at)),
                AskedBy::Parameter(name) => format!("`{}`, a parameter of main", commented(name)),
                AskedBy::Elements(at, _) => {
                    format!("elements without value, {}", place(harness.program, *at))
                }
            };
            writeln!(out, " *     {} for {by}", commented(&input.literal)).expect(ROOM);
        }
        if harness.inputs.len() > SHOWN {
            writeln!(out, " *     and {} more", harness.inputs.len() - SHOWN).expect(ROOM);
        }
    }
    out.push_str(" */\n");
    out
}

fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    format!("line {}", before.matches('\n').count() + 1)
}

/// A text that does not end a comment, on one line.
fn commented(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

/// A text between double quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}

/// What has to stand before the program: the functions that are called from inside of it.
fn prelude(plan: &Plan<'_>) -> String {
    let mut out = String::from("static void tertium_reached(void);\n");
    for number in 0..plan.variables.len() {
        writeln!(out, "static long long tertium_variable_{number}(void);").expect(ROOM);
    }
    for name in &plan.undeclared {
        let result = if name.starts_with(NONDET) { result_type(name) } else { "void" };
        writeln!(out, "extern {result} {name}();").expect(ROOM);
    }
    out
}

/// The program with what is put into it. Places beyond its end, or inside of a character, are passed over.
fn edited(program: &str, edits: &BTreeMap<usize, String>) -> String {
    let mut out = String::with_capacity(program.len());
    let mut done = 0;
    for (&at, text) in edits {
        if let Some(part) = program.get(done..at) {
            out.push_str(part);
            out.push_str(text);
            done = at;
        }
    }
    out.push_str(&program[done..]);
    out
}

fn definitions(harness: &Harness<'_>, plan: &Plan<'_>) -> String {
    let mut out = ENDING.replace("REACHED", &REACHED.to_string()).replace("ASSUMED", &ASSUMED.to_string());
    if plan.assume {
        let assumes = "void tertium_assume(int) __asm__(\"__VERIFIER_assume\");\nvoid tertium_assume(int condition) {\n";
        writeln!(out, "{assumes}  if (!condition) tertium_exit({ASSUMED});\n}}").expect(ROOM);
    }
    for (number, name) in plan.enders.iter().enumerate() {
        writeln!(out, "void tertium_end_{number}(void) __asm__(\"{name}\");").expect(ROOM);
        writeln!(out, "void tertium_end_{number}(void) {{ tertium_reached(); }}").expect(ROOM);
    }
    for (number, name) in plan.assertions.iter().enumerate() {
        let (parameters, condition) =
            if *name == "assert" { ("int condition", "if (!condition) ") } else { ("void", "") };
        writeln!(out, "void tertium_assertion_{number}({parameters}) __asm__(\"{name}\");").expect(ROOM);
        writeln!(out, "void tertium_assertion_{number}({parameters}) {{ {condition}tertium_reached(); }}")
            .expect(ROOM);
    }
    for (number, name) in plan.missing.iter().enumerate() {
        writeln!(out, "long long tertium_missing_{number}(void) __asm__(\"{name}\");").expect(ROOM);
        writeln!(out, "long long tertium_missing_{number}(void) {{ return 0; }}").expect(ROOM);
    }
    // Calls are counted over all functions; variables have counts of their own.
    let calls = harness.inputs.iter().scan(0usize, |count, input| {
        let number = *count;
        *count += usize::from(matches!(input.by, AskedBy::Call(_)));
        Some(number)
    });
    let calls: Vec<usize> = calls.collect();
    if !plan.givers.is_empty() {
        out.push_str("static unsigned long tertium_call;\n");
    }
    for (number, (name, inputs)) in plan.givers.iter().enumerate() {
        let result = register_type(name);
        writeln!(out, "{result} tertium_give_{number}(void) __asm__(\"{name}\");").expect(ROOM);
        writeln!(out, "{result} tertium_give_{number}(void) {{").expect(ROOM);
        if !inputs.is_empty() {
            writeln!(out, "  switch (tertium_call++) {{").expect(ROOM);
            for &index in inputs {
                let literal = &harness.inputs[index].literal;
                writeln!(out, "  case {}: return ({result}){literal};", calls[index]).expect(ROOM);
            }
            writeln!(out, "  }}").expect(ROOM);
        }
        writeln!(out, "  tertium_exit({NO_INPUT});\n}}").expect(ROOM);
    }
    for (number, inputs) in plan.variables.values().enumerate() {
        writeln!(out, "static long long tertium_variable_{number}(void) {{").expect(ROOM);
        writeln!(out, "  static unsigned long time;\n  switch (time++) {{").expect(ROOM);
        for (time, &index) in inputs.iter().enumerate() {
            writeln!(out, "  case {time}: return (long long){};", harness.inputs[index].literal).expect(ROOM);
        }
        writeln!(out, "  }}\n  return 0;\n}}").expect(ROOM);
    }
    out
}

/// How it ends. The names of C are ours; those after `__asm__` are of the library of the system.
const ENDING: &str = concat!(
    "extern void tertium_exit(int) __asm__(\"_exit\") __attribute__((noreturn));\n",
    "static void tertium_reached(void) { tertium_exit(REACHED); }\n",
    "extern int tertium_on_exit(void (*)(int, void *), void *) __asm__(\"on_exit\") __attribute__((weak));\n",
    "static void tertium_own_status(int status, void *unused) {\n",
    "  if (status >= REACHED && status <= ASSUMED) tertium_exit(1);\n",
    "}\n",
    "__attribute__((constructor)) static void tertium_begin(void) {\n",
    "  if (tertium_on_exit) tertium_on_exit(tertium_own_status, (void *)0);\n",
    "}\n",
);

/// The type with which a value is given. One that fills the register has its value in every smaller type, whatever the program says.
fn register_type(name: &str) -> &'static str {
    match result_type(name) {
        wide @ ("float" | "double" | "__int128" | "unsigned __int128") => wide,
        _ => "long long",
    }
}

/// The type of what a function gives, by its name.
fn result_type(name: &str) -> &'static str {
    match name.strip_prefix(NONDET).unwrap_or_default() {
        "float" => "float",
        "double" => "double",
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "schar" => "signed char",
        "uchar" | "unsigned_char" | "u8" => "unsigned char",
        "short" => "short",
        "ushort" | "u16" => "unsigned short",
        "uint" | "unsigned" | "unsigned_int" | "u32" => "unsigned int",
        "long" | "loff_t" | "time_t" | "clock_t" => "long",
        "ulong" | "size_t" | "sector_t" | "pthread_t" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" | "u64" => "unsigned long long",
        "int128" => "__int128",
        "uint128" => "unsigned __int128",
        "charp" | "pchar" | "pointer" => "void *",
        _ => "int",
    }
}
