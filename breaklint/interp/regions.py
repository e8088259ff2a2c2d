"""Which functions Dynamo will trace: forward of modules, and what is given to torch.compile."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, NamedTuple

from breaklint.interp import parameters
from breaklint.interp.callables import Function
from breaklint.interp.context import Context
from breaklint.interp.environment import Env
from breaklint.interp.frame import BudgetExceeded, Frame
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.models import hooks, instances
from breaklint.interp.objects import Instance
from breaklint.interp.signatures import why_unbound
from breaklint.interp.transfer import decorators
from breaklint.interp.transfer.functions import is_disabled
from breaklint.project.binding import classes_in_methods, function_info
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name, walk

MAX_RECURSION: Final = 6000  # the interpreter uses a handful of Python frames for each that it traces
# Methods that users compile or call beside `forward`; no schema knows how modules are used.
USUAL_ENTRIES: Final = ("sample", "inverse", "generate", "encode", "decode")
# Bases of classes that torch.compile is not given as modules.
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


class Region(NamedTuple):
    """A function where tracing begins, and the class whose module it is the forward of."""

    function: FunctionInfo
    cls: ClassInfo | None


def regions(interp: Interpreter, module: Module, entry_points: Sequence[str] = ()) -> Iterator[Region]:
    """The regions that begin in a file, in the order they are written.

    `entry_points` name further ones: methods of modules (`generate`, `Net.generate`) and functions.
    """
    classes_in_methods(module)
    for cls in list(module.classes):
        yield from _entries(interp, cls, entry_points)
        forward = interp.project.method(cls, "forward")
        if forward is not None and forward.cls is not None and _is_module(interp, cls) and _worth(interp, cls, forward):
            called = interp.project.method(cls, "__call__")
            if called is not None and called is not forward:
                yield Region(called, cls)
            yield Region(forward, cls)
    compiled = list(_compiled(interp, module))
    named = [module.names.get(name) for name in entry_points]
    for info in dict.fromkeys([*compiled, *(info for info in named if isinstance(info, FunctionInfo))]):
        yield Region(info, None)


def callers_first(interp: Interpreter, found: Iterator[Region]) -> list[Region]:
    """The regions in the order in which they are traced: those with parameters that only callers can tell come last."""
    order = list(found)
    for region in order:
        if region.cls is not None and parameters.undetermined(interp.project, region.function):
            interp.awaited[region.function] = []
    return sorted(order, key=lambda region: region.function in interp.awaited)


def _entries(interp: Interpreter, cls: ClassInfo, entry_points: Sequence[str]) -> Iterator[Region]:
    """The methods of a module that are called instead of its forward: those that are named so, and without a forward
    those that usually are."""
    usual = USUAL_ENTRIES if interp.project.method(cls, "forward") is None else ()
    wanted = dict.fromkeys([*entry_points, *usual])
    found = [info for name, info in cls.methods.items() if name in wanted or f"{cls.name}.{name}" in wanted]
    if found and _is_module(interp, cls):
        yield from (Region(info, cls) for info in found)


def _worth(interp: Interpreter, cls: ClassInfo, forward: FunctionInfo) -> bool:
    """An inherited forward is traced with its own class, unless this class changes what it calls or holds."""
    return forward.cls is cls or bool(cls.methods) or any(map(_may_be_called, cls.attributes.values()))


def _may_be_called(node: ast.expr) -> bool:
    """Whether what a class body assigns may be a function or class that an inherited method calls."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Lambda))


def _is_module(interp: Interpreter, cls: ClassInfo) -> bool:
    """Known to be an nn.Module; or derived from a class outside the project that may well be one."""
    if instances.is_module(interp, cls):
        return True
    classes = (base for base in interp.project.mro(cls) if isinstance(base, ClassInfo))
    if not any("torch" in base.module.text for base in classes):
        return False  # `forward` means other things elsewhere
    outside = interp.project.external_bases(cls)
    return any(
        base not in NO_MODULES and not base.startswith(("torch.autograd", "typing", "collections", "enum", "builtins"))
        for base in outside
    )


def _compiled(interp: Interpreter, module: Module) -> Iterator[FunctionInfo]:
    """Functions decorated with, or given by name to, torch.compile."""
    seen: set[FunctionInfo] = set()
    for node in walk(module.tree) if _speaks_of_compile(module.text) else ():
        info = _decorated(interp, module, node) or _given(interp, module, node)
        if info is not None and info not in seen:
            seen.add(info)
            yield info


def _speaks_of_compile(text: str) -> bool:
    """Whether a text may name torch.compile: most that hold the word mean regular expressions or `is_compiling`."""
    return "_dynamo" in text or any(map(_may_name_it, pairwise(text.split("compile"))))


def _may_name_it(around: tuple[str, str]) -> bool:
    before, after = around
    apart = not (before[-1:].isalnum() or before.endswith("_") or after[:1].isalnum() or after.startswith("_"))
    return apart and not before.endswith(("re.", "regex."))


def _decorated(interp: Interpreter, module: Module, node: ast.AST) -> FunctionInfo | None:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    known = module.functions.get(node)
    if known is not None and known.cls is not None:
        return None
    for decorator in node.decorator_list:
        dotted = _compile_name(interp, module, decorator)
        if dotted:
            return function_info(module, node)
    return None


def _compile_name(interp: Interpreter, module: Module, decorator: ast.expr) -> bool:
    """Whether a decorator is torch.compile, torch.compile(...), or functools.partial(torch.compile, ...)."""
    if isinstance(decorator, ast.Call):
        return _compile_name(interp, module, decorator.func) or any(
            _compile_name(interp, module, a) for a in decorator.args[:1]
        )
    dotted = dotted_name(decorator)
    return dotted is not None and interp.project.resolve(module, dotted) in ("torch.compile", "torch._dynamo.optimize")


def _given(interp: Interpreter, module: Module, node: ast.AST) -> FunctionInfo | None:
    if not (isinstance(node, ast.Call) and node.args and _compile_name(interp, module, node.func)):
        return None
    dotted = dotted_name(node.args[0])
    found = interp.project.resolve(module, dotted) if dotted else None
    return found if isinstance(found, FunctionInfo) and found.cls is None else None


def _run_wrapper(frame: Frame, function: FunctionInfo, env: Env) -> None:
    """Trace what the decorators of a region's function put around it, with the same arguments."""
    wrapper = decorators.decorated(frame.interp, function)
    spec = function.node.args
    if isinstance(wrapper, Function) and wrapper.info is not function and spec.vararg is None and spec.kwarg is None:
        args = [env[parameter.arg] for parameter in (*spec.posonlyargs, *spec.args)]
        kwargs = {parameter.arg: env[parameter.arg] for parameter in spec.kwonlyargs}
        if why_unbound(wrapper.info, len(args), kwargs):  # it leaves out what has a default
            args = args[: len(args) - len(spec.defaults)]
            kwargs = {name: value for name, value in kwargs.items() if name in _without_default(spec)}
        frame.interp.call(frame, wrapper, args, kwargs)


def _without_default(spec: ast.arguments) -> set[str]:
    pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return {parameter.arg for parameter, default in pairs if default is None}


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let recursive code go as deep as the trees do that Python can parse, and somewhat deeper."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def trace(interp: Interpreter, region: Region) -> str:
    """Trace a region. Returns why it was given up, or an empty string."""
    interp.start()
    owner: Instance | None = None
    try:
        if region.cls is not None:
            owner = interp.instances[region, region.cls] = Instance(region.cls, outside=True)
            instances.build_open(interp, owner)
            interp.start()
        if is_disabled(interp.project, region.function):
            return ""
        env = parameters.open_call(interp, region.function, owner)
        frame = Frame(interp, region.function.module, region.function, env, Context(), owner=owner)
        given = {**env}
        result = interp.run(frame)
        _run_wrapper(frame, region.function, given)
        if owner is not None:
            hooks.call_forward_hooks(frame, owner, result)
    except BudgetExceeded:
        return "too large to follow to the end"
    except RecursionError:
        return "too deeply nested to follow to the end"
    return interp.limit
