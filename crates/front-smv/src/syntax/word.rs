//! Word constants: `0b3_101`, `0ud8_255`, `0sh_ff`.
//!
//! `0`, then `u` or `s` for the sign, then the base (`b o d h`), then the width, `_`, and the digits. Without a width
//! the digits give it, which decimal ones cannot.

use crate::Value;

/// The word that `text` denotes, or what is wrong with it.
pub(super) fn word_constant(text: &str) -> Result<Value, String> {
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix('0').unwrap_or(&lower);
    let (signed, rest) = match rest.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('u').unwrap_or(rest)),
    };
    let bits_per_digit: u32 = match rest.bytes().next() {
        Some(b'b') => 1,
        Some(b'o') => 3,
        Some(b'h') => 4,
        Some(b'd') => 0,
        _ => {
            return Err(format!(
                "`{text}` is no word constant: after the sign, one of b, o, d, h names the base"
            ));
        }
    };
    let Some((width, digits)) = rest[1..].split_once('_') else {
        return Err(format!("`{text}` is no word constant: `_` stands before its digits"));
    };
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let radix = if bits_per_digit == 0 { 10 } else { 1 << bits_per_digit };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(format!("`{text}` is no word constant: its digits do not fit its base"));
    }
    let width = match width {
        "" if bits_per_digit > 0 => {
            u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(bits_per_digit)
        }
        "" => return Err(format!("`{text}` needs a width before the `_`")),
        width => width.parse().unwrap_or(u32::MAX),
    };
    if !(1..=64).contains(&width) {
        return Err(format!("`{text}` has {width} bits; words of 1 to 64 bits are supported"));
    }
    let bits = u128::from_str_radix(&digits, radix).unwrap_or(u128::MAX);
    if bits >> width != 0 {
        return Err(format!("`{text}` does not fit in {width} bits"));
    }
    Ok(Value::Word { bits: bits as u64, width, signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bits: u64, width: u32, signed: bool) -> Result<Value, String> {
        Ok(Value::Word { bits, width, signed })
    }

    #[test]
    fn all_bases_and_signs_are_read() {
        assert_eq!(word_constant("0b3_101"), word(5, 3, false));
        assert_eq!(word_constant("0ud8_255"), word(255, 8, false));
        assert_eq!(word_constant("0sh_ff"), word(255, 8, true));
        assert_eq!(word_constant("0so6_77"), word(63, 6, true));
        assert_eq!(word_constant("0uh64_ffff_ffff_ffff_ffff"), word(u64::MAX, 64, false));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for text in ["0b2_101", "0ud_5", "0b65_0", "0b0_0", "0b3_102", "0u3_1", "0b3", "0b_"] {
            assert!(word_constant(text).is_err(), "{text}");
        }
    }
}
