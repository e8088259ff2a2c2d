"""Entry points of a file: the functions at which Dynamo begins to trace."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from breaklint.interp import driver_code, parameters, ways_to_compiler
from breaklint.interp.callables import ClassValue, Function, Method, Partial, Transform
from breaklint.interp.compilation import FORWARD, NAMED, STEP, USUAL_ENTRIES, Compilation, Region
from breaklint.interp.containers import Sequence as Items
from breaklint.interp.context import Condition
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Value
from breaklint.interp.models import hooks, instances
from breaklint.interp.objects import Instance
from breaklint.interp.public_functions import public_functions, public_methods
from breaklint.interp.record import Record
from breaklint.interp.values import ExternalInstance, ExternalName, Static
from breaklint.model import PUBLIC_FUNCTION
from breaklint.project.binding import classes_in_methods
from breaklint.project.environment import OPAQUE
from breaklint.project.module import ClassInfo, FunctionInfo, Module

# The methods that Lightning compiles if a module is compiled: lightning/pytorch/utilities/compile.py.
LIGHTNING_STEPS: Final = ("training_step", "validation_step", "test_step", "predict_step")
LIGHTNING_MODULE: Final = "LightningModule"
LIGHTNING: Final = ("lightning.", "pytorch_lightning.")
# Bases of classes that are not modules.
NO_MODULES: Final = (
    "torch.autograd.Function",
    "torch.autograd.function.Function",
    "object",
    "abc.ABC",
    "enum.Enum",
    "torch.utils.data.Dataset",
    "Protocol",
    "typing.Protocol",
)


def regions(interp: Interpreter, module: Module, entry_points: Sequence[str] = ()) -> list[Region]:
    """The regions that begin in a file, in source order, guesses last.

    `entry_points` are patterns of names of further functions and methods. The public functions and methods of a package
    that compute with tensors are regions if the file compiles nothing.
    """
    classes_in_methods(module)
    driver_code.run(interp, module)
    entries: dict[Region, None] = {}
    for cls in [*module.classes]:
        entries.update(dict.fromkeys(_of_class(interp, cls)))
    hooked = (hooks.HOOK, hooks.PRE_HOOK, hooks.REPLACED)
    compiles = any(each.kind not in hooked for each in interp.compiled.values())
    for compilation in [*interp.compiled.values()]:
        if compilation.kind in hooked:
            targets = _regions_of(interp, compilation.value, compilation.kind) if compiles else ()
            entries.update((each._replace(args=(*each.args, *hooks.arguments_of(each.kind))), None) for each in targets)
            continue
        for region in _regions_of(interp, compilation.value, compilation.kind):
            entries[region._replace(fullgraph=compilation.fullgraph)] = None
    if not compiles and (module.is_package or "." in module.name):
        public = [*public_functions(interp, module)]
        for cls in module.classes:
            public += public_methods(interp, cls, _is_module(interp, cls))
        entries.update((Region(info, _open_class(info), PUBLIC_FUNCTION), None) for info in public)
    for info in matching(module, entry_points):
        entries.setdefault(Region(info, _open_class(info), NAMED))
    return _once([*entries])


def entry_conditions(roots: Mapping[Record, Region]) -> dict[Record, tuple[Condition, ...]]:
    """The condition under which each region is compiled: none, except for a public function of a package."""
    result: dict[Record, tuple[Condition, ...]] = dict.fromkeys(roots, ())
    for record, region in roots.items():
        if region.kind == PUBLIC_FUNCTION:
            name = region.function.name
            test = ast.Compare(ast.Name(name), [ast.Is()], [ast.Name("compiled")])
            result[record] = (Condition(test, True, public_function=name),)
    return result


def compiled_regions(interp: Interpreter) -> list[Region]:
    """The regions of the values that driver code passes to the compiler."""
    return [region for each in interp.compiled.values() for region in _regions_of(interp, each.value, each.kind)]


def _once(entries: list[Region]) -> list[Region]:
    """Each function with each owner once; a region that is neither a guess nor fullgraph takes precedence."""
    unique: dict[object, Region] = {}
    for region in sorted(entries, key=lambda region: (region.is_guess, region.fullgraph)):
        unique.setdefault((region.function, region.cls, region.target, region.args, region.kwargs), region)
    return [*unique.values()]


def unfollowed(interp: Interpreter) -> list[Compilation]:
    """The calls of the compiler whose argument cannot be inferred, each once."""
    nodes = {each.node for each in interp.compiled.values() if _is_known(each.value)}
    calls = {each.node: each for each in interp.compiled.values() if each.node not in nodes}
    return [*calls.values()]


def callers_first(interp: Interpreter, entries: list[Region]) -> list[Region]:
    """The regions in the order of tracing: a file defines a module before the one that calls it.

    Those with parameters that only callers determine come last, and guesses after all others.
    """
    for region in entries:
        if region.cls is not None and parameters.undetermined(interp.project, region.function):
            interp.awaited[region.function] = []
    last_first = entries[::-1]
    return sorted(last_first, key=lambda region: (region.is_guess, region.function in interp.awaited))


def matching(module: Module, patterns: Sequence[str]) -> Iterator[FunctionInfo]:
    """The functions and methods of a file whose names match a pattern."""
    for info in ways_to_compiler.functions(module) if patterns else ():
        if any(matches(info, pattern) for pattern in patterns):
            yield info


def matches(info: FunctionInfo, pattern: str) -> bool:
    """Whether a pattern matches a function: by its name, with its class, or with (the end of) its module."""
    qualified = f".{info.module.name}.{info.name}"
    return fnmatchcase(qualified, f"*.{pattern}")


def _of_class(interp: Interpreter, cls: ClassInfo) -> Iterator[Region]:
    """The methods of a module at which tracing may begin: `forward`, or the methods that are called instead."""
    forward = interp.project.method(cls, "forward")
    usual = USUAL_ENTRIES if forward is None or forward.module.installed else ()
    methods = [info for name, info in cls.methods.items() if name in usual]
    if forward is None and "__call__" in cls.methods and instances.is_module(interp, cls):
        methods.append(cls.methods["__call__"])
    if methods and _is_module(interp, cls):
        yield from (Region(info, cls) for info in methods)
    if forward is not None and forward.cls is not None and _is_module(interp, cls) and _worth(interp, cls, forward):
        call_method = interp.project.method(cls, "__call__")
        if call_method is not None and call_method is not forward:
            yield Region(call_method, cls)
        yield Region(forward, cls)
    if _is_lightning(interp, cls) and not any(map(ways_to_compiler.calls_compiler, cls.methods.values())):
        for step in (interp.project.method(cls, name) for name in LIGHTNING_STEPS):
            if step is not None and not step.module.installed and _worth(interp, cls, step):
                yield Region(step, cls, STEP)


def _is_lightning(interp: Interpreter, cls: ClassInfo) -> bool:
    """Whether a class derives from LightningModule, or from a class of Lightning whose code is not available."""
    names = [*interp.project.ancestors(cls)]
    unknown = interp.project.external_bases(cls)
    return any(name.rpartition(".")[2] == LIGHTNING_MODULE for name in names) or any(
        name.startswith(LIGHTNING) for name in unknown
    )


def _worth(interp: Interpreter, cls: ClassInfo, method: FunctionInfo) -> bool:
    """Whether a method is traced for this class: an inherited one only if the class adds methods or attributes."""
    return method.cls is cls or bool(cls.methods) or any(map(_may_be_called, cls.attributes.values()))


def _may_be_called(node: ast.expr) -> bool:
    """Whether an assignment of a class body may be a function or class that an inherited method calls."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Lambda))


def _is_module(interp: Interpreter, cls: ClassInfo) -> bool:
    """Whether a class derives from nn.Module, or from a class outside the project that may be a module."""
    if instances.is_module(interp, cls):
        return True
    classes = (base for base in interp.project.mro(cls) if isinstance(base, ClassInfo))
    if not any(base.module.holds("torch") for base in classes):
        return False  # `forward` means other things elsewhere
    outside = interp.project.external_bases(cls)
    return any(
        base not in NO_MODULES and not base.startswith(("torch.autograd", "typing", "collections", "enum", "builtins"))
        for base in outside
    )


def _regions_of(interp: Interpreter, value: Value, kind: str) -> Iterator[Region]:
    """The regions of a value that is passed to the compiler."""
    if isinstance(value, Partial):
        for region in _regions_of(interp, value.function, kind):
            yield region._replace(args=(*region.args, *value.args), kwargs=(*region.kwargs, *value.kwargs))
    elif isinstance(value, Transform):
        yield from _regions_of(interp, value.function, kind)
    elif isinstance(value, Function) and not value.info.module.installed:
        of_class = value.owner is None and value.info.cls is not None
        for owner in driver_code.owners(interp, value.info) if of_class else [value.owner]:
            yield Region(value.info, None, kind, Function(value.info, owner, value.closure, value.defaults))
    elif isinstance(value, Instance):
        yield from _of_instance(interp, value, kind)
    elif isinstance(value, ClassValue):
        for instance in driver_code.instances_of(interp, value.info):
            yield from _of_instance(interp, instance, kind)


def _of_instance(interp: Interpreter, instance: Instance, kind: str) -> Iterator[Region]:
    """The region of the method that a call of an instance runs."""
    for name in ("__call__", FORWARD):
        method = interp.project.method(instance.cls, name)
        if method is not None and not method.module.installed:
            yield Region(method, None, kind, Function.of(instance, method))
            return


def _open_class(info: FunctionInfo) -> ClassInfo | None:
    """The class whose instances a method is called on, None for functions and static methods."""
    return None if info.is_staticmethod else info.cls


def outside(value: Value) -> str:
    """The library of a function, class or object whose source is not available; "" for all other values.
    For torch and the libraries that Dynamo does not trace it is "".
    """
    value = _innermost(value)
    if not isinstance(value, (ExternalName, ExternalInstance)):
        return ""
    name = value.name if isinstance(value, ExternalName) else value.cls
    library = name.partition(".")[0]
    return "" if library in OPAQUE or library in sys.stdlib_module_names else library


def _is_known(value: Value) -> bool:
    """Whether the argument of a compiler is interpreted, or is a layer or function of torch."""
    kinds = (Function, Instance, ClassValue, ExternalInstance, ExternalName, Static, Items, Method)
    return isinstance(_innermost(value), kinds) and not outside(value)


def _innermost(value: Value) -> Value:
    """The function inside partial objects and transforms."""
    while isinstance(value, (Partial, Transform)):
        value = value.function
    return value
