//! Transition systems that are given as they are: `.pts` and `.aut`.

use super::begins_with;
use super::labelled_listed::{action_end, action_of};
use crate::{
    Format, FoundSystem, Halt, Input, Logic, Model, OffersRuns, OffersStates, OffersSystem, Property,
    PropertyId, Read, ReadOptions,
};
use std::sync::Arc;
use tertium_check::unknown_names;
use tertium_evidence::{NamedValue, Names, Origin, PropertyName, StepName};
use tertium_logic::{Ltl, parse, parse_ltl_with_atoms};
use tertium_report::Comments;
use tertium_support::{Context, Diagnostic, Diagnostics, Id, Severity, Source, Span, nearest_names};
use tertium_system::format::{AutMode, Family, StepLines, read_aut_with_lines, read_pts, source_of_bytes};
use tertium_system::{ActionId, ConcreteId, PartialSystem, PropId, StateId};

/// Our own format.
pub(crate) const PTS: Format = Format {
    name: "pts",
    title: "partial transition systems",
    extensions: &["pts"],
    has_properties: false,
    modal: false,
    has_parameters: false,
    preprocessing: None,
    on_machine: false,
    written_as: "pts",
    looks_like: |bytes| begins_with(bytes, "//", &["system", "propositions", "actions", "state", "init"]),
    read: read_partial,
};

/// Aldebaran's.
pub(crate) const AUT: Format = Format {
    name: "aut",
    title: "Aldebaran",
    extensions: &["aut"],
    has_properties: false,
    modal: true,
    has_parameters: false,
    preprocessing: None,
    on_machine: false,
    written_as: "aut",
    looks_like: |bytes| begins_with(bytes, "#", &["des"]),
    read: read_aldebaran,
};

/// In larger files, in bytes, the lines of steps are not noted.
const MOST_WITH_LINES: usize = 1 << 21;

fn read_partial(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let source = Source::from_bytes(input.name, input.bytes)
        .map_err(|wrong| Halt::Faulty(Box::new(wrong.0), vec![wrong.1]))?;
    let file = read_pts(context, &source).map_err(|error| Halt::unread(error, &source))?;
    let mut model = Labelled::new(source, file.system, file.lines, options);
    model.title = file.name;
    model.family = file.family;
    Ok((Box::new(model), Vec::new()))
}

fn read_aldebaran(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let mode = if options.modal { AutMode::Modal } else { AutMode::Plain };
    let Input { name, bytes, .. } = input;
    // The text of a large system is not kept: nothing of it is shown again.
    let source = Source::new(name.clone(), "");
    let (system, lines) = match read_aut_with_lines(context, &bytes, mode, MOST_WITH_LINES) {
        Ok(read) => read,
        Err(error) => return Err(Halt::unread(error, &source_of_bytes(name, bytes))),
    };
    Ok((Box::new(Labelled::new(source, system, lines, options)), Vec::new()))
}

/// A given system, with what is asked about it.
pub(super) struct Labelled {
    source: Source,
    pub(super) system: Arc<PartialSystem>,
    /// What states and steps are called, and where they stand.
    pub(super) names: Arc<Written>,
    title: Option<String>,
    family: Option<Family>,
    properties: Vec<Property>,
    unknown_names: bool,
}

/// A system with the lines of its steps.
pub(super) struct Written {
    system: Arc<PartialSystem>,
    lines: StepLines,
}

impl Names for Written {
    fn state(&self, state: StateId) -> String {
        Names::state(&*self.system, state)
    }

    fn values(&self, state: StateId) -> Vec<NamedValue> {
        Names::values(&*self.system, state)
    }

    fn step(&self, step: ActionId) -> StepName {
        Names::step(&*self.system, step)
    }

    fn step_between(&self, source: StateId, step: ActionId, target: StateId) -> StepName {
        StepName { line: self.lines.line(source, step, target), ..Names::step(&*self.system, step) }
    }

    fn proposition(&self, proposition: PropId) -> String {
        Names::proposition(&*self.system, proposition)
    }

    fn concrete(&self, concrete: ConcreteId) -> String {
        Names::concrete(&*self.system, concrete)
    }

    fn system(&self) -> Option<&PartialSystem> {
        Some(&self.system)
    }
}

impl Labelled {
    fn new(source: Source, system: PartialSystem, lines: StepLines, options: &ReadOptions) -> Self {
        let system = Arc::new(system);
        Self {
            source,
            names: Arc::new(Written { system: Arc::clone(&system), lines }),
            system,
            title: None,
            family: None,
            properties: Vec::new(),
            unknown_names: options.unknown_names,
        }
    }

    /// What a property says.
    pub(super) fn logic(&self, property: PropertyId) -> &Logic {
        &self.properties[property.index()].logic
    }

    /// Reads a formula of linear time, which stands behind the word `LTLSPEC`; nothing if the text does not begin with it.
    fn linear(&self, source: &Source) -> Option<Result<(Ltl, Diagnostics), Diagnostics>> {
        let text = source.text();
        let start = text.len() - text.trim_start().len();
        let rest = text[start..].strip_prefix(LINEAR)?;
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        if !self.system.is_complete() {
            let word = Span::new(start, start + LINEAR.len());
            let message = "a formula of linear time is about paths, and this system leaves some of them open";
            return Some(Err(vec![Diagnostic::error(word, message).with_note(
                "it has steps that may exist, or labels that may hold; CTL and the mu-calculus are answered as far as they can be",
            )]));
        }
        let part = Span::new(text.len() - rest.len(), text.len());
        let formula = match parse_ltl_with_atoms(source, part, &action_end) {
            Ok(formula) => formula,
            Err(found) => return Some(Err(found)),
        };
        let complaints = self.unknown_atoms(&formula);
        Some(Ok((formula, complaints)))
    }

    /// Complaints about propositions and actions that the system does not have.
    fn unknown_atoms(&self, formula: &Ltl) -> Diagnostics {
        let severity = if self.unknown_names { Severity::Warning } else { Severity::Error };
        let (actions, propositions) = (self.system.actions(), self.system.labels().names());
        let unknown = formula.propositions().filter_map(|(atom, span)| {
            let (what, name, near) = match action_of(atom) {
                Some(action) if actions.get(action).is_some() => return None,
                Some(action) => ("action", action, nearest_names(action, actions.names())),
                None if propositions.get(atom).is_some() => return None,
                None => ("proposition", atom, nearest_names(atom, propositions.names())),
            };
            let complaint = Diagnostic {
                severity,
                ..Diagnostic::error(span, format!("the system has no {what} `{name}`"))
            };
            Some(match near.as_slice() {
                [] => {
                    complaint.with_note("atoms are names of propositions, and `<a>`: the next step is an `a`")
                }
                near => complaint.with_note(format!("similar names: {}", near.join(", "))),
            })
        });
        unknown.collect()
    }
}

/// The word before formulas of linear time.
const LINEAR: &str = "LTLSPEC";

impl Model for Labelled {
    fn source(&self) -> &Source {
        &self.source
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let severity = if self.unknown_names { Severity::Warning } else { Severity::Error };
        let (logic, mut complaints) = match self.linear(source) {
            Some(read) => read.map(|(formula, complaints)| (Logic::Linear(formula), complaints))?,
            None => {
                let formula = parse(source)?;
                let complaints = unknown_names(&self.system, &formula, severity);
                (Logic::Branching(formula), complaints)
            }
        };
        if let (false, Some(last)) = (self.unknown_names, complaints.last_mut()) {
            last.notes.push("with --allow-unknown-names this is a warning".to_owned());
            return Err(complaints);
        }
        self.properties.push(Property { name, source: source.clone(), logic });
        Ok((PropertyId::new(self.properties.len() - 1), complaints))
    }

    fn comments(&self) -> Comments {
        Comments::Formula
    }

    fn system(&self) -> Option<&dyn OffersSystem> {
        Some(self)
    }

    fn runs(&self) -> Option<&dyn OffersRuns> {
        Some(self)
    }

    fn states(&self) -> Option<&dyn OffersStates> {
        self.system.is_complete().then_some(self as _)
    }
}

impl OffersSystem for Labelled {
    fn system(&self, _: &Context, _: &[PropertyId], _: usize) -> Result<FoundSystem, Halt> {
        Ok(FoundSystem {
            system: Arc::clone(&self.system),
            names: Arc::clone(&self.names) as _,
            origin: Origin::Given,
            left_out: Vec::new(),
        })
    }

    fn is_given(&self) -> bool {
        true
    }

    fn is_bounded(&self) -> bool {
        true
    }

    fn title(&self) -> (Option<&str>, Option<Family>) {
        (self.title.as_deref(), self.family)
    }
}
