"""Regions: the code that Dynamo traces from one entry point."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Final, TypeVar

from breaklint.interp import frame as limits
from breaklint.interp import parameters
from breaklint.interp.callables import Function
from breaklint.interp.compilation import FORWARD, Region
from breaklint.interp.context import Context
from breaklint.interp.environment import Env
from breaklint.interp.frame import BudgetExceeded, Frame
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Unknown, Value, options
from breaklint.interp.models import hooks, instances
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.interp.signatures import signature_of, why_unbound
from breaklint.interp.transfer import class_decorators, decorators
from breaklint.interp.transfer.functions import calls_are_compiled, is_disabled
from breaklint.interp.values import Const, Tensor
from breaklint.model import PUBLIC_FUNCTION
from breaklint.project.module import FunctionInfo

MAX_RECURSION: Final = 6000  # the interpreter uses a handful of Python frames for each that it traces
LARGE_FRAME: Final = 66_000  # slots of 8 bytes: somewhat more than half of a chunk of 1 MB
# The steps of a region after others have used the budget of the file, and of a guess.
LEAST_STEPS: Final = 20_000
Result = TypeVar("Result")


def _run_wrapper(frame: Frame, function: FunctionInfo, env: Env) -> None:
    """Trace the wrappers that the decorators of a region's function add, with the same arguments."""
    wrapper = decorators.decorated(frame.interp, function)
    spec = function.node.args
    if isinstance(wrapper, Function) and wrapper.info is not function and spec.vararg is None and spec.kwarg is None:
        _call_with(frame, wrapper, function, env)


def _replaced(interp: Interpreter, region: Region, owner: Value | None) -> Function | None:
    """The method by which a decorator of the class has replaced the region's function."""
    cls, name = region.function.cls, region.function.name.rpartition(".")[2]
    if cls is None or owner is None or not cls.node.decorator_list:
        return None
    return class_decorators.replaced_method(interp, cls, name, owner)


def _call_with(frame: Frame, wrapper: Function, function: FunctionInfo, env: Env) -> Value:
    """Call the replacement of a function with the function's parameters; a bound method has its owner."""
    spec = function.node.args
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][wrapper.owner is not None :]
    args = [env[name] for name in names]
    kwargs = {parameter.arg: env[parameter.arg] for parameter in spec.kwonlyargs}
    if why_unbound(wrapper.info, len(args), kwargs):  # it does not take parameters with a default
        required = {parameter.arg for parameter, default in signature_of(function).defaults if default is None}
        args = args[: len(args) - len(spec.defaults)]
        kwargs = {name: value for name, value in kwargs.items() if name in required}
    return frame.interp.call(frame, wrapper, args, kwargs)


def run_deep(run: Callable[[], Result]) -> Result:
    """Run a function that may recurse deeper than the deepest tree that Python can parse.

    Python keeps the frames of calls in chunks of 16 KB, and maps and unmaps one at every call across the end of a
    chunk: a tenth of the time of a check. The first frame here needs a larger chunk, which has room for the others.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_RECURSION))
    try:
        result: Result = _in_large_chunk(run)
        return result
    finally:
        sys.setrecursionlimit(limit)


def _call(run: Callable[[], Result]) -> Result:
    return run()


_in_large_chunk: Final = FunctionType(_call.__code__.replace(co_stacksize=LARGE_FRAME), globals())


def trace_all(interp: Interpreter, entries: Iterable[Region]) -> list[str]:
    """Trace the regions of a file, which share its budget; returns a note for each limit that is reached.

    A method that another region has called is not traced again with assumed arguments, nor is a public function whose
    defaults that call used.
    """
    remaining_steps = limits.MAX_STEPS
    by_limit: dict[str, list[FunctionInfo]] = {}
    called, count = set[FunctionInfo](), 0  # the functions of the first `count` calls
    for region in entries:
        if region.kind == PUBLIC_FUNCTION:
            called.update(site.callee for site in interp.call_sites[count:] if site.leaves_defaults)
            count = len(interp.call_sites)
            if region.function in called:
                continue
        if (record := _recorded_call(interp, region)) is not None:
            interp.roots[record] = region
            continue
        budget = min(_most(region), max(remaining_steps, LEAST_STEPS))
        limit = trace(interp, region, budget)
        remaining_steps -= interp.steps - (limits.MAX_STEPS - budget)
        if limit:
            by_limit.setdefault(limit, []).append(region.function)
    return [_note(limit, list(dict.fromkeys(functions))) for limit, functions in by_limit.items()]


def _recorded_call(interp: Interpreter, region: Region) -> Record | None:
    """The record of a call of the region's method, if its instance and arguments are as general as assumed ones."""
    if region.target is not None or region.cls is None or region.kind != FORWARD:
        return None
    every = interp.calls.get((region.function, region.cls), ())
    calls = [call for call in every if not _has_switch(interp, call.owner)]
    assumed: Env = {}
    for call in calls:
        vague = {name: value for name, value in call.parameters.items() if _is_vague(value)}
        if vague and not assumed:
            assumed = parameters.open_call(interp, region.function, None)
        if not any(_says_less(value, assumed[name]) for name, value in vague.items()):
            return call.record
    return None


def _has_switch(interp: Interpreter, owner: Instance) -> bool:
    """Whether a constructor argument is a flag, a string or None, on which its code may branch."""
    init = interp.project.method(owner.cls, "__init__")
    if init is None:
        return False
    signature = signature_of(init)
    for arguments in owner.built_with.values():
        names = {*signature.names[: len(arguments.args) + 1], *arguments.kwargs}
        defaults = (default for parameter, default in signature.defaults if parameter.arg not in names)
        constants = [default.value for default in defaults if isinstance(default, ast.Constant)]
        values = [value.value for value in (*arguments.args, *arguments.kwargs.values()) if isinstance(value, Const)]
        if any(value is None or isinstance(value, (bool, str)) for value in (*constants, *values)):
            return True
    return False


def _is_vague(argument: Value) -> bool:
    """Whether an argument may be less precise than an assumed value."""
    return any(isinstance(each, Unknown) or (isinstance(each, Tensor) and each.assumed) for each in options(argument))


def _says_less(argument: Value, assumed: Value) -> bool:
    """Whether a vague argument is less precise than the assumed value of the parameter."""
    if isinstance(assumed, (Unknown, Instance)):
        return False
    is_tensor = isinstance(assumed, Tensor) and not assumed.assumed
    return is_tensor or any(isinstance(option, Unknown) for option in options(argument))


def _note(limit: str, functions: list[FunctionInfo]) -> str:
    first = functions[0]
    who = f"{first.name} is" if len(functions) == 1 else f"{first.name} and {len(functions) - 1} more are"
    return f"{first.module.path}:{first.node.lineno}: {who} {limit}; checked in part"


def _most(region: Region) -> int:
    """The maximal number of steps of a region."""
    return min(LEAST_STEPS, limits.MAX_STEPS) if region.is_guess else limits.MAX_STEPS


def _begin(interp: Interpreter, budget: int) -> None:
    interp.start()
    interp.steps = limits.MAX_STEPS - budget


def trace(interp: Interpreter, region: Region, budget: int = 0) -> str:
    """Trace a region with a budget of steps (0: its maximum); returns why tracing stopped, "" if it finished."""
    budget = budget or _most(region)
    _begin(interp, budget)
    function, interp.region, interp.captures = region.function, region, region.fullgraph
    try:
        owner = _owner(interp, region)
        _begin(interp, budget)
        if is_disabled(interp.project, function):
            if not calls_are_compiled(function):
                return ""
            interp.eager.add(function)
        env = _parameters(interp, region, owner)
        closure = region.target.closure if region.target is not None else None
        frame = Frame(interp, function.module, function, env, Context(), owner=owner, closure=closure)
        interp.roots[frame.record] = region
        interp.region_start, interp.region_steps = frame.serial, interp.steps
        bindings = {**env}
        if (replacement := _replaced(interp, region, owner)) is not None:
            result = _call_with(frame, replacement, function, bindings)
        else:
            result = interp.run(frame)
        if replacement is None and region.target is None:  # the target does not include the wrappers of decorators
            _run_wrapper(frame, function, bindings)
        if isinstance(owner, Instance):
            hooks.call_forward_hooks(frame, owner, result)
    except BudgetExceeded:
        return "too large to follow to the end"
    except RecursionError:
        return "too deeply nested to follow to the end"
    return interp.limit


def _owner(interp: Interpreter, region: Region) -> Value | None:
    """The owner of a region's function: the compiled object, or any instance."""
    if region.target is not None:
        return region.target.owner
    if region.cls is None:
        return None
    if region.kind == PUBLIC_FUNCTION:
        owner = interp.instances[region, region.cls] = instances.guessed_owner(interp, region.cls)
        return Function.of(owner, region.function).owner
    owner = interp.instances[region, region.cls] = Instance(region.cls, outside=True)
    interp.instances[instances.build_open, region.cls] = owner
    instances.build_open(interp, owner)
    return Function.of(owner, region.function).owner


def _parameters(interp: Interpreter, region: Region, owner: Value | None) -> Env:
    """The parameters of a region: the arguments in driver code, else by annotation, default and use."""
    function = region.function
    env = parameters.open_call(interp, function, owner)
    if region.target is not None:
        env.update(parameters.passed_by_driver_code(interp, function, owner))
        names = [name for name in signature_of(function).names if owner is None or env[name] is not owner]
        env.update(zip(names, region.args, strict=False))
        env.update((name, value) for name, value in region.kwargs if name in env)
    return env
