"""Counters of a module as buffers, which a graph counts without compiling again: shown, never written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.attributes import constructor
from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.events import SetAttribute
from breaklint.interp.objects import Instance
from breaklint.interp.values import Tensor
from breaklint.project.module import ClassInfo, Module
from breaklint.project.scope import single_target
from breaklint.project.walking import children, rows_with, walk, walk_rows

WHY = "code that reads it gets a tensor, which moves with the module; a branch on it would break the graph"
ELSEWHERE = "is set in more places than `__init__` and here"


@fix("show-buffer")
def show_buffer(m: Match) -> Steps:
    """`self.steps = 0` in `__init__` -> `self.register_buffer("steps", torch.tensor(0), persistent=False)`."""
    request, event = m.request, m.request.event
    if not isinstance(event, SetAttribute) or not isinstance(event.base, Instance):
        raise NotFixable(request.rule.fix_why)
    cls = event.base.cls
    made = _made(cls, event.name)
    if made is None or cls.module is not request.module:
        raise NotFixable(f"`__init__` of its class in this file does not set `{event.name}` to a number")
    own = {*walk(made), *walk(request.statement())}
    for use, around in _uses(request.module, event.name):
        if use not in own:
            _check_use(request, use, around)
    assert isinstance(made.targets[0], ast.Attribute)
    torch, imports = request.name_of("torch")
    owner = request.code(made.targets[0].value)
    content = f'{owner}.register_buffer("{event.name}", {torch}.tensor({request.code(made.value)}), persistent=False)'
    yield Doubt(WHY)
    message = f"Count in a buffer: `{request.shown(content)}`"
    return m.put(made, content, message, *imports)._replace(shown=True)


def _made(cls: ClassInfo, name: str) -> ast.Assign | None:
    """The statement of `__init__` that sets the attribute to a number."""
    own = constructor(cls)
    for statement in own.body if own is not None else ():
        target = single_target(statement)
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Attribute) and target.attr == name:
            value = statement.value.value if isinstance(statement.value, ast.Constant) else None
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return statement
    return None


def _uses(module: Module, name: str) -> Iterator[tuple[ast.Attribute, ast.AST]]:
    """The places that name the attribute, each with what is around it."""
    for around in walk_rows(module.tree, rows_with(module.text, (name,))):
        for node in children(around):
            if isinstance(node, ast.Attribute) and node.attr == name:
                yield node, around


def _check_use(request: FixRequest, use: ast.Attribute, around: ast.AST) -> None:
    """Whether a place that names the attribute goes on with a tensor; raises NotFixable otherwise."""
    if not isinstance(use.ctx, ast.Load):
        raise NotFixable(f"`{use.attr}` {ELSEWHERE}")
    others = [around.left, around.right] if isinstance(around, ast.BinOp) else []
    if not any(other is not use and isinstance(request.value(other), Tensor) for other in others):
        raise NotFixable(f"line {use.lineno} reads `{use.attr}` as a Python number")
