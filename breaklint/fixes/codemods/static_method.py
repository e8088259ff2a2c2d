"""The methods of a torch.autograd.Function as static methods."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, FixRequest, NotFixable, Outcome, Rewrite, codemod
from breaklint.fixes.proofs.mutation import SEEING
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call
from breaklint.model import Edit, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import span_of
from breaklint.rules.checks.autograd_methods import classmethods

WHY = "the class is not used, and `apply` and `super()` call a static method with the same arguments"


@codemod
def static_method(request: FixRequest) -> Outcome:
    """`@classmethod def forward(cls, ctx, x)` -> `@staticmethod def forward(ctx, x)`."""
    event = request.event
    if not isinstance(event, Call) or not isinstance(event.owner, ClassValue):
        raise NotFixable("the class is not visible here")
    methods = classmethods(event.frame.interp.project, event.owner.info)
    edits = [edit for method in methods for edit in _made_static(request, method)]
    return Rewrite(SAFE, "Make it a static method", WHY, tuple(edits))


def _made_static(request: FixRequest, method: FunctionInfo) -> list[Change]:
    node = method.node
    if not isinstance(node, ast.FunctionDef) or method.module is not request.module:
        raise NotFixable("it stands in another file")
    arguments = [*node.args.posonlyargs, *node.args.args]
    if len(node.decorator_list) != 1 or len(arguments) < 2 or node.args.posonlyargs:
        raise NotFixable("it is more than a plain class method")
    builtins = [
        request.bindings.qualified(name, node.decorator_list[0], request.whole)
        for name in ("classmethod", "staticmethod")
    ]
    if builtins != ["builtins.classmethod", "builtins.staticmethod"]:
        raise NotFixable("the name `staticmethod` means something else here")
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    if names & {arguments[0].arg, "super", "__class__", *SEEING} or _is_asked_for(request):
        raise NotFixable("the method uses its class")
    first, second = arguments[:2]
    starts = [span_of(request.module, ast.copy_location(ast.Name(each.arg), each)).start for each in (first, second)]
    removed = Span(starts[0], starts[1])
    return [Replaced(node.decorator_list[0], "staticmethod"), Edit(removed, "")]


def _is_asked_for(request: FixRequest) -> bool:
    """Whether the file asks a method for its class."""
    parts = (part for part in ast.walk(request.module.tree) if isinstance(part, ast.Attribute))
    return any(part.attr in ("__self__", "__func__") for part in parts)
