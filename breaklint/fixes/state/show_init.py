"""Modules and parameters that forward creates at every call, shown in `__init__`."""

from __future__ import annotations

import ast

from breaklint.analysis.attributes import constructor
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.lines import ends_line
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Below
from breaklint.interp.objects import Instance
from breaklint.project.scope import single_name
from breaklint.project.walking import walk


@fix("show-init")
def show_init(m: Match) -> Draft:
    """`nn.Linear(8, 3)(x)` → `self.linear = nn.Linear(8, 3)` in `__init__`, and `self.linear(x)`."""
    request, call = m.request, m.request.call
    owner = request.event.frame.owner
    cls = owner.cls if isinstance(owner, Instance) else None
    if cls is None or cls.module is not request.module:
        raise NotFixable("it is not created in a method of a module of this file")
    root = request.scope.root
    receiver = root.args.args[0].arg if isinstance(root, ast.FunctionDef) and root.args.args else ""
    _check_arguments(request, call, receiver)
    own = constructor(cls)
    if own is None or not receiver or own.args.args[0].arg != receiver:
        raise NotFixable(f"its class has no `__init__` that could make it: {request.rule.fix_why}")
    name = _name(request, call)
    if any(isinstance(node, ast.Attribute) and node.attr == name for node in walk(cls.node)):
        raise NotFixable(f"the name `{receiver}.{name}` is taken")
    last = own.body[-1]
    line = f"{receiver}.{name} = {request.code(call)}"
    if not ends_line(request.module, last):
        raise NotFixable("the last line of `__init__` holds more than one statement")
    message = f"Make it in `__init__`: `{request.shown(line)}`"
    return m.exchanged(call, f"{receiver}.{name}", message, Below(last, line))._replace(shown=True)


def _check_arguments(request: FixRequest, call: ast.Call, receiver: str) -> None:
    """Raises NotFixable if an argument has a value only in forward."""
    for part in (part for argument in (*call.args, *call.keywords) for part in walk(argument)):
        if isinstance(part, ast.Name) and part.id != receiver and request.scope.binds(part.id):
            raise NotFixable(f"`{part.id}` has a value only at the call")


def _name(request: FixRequest, call: ast.Call) -> str:
    """The name that forward gives it, or that of its class."""
    enclosing = request.scope.parent(call)
    if (name := single_name(enclosing)) is not None:
        return name
    short = request.text(call.func).rpartition(".")[2]
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in short).lstrip("_")
