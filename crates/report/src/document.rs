//! Files that say the same as an answer.

use crate::{answer_dot, one_line, verdict_word};
use tertium_evidence::{Answer, DocumentKind};

/// The text of a file of this kind; nothing if the answer has none.
pub fn answer_document(answer: &Answer, kind: DocumentKind) -> Option<String> {
    if kind == DocumentKind::Picture {
        let verdict = verdict_word(answer.outcome.verdict);
        return answer_dot(answer, &format!("{verdict}  {}", one_line(&answer.property.text)));
    }
    let found = answer.documents.iter().find(|document| document.kind == kind);
    found.map(|document| document.text.clone())
}
