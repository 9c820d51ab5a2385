//! An answer as JSON. The fields are described in docs/formats/json.md.

use crate::Detail;
use crate::advice::AdviceReport;
use crate::answer::unchecked_reason;
use crate::assumption::assumption_report;
use crate::evidence::Role;
use crate::further::further_report;
use crate::json::{AnswerReport, Message, PropertyReport, StateValue, cause_report, counters, verdict_json};
use crate::json_show::evidence_report;
use crate::names::{state_name, value_word};
use tertium_evidence::{Answer, Origin, PropertyName, Validation};

/// The report of one answer. Very large strategies are left out unless `detail` asks for everything.
pub fn answer_json(answer: &Answer, messages: Vec<Message>, detail: Detail, with_time: bool) -> AnswerReport {
    let Answer { property, outcome, names, .. } = answer;
    let names = names.as_ref();
    let value = |&(state, value)| StateValue { state: state_name(names, state), value: value_word(value) };
    let evidence = outcome.evidence.as_ref().map(|evidence| {
        evidence_report(names, answer.origin, evidence, Role::of(evidence, outcome.verdict), detail)
    });
    let (validated, validated_by, not_validated) = match &outcome.validation {
        Validation::Unasked => (None, Vec::new(), None),
        Validation::Passed(by) => (Some(true), by.clone(), None),
        Validation::NotRechecked(why) => (Some(false), Vec::new(), unchecked_reason(*why)),
    };
    AnswerReport {
        file: property.file.clone(),
        property: property_report(property),
        verdict: verdict_json(outcome.verdict),
        cause: cause_report(outcome.verdict, AdviceReport::all(&answer.advice, names)),
        engine: Some(answer.engine.clone()),
        value: outcome.length.clone(),
        reachable_states: outcome.reachable.clone(),
        values: outcome.values.iter().map(value).collect(),
        origin: evidence.is_some().then_some(match answer.origin {
            Origin::Given => "given",
            Origin::Model => "model",
            Origin::Abstracted => "abstract",
        }),
        evidence,
        validated,
        validated_by,
        not_validated,
        assumptions: outcome.assumptions.iter().map(|own| assumption_report(own, names)).collect(),
        details: answer.details.iter().map(further_report).collect(),
        statistics: counters(&outcome.statistics),
        time_ms: with_time.then(|| u64::try_from(answer.time.as_millis()).unwrap_or(u64::MAX)),
        expected: answer.expected,
        messages,
    }
}

pub(crate) fn property_report(property: &PropertyName) -> PropertyReport {
    PropertyReport {
        name: property.label.clone().unwrap_or_else(|| property.given.clone()),
        file: property.line.map(|_| property.file.clone()),
        line: property.line,
        formula: Some(property.text.clone()),
    }
}
