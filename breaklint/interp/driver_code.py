"""Driver code: the code outside of compiled code that builds, compiles and calls models.

It is interpreted without events, to infer the values passed to the compiler (`interp.compiled`) and the arguments of
their calls (`interp.driver_calls`). Only files that mention compiling are run. In these, decorators, the top level,
constructors, and functions that reach a call of the compiler or of a compiled function are run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from breaklint.interp import parameters, ways_to_compiler
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.context import Context
from breaklint.interp.frame import MAX_STEPS, BudgetExceeded, Frame
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.models import compilers, instances
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import decorators, statements
from breaklint.project.binding import function_info
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.object_effects import REGISTERING

MAX_DRIVER_STEPS: Final = 8_000  # expressions evaluated for one statement or function
DEEPER: Final = 3  # calls that driver code is followed deeper than helpers of constructors
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def run(interp: Interpreter, module: Module) -> None:
    """Run the driver code of a file."""
    interp.is_driving = True
    try:
        _run_all(interp, module)
    finally:
        interp.is_driving = False


def _run_all(interp: Interpreter, module: Module) -> None:
    for info in ways_to_compiler.functions(module):
        if any(ways_to_compiler.decorator_may_compile(interp, module, each) for each in info.decorators):
            _within_budget(interp, partial(decorators.decorated, interp, info))
    inheriting = ways_to_compiler.inheriting(interp, module)
    helpers = ways_to_compiler.helpers(interp, module)
    if inheriting or helpers or ways_to_compiler.speaks_of_compiling(module.text):
        _run_class_decorators(interp, module)
        _run_top_level(interp, module)
        leading = ways_to_compiler.leading(interp, module, inheriting, helpers)
        outermost = ways_to_compiler.outermost_first(leading)
        _run_uncalled(interp, [info for info in outermost if info.cls is None])
        _run_constructors(interp, module, leading)
        _run_uncalled(interp, [info for info in outermost if info.cls is not None])
        for cls in inheriting:
            _run_inherited(interp, cls)
        _run_registering(interp, module)


def owners(interp: Interpreter, info: FunctionInfo) -> list[Value | None]:
    """The possible owners of a method: the instances of its class in the source, else any instance."""
    if info.cls is None or info.is_staticmethod:
        return [None]
    if info.is_classmethod:
        return [ClassValue(info.cls)]
    name = info.name.rpartition(".")[2]
    candidates = [each for each in source_instances(interp, info.cls) if interp.project.method(each.cls, name) is info]
    return [*candidates] or [instances.any_instance(interp, info.cls)]


def instances_of(interp: Interpreter, cls: ClassInfo) -> list[Instance]:
    """The instances of a class that the source creates, else one for any instance."""
    return source_instances(interp, cls) or [instances.any_instance(interp, cls)]


def source_instances(interp: Interpreter, cls: ClassInfo) -> list[Instance]:
    """The instances of a class or its subclasses that calls in the source create."""
    result = [
        instance
        for (key, instance_class), instance in interp.instances.items()
        if isinstance(key, ast.AST) and cls in interp.project.mro(instance_class)
    ]
    return [*dict.fromkeys(result)]


def _within_budget(interp: Interpreter, work: Callable[[], object]) -> None:
    """Run `work` with a limited number of steps; results so far remain if it is reached."""
    interp.start()
    interp.steps = MAX_STEPS - MAX_DRIVER_STEPS
    with suppress(BudgetExceeded, RecursionError):
        work()
    interp.start()


def _context() -> Context:
    return Context(traced=False, helpers=-DEEPER)


def _run_class_decorators(interp: Interpreter, module: Module) -> None:
    frame = interp.module_frame(module)
    for cls in module.classes:
        for decorator in cls.decorators:
            if decorators.compiles(frame, decorator):
                made_with = compilers.options_of(frame.eval_untraced(decorator))
                compilers.note(frame, decorator, ClassValue(cls), compilers.COMPILE, made_with)
            elif ways_to_compiler.decorator_may_compile(interp, module, decorator) and decorators.is_followed(
                frame, decorator
            ):
                _within_budget(interp, partial(decorators.decorate, frame, decorator, ClassValue(cls)))


def _run_top_level(interp: Interpreter, module: Module) -> None:
    """Run the top-level statements in order. Names are looked up in the module, except for those that are bound again,
    such as `step = torch.compile(step)`."""
    frame = interp.module_frame(module)
    frame.context = _context()
    for statement in module.tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if isinstance(module.names.get(statement.name), ast.expr):
                frame.env[statement.name] = Function(function_info(module, statement))
        elif not isinstance(statement, _DEFINITIONS):
            _within_budget(interp, partial(statements.run_statement, frame, statement))
    for name, bound in module.names.items():
        value = frame.env.get(name, UNKNOWN)
        if isinstance(bound, ast.expr) and interp.global_values.get(bound, UNKNOWN) is UNKNOWN is not value:
            interp.global_values[bound] = value


def _run_constructors(interp: Interpreter, module: Module, leading: list[FunctionInfo]) -> None:
    """Run the constructors that reach the compiler, for instances that the source creates or for any instance."""
    for cls in module.classes:
        if ways_to_compiler.constructor_leads(interp, cls, leading):
            for instance in source_instances(interp, cls):
                _within_budget(interp, instance.settle)
            if not source_instances(interp, cls):
                _within_budget(interp, partial(_settle_any, interp, cls))


def _run_registering(interp: Interpreter, module: Module) -> None:
    """Run the constructors that register hooks or bind methods, for the objects that driver code creates."""
    for cls in module.classes:
        if any(map(cls.may_hold, (*REGISTERING, "MethodType"))):
            for instance in source_instances(interp, cls):
                _within_budget(interp, instance.settle)


def _settle_any(interp: Interpreter, cls: ClassInfo) -> None:
    instances.any_instance(interp, cls).settle()


def _run_uncalled(interp: Interpreter, functions: Iterable[FunctionInfo]) -> None:
    """Run the functions that no other driver code has called; a `forward` is traced as a region."""
    for info in functions:
        if info not in interp.driver_calls and (
            info.name.rpartition(".")[2] != "forward" or ways_to_compiler.calls_compiler(info)
        ):
            _run_alone(interp, info)


def _run_alone(interp: Interpreter, info: FunctionInfo) -> None:
    """Run a function with arguments inferred from its annotations, defaults and uses."""
    for owner in owners(interp, info):
        _run_on(interp, info, owner)


def _run_on(interp: Interpreter, info: FunctionInfo, owner: Value | None) -> None:
    env = parameters.open_call(interp, info, owner)
    frame = Frame(interp, info.module, info, env, _context(), owner=owner)
    _within_budget(interp, partial(interp.run, frame))


def _run_inherited(interp: Interpreter, cls: ClassInfo) -> None:
    """Run the compiling methods of a class, including inherited ones, on its instances."""
    for info in ways_to_compiler.compiling_methods(interp, cls):
        if info not in interp.driver_calls:
            for owner in instances_of(interp, cls):
                _run_on(interp, info, owner)
