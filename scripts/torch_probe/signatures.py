"""The signatures of torch's functions and Tensor's methods as rows of text.

A row contains the overloads, separated by `;`, each a list of parameters: `input:tensor dim:int|size? * dtype:dtype?`.
An optional parameter ends in `?`, those after a lone `*` are keyword-only, and `*size` takes any number of
arguments, `()` none. Overloads with the same parameter names are merged, with the kinds of all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch
import torch.overrides
import torch.utils.checkpoint

from .operators import NAMESPACES, public, resolve
from .stubs import Overload, Parameter, of_function, of_schemas, stubs

OVERRIDES = torch.overrides.get_testing_overrides()  # name the parameters of functions that only pass theirs on
OTHERS = ("torch.utils.checkpoint.checkpoint",)


def functions() -> dict[str, str]:
    """A row for every public function."""
    declarations = {
        "torch": stubs("_C/_VariableFunctions.pyi"),
        "torch.nn.functional": {**stubs("_C/_nn.pyi"), **stubs("nn/functional.pyi")},
    }
    rows = {}
    for namespace in NAMESPACES:
        module = resolve(namespace)
        for name in public(module):
            function = getattr(module, name)
            if callable(function) and not isinstance(function, type):
                stub = declarations.get(namespace, {}).get(name) or (
                    declarations["torch"].get(name) if function is getattr(torch, name, None) else None
                )
                rows[f"{namespace}.{name}"] = row(f"{namespace}.{name}", function, stub)
    for qualified in OTHERS:
        owner, _, name = qualified.rpartition(".")
        rows[qualified] = row(qualified, getattr(resolve(owner), name), None)
    return {name: text for name, text in rows.items() if text}


def methods() -> dict[str, str]:
    """A row for every public method of Tensor."""
    declarations = stubs("_C/__init__.pyi", "TensorBase")
    names = [name for name in public(torch.Tensor) if callable(getattr(torch.Tensor, name))]
    rows = {name: row(name, getattr(torch.Tensor, name), declarations.get(name), method=True) for name in names}
    return {name: text for name, text in rows.items() if text}


def row(qualified: str, function: Callable[..., Any], stub: list[Overload] | None, method: bool = False) -> str:
    """The row of one callable: its stub, or its own signature, completed from its ATen schemas."""
    schemas = of_schemas(qualified, method)
    own = filled(of_function(function, method), schemas)
    if not own and not schemas:
        own = filled(of_function(OVERRIDES.get(function, function)), schemas)
    if inspect.isfunction(function) and own and not qualified.startswith("torch.nn.functional."):
        stub = None  # the stub is that of the C function that this one calls
    overloads = absorbed(merged(filled(stub or [], schemas) or own or schemas))
    return ";".join(dict.fromkeys(as_text(overload) for overload in overloads))


def filled(own: list[Overload], schemas: list[Overload]) -> list[Overload]:
    """A Python signature with the kinds that its annotations leave open taken from schemas; none for a mere wrapper."""
    by_name: dict[str, frozenset[str]] = {}
    for parameter in (item for overload in schemas for item in overload):
        by_name[parameter.name] = by_name.get(parameter.name, frozenset()) | parameter.kinds
    if any([parameter.mark for parameter in overload] == ["*", "**"] for overload in own):
        return []
    unknown = frozenset({"other"})
    return [
        tuple(item._replace(kinds=known_kinds(item, by_name)) if item.kinds == unknown else item for item in overload)
        for overload in own
    ]


def known_kinds(parameter: Parameter, by_name: dict[str, frozenset[str]]) -> frozenset[str]:
    """The kinds of a parameter in the schemas; `*tensors` also takes the items of a list of tensors."""
    result = by_name.get(parameter.name, frozenset({"tensor"}) if parameter.name == "input" else parameter.kinds)
    return result | {"tensor"} if parameter.mark == "*" and "tensors" in result else result


def merged(overloads: list[Overload]) -> list[Overload]:
    """One overload for all that name the same parameters in the same order, and take the same of all but one."""
    result: list[Overload] = []
    for overload in overloads:
        one = overload
        while (same := next((item for item in result if is_alternative(item, one)), None)) is not None:
            result.remove(same)  # the two together may be an alternative to a third one
            one = tuple(map(both, same, one))
        result.append(one)
    return result


def is_alternative(a: Overload, b: Overload) -> bool:
    """Whether one overload can replace two. If they differ in two parameters it would accept more than both:
    `clamp(x, number, tensor)`."""
    keys = [[(item.name, item.mark, item.keyword_only) for item in overload] for overload in (a, b)]
    return keys[0] == keys[1] and len(conflicts(a, b)) < 2


def conflicts(larger: Overload, smaller: Overload) -> list[str]:
    """The parameters whose kinds differ between two overloads."""
    others = {item.name: item.kinds for item in smaller}
    return [item.name for item in larger if item.name in others and item.kinds != others[item.name]]


def absorbed(overloads: list[Overload]) -> list[Overload]:
    """The overloads without those that another one contains with more keywords, which then may be left out."""
    result: list[Overload] = []
    for overload in sorted(overloads, key=len, reverse=True):
        place = next((at for at, larger in enumerate(result) if contains(larger, overload)), None)
        if place is None:
            result.append(overload)
        else:
            result[place] = within(result[place], overload)
    return sorted(result, key=len)


def contains(larger: Overload, smaller: Overload) -> bool:
    """Whether the first overload accepts the calls of the second, and beyond these only keywords."""
    if len(conflicts(larger, smaller)) > 1:
        return False
    if {(item.name, item.mark) for item in larger} == {(item.name, item.mark) for item in smaller}:
        return not any(item.keyword_only for item in larger) or order(larger) == order(smaller)
    names = [{item.name for item in one if item.keyword_only} for one in (larger, smaller)]
    return order(larger) == order(smaller) and names[0] >= names[1]


def order(overload: Overload) -> list[tuple[str, str]]:
    """The positional parameters."""
    return [(item.name, item.mark) for item in overload if not item.keyword_only]


def within(larger: Overload, smaller: Overload) -> Overload:
    """The larger overload with the kinds of both; parameters that the smaller one lacks are optional."""
    others = {item.name: item for item in smaller}
    return tuple(
        both(item, others[item.name]) if item.name in others else item._replace(optional=True) for item in larger
    )


def both(a: Parameter, b: Parameter) -> Parameter:
    """One parameter for two of the same name."""
    return a._replace(kinds=a.kinds | b.kinds, optional=a.optional or b.optional)


def as_text(overload: Overload) -> str:
    """An overload as text."""
    if not overload:
        return "()"
    words = []
    starred = False
    for item in overload:
        if item.keyword_only and not starred and item.mark != "**":
            words.append("*")
        starred = starred or item.keyword_only or item.mark == "*"
        words.append(f"{item.mark}{item.name}:{'|'.join(sorted(item.kinds)) or 'other'}{'?' * item.optional}")
    return " ".join(words)
