//! From text to syntax tree.

mod declaration;
mod expression;
mod reader;
mod token;
pub(crate) mod tree;
mod word;

pub(crate) use reader::{NESTING, ROW};
use reader::{Parsed, Reader};
use tertium_support::{Context, Diagnostic, StopReason};
use token::TokenKind;
use tree::{Expr, Program, PropertyTree, SpecificationTree};

/// The modules of a text, and everything that is wrong with it; what was wrong is left out of the modules.
pub(crate) fn parse(context: &Context, text: &str) -> Result<(Program, Vec<Diagnostic>), StopReason> {
    let mut reader = Reader::new(context, text);
    let program = declaration::program(&mut reader);
    reader.check()?;
    Ok((program, reader.into_complaints()))
}

/// One property with or without its keyword. Without one it is CTL, unless it has an operator of LTL and none of CTL.
pub(crate) fn parse_property(text: &str) -> Result<SpecificationTree, Vec<Diagnostic>> {
    let context = Context::default();
    let mut reader = Reader::new(&context, text);
    let property = property(&mut reader);
    match property {
        Ok(property) if reader.nothing_wrong() => Ok(property),
        _ => Err(reader.into_complaints()),
    }
}

fn property(reader: &mut Reader<'_>) -> Parsed<SpecificationTree> {
    let start = reader.span();
    let keyword = match reader.kind() {
        TokenKind::Fixed(word) => declaration::specification_keyword(reader, word)?,
        _ => None,
    };
    let property = match keyword {
        Some(property) => property,
        None => {
            let formula = expression::expression(reader)?;
            let span = reader.since(start);
            let kind =
                if is_linear(&formula) { PropertyTree::Ltl(formula) } else { PropertyTree::Ctl(formula) };
            SpecificationTree { name: None, kind, context: None, span }
        }
    };
    reader.accept(";");
    if reader.is_at_end() {
        Ok(property)
    } else {
        reader.unexpected("an operator or the end of the property")
    }
}

fn is_linear(formula: &Expr) -> bool {
    formula.preorder().any(Expr::is_ltl) && !formula.preorder().any(Expr::is_ctl)
}
