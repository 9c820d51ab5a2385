//! Declarations and definitions, and the program they make.

use super::attribute::Attribute;
use super::declare::{Declared, Parameters, Storage};
use super::draft::Draft;
use super::elaborate::{Elaborator, GlobalState, Outcome, Reported};
use super::scope::Symbol;
use super::survey::{survey_declaration, survey_statement};
use super::{ReadOptions, library};
use crate::ir::{
    Block, Body, Builtin, End, Failure, FunctionId, GlobalId, InstructionKind, Object, Type, TypeId, Unit,
};
use lang_c::ast;
use lang_c::span::Node;
use std::collections::BTreeMap;
use std::rc::Rc;
use tertium_support::{Diagnostic, Id, Span};

impl Elaborator<'_> {
    /// Reads a whole file.
    pub(super) fn translation_unit(&mut self, unit: &ast::TranslationUnit) {
        for item in &unit.0 {
            if let ast::ExternalDeclaration::FunctionDefinition(function) = &item.node
                && let Some(name) = declared_name(&function.node.declarator)
            {
                self.defined.insert(name.to_owned());
            }
        }
        self.find_renamed(unit);
        for item in &unit.0 {
            if !self.watch.goes_on(1) {
                return;
            }
            match &item.node {
                ast::ExternalDeclaration::Declaration(declaration) => {
                    survey_declaration(&mut self.draft, declaration);
                    self.declaration(declaration);
                    self.draft = Draft::new("", None);
                }
                ast::ExternalDeclaration::StaticAssert(assertion) => {
                    let _: Result<(), Reported> = self.static_assertion(assertion);
                }
                ast::ExternalDeclaration::FunctionDefinition(function) => {
                    let _: Result<(), Reported> =
                        self.function_definition(&function.node, self.span(item.span));
                    self.draft = Draft::new("", None);
                }
            }
        }
    }

    /// Reads a declaration, inside of functions or outside.
    pub(super) fn declaration(&mut self, declaration: &Node<ast::Declaration>) {
        let span = self.span(declaration.span);
        let base = self.specifiers(&declaration.node.specifiers, span);
        if let (Ok((_, storage)), false) = (&base, self.scopes.is_file()) {
            self.local_attributes(declaration, *storage);
        }
        let types = declaration.node.specifiers.iter().filter_map(|specifier| match &specifier.node {
            ast::DeclarationSpecifier::TypeSpecifier(specifier) => Some(specifier),
            _ => None,
        });
        let types: Vec<_> = types.collect();
        let bodies = self.bodies(types.iter().copied());
        let attributes = self.attributes_between(span, &bodies);
        let inherited = types.iter().find_map(|specifier| self.alignment_of_name(&specifier.node));
        for declarator in &declaration.node.declarators {
            let found = match &base {
                Ok((base, storage)) => {
                    if *storage == Storage::Typedef {
                        self.note_alignment(&declarator.node.declarator, &attributes, inherited);
                    }
                    self.init_declarator(base.clone(), *storage, declarator, &attributes)
                }
                Err(Reported) => Err(Reported),
            };
            if let (Err(Reported), Some(name)) = (found, declared_name(&declarator.node.declarator)) {
                // So that its uses are not complained about too.
                if self.scopes.find_here(name).is_none() {
                    let place = self.span(declarator.span);
                    self.scopes.declare(name, Symbol::Broken, place);
                }
            }
        }
    }

    fn init_declarator(
        &mut self,
        base: Declared,
        storage: Storage,
        declarator: &Node<ast::InitDeclarator>,
        attributes: &[Attribute],
    ) -> Outcome<()> {
        let span = self.span(declarator.span);
        let (mut declared, name) = self.declarator(base, &declarator.node.declarator)?;
        let Some((name, place)) = name else { return Err(self.error(span, "a name is needed here")) };
        declared.ty = self.with_attributes(declared.ty, attributes, span)?;
        let initializer = declarator.node.initializer.as_ref();
        if storage == Storage::Typedef {
            return self.typedef(&name, &declared, place);
        }
        if self.types.is_function(declared.ty) {
            if initializer.is_some() {
                return Err(self.error(span, "a function cannot be initialised"));
            }
            self.declare_function(&name, declared.ty, place)?;
            return Ok(());
        }
        if self.types.is_void(declared.ty) {
            return Err(self.error(place, format!("`{name}` cannot be `void`")));
        }
        match storage {
            Storage::Static if !self.scopes.is_file() => {
                self.static_local(&name, &declared, initializer, place)
            }
            Storage::Usual if !self.scopes.is_file() => self.local(&name, &declared, initializer, place),
            _ => self.global(&name, &declared, storage, initializer, place),
        }
    }

    fn typedef(&mut self, name: &str, declared: &Declared, span: Span) -> Outcome<()> {
        if declared.length.is_some() {
            return Err(self.error(span, "types of variable length are not supported"));
        }
        match self.scopes.find_here(name) {
            Some((Symbol::Type(ty, _), _)) if self.types.compatible(ty, declared.ty) => {}
            Some((Symbol::Broken, _)) | None => {}
            Some((_, before)) => return Err(self.twice(name, span, before)),
        }
        self.scopes.declare(name, Symbol::Type(declared.ty, declared.constness), span);
        Ok(())
    }

    fn twice(&mut self, name: &str, span: Span, before: Span) -> Reported {
        let found = Diagnostic::error(span, format!("`{name}` is declared twice, as different things"));
        self.complain(found.with_related(before, "first here"))
    }

    /// A new object that lives as long as the program.
    pub(super) fn new_global(&mut self, name: String, ty: TypeId, span: Span) -> GlobalId {
        self.globals.push(Object { name, ty, span, has_address: false });
        self.global_states.push(GlobalState::default());
        GlobalId::new(self.globals.len() - 1)
    }

    fn global(
        &mut self,
        name: &str,
        declared: &Declared,
        storage: Storage,
        initializer: Option<&Node<ast::Initializer>>,
        span: Span,
    ) -> Outcome<()> {
        let known = match self.scopes.find_in_file(name) {
            Some((Symbol::Global(global, _), before)) => {
                let ty = self.globals[global.index()].ty;
                if !self.types.compatible(ty, declared.ty) {
                    let found =
                        Diagnostic::error(span, format!("`{name}` was declared with another type before"));
                    return Err(self.complain(found.with_related(before, "first here")));
                }
                self.globals[global.index()].ty = self.types.composed(ty, declared.ty);
                Some(global)
            }
            Some((Symbol::Broken, _)) | None => None,
            Some((_, before)) => return Err(self.twice(name, span, before)),
        };
        let global = match known {
            Some(global) => global,
            None => {
                let global = self.new_global(name.to_owned(), declared.ty, span);
                self.scopes.declare_in_file(name, Symbol::Global(global, declared.constness), span);
                global
            }
        };
        if !self.scopes.is_file() {
            self.scopes.declare(name, Symbol::Global(global, declared.constness), span);
        }
        if storage != Storage::Extern || initializer.is_some() {
            self.global_states[global.index()].is_defined = true;
        }
        match initializer {
            Some(initializer) => self.initialise_global(global, name, initializer, span),
            None => Ok(()),
        }
    }

    fn initialise_global(
        &mut self,
        global: GlobalId,
        name: &str,
        initializer: &Node<ast::Initializer>,
        span: Span,
    ) -> Outcome<()> {
        if std::mem::replace(&mut self.global_states[global.index()].has_initial, true) {
            return Err(self.error(span, format!("`{name}` is initialised twice")));
        }
        let ty = self.globals[global.index()].ty;
        let (plan, ty) = self.plan(ty, initializer)?;
        self.globals[global.index()].ty = ty;
        self.needs_size(ty, span)?;
        let place = self.global_place(global, span);
        // The value of a constant may be asked for only after it is known.
        self.global_states[global.index()].has_initial = false;
        let done = self.initialise_static(&place, &plan);
        self.global_states[global.index()].has_initial = true;
        done
    }

    fn is_new_here(&mut self, name: &str, span: Span) -> Outcome<()> {
        match self.scopes.find_here(name) {
            None | Some((Symbol::Broken, _)) => Ok(()),
            Some((_, before)) => {
                let found = Diagnostic::error(span, format!("`{name}` is declared twice"));
                Err(self.complain(found.with_related(before, "first here")))
            }
        }
    }

    fn static_local(
        &mut self,
        name: &str,
        declared: &Declared,
        initializer: Option<&Node<ast::Initializer>>,
        span: Span,
    ) -> Outcome<()> {
        self.is_new_here(name, span)?;
        if declared.length.is_some() {
            return Err(self.error(span, "a static array needs a constant length"));
        }
        let own = format!("{}.{name}", self.draft.name);
        let global = self.new_global(own.clone(), declared.ty, span);
        self.global_states[global.index()].is_defined = true;
        self.scopes.declare(name, Symbol::Global(global, declared.constness), span);
        match initializer {
            Some(initializer) => self.initialise_global(global, &own, initializer, span),
            None => self.needs_size(declared.ty, span),
        }
    }

    fn local(
        &mut self,
        name: &str,
        declared: &Declared,
        initializer: Option<&Node<ast::Initializer>>,
        span: Span,
    ) -> Outcome<()> {
        self.is_new_here(name, span)?;
        if let Some(length) = &declared.length {
            return self.variable_array(name, declared.ty, length.clone(), initializer, span);
        }
        let local = self.draft.add_local(name.to_owned(), declared.ty, span);
        self.scopes.declare(name, Symbol::Local(local, declared.constness), span);
        let Some(initializer) = initializer else {
            self.needs_size(declared.ty, span)?;
            self.draft.emit(InstructionKind::Live(local), span);
            return Ok(());
        };
        let (plan, ty) = self.plan(declared.ty, initializer)?;
        self.needs_size(ty, span)?;
        self.draft.locals[local.index()].ty = ty;
        let place = self.local_place(local, span);
        if self.types.is_composite(ty)
            && let ast::Initializer::Expression(expression) = &initializer.node
        {
            let from = self.operand(expression)?;
            return self.copy(&place, from, span);
        }
        self.initialise(&place, &plan, span)
    }

    /// An array of variable length: a pointer to what is allocated for the call.
    fn variable_array(
        &mut self,
        name: &str,
        element: TypeId,
        length: crate::ir::Expression,
        initializer: Option<&Node<ast::Initializer>>,
        span: Span,
    ) -> Outcome<()> {
        if initializer.is_some() {
            return Err(self.error(span, "an array of variable length cannot be initialised"));
        }
        let size_type = self.types.size();
        let width = self.types.stride(element);
        let length = self.convert(length, size_type);
        let width = self.integer(i128::from(width), size_type, span);
        let size = self.binary(crate::ir::BinaryOperator::Multiply, length, width, size_type, span);
        let bytes = self.draft.temporary(size_type, span);
        self.assign(self.local_place(bytes, span), size, span);
        let pointer = self.types.pointer(element);
        let local = self.draft.add_local(name.to_owned(), pointer, span);
        let to = Some(self.local_place(local, span));
        let arguments = vec![self.read_local(bytes, span)];
        self.draft.emit(InstructionKind::Builtin { which: Builtin::AllocateLocal, arguments, to }, span);
        self.scopes.declare(name, Symbol::Variable(local, bytes), span);
        Ok(())
    }

    fn declare_function(&mut self, name: &str, ty: TypeId, span: Span) -> Outcome<FunctionId> {
        let function = match self.scopes.find_in_file(name) {
            Some((Symbol::Function(function), before)) => {
                let state = self.function_states[function.index()];
                if state.is_implicit {
                    self.set_type(function, ty);
                } else if self.types.compatible(state.ty, ty) {
                    let composed = self.types.composed(state.ty, ty);
                    self.set_type(function, composed);
                } else {
                    let found =
                        Diagnostic::error(span, format!("`{name}` was declared with another type before"));
                    return Err(self.complain(found.with_related(before, "first here")));
                }
                function
            }
            Some((Symbol::Broken, _)) | None => {
                let function = self.new_function(name, ty, span);
                self.scopes.declare_in_file(name, Symbol::Function(function), span);
                function
            }
            Some((_, before)) => return Err(self.twice(name, span, before)),
        };
        if !self.scopes.is_file() {
            self.scopes.declare(name, Symbol::Function(function), span);
        }
        Ok(function)
    }

    fn set_type(&mut self, function: FunctionId, ty: TypeId) {
        let (returns, parameters, more) = self.signature(ty).expect("functions have such types");
        let state = &mut self.function_states[function.index()];
        state.ty = ty;
        state.is_implicit = false;
        let own = &mut self.functions[function.index()];
        own.returns = returns;
        own.is_variadic = more;
        if own.body.is_none() {
            own.n_parameters = parameters.len();
        }
    }

    fn function_definition(&mut self, definition: &ast::FunctionDefinition, whole: Span) -> Outcome<()> {
        let span = self.span(definition.declarator.span);
        self.open_parameters.clear();
        let (base, _) = self.specifiers(&definition.specifiers, span)?;
        let (declared, name) = self.declarator(base, &definition.declarator)?;
        let open_parameters = std::mem::take(&mut self.open_parameters);
        let Some((name, place)) = name else { return Err(self.error(span, "a name is needed here")) };
        let (Some(parameters), true) = (declared.parameters.clone(), self.types.is_function(declared.ty))
        else {
            return Err(self.error(place, format!("`{name}` is not a function, but has a body")));
        };
        let function = self.declare_function(&name, declared.ty, place)?;
        if self.functions[function.index()].body.is_some() {
            let before = self.functions[function.index()].span;
            let found = Diagnostic::error(place, format!("`{name}` is defined twice"));
            return Err(self.complain(found.with_related(before, "first here")));
        }
        let (returns, types, more) = self.signature(declared.ty).expect("it is a function");
        if !self.types.is_void(returns) {
            self.needs_size(returns, place)?;
        }
        self.draft = Draft::new(&name, Some(returns));
        survey_statement(&mut self.draft, &definition.statement);
        self.scopes.enter();
        for place in open_parameters {
            let number = self.unsupported(place, super::declare::NESTED_LENGTH);
            self.draft.emit(InstructionKind::Unsupported(number), place);
        }
        let done = self.parameters(&parameters, &definition.declarations);
        if done.is_ok() {
            match &definition.statement.node {
                ast::Statement::Compound(items) => self.items(items),
                _ => self.statement(&definition.statement),
            }
        }
        self.scopes.leave();
        done?;
        self.missing_labels();
        for label in self.draft.labels.keys() {
            self.labels.insert(format!("{name}.{label}"));
            self.labels.insert(label.clone());
        }
        let end = Span::new(whole.end.saturating_sub(1).max(whole.start), whole.end);
        self.end_of_body(returns, name == "main", end);
        let n_parameters = parameters.list.len();
        // With errors blocks may be left without end; there will be no result then.
        let body = if library::is_error(&name) || self.has_errors {
            failing(place, end)
        } else {
            self.draft.finish(end)
        };
        let own = &mut self.functions[function.index()];
        own.n_parameters = n_parameters;
        own.is_variadic = more && !(types.is_empty());
        own.returns = returns;
        own.span = place;
        own.locals = std::mem::take(&mut self.draft.locals);
        own.body = Some(body);
        Ok(())
    }

    /// Declares the parameters of a definition.
    fn parameters(&mut self, parameters: &Rc<Parameters>, old: &[Node<ast::Declaration>]) -> Outcome<()> {
        let mut list = parameters.list.clone();
        if parameters.is_old {
            for declaration in old {
                let span = self.span(declaration.span);
                let (base, _) = self.specifiers(&declaration.node.specifiers, span)?;
                for declarator in &declaration.node.declarators {
                    let (declared, name) = self.declarator(base.clone(), &declarator.node.declarator)?;
                    let Some((name, place)) = name else { continue };
                    let (ty, constness) = self.adjusted(&declared);
                    match list.iter_mut().find(|(own, ..)| own.as_deref() == Some(&name)) {
                        Some(own) => *own = (Some(name), ty, constness, place),
                        None => return Err(self.error(place, format!("`{name}` is not a parameter"))),
                    }
                }
            }
        } else if let Some(first) = old.first() {
            let span = self.span(first.span);
            return Err(self.error(span, "`{` or `;` was expected before this"));
        }
        // Old-style parameters are passed after the default promotions, and get their own type inside.
        let mut narrow = Vec::new();
        for (number, (name, ty, constness, span)) in list.into_iter().enumerate() {
            if self.types.size_of(ty).is_none() {
                return Err(self.error(span, "this parameter has an incomplete type"));
            }
            let hidden = format!("parameter.{number}");
            let passed = if parameters.is_old { self.types.default_promoted(ty) } else { ty };
            if passed != ty {
                let local = self.draft.add_local(hidden, passed, span);
                narrow.push((local, name, ty, constness, span));
                continue;
            }
            let local = self.draft.add_local(name.clone().unwrap_or(hidden), ty, span);
            self.declare_parameter(local, name, constness, span)?;
        }
        for (from, name, ty, constness, span) in narrow {
            let Some(own) = name.clone() else { continue };
            let local = self.draft.add_local(own, ty, span);
            self.declare_parameter(local, name, constness, span)?;
            let value = self.read_local(from, span);
            let value = self.convert(value, ty);
            self.assign(self.local_place(local, span), value, span);
        }
        Ok(())
    }

    fn declare_parameter(
        &mut self,
        local: crate::ir::LocalId,
        name: Option<String>,
        constness: u32,
        span: Span,
    ) -> Outcome<()> {
        if let Some(name) = name {
            self.is_new_here(&name, span)?;
            self.scopes.declare(&name, Symbol::Local(local, constness), span);
        }
        Ok(())
    }

    fn missing_labels(&mut self) {
        let missing: Vec<(String, Span)> = self
            .draft
            .labels
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .map(|(name, label)| (name.clone(), label.used.unwrap_or_default()))
            .collect();
        for (name, span) in missing {
            self.error(span, format!("there is no label `{name}` in this function"));
            // The block has to end somewhere.
            let block = self.draft.labels[&name].block;
            self.draft.blocks[block.index()].end = Some(End::Unreachable);
        }
    }

    /// The program, if nothing is wrong with it.
    pub(super) fn finish(mut self, options: &ReadOptions) -> (Option<Unit>, tertium_support::Diagnostics) {
        let main = match self.scopes.find_in_file(&options.main) {
            Some((Symbol::Function(function), _)) if self.functions[function.index()].body.is_some() => {
                Some(function)
            }
            _ => None,
        };
        if main.is_none() && !self.defined.contains(&options.main) {
            let found = Diagnostic::error(Span::point(0), format!("there is no function `{}`", options.main));
            self.complain(found.with_note("a program begins there"));
        }
        self.complete_globals();
        if let Some(main) = main {
            self.unsupported_from_start(main);
        }
        self.fix_calls();
        let external = GlobalId::first(self.globals.len())
            .filter(|global| !self.global_states[global.index()].is_defined)
            .collect();
        let data_model = self.types.model;
        let (types, composites) = self.types.into_types();
        let unit = match (main, self.has_errors) {
            (Some(main), false) => Some(Unit {
                data_model,
                types,
                composites,
                globals: self.globals,
                initial: self.initial,
                external,
                functions: self.functions,
                strings: self.strings,
                main,
                unsupported: self.unsupported,
                labels: self.labels,
                origins: self.prepared.origins.clone(),
            }),
            _ => None,
        };
        (unit, self.complaints)
    }

    /// Arrays without length that are defined have one element, as the standard says; other incomplete types are wrong.
    fn complete_globals(&mut self) {
        for index in 0..self.globals.len() {
            let (ty, span) = (self.globals[index].ty, self.globals[index].span);
            if !self.global_states[index].is_defined || self.types.size_of(ty).is_some() {
                continue;
            }
            match *self.types.get(ty) {
                Type::Array(element, None) => {
                    if let Some(ty) = self.types.array(element, Some(1)) {
                        self.globals[index].ty = ty;
                    }
                }
                _ => {
                    let shown = self.types.show(ty);
                    self.error(
                        span,
                        format!("`{}` has the incomplete type `{shown}`", self.globals[index].name),
                    );
                }
            }
        }
    }

    pub(super) fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Composite(id) if self.types.composite(*id).is_union)
    }
}

/// The body of an error function.
fn failing(span: Span, end: Span) -> Body {
    let block = Block {
        instructions: Vec::new(),
        end: End::Error(Failure::ErrorCall),
        span,
        is_loop_head: false,
        loop_at: None,
    };
    Body { blocks: vec![block], labels: BTreeMap::new(), label_spans: BTreeMap::new(), end }
}

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &Node<ast::Declarator>) -> Option<&str> {
    let mut current = &declarator.node.kind.node;
    loop {
        match current {
            ast::DeclaratorKind::Abstract => return None,
            ast::DeclaratorKind::Identifier(name) => return Some(&name.node.name),
            ast::DeclaratorKind::Declarator(inner) => current = &inner.node.kind.node,
        }
    }
}
