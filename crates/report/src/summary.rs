//! All verdicts of a run below each other.

use crate::answer::one_line;

/// All verdicts below each other, if there are several: each with the word for it and the property.
pub fn summary_table(lines: &[(String, String)]) -> String {
    if lines.len() < 2 {
        return String::new();
    }
    let count = |wanted: &str| lines.iter().filter(|(word, _)| word == wanted).count();
    let [n_true, n_false, n_unknown] = ["TRUE", "FALSE", "UNKNOWN"].map(count);
    let computed = match lines.len() - n_true - n_false - n_unknown {
        0 => String::new(),
        n => format!(", {n} computed"),
    };
    let mut table = format!("SUMMARY  {n_true} true, {n_false} false, {n_unknown} unknown{computed}\n");
    for (word, property) in lines {
        table.push_str(&format!("  {word:<8} {}\n", one_line(property)));
    }
    table
}
