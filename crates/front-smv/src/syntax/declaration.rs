//! Modules and what stands in them. After a mistake the parser goes on with the next declaration.

use super::expression::{arguments, array, bound, expression, list, reference};
use super::reader::{Failed, Parsed, Reader};
use super::token::TokenKind;
use super::tree::{
    ConstraintKind, ExprKind, Item, Module, Name, Program, PropertyTree, SpecificationTree, TypeTree,
};
use crate::{AssignTime, VarKind};
use tertium_support::{Diagnostic, Span};

/// The modules of a text.
pub(super) fn program(reader: &mut Reader<'_>) -> Program {
    let mut modules = Vec::new();
    while !reader.is_at_end() {
        if !reader.is_at("MODULE") {
            let _: Parsed<()> = reader.unexpected("`MODULE`");
            while !reader.is_at("MODULE") && !reader.is_at_end() {
                reader.advance();
            }
            continue;
        }
        reader.advance();
        match module(reader) {
            Ok(module) => modules.push(module),
            Err(Failed) => reader.skip_section(),
        }
    }
    Program { modules }
}

fn module(reader: &mut Reader<'_>) -> Parsed<Module> {
    let name = reader.name("the name of a module")?;
    let mut parameters = Vec::new();
    if reader.accept("(") && !reader.accept(")") {
        parameters = names(reader, "the name of a parameter")?;
        reader.expect(")")?;
    }
    reader.accept(";");
    let mut items = Vec::new();
    while !reader.is_at("MODULE") && !reader.is_at_end() {
        let start = reader.span();
        if section(reader, &mut items).is_err() {
            // What cannot begin here must not be tried again.
            if reader.span() == start {
                reader.advance();
            }
            reader.skip_section();
        }
    }
    Ok(Module { name, parameters, items })
}

fn names(reader: &mut Reader<'_>, what: &str) -> Parsed<Vec<Name>> {
    let mut names = vec![reader.name(what)?];
    while reader.accept(",") {
        names.push(reader.name(what)?);
    }
    Ok(names)
}

/// One part of a module, from its keyword to the next.
fn section(reader: &mut Reader<'_>, items: &mut Vec<Item>) -> Parsed<()> {
    let start = reader.span();
    let TokenKind::Fixed(keyword) = reader.kind() else {
        return reader.unexpected("a declaration such as `VAR` or `ASSIGN`");
    };
    if let Some(specification) = specification_keyword(reader, keyword)? {
        reader.accept(";");
        items.push(Item::Specification(specification));
        return Ok(());
    }
    if !reader.is_at_section() {
        return reader.unexpected("a declaration such as `VAR` or `ASSIGN`");
    }
    reader.advance();
    let each =
        |reader: &mut Reader<'_>, items: &mut Vec<Item>, read: &dyn Fn(&mut Reader<'_>) -> Parsed<Item>| {
            while !reader.is_at_section() {
                match read(reader) {
                    Ok(item) => items.push(item),
                    Err(Failed) => reader.skip_item(),
                }
            }
        };
    match keyword {
        "VAR" => each(reader, items, &|reader| variable(reader, VarKind::State)),
        "IVAR" => each(reader, items, &|reader| variable(reader, VarKind::Input)),
        "FROZENVAR" => each(reader, items, &|reader| variable(reader, VarKind::Frozen)),
        "DEFINE" | "MDEFINE" => each(reader, items, &define),
        "ASSIGN" => each(reader, items, &assign),
        "CONSTANTS" => {
            if !reader.accept(";") {
                items.push(Item::Constants(names(reader, "the name of a constant")?));
                reader.accept(";");
            }
        }
        "INIT" => items.push(constraint(reader, ConstraintKind::Init)?),
        "INVAR" => items.push(constraint(reader, ConstraintKind::Invar)?),
        "TRANS" => items.push(constraint(reader, ConstraintKind::Trans)?),
        "FAIRNESS" | "JUSTICE" => items.push(constraint(reader, ConstraintKind::Justice)?),
        "COMPASSION" => items.push(compassion(reader)?),
        "ISA" => {
            items.push(Item::Isa(reader.name("the name of a module")?));
            reader.accept(";");
        }
        _ => {
            let message = format!("`{keyword}` is not supported");
            return reader.fail(Diagnostic::error(start, message));
        }
    }
    Ok(())
}

fn constraint(reader: &mut Reader<'_>, kind: ConstraintKind) -> Parsed<Item> {
    let body = expression(reader)?;
    end_of_constraint(reader)?;
    Ok(Item::Constraint(kind, body))
}

fn end_of_constraint(reader: &mut Reader<'_>) -> Parsed<()> {
    if reader.accept(";") || reader.is_at_section() {
        Ok(())
    } else {
        reader.unexpected("an operator, `;` or the next declaration")
    }
}

fn compassion(reader: &mut Reader<'_>) -> Parsed<Item> {
    reader.expect("(")?;
    let first = expression(reader)?;
    reader.expect(",")?;
    let second = expression(reader)?;
    reader.expect(")")?;
    end_of_constraint(reader)?;
    Ok(Item::Compassion(first, second))
}

fn variable(reader: &mut Reader<'_>, kind: VarKind) -> Parsed<Item> {
    if reader.kind() != TokenKind::Name {
        return reader.unexpected("the name of a variable");
    }
    let name = reference(reader)?;
    reader.expect(":")?;
    let ty = type_tree(reader)?;
    reader.expect(";")?;
    Ok(Item::Variable(kind, name, ty))
}

fn define(reader: &mut Reader<'_>) -> Parsed<Item> {
    let name = reference(reader)?;
    reader.expect(":=")?;
    let body = if reader.is_at("[") { array(reader)? } else { expression(reader)? };
    reader.expect(";")?;
    Ok(Item::Define(name, body))
}

fn assign(reader: &mut Reader<'_>) -> Parsed<Item> {
    let time = if reader.accept("init") {
        AssignTime::Init
    } else if reader.accept("next") {
        AssignTime::Next
    } else {
        AssignTime::Current
    };
    if time != AssignTime::Current {
        reader.expect("(")?;
    }
    let target = reference(reader)?;
    if time != AssignTime::Current {
        reader.expect(")")?;
    }
    reader.expect(":=")?;
    let value = expression(reader)?;
    reader.expect(";")?;
    Ok(Item::Assign(time, target, value))
}

fn type_tree(reader: &mut Reader<'_>) -> Parsed<TypeTree> {
    let start = reader.span();
    match reader.kind() {
        TokenKind::Fixed("boolean") => {
            reader.advance();
            Ok(TypeTree::Boolean)
        }
        TokenKind::Fixed("{") => {
            reader.advance();
            let elements = list(reader, "}")?;
            Ok(TypeTree::Enumeration(elements, reader.since(start)))
        }
        TokenKind::Fixed("array") => {
            reader.advance();
            let low = bound(reader)?;
            reader.expect("..")?;
            let high = bound(reader)?;
            reader.expect("of")?;
            let element = reader.nested(type_tree)?;
            Ok(TypeTree::Array(low, high, Box::new(element)))
        }
        TokenKind::Fixed("process") => {
            reader.advance();
            let module = reader.name("the name of a module")?;
            instance(reader, module, true)
        }
        TokenKind::Name => named_type(reader, start),
        _ => {
            let low = bound(reader)?;
            range(reader, low)
        }
    }
}

fn named_type(reader: &mut Reader<'_>, start: Span) -> Parsed<TypeTree> {
    let ends = |kind| matches!(kind, TokenKind::Fixed(";" | "of"));
    match (reader.word(), reader.kind_after()) {
        ("word", TokenKind::Fixed("[")) => {
            reader.advance();
            word(reader, false)
        }
        ("unsigned" | "signed", TokenKind::Name) => {
            let signed = reader.word() == "signed";
            reader.advance();
            if reader.word() != "word" {
                return reader.unexpected("`word`");
            }
            reader.advance();
            word(reader, signed)
        }
        (name @ ("integer" | "real" | "clock"), next) if ends(next) => {
            let message = format!("variables of type `{name}` are not supported: the model must be finite");
            reader.fail(Diagnostic::error(start, message).with_note("a range such as 0..15 is finite"))
        }
        ("WORDARRAY" | "wordarray", _) => {
            reader.fail(Diagnostic::error(start, "word arrays are not supported"))
        }
        (_, TokenKind::Fixed(";" | "(")) => {
            let module = reader.name("the name of a module")?;
            instance(reader, module, false)
        }
        _ => {
            let low = bound(reader)?;
            range(reader, low)
        }
    }
}

fn word(reader: &mut Reader<'_>, signed: bool) -> Parsed<TypeTree> {
    reader.expect("[")?;
    let width = bound(reader)?;
    reader.expect("]")?;
    Ok(TypeTree::Word { width, signed })
}

fn range(reader: &mut Reader<'_>, low: super::tree::Expr) -> Parsed<TypeTree> {
    if !reader.is_at("..") && matches!(low.kind, ExprKind::Name(_)) {
        return reader.unexpected("`..`, `(` or `;`");
    }
    reader.expect("..")?;
    Ok(TypeTree::Range(low, bound(reader)?))
}

fn instance(reader: &mut Reader<'_>, module: Name, process: bool) -> Parsed<TypeTree> {
    let arguments = if reader.is_at("(") { arguments(reader)? } else { Vec::new() };
    Ok(TypeTree::Instance { module, arguments, process })
}

/// The keywords that begin a property.
const PROPERTIES: &[&str] = &["SPEC", "CTLSPEC", "LTLSPEC", "INVARSPEC", "COMPUTE", "PSLSPEC"];

/// A property, if `keyword` begins one; stands at the keyword.
pub(super) fn specification_keyword(
    reader: &mut Reader<'_>,
    keyword: &str,
) -> Parsed<Option<SpecificationTree>> {
    if !PROPERTIES.contains(&keyword) {
        return Ok(None);
    }
    let start = reader.span();
    if keyword == "PSLSPEC" {
        let message = "PSL is not supported";
        let note = "CTLSPEC, LTLSPEC, INVARSPEC and COMPUTE are";
        return reader.fail(Diagnostic::error(start, message).with_note(note));
    }
    reader.advance();
    let name = if reader.accept("NAME") {
        let name = property_name(reader)?;
        reader.expect(":=")?;
        Some(name)
    } else {
        None
    };
    let kind = match keyword {
        "LTLSPEC" => PropertyTree::Ltl(expression(reader)?),
        "INVARSPEC" => PropertyTree::Invariant(expression(reader)?),
        "COMPUTE" => compute(reader)?,
        _ => PropertyTree::Ctl(expression(reader)?),
    };
    // No name can follow an expression, so that `IN` can be one elsewhere.
    let context = if reader.kind() == TokenKind::Name && reader.word() == "IN" {
        reader.advance();
        Some(reference(reader)?)
    } else {
        None
    };
    let span = reader.since(start);
    if !reader.is_at(";") && !reader.is_at_section() {
        return reader.unexpected("an operator, `;` or the next declaration");
    }
    Ok(Some(SpecificationTree { name, kind, context, span }))
}

/// A name, or several with `.` between them.
fn property_name(reader: &mut Reader<'_>) -> Parsed<Name> {
    let mut name = reader.name("the name of the property")?;
    while reader.accept(".") {
        let further = reader.name("a name after the `.`")?;
        name = Name { text: format!("{}.{}", name.text, further.text), span: name.span.to(further.span) };
    }
    Ok(name)
}

fn compute(reader: &mut Reader<'_>) -> Parsed<PropertyTree> {
    let make = if reader.accept("MIN") {
        PropertyTree::Minimum
    } else if reader.accept("MAX") {
        PropertyTree::Maximum
    } else {
        return reader.unexpected("`MIN` or `MAX`");
    };
    reader.expect("[")?;
    let from = expression(reader)?;
    reader.expect(",")?;
    let to = expression(reader)?;
    reader.expect("]")?;
    Ok(make(from, to))
}
