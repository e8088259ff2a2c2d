"""print() as an operator of the graph: `torch._higher_order_ops.print(format, …)` prints in eager mode as well."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.logging.log_calls import check_alone
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import quoted
from breaklint.interp.values import constant_kind
from breaklint.project.syntax import text_of

# Kinds of Python constants, not operators.
PLAIN = ("int", "float", "bool", "str")
WHY = "It needs torch 2.11. Compiled code prints a tensor without its `grad_fn`."


@fix("graph-print", unsafe=WHY)
def graph_print(m: Match) -> Draft:
    """`print(a)` → `torch._higher_order_ops.print("{!s}", a)`, with `log-fix = "in-graph"`."""
    request = m.request
    if request.settings.log_fix != "in-graph":
        raise NotFixable
    check_alone(m)
    call = request.call
    m.require(request.qualified(call.func) == "builtins.print", "only print has an operator in the graph")
    texts, values = zip(*(_part(request, argument) for argument in call.args), strict=True) if call.args else ((), ())
    template = _separator(request, call).join(texts)
    given = [request.code(value) for several in values for value in several]
    torch, imports = request.name_of("torch")
    content = f"{torch}._higher_order_ops.print({', '.join([quoted(template), *given])})"
    return m.exchanged(call, content, "Print in the graph", *imports)


def _separator(request: FixRequest, call: ast.Call) -> str:
    given = {keyword.arg: text_of(keyword.value) for keyword in call.keywords}
    for name, text in given.items():
        if text is None or (name != "sep" and (name, text) != ("end", "\n")):
            raise NotFixable(f"the operator has no `{name}`")
    return _escaped(given.get("sep", " ") or "")


def _part(request: FixRequest, argument: ast.expr) -> tuple[str, list[ast.expr]]:
    """The template of an argument and the values it takes."""
    if isinstance(argument, ast.Constant):
        return _escaped(str(argument.value)), []
    if isinstance(argument, ast.JoinedStr):
        parts = [_piece(request, piece) for piece in argument.values]
        return "".join(text for text, _ in parts), [value for _, values in parts for value in values]
    return _field(request, argument, "!s", ""), [argument]


def _piece(request: FixRequest, piece: ast.expr) -> tuple[str, list[ast.expr]]:
    if isinstance(piece, ast.Constant):
        return _escaped(str(piece.value)), []
    assert isinstance(piece, ast.FormattedValue)
    spec = piece.format_spec
    pieces = spec.values if isinstance(spec, ast.JoinedStr) else []
    if not all(isinstance(item, ast.Constant) for item in pieces):
        raise NotFixable("a format is computed")
    conversion = f"!{chr(piece.conversion)}" if piece.conversion != -1 else ""
    written = "".join(str(item.value) for item in pieces if isinstance(item, ast.Constant))
    return _field(request, piece.value, conversion, f":{written}" if written else ""), [piece.value]


def _field(request: FixRequest, node: ast.expr, conversion: str, spec: str) -> str:
    """The place of a value that a graph may hold: a tensor, or a plain Python value."""
    known = constant_kind(request.value(node)) in PLAIN
    if isinstance(node, ast.Starred) or not (known or request.tensor(node) is not None):
        raise NotFixable(f"breaklint cannot infer that `{request.text(node)}` is a tensor or a plain value")
    return f"{{{conversion}{spec}}}"


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
