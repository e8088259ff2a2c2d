"""The methods of a torch.autograd.Function as static methods."""

from __future__ import annotations

import ast

from breaklint.analysis.mutation import SEEING, sees_names
from breaklint.analysis.queries import Proof, known, required
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call
from breaklint.interp.values import Tensor
from breaklint.model import Edit, Span
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.spans import span_of
from breaklint.project.walking import dotted_name, names_in, rows_with, walk, walk_rows
from breaklint.rules.checks.autograd_methods import classmethods

WHY = "the class is not used, and `apply` calls a static method with the same arguments"
WHY_SEEN = (
    "what is done with the class beside `apply`, and the error about a wrong number of arguments, may tell a class "
    "method from a static one"
)
DIRECT = frozenset({"forward", "backward"})
# By which code reaches a class that it does not name: these calls, and these names.
SHOWING = frozenset({"globals", "locals", "vars", "eval", "exec"})
REACHING = frozenset("__subclasses__ __dict__ _forward_cls _backward_cls getmembers get_objects".split())


@fix("static-method")
def static_method(m: Match) -> Steps:
    """`@classmethod def forward(cls, ctx, x)` -> `@staticmethod def forward(ctx, x)`."""
    request, event = m.request, m.request.event
    cls = event.owner.info if isinstance(event, Call) and isinstance(event.owner, ClassValue) else None
    yield required(cls is not None, "the class is not visible here")
    assert cls is not None
    methods = classmethods(request.project, cls)
    yield Proof(WHY)
    yield known(_is_only_applied(request, cls, methods), WHY_SEEN)
    edits = [edit for method in methods for edit in _made_static(request, method)]
    return Draft("Make it a static method", tuple(edits))


def _is_only_applied(request: FixRequest, cls: ClassInfo, methods: list[FunctionInfo]) -> bool:
    """Whether the file does nothing with a class but call `apply`, or a method, with as many arguments as it takes."""
    if _reaches_classes(request):
        return False
    above = [each for each in request.project.mro(cls) if each is not cls]
    if cls.node.decorator_list or cls.node.keywords or any(isinstance(each, ClassInfo) for each in above):
        return False
    for name in walk(request.module.tree):
        if cls.name in (getattr(name, "attr", ""), getattr(name, "value", "")):  # of a module, or as a text
            return False
        if isinstance(name, ast.Name) and name.id == cls.name:
            method = request.whole.parent(name)
            call = request.whole.parent(method) if method is not None else None
            if not isinstance(method, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not method:
                return False
            called = [
                each
                for each in methods
                if each.name.rpartition(".")[2] == ("forward" if method.attr == "apply" else method.attr)
            ]
            if method.attr not in {"apply", *DIRECT} or not all(_takes(each, call, method.attr) for each in called):
                return False
    backward = next((each for each in methods if each.name.rpartition(".")[2] == "backward"), None)
    forward = cls.methods.get("forward")
    return backward is None or (forward is not None and _takes_gradients(request, backward, forward))


def _reaches_classes(request: FixRequest) -> bool:
    """Whether the file looks classes up: in namespaces, among subclasses, or by text that it runs."""
    text, tree = request.module.text, request.module.tree
    for part in walk_rows(tree, rows_with(text, SHOWING | REACHING)):
        if isinstance(part, ast.Call) and dotted_name(part.func) in SHOWING:
            return True
        if not REACHING.isdisjoint(names_in(part)):
            return True
    return False


def _takes(method: FunctionInfo, call: ast.Call, name: str) -> bool:
    """Whether a method takes as many arguments as a call gives; `apply` gives it the context, too."""
    given = len(call.args) + (name == "apply")
    plain = not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    return plain and _takes_as_many(method, given)


def _takes_gradients(request: FixRequest, backward: FunctionInfo, forward: FunctionInfo) -> bool:
    """Whether backward takes a gradient for each value that forward returns: those that are written, or a tensor."""
    returned = [each.value for each in walk(forward.node) if isinstance(each, ast.Return)]
    if not all(isinstance(each, ast.Tuple) or _is_tensor(request, each, forward) for each in returned):
        return False
    counts = {len(each.elts) if isinstance(each, ast.Tuple) else 1 for each in returned}
    starred = any(isinstance(part, ast.Starred) for each in returned if each is not None for part in walk(each))
    return len(counts) == 1 and not starred and _takes_as_many(backward, 1 + counts.pop())


def _is_tensor(request: FixRequest, node: ast.expr | None, forward: FunctionInfo) -> bool:
    """Whether what is returned is one tensor: known as one, or computed by operators from what is no row of several."""
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        rows = {forward.node.args.vararg.arg} if forward.node.args.vararg is not None else set()
        for each in walk(forward.node):
            if isinstance(each, ast.Assign) and isinstance(each.value, (ast.Tuple, ast.List, ast.ListComp)):
                rows |= {part.id for target in each.targets for part in walk(target) if isinstance(part, ast.Name)}
        return not any(isinstance(part, ast.Name) and part.id in rows for part in walk(node))
    return node is not None and isinstance(request.value(node), Tensor) and not request.may_be_none(node)


def _takes_as_many(method: FunctionInfo, given: int) -> bool:
    """Whether a class method takes so many arguments beside its class."""
    taken = method.node.args
    most, least = len(taken.args) - 1, len(taken.args) - 1 - len(taken.defaults)
    required = any(default is None for default in taken.kw_defaults)
    return not required and least <= given and (given <= most or taken.vararg is not None)


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
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    if names & {arguments[0].arg, "super", "__class__", *SEEING} or _is_asked_for(request) or sees_names(request):
        raise NotFixable("the method uses its class")
    first, second = arguments[:2]
    starts = [span_of(request.module, ast.copy_location(ast.Name(each.arg), each)).start for each in (first, second)]
    removed = Span(starts[0], starts[1])
    return [Replaced(node.decorator_list[0], "staticmethod"), Edit(removed, "")]


def _is_asked_for(request: FixRequest) -> bool:
    """Whether the file asks a method for its class."""
    parts = (part for part in walk(request.module.tree) if isinstance(part, ast.Attribute))
    return any(part.attr in ("__self__", "__func__") for part in parts)
