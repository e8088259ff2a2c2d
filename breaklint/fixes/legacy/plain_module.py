"""TorchScript taken out of a model that is compiled: torch.compile takes its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.interp.objects import class_of
from breaklint.model import Edit, Position, Span
from breaklint.project.module import ClassInfo
from breaklint.project.spans import lines_of
from breaklint.project.syntax import assigned, own_attribute, stores
from breaklint.project.walking import walk

WHY = "Python runs the code instead of TorchScript. Methods of scripted modules, such as `save`, do not exist."
ELSEWHERE = "breaklint cannot infer the other uses of the scripted module"


@fix("plain-module", unsafe=WHY)
def plain_module(m: Match) -> Draft:
    """`class Net(torch.jit.ScriptModule)` → `class Net(torch.nn.Module)`.

    Also `self.m = torch.jit.script(m)` → `self.m = m`.
    """
    cls = class_of(m.request.value(m.request.node))
    return _wrapped(m.request) if cls is None else _class(m.request, cls)


def _class(request: FixRequest, cls: ClassInfo) -> Draft:
    bases = [base for base in cls.node.bases if request.qualified(base) == "torch.jit.ScriptModule"]
    if cls.module is not request.module or not bases:
        raise NotFixable(ELSEWHERE)
    torch, imports = request.name_of("torch")
    edits: list[Change] = [Replaced(base, f"{torch}.nn.Module") for base in bases]
    edits += [_without(request, decorator) for decorator in _scripting(request, cls)]
    return Draft("Derive from `torch.nn.Module`", (*imports, *edits))


def _scripting(request: FixRequest, cls: ClassInfo) -> Iterator[ast.expr]:
    """The decorators of the class's methods that script them."""
    for method in cls.methods.values():
        yield from (
            decorator for decorator in method.decorators if request.qualified(decorator) == "torch.jit.script_method"
        )


def _without(request: FixRequest, decorator: ast.expr) -> Edit:
    row, end = decorator.lineno, (decorator.end_lineno or decorator.lineno)
    if lines_of(request.module)[row - 1].partition("#")[0].strip() != f"@{request.text(decorator)}":
        raise NotFixable("the decorator shares its line with other code")
    return Edit(Span(Position(row, 1), Position(end + 1, 1)), "")


def _wrapped(request: FixRequest) -> Draft:
    """The attribute of this class for a scripted module, at its creation."""
    name, nodes = own_attribute(request.node), walk(request.cls.node) if request.cls is not None else []
    result = [item for item in nodes if any(stores(target, name) for target in assigned(item))]
    match = request.matched(result[0], "{attribute} = torch.jit.script({module})") if len(result) == 1 else None
    if match is None or not isinstance(result[0], ast.Assign):
        raise NotFixable(ELSEWHERE)
    return Draft("Use the module itself", (Replaced(result[0].value, request.code(match["module"])),))
