"""Dataclasses and named tuples: the arguments of the generated constructor are their fields."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.objects import Instance
from breaklint.project.module import ClassInfo
from breaklint.project.walking import dotted_name


def fill(frame: Frame, instance: Instance, arguments: Arguments) -> None:
    """Store the arguments of a generated constructor in the fields of a new object."""
    mro = [cls for cls in reversed(frame.interp.project.mro(instance.cls)) if isinstance(cls, ClassInfo)]
    names = [name for cls in mro for name in cls.annotations]
    for name, value in [*zip(names, arguments.args, strict=False), *arguments.kwargs.items()]:
        frame.change(instance, name, value)
    for name in names if not arguments.starred else ():
        if name not in instance.attrs:
            default = _default(frame.interp, instance.cls, name)
            if default is not None:
                frame.change(instance, name, default)


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
