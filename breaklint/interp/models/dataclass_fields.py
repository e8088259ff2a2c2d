"""Dataclasses and named tuples: the arguments of the generated constructor are their fields."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, Const, without_none
from breaklint.project.module import ClassInfo
from breaklint.project.walking import dotted_name


def fill(frame: Frame, instance: Instance, arguments: Arguments) -> None:
    """Store the arguments of a generated constructor in the fields of a new object."""
    names = _names(frame, instance)
    for name, value in [*zip(names, arguments.args, strict=False), *arguments.kwargs.items()]:
        frame.change(instance, name, value)
    for name in names if not arguments.starred else ():
        if name not in instance.attrs:
            default = _default(frame.interp, instance.cls, name)
            if default is not None:
                frame.change(instance, name, default)


def _names(frame: Frame, instance: Instance) -> list[str]:
    mro = [cls for cls in reversed(frame.interp.project.mro(instance.cls)) if isinstance(cls, ClassInfo)]
    return list(dict.fromkeys(name for cls in mro for name in cls.annotations))


def item(frame: Frame, instance: Instance, index: Value) -> Value | None:
    """The item of a dataclass that is a dict too, such as an output of transformers: by the name of a field, or by its
    number among the fields that are not None. None for other objects."""
    is_dict = "collections.OrderedDict" in frame.interp.project.external_bases(instance.cls)
    if not is_dict or not isinstance(index, Const) or not isinstance(index.value, (int, str)):
        return None
    frame.record.read(instance)
    if isinstance(index.value, str):
        return instance.get(index.value)
    fewest, most, results = 0, 0, list[Value]()  # the numbers of fields before one that are not None
    for value in filter(None, map(instance.get, _names(frame, instance))):
        if value != NONE and fewest <= index.value <= most:
            results.append(without_none(value))
        most += value != NONE
        fewest += without_none(value) is value and value not in (NONE, UNKNOWN)
    return join_all(results) if results else None


def _default(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> Value | None:
    """The default of a field, None if it has none."""
    for base in interp.project.mro(cls):
        if not isinstance(base, ClassInfo) or name not in base.annotations:
            continue
        node = base.attributes.get(name)
        if node is None:
            return None
        if not isinstance(node, ast.Call):
            return interp.global_value(base.module, node)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if "default" in keywords:
            return interp.global_value(base.module, keywords["default"])
        factory = keywords.get("default_factory")
        if factory is None:
            return UNKNOWN
        container = {"list": Sequence(items=[]), "dict": Dict()}.get(dotted_name(factory) or "")
        frame = interp.module_frame(base.module)
        return container or interp.invoke(frame, factory, interp.global_value(base.module, factory), Arguments([], {}))
    return None
