"""Members of the project's enumerations, whose methods Dynamo traces."""

from __future__ import annotations

from typing import Final

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.values import Static
from breaklint.project.module import ClassInfo

ENUMS: Final = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


def any_member(interp: AbstractInterpreter, cls: ClassInfo) -> Instance | None:
    """One object for all members of an enumeration with methods; None for any other class.

    Members of other enumerations are the values that the class body assigns, because comparisons distinguish them.
    """
    if not any(not name.startswith("_") for name in cls.methods):
        return None
    if ENUMS.isdisjoint(interp.project.external_bases(cls)):
        return None
    known: Instance | None = interp.instances.get((any_member, cls))
    if known is None:
        known = interp.instances[any_member, cls] = Instance(cls, outside=True)
        known.ready = True
        values: list[Value] = [interp.global_value(cls.module, node) for node in cls.attributes.values()]
        known.store("name", Static("str"), strong=True)
        known.store("value", join_all(values) or UNKNOWN, strong=True)
    return known
