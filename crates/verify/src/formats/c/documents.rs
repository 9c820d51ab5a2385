//! Files about C programs that say the same as an answer: witnesses for other verifiers, and programs that run into the error.

use super::meaning::{ASSERTION, ERROR_CALL, ERROR_FUNCTIONS, points_of};
use super::recorder::Given;
use super::runs::Visible;
use super::{CProgram, Graph};
use crate::{Goal, Posed};
use tertium_evidence::{Document, DocumentKind};
use tertium_front_c::c_expression::{CVariable, c_conjuncts};
use tertium_front_c::interpret::{Holder, InputSource, InputType};
use tertium_front_c::ir::{DataModel, Failure, FunctionId, Type};
use tertium_program::{Domain, Icfg, PointId};
use tertium_recursion::Invariants;
use tertium_report::harness::{AskedBy, Harness, HarnessError, HarnessInput, harness, integer_literal};
use tertium_report::witness::{
    InputFile, InvariantKind, Passed, Witness, WitnessContent, WitnessDataModel, WitnessInvariant,
    WitnessLocation, WitnessTask, violation_witness, write_witness,
};
use tertium_support::{Id, Span};

/// The line of a property file that says that a function is never called.
fn never_called(function: &str) -> String {
    format!("CHECK( init(main()), LTL(G ! call({function}())) )")
}

/// Functions of the system's library that need no definition of ours.
const LIBRARY: [&str; 34] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "alloca",
    "memset",
    "memcpy",
    "memmove",
    "memcmp",
    "strlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strchr",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "puts",
    "putchar",
    "fputs",
    "fflush",
    "rand",
    "srand",
    "time",
    "assert",
    "__assert_fail",
    "__assert",
];

/// A run that shows something, as far as documents need it.
pub(super) struct Shown<'r> {
    pub(super) visible: &'r Visible,
    pub(super) given: &'r [Given],
    pub(super) end: Span,
    pub(super) failure: Failure,
    pub(super) function: &'r str,
    pub(super) property: &'r str,
}

impl CProgram {
    /// The files about a run that are wanted.
    pub(super) fn documents_of_run(&self, wanted: &[DocumentKind], shown: &Shown<'_>) -> Vec<Document> {
        let text = |kind: &DocumentKind| {
            let text = match kind {
                DocumentKind::Harness => self.harness(shown),
                DocumentKind::Witness => self.violation(shown),
                DocumentKind::Picture | DocumentKind::Clauses => return None,
            };
            Some(Document { kind: *kind, text })
        };
        wanted.iter().filter_map(text).collect()
    }

    /// The files about a proof that are wanted.
    pub(super) fn documents_of_proof(
        &self,
        wanted: &[DocumentKind],
        posed: &Posed,
        invariants: &Invariants,
    ) -> Vec<Document> {
        if !wanted.contains(&DocumentKind::Witness) {
            return Vec::new();
        }
        let text = self.proved(posed).map(|specification| {
            let content = WitnessContent::Correctness(self.invariants(posed, invariants));
            write_witness(&Witness { task: self.witness_task(&specification), content })
        });
        vec![Document { kind: DocumentKind::Witness, text }]
    }

    /// The line of a property file that a proof shows, or why there is none.
    fn proved(&self, posed: &Posed) -> Result<String, String> {
        let Goal::Reach { targets, holds: false } = &posed.goal else {
            return Err("witnesses of proofs speak of what is never reached".to_owned());
        };
        let is_shown = |points: &[PointId]| points.iter().all(|point| targets.contains(point));
        let own = |name: &str| self.unit.functions.iter().any(|function| function.name == name);
        let errors = points_of(&posed.icfg, [ERROR_CALL]);
        let asserted = points_of(&posed.icfg, [ASSERTION]);
        let is_of_errors = targets.iter().all(|point| errors.contains(point) || asserted.contains(point));
        if is_of_errors && is_shown(&errors) {
            let name = ERROR_FUNCTIONS.into_iter().find(|name| own(name));
            return Ok(never_called(name.unwrap_or(ERROR_FUNCTIONS[0])));
        }
        let labels = posed.icfg.labels.iter().filter(|(name, _)| !name.contains('.'));
        let mut whole = labels.filter(|(name, points)| {
            is_shown(points)
                && points.len() == targets.len()
                && ![ERROR_CALL, ASSERTION].contains(&name.as_str())
        });
        let found = whole.next().map(|(name, _)| format!("CHECK( init(main()), LTL(G ! label({name})) )"));
        found.ok_or_else(|| "witnesses speak of calls of the error function and of labels only".to_owned())
    }

    /// Whether all that was read from something nobody wrote has the same value.
    fn is_always(&self, shown: &Shown<'_>, given: &Given) -> bool {
        let same = shown.given.iter().filter(|own| own.request.source == given.request.source);
        same.clone().all(|own| own.value == given.value && own.request.ty == given.request.ty)
    }

    /// The label that all blocks of a goal have, or why there is none.
    fn label_of(&self, shown: &Shown<'_>) -> Result<String, String> {
        let functions = self.unit.functions.iter().enumerate();
        let bodies = functions.filter_map(|(n, own)| Some((FunctionId::new(n), own.body.as_ref()?)));
        let labels =
            bodies.flat_map(|(id, body)| body.labels.iter().map(move |(name, &block)| (name, (id, block))));
        let is_whole = |label: &str| {
            let mut all = labels.clone().filter(|(name, _)| *name == label).map(|(_, place)| place);
            all.all(|place| shown.visible.blocks.contains(&place))
        };
        let mut asked = labels.clone().filter(|(_, place)| shown.visible.blocks.contains(place));
        let found = asked.find(|(name, _)| is_whole(name)).map(|(name, _)| name.clone());
        let is_named = |label: &String| {
            let own = labels.clone().filter(|(name, _)| *name == label).count();
            own == shown.visible.blocks.len() && !shown.visible.error_call && !shown.visible.assertion
        };
        found
            .filter(is_named)
            .ok_or_else(|| "witnesses speak of calls of the error function and of labels only".to_owned())
    }

    /// The program that runs into the error, or why there is none.
    fn harness(&self, shown: &Shown<'_>) -> Result<String, String> {
        let text = self.source.text();
        let mut inputs = Vec::new();
        for given in shown.given {
            let line = self.location(given.request.span.start, "").line;
            let refused = |what: &str| {
                Err(format!(
                    "the run reads {what} in line {line}, which no program of ours can give the same value"
                ))
            };
            let by = match &given.request.source {
                InputSource::Call { by } => AskedBy::Call(by.to_string()),
                InputSource::Uninitialised(Holder::Local(function, local)) => {
                    let own = &self.unit.function(*function).locals[local.index()];
                    let name = own.name.as_str();
                    let is_named = text.get(own.span.range()) == Some(name);
                    let is_parameter = local.index() < self.unit.function(*function).n_parameters;
                    match self.unit.ty(own.ty) {
                        Type::Integer(_) if is_parameter => AskedBy::Parameter(name.to_owned()),
                        Type::Pointer(_) if is_parameter => return refused("a pointer that main gets"),
                        Type::Integer(_) | Type::Pointer(_) if is_named => AskedBy::Variable(own.span.end),
                        Type::Array(element, Some(n))
                            if is_named
                                && matches!(self.unit.ty(*element), Type::Integer(_))
                                && self.is_always(shown, given) =>
                        {
                            let end = text[own.span.end..].find(']').map(|n| own.span.end + n + 1);
                            AskedBy::Elements(end.unwrap_or(own.span.end), *n)
                        }
                        _ => return refused(&format!("a part of `{name}` that nobody wrote")),
                    }
                }
                InputSource::Uninitialised(Holder::Global(_)) => {
                    return refused("a global that is defined elsewhere");
                }
                InputSource::Uninitialised(Holder::Heap | Holder::Stack) => {
                    return refused("memory that nobody wrote");
                }
            };
            let literal = match given.request.ty {
                InputType::Float(_) => return refused("a floating-point number from outside"),
                InputType::Integer(_) | InputType::Pointer => integer_literal(given.value),
            };
            inputs.push(HarnessInput { by, literal });
        }
        let mut errors = Vec::new();
        if shown.visible.error_call {
            errors.extend(["reach_error", "__VERIFIER_error"].map(HarnessError::call));
        }
        errors.extend(shown.visible.assertion.then_some(HarnessError::Assertion));
        if !shown.visible.blocks.is_empty() {
            // After the colon of the label.
            let after = text[shown.end.end..].find(':').map_or(shown.end.start, |n| shown.end.end + n + 1);
            errors.push(HarnessError::Place(after));
        }
        let defined_elsewhere =
            |name: &str| LIBRARY.contains(&name) || name.starts_with("__") || ["reach_error"].contains(&name);
        let bodiless = self.unit.functions.iter().filter(|own| own.body.is_none());
        let missing = bodiless.map(|own| own.name.clone()).filter(|name| !defined_elsewhere(name)).collect();
        Ok(harness(&Harness {
            file_name: self.source.name(),
            program: text,
            property: shown.property,
            is_32_bit: self.unit.data_model == DataModel::Ilp32,
            inputs,
            errors,
            missing,
        }))
    }

    /// The witness, or why there is none.
    fn violation(&self, shown: &Shown<'_>) -> Result<String, String> {
        let specification = match (shown.visible.blocks.is_empty(), shown.failure) {
            (false, _) => format!("CHECK( init(main()), LTL(G ! label({})) )", self.label_of(shown)?),
            (true, Failure::ErrorCall) => {
                let text = self.source.text().get(shown.end.start..).unwrap_or_default();
                let other = ERROR_FUNCTIONS.into_iter().find(|name| text.starts_with(name));
                never_called(other.unwrap_or(ERROR_FUNCTIONS[0]))
            }
            (true, Failure::Assertion) => {
                let why = "an assertion fails, and witnesses speak of calls of the error function only";
                return Err(why.to_owned());
            }
        };
        let mut passed = Vec::new();
        for given in shown.given {
            if let (InputSource::Call { .. }, InputType::Integer(_)) =
                (&given.request.source, given.request.ty)
            {
                let function = self.unit.function(given.request.function).name.as_str();
                let last = given.request.span.end.saturating_sub(1).max(given.request.span.start);
                passed.push(Passed::Value { value: given.value, at: self.location(last, function) });
            }
        }
        passed.push(Passed::Target(self.location(shown.end.start, shown.function)));
        Ok(write_witness(&violation_witness(self.witness_task(&specification), &passed)))
    }

    pub(super) fn location(&self, offset: usize, function: &str) -> WitnessLocation {
        let place = self.unit.origins.place(offset);
        let number = |own: usize| u32::try_from(own).unwrap_or(u32::MAX);
        let file = place.file.filter(|file| file != "<stdin>");
        WitnessLocation {
            file_name: file.unwrap_or_else(|| self.source.name().to_owned()),
            line: number(place.line),
            column: self.has_column(offset, place.line).then(|| number(place.column)),
            function: Some(function.to_owned()),
        }
    }

    /// Whether a preprocessor left a line as it is in the file, so that columns are those of the file.
    fn has_column(&self, offset: usize, line: usize) -> bool {
        let Some(original) = &self.original else { return true };
        let text = self.source.text();
        let start = text[..offset.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
        let own = text[start..].lines().next().unwrap_or_default();
        let own_bytes = own.as_bytes().trim_ascii_end();
        let theirs = original.split(|&byte| byte == b'\n').nth(line.saturating_sub(1));
        // A comment at the end of the line is gone.
        let rest = theirs.and_then(|theirs| theirs.strip_prefix(own_bytes)).map(<[u8]>::trim_ascii);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"//") || rest.starts_with(b"/*"))
    }

    fn witness_task(&self, specification: &str) -> WitnessTask {
        WitnessTask {
            input_files: vec![InputFile { name: self.source.name().to_owned(), sha256: self.sha256() }],
            specification: specification.to_owned(),
            data_model: match self.unit.data_model {
                DataModel::Ilp32 => WitnessDataModel::Ilp32,
                DataModel::Lp64 => WitnessDataModel::Lp64,
            },
            producer: "Tertium".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            uuid: None,
            creation_time: None,
        }
    }

    /// Where a witness says what holds at the head of a loop: at its keyword. A round of a `do` begins before its body, and its invariant
    /// would be about what holds after that; so there it is said of the first statement of the body, if that is in a block and nothing
    /// else leads to it.
    fn place_of_invariant(&self, icfg: &Icfg, point: PointId) -> Option<(InvariantKind, usize)> {
        let others = self.others.borrow();
        let is_own = |graph: &&Graph| std::ptr::eq(&raw const *graph.icfg, icfg);
        let graph = [&self.graph].into_iter().chain(others.iter()).find(is_own)?;
        let function = graph.functions.get(&icfg.point(point).procedure)?;
        let body = self.unit.function(*function).body.as_ref()?;
        let block = &body.blocks[graph.blocks.get(&point)?.index()];
        let start = block.loop_at?.start;
        let text = self.source.text().get(start..)?;
        if text.starts_with("while") || text.starts_with("for") {
            return Some((InvariantKind::Loop, start));
        }
        let after = text.strip_prefix("do")?;
        let inside = after.trim_start().strip_prefix('{')?.trim_start();
        let word = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len());
        let is_label = inside[word..].trim_start().starts_with(':');
        let is_plain =
            inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '*') && !is_label;
        is_plain.then_some((InvariantKind::Location, start + text.len() - inside.len()))
    }

    /// What holds where loops begin their rounds, as far as C can say it.
    fn invariants(&self, posed: &Posed, invariants: &Invariants) -> Vec<WitnessInvariant> {
        let icfg = &posed.icfg;
        let mut found = Vec::new();
        for (&point, &condition) in &invariants.at {
            let own = icfg.point(point);
            if !own.is_loop_head {
                continue;
            }
            // Only integers have such ranges; what has none is not said.
            let variable = |variable| {
                let cell = icfg.cell(variable)?;
                let is_plain = cell.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let Domain::Range(low, high) = &cell.domain else { return None };
                let (low, high) = (i128::try_from(low).ok()?, i128::try_from(high).ok()?);
                is_plain.then(|| CVariable { text: cell.name.clone(), low, high, length: None })
            };
            let parts = c_conjuncts(&icfg.terms, condition, &variable);
            let value = match parts.as_slice() {
                [] => continue,
                [only] => only.clone(),
                several => {
                    let closed = several.iter().map(|part| format!("({part})"));
                    closed.collect::<Vec<_>>().join(" && ")
                }
            };
            let function = &icfg.procedure(own.procedure).name;
            let Some((kind, at)) = self.place_of_invariant(icfg, point) else { continue };
            let location = self.location(at, function);
            found.push(WitnessInvariant { kind, location, value });
        }
        found
    }
}
