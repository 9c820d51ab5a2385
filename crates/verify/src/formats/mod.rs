//! The formats that Tertium reads: what each model is to the middle.

mod c;
mod commands;
#[cfg(test)]
mod commands_certificates;
mod commands_diagrams;
mod commands_listed;
mod commands_query;
mod commands_replay;
mod labelled;
mod labelled_listed;
mod labelled_replay;
mod smv;

use crate::Format;

/// All of them.
pub(crate) const ALL: [Format; 5] = [labelled::PTS, labelled::AUT, smv::SMV, commands::GCL, c::C];

/// Whether the first line that says something begins with one of these words.
fn begins_with(bytes: &[u8], comment: &str, words: &[&str]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let said = head.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(comment));
    said.is_some_and(|line| {
        let first = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        words.contains(&first)
    })
}
