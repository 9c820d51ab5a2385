//! Constants and string literals: their values and types.

use super::elaborate::{Elaborator, Outcome};
use crate::ir::{Base, Expression, ExpressionKind, Float, Place, Rank, Type};
use lang_c::ast;
use tertium_support::Span;

impl Elaborator<'_> {
    /// An integer constant: the first type of the list of the standard that has room for it.
    pub(super) fn integer_literal(&mut self, literal: &ast::Integer, span: Span) -> Outcome<Expression> {
        let radix = match literal.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        // The parser keeps the digits without the prefix.
        let digits = if literal.number.is_empty() { "0" } else { &*literal.number };
        let value = match u64::from_str_radix(digits, radix) {
            Ok(value) => i128::from(value),
            Err(_) => return Err(self.error(span, "this number is too large, or not a number")),
        };
        if literal.suffix.imaginary {
            let int = self.types.int();
            return Ok(self.unsupported_value(span, "complex numbers", int));
        }
        let ranks = match literal.suffix.size {
            ast::IntegerSize::Int => &[Rank::Int, Rank::Long, Rank::LongLong][..],
            ast::IntegerSize::Long => &[Rank::Long, Rank::LongLong],
            ast::IntegerSize::LongLong => &[Rank::LongLong],
        };
        let signs: &[bool] = match (literal.suffix.unsigned, radix) {
            (true, _) => &[false],
            (false, 10) => &[true],
            (false, _) => &[true, false],
        };
        for &rank in ranks {
            for &signed in signs {
                let ty = self.types.standard(rank, signed);
                if self.types.integer(ty).is_some_and(|integer| value <= integer.greatest()) {
                    return Ok(self.integer(value, ty, span));
                }
            }
        }
        self.warn(span, "this number is so large that it is unsigned");
        let ty = self.types.standard(Rank::LongLong, false);
        Ok(self.integer(value, ty, span))
    }

    /// A floating constant.
    pub(super) fn float_literal(&mut self, literal: &ast::Float, span: Span) -> Outcome<Expression> {
        let float = match literal.suffix.format {
            ast::FloatFormat::Float => Float::Single,
            ast::FloatFormat::LongDouble => Float::Long,
            ast::FloatFormat::Double | ast::FloatFormat::TS18661Format(_) => Float::Double,
        };
        let value = match literal.base {
            ast::FloatBase::Decimal => literal.number.parse().ok(),
            ast::FloatBase::Hexadecimal => hexadecimal(&literal.number),
        };
        let Some(value) = value else { return Err(self.error(span, "this is not a number")) };
        let value = if float == Float::Single { f64::from(value as f32) } else { value };
        let ty = self.types.intern(Type::Float(float));
        if literal.suffix.imaginary {
            return Ok(self.unsupported_value(span, "complex numbers", ty));
        }
        Ok(Expression { kind: ExpressionKind::Float(value), ty, span })
    }

    /// A character constant, with its quotes.
    pub(super) fn character_literal(&mut self, literal: &str, span: Span) -> Outcome<Expression> {
        let quote = literal.find('\'').unwrap_or(0);
        let content = literal[quote..].trim_matches('\'');
        let content =
            if literal.ends_with("\\''") { &literal[quote + 1..literal.len() - 1] } else { content };
        let is_wide = quote > 0;
        let units = self.units(content, is_wide, span)?;
        let value = match units.as_slice() {
            [] => return Err(self.error(span, "an empty character")),
            [one] if is_wide => i128::from(*one as i32),
            [one] => i128::from(*one as u8 as i8),
            many => {
                let value = many.iter().fold(0u32, |value, unit| (value << 8) | (unit & 0xff));
                i128::from(value as i32)
            }
        };
        Ok(self.int(value, span))
    }

    /// The place of a string literal, whose parts stand one after the other.
    pub(super) fn string_literal(&mut self, parts: &[String], span: Span) -> Outcome<Place> {
        let (bytes, is_wide) = self.string_bytes(parts, span)?;
        let element = if is_wide { self.types.int() } else { self.types.character() };
        let length = bytes.len() as u64 / if is_wide { 4 } else { 1 };
        let ty = self.types.intern(Type::Array(element, Some(length)));
        let id = self.string(bytes);
        Ok(Place { base: Base::Text(id), path: Vec::new(), ty, span })
    }

    /// The bytes of a string literal with the zero at the end, and whether its characters are wide: four bytes each.
    pub(super) fn string_bytes(&mut self, parts: &[String], span: Span) -> Outcome<(Vec<u8>, bool)> {
        let is_wide = parts.iter().any(|part| part.starts_with(['L', 'U', 'u']) && !part.starts_with("u8"));
        let mut units = Vec::new();
        for part in parts {
            let from = part.find('"').map_or(0, |quote| quote + 1);
            let until = part.rfind('"').unwrap_or(part.len()).max(from);
            units.extend(self.units(&part[from..until], is_wide, span)?);
        }
        units.push(0);
        let bytes = if is_wide {
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        } else {
            units.iter().map(|&unit| unit as u8).collect()
        };
        Ok((bytes, is_wide))
    }

    /// The characters of a literal after escapes are resolved: bytes, or whole characters if they are wide.
    fn units(&mut self, content: &str, is_wide: bool, span: Span) -> Outcome<Vec<u32>> {
        let mut units = Vec::new();
        let mut rest = content.chars().peekable();
        while let Some(character) = rest.next() {
            if character != '\\' {
                push(&mut units, character, is_wide);
                continue;
            }
            let Some(escape) = rest.next() else {
                return Err(self.error(span, "an escape without a character"));
            };
            match escape {
                'n' => units.push(10),
                't' => units.push(9),
                'r' => units.push(13),
                'a' => units.push(7),
                'b' => units.push(8),
                'f' => units.push(12),
                'v' => units.push(11),
                'e' | 'E' => units.push(27),
                '0'..='7' => {
                    let mut value = escape.to_digit(8).unwrap_or(0);
                    for _ in 0..2 {
                        let Some(digit) = rest.peek().and_then(|next| next.to_digit(8)) else { break };
                        value = value * 8 + digit;
                        rest.next();
                    }
                    units.push(value);
                }
                'x' => {
                    let mut value = 0u32;
                    while let Some(digit) = rest.peek().and_then(|next| next.to_digit(16)) {
                        value = value.wrapping_mul(16).wrapping_add(digit);
                        rest.next();
                    }
                    units.push(value);
                }
                'u' | 'U' => {
                    let n = if escape == 'u' { 4 } else { 8 };
                    let mut value = 0u32;
                    for _ in 0..n {
                        let Some(digit) = rest.peek().and_then(|next| next.to_digit(16)) else { break };
                        value = value.wrapping_mul(16).wrapping_add(digit);
                        rest.next();
                    }
                    match char::from_u32(value) {
                        Some(character) => push(&mut units, character, is_wide),
                        None => return Err(self.error(span, "there is no such character")),
                    }
                }
                other => push(&mut units, other, is_wide),
            }
        }
        Ok(units)
    }
}

fn push(units: &mut Vec<u32>, character: char, is_wide: bool) {
    if is_wide {
        units.push(character as u32);
    } else {
        units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
    }
}

/// The value of a hexadecimal floating constant, without the prefix.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.trim_start_matches("0x").trim_start_matches("0X");
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(value * 2f64.powi(exponent.saturating_sub(places)))
}
