//! Files that say the same as an answer.

use crate::{answer_dot, one_line, verdict_word};
use tertium_evidence::{Answer, DocumentKind};

/// The text of a file of this kind, or why the answer has none.
pub fn answer_document(answer: &Answer, kind: DocumentKind) -> Result<String, String> {
    let none = || format!("there is no {}", kind.words());
    if kind == DocumentKind::Picture {
        let verdict = verdict_word(answer.outcome.verdict);
        return answer_dot(answer, &format!("{verdict}  {}", one_line(&answer.property.text)))
            .ok_or_else(none);
    }
    let found = answer.documents.iter().find(|document| document.kind == kind);
    let found = found.ok_or_else(none)?;
    found.text.clone().map_err(|why| format!("{}: {why}", none()))
}
