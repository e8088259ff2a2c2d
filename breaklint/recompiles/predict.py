"""How often an entry compiles over a series of calls, and which guard fails at each."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from breaklint.errors import UsageError
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.recompiles.frames import CompiledFunction, Outcome
from breaklint.recompiles.inputs import as_tensors, base_arguments, instance, number_tensor, store, varied
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.objects import Closure, Obj
from breaklint.recompiles.options import Options, told
from breaklint.recompiles.scopes import Scope
from breaklint.recompiles.vary import Variation
from breaklint.recompiles.world import World
from breaklint.source.decoding import read_source
from breaklint.source.did_you_mean import did_you_mean

RECURSION: Final = 6000


@dataclass(frozen=True)
class Predicted:
    """The calls of an entry: the values that vary, what happens, and the arguments of the first call."""

    entry: str
    filename: str
    keys: tuple[str, ...]
    calls: tuple[tuple[tuple[Any, ...], Outcome], ...]
    arguments: Mapping[str, Any]

    @property
    def compilations(self) -> int:
        """How many calls compile."""
        return sum(outcome.compiles for _, outcome in self.calls)


def predict(
    path: str,
    entry: str,
    variations: Sequence[Variation],
    options: Options,
    environment: str = "",
    inputs: Mapping[str, Any] | None = None,
    tensors: Collection[str] = (),
) -> Predicted:
    """Follow the calls of an entry; `inputs` are arguments that do not come from its file.

    `tensors` are numbers that are taken to be tensors of one element: arguments, and attributes as `self.step`.

    Raises:
        UsageError: the file has no such entry, or a variation does not fit it.
        SourceError: the file cannot be read, or is no Python.
    """
    project = Project([os.path.dirname(os.path.abspath(path))], _text, environment)
    module = project.add(path, _text(path))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        return _Followed(project, module, entry, options).predicted(variations, inputs or {}, tensors)
    finally:
        sys.setrecursionlimit(limit)


def _text(path: str) -> str:
    return read_source(path).text


class _Followed:
    """An entry of a file with what it is called with."""

    def __init__(self, project: Project, module: Module, entry: str, options: Options) -> None:
        self.project, self.module = project, module
        self.world = World({}, {})
        self.machine = Machine(project, self.world)
        self.function, self.cls = self._entry(entry)
        self.options = told(options, self.function.decorators)

    def predicted(
        self, variations: Sequence[Variation], inputs: Mapping[str, Any], tensors: Collection[str]
    ) -> Predicted:
        info, owner = self.function, None
        if self.cls is not None:
            owner = instance(self.machine, self.module, self.cls)
        base = base_arguments(self.machine, self.module, info, owner, variations) | dict(inputs)
        spec = info.node.args
        names = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)][
            1 if owner is not None else 0 :
        ]
        if spec.kwarg is not None:
            names += [each.argument for each in variations if each.argument not in names]
        used = [as_tensors(each) if each.key in tensors else each for each in variations]
        for name in tensors:
            if name.startswith("self."):
                store(base, name, number_tensor())
        first: dict[str, Any] = {}
        compiled = CompiledFunction(self.project, self.machine.function(info), self.options)
        calls = []
        for place in range(len(variations[0].values) if variations else 1):
            self.world.arguments = varied(base, used, place, names)
            first = first or dict(self.world.arguments)
            values = tuple(each.values[place] for each in variations)
            calls.append((values, compiled.call(self.world)))
        keys = tuple(each.key for each in variations)
        return Predicted(info.name, self.module.path, keys, tuple(calls), first)

    def _entry(self, entry: str) -> tuple[FunctionInfo, ClassInfo | None]:
        name = entry or self._only()
        found = self._named(name)
        if isinstance(found, ClassInfo):
            method = self.project.method(found, "forward") or self.project.method(found, "__call__")
            if method is not None:
                return method, found
            raise UsageError(f"{self.module.path}: {name} has no forward; name a method as {name}.method")
        if isinstance(found, FunctionInfo):
            holder = self._named(name.rpartition(".")[0]) if "." in name else None
            return found, holder if isinstance(holder, ClassInfo) else None
        choices = [*(name for name, value in self.module.names.items() if isinstance(value, (ClassInfo, FunctionInfo)))]
        raise UsageError(f"{self.module.path}: no {name!r} in it{did_you_mean(name, choices) or _of(choices)}")

    def _only(self) -> str:
        classes = [each.name for each in self.module.classes if self.project.method(each, "forward") is not None]
        if classes:
            return "Model" if "Model" in classes else classes[-1]
        raise UsageError(f"{self.module.path}: no module class in it; name what is compiled, as FILE.py::function")

    def _named(self, name: str) -> ClassInfo | FunctionInfo | None:
        head, _, rest = name.partition(".")
        found: Any = self.project.resolve(self.module, head) if head else None
        if isinstance(found, tuple):
            value = self.machine.eval(found[1], Scope(found[0]))
            found = value.info if isinstance(value, Closure) else value.cls if isinstance(value, Obj) else None
        if rest and isinstance(found, ClassInfo):
            return self.project.method(found, rest)
        return found if isinstance(found, (ClassInfo, FunctionInfo)) else None


def _of(choices: Sequence[str]) -> str:
    return f"; it has {', '.join(choices[:8])}" if choices else ""
