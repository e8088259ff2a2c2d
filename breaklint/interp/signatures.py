"""The parameters of functions, by place and by name, with their defaults."""

from __future__ import annotations

import ast

from breaklint.project.module import FunctionInfo, Signature


def signature_of(info: FunctionInfo) -> Signature:
    """The signature of a function, worked out once."""
    if info.signature is None:
        spec = info.node.args
        names = tuple(parameter.arg for parameter in (*spec.posonlyargs, *spec.args))
        known = frozenset((*names, *(parameter.arg for parameter in spec.kwonlyargs)))
        info.signature = Signature(names, known, tuple(defaults(spec)))
    return info.signature


def defaults(spec: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Every named parameter with its default, None where it has none."""
    positional = [*spec.posonlyargs, *spec.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults))
    return [
        *zip(positional, [*padding, *spec.defaults], strict=True),
        *zip(spec.kwonlyargs, spec.kw_defaults, strict=True),
    ]
