"""Functions of `functools.singledispatch`: a call runs one of several implementations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, join_all, options
from breaklint.interp.sequences import Tuple
from breaklint.interp.values import PythonValue, python_kind
from breaklint.project.binding import function_info
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import dotted_name, variables_in

DISPATCHERS: Final = ("functools.singledispatch", "functools.singledispatchmethod")


def call(frame: Frame, node: ast.expr, callee: Function, arguments: Arguments, dispatcher: str) -> Value:
    """Call each implementation of a dispatching function in its file."""
    implementations = dict(_registered(callee.info))
    kinds = {name for names in implementations.values() for name in names}
    if arguments.args and all(_breaks(frame, option, kinds) for option in options(arguments.args[0])):
        frame.emit(Call(node, frame, dispatcher, arguments.args, arguments.kwargs, starred=arguments.starred))
    saved, frame.context = frame.context, frame.context.under_condition()
    results = [
        frame.interp.call(
            frame, Function(info, callee.owner), arguments.args, arguments.kwargs, arguments.starred, node
        )
        for info in (callee.info, *implementations)
    ]
    frame.context = saved
    return join_all(results) or UNKNOWN


def _breaks(frame: Frame, value: Value, kinds: set[str]) -> bool:
    """Whether Dynamo does not trace the dispatch on the value.

    Measured on torch 2.13, 2.14 and 2.15: Dynamo traces the dispatch on a tensor, on an object, and on a value of a
    registered builtin type; until 2.13 not on a number, a text or None.
    """
    if isinstance(value, Tuple):
        return "tuple" not in kinds
    if not isinstance(value, PythonValue):
        return False
    if not frame.interp.facts.does("dispatches on numbers"):
        return True
    kind = python_kind(value)
    return kind not in {"", "NoneType", *kinds}


def _registered(info: FunctionInfo) -> Iterator[tuple[FunctionInfo, set[str]]]:
    """The implementations that decorators register, `@score.register(int)`, each with the names of its types.

    The function itself is not among them.
    """
    register = f"{info.name.rpartition('.')[2]}.register"
    for node in info.module.tree.body if info.cls is None else info.cls.node.body:
        if isinstance(node, ast.FunctionDef):
            parameters = node.args.args[0 if info.cls is None else 1 :]
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and dotted_name(decorator.func) == register:
                    yield function_info(info.module, node, info.cls), variables_in(decorator)
                elif dotted_name(decorator) == register and parameters and parameters[0].annotation:
                    yield function_info(info.module, node, info.cls), variables_in(parameters[0].annotation)
