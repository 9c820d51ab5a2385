//! Answers every property of a file and tells the way to what refutes it: `cargo run -p tertium --example explain FILE`.

use std::io::Write;
use tertium::{Check, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os().nth(1).ok_or("give a file, such as examples/ticket-broken.gcl")?;
    let model = Model::open(file)?;
    let mut out = std::io::stdout().lock();
    for answer in Check::new().ask_all(&model)? {
        let answer = answer?;
        writeln!(out, "{}: {}", answer.property().text, answer.verdict())?;
        let Some(path) = answer.path() else { continue };
        writeln!(out, "  {}", path.start())?;
        for step in path.steps() {
            let line = step.line().map(|line| format!(" (line {line})")).unwrap_or_default();
            let changes: Vec<String> = step.changes().into_iter().map(|value| value.text).collect();
            let who = step.process().unwrap_or_default();
            writeln!(out, "  {who} {}{line}: {}", step.action(), changes.join(", "))?;
        }
    }
    Ok(())
}
