//! A model as text.
//!
//! What is printed is read back to the same model: processes are gone, their names have dots. Terms are printed in
//! normal form, properties as they were written.

use crate::model::{Model, ModelCommand, Property, PropertyKind, UNNAMED_ACTION, Update};
use std::fmt::{self, Display, Formatter};
use tertium_program::{Domain, Role};
use tertium_support::Id;

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let terms = &self.program.terms;
        let mut sections = Sections { out: f, begun: false };
        sections.write(self.constants.iter().map(|(name, value)| format!("const {name} = {value};")))?;
        sections.write(
            self.enumerations.iter().map(|of| format!("enum {} = {{ {} }};", of.name, of.values.join(", "))),
        )?;
        let variables = self.program.variables().iter().zip(&self.initial_values);
        sections.write(variables.map(|(own, value)| {
            let word = if own.role == Role::Control { "control" } else { "var" };
            let value = value.as_ref().map(|value| format!(" = {}", terms.print(terms.value(value))));
            let value = value.unwrap_or_default();
            format!("{word} {}: {}{value};", terms.name(own.variable), own.domain)
        }))?;
        sections.write(self.conditions.iter().map(|(term, _)| format!("init {};", terms.print(*term))))?;
        let propositions = self.program.propositions.iter();
        sections.write(propositions.map(|(name, term)| format!("prop {name} = {};", terms.print(*term))))?;
        sections.write(self.commands.iter().map(|command| self.command_text(command)))?;
        sections.write(self.properties.iter().map(property_text))
    }
}

/// Groups of lines with an empty line between them.
struct Sections<'a, 'f> {
    out: &'a mut Formatter<'f>,
    begun: bool,
}

impl Sections<'_, '_> {
    fn write(&mut self, lines: impl Iterator<Item = String>) -> fmt::Result {
        for (n, line) in lines.enumerate() {
            if n == 0 && std::mem::replace(&mut self.begun, true) {
                writeln!(self.out)?;
            }
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

impl Model {
    /// A command on one line.
    pub fn command_text(&self, command: &ModelCommand) -> String {
        let action = if command.action == UNNAMED_ACTION { "" } else { &command.action };
        let alternatives: Vec<String> =
            command.alternatives.iter().map(|updates| self.updates_text(updates)).collect();
        let either = if alternatives.len() > 1 { "either " } else { "" };
        let guard = self.program.terms.print(command.guard);
        format!("[{action}] {guard} -> {either}{};", alternatives.join(" or "))
    }

    fn updates_text(&self, updates: &[Update]) -> String {
        if updates.is_empty() {
            return "skip".to_owned();
        }
        let text = |update: &Update| {
            let own = &self.program.variables()[update.variable.index()];
            let terms = &self.program.terms;
            let mut name = terms.name(own.variable);
            update.indices.iter().for_each(|&at| name.push_str(&format!("[{}]", terms.print(at))));
            match &update.value {
                Ok(term) => format!("{name} := {}", terms.print(*term)),
                Err(domain) if Some(domain) == update.target(&self.program) => format!("{name} := input"),
                Err(Domain::Range(low, high)) => format!("{name} := input {low}..{high}"),
                Err(_) => unreachable!("an input is of the domain of its variable, or of a range"),
            }
        };
        updates.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

fn property_text(property: &Property) -> String {
    let word = match property.kind {
        PropertyKind::Formula => "property",
        PropertyKind::Invariant => "invariant",
        PropertyKind::Reach => "reach",
    };
    let label = property.label.as_ref().map(|label| format!(" {label}:")).unwrap_or_default();
    format!("{word}{label} {};", property.text)
}
