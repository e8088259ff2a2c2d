"""Signatures as Python callers see them: from torch's stub files, from Python functions, and from ATen schemas."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

from . import kinds
from .calls import aten_names

HOME = Path(torch.__file__).parent
RECEIVERS = {"self", "cls"}


class Parameter(NamedTuple):
    """One parameter: `name`, its kinds, whether it may be left out, and `mark` (`*` for `*args`, `**`, or nothing)."""

    name: str
    kinds: frozenset[str]
    optional: bool
    keyword_only: bool
    mark: str = ""


Overload = tuple[Parameter, ...]


def stubs(path: str, owner: str = "") -> dict[str, list[Overload]]:
    """The overloads of every function of a stub file, or of the methods of one class in it."""
    body: list[ast.stmt] = ast.parse((HOME / path).read_text()).body
    if owner:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner)
    overloads: dict[str, list[Overload]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and not names_dimensions(node.args):
            deprecated = not owner and node.args.args[:1] and node.args.args[0].arg == "self"
            if not deprecated or node.name not in overloads:
                overloads.setdefault(node.name, []).append(of_arguments(node.args, bool(owner)))
    return overloads


def names_dimensions(arguments: ast.arguments) -> bool:
    """Whether an overload is one for tensors with named dimensions, which models do not use."""
    has_names = any(kwonlyarg.arg == "names" for kwonlyarg in arguments.kwonlyargs)
    return has_names or "EllipsisType" in ast.unparse(arguments)


def of_arguments(arguments: ast.arguments, method: bool) -> Overload:
    """The parameters of a parsed `def`."""
    plain = [*arguments.posonlyargs, *arguments.args]
    required = len(plain) - len(arguments.defaults)
    parameters = [parameter(item, place >= required, False) for place, item in enumerate(plain)]
    if arguments.vararg:
        parameters.append(parameter(arguments.vararg, True, False, "*"))
    for keyword, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append(parameter(keyword, default is not None, True))
    if arguments.kwarg:
        parameters.append(parameter(arguments.kwarg, True, True, "**"))
    return tuple(parameters[1:] if method and parameters and parameters[0].name in RECEIVERS else parameters)


def parameter(argument: ast.arg, optional: bool, keyword_only: bool, mark: str = "") -> Parameter:
    """A parameter from its syntax; one that may be None may be left out."""
    types = kinds.of_node(argument.annotation) if argument.annotation else {"other"}
    return Parameter(argument.arg, frozenset(types - {"none"}), optional or "none" in types, keyword_only, mark)


def of_function(function: Callable[..., Any], method: bool = False) -> list[Overload]:
    """The signature of a Python function, with kinds from its annotations."""
    try:
        signature = inspect.signature(inspect.unwrap(function))
    except (ValueError, TypeError):
        return []
    result = []
    for item in signature.parameters.values():
        annotation = item.annotation
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        types = kinds.of_annotation(text) if annotation is not item.empty else {"other"}
        mark = {item.VAR_POSITIONAL: "*", item.VAR_KEYWORD: "**"}.get(item.kind, "")
        optional = bool(mark) or item.default is not item.empty or "none" in types
        keyword_only = item.kind in (item.KEYWORD_ONLY, item.VAR_KEYWORD)
        result.append(Parameter(item.name, frozenset(types - {"none"} or {"other"}), optional, keyword_only, mark))
    return [tuple(result[1:] if method else result)]


def of_schemas(qualified: str, method: bool) -> list[Overload]:
    """The overloads of the ATen operator of a function or method."""
    result = []
    for name in aten_names(qualified)[:1]:
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            schema = getattr(packet, overload)._schema
            if "out" not in overload and "Dimname" not in str(schema):
                result.append(tuple(of_schema(schema, method)))
    return result


def of_schema(schema: Any, method: bool) -> Iterator[Parameter]:
    """The parameters of one schema; for functions, `self` is renamed to `input`."""
    for argument in schema.arguments:
        if argument.name == "self" and method:
            continue
        types = kinds.of_schema(str(argument.real_type))
        types |= {"int"} if argument.N else set()  # `int[1]` also takes an int
        optional = argument.has_default_value() or "none" in types
        name = "input" if argument.name == "self" else argument.name
        yield Parameter(name, frozenset(types - {"none"}), optional, argument.kwarg_only)
