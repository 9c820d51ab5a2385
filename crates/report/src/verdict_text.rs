//! A verdict as one word, for `serde(with)`.

use serde::{Deserialize, Deserializer, Serializer, de};
use tertium_truth::{Cause, Verdict};

/// Writes the word.
pub fn serialize<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match verdict {
        Verdict::True => "true",
        Verdict::False => "false",
        Verdict::Unknown(cause) => cause.code(),
    })
}

/// Reads the word.
pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Verdict, D::Error> {
    match String::deserialize(from)?.as_str() {
        "true" => Ok(Verdict::True),
        "false" => Ok(Verdict::False),
        code => {
            let cause = Cause::ALL.into_iter().find(|cause| cause.code() == code);
            cause.map(Verdict::Unknown).ok_or_else(|| de::Error::custom("no verdict"))
        }
    }
}
