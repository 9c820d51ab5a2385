//! The reader of witnesses, for what other tools write: block and flow style, formats 2.0 to 2.2, entries without all of the metadata.
//!
//! Keys that are not known are passed over. What would change the meaning is not: an unknown type of waypoint, an unknown action, a
//! constraint of another kind. Entries of other types, such as the lists of 0.1, are refused. An invariant that cannot be used,
//! because it speaks of transitions or is in another language, is left out: fewer invariants are never wrong, and it is said.

use super::{
    InputFile, InvariantKind, Segment, Way, Waypoint, WaypointKind, Witness, WitnessContent,
    WitnessDataModel, WitnessInvariant, WitnessLocation, WitnessTask,
};
use tertium_support::{Diagnostic, Diagnostics, Source, Span, Yaml, read_yaml};

/// What a file of witnesses holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadWitness {
    /// The witnesses, in the order of the file, at least one.
    pub witnesses: Vec<Witness>,
    /// What was left out, and what is missing.
    pub warnings: Diagnostics,
}

/// The witnesses of a file.
pub fn read_witnesses(source: &Source) -> Result<ReadWitness, Diagnostics> {
    let whole = read_yaml(source).map_err(|wrong| vec![wrong])?;
    let Some(whole) = whole else { return Err(vec![Diagnostic::error(Span::point(0), "the file is empty")]) };
    let mut reader = Reader { warnings: Vec::new() };
    // Some tools write a single entry without the list around it.
    let entries = match whole.list() {
        Some(entries) => entries,
        None => std::slice::from_ref(&whole),
    };
    let mut witnesses = Vec::new();
    let mut wrong = Vec::new();
    for entry in entries {
        match reader.entry(entry) {
            Ok(witness) => witnesses.push(witness),
            Err(why) => wrong.push(why),
        }
    }
    if witnesses.is_empty() && wrong.is_empty() {
        wrong.push(Diagnostic::error(whole.span, "there is no witness in this list"));
    }
    if wrong.is_empty() { Ok(ReadWitness { witnesses, warnings: reader.warnings }) } else { Err(wrong) }
}

struct Reader {
    warnings: Diagnostics,
}

/// The beginning of what a node covers: the whole of a map would be many lines.
fn start(node: &Yaml) -> Span {
    if node.text().is_some() { node.span } else { Span::point(node.span.start) }
}

fn needed<'y>(node: &'y Yaml, key: &str, of: &str) -> Result<&'y Yaml, Diagnostic> {
    if node.map().is_none() {
        return Err(Diagnostic::error(start(node), format!("{of} is a map, not {}", node.kind_name())));
    }
    node.get(key).ok_or_else(|| Diagnostic::error(start(node), format!("{of} has no `{key}`")))
}

fn text<'y>(node: &'y Yaml, what: &str) -> Result<&'y str, Diagnostic> {
    let is_not = || Diagnostic::error(start(node), format!("`{what}` is a text, not {}", node.kind_name()));
    node.text().ok_or_else(is_not)
}

fn needed_text<'y>(node: &'y Yaml, key: &str, of: &str) -> Result<&'y str, Diagnostic> {
    text(needed(node, key, of)?, key)
}

fn list<'y>(node: &'y Yaml, what: &str) -> Result<&'y [Yaml], Diagnostic> {
    let is_not = || Diagnostic::error(start(node), format!("{what} is a list, not {}", node.kind_name()));
    node.list().ok_or_else(is_not)
}

fn number(node: &Yaml, what: &str) -> Result<u32, Diagnostic> {
    let number = node.text().and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| Diagnostic::error(start(node), format!("`{what}` is a number that is not negative")))
}

impl Reader {
    fn warn(&mut self, node: &Yaml, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(start(node), message));
    }

    fn entry(&mut self, entry: &Yaml) -> Result<Witness, Diagnostic> {
        let kind = needed(entry, "entry_type", "a witness")?;
        let content = match text(kind, "entry_type")? {
            "violation_sequence" => {
                WitnessContent::Violation(self.segments(needed(entry, "content", "a witness")?)?)
            }
            "invariant_set" => {
                WitnessContent::Correctness(self.invariants(needed(entry, "content", "a witness")?)?)
            }
            other => {
                let message = format!("witnesses of the type `{other}` are not read");
                let known = "known are `violation_sequence` and `invariant_set`, of the formats 2.0 and 2.1";
                return Err(Diagnostic::error(kind.span, message).with_note(known));
            }
        };
        Ok(Witness { task: self.task(entry)?, content })
    }

    /// Who made it and what it is about. What is missing is empty, and is said.
    fn task(&mut self, entry: &Yaml) -> Result<WitnessTask, Diagnostic> {
        let Some(metadata) = entry.get("metadata").filter(|node| node.map().is_some()) else {
            self.warn(entry, "the witness has no `metadata`: it is not known what program it is about");
            return Ok(no_task());
        };
        if let Some(version) = metadata.get("format_version") {
            let number = text(version, "format_version")?;
            if number != "2" && !number.starts_with("2.") {
                let message = format!("witnesses in the format `{number}` are not read");
                return Err(Diagnostic::error(version.span, message).with_note("known are 2.0, 2.1 and 2.2"));
            }
        }
        let optional = |key: &str| metadata.get(key).and_then(Yaml::text).map(str::to_owned);
        let producer = |key: &str| metadata.get("producer").and_then(|node| node.get(key)?.text());
        let mut about = WitnessTask {
            producer: producer("name").unwrap_or_default().to_owned(),
            version: producer("version").unwrap_or_default().to_owned(),
            uuid: optional("uuid"),
            creation_time: optional("creation_time"),
            ..no_task()
        };
        let Some(task) = metadata.get("task").filter(|node| node.map().is_some()) else {
            self.warn(metadata, "the witness has no `task`: it is not known what program it is about");
            return Ok(about);
        };
        about.specification =
            task.get("specification").and_then(Yaml::text).unwrap_or_default().trim().to_owned();
        if let Some(model) = task.get("data_model") {
            let name = text(model, "data_model")?;
            about.data_model = WitnessDataModel::of_name(name).ok_or_else(|| {
                Diagnostic::error(model.span, format!("`{name}` is no data model"))
                    .with_note("known are ILP32 and LP64")
            })?;
        } else {
            self.warn(task, "the task has no `data_model`: LP64 is taken");
        }
        about.input_files = input_files(task)?;
        Ok(about)
    }

    fn segments(&mut self, content: &Yaml) -> Result<Vec<Segment>, Diagnostic> {
        let mut segments = Vec::new();
        for item in list(content, "the content of a violation witness")? {
            let waypoints = needed(item, "segment", "an element of the content")?;
            segments.push(self.segment(waypoints)?);
        }
        let is_target = |segment: &Segment| segment.last.kind == WaypointKind::Target;
        if let Some(at) = segments.iter().position(is_target)
            && at + 1 < segments.len()
        {
            return Err(Diagnostic::error(start(content), "a `target` stands before the last segment"));
        }
        if !segments.last().is_some_and(|segment| segment.is_cycle || is_target(segment)) {
            self.warn(content, "the last waypoint is no `target`");
        }
        Ok(segments)
    }

    fn segment(&mut self, waypoints: &Yaml) -> Result<Segment, Diagnostic> {
        let mut avoid = Vec::new();
        let mut last = None;
        for item in list(waypoints, "a segment")? {
            let node = needed(item, "waypoint", "an element of a segment")?;
            if last.is_some() {
                return Err(Diagnostic::error(start(node), "a segment ends with its waypoint to `follow`"));
            }
            let (waypoint, action) = waypoint(node)?;
            match action {
                Action::Avoid => avoid.push(waypoint),
                Action::Follow | Action::Cycle => last = Some((waypoint, action)),
            }
        }
        let none = || {
            Diagnostic::error(
                start(waypoints),
                "a segment ends with a waypoint to `follow`; this one has none",
            )
        };
        let (last, action) = last.ok_or_else(none)?;
        Ok(Segment { avoid, last, is_cycle: action == Action::Cycle })
    }

    fn invariants(&mut self, content: &Yaml) -> Result<Vec<WitnessInvariant>, Diagnostic> {
        let mut invariants = Vec::new();
        for item in list(content, "the content of a correctness witness")? {
            let Some(node) = item.get("invariant") else {
                self.warn(item, "this is no invariant; it is left out");
                continue;
            };
            let name = needed_text(node, "type", "an invariant")?;
            let kind = match name {
                "loop_invariant" => InvariantKind::Loop,
                "location_invariant" => InvariantKind::Location,
                other => {
                    self.warn(node, format!("invariants of the type `{other}` are left out"));
                    continue;
                }
            };
            let format = node.get("format").and_then(Yaml::text).unwrap_or("c_expression");
            if format != "c_expression" {
                self.warn(node, format!("invariants in the format `{format}` are left out"));
                continue;
            }
            let value = needed_text(node, "value", "an invariant")?.trim().to_owned();
            let location = location(needed(node, "location", "an invariant")?)?;
            invariants.push(WitnessInvariant { kind, location, value });
        }
        Ok(invariants)
    }
}

fn no_task() -> WitnessTask {
    WitnessTask {
        input_files: Vec::new(),
        specification: String::new(),
        data_model: WitnessDataModel::Lp64,
        producer: String::new(),
        version: String::new(),
        uuid: None,
        creation_time: None,
    }
}

/// The files with their hashes, which stand in a map of their own.
fn input_files(task: &Yaml) -> Result<Vec<InputFile>, Diagnostic> {
    let Some(files) = task.get("input_files") else { return Ok(Vec::new()) };
    let names: Vec<&Yaml> = match files.list() {
        Some(list) => list.iter().collect(),
        None => vec![files],
    };
    let hash = |name: &str| task.get("input_file_hashes").and_then(|hashes| hashes.get(name)?.text());
    let file = |node: &&Yaml| {
        let name = text(node, "input_files")?;
        let sha256 = hash(name).unwrap_or_default().to_ascii_lowercase();
        Ok(InputFile { name: name.to_owned(), sha256 })
    };
    names.iter().map(file).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Follow,
    Avoid,
    Cycle,
}

fn waypoint(node: &Yaml) -> Result<(Waypoint, Action), Diagnostic> {
    let action = match needed(node, "action", "a waypoint")? {
        action if action.text() == Some("follow") => Action::Follow,
        action if action.text() == Some("avoid") => Action::Avoid,
        action if action.text() == Some("cycle") => Action::Cycle,
        other => return Err(Diagnostic::error(start(other), "an action is `follow`, `avoid` or `cycle`")),
    };
    let kind = needed(node, "type", "a waypoint")?;
    let constraint = node.get("constraint").filter(|constraint| !constraint.is_null());
    let constraint = match constraint {
        // Some tools write the value itself.
        Some(constraint) if constraint.text().is_some() => constraint.text(),
        Some(constraint) => Some(needed_text(constraint, "value", "a constraint")?),
        None => None,
    }
    .map(str::trim);
    let kind = match (text(kind, "type")?, constraint) {
        ("assumption", Some(expression)) => WaypointKind::Assumption(expression.to_owned()),
        ("branching", Some(way)) => WaypointKind::Branching(match way {
            "true" | "True" => Way::Condition(true),
            "false" | "False" => Way::Condition(false),
            case => Way::Case(case.to_owned()),
        }),
        ("assumption" | "branching", None) => {
            return Err(Diagnostic::error(start(node), "this waypoint has no constraint"));
        }
        ("function_enter", _) => WaypointKind::FunctionEnter,
        ("function_return", expression) => WaypointKind::FunctionReturn(expression.map(str::to_owned)),
        ("target", _) => WaypointKind::Target,
        (other, _) => {
            let known = "known are assumption, branching, function_enter, function_return and target";
            return Err(
                Diagnostic::error(kind.span, format!("`{other}` is no type of waypoint")).with_note(known)
            );
        }
    };
    Ok((Waypoint { kind, location: location(needed(node, "location", "a waypoint")?)? }, action))
}

fn location(node: &Yaml) -> Result<WitnessLocation, Diagnostic> {
    let column = node.get("column").filter(|column| !column.is_null());
    let function = node.get("function").filter(|function| !function.is_null());
    Ok(WitnessLocation {
        file_name: needed_text(node, "file_name", "a location")?.to_owned(),
        line: number(needed(node, "line", "a location")?, "line")?,
        column: column.map(|column| number(column, "column")).transpose()?,
        function: function.and_then(Yaml::text).map(str::to_owned),
    })
}
