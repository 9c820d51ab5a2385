//! Durations and amounts of memory as users write them: `500ms`, `60s`, `5m`, `1h`; `512M`, `4G`, `1500000000`.

use std::time::Duration;

/// A duration: a number and one of `ms`, `s`, `m`, `h`. Fractions are allowed; a number alone counts seconds.
///
/// # Errors
///
/// Text that is no duration, with an example of one.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; write for example 500ms, 60s, 5m or 1h")),
    };
    let number = positive(number).ok_or("write a number and a unit, for example 500ms, 60s, 5m or 1h")?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "this is longer than can be counted".to_owned())
}

/// A count: a number, perhaps with `K`, `M` or `G` (powers of 1000).
///
/// # Errors
///
/// Text that is no count, with an example of one.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Err(format!("`{unit}` is no unit of a count; write for example 500000, 10M or 2G")),
    };
    let number = positive(number).ok_or("write a count, for example 500000, 10M or 2G")?;
    let amount = number * factor;
    if amount >= u64::MAX as f64 {
        Err("this is more than can be counted".to_owned())
    } else {
        Ok(amount as u64)
    }
}

/// An amount of memory in bytes: a number and one of `K`, `M`, `G`, `T` (powers of 1024). A number alone counts bytes.
///
/// # Errors
///
/// Text that is no amount of memory, with an example of one.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let bytes = match unit.to_ascii_uppercase().as_str() {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of memory; write for example 512M, 4G or 1500000000")),
    };
    let number = positive(number).ok_or("write a number and a unit, for example 512M, 4G or 1500000000")?;
    let amount = number * bytes as f64;
    if amount >= u64::MAX as f64 {
        Err("this is more than can be counted".to_owned())
    } else {
        Ok(amount as u64)
    }
}

/// The number and the unit behind it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// A finite number that is not negative. (Signs and exponents were left to the unit by `split`.)
fn positive(number: &str) -> Option<f64> {
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_the_usual_units() {
        let millis = |text| parse_duration(text).map(|duration| duration.as_millis());
        assert_eq!(millis("500ms"), Ok(500));
        assert_eq!(millis("60s"), Ok(60_000));
        assert_eq!(millis("1.5m"), Ok(90_000));
        assert_eq!(millis("1h"), Ok(3_600_000));
        assert_eq!(millis("0"), Ok(0));
    }

    #[test]
    fn memory_takes_powers_of_1024() {
        assert_eq!(parse_memory("512M"), Ok(512 << 20));
        assert_eq!(parse_memory("4g"), Ok(4 << 30));
        assert_eq!(parse_memory("1500000000"), Ok(1_500_000_000));
    }

    #[test]
    fn nonsense_is_refused_with_an_example() {
        for text in ["", "s", "-1s", "1e9s", "1..2s", "60 lightyears", "nan", "inf"] {
            assert!(parse_duration(text).unwrap_err().contains("60s"), "{text}");
        }
        for text in ["", "M", "-4G", "4X", "NaN"] {
            assert!(parse_memory(text).unwrap_err().contains("4G"), "{text}");
        }
        assert!(parse_duration("999999999999999999999h").is_err());
        assert!(parse_memory("99999999999999999999T").is_err());
    }
}
