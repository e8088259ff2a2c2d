"""The parameters of functions, by position and by name, with their defaults."""

from __future__ import annotations

import ast
from collections.abc import Collection

from breaklint.project.module import FunctionInfo, Signature


def signature_of(info: FunctionInfo) -> Signature:
    """The signature of a function, computed once."""
    if info.signature is None:
        spec = info.node.args
        names = tuple(parameter.arg for parameter in (*spec.posonlyargs, *spec.args))
        keywords = frozenset((*names, *(parameter.arg for parameter in spec.kwonlyargs)))
        every = tuple(defaults(spec))
        open_ends = [place for place, (_, default) in enumerate(every, 1) if default is None]
        minimum = max(open_ends, default=0)
        info.signature = Signature(names, keywords, every, minimum if minimum <= len(names) else None)
    return info.signature


def why_unbound(info: FunctionInfo, count: int, keywords: Collection[str]) -> str:
    """The reason why `count` positional arguments and some keywords do not bind to the parameters, "" if they do.

    "" for a decorated function: its decorators may change the parameters.
    """
    if info.decorators:
        return ""
    signature = signature_of(info)
    if not keywords and signature.minimum is not None and signature.minimum <= count <= len(signature.names):
        return ""  # most calls
    spec, passed_names = info.node.args, frozenset(keywords)
    if count > len(signature.names) and spec.vararg is None:
        return f"takes {len(signature.names)} positional arguments, not {count}"
    if spec.kwarg is None and (unexpected := passed_names - signature.keywords):
        return f"takes no argument `{min(unexpected)}`"
    if twice := passed_names.intersection(signature.names[len(spec.posonlyargs) : count]):
        return f"is given `{min(twice)}` twice"
    for place, (parameter, default) in enumerate(signature.defaults):
        by_place = place < min(count, len(signature.names))
        if default is None and not by_place and parameter.arg not in passed_names:
            return f"is not given `{parameter.arg}`"
    return ""


def defaults(spec: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Every named parameter with its default, None if it has none."""
    positional = [*spec.posonlyargs, *spec.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults))
    return [
        *zip(positional, [*padding, *spec.defaults], strict=True),
        *zip(spec.kwonlyargs, spec.kw_defaults, strict=True),
    ]
