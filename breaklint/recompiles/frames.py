"""The cache of compiled code of one function: which call finds an entry, and which compiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from breaklint.project.project import Project
from breaklint.recompiles.changes import Changes
from breaklint.recompiles.machine import MAX_STEPS, Machine
from breaklint.recompiles.marks import violated
from breaklint.recompiles.objects import UNKNOWN, Closure, lazy
from breaklint.recompiles.options import Options
from breaklint.recompiles.scopes import OutOfBudget, Raised, Scope, Undecided
from breaklint.recompiles.sources import Guard
from breaklint.recompiles.tracing import FrameState, Trace, argument, variable
from breaklint.recompiles.world import World

LIMIT_REACHED: Final = "recompile_limit"
SKIPPED: Final = "skipped"
VIOLATED: Final = "ConstraintViolationError"


@dataclass(frozen=True)
class Outcome:
    """What happens at a call: whether it compiles, the guard that fails, and what it ends in where that is no graph.

    `ends` is "skipped" where Dynamo never looks at the function again, "recompile_limit" where it runs in eager from
    now on, "raises" where the program raises, "too large" where it was not followed to its end,
    "ConstraintViolationError" where the guard fixes a size that is marked as dynamic.
    """

    compiles: bool
    guard: Guard | None = None
    ends: str = ""
    broke: bool = False


class CompiledFunction:
    """A function under `torch.compile`, called with one world after the other."""

    def __init__(self, project: Project, function: Closure, options: Options, changes: Changes | None = None) -> None:
        self.project, self.function, self.options, self.changes = project, function, options, changes
        self.state = FrameState()
        self.entries: list[list[Guard]] = []
        self.stopped = ""
        self.failed: list[list[Guard]] = []  # the guards of each compilation that fail at the call
        self.result: Any = UNKNOWN
        self.is_cut = False  # whether a call was not followed to its end
        self.most = MAX_STEPS
        self._defaults: dict[str, Any] = {}

    def call(self, world: World) -> Outcome:
        """One call; its side effects are made in the world."""
        self._complete(world)
        world.closure = self.function.scope
        if self.changes is not None:
            self.failed = [[guard for guard in guards if not guard.passes(world)] for guards in self.entries]
        outcome = self._outcome(world)
        machine = Machine(self.project, world)
        machine.changes = self.changes
        if self.changes is not None:
            self.changes.is_compiled = True
        self._run(machine, world.arguments, self.function)
        if self.changes is not None:
            self.changes.is_compiled = False
        return outcome

    def _complete(self, world: World) -> None:
        """Give parameters that a call leaves out their defaults: they are arguments like the others."""
        machine, scope = Machine(self.project, world), Scope(self.function.module)
        machine.bind_arguments(self.function, [], dict(world.arguments), scope)
        spec = self.function.node.args
        for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            name = parameter.arg
            if name not in world.arguments:  # a default is one object for all calls
                world.arguments[name] = self._defaults.setdefault(name, scope.names.get(name, UNKNOWN))

    def _outcome(self, world: World) -> Outcome:
        if self.stopped:
            return Outcome(False, None, self.stopped)
        failing: Guard | None = None
        for place, guards in enumerate(self.entries):
            failed = next((guard for guard in guards if not guard.passes(world)), None)
            if failed is None:
                self.entries.insert(0, self.entries.pop(place))
                return Outcome(False)
            failing = failing or failed
        if len(self.entries) >= self.options.limit:
            self.stopped = LIMIT_REACHED
            return Outcome(False, failing, LIMIT_REACHED)
        return self._compile(world, failing)

    def _compile(self, world: World, failing: Guard | None) -> Outcome:
        trace = Trace(self.state, self.options)
        trace.row, trace.filename = self.function.node.lineno, self.function.module.path
        traced = world.copy()
        arguments = {name: lazy(value, argument(name)) for name, value in traced.arguments.items()}
        function = replace(self.function, scope=_traced(traced.closure))
        ends = self._run(Machine(self.project, traced, trace), arguments, function)
        if trace.operations < (not trace.is_partial) and not ends:
            self.stopped = SKIPPED
            return Outcome(False, failing, SKIPPED)
        if (found := violated(trace.guards, self.options, world)) is not None:
            return Outcome(True, found, VIOLATED)
        self.entries.insert(0, [*trace.guards])
        return Outcome(True, failing, ends, trace.broke)

    def _run(self, machine: Machine, arguments: dict[str, Any], function: Closure) -> str:
        positional = arguments.get("*", ())
        named = {name: value for name, value in arguments.items() if name != "*"}
        machine.most = self.most
        self.result = UNKNOWN
        try:
            self.result = machine.call_function(function, [*positional], named)
        except Raised:
            return "raises"
        except (OutOfBudget, Undecided, RecursionError):
            self.is_cut = True
            return "too large"
        return ""


def _traced(scope: Scope | None) -> Scope | None:
    """Variables that are guarded where they are used."""
    each = scope
    while each is not None:
        each.names = {name: lazy(value, variable(name)) for name, value in each.names.items()}
        each = each.parent
    return scope
