"""The result of a call put into words: `tensor/bool/scalar`, `(tensor/same/less,tensor/int/less)`, `float`, `size`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch

PLAIN: tuple[tuple[type, str], ...] = (
    (torch.Size, "size"),
    (bool, "bool"),
    (int, "int"),
    (float, "float"),
    (complex, "complex"),
    (str, "string"),
    (torch.dtype, "dtype"),
    (torch.device, "device"),
    (torch.layout, "layout"),
    (type(None), "none"),
)


def describe(outputs: dict[torch.dtype, Any], x: torch.Tensor, counts: Collection[int] = ()) -> str:
    """One description of the results of a call for inputs of several dtypes, each shaped like `x`.

    `counts` are the possible numbers of results in the schemas, which distinguish a pair from a list of two.
    """
    first = next(iter(outputs.values()))
    if isinstance(first, torch.Tensor):
        dtypes = {source: output.dtype for source, output in outputs.items() if isinstance(output, torch.Tensor)}
        return f"tensor/{dtype_class(dtypes)}/{shape_class(first, x)}"
    if isinstance(first, (tuple, list)) and not isinstance(first, torch.Size):
        if all(isinstance(item, int) for item in first) and first:
            return "size"
        return sequence(outputs, x, counts)
    words = {next((word for kind, word in PLAIN if isinstance(output, kind)), "other") for output in outputs.values()}
    return words.pop() if len(words) == 1 else "number" if words <= {"bool", "int", "float", "complex"} else "other"


def sequence(outputs: dict[torch.dtype, Any], x: torch.Tensor, counts: Collection[int]) -> str:
    """A tuple of fixed length as `(a,b)`; a list, or a tuple as long as a dimension, as `[item]`."""
    first = next(iter(outputs.values()))
    same = {source: out for source, out in outputs.items() if isinstance(out, type(first)) and len(out) == len(first)}
    items = [
        describe({source: output[place] for source, output in same.items()}, x, counts) for place in range(len(first))
    ]
    fixed = (
        type(first).__module__ == "torch.return_types"
        or len(set(items)) > 1
        or (len(first) > 1 and len(first) in counts)
    )
    if isinstance(first, tuple) and items and fixed:
        return f"({','.join(items)})"
    return f"[{items[0] if items else 'tensor//'}]"


def dtype_class(dtypes: dict[torch.dtype, torch.dtype]) -> str:
    """How the result's dtype follows from the input's.

    `sum`: bool and small ints become int64; `float`: ints become float; `fixed`: neither, the same for every input.
    """
    results = set(dtypes.values())
    if all(source == result for source, result in dtypes.items()):
        return "same"
    if results == {torch.bool}:
        return "bool"
    if results <= {torch.int64, torch.int32}:
        return "int"
    if all(result.is_floating_point for result in results):
        return "float"
    if all(result.is_complex for result in results):
        return "complex"
    if dtypes.get(torch.int64) == torch.int64 and dtypes.get(torch.float32) == torch.float32:
        return "sum"
    return "other"


def shape_class(output: torch.Tensor, x: torch.Tensor) -> str:
    """How the result's shape follows from that of `x`.

    `same`; `scalar`: 0-dim; `less`: a dimension gone; `rank`: as many dimensions, of other sizes; `other`.
    """
    if output.shape == x.shape:
        return "same"
    if output.ndim == 0:
        return "scalar"
    if output.ndim == x.ndim:
        return "rank"
    shrunk = [torch.Size([*x.shape[:place], *x.shape[place + 1 :]]) for place in range(x.ndim)]
    return "less" if output.shape in shrunk else "other"
