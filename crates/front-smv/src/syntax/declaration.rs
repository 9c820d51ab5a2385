//! Modules and what stands in them. After a mistake the parser goes on with the next declaration.

use super::cursor::{Cursor, Failed, Parsed};
use super::expression::{arguments, array, bound, expression, list, reference};
use super::token::TokenKind;
use super::tree::{
    ConstraintKind, ExprKind, Item, Module, Name, Program, PropertyTree, SpecificationTree, TypeTree,
};
use crate::{AssignTime, VarKind};
use tertium_support::{Diagnostic, Span};

/// The modules of a text.
pub(super) fn program(cursor: &mut Cursor<'_>) -> Program {
    let mut modules = Vec::new();
    while !cursor.is_at_end() {
        if !cursor.is_at("MODULE") {
            let _: Parsed<()> = cursor.unexpected("`MODULE`");
            while !cursor.is_at("MODULE") && !cursor.is_at_end() {
                cursor.advance();
            }
            continue;
        }
        cursor.advance();
        match module(cursor) {
            Ok(module) => modules.push(module),
            Err(Failed) => cursor.skip_section(),
        }
    }
    Program { modules }
}

fn module(cursor: &mut Cursor<'_>) -> Parsed<Module> {
    let name = cursor.name("the name of a module")?;
    let mut parameters = Vec::new();
    if cursor.accept("(") && !cursor.accept(")") {
        parameters = names(cursor, "the name of a parameter")?;
        cursor.expect(")")?;
    }
    cursor.accept(";");
    let mut items = Vec::new();
    while !cursor.is_at("MODULE") && !cursor.is_at_end() {
        let start = cursor.span();
        if section(cursor, &mut items).is_err() {
            // What cannot begin here must not be tried again.
            if cursor.span() == start {
                cursor.advance();
            }
            cursor.skip_section();
        }
    }
    Ok(Module { name, parameters, items })
}

fn names(cursor: &mut Cursor<'_>, what: &str) -> Parsed<Vec<Name>> {
    let mut names = vec![cursor.name(what)?];
    while cursor.accept(",") {
        names.push(cursor.name(what)?);
    }
    Ok(names)
}

/// One part of a module, from its keyword to the next.
fn section(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Parsed<()> {
    let start = cursor.span();
    let TokenKind::Fixed(keyword) = cursor.kind() else {
        return cursor.unexpected("a declaration such as `VAR` or `ASSIGN`");
    };
    if let Some(specification) = specification_keyword(cursor, keyword)? {
        cursor.accept(";");
        items.push(Item::Specification(specification));
        return Ok(());
    }
    if !cursor.is_at_section() {
        return cursor.unexpected("a declaration such as `VAR` or `ASSIGN`");
    }
    cursor.advance();
    let each =
        |cursor: &mut Cursor<'_>, items: &mut Vec<Item>, read: &dyn Fn(&mut Cursor<'_>) -> Parsed<Item>| {
            while !cursor.is_at_section() {
                match read(cursor) {
                    Ok(item) => items.push(item),
                    Err(Failed) => cursor.skip_item(),
                }
            }
        };
    match keyword {
        "VAR" => each(cursor, items, &|cursor| variable(cursor, VarKind::State)),
        "IVAR" => each(cursor, items, &|cursor| variable(cursor, VarKind::Input)),
        "FROZENVAR" => each(cursor, items, &|cursor| variable(cursor, VarKind::Frozen)),
        "DEFINE" | "MDEFINE" => each(cursor, items, &define),
        "ASSIGN" => each(cursor, items, &assign),
        "CONSTANTS" => {
            if !cursor.accept(";") {
                items.push(Item::Constants(names(cursor, "the name of a constant")?));
                cursor.accept(";");
            }
        }
        "INIT" => items.push(constraint(cursor, ConstraintKind::Init)?),
        "INVAR" => items.push(constraint(cursor, ConstraintKind::Invar)?),
        "TRANS" => items.push(constraint(cursor, ConstraintKind::Trans)?),
        "FAIRNESS" | "JUSTICE" => items.push(constraint(cursor, ConstraintKind::Justice)?),
        "COMPASSION" => items.push(compassion(cursor)?),
        "ISA" => {
            items.push(Item::Isa(cursor.name("the name of a module")?));
            cursor.accept(";");
        }
        _ => {
            let message = format!("`{keyword}` is not supported");
            return cursor.fail(Diagnostic::error(start, message));
        }
    }
    Ok(())
}

fn constraint(cursor: &mut Cursor<'_>, kind: ConstraintKind) -> Parsed<Item> {
    let body = expression(cursor)?;
    end_of_constraint(cursor)?;
    Ok(Item::Constraint(kind, body))
}

fn end_of_constraint(cursor: &mut Cursor<'_>) -> Parsed<()> {
    if cursor.accept(";") || cursor.is_at_section() {
        Ok(())
    } else {
        cursor.unexpected("an operator, `;` or the next declaration")
    }
}

fn compassion(cursor: &mut Cursor<'_>) -> Parsed<Item> {
    cursor.expect("(")?;
    let first = expression(cursor)?;
    cursor.expect(",")?;
    let second = expression(cursor)?;
    cursor.expect(")")?;
    end_of_constraint(cursor)?;
    Ok(Item::Compassion(first, second))
}

fn variable(cursor: &mut Cursor<'_>, kind: VarKind) -> Parsed<Item> {
    if cursor.kind() != TokenKind::Name {
        return cursor.unexpected("the name of a variable");
    }
    let name = reference(cursor)?;
    cursor.expect(":")?;
    let ty = type_tree(cursor)?;
    cursor.expect(";")?;
    Ok(Item::Variable(kind, name, ty))
}

fn define(cursor: &mut Cursor<'_>) -> Parsed<Item> {
    let name = reference(cursor)?;
    cursor.expect(":=")?;
    let body = if cursor.is_at("[") { array(cursor)? } else { expression(cursor)? };
    cursor.expect(";")?;
    Ok(Item::Define(name, body))
}

fn assign(cursor: &mut Cursor<'_>) -> Parsed<Item> {
    let time = if cursor.accept("init") {
        AssignTime::Init
    } else if cursor.accept("next") {
        AssignTime::Next
    } else {
        AssignTime::Current
    };
    if time != AssignTime::Current {
        cursor.expect("(")?;
    }
    let target = reference(cursor)?;
    if time != AssignTime::Current {
        cursor.expect(")")?;
    }
    cursor.expect(":=")?;
    let value = expression(cursor)?;
    cursor.expect(";")?;
    Ok(Item::Assign(time, target, value))
}

fn type_tree(cursor: &mut Cursor<'_>) -> Parsed<TypeTree> {
    let start = cursor.span();
    match cursor.kind() {
        TokenKind::Fixed("boolean") => {
            cursor.advance();
            Ok(TypeTree::Boolean)
        }
        TokenKind::Fixed("{") => {
            cursor.advance();
            let elements = list(cursor, "}")?;
            Ok(TypeTree::Enumeration(elements, cursor.since(start)))
        }
        TokenKind::Fixed("array") => {
            cursor.advance();
            let low = bound(cursor)?;
            cursor.expect("..")?;
            let high = bound(cursor)?;
            cursor.expect("of")?;
            let element = cursor.nested(type_tree)?;
            Ok(TypeTree::Array(low, high, Box::new(element)))
        }
        TokenKind::Fixed("process") => {
            cursor.advance();
            let module = cursor.name("the name of a module")?;
            instance(cursor, module, true)
        }
        TokenKind::Name => named_type(cursor, start),
        _ => {
            let low = bound(cursor)?;
            range(cursor, low)
        }
    }
}

fn named_type(cursor: &mut Cursor<'_>, start: Span) -> Parsed<TypeTree> {
    let ends = |kind| matches!(kind, TokenKind::Fixed(";" | "of"));
    match (cursor.word(), cursor.ahead(1)) {
        ("word", TokenKind::Fixed("[")) => {
            cursor.advance();
            word(cursor, false)
        }
        ("unsigned" | "signed", TokenKind::Name) => {
            let signed = cursor.word() == "signed";
            cursor.advance();
            if cursor.word() != "word" {
                return cursor.unexpected("`word`");
            }
            cursor.advance();
            word(cursor, signed)
        }
        (name @ ("integer" | "real" | "clock"), next) if ends(next) => {
            let message = format!("variables of type `{name}` are not supported: the model must be finite");
            cursor.fail(Diagnostic::error(start, message).with_note("a range such as 0..15 is finite"))
        }
        ("WORDARRAY" | "wordarray", _) => {
            cursor.fail(Diagnostic::error(start, "word arrays are not supported"))
        }
        (_, TokenKind::Fixed(";" | "(")) => {
            let module = cursor.name("the name of a module")?;
            instance(cursor, module, false)
        }
        _ => {
            let low = bound(cursor)?;
            range(cursor, low)
        }
    }
}

fn word(cursor: &mut Cursor<'_>, signed: bool) -> Parsed<TypeTree> {
    cursor.expect("[")?;
    let width = bound(cursor)?;
    cursor.expect("]")?;
    Ok(TypeTree::Word { width, signed })
}

fn range(cursor: &mut Cursor<'_>, low: super::tree::Expr) -> Parsed<TypeTree> {
    if !cursor.is_at("..") && matches!(low.kind, ExprKind::Name(_)) {
        return cursor.unexpected("`..`, `(` or `;`");
    }
    cursor.expect("..")?;
    Ok(TypeTree::Range(low, bound(cursor)?))
}

fn instance(cursor: &mut Cursor<'_>, module: Name, process: bool) -> Parsed<TypeTree> {
    let arguments = if cursor.is_at("(") { arguments(cursor)? } else { Vec::new() };
    Ok(TypeTree::Instance { module, arguments, process })
}

/// The keywords that begin a property.
const PROPERTIES: &[&str] = &["SPEC", "CTLSPEC", "LTLSPEC", "INVARSPEC", "COMPUTE", "PSLSPEC"];

/// A property, if `keyword` begins one; stands at the keyword.
pub(super) fn specification_keyword(
    cursor: &mut Cursor<'_>,
    keyword: &str,
) -> Parsed<Option<SpecificationTree>> {
    if !PROPERTIES.contains(&keyword) {
        return Ok(None);
    }
    let start = cursor.span();
    if keyword == "PSLSPEC" {
        let message = "PSL is not supported";
        let note = "CTLSPEC, LTLSPEC, INVARSPEC and COMPUTE are";
        return cursor.fail(Diagnostic::error(start, message).with_note(note));
    }
    cursor.advance();
    let name = if cursor.accept("NAME") {
        let name = property_name(cursor)?;
        cursor.expect(":=")?;
        Some(name)
    } else {
        None
    };
    let kind = match keyword {
        "LTLSPEC" => PropertyTree::Ltl(expression(cursor)?),
        "INVARSPEC" => PropertyTree::Invariant(expression(cursor)?),
        "COMPUTE" => compute(cursor)?,
        _ => PropertyTree::Ctl(expression(cursor)?),
    };
    // No name can follow an expression, so that `IN` can be one elsewhere.
    let context = if cursor.kind() == TokenKind::Name && cursor.word() == "IN" {
        cursor.advance();
        Some(reference(cursor)?)
    } else {
        None
    };
    let span = cursor.since(start);
    if !cursor.is_at(";") && !cursor.is_at_section() {
        return cursor.unexpected("an operator, `;` or the next declaration");
    }
    Ok(Some(SpecificationTree { name, kind, context, span }))
}

/// A name, or several with `.` between them.
fn property_name(cursor: &mut Cursor<'_>) -> Parsed<Name> {
    let mut name = cursor.name("the name of the property")?;
    while cursor.accept(".") {
        let further = cursor.name("a name after the `.`")?;
        name = Name { text: format!("{}.{}", name.text, further.text), span: name.span.to(further.span) };
    }
    Ok(name)
}

fn compute(cursor: &mut Cursor<'_>) -> Parsed<PropertyTree> {
    let make = if cursor.accept("MIN") {
        PropertyTree::Minimum
    } else if cursor.accept("MAX") {
        PropertyTree::Maximum
    } else {
        return cursor.unexpected("`MIN` or `MAX`");
    };
    cursor.expect("[")?;
    let from = expression(cursor)?;
    cursor.expect(",")?;
    let to = expression(cursor)?;
    cursor.expect("]")?;
    Ok(make(from, to))
}
