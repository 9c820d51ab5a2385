//! Programs with as many predicates as are wanted, for the growth of cost.
//!
//! Each family is a program and a list of predicates of which the first n are used. In all of them predicates share
//! variables, but for `counters`, which is the case that taking conjunctions apart into independent groups is made for,
//! and `noise` is the case that nothing helps with: every vector is a target.

/// A program, perhaps of the size of its predicates, and the predicates.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The text of the program for n predicates.
    pub(crate) text: fn(usize) -> String,
    /// The first n predicates.
    pub(crate) predicates: fn(usize) -> Vec<String>,
}

/// The most predicates that every family has.
pub(crate) const MOST: usize = 14;

pub(crate) const ALL: [Family; 10] = [
    Family {
        name: "ticket",
        text: |_| include_str!("../../../examples/ticket.gcl").into(),
        predicates: ticket,
    },
    Family {
        name: "bakery",
        text: |_| include_str!("../../../examples/bakery.gcl").into(),
        predicates: bakery,
    },
    Family {
        name: "producer-consumer",
        text: |_| include_str!("../../../examples/producer-consumer.gcl").into(),
        predicates: producer_consumer,
    },
    Family { name: "thresholds", text: |_| THRESHOLDS.into(), predicates: below },
    Family { name: "sorting", text: sorting, predicates: neighbours },
    Family { name: "blocks", text: blocks, predicates: signs_and_parities },
    Family { name: "inputs", text: |_| INPUTS.into(), predicates: apart },
    Family { name: "choices", text: |_| CHOICES.into(), predicates: below },
    Family { name: "counters", text: counters, predicates: positive },
    Family { name: "noise", text: noise, predicates: positive },
];

/// One number that goes up, down, and doubles: n bounds for it have n + 1 vectors.
const THRESHOLDS: &str = "var x: int = 0;
    [up] true -> x := x + 1;
    [down] x > 0 -> x := x - 1;
    [double] x > 1 -> x := 2 * x;";

/// Numbers from outside: musts are about choosing them, where predicates relate them to others.
const INPUTS: &str = "var x, y: int = 0;
    [set] true -> x := input 0..20;
    [low] x > 2 -> x := input 0..2;
    [copy] true -> y := x;";

/// Commands that can go several ways: musts are about all ways together.
const CHOICES: &str = "var x: int = 0;
    [walk] true -> either x := x + 1 or x := x - 1;
    [jump] x > 3 -> either x := 0 or x := 2 * x or skip;";

fn first(list: &[&str], n: usize) -> Vec<String> {
    list[..n].iter().map(|&predicate| predicate.to_owned()).collect()
}

fn ticket(n: usize) -> Vec<String> {
    const LIST: [&str; MOST] = [
        "left.ticket <= served",
        "right.ticket <= served",
        "left.ticket < right.ticket",
        "right.ticket < left.ticket",
        "next <= served",
        "left.ticket < next",
        "right.ticket < next",
        "next <= served + 1",
        "left.ticket + 1 < next",
        "right.ticket + 1 < next",
        "left.ticket = served",
        "right.ticket = served",
        "served > 0",
        "next > 1",
    ];
    first(&LIST, n)
}

fn bakery(n: usize) -> Vec<String> {
    const LIST: [&str; MOST] = [
        "p.number = 0",
        "q.number = 0",
        "p.number <= q.number",
        "p.number < q.number",
        "p.number < 0",
        "q.number < 0",
        "p.number <= 1",
        "q.number <= 1",
        "p.number = q.number + 1",
        "q.number = p.number + 1",
        "p.number > 2",
        "q.number > 2",
        "p.number + q.number > 3",
        "p.number + q.number > 5",
    ];
    first(&LIST, n)
}

fn producer_consumer(n: usize) -> Vec<String> {
    const LIST: [&str; MOST] = [
        "made = used + fill",
        "used <= made",
        "used > 5",
        "made <= 6",
        "made <= used",
        "made <= used + 1",
        "made <= used + 2",
        "made <= used + 3",
        "made <= used + 4",
        "used > 0",
        "made > 0",
        "odd(made)",
        "odd(used)",
        "made + used > 3",
    ];
    first(&LIST, n)
}

/// Bounds for x.
fn below(n: usize) -> Vec<String> {
    (0..n).map(|bound| format!("x <= {bound}")).collect()
}

/// How far x is above y at most.
fn apart(n: usize) -> Vec<String> {
    (0..n).map(|bound| format!("x <= y + {bound}")).collect()
}

/// Numbers in a row, where neighbours in the wrong order are exchanged.
fn sorting(n: usize) -> String {
    let declared: String = (0..=n).map(|i| format!("var x{i}: int = {};\n", n - i)).collect();
    let swap = |i: usize| format!("[swap{i}] x{i} > x{} -> x{i} := x{}, x{} := x{i};\n", i + 1, i + 1, i + 1);
    let swaps: String = (0..n).map(swap).collect();
    declared + &swaps
}

/// Which neighbours are in the wrong order.
fn neighbours(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("x{i} > x{}", i + 1)).collect()
}

/// One conditional after the other, each about a number of its own and the one before.
fn blocks(n: usize) -> String {
    let size = n.div_ceil(2);
    let names: Vec<String> = (0..size).map(|i| format!("x{i}")).collect();
    let mut text = format!("var {}: int = 1;\ncontrol pc: 0..{size} = 0;\n", names.join(", "));
    for i in 0..size {
        let before = if i == 0 { "0".to_owned() } else { format!("x{}", i - 1) };
        let next = (i + 1) % size;
        text += &format!("[high] pc = {i} && x{i} > 5 -> x{i} := x{i} + 1, pc := {next};\n");
        text += &format!(
            "[low] pc = {i} && x{i} > 0 && x{i} <= 5 -> x{i} := x{i} + 2 * {before}, pc := {next};\n"
        );
        text += &format!("[else] pc = {i} && x{i} <= 0 -> x{i} := x{i} - 2 + {before}, pc := {next};\n");
    }
    text
}

/// Sign and parity of each number of the blocks.
fn signs_and_parities(n: usize) -> Vec<String> {
    (0..n).map(|i| if i % 2 == 0 { format!("x{} > 0", i / 2) } else { format!("odd(x{})", i / 2) }).collect()
}

/// Numbers that have nothing to do with each other.
fn counters(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    let all: Vec<String> = names.iter().map(|name| format!("{name} := {name} + 1")).collect();
    format!("var {}: int = 0;\n[all] true -> {};\n", names.join(", "), all.join(", "))
}

/// Numbers that are all changed by one that no predicate is about.
fn noise(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    let all: Vec<String> = names.iter().map(|name| format!("{name} := {name} + z")).collect();
    format!(
        "var {}: int = 0;\nvar z: int;\n[all] true -> {}, z := z + 1;\n",
        names.join(", "),
        all.join(", ")
    )
}

/// Which numbers are above zero.
fn positive(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("x{i} > 0")).collect()
}
