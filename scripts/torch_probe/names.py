"""Names in torch that are not operators: dtypes, constants, fields of results, attributes of modules."""

from __future__ import annotations

import math
import warnings
from typing import Any

import torch

from .modules import CONSTRUCTIONS


def constants() -> dict[str, str]:
    """Numbers and dtypes by qualified name: `torch.pi` is `float`, `torch.half` is `dtype/float`."""
    rows = {}
    for name, value in sorted(vars(torch).items()):
        if isinstance(value, torch.dtype):
            rows[f"torch.{name}"] = f"dtype/{dtype_class(value)}"
        elif isinstance(value, float):
            rows[f"torch.{name}"] = "float"
    rows |= {f"math.{name}": "float" for name, value in vars(math).items() if isinstance(value, float)}
    try:
        import numpy
    except ImportError:
        return rows
    rows |= {f"numpy.{name}": "float" for name, value in vars(numpy).items() if isinstance(value, float)}
    return rows | {f"numpy.{name}": "none" for name, value in vars(numpy).items() if value is None and name[0] != "_"}


def tensor_types() -> dict[str, str]:
    """The classes that create tensors of a dtype: `torch.LongTensor` is `int`."""
    rows = {"Tensor": dtype_class(torch.Tensor().dtype)}
    for name, value in sorted(vars(torch).items()):
        dtype = getattr(value, "dtype", None) if isinstance(value, type(torch.FloatTensor)) else None
        if isinstance(dtype, torch.dtype) and name.endswith("Tensor"):
            rows[name] = dtype_class(dtype)
    return rows


def dtype_class(dtype: torch.dtype) -> str:
    """`bool`, `int`, `float`, `complex`, or `other` for quantized and packed ones."""
    if dtype is torch.bool:
        return "bool"
    if dtype.is_complex or dtype.is_floating_point:
        return "complex" if dtype.is_complex else "float"
    return "int" if str(dtype).removeprefix("torch.").startswith(("int", "uint")) else "other"


def named_results() -> dict[str, str]:
    """The places of each field in the named tuples that operators return, the most frequent place first."""
    places: dict[str, list[int]] = {}
    for name in sorted(dir(torch.return_types)):
        fields = getattr(getattr(torch.return_types, name), "__match_args__", ())
        if not name.startswith("_") and not name.endswith("_out"):
            for place, item in enumerate(fields):
                places.setdefault(item, []).append(place)
    return {
        name: " ".join(map(str, sorted(set(result), key=lambda place: (-result.count(place), place))))
        for name, result in sorted(places.items())
    }


def module_attributes() -> dict[str, str]:
    """The attributes of instances of each class of torch.nn: `weight:parameter running_mean:buffer/float eps:float`."""
    plain = set(vars(torch.nn.Module()))
    rows = {}
    for name in sorted(dir(torch.nn)):
        kind = getattr(torch.nn, name)
        if isinstance(kind, type) and issubclass(kind, torch.nn.Module):
            result: dict[str, str] = {}
            for module in instances(kind):
                for attribute, words in own_attributes(module, plain).items():
                    if attribute not in result or result[attribute] == "none":
                        result[attribute] = words
            if result:
                rows[f"torch.nn.{name}"] = " ".join(f"{attribute}:{words}" for attribute, words in result.items())
    return rows


def instances(kind: type[torch.nn.Module]) -> list[torch.nn.Module]:
    """An instance for each list of arguments that fits the class, and one with its switches turned."""
    result = []
    for arguments in CONSTRUCTIONS:
        for keywords in ({}, {"affine": True, "track_running_stats": True}):
            with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
                warnings.simplefilter("ignore")
                try:
                    result.append(kind(*arguments, **keywords))
                except Exception:  # noqa: BLE001 (these arguments do not fit the class)
                    continue
    return result


def own_attributes(module: torch.nn.Module, plain: set[str]) -> dict[str, str]:
    """The attributes of one instance, without those that every module has."""
    result = {name: "parameter" if value is not None else "none" for name, value in module._parameters.items()}
    result |= {
        name: f"buffer/{dtype_class(value.dtype)}" if value is not None else "none"
        for name, value in module._buffers.items()
    }
    result |= dict.fromkeys(module._modules, "module")
    for name, value in vars(module).items():
        if name not in plain and not name.startswith("__") and not isinstance(value, (torch.Tensor, torch.nn.Module)):
            result[name] = word(value)
    return {name: words for name, words in result.items() if name.isidentifier()}


def word(value: Any) -> str:
    """The kind of a plain value."""
    if value is None:
        return "none"
    return type(value).__name__ if isinstance(value, (bool, int, float, str, tuple, list)) else "other"


def module_methods() -> dict[str, str]:
    """Every method that some class of torch.nn has."""
    kinds = [getattr(torch.nn, name) for name in dir(torch.nn)]
    kinds = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, torch.nn.Module)]
    names = {name for kind in kinds for name in dir(kind) if callable(getattr(kind, name, None))}
    return {name: "method" for name in sorted(names) if not name.startswith("_") or name == "__call__"}
