"""Facts about the classes of torch.nn: the results of their forward, and whether Dynamo traces it."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from .dynamo import identify
from .operators import annotated
from .results import describe

CONSTRUCTIONS: tuple[tuple[Any, ...], ...] = (
    (),
    (4,),
    (4, 4),
    (2,),
    (4, 4, 1),
    (4, 2),
    (4, 4, 4),
    (4, 2, 4, 4),
    (3, 1.0),
)
CONSTRUCTIONS += (([4],), (1, 2, 2), (2, 8), (2, 2), ((4, 4), 1), (0.5,), (1, 0.5), (0.5, 0.5), (4, [2]))
SHAPES = ((4, 4), (2, 4, 4), (2, 4, 4, 4), (2, 4, 4, 4, 4), (4,))


def modules() -> dict[str, str]:
    """A row for every module class: its result, and `unsupported:GB…` if Dynamo does not trace it."""
    rows = {}
    for name in sorted(dir(torch.nn)):
        kind = getattr(torch.nn, name)
        if isinstance(kind, type) and issubclass(kind, torch.nn.Module) and kind is not torch.nn.Module:
            rows[f"torch.nn.{name}"] = row(kind)
    return rows


def row(kind: type[torch.nn.Module]) -> str:
    """The class's row, from the first construction and the first inputs that fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for arguments in CONSTRUCTIONS:
            try:
                module = kind(*arguments).eval()
            except Exception:  # noqa: BLE001 (these arguments do not fit the class)
                continue
            if result := outcome(module, keeps_shape=not arguments):
                return result
    return " ".join(annotated(kind.forward)) or "other"


def outcome(module: torch.nn.Module, keeps_shape: bool) -> str:
    """The result for the first inputs that fit and that Dynamo traces, or else for the first that fit."""
    result = []
    for x in (torch.rand(shape) for shape in SHAPES):
        for inputs in ((x,), (x, x), (x, x.long()), (x, x, x), (x.long(),)):
            try:
                output = module(*inputs)
            except Exception:  # noqa: BLE001 (these inputs do not fit the module)
                continue
            words = describe({torch.float32: output}, x, range(2, 4))
            words = words if keeps_shape else words.replace("/same/same", "/same/rank")
            if not (why := unsupported(module, inputs)):
                return words
            result.append(words + why)
    return result[0] if result else ""


def unsupported(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> str:
    """The id of the graph break in the module's forward, if any."""
    torch._dynamo.reset()
    try:
        torch.compile(module, backend="eager", fullgraph=True)(*inputs)
    except torch._dynamo.exc.Unsupported as error:
        return f" unsupported:{identify(error)}"
    except Exception:  # noqa: BLE001 (fails for another reason than a graph break)
        return ""
    return ""
