//! Calls of functions whose parameters were not known there: old-style definitions, and functions that are declared later.

use super::draft::arguments_mut;
use super::elaborate::Elaborator;
use crate::ir::{Argument, Callee, FunctionId, Instruction, InstructionKind, LocalId, Object};
use tertium_support::Id;

impl Elaborator<'_> {
    /// Makes the arguments of calls fit the parameters of what is called. Arguments that are missing have any value.
    pub(super) fn fix_calls(&mut self) {
        for index in 0..self.functions.len() {
            let Some(mut body) = self.functions[index].body.take() else { continue };
            for block in &mut body.blocks {
                for instruction in &mut block.instructions {
                    self.fix_call(instruction, FunctionId::new(index));
                }
            }
            self.functions[index].body = Some(body);
        }
    }

    fn fix_call(&mut self, instruction: &mut Instruction, caller: FunctionId) {
        let span = instruction.span;
        let InstructionKind::Call { callee: Callee::Function(callee), .. } = &instruction.kind else {
            return;
        };
        let callee = *callee;
        // The body of the caller itself is away for now, but its parameters are there.
        let own = &self.functions[callee.index()];
        let is_defined = own.body.is_some() || callee == caller;
        if !is_defined {
            return;
        }
        let (n, is_variadic) = (own.n_parameters, own.is_variadic);
        let types: Vec<_> = own.locals[..n].iter().map(|local| local.ty).collect();
        let Some(arguments) = arguments_mut(&mut instruction.kind) else { return };
        if arguments.len() > n && !is_variadic {
            arguments.truncate(n);
        }
        for (argument, &ty) in arguments.iter_mut().zip(&types) {
            if let Argument::Value(value) = argument
                && value.ty != ty
                && self.types.is_scalar(ty)
            {
                *value = self.convert(value.clone(), ty);
            }
        }
        let n_given = arguments.len();
        for &ty in types.iter().skip(n_given) {
            // Nobody writes this local: it has any value.
            let locals = &mut self.functions[caller.index()].locals;
            locals.push(Object { name: ".missing".to_owned(), ty, span, has_address: false });
            let local = LocalId::new(locals.len() - 1);
            let place = crate::ir::Place { base: crate::ir::Base::Local(local), path: Vec::new(), ty, span };
            let argument = if self.types.is_composite(ty) {
                Argument::Copied(place)
            } else {
                Argument::Value(self.read(place))
            };
            if let Some(arguments) = arguments_mut(&mut instruction.kind) {
                arguments.push(argument);
            }
        }
    }
}
