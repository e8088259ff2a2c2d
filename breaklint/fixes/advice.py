"""Code for findings that a person has to decide about: shown with what it changes, never written."""

from __future__ import annotations

import ast
from dataclasses import replace

from breaklint.fixes import logic
from breaklint.fixes.base import DISPLAY, Declined, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.scope import single_target
from breaklint.fixes.side_effects import guard_compiling
from breaklint.interp.values import Tensor
from breaklint.model import Edit, Fix

ROOTS = frozenset({"numpy.sqrt"})
LOGARITHMS = frozenset(
    f"{library}.{name}" for library in ("math", "numpy") for name in ("log", "log2", "log10", "log1p", "exp")
)


def show_guard(request: FixRequest) -> Outcome:
    """A call that does something, under `if not torch.compiler.is_compiling():`."""
    outcome = guard_compiling(request)
    return outcome if isinstance(outcome, Declined) else replace(outcome, applicability=DISPLAY)


def show_selection(request: FixRequest) -> Outcome:
    """`any(tensors)`, `v in x` and `t.is_nonzero()` as tensors, with which torch.where can select."""
    node = request.node
    assert isinstance(node, ast.expr)
    if isinstance(node, ast.Compare):
        return _shown(request, node, _contained(request, node))
    if not isinstance(node, ast.Call):
        raise NotFixable(request.rule.fix_why)
    return _shown(request, node, _reduced(request, node))


def _contained(request: FixRequest, node: ast.Compare) -> str:
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        raise NotFixable(request.rule.fix_why)
    item = request.text(node.left) if isinstance(node.left, ast.Constant) else request.operand(node.left)
    content = f"({request.operand(node.comparators[0])} == {item}).any()"
    return f"~{content}" if isinstance(node.ops[0], ast.NotIn) else content


def _reduced(request: FixRequest, call: ast.Call) -> str:
    name = request.qualified(call.func)
    method = call.func if isinstance(call.func, ast.Attribute) and not name else None
    tested = call.args[:1] if name == "torch.is_nonzero" else [method.value] if method is not None else []
    if tested and (name or (method is not None and method.attr in ("is_nonzero", "__bool__"))):
        tensor = request.tensor(tested[0])
        content = request.operand(tested[0])
        return content if tensor is not None and tensor.dtype == "bool" else f"{content} != 0"
    if name not in ("builtins.any", "builtins.all") or len(call.args) != 1:
        raise NotFixable(request.rule.fix_why)
    torch, _ = request.name_of("torch")
    items = call.args[0]
    listed = request.text(items)
    if isinstance(items, ast.GeneratorExp):
        listed = f"[{listed.removeprefix('(').removesuffix(')') if listed.startswith('(') else listed}]"
    return f"{torch}.stack({listed}).{name.rpartition('.')[2]}()"


def show_literal(request: FixRequest) -> Outcome:
    """The message of `torch._check` without its values."""
    call = request.node
    message = call.args[1] if isinstance(call, ast.Call) and len(call.args) == 2 else None
    said = message.body if isinstance(message, ast.Lambda) else message
    if message is None or said is None:
        raise NotFixable(request.rule.fix_why)
    text = request.text(said) if isinstance(said, ast.Constant) else logic.literal(said)
    return _shown(request, message, f"lambda: {text}")


def show_without_gradient(request: FixRequest) -> Outcome:
    """`torch.zeros(n, requires_grad=True)` -> `torch.zeros(n)`."""
    call = request.node
    assert isinstance(call, ast.Call)
    kept = [request.text(argument) for argument in call.args]
    kept += [f"{each.arg}={request.text(each.value)}" for each in call.keywords if each.arg != "requires_grad"]
    if any(keyword.arg is None for keyword in call.keywords):
        raise NotFixable("what its keywords are is not visible here")
    return _shown(request, call, f"{request.text(call.func)}({', '.join(kept)})")


def show_straight_through(request: FixRequest) -> Outcome:
    """`y.data = v` -> `y = y + (v - y).detach()`: the value of v, the gradient of y."""
    statement = request.statement()
    target = single_target(statement)
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Attribute):
        raise NotFixable(request.rule.fix_why)
    if not isinstance(target.value, ast.Name) or not isinstance(request.value(statement.value), Tensor):
        raise NotFixable(request.rule.fix_why)
    name = target.value.id
    content = f"{name} = {name} + ({request.operand(statement.value)} - {name}).detach()"
    return request.rewrite(statement, statement, content, _verdict(request, content))


def show_symbolic(request: FixRequest) -> Outcome:
    """`np.sqrt(n)` -> `n**0.5`, `math.log(n)` -> `torch.tensor(n).log()`, for a size."""
    call = request.node
    assert isinstance(call, ast.Call)
    name = request.qualified(call.func)
    if len(call.args) != 1 or call.keywords:
        raise NotFixable(request.rule.fix_why)
    if name in ROOTS:
        return _shown(request, call, f"{request.operand(call.args[0])} ** 0.5")
    if name not in LOGARITHMS:
        raise NotFixable(request.rule.fix_why)
    torch, imports = request.name_of("torch")
    content = f"{torch}.tensor({request.text(call.args[0])}).{name.rpartition('.')[2]}()"
    return _shown(request, call, content, imports)


def _shown(request: FixRequest, node: ast.expr, content: str, imports: tuple[Edit, ...] = ()) -> Fix:
    return request.replace(node, content, _verdict(request, content), imports)


def _verdict(request: FixRequest, content: str) -> Verdict:
    short = " ".join(content.split())
    return Verdict(DISPLAY, request.rule.fix_why, f"Write `{short}`")
