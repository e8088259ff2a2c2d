"""Calls that print, log or warn, as statements of their own."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest
from breaklint.fixes.protocol import Draft, Match
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.interp.values import ExternalInstance, Number, Tensor
from breaklint.project.syntax import leaves, text_of
from breaklint.project.walking import walk

SAME = "Eager mode does the same as before."
UNLOGGED = "The compiled model does not log this, and does not evaluate its arguments."
TELLING = frozenset({"builtins.print", "warnings.warn"})
QUIET = ("print", "debug", "info")  # how the names of calls begin that nobody relies on in production
FILTERS = ("warnings.simplefilter", "warnings.filterwarnings")
DOING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def check_alone(m: Match) -> None:
    """Decline if the result of the flagged call is used. It is not in `print(x)` and `self.debug and print(x)`."""
    statement = m.request.statement()
    value = statement.value if isinstance(statement, ast.Expr) else None
    while value is not m.request.node and isinstance(value, (ast.BoolOp, ast.IfExp)):
        *others, last = value.values if isinstance(value, ast.BoolOp) else (value.test, value.orelse, value.body)
        value = last if all(is_pure(m.request, other) for other in others) else None
    m.require(value is m.request.node, "its result is used")


def is_telling(request: FixRequest, branch: ast.If) -> bool:
    """Whether an `if` without other branches does nothing but print, log or warn."""
    plain = request.is_single(branch)
    doing = any(isinstance(part, DOING) for part in walk(branch))
    return plain and not doing and all(_tells(request, statement) for statement in branch.body)


def _tells(request: FixRequest, statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return all(_tells(request, item) for item in (*statement.body, *statement.orelse))
    call = statement.value if isinstance(statement, ast.Expr) else None
    return _is_output(request, call) if isinstance(call, ast.Call) else isinstance(statement, ast.Pass)


def _is_output(request: FixRequest, call: ast.Call) -> bool:
    """Whether a call prints, logs or warns."""
    name = request.qualified(call.func)
    owner = request.value(call.func.value) if isinstance(call.func, ast.Attribute) else None
    logs = isinstance(owner, ExternalInstance) and owner.cls.startswith(("logging.", "loguru."))
    return logs or name in TELLING or name.startswith("logging.")


def warns(request: FixRequest, tree: ast.AST) -> bool:
    """Whether a call in a piece of code logs a warning, an error or worse."""
    calls = (part for part in walk(tree) if isinstance(part, ast.Call) and _is_output(request, part))
    return not all(request.text(call.func).rpartition(".")[2].startswith(QUIET) for call in calls)


def only_computes(request: FixRequest, tree: ast.AST) -> bool:
    """Whether the conditions and arguments in code that prints or logs have no side effects."""
    calls = (part for part in walk(tree) if isinstance(part, ast.Call) and _is_output(request, part))
    arguments = [argument for call in calls for argument in (*call.args, *call.keywords)]
    tests = [part.test for part in walk(tree) if isinstance(part, ast.If)]
    return all(is_pure(request, part) for part in (*arguments, *tests))


def may_be_caught(request: FixRequest, statement: ast.stmt) -> bool:
    """Whether a handler around a statement continues if a call or an index in its arguments raises."""
    inner: ast.AST = statement
    for parent in request.scope.parents(statement):
        if isinstance(parent, ast.Try) and parent.handlers and inner in parent.body:
            parts = walk(statement)[2:]  # below the statement and its call
            return any(isinstance(part, (ast.Call, ast.Subscript)) for part in parts)
        inner = parent
    return False


def is_of_data(request: FixRequest, test: ast.expr) -> bool:
    """Whether a condition reads a tensor, or a number from a tensor."""
    return any(isinstance(request.value(part), (Tensor, Number)) for part in leaves(test))


def only_in_eager(request: FixRequest, branch: ast.If, why: str = "") -> Draft:
    """An `if` whose condition is evaluated only when not compiling."""
    torch, imports = request.name_of("torch")
    test = f"not {torch}.compiler.is_compiling()"
    changes: tuple[Change, ...] = (*imports, Replaced(branch.test, f"{test} and {request.code(branch.test)}"))
    return Draft("Do it only when not compiling" + (f"; {why}" if why else ""), changes)


def under_guard(m: Match, why: str = "") -> Draft:
    """The flagged statement under `if not torch.compiler.is_compiling():`."""
    check_alone(m)
    statement = m.request.statement()
    doing = any(isinstance(node, DOING) for node in walk(statement))
    m.require(not doing, "its arguments do more than give a value")
    torch, imports = m.request.name_of("torch")
    test = f"if not {torch}.compiler.is_compiling():"
    message = f"Put it under `{test}`" + (f"; {why}" if why else "")
    return m.put(statement, f"{test}\n    {m.request.code(statement)}", message, *imports)


def is_local_filter(m: Match) -> bool:
    """Whether a statement ignores warnings, and only inside `with warnings.catch_warnings():`."""
    request, call = m.request, m.request.node
    if not isinstance(call, ast.Call) or request.qualified(call.func) not in FILTERS or not call.args:
        return False
    managers = [
        request.qualified(item.context_expr.func)
        for parent in request.scope.parents(call)
        if isinstance(parent, ast.With)
        for item in parent.items
        if isinstance(item.context_expr, ast.Call)
    ]
    return text_of(call.args[0]) == "ignore" and "warnings.catch_warnings" in managers
