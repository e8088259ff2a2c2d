"""Tensor types in docstrings, for parameters without annotation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from breaklint.interp.values import Tensor
from breaklint.project.module import FunctionInfo, ImportedName, Module
from breaklint.torchops.names import tensor_types

_TYPE: Final = r"[`~:\w]*?(?:torch\.)?(\w*Tensor)\b(?!\s*(?:\||/|or\b|\[))"
# `x (Tensor): …`, `x : torch.LongTensor` and `x: Tensor of shape`; `:param Tensor x:`; `:type x: Tensor`
_NAMED: Final = re.compile(rf"^[ \t]*[*`]*(\w+)[*`]*[ \t]*(?:\(|:[ \t])[ \t]*{_TYPE}", re.MULTILINE)
_PARAM: Final = re.compile(rf":param {_TYPE}`? (\w+):")
_TYPED: Final = re.compile(rf":type (\w+): {_TYPE}")


def documented(function: FunctionInfo) -> dict[str, Tensor]:
    """The parameters that the docstring of a function declares as tensors."""
    return function.derive(_documented)


def _documented(function: FunctionInfo) -> dict[str, Tensor]:
    text = "" if isinstance(function.node, ast.Lambda) else ast.get_docstring(function.node, clean=False) or ""
    if "Tensor" not in text or "torch" not in libraries(function.module):
        return {}
    pairs = [*_NAMED.findall(text), *_TYPED.findall(text), *((name, kind) for kind, name in _PARAM.findall(text))]
    kinds = tensor_types()
    return {
        name: Tensor("" if kind == "Tensor" else kinds.get(kind, ""))
        for name, kind in reversed(pairs)
        if kind == "Tensor" or kind in kinds
    }


class _Libraries(frozenset[str]):
    """The libraries that a file imports at its top level."""


def libraries(module: Module) -> frozenset[str]:
    """The libraries that a file imports at its top level, by the first parts of their names."""
    return module.derive(_Libraries, lambda: _Libraries(_imported(module)))


def _imported(module: Module) -> Iterator[str]:
    for bound in module.names.values():
        if isinstance(bound, ImportedName):
            yield bound.qualified.partition(".")[0]
