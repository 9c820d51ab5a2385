//! From text to syntax tree.

mod cursor;
mod declaration;
mod expression;
mod token;
pub(crate) mod tree;
mod word;

use cursor::{Cursor, Parsed};
pub(crate) use cursor::{NESTING, ROW};
use tertium_support::{Context, Diagnostic, StopReason};
use token::TokenKind;
use tree::{Expr, Program, PropertyTree, SpecificationTree};

/// The modules of a text, and everything that is wrong with it; what was wrong is left out of the modules.
pub(crate) fn parse(context: &Context, text: &str) -> Result<(Program, Vec<Diagnostic>), StopReason> {
    let mut cursor = Cursor::new(context, text);
    let program = declaration::program(&mut cursor);
    cursor.check()?;
    Ok((program, cursor.diagnostics))
}

/// One property with or without its keyword. Without one it is CTL, unless it has an operator of LTL and none of CTL.
pub(crate) fn parse_property(text: &str) -> Result<SpecificationTree, Vec<Diagnostic>> {
    let context = Context::default();
    let mut cursor = Cursor::new(&context, text);
    let property = property(&mut cursor);
    match property {
        Ok(property) if cursor.diagnostics.is_empty() => Ok(property),
        _ => Err(cursor.diagnostics),
    }
}

fn property(cursor: &mut Cursor<'_>) -> Parsed<SpecificationTree> {
    let start = cursor.span();
    let keyword = match cursor.kind() {
        TokenKind::Fixed(word) => declaration::specification_keyword(cursor, word)?,
        _ => None,
    };
    let property = match keyword {
        Some(property) => property,
        None => {
            let formula = expression::expression(cursor)?;
            let span = cursor.since(start);
            let kind =
                if is_linear(&formula) { PropertyTree::Ltl(formula) } else { PropertyTree::Ctl(formula) };
            SpecificationTree { name: None, kind, context: None, span }
        }
    };
    cursor.accept(";");
    if cursor.is_at_end() {
        Ok(property)
    } else {
        cursor.unexpected("an operator or the end of the property")
    }
}

fn is_linear(formula: &Expr) -> bool {
    formula.preorder().any(Expr::is_ltl) && !formula.preorder().any(Expr::is_ctl)
}
