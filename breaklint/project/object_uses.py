"""The uses of the objects of names in code, and their consequences for one of them."""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str, ...]
# A name, and attributes of its object: `("self", ("part", "rows", "[]"))` for `self.part.rows[0]`.
Chain = tuple[str, Path]


class PassedObject(NamedTuple):
    """The callee of a call, an object that is passed to it, and the position of that argument (None: unknown)."""

    callee: Chain
    object: Chain
    place: int | str | None


class ObjectUses(NamedTuple):
    """The uses of named objects in the text of code.

    `reads` are all attributes, with `__call__` if one is called; `bindings` the names that are bound to values of
    chains; `supers` the methods called on `super()`; `named_stores` calls such as `setattr`; `hooks` whether hooks are
    registered, of any class.
    """

    names: frozenset[str]
    reads: frozenset[Chain]
    changes: frozenset[Chain]
    bindings: tuple[tuple[str, list[Chain]], ...]
    supers: frozenset[str]
    named_stores: frozenset[tuple[Chain, str]]
    passed: tuple[PassedObject, ...]
    hooks: bool


class Effects(NamedTuple):
    """The effects of code on an object: the attributes that it stores (`*`: any), the paths that it reads and whose
    ends it may call, and the parts of the object that it passes on, as chains without a first name."""

    stores: frozenset[str]
    paths: frozenset[Path]
    passed: frozenset[PassedObject]


class DeferralPlan(NamedTuple):
    """The plan to defer a statement of a constructor: its object, its stores there, its other effects on the object
    through calls, its uses of all objects, and the other names in it.

    `method`: it is a call of this method, of `super()` if `above`.
    """

    owner: str
    stores: frozenset[str]
    effects: Effects
    uses: ObjectUses
    names: frozenset[str]
    method: str = ""
    above: bool = False
