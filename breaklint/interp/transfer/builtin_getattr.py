"""Classes whose attributes a builtin method looks up: `__getattr__ = dict.get` in the class body."""

from __future__ import annotations

from breaklint.interp.frame import Frame
from breaklint.interp.models.container_methods import DICT_METHODS
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalName


def is_there(frame: Frame, owner: Instance) -> bool:
    """Whether a builtin looks up missing attributes of an instance: `__getattr__ = dict.get` in its class."""
    cls = frame.interp.project.definer(owner.cls, "__getattr__")
    if cls is None or "__getattr__" not in cls.attributes:
        return False
    function = frame.interp.global_value(cls.module, cls.attributes["__getattr__"])
    return isinstance(function, ExternalName) and function.name.startswith("builtins.")


def looks_up(frame: Frame, owner: Instance, name: str) -> bool:
    """Whether the builtin looks up an attribute: neither the classes of the object nor its constructor set it.

    The arguments of a class without a constructor (`Config(width=8)`) are keys of a dict, like the stores of a builtin
    `__setattr__`.
    """
    project = frame.interp.project
    if not is_there(frame, owner):
        return False
    if project.definer(owner.cls, name) is not None or name in DICT_METHODS:
        return False
    stores_keys = project.method(owner.cls, "__init__") is None or project.definer(owner.cls, "__setattr__") is not None
    return stores_keys or name not in owner.attrs
