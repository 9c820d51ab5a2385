//! Random models of guarded commands, as text.
//!
//! All ranges are small, so that the states can be listed; every name that a formula may use is known: the propositions `p`, `q`, `r` and the actions
//! `a`, `b`.

use tertium_support::Rng;

/// A random model with few states: two numbers `x` and `y` in ranges, a truth value `t`, and named values `c` as control.
pub fn random_gcl(rng: &mut Rng) -> String {
    let mut text = "enum colour = { red, green, blue };\n".to_owned();
    for name in ["x", "y"] {
        let high = rng.between(1, 4);
        let word = *rng.pick(&["var", "control"]);
        let value = if rng.chance(0.6) { format!(" = {}", rng.between(0, high)) } else { String::new() };
        text.push_str(&format!("{word} {name}: -1..{high}{value};\n"));
    }
    text.push_str(if rng.chance(0.5) { "var t: bool;\n" } else { "var t: bool = false;\n" });
    text.push_str(if rng.chance(0.3) { "control c: colour;\n" } else { "control c: colour = red;\n" });
    if rng.chance(0.3) {
        text.push_str(&format!("init x >= 0 || {};\n", condition(rng, 1)));
    }
    for name in ["p", "q", "r"] {
        text.push_str(&format!("prop {name} = {};\n", condition(rng, 2)));
    }
    // Each action occurs, so that formulas may speak of it.
    for n in 0..rng.between(2, 6) {
        let action = match n {
            0 => "a",
            1 => "b",
            _ => *rng.pick(&["a", "b", ""]),
        };
        let body = if rng.chance(0.25) {
            format!("either {} or {}", updates(rng), updates(rng))
        } else {
            updates(rng)
        };
        text.push_str(&format!("[{action}] {} -> {body};\n", condition(rng, 2)));
    }
    text
}

/// A random truth value over the variables of [`random_gcl`].
fn condition(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(0.4) {
        return match rng.below(6) {
            0 => "t".to_owned(),
            1 => format!("c {} {}", rng.pick(&["=", "!="]), rng.pick(&["red", "green", "blue"])),
            2 => format!("x in {}..{}", rng.between(0, 1), rng.between(1, 3)),
            3 => format!("odd({})", number(rng, 1)),
            4 => "true".to_owned(),
            _ => format!("{} {} {}", number(rng, 1), rng.pick(&["<", "<=", "=", "!=", ">"]), number(rng, 0)),
        };
    }
    match rng.below(4) {
        0 => format!("!({})", condition(rng, depth - 1)),
        1 => format!("({} <-> {})", condition(rng, depth - 1), condition(rng, depth - 1)),
        n => {
            let operator = if n == 2 { "&&" } else { "||" };
            format!("({} {operator} {})", condition(rng, depth - 1), condition(rng, depth - 1))
        }
    }
}

fn number(rng: &mut Rng, depth: usize) -> String {
    match rng.below(if depth == 0 { 3 } else { 6 }) {
        0 => rng.between(0, 3).to_string(),
        1 => "x".to_owned(),
        2 => "y".to_owned(),
        3 => format!("{} + {}", number(rng, depth - 1), number(rng, depth - 1)),
        4 => format!("{} - {}", number(rng, depth - 1), number(rng, depth - 1)),
        _ => format!("({} ? {} : {})", condition(rng, 0), number(rng, depth - 1), number(rng, depth - 1)),
    }
}

fn updates(rng: &mut Rng) -> String {
    let mut updates = Vec::new();
    for name in ["x", "y"] {
        if rng.chance(0.5) {
            updates.push(match rng.below(6) {
                0 => format!("{name} := input"),
                1 => format!("{name} := input 0..1"),
                _ => format!("{name} := {}", number(rng, 1)),
            });
        }
    }
    if rng.chance(0.3) {
        updates.push(format!("t := {}", condition(rng, 1)));
    }
    if rng.chance(0.4) {
        updates.push(format!("c := {}", rng.pick(&["red", "green", "blue", "input"])));
    }
    if updates.is_empty() { "skip".to_owned() } else { updates.join(", ") }
}
