//! What a system is: its family, what is true of it, how much of everything there is.

use crate::json::{SCHEMA, ToolInfo};
use serde::Serialize;
use tertium_system::PartialSystem;
use tertium_system::partial::{Classification, DomainKind};

/// A classification as data. Every field is described in docs/formats/json.md.
#[derive(Clone, Debug, Serialize)]
pub struct ClassificationReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which program wrote this.
    pub tool: ToolInfo,
    /// The command.
    pub command: &'static str,
    /// The file, as given.
    pub file: String,
    /// The smallest family.
    pub family: String,
    /// Whether nothing is open.
    pub complete: bool,
    /// Whether every must is a may.
    pub must_within_may: bool,
    /// Whether the mix condition holds.
    pub mix_condition: bool,
    /// Whether the system is monotone over its domain; `null` if that could not be decided.
    pub monotone: Option<bool>,
    /// Whether the system has a concrete refinement; `null` if that could not be decided.
    pub consistent: Option<bool>,
    /// Whether there is one initial state and at most one may successor per state and action.
    pub deterministic: bool,
    /// Whether some transition leaves every state.
    pub total: bool,
    /// `none`, `flat`, `ordered` or `flawed`.
    pub domain: &'static str,
    /// What is wrong with the domain or with the labels over it.
    pub flaws: Vec<String>,
    /// How much of everything there is.
    pub counts: serde_json::Map<String, serde_json::Value>,
    /// The exit status.
    pub exit_status: u8,
}

impl ClassificationReport {
    /// The report of a classification of `system`.
    pub fn new(file: &str, system: &PartialSystem, found: &Classification) -> Self {
        Self {
            schema: SCHEMA,
            tool: ToolInfo::default(),
            command: "model classify",
            file: file.to_owned(),
            family: found.family.to_string(),
            complete: found.complete,
            must_within_may: found.must_within_may,
            mix_condition: found.mix_condition,
            monotone: found.monotone,
            consistent: found.consistent,
            deterministic: found.deterministic,
            total: found.total,
            domain: domain_word(&found.domain),
            flaws: found.flaws.iter().map(|flaw| flaw.describe(system)).collect(),
            counts: counts(found).map(|(name, n)| (name.replace([' ', '-'], "_"), n.into())).collect(),
            exit_status: 0,
        }
    }
}

/// The classification as text, one line for each thing that is known.
pub fn classification_text(system: &PartialSystem, found: &Classification) -> String {
    let answer = |yes: bool| if yes { "yes" } else { "no" };
    let perhaps = |answered: Option<bool>| answered.map_or("not decided", answer);
    let mut lines = vec![
        ("family", found.family.to_string()),
        ("complete", answer(found.complete).to_owned()),
        ("must within may", answer(found.must_within_may).to_owned()),
        ("mix condition", answer(found.mix_condition).to_owned()),
        ("monotone", perhaps(found.monotone).to_owned()),
        ("consistent", perhaps(found.consistent).to_owned()),
        ("deterministic", answer(found.deterministic).to_owned()),
        ("total", answer(found.total).to_owned()),
        ("domain", domain_word(&found.domain).to_owned()),
    ];
    lines.extend(counts(found).map(|(name, n)| (name, n.to_string())));
    let mut text: String = lines.iter().map(|(name, value)| format!("{name:<22} {value}\n")).collect();
    for flaw in &found.flaws {
        text.push_str(&format!("flaw: {}\n", flaw.describe(system)));
    }
    text
}

fn counts(found: &Classification) -> impl Iterator<Item = (&'static str, usize)> {
    let counts = found.counts;
    [
        ("states", counts.states),
        ("initial states", counts.initial),
        ("actions", counts.actions),
        ("propositions", counts.propositions),
        ("may-only transitions", counts.may_only),
        ("must-only transitions", counts.must_only),
        ("ordinary transitions", counts.both),
        ("hyper-musts", counts.hyper_musts),
        ("concrete states", counts.concrete),
        ("empty states", counts.inconsistent_states),
    ]
    .into_iter()
}

fn domain_word(kind: &DomainKind) -> &'static str {
    match kind {
        DomainKind::None => "none",
        DomainKind::Flat => "flat",
        DomainKind::Ordered => "ordered",
        DomainKind::Flawed => "flawed",
    }
}
