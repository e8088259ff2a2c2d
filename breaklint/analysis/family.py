"""A class with those above and below it, by the indexes of their files: which names mean more than the class says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from breaklint.analysis.class_index import ClassIndex
from breaklint.analysis.given_files import Class, GivenFiles
from breaklint.analysis.own_operators import is_operator

# What decides for every attribute.
HOOKS: Final = frozenset({"__getattribute__", "__setattr__", "__delattr__", "__class__"})


class Family:
    """The class of a finding, "" for none, in the file at `path`: those `above` it, what `makers` change them, and what
    derives from it in `others`."""

    def __init__(
        self,
        files: GivenFiles,
        path: str,
        own: str,
        above: Sequence[Class],
        makers: Sequence[Class],
        others: Sequence[str],
    ) -> None:
        self._files, self._own, self._above = files, own, above
        index = files.index(path)
        beside = {(path, each.name): each for each in (index.classes if index else ())}
        below = list(self._below(beside, path, others)) if own else []
        makers = [*makers, *(maker for cls in below for maker in self._makers(cls))]
        self.paths = list(dict.fromkeys([path, *(place for place, _ in (*above, *below, *makers))]))
        self._indexes = [found for place in self.paths if (found := files.index(place)) is not None]
        self._hosts = list(dict.fromkeys([path, *(place for place, _ in below)]))
        self._named = {name.partition("#")[0] for _, name in below} | {own}
        self.classes = [*dict.fromkeys((*above, *below))]
        self._upper, self._lower, self._makers_found = self._found(above), self._found(below), self._found(makers)
        self._inside = list({**beside, **dict(zip(above, self._upper, strict=False))}.values())
        self._beside = [cls for key, cls in beside.items() if key not in above] + self._lower
        self._loose = index.loose if index is not None else ()

    def _below(self, beside: Iterable[Class], path: str, others: Sequence[str]) -> list[Class]:
        """The classes that derive from the class, those of its name in its file, and what these derive from beside."""
        found = self._files.derived(self._above[:1], [path, *others])
        found += [each for each in beside if each[1].partition("#")[0] == self._own]
        for cls in found:
            found += dict.fromkeys(each for each in self._files.bases(cls) if each not in found)
        return [each for each in dict.fromkeys(found) if each not in self._above]

    def _makers(self, cls: Class) -> Iterator[Class]:
        """What of the files changes a class when it is defined, or its objects when they are made: its decorators and
        its metaclass."""
        found = self._files.cls(cls)
        for maker in found.makers if found is not None else ():
            yield from self._files.find(cls[0], maker)

    def _found(self, classes: Sequence[Class]) -> list[ClassIndex]:
        return [found for cls in classes if (found := self._files.cls(cls)) is not None]

    @cached_property
    def stored(self) -> set[str]:
        """The attributes that their files store in what may be any object."""
        names = {name for each in self._indexes for name in each.objects}
        if modules := {name for each in self._indexes for name in each.submodules}:
            names |= modules.difference(self._buffers())
        return names

    @cached_property
    def _stored_in_self(self) -> set[str]:
        return {name for cls in (*self._upper, *self._lower) for name in cls.stored}

    @cached_property
    def overridden(self) -> set[str]:
        """The attributes that are others in classes below, or that a descriptor of the class computes."""
        found = {name for cls in self._lower for name in (*cls.methods, *cls.attributes, *cls.stored)}
        return found | {name for cls in self._upper for name in cls.computed if name in self._stored_in_self}

    @cached_property
    def replaced_methods(self) -> set[str]:
        """The methods that something else has replaced."""
        methods = {name for cls in self._inside for name in cls.methods}
        twice = {name for cls in self._inside for name in cls.methods if name in cls.attributes}
        return methods if self.hooked else twice | (methods & (self.stored | self._stored_in_self))

    @cached_property
    def computed(self) -> set[str]:
        """What a class has under a name that decides what a store of it does."""
        return {name for cls in (*self._inside, *self._lower) for name in (*cls.methods, *cls.computed)}

    @cached_property
    def beginnings(self) -> set[str]:
        """How names begin that are known only when they are stored."""
        return {text for cls in (*self._upper, *self._lower) for text in cls.beginnings} | {*self._loose}

    @cached_property
    def hooked(self) -> bool:
        """Whether code of the files decides for every attribute."""
        classes = (*self._inside, *self._lower, *self._makers_found)
        return bool(HOOKS & self.stored) or any(not HOOKS.isdisjoint(cls.methods) for cls in classes)

    @cached_property
    def operators(self) -> set[str]:
        """The methods that calls and operators run, of which no attribute is read, where they may be others."""
        given = {name for cls in self._lower for name in (*cls.methods, *cls.attributes)} | self.stored
        return {name for name in given if is_operator(name)} | ({"forward"} & self.stored)

    @cached_property
    def between(self) -> set[str]:
        """The methods of classes that may come between the class and its bases: a class may have several, or be made by
        `type`."""
        mixed = self._own and any(map(self._mixes, self._hosts))
        return {name for cls in self._beside for name in cls.methods} if mixed else set()

    def _mixes(self, path: str) -> bool:
        index = self._files.index(path)
        if index is None or index.makes_types:
            return True
        mixing = (cls for cls in index.classes if len(cls.bases) > 1 and (path, cls.name) not in self._above)
        return any(base.rpartition(".")[2] in self._named for cls in mixing for base in cls.bases)

    def _buffers(self) -> Sequence[str]:
        """The buffers that every object of the class has, since its constructor registers them in any case."""
        made = next((cls for cls in self._upper if "__init__" in cls.methods), None)
        if made is None or any("__init__" in cls.methods for cls in self._lower):
            return ()
        if any(each.past_constructors for each in self._indexes):
            return ()
        return () if any("register_buffer" in cls.methods for cls in self._upper) else made.buffers or ()
