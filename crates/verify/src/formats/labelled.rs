//! Transition systems that are given as they are: `.pts` and `.aut`.

use super::begins_with;
use crate::{
    Format, FoundSystem, Halt, Input, Logic, Model, OffersSystem, Property, PropertyId, Read, ReadOptions,
};
use std::sync::Arc;
use tertium_check::unknown_names;
use tertium_evidence::{Origin, PropertyName};
use tertium_logic::parse;
use tertium_report::Comments;
use tertium_support::{Context, Diagnostics, Id, Severity, Source};
use tertium_system::PartialSystem;
use tertium_system::format::{AutMode, Family, read_aut, read_pts, source_of_bytes};

/// Our own format.
pub(crate) const PTS: Format = Format {
    name: "pts",
    title: "partial transition systems",
    extensions: &["pts"],
    has_properties: false,
    modal: false,
    has_parameters: false,
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
    written_as: "aut",
    looks_like: |bytes| begins_with(bytes, "#", &["des"]),
    read: read_aldebaran,
};

fn read_partial(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let source = Source::from_bytes(input.name, input.bytes)
        .map_err(|wrong| Halt::Faulty(Box::new(wrong.0), vec![wrong.1]))?;
    let file = read_pts(context, &source).map_err(|error| Halt::unread(error, &source))?;
    let mut model = Labelled::new(source, file.system, options);
    model.title = file.name;
    model.family = file.family;
    Ok((Box::new(model), Vec::new()))
}

fn read_aldebaran(context: &Context, input: Input, options: &ReadOptions) -> Result<Read, Halt> {
    let mode = if options.modal { AutMode::Modal } else { AutMode::Plain };
    let Input { name, bytes } = input;
    // The text of a large system is not kept: nothing of it is shown again.
    let source = Source::new(name.clone(), "");
    let system = match read_aut(context, &bytes, mode) {
        Ok(system) => system,
        Err(error) => return Err(Halt::unread(error, &source_of_bytes(name, bytes))),
    };
    Ok((Box::new(Labelled::new(source, system, options)), Vec::new()))
}

struct Labelled {
    source: Source,
    system: Arc<PartialSystem>,
    title: Option<String>,
    family: Option<Family>,
    properties: Vec<Property>,
    unknown_names: bool,
}

impl Labelled {
    fn new(source: Source, system: PartialSystem, options: &ReadOptions) -> Self {
        Self {
            source,
            system: Arc::new(system),
            title: None,
            family: None,
            properties: Vec::new(),
            unknown_names: options.unknown_names,
        }
    }
}

impl Model for Labelled {
    fn source(&self) -> &Source {
        &self.source
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn read_property(
        &mut self,
        given: &str,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let formula = parse(source)?;
        let severity = if self.unknown_names { Severity::Warning } else { Severity::Error };
        let mut complaints = unknown_names(&self.system, &formula, severity);
        if let (false, Some(last)) = (self.unknown_names, complaints.last_mut()) {
            last.notes.push("with --allow-unknown-names this is a warning".to_owned());
            return Err(complaints);
        }
        self.properties.push(Property {
            name: PropertyName {
                file: self.source.name().to_owned(),
                given: given.to_owned(),
                text: source.text().trim().to_owned(),
                ..PropertyName::default()
            },
            source: source.clone(),
            logic: Logic::Branching(formula),
        });
        Ok((PropertyId::new(self.properties.len() - 1), complaints))
    }

    fn comments(&self) -> Comments {
        Comments::Formula
    }

    fn system(&self) -> Option<&dyn OffersSystem> {
        Some(self)
    }
}

impl OffersSystem for Labelled {
    fn system(&self, _: &Context, _: &[PropertyId], _: usize) -> Result<FoundSystem, Halt> {
        let system = Arc::clone(&self.system);
        Ok(FoundSystem::named_by_itself(system, Origin::Given, Vec::new()))
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
