"""How Dynamo traces functions of a size that varies (symbolic, compiled for each value, or a graph break), and
functions of a number that is read from a tensor in the graph."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import torch

from .dynamo import identify

ROWS = (3, 5, 7, 11)
OF_ONE = (
    "log", "log2", "log10", "log1p", "exp", "expm1", "exp2", "sqrt", "cbrt", "sin", "cos", "tan", "atan", "tanh",
    "sinh", "floor", "ceil", "trunc", "fabs", "gamma", "lgamma", "erf", "isqrt", "factorial", "degrees", "radians",
    "isfinite", "isnan", "isinf", "frexp", "modf", "ulp",
)  # fmt: skip
OF_TWO = (
    "pow", "gcd", "lcm", "comb", "perm", "fmod", "copysign", "hypot", "atan2", "ldexp", "isclose", "remainder",
    "nextafter",
)  # fmt: skip
BUILTINS = (
    "abs", "bin", "bool", "bytearray", "bytes", "chr", "complex", "divmod", "float", "format", "hash", "hex", "int",
    "oct", "pow", "range", "repr", "round", "str",
)  # fmt: skip
METHODS = ("bit_length", "bit_count", "conjugate")


def sizes() -> dict[str, str]:
    """For each function `symbolic`, `specialized` or the id of a graph break."""
    return {name: _measured(function) for name, function in sorted({**functions(), **of_builtins()}.items())}


def numbers() -> dict[str, str]:
    """For each function `traced`, the id of the graph break of a call with `x.sum().item()`, or `error`."""
    return {name: _of_number(function) for name, function in sorted({**functions(), **of_builtins()}.items())}


def of_builtins() -> dict[str, Callable[[Any], Any]]:
    """The builtins of an integer, by name."""
    results = {f"builtins.{name}": getattr(builtins, name) for name in BUILTINS}
    return {**results, **{name: _with_two(results[name]) for name in ("builtins.divmod", "builtins.pow")}}


def functions() -> dict[str, Callable[[Any], Any]]:
    """The functions of an integer, by name."""
    results: dict[str, Callable[[Any], Any]] = {}
    for name in OF_ONE:
        results[f"math.{name}"] = getattr(math, name)
    for name in OF_TWO:
        results[f"math.{name}"] = _with_two(getattr(math, name))
    for name in METHODS:
        results[f"int.{name}"] = _method(name)
    return results


def _of_number(function: Callable[[Any], Any]) -> str:
    torch._dynamo.reset()

    def of_number(x: torch.Tensor) -> torch.Tensor:
        function(x.sum().item())
        return x + 1

    try:
        torch.compile(of_number, backend="eager", fullgraph=True)(torch.ones(3, dtype=torch.int64))
    except torch._dynamo.exc.TorchDynamoException as error:
        return identify(error) or "error"
    except Exception:  # noqa: BLE001 (it works without the compiler)
        return "error"
    return "traced"


def _with_two(function: Callable[[int, int], Any]) -> Callable[[int], Any]:
    return lambda size: function(size, 2)


def _method(name: str) -> Callable[[int], Any]:
    return lambda size: getattr(size, name)()


def _measured(function: Callable[[int], Any]) -> str:
    torch._dynamo.reset()
    graphs = []

    def keep(graph: torch.fx.GraphModule, _inputs: object) -> torch.fx.GraphModule:
        graphs.append(graph)
        return graph

    def of_size(x: torch.Tensor) -> torch.Tensor:
        value = function(x.shape[0])
        value = value[0] if isinstance(value, tuple) else value
        return x * value if isinstance(value, (int, float)) else x * len(value)

    compiled = torch.compile(of_size, backend=keep, fullgraph=True, dynamic=True)
    try:
        for rows in ROWS:
            compiled(torch.ones(rows, 3))
    except torch._dynamo.exc.TorchDynamoException as error:
        return identify(error) or "error"
    return "specialized" if len(graphs) >= len(ROWS) else "symbolic"
