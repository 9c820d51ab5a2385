//! Models that a search was published with \[PPV07\], in the guarded-command language, each with the proposition
//! `error`. Those of the bakery and of the driver were not printed there: these are stand-ins with the same properties.

/// n processes that take tickets; each is served when its number comes up, which moves on by `stride`.
pub fn ticket_model(n: usize, stride: usize) -> String {
    let mut text = String::new();
    for i in 1..=n {
        text += &format!("control pc{i}: 0..2 = 0;\n");
    }
    for i in 1..=n {
        text += &format!("var a{i}: int = 0;\n");
    }
    text += "var s, t: int = 0;\n";
    for i in 1..=n {
        text += &format!("[take] pc{i} = 0 -> pc{i} := 1, a{i} := t, t := t + 1;\n");
        text += &format!("[enter] pc{i} = 1 && a{i} <= s -> pc{i} := 2;\n");
        text += &format!("[leave] pc{i} = 2 -> pc{i} := 0, s := s + {stride};\n");
    }
    text += "prop error = pc1 = 2 && pc2 = 2;\n";
    text
}

/// Two processes that wait for each other's events and can miss one.
pub const REMOTE_AGENT: &str = "\
control pc1, pc2: 1..6 = 1;
control w1, w2: 0..1 = 0;
var c1, c2, e1, e2: int = 0;
[a1] pc1 = 1 -> c1 := 0, pc1 := 2;
[a2] pc1 = 2 && c1 = e1 -> pc1 := 3;
[a3] pc1 = 3 -> w1 := 1, pc1 := 4;
[a4] pc1 = 4 && w1 = 0 -> pc1 := 5;
[a5] pc1 = 2 && c1 != e1 -> pc1 := 5;
[a6] pc1 = 5 -> c1 := e1, pc1 := 6;
[a7] pc1 = 6 -> e2 := e2 + 1, w2 := 0, pc1 := 2;
[b1] pc2 = 1 -> c2 := 0, pc2 := 2;
[b2] pc2 = 2 -> e1 := e1 + 1, w1 := 0, pc2 := 3;
[b3] pc2 = 3 && c2 = e2 -> pc2 := 4;
[b4] pc2 = 4 -> w2 := 1, pc2 := 5;
[b5] pc2 = 5 && w2 = 0 -> pc2 := 6;
[b6] pc2 = 3 && c2 != e2 -> pc2 := 6;
[b7] pc2 = 6 -> c2 := e2, pc2 := 2;
prop error = pc1 = 4 && pc2 = 5 && w1 = 1 && w2 = 1;
";

/// Two processes that draw numbers; the second waits for the first if its number is smaller. `second` is what lets the second one pass.
pub fn bakery_model(second: &str) -> String {
    let mut text =
        String::from("control pc0, pc1: 0..4 = 0;\ncontrol j0, j1: 0..2 = 0;\ncontrol ch0, ch1: 0..1 = 0;\n");
    text += "var num0, num1, max0, max1: int = 0;\n";
    for (i, k) in [(0, 1), (1, 0)] {
        let passes = if i == 0 { "!(num1 < num0)" } else { second };
        text += &format!("[a] pc{i} = 0 -> ch{i} := 1, j{i} := 0, max{i} := 0, pc{i} := 1;\n");
        for m in 0..2 {
            text += &format!(
                "[b] pc{i} = 1 && j{i} = {m} && num{m} > max{i} -> max{i} := num{m}, j{i} := {};\n",
                m + 1
            );
            text += &format!("[c] pc{i} = 1 && j{i} = {m} && num{m} <= max{i} -> j{i} := {};\n", m + 1);
        }
        text += &format!(
            "[d] pc{i} = 1 && j{i} = 2 -> num{i} := max{i} + 1, j{i} := 0, ch{i} := 0, pc{i} := 2;\n"
        );
        for m in 0..2 {
            text += &format!("[e] pc{i} = 2 && j{i} = {m} && ch{m} = 0 -> pc{i} := 3;\n");
        }
        text += &format!("[f] pc{i} = 3 && j{i} = {i} -> j{i} := {}, pc{i} := 2;\n", i + 1);
        text += &format!("[g] pc{i} = 3 && j{i} = {k} && num{k} = 0 -> j{i} := {}, pc{i} := 2;\n", k + 1);
        text += &format!(
            "[h] pc{i} = 3 && j{i} = {k} && num{k} != 0 && {passes} -> j{i} := {}, pc{i} := 2;\n",
            k + 1
        );
        text += &format!("[i] pc{i} = 2 && j{i} = 2 -> pc{i} := 4;\n");
        text += &format!("[j] pc{i} = 4 -> num{i} := 0, pc{i} := 0;\n");
    }
    text += "prop error = pc0 = 4 && pc1 = 4;\n";
    text
}

/// A driver that takes and gives back a lock; `release` and `count` are what it does for a request.
pub fn driver_model(release: &str, count: &str) -> String {
    format!(
        "control pc: 0..7 = 0;\ncontrol lock: 0..1 = 0;\nvar np, old: int = 0;\n\
         [take] pc = 0 && lock = 0 -> lock := 1, old := np, pc := 1;\n[take] pc = 0 && lock = 1 -> pc := 7;\n\
         [some] pc = 1 -> pc := 2;\n[none] pc = 1 -> pc := 4;\n\
         [give] pc = 2 && lock = 1 -> {release}pc := 3;\n[give] pc = 2 && lock = 0 -> pc := 7;\n\
         [count] pc = 3 -> {count}pc := 4;\n[again] pc = 4 && np != old -> pc := 0;\n[done] pc = 4 && np = old -> pc := 5;\n\
         [give] pc = 5 && lock = 1 -> lock := 0, pc := 6;\n[give] pc = 5 && lock = 0 -> pc := 7;\n\
         prop error = pc = 7;\n"
    )
}
