//! A validator of JSON against JSON Schema, as far as our own schema goes: `type`, `properties`, `required`, `items`, `enum`, `const`,
//! `oneOf`, `anyOf`, `$ref` into `$defs`, `additionalProperties`. Any other keyword is an error, so that none is passed over in silence.
//! Cost: the size of the document times the number of alternatives at each place.

use serde_json::{Map, Value};

/// Keywords that say nothing about documents.
const REMARKS: [&str; 4] = ["$schema", "title", "description", "$defs"];

/// Says what is wrong with a document, and where.
pub fn check_schema(schema: &Value, document: &Value) -> Result<(), String> {
    Validator { root: schema }.check(schema, document, "")
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let Value::Object(rules) = schema else { return Err(format!("{at}: the schema is no object")) };
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "$ref" => self.check(self.target(rule)?, value, at)?,
                "type" => check_type(rule, value, at)?,
                "const" if rule == value => {}
                "const" => return Err(format!("{at}: {value} is not {rule}")),
                "enum" if rule.as_array().is_some_and(|values| values.contains(value)) => {}
                "enum" => return Err(format!("{at}: {value} is none of {rule}")),
                "items" => self.check_items(rule, value, at)?,
                "properties" | "additionalProperties" => {}
                "required" => check_required(rule, value, at)?,
                "oneOf" | "anyOf" => self.check_alternatives(keyword == "oneOf", rule, value, at)?,
                remark if REMARKS.contains(&remark) => {}
                other => return Err(format!("{at}: the validator does not know `{other}`")),
            }
        }
        match value {
            Value::Object(fields) => self.check_fields(rules, fields, at),
            _ => Ok(()),
        }
    }

    fn target(&self, rule: &Value) -> Result<&Value, String> {
        let path = rule.as_str().and_then(|text| text.strip_prefix('#'));
        path.and_then(|path| self.root.pointer(path)).ok_or_else(|| format!("the schema has no {rule}"))
    }

    fn check_items(&self, rule: &Value, value: &Value, at: &str) -> Result<(), String> {
        let items = value.as_array().into_iter().flatten().enumerate();
        items.into_iter().try_for_each(|(n, item)| self.check(rule, item, &format!("{at}/{n}")))
    }

    fn check_fields(
        &self,
        rules: &Map<String, Value>,
        fields: &Map<String, Value>,
        at: &str,
    ) -> Result<(), String> {
        let known = rules.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let place = format!("{at}/{name}");
            match (known.and_then(|known| known.get(name)), rules.get("additionalProperties")) {
                (Some(rule), _) => self.check(rule, field, &place)?,
                (None, Some(Value::Bool(false))) => return Err(format!("{place}: an unknown field")),
                (None, Some(rule @ Value::Object(_))) => self.check(rule, field, &place)?,
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn check_alternatives(&self, one: bool, rule: &Value, value: &Value, at: &str) -> Result<(), String> {
        let all: Vec<Result<(), String>> =
            rule.as_array().into_iter().flatten().map(|schema| self.check(schema, value, at)).collect();
        match all.iter().filter(|found| found.is_ok()).count() {
            1 => Ok(()),
            n if n > 1 && !one => Ok(()),
            0 => {
                // What went wrong deepest inside is most likely what was meant; else the first.
                let deepest =
                    all.into_iter().rev().filter_map(Result::err).max_by_key(|why| {
                        why.split(':').next().map_or(0, |place| place.matches('/').count())
                    });
                Err(deepest.unwrap_or_else(|| format!("{at}: there is no alternative")))
            }
            n => Err(format!("{at}: {n} alternatives fit instead of one")),
        }
    }
}

fn check_type(rule: &Value, value: &Value, at: &str) -> Result<(), String> {
    let is_of = |name: &Value| match name.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    };
    let fits = match rule {
        Value::Array(names) => names.iter().any(is_of),
        name => is_of(name),
    };
    if fits { Ok(()) } else { Err(format!("{at}: {value} is not of type {rule}")) }
}

fn check_required(rule: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Value::Object(fields) = value else { return Ok(()) };
    let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
    match names.into_iter().find(|&name| !fields.contains_key(name)) {
        Some(name) => Err(format!("{at}: the field `{name}` is missing")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "title": "lists", "oneOf": [{ "$ref": "#/$defs/list" }, { "const": "nothing" }],
            "$defs": {
                "list": {
                    "type": "object",
                    "properties": {
                        "kind": { "enum": ["short", "long", null] },
                        "items": { "type": "array", "items": { "type": ["integer", "null"] } },
                        "counts": { "type": "object", "additionalProperties": { "type": "integer" } },
                        "rest": { "anyOf": [{ "$ref": "#/$defs/list" }, { "type": "null" }] }
                    },
                    "required": ["kind", "rest"],
                    "additionalProperties": false
                }
            }
        })
    }

    #[test]
    fn what_fits_is_accepted() {
        for document in [
            json!("nothing"),
            json!({ "kind": null, "rest": null }),
            json!({ "kind": "long", "items": [1, null], "counts": { "a": 1 }, "rest": { "kind": "short", "rest": null } }),
        ] {
            assert_eq!(check_schema(&schema(), &document), Ok(()), "{document}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (document, why) in [
            (json!("other"), "\"other\" is not"),
            (json!({ "kind": "short" }), "`rest` is missing"),
            (json!({ "kind": "middle", "rest": null }), "/kind: \"middle\" is none of"),
            (json!({ "kind": "short", "rest": null, "more": 1 }), "/more: an unknown field"),
            (json!({ "kind": "short", "rest": null, "items": [1, 1.5] }), "/items/1: 1.5 is not of type"),
            (
                json!({ "kind": "short", "rest": null, "counts": { "a": "b" } }),
                "/counts/a: \"b\" is not of type",
            ),
            (json!({ "kind": "short", "rest": { "kind": 1, "rest": null } }), "/rest/kind: 1 is none of"),
        ] {
            let found = check_schema(&schema(), &document).unwrap_err();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn schemas_that_are_not_understood_are_refused() {
        assert!(check_schema(&json!({ "minimum": 1 }), &json!(2)).unwrap_err().contains("does not know"));
        assert!(check_schema(&json!({ "$ref": "#/$defs/x" }), &json!(2)).unwrap_err().contains("has no"));
        let both = json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] });
        assert!(check_schema(&both, &json!(2)).unwrap_err().contains("2 alternatives"));
        assert_eq!(check_schema(&both, &json!(2.5)), Ok(()));
    }
}
