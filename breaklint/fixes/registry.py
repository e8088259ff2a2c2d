"""The kinds of fixes: `torch-where` is defined by branches/torch_where.py, imported at its first use."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from breaklint import fixes
from breaklint.errors import CardError
from breaklint.fixes.base import (
    CODEMODS,
    DISPLAY,
    SAFE,
    UNSAFE,
    Codemod,
    Declined,
    FixRequest,
    NotFixable,
    Outcome,
    Rewrite,
)
from breaklint.fixes.branches.conditions import breaking_branch
from breaklint.fixes.rewrite import changed_nodes
from breaklint.model import Effect

# The folders of the codemods.
FAMILIES = "branches legacy logging masks randomness scalars state".split()
TEMPLATE = "template"  # the kind of fix that a card writes out itself
OF_SOURCE = frozenset({"numba", "taichi", "triton", "warp"})  # libraries whose decorators compile functions
REPLACED = "The file stores into a module that it imports."


def kinds() -> list[str]:
    """Every kind of fix that a card may name."""
    from pkgutil import walk_packages  # a caller that needs all of them loads all

    for module in walk_packages(fixes.__path__, f"{fixes.__name__}."):
        if module.name.split(".")[2] in FAMILIES:
            import_module(module.name)
    return sorted(CODEMODS)


def fix_for(request: FixRequest) -> Outcome:
    """The fix of a finding. CardError when its card names a kind that does not exist."""
    if isinstance(request.node, ast.Call) and request.qualified(request.node.func).startswith("torch.Tensor."):
        return Declined("the method is called by its class; call it on the tensor")
    outcome = _outcome(request)
    if not isinstance(outcome, Rewrite):
        return outcome
    if name := _ambiguous_name(request):
        return Declined(f"the name `{name}` may mean something else here")
    if compiler := _compiled_by(request):
        return Declined(f"`{compiler}` compiles the source of the function")
    if outcome.applicability is not DISPLAY and breaking_branch(request, changed_nodes(outcome)):
        return Declined("the enclosing branch breaks the graph as well")
    if outcome.applicability is SAFE and request.bindings.stores_in_imports:
        return outcome._replace(applicability=UNSAFE, why=REPLACED)
    return outcome


def _ambiguous_name(request: FixRequest) -> str:
    """A name in the function around the finding that the file binds to different things, or ""."""
    bindings, node, whole = request.bindings, request.node, request.whole
    return min((name for name in request.scope.read_names if bindings.is_ambiguous(name, node, whole)), default="")


def _compiled_by(request: FixRequest) -> str:
    """The decorator that compiles the source around a finding without torch modules, or ""."""
    for parent in request.whole.parents(request.node):
        for item in getattr(parent, "decorator_list", ()):
            name = request.qualified(item.func if isinstance(item, ast.Call) else item)
            if name.partition(".")[0] in OF_SOURCE:
                return name
    return ""


def _is_written(outcome: Outcome | None) -> bool:
    return isinstance(outcome, Rewrite) and outcome.applicability is not DISPLAY


def _outcome(request: FixRequest) -> Outcome:
    """The first fix of the card's alternatives; declined with the first reason.

    A break may be in a check that only eager mode needs; such a fix is better than one that is only shown.
    """
    rule = request.rule
    outcome = _first(request, rule.fix_alternatives or (rule.fix_kind,))
    if not _is_written(outcome) and rule.effect is Effect.BREAK:
        guard = _first(request, ["raise-guard", "eager-branch"])
        outcome = guard if isinstance(guard, Rewrite) else outcome
    return outcome or Declined(rule.fix_why)


def _first(request: FixRequest, alternatives: Sequence[str]) -> Outcome | None:
    """The fix of the first alternative that has one, else the first reason for none; None without a reason."""
    declined: Declined | None = None
    for kind in alternatives:
        try:
            return _codemod(request.rule.code, kind).make(request)._replace(kind=kind)
        except NotFixable as reason:
            reason.__traceback__ = None  # its frames may refer to it
            declined = declined or (Declined(str(reason)) if str(reason) else None)
    return declined


@cache
def _codemod(code: str, kind: str) -> Codemod:
    if kind == TEMPLATE:
        from breaklint.fixes.template import replaced  # few cards have one

        return Codemod(replaced)
    name = kind.replace("-", "_")
    for family in FAMILIES if name.isidentifier() else ():
        if find_spec(f"{fixes.__name__}.{family}.{name}") is not None:
            import_module(f"{fixes.__name__}.{family}.{name}")
    if kind not in CODEMODS:
        raise CardError(f"card {code}: fix.kind `{kind}` does not exist; the kinds are {', '.join(kinds())}")
    return CODEMODS[kind]
