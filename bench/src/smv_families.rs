//! Families of SMV models that grow with one number: to see where a symbolic checker stops.
//!
//! | family       | shape | what grows with n |
//! |--------------|-------|-------------------|
//! | philosophers | n philosophers in a circle; an input says who moves; they can block each other | width, and the diameter with it |
//! | token ring   | n processes in a circle, the owner of the token works; fair scheduling | the number of fairness constraints |
//! | counter      | n bits, deterministic up to stuttering | the diameter, as 2ⁿ: long fixpoints over small sets |
//! | cells        | mutual exclusion by a privilege that travels against requests, processes that write each other's state | width, and non-determinism of scheduling |
//! | data link    | the alternating bit protocol with data of n bits | the domains of the variables, as 2ⁿ |
//!
//! Every model has properties that are true and, where the family allows, one that is false: counterexamples are part of
//! the work. All relations are total.

use std::fmt::Write;

/// One family: its name, its sizes in growing order, and the model of a size.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) sizes: &'static [usize],
    pub(crate) model: fn(usize) -> String,
}

/// All families.
pub(crate) const ALL: [Family; 5] = [
    Family { name: "philosophers", sizes: &[4, 8, 12, 16, 20, 24, 32, 48, 64], model: philosophers },
    Family { name: "token ring", sizes: &[4, 8, 12, 16, 20, 24, 32], model: token_ring },
    Family { name: "counter", sizes: &[6, 8, 10, 12, 14, 16, 18, 20], model: counter },
    Family { name: "cells", sizes: &[4, 6, 8, 10, 12, 16, 20, 24], model: cells },
    Family { name: "data link", sizes: &[2, 4, 6, 7, 8, 9, 10, 11, 12], model: data_link },
];

/// The texts of `line(i)` for all i below n, one after the other.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

/// The conjunction of `part(i)` for all i below n.
fn conjunction(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(" & ")
}

/// That no two of n components satisfy `condition`.
fn at_most_one(n: usize, condition: impl Fn(usize) -> String) -> String {
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let parts: Vec<String> = pairs.map(|(i, j)| format!("!({} & {})", condition(i), condition(j))).collect();
    parts.join(" & ")
}

/// One more property of a family, with two occurrences for each component.
pub(crate) fn wide(family: &str, n: usize) -> String {
    let body = match family {
        "philosophers" => conjunction(n, |i| format!("(p{i}.at = holding -> EF p{i}.at = thinking)")),
        "token ring" => conjunction(n, |i| format!("(s{i}.at = waiting -> AF s{i}.at = working)")),
        "counter" => conjunction(n, |i| format!("(!b{i}.value -> EF b{i}.value)")),
        "cells" => conjunction(n, |i| format!("(c{i}.user = asking -> EF c{i}.user = inside)")),
        _ => return String::new(),
    };
    format!("SPEC AG ({body})\n")
}

/// Every philosopher takes the fork to the left, then the one to the right. A fork is free if neither neighbour has it.
fn philosophers(n: usize) -> String {
    let people = lines(n, |i| format!("  p{i} : philosopher(mover = {i}, free{i}, free{});\n", (i + 1) % n));
    let forks = lines(n, |i| format!("  free{i} := !p{i}.has_left & !p{}.has_right;\n", (i + n - 1) % n));
    let blocked = conjunction(n, |i| format!("p{i}.at = holding"));
    let respected = conjunction(n, |i| format!("!(p{i}.has_right & p{}.has_left)", (i + 1) % n));
    format!(
        "MODULE philosopher(moves, left_free, right_free)
VAR at : {{thinking, hungry, holding, eating}};
ASSIGN
  init(at) := thinking;
  next(at) := case
    !moves : at;
    at = thinking : {{thinking, hungry}};
    at = hungry & left_free : holding;
    at = holding & right_free : eating;
    at = eating : thinking;
    TRUE : at;
  esac;
DEFINE
  has_left := at = holding | at = eating;
  has_right := at = eating;

MODULE main
IVAR mover : 0..{};
VAR
{people}DEFINE
{forks}  blocked := {blocked};
  respected := {respected};
SPEC AG respected
SPEC EF blocked
SPEC AG EF p0.at = eating
LTLSPEC G (p0.at = eating -> !p1.has_left)
INVARSPEC respected
",
        n - 1
    )
}

/// Whoever has the token may work, and hands it on when idle. That everybody who waits will work needs the fairness.
fn token_ring(n: usize) -> String {
    let stations = lines(n, |i| format!("  s{i} : process station(token, {i}, {});\n", (i + 1) % n));
    let alone = at_most_one(n, |i| format!("s{i}.at = working"));
    let (last, middle) = (n - 1, n / 2);
    format!(
        "MODULE station(token, number, successor)
VAR at : {{idle, waiting, working}};
ASSIGN
  init(at) := idle;
  next(at) := case
    at = idle : {{idle, waiting}};
    at = waiting & token = number : working;
    at = working : {{working, idle}};
    TRUE : at;
  esac;
  next(token) := case
    token = number & at = idle : successor;
    TRUE : token;
  esac;
FAIRNESS running
FAIRNESS at != working

MODULE main
VAR
  token : 0..{last};
{stations}ASSIGN init(token) := 0;
DEFINE alone := {alone};
SPEC AG (s0.at = waiting -> AF s0.at = working)
SPEC AG (s{last}.at = idle -> AF s{last}.at = waiting)
LTLSPEC G (s{middle}.at = waiting -> F s{middle}.at = working)
INVARSPEC alone
"
    )
}

/// A ripple counter that counts infinitely often.
fn counter(n: usize) -> String {
    let mut bits = String::from("  b0 : bit(tick);\n");
    for i in 1..n {
        writeln!(bits, "  b{i} : bit(b{}.carry_out);", i - 1).expect("writing to a string");
    }
    let full = conjunction(n, |i| format!("b{i}.value"));
    let last = n - 1;
    format!(
        "MODULE bit(carry)
VAR value : boolean;
ASSIGN
  init(value) := FALSE;
  next(value) := value xor carry;
DEFINE carry_out := value & carry;

MODULE main
VAR
  tick : boolean;
{bits}DEFINE full := {full};
FAIRNESS tick
SPEC AG AF full
SPEC EF full
SPEC AG (full -> AX (full | !b{last}.value))
INVARSPEC !(full & !b0.value)
"
    )
}

/// Requests travel to the left until they find the privilege, which then travels to the right. Nobody is treated fairly:
/// a cell may ask forever.
fn cells(n: usize) -> String {
    let ring = lines(n, |i| {
        let first = if i == 0 { "TRUE" } else { "FALSE" };
        format!("  c{i} : process cell(c{}, c{}, {first});\n", (i + n - 1) % n, (i + 1) % n)
    });
    let alone = at_most_one(n, |i| format!("c{i}.user = inside"));
    let (last, middle) = (n - 1, n / 2);
    format!(
        "MODULE cell(left, right, first)
VAR
  user : {{idle, asking, inside}};
  here : boolean;
  asks : boolean;
DEFINE take := asks & !here & left.here & left.user != inside;
ASSIGN
  init(user) := idle;
  init(here) := first;
  init(asks) := FALSE;
  next(user) := case
    user = idle : {{idle, asking}};
    user = asking & here : inside;
    user = inside : {{inside, idle}};
    TRUE : user;
  esac;
  next(asks) := case
    here | take : FALSE;
    user = asking | right.asks : TRUE;
    TRUE : asks;
  esac;
  next(here) := here | take;
  next(left.here) := left.here & !take;
FAIRNESS running
FAIRNESS user != inside

MODULE main
VAR
{ring}DEFINE alone := {alone};
SPEC AG alone
SPEC AG EF c{last}.user = inside
SPEC AG (c{middle}.user = asking -> EF c{middle}.user = inside)
SPEC AG (c{middle}.user = asking -> AF c{middle}.user = inside)
"
    )
}

/// Both lines may lose what they carry, but not forever. What the receiver has taken is what the sender sends.
fn data_link(n: usize) -> String {
    let top = (1usize << n) - 1;
    format!(
        "MODULE data_line(bit, data)
VAR
  arrived : boolean;
  flag : boolean;
  value : 0..{top};
ASSIGN
  init(arrived) := FALSE;
  next(arrived) := {{TRUE, FALSE}};
  next(flag) := bit;
  next(value) := data;
FAIRNESS arrived

MODULE answer_line(bit)
VAR
  arrived : boolean;
  flag : boolean;
ASSIGN
  init(arrived) := FALSE;
  next(arrived) := {{TRUE, FALSE}};
  next(flag) := bit;
FAIRNESS arrived

MODULE sender(answers)
VAR
  bit : boolean;
  data : 0..{top};
DEFINE done := answers.arrived & (answers.flag <-> bit);
ASSIGN
  init(bit) := FALSE;
  next(bit) := done xor bit;
  next(data) := case
    done : 0..{top};
    TRUE : data;
  esac;

MODULE receiver(line)
VAR
  expects : boolean;
  value : 0..{top};
DEFINE takes := line.arrived & (line.flag <-> expects);
ASSIGN
  init(expects) := FALSE;
  init(value) := 0;
  next(expects) := takes xor expects;
  next(value) := case
    takes : line.value;
    TRUE : value;
  esac;

MODULE main
VAR
  there : data_line(sender.bit, sender.data);
  back : answer_line(!receiver.expects);
  sender : sender(back);
  receiver : receiver(there);
DEFINE taken := receiver.expects xor sender.bit;
SPEC AG (taken -> receiver.value = sender.data)
SPEC AG AF sender.done
SPEC AG AF receiver.value = {top}
SPEC AG EF receiver.value = {top}
LTLSPEC G F receiver.takes
INVARSPEC taken -> receiver.value = sender.data
"
    )
}
