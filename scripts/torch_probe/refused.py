"""Functions and methods of tensors that Dynamo does not trace, whatever the data of the tensors is."""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import torch
from torch._dynamo.exc import Unsupported

from .calls import Call, aten_names, calls
from .dynamo import identify
from .operators import DTYPES, OVERRIDABLE, SHAPES, public_functions, public_methods, sample
from .operators import UNTRIED as HARMFUL

# Breaks of data: the value or the shape of the result depends on it, which rules of their own are about; and in-place
# views of inputs.
OF_DATA = frozenset({"GB0033", "GB0036", "GB0072", "GB0109", "GB0124", "GB0148", "GB0170", "GB0246"})
# Methods of which one call is no example of the others, and those that end this process.
UNTRIED = HARMFUL | {"apply_", "map_", "map2_", "backward", "register_hook", "resize_", "resize_as_", "requires_grad_"}
CALLABLE = (FunctionType, BuiltinFunctionType)  # no class, and no module


def refused() -> dict[str, str]:
    """The functions of torch and the methods of Tensor that are not traced, each with the id of the graph break."""
    breaks = {}
    for name, function in public_functions():
        if isinstance(function, CALLABLE) and (function in OVERRIDABLE or aten_names(name)):
            breaks[f"{name}()"] = of_operator(name.rpartition(".")[2], function)
    for name, method in public_methods():
        if not isinstance(method, type):
            breaks[f"torch.Tensor.{name}()"] = of_operator(name, bound(name))
    return {name: row for name, row in breaks.items() if row}


def bound(name: str) -> Callable[..., Any]:
    """A method, called on its first argument."""
    return lambda x, *arguments, **keywords: getattr(x, name)(*arguments, **keywords)


def of_operator(name: str, function: Callable[..., Any]) -> str:
    """The graph break of the first call of an operator that works, "" if it is traced or breaks for its data."""
    call = None if name in UNTRIED else first_call(name, function)
    if call is None:
        return ""
    torch._dynamo.reset()
    arguments, keywords = call
    tensors = [item for item in arguments if isinstance(item, torch.Tensor)]

    def traced(*tensors: torch.Tensor) -> torch.Tensor:
        values = iter(tensors)
        function(*[next(values) if isinstance(item, torch.Tensor) else item for item in arguments], **keywords)
        return tensors[0] + 1 if tensors else torch.ones(2)

    try:
        torch.compile(traced, backend="eager", fullgraph=True)(*tensors)
    except Unsupported as error:
        row = identify(error)
        return "" if row in OF_DATA else row
    except Exception:  # noqa: BLE001 (the arguments of a fake tensor need not fit)
        return ""
    return ""


def first_call(name: str, function: Callable[..., Any]) -> Call | None:
    """The arguments of the first call that works."""
    for x in (sample(shape, dtype) for shape in SHAPES for dtype in DTYPES):
        for arguments, keywords in calls(name, x):
            try:
                function(*arguments, **keywords)
            except Exception:  # noqa: BLE001 (these arguments do not fit)
                continue
            return arguments, keywords
    return None
