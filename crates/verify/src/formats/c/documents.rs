//! Files about C programs that say the same as an answer: witnesses for other verifiers, and programs that run into the error.

use super::CProgram;
use super::recorder::Given;
use super::runs::Visible;
use crate::Posed;
use tertium_evidence::{Document, DocumentKind};
use tertium_front_c::c_expression::{CVariable, c_conjuncts};
use tertium_front_c::interpret::{Holder, InputSource, InputType};
use tertium_front_c::ir::DataModel;
use tertium_program::Domain;
use tertium_recursion::Invariants;
use tertium_report::harness::{AskedBy, Harness, HarnessError, HarnessInput, harness, integer_literal};
use tertium_report::witness::{
    InputFile, InvariantKind, Passed, Witness, WitnessContent, WitnessDataModel, WitnessInvariant,
    WitnessLocation, WitnessTask, violation_witness, write_witness,
};
use tertium_support::{Id, Span};

/// The property of a witness, if nothing else was asked.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
/// The property where nothing fails at a label.
const UNREACH_LABEL: &str = "CHECK( init(main()), LTL(G ! label(ERROR)) )";
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
    pub(super) function: &'r str,
    pub(super) property: &'r str,
}

impl CProgram {
    /// The files about a run that are wanted, as far as there are such.
    pub(super) fn documents_of_run(&self, wanted: &[DocumentKind], shown: &Shown<'_>) -> Vec<Document> {
        let text = |kind: &DocumentKind| {
            let text = match kind {
                DocumentKind::Harness => self.harness(shown)?,
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
        let content = WitnessContent::Correctness(self.invariants(posed, invariants));
        let witness = Witness { task: self.witness_task(UNREACH_CALL), content };
        vec![Document { kind: DocumentKind::Witness, text: write_witness(&witness) }]
    }

    fn harness(&self, shown: &Shown<'_>) -> Option<String> {
        let text = self.source.text();
        let mut inputs = Vec::new();
        for given in shown.given {
            let by = match &given.request.source {
                InputSource::Call { by } => AskedBy::Call(by.to_string()),
                InputSource::Uninitialised(Holder::Local(function, local)) => {
                    let own = &self.unit.function(*function).locals[local.index()];
                    let is_name = text.get(own.span.range()) == Some(own.name.as_str());
                    AskedBy::Variable(is_name.then_some(own.span.end)?)
                }
                InputSource::Uninitialised(_) => return None,
            };
            let literal = match given.request.ty {
                InputType::Float(_) => return None,
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
            errors.push(HarnessError::Place(shown.end.start));
        }
        let defined_elsewhere =
            |name: &str| LIBRARY.contains(&name) || name.starts_with("__") || ["reach_error"].contains(&name);
        let bodiless = self.unit.functions.iter().filter(|own| own.body.is_none());
        let missing = bodiless.map(|own| own.name.clone()).filter(|name| !defined_elsewhere(name)).collect();
        Some(harness(&Harness {
            file_name: self.source.name(),
            program: text,
            property: shown.property,
            is_32_bit: self.unit.data_model == DataModel::Ilp32,
            inputs,
            errors,
            missing,
        }))
    }

    fn violation(&self, shown: &Shown<'_>) -> String {
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
        let specification = if shown.visible.blocks.is_empty() { UNREACH_CALL } else { UNREACH_LABEL };
        write_witness(&violation_witness(self.witness_task(specification), &passed))
    }

    pub(super) fn location(&self, offset: usize, function: &str) -> WitnessLocation {
        let place = self.unit.origins.place(offset);
        let number = |own: usize| u32::try_from(own).unwrap_or(u32::MAX);
        let file = place.file.filter(|file| file != "<stdin>");
        WitnessLocation {
            file_name: file.unwrap_or_else(|| self.source.name().to_owned()),
            line: number(place.line),
            column: Some(number(place.column)),
            function: Some(function.to_owned()),
        }
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
            let location = self.location(own.span.start, function);
            found.push(WitnessInvariant { kind: InvariantKind::Loop, location, value });
        }
        found
    }
}
