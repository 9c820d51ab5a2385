//! Random models of guarded commands, as text.
//!
//! All ranges are small, so that the states can be listed; every name that a formula may use is known: the propositions
//! `p`, `q`, `r` and the actions `a`, `b`.

use tertium_support::Rng;

/// A random model with few states: two numbers `x` and `y` in ranges, a truth value `t`, and named values `c` as
/// control; often also a bit-vector `w`, an array `v`, which is read and written at indices that it may not have, or two
/// processes `u[0]` and `u[1]` of one template, with a number `n` each.
pub fn random_gcl(rng: &mut Rng) -> String {
    let (bits, array) = (rng.chance(0.3), rng.chance(0.3));
    // Tests list all states, and all of these together would be many.
    let template = rng.chance(if bits || array { 0.05 } else { 0.4 });
    Writer { rng, bits, array, template, index: None }.model()
}

struct Writer<'r> {
    rng: &'r mut Rng,
    bits: bool,
    array: bool,
    template: bool,
    /// What the number of the process around is called.
    index: Option<&'static str>,
}

impl Writer<'_> {
    fn model(&mut self) -> String {
        let mut text = "enum colour = { red, green, blue };\n".to_owned();
        for name in ["x", "y"] {
            let high = self.rng.between(1, 4);
            let word = *self.rng.pick(&["var", "control"]);
            let first = self.rng.between(0, high);
            let value = if self.rng.chance(0.6) { format!(" = {first}") } else { String::new() };
            text.push_str(&format!("{word} {name}: -1..{high}{value};\n"));
        }
        text.push_str(if self.rng.chance(0.5) { "var t: bool;\n" } else { "var t: bool = false;\n" });
        text.push_str(if self.rng.chance(0.3) {
            "control c: colour;\n"
        } else {
            "control c: colour = red;\n"
        });
        if self.bits {
            let word = *self.rng.pick(&["var w: bits(2);\n", "control w: bits(2) = 2'd1;\n"]);
            text.push_str(word);
        }
        if self.array {
            let array =
                *self.rng.pick(&["var v: array 0..1 of 0..1;\n", "var v: array 0..1 of -1..1 = 1;\n"]);
            text.push_str(array);
        }
        if self.rng.chance(0.3) {
            text.push_str(&format!("init x >= 0 || {};\n", self.condition(1)));
        }
        for name in ["p", "q", "r"] {
            text.push_str(&format!("prop {name} = {};\n", self.condition(2)));
        }
        // Each action occurs, so that formulas may speak of it.
        for n in 0..self.rng.between(2, 6) {
            let action = match n {
                0 => "a",
                1 => "b",
                _ => *self.rng.pick(&["a", "b", ""]),
            };
            text.push_str(&self.command(action));
        }
        if self.template {
            text.push_str("process u[i in 0..1] {\n  var n: 0..1 = ");
            let first = *self.rng.pick(&["0;\n", "i;\n", "1 - i;\n"]);
            text.push_str(first);
            self.index = Some("i");
            for action in ["a", "b"] {
                text.push_str(&format!("  {}", self.command(action)));
            }
            self.index = None;
            text.push_str("}\n");
        }
        text
    }

    fn command(&mut self, action: &str) -> String {
        let body = if self.rng.chance(0.25) {
            format!("either {} or {}", self.updates(), self.updates())
        } else {
            self.updates()
        };
        format!("[{action}] {} -> {body};\n", self.condition(2))
    }

    /// What one of the processes counts: its own number, that of the other, or that of a certain one.
    fn counted(&mut self) -> &'static str {
        let names: &[&'static str] = match self.index {
            Some(_) => &["n", "u[i].n", "u[1 - i].n", "u[0].n"],
            None => &["u[0].n", "u[1].n"],
        };
        names[self.rng.below(names.len())]
    }

    /// A random truth value.
    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.chance(0.4) {
            return match self.rng.below(7) {
                0 => "t".to_owned(),
                1 => {
                    format!("c {} {}", self.rng.pick(&["=", "!="]), self.rng.pick(&["red", "green", "blue"]))
                }
                2 => format!("x in {}..{}", self.rng.between(0, 1), self.rng.between(1, 3)),
                3 => format!("odd({})", self.number(1)),
                4 => "true".to_owned(),
                5 if self.bits => {
                    let operator = *self.rng.pick(&["bvult", "bvule", "bvslt", "bvsle"]);
                    format!("{operator}({}, {})", self.word(1), self.word(0))
                }
                5 if self.array => format!("v[{}] = {}", self.number(0), self.rng.between(0, 1)),
                6 if self.template => {
                    let quantifier = *self.rng.pick(&["forall", "exists"]);
                    format!("({quantifier} k in 0..1, k != {}: u[k].n = {})", self.number(0), self.number(0))
                }
                _ => {
                    let operator = *self.rng.pick(&["<", "<=", "=", "!=", ">"]);
                    format!("{} {operator} {}", self.number(1), self.number(0))
                }
            };
        }
        match self.rng.below(4) {
            0 => format!("!({})", self.condition(depth - 1)),
            1 => format!("({} <-> {})", self.condition(depth - 1), self.condition(depth - 1)),
            n => {
                let operator = if n == 2 { "&&" } else { "||" };
                format!("({} {operator} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 7 }) {
            0 => self.rng.between(0, 3).to_string(),
            1 => "x".to_owned(),
            2 if self.template && self.rng.chance(0.5) => self.counted().to_owned(),
            2 if self.index.is_some() && self.rng.chance(0.5) => "i".to_owned(),
            2 => "y".to_owned(),
            3 => format!("{} + {}", self.number(depth - 1), self.number(depth - 1)),
            4 => format!("{} - {}", self.number(depth - 1), self.number(depth - 1)),
            5 if self.array => format!("v[{}]", self.number(depth - 1)),
            _ => format!("({} ? {} : {})", self.condition(0), self.number(depth - 1), self.number(depth - 1)),
        }
    }

    fn word(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => format!("2'd{}", self.rng.below(4)),
            1 | 2 => "w".to_owned(),
            3 => format!("bvnot({})", self.word(depth - 1)),
            4 => format!("({} ? {} : {})", self.condition(0), self.word(depth - 1), self.word(depth - 1)),
            _ => {
                let operator = *self.rng.pick(&["bvadd", "bvmul", "bvxor", "bvlshr", "bvudiv"]);
                format!("{operator}({}, {})", self.word(depth - 1), self.word(depth - 1))
            }
        }
    }

    fn updates(&mut self) -> String {
        let mut updates = Vec::new();
        for name in ["x", "y"] {
            if self.rng.chance(0.5) {
                updates.push(match self.rng.below(6) {
                    0 => format!("{name} := input"),
                    1 => format!("{name} := input 0..1"),
                    _ => format!("{name} := {}", self.number(1)),
                });
            }
        }
        if self.rng.chance(0.3) {
            updates.push(format!("t := {}", self.condition(1)));
        }
        if self.rng.chance(0.4) {
            updates.push(format!("c := {}", self.rng.pick(&["red", "green", "blue", "input"])));
        }
        if self.template && self.rng.chance(if self.index.is_some() { 0.7 } else { 0.2 }) {
            updates.push(format!("{} := {}", self.counted(), self.number(1)));
        }
        if self.bits && self.rng.chance(0.5) {
            updates.push(if self.rng.chance(0.1) {
                "w := input".to_owned()
            } else {
                format!("w := {}", self.word(2))
            });
        }
        if self.array && self.rng.chance(0.5) {
            updates.push(match self.rng.below(6) {
                0 => "v := input".to_owned(),
                1 => format!("v[{}] := input", self.number(0)),
                2 => "v[0] := v[1], v[1] := v[0]".to_owned(),
                3 => format!("v := store(v, {}, {})", self.number(0), self.number(0)),
                4 => format!("v[{}] := 0, v[{}] := {}", self.number(0), self.number(0), self.number(0)),
                _ => format!("v[{}] := {}", self.number(0), self.number(1)),
            });
        }
        if updates.is_empty() { "skip".to_owned() } else { updates.join(", ") }
    }
}
