//! Task definitions, formats 1.0 and 2.0: which files, which properties with which verdicts, which data model.

use tertium_report::witness::WitnessDataModel;
use tertium_support::{Diagnostic, Diagnostics, Source, Span, Yaml, read_yaml};

/// A task definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDefinition {
    /// The files of the program, at least one.
    pub input_files: Vec<TaskInput>,
    /// Files that have to be there for other reasons.
    pub required_files: Vec<TaskInput>,
    /// The properties, perhaps none.
    pub properties: Vec<TaskProperty>,
    /// `options.data_model`.
    pub data_model: Option<WitnessDataModel>,
    /// `options.language`: `C`.
    pub language: Option<String>,
    /// `options.witness_input_file`, for validators of witnesses.
    pub witness: Option<TaskInput>,
    /// What is odd about it, but no reason to give up.
    pub warnings: Diagnostics,
}

/// The name of a file, seen from the folder of the task definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskInput {
    /// The name. It may be a pattern.
    pub name: String,
    /// Where it is said.
    pub span: Span,
}

impl TaskInput {
    /// Whether the name is a pattern that stands for several.
    pub fn is_pattern(&self) -> bool {
        self.name.contains(['*', '?', '['])
    }
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    /// The property file.
    pub file: TaskInput,
    /// The verdict that is right, if somebody knows.
    pub expected: Option<bool>,
    /// The part of the property that does not hold, where the verdict is false: `valid-deref`.
    pub subproperty: Option<String>,
    /// Where it is said.
    pub span: Span,
}

/// Whether a text looks like a task definition: it has the key `input_files`, and `format_version` or `properties`.
pub fn is_task_text(text: &str) -> bool {
    let has = |key: &str| {
        text.lines().any(|line| line.starts_with(key) || line.trim_start_matches('{').starts_with(key))
    };
    has("input_files") && (has("format_version") || has("properties"))
}

/// Reads a task definition.
pub fn read_task(source: &Source) -> Result<TaskDefinition, Diagnostics> {
    let whole = read_yaml(source).map_err(|wrong| vec![wrong])?;
    let Some(whole) = whole else { return Err(vec![Diagnostic::error(Span::point(0), "the file is empty")]) };
    let mut reader = Reader { wrong: Vec::new(), warnings: Vec::new() };
    let task = reader.task(&whole);
    let mut task =
        if reader.wrong.is_empty() { task.expect("nothing is wrong") } else { return Err(reader.wrong) };
    task.warnings = reader.warnings;
    Ok(task)
}

struct Reader {
    wrong: Diagnostics,
    warnings: Diagnostics,
}

/// Where a node begins, or all of it if it is a single value.
fn place(node: &Yaml) -> Span {
    if node.text().is_some() { node.span } else { Span::point(node.span.start) }
}

impl Reader {
    fn complain(&mut self, node: &Yaml, message: impl Into<String>) {
        self.wrong.push(Diagnostic::error(place(node), message));
    }

    fn warn(&mut self, node: &Yaml, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(place(node), message));
    }

    /// Nothing if something is wrong.
    fn task(&mut self, whole: &Yaml) -> Option<TaskDefinition> {
        if whole.map().is_none() {
            self.complain(whole, format!("a task definition is a map, not {}", whole.kind_name()));
            return None;
        }
        self.version(whole);
        let Some(files) = whole.get("input_files") else {
            self.complain(whole, "a task definition has `input_files`");
            return None;
        };
        let input_files = self.files(files, "input_files");
        if input_files.is_empty() && self.wrong.is_empty() {
            self.complain(files, "there is no input file");
        }
        let required_files = whole.get("required_files").map(|node| self.files(node, "required_files"));
        let properties = match whole.get("properties") {
            Some(node) if !node.is_null() => self.properties(node),
            _ => Vec::new(),
        };
        let options = whole.get("options").filter(|node| !node.is_null());
        if let Some(options) = options
            && options.map().is_none()
        {
            self.complain(options, format!("`options` is a map, not {}", options.kind_name()));
        }
        let option = |key: &str| options.and_then(|options| options.get(key));
        let data_model = option("data_model").and_then(|node| self.data_model(node));
        let language = option("language").and_then(Yaml::text).map(str::to_owned);
        let witness = option("witness_input_file").and_then(|node| self.file(node, "witness_input_file"));
        Some(TaskDefinition {
            input_files,
            required_files: required_files.unwrap_or_default(),
            properties,
            data_model,
            language,
            witness,
            warnings: Vec::new(),
        })
    }

    fn version(&mut self, whole: &Yaml) {
        match whole.get("format_version") {
            None => self.warn(whole, "a task definition has a `format_version`; 2.0 is taken"),
            Some(node) => match node.text() {
                Some("1.0" | "1" | "2.0" | "2" | "2.1") => {}
                Some(other) => {
                    let wrong = Diagnostic::error(
                        node.span,
                        format!("task definitions in the format `{other}` are not read"),
                    );
                    self.wrong.push(wrong.with_note("known are 1.0 and 2.0"));
                }
                None => self.complain(node, "`format_version` is a text"),
            },
        }
    }

    /// A name, or a list of names.
    fn files(&mut self, node: &Yaml, key: &str) -> Vec<TaskInput> {
        match node.list() {
            Some(list) => list.iter().filter_map(|node| self.file(node, key)).collect(),
            None => self.file(node, key).into_iter().collect(),
        }
    }

    fn file(&mut self, node: &Yaml, key: &str) -> Option<TaskInput> {
        match node.text() {
            Some(name) if !name.trim().is_empty() => {
                Some(TaskInput { name: name.trim().to_owned(), span: node.span })
            }
            _ => {
                self.complain(
                    node,
                    format!("`{key}` is the name of a file, or a list of names, not {}", node.kind_name()),
                );
                None
            }
        }
    }

    fn properties(&mut self, node: &Yaml) -> Vec<TaskProperty> {
        let Some(list) = node.list() else {
            self.complain(node, format!("`properties` is a list, not {}", node.kind_name()));
            return Vec::new();
        };
        list.iter().filter_map(|node| self.property(node)).collect()
    }

    fn property(&mut self, node: &Yaml) -> Option<TaskProperty> {
        let Some(file) = node.get("property_file") else {
            self.complain(node, "a property has a `property_file`");
            return None;
        };
        let file = self.file(file, "property_file")?;
        let expected = node.get("expected_verdict").filter(|node| !node.is_null());
        let verdict = expected.and_then(Yaml::truth);
        if let Some(expected) = expected
            && verdict.is_none()
        {
            self.complain(expected, "an `expected_verdict` is `true` or `false`");
        }
        let subproperty = node.get("subproperty").and_then(Yaml::text).map(str::to_owned);
        Some(TaskProperty { file, expected: verdict, subproperty, span: node.span })
    }

    fn data_model(&mut self, node: &Yaml) -> Option<WitnessDataModel> {
        let found = node.text().and_then(WitnessDataModel::of_name);
        if found.is_none() {
            self.complain(node, "a data model is `ILP32` or `LP64`");
        }
        found
    }
}
