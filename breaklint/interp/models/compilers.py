"""Calls that pass a function, a module or an object to Dynamo: `torch.compile` and similar functions."""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import Final, NamedTuple

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Partial
from breaklint.interp.compilation import Compilation
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.values import NONE, Const, ExternalName

COMPILE: Final = "torch.compile"


class Compiler(NamedTuple):
    """A function that compiles its argument.

    `kind` is its public name, `parameter` the name of its first parameter, the compiled object. `makes_compiler`: a
    call returns a decorator. `breaks`: graph breaks matter to it; torch.export traces without Dynamo, or lets Dynamo
    keep numbers read from tensors and drop prints. `inputs` are the position and the name of a tuple of arguments for
    a call of the compiled object; `calls`: it calls the object with the arguments that follow.
    """

    kind: str
    parameter: str = "model"
    makes_compiler: bool = False
    breaks: bool = True
    inputs: tuple[int, str] | None = None
    calls: bool = False


# No schema: the functions of torch and breaklint that compile with Dynamo, with the parameter for the compiled object.
# Source: torch/__init__.py, torch/_dynamo/eval_frame.py, torch/export/__init__.py and torch/onnx/__init__.py.
COMPILERS: Final = MappingProxyType({
    COMPILE: Compiler(COMPILE),
    "torch.compiler.compile": Compiler(COMPILE),
    "torch._dynamo.optimize": Compiler("torch._dynamo.optimize", "", makes_compiler=True),
    "torch._dynamo.optimize_assert": Compiler("torch._dynamo.optimize", "", makes_compiler=True),
    "torch._dynamo.eval_frame.optimize": Compiler("torch._dynamo.optimize", "", makes_compiler=True),
    "torch._dynamo.explain": Compiler("torch._dynamo.explain", "f"),
    "torch._dynamo.export": Compiler("torch._dynamo.export", "f"),
    "torch._export.aot_compile": Compiler("torch.export", "f", breaks=False, inputs=(1, "args")),
    "torch.export.export": Compiler("torch.export", "mod", breaks=False, inputs=(1, "args")),
    "torch.export.export_for_training": Compiler("torch.export", "mod", breaks=False, inputs=(1, "args")),
    "torch.export.draft_export": Compiler("torch.export", "mod", breaks=False, inputs=(1, "args")),
    "torch.onnx.export": Compiler("torch.onnx.export", breaks=False, inputs=(1, "args")),
    "breaklint.assert_no_graph_breaks": Compiler("assert_no_graph_breaks", calls=True),
    "breaklint.testing.assert_no_graph_breaks": Compiler("assert_no_graph_breaks", calls=True),
    "breaklint.testing.graph_breaks": Compiler("assert_no_graph_breaks", calls=True),
})  # fmt: skip


def call(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of a call of a compiler: its argument, or a decorator."""
    compiler = COMPILERS[name]
    value = None if compiler.makes_compiler else arguments.get(0, compiler.parameter)
    if value is None or value == NONE:
        kwargs = {"nopython": Const(True)} if name.endswith("optimize_assert") else arguments.kwargs
        return Partial(ExternalName(COMPILE), (), tuple(kwargs.items()))
    if compiler.breaks:
        note(frame, node, value, compiler.kind, arguments)
    if compiler.inputs is not None:
        _call_with(frame, node, value, arguments.get(*compiler.inputs), arguments.kwargs.get("kwargs"))
    elif compiler.calls:
        frame.interp.invoke(frame, node, value, Arguments(arguments.args[1:], arguments.kwargs, arguments.starred))
    return value


def _call_with(frame: Frame, node: ast.expr, value: Value, args: Value | None, kwargs: Value | None) -> None:
    """Call a compiled value with the arguments in a tuple."""
    if not isinstance(args, (Tuple, Sequence)) or args.items is None:
        return
    items = kwargs.items if isinstance(kwargs, Dict) else {}
    keywords = {key: item for key, item in items.items() if isinstance(key, str)}
    frame.interp.invoke(frame, node, value, Arguments([*args.items], keywords))


def note(frame: Frame, node: ast.expr, value: Value, kind: str, arguments: Arguments) -> None:
    """Record a value that untraced code compiles, unless an option disables it; in traced code a rule handles the
    call."""
    if not frame.context.traced and arguments.kwargs.get("disable") != Const(True):
        strict = Const(True) in (arguments.kwargs.get("fullgraph"), arguments.kwargs.get("nopython"))
        for option in options(value) or [UNKNOWN]:
            if option != NONE:
                compilation = Compilation(option, node, frame.module, kind, strict)
                frame.interp.compiled.setdefault((node, option), compilation)


def options_of(decorator: Value) -> Arguments:
    """The arguments of a compiling decorator: `@torch.compile(fullgraph=True)`."""
    return Arguments([], dict(decorator.kwargs)) if isinstance(decorator, Partial) else Arguments([], {})


def is_compiler(value: Value) -> bool:
    """Whether a value compiles its argument, as a compiling decorator does."""
    callee = value.function if isinstance(value, Partial) else value
    return isinstance(callee, ExternalName) and callee.name in COMPILERS
