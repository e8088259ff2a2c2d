"""Arguments to try a torch operator with, taken from its ATen schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

Call = tuple[tuple[Any, ...], dict[str, Any]]
MAX_CALLS = 12


def schemas_by_name() -> dict[str, list[Any]]:
    """Every ATen operator's schemas, keyed by its name without `aten::`."""
    results: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            results.setdefault(schema.name.removeprefix("aten::"), []).append(schema)
    return results


SCHEMAS = schemas_by_name()


def aten_names(qualified: str) -> list[str]:
    """The possible ATen names of a public function: `torch.linalg.norm` is `linalg_norm`."""
    parts = qualified.split(".")
    prefix = {"linalg": "linalg_", "fft": "fft_", "special": "special_"}.get(parts[-2] if len(parts) > 1 else "", "")
    return [name for name in (prefix + parts[-1], parts[-1]) if name in SCHEMAS]


def calls(qualified: str, x: torch.Tensor) -> Iterator[Call]:
    """Ways to call the operator with `x` as its first tensor, the fewest arguments first."""
    tried = 0
    for name in aten_names(qualified):
        for schema in sorted(SCHEMAS[name], key=lambda s: len(required(s))):
            arguments = [value_for(argument, x) for argument in required(schema)]
            if not any(value is NOTHING for value in arguments) and tried < MAX_CALLS:
                tried += 1
                yield tuple(arguments), {}
    for extra in (
        (),
        (x,),
        (1,),
        (0,),
        (0, 1),
        (x, x),
        ([1],),
        ([1, 1],),
        (2, 2),
        (0, 0, 1),
        (torch.float32,),
        (x.long(), x),
    ):
        yield (x, *extra), {}
    yield (), {}


def required(schema: Any) -> list[Any]:
    """Arguments without a default that can be given by position."""
    return [argument for argument in schema.arguments if not argument.has_default_value() and not argument.kwarg_only]


NOTHING = object()


def value_for(argument: Any, x: torch.Tensor) -> Any:
    """A value of the argument's type, or NOTHING if none is harmless (file names, callables)."""
    kind = str(argument.type)
    if kind in ("Tensor", "Optional[Tensor]"):
        return x.long().clamp(0, 1) if argument.name in ("index", "indices") else x
    if kind == "List[Tensor]":
        return [x, x]
    if kind in ("int", "SymInt", "number", "Optional[int]", "Optional[number]"):
        return 0 if argument.name in ("dim", "dim0", "start", "index", "storage_offset") else 1
    if kind in ("List[int]", "List[SymInt]", "Optional[List[int]]"):
        return [0, 1] if argument.name == "dims" and x.ndim == 2 else [1]
    if kind in ("float", "Optional[float]"):
        return 0.5
    return {"bool": False, "int[]": [1]}.get(kind, NOTHING)


def returns(qualified: str) -> set[int]:
    """How many values the operator's schemas return."""
    return {len(schema.returns) for name in aten_names(qualified) for schema in SCHEMAS[name]}


def takes_tensor(qualified: str) -> bool:
    """Whether some schema's first argument is a tensor."""
    first = [schema.arguments[0] for name in aten_names(qualified) for schema in SCHEMAS[name] if schema.arguments]
    return any(str(argument.type) in ("Tensor", "List[Tensor]") for argument in first)


def required_kinds(qualified: str) -> set[str]:
    """The types of the arguments that must be given."""
    return {str(argument.type) for name in aten_names(qualified) for s in SCHEMAS[name] for argument in required(s)}


def tags(qualified: str) -> set[str]:
    """The tags of the operator's ATen overloads."""
    result: set[str] = set()
    for name in aten_names(qualified)[:1]:
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            if overload != "out":
                result |= {str(tag).removeprefix("Tag.") for tag in getattr(packet, overload).tags}
    return result
