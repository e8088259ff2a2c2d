"""Functions of `functools.singledispatch`: a call runs one of several implementations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.containers import Tuple
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, join_all, options
from breaklint.interp.values import PythonValue
from breaklint.project.binding import function_info
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import dotted_name

DISPATCHERS: Final = ("functools.singledispatch", "functools.singledispatchmethod")


def call(frame: Frame, node: ast.expr, callee: Function, arguments: Arguments, dispatcher: str) -> Value:
    """Call each implementation of a dispatching function in its file.

    Dynamo traces the dispatch on a tensor, a list or an object, and not the dispatch on another value of a builtin type
    (measured on torch 2.13).
    """
    if arguments.args and all(isinstance(option, (PythonValue, Tuple)) for option in options(arguments.args[0])):
        frame.emit(Call(node, frame, dispatcher, arguments.args, arguments.kwargs, starred=arguments.starred))
    saved, frame.context = frame.context, frame.context.under_condition()
    results = [
        frame.interp.call(
            frame, Function(info, callee.owner), arguments.args, arguments.kwargs, arguments.starred, node
        )
        for info in (callee.info, *_registered(callee.info))
    ]
    frame.context = saved
    return join_all(results) or UNKNOWN


def _registered(info: FunctionInfo) -> Iterator[FunctionInfo]:
    """The implementations that decorators register, `@score.register`, without the function itself."""
    register = f"{info.name.rpartition('.')[2]}.register"
    for node in info.module.tree.body if info.cls is None else info.cls.node.body:
        if isinstance(node, ast.FunctionDef):
            decorators = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
            if any(dotted_name(each) == register for each in decorators):
                yield function_info(info.module, node, info.cls)
