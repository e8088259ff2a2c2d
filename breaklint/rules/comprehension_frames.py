"""A pass over the comprehensions of all regions: those that Dynamo starts by themselves, before Python 3.12.

There a comprehension is a function of its own, which gets an iterator. If its frame runs in eager mode, Dynamo compiles
that function if it sees a tensor or a module, and traces an iterator over a tuple or a range only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.events import Loop, OwnFrame
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import options
from breaklint.interp.values import ExternalName
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import walk
from breaklint.rules.frame_ends import FrameEnds
from breaklint.rules.value_kinds import has_kind

COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp)
_TRACED: Final = ("tuple", "range")  # kinds of sequences whose iterators are traced
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp


def comprehension_frames(loops: Iterable[Loop], ends: FrameEnds) -> Iterator[OwnFrame]:
    """The comprehensions, of those over some iterables, that Dynamo compiles by themselves and cannot trace."""
    for loop in loops:
        frame, function = loop.frame, loop.frame.function
        node = function.derive(_by_iterable).get(loop.node) if function is not None else None
        if node is None or not isinstance(frame.closure, Frame) or frame.closure.is_comprehension:
            continue
        if ends.runs_eagerly(frame.record, node, frame.context.conditions) and _sees_tensor(frame, node):
            yield OwnFrame(node, frame)


def is_untraced(loop: Loop) -> bool:
    """Whether a loop is a comprehension over an iterator that Dynamo does not trace as an argument."""
    value, node = loop.iterable, loop.node
    if not isinstance(node, ast.expr) or isinstance(node, ast.List) or loop.frame.module.installed:
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reversed":
        return False  # traced from torch 2.15 on
    return isinstance(value, Dict) or (isinstance(value, Sequence) and value.kind not in _TRACED)


def _by_iterable(function: FunctionInfo) -> dict[ast.AST, Comprehension]:
    """The comprehensions of a function by their first iterable."""
    nodes = function.nodes
    every: tuple[Comprehension, ...] = (*nodes.of(ast.ListComp), *nodes.of(ast.SetComp), *nodes.of(ast.DictComp))
    return {node.generators[0].iter: node for node in every}


def _sees_tensor(frame: Frame, node: Comprehension) -> bool:
    """Whether a comprehension reads a tensor or a module of its function, or names torch or NumPy."""
    values, outer = frame.interp.values, {*walk(node.generators[0].iter)}
    own = {name.id for name in walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    for name in walk(node):
        if isinstance(name, ast.Name) and name.id not in own and name not in outer:
            value = values.get(name)
            for option in options(value) if value is not None else ():
                if option in (ExternalName("torch"), ExternalName("numpy")):
                    return True
                if any(has_kind(option, kind) for kind in ("tensor", "ndarray", "tensors", "module")):
                    return True
    return False
