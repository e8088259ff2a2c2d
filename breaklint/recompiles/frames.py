"""The cache of compiled code of one function: which call finds an entry, and which compiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from breaklint.project.project import Project
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.marks import violated
from breaklint.recompiles.objects import UNKNOWN, Closure, lazy
from breaklint.recompiles.options import Options
from breaklint.recompiles.scopes import OutOfBudget, Raised, Scope
from breaklint.recompiles.sources import Guard
from breaklint.recompiles.tracing import FrameState, Trace, argument
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

    def __init__(self, project: Project, function: Closure, options: Options) -> None:
        self.project, self.function, self.options = project, function, options
        self.state = FrameState()
        self.entries: list[list[Guard]] = []
        self.stopped = ""

    def call(self, world: World) -> Outcome:
        """One call; its side effects are made in the world."""
        self._complete(world)
        outcome = self._outcome(world)
        self._run(Machine(self.project, world), world.arguments)
        return outcome

    def _complete(self, world: World) -> None:
        """Give parameters that a call leaves out their defaults: they are arguments like the others."""
        machine, scope = Machine(self.project, world), Scope(self.function.module)
        machine.bind_arguments(self.function, [], dict(world.arguments), scope)
        spec = self.function.node.args
        for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            world.arguments.setdefault(parameter.arg, scope.names.get(parameter.arg, UNKNOWN))

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
        ends = self._run(Machine(self.project, traced, trace), arguments)
        if trace.operations <= 0 and not ends:
            self.stopped = SKIPPED
            return Outcome(False, failing, SKIPPED)
        if (found := violated(trace.guards, self.options, world)) is not None:
            return Outcome(True, found, VIOLATED)
        self.entries.insert(0, [*trace.guards])
        return Outcome(True, failing, ends, trace.broke)

    def _run(self, machine: Machine, arguments: dict[str, Any]) -> str:
        positional = arguments.get("*", ())
        named = {name: value for name, value in arguments.items() if name != "*"}
        try:
            machine.call_function(self.function, [*positional], named)
        except Raised:
            return "raises"
        except (OutOfBudget, RecursionError):
            return "too large"
        return ""
