"""Calls a compiled entry with one set of values after the other, and counts what compiles."""

from __future__ import annotations

import copy
import inspect
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import reduce
from pathlib import Path
from statistics import median_high
from types import ModuleType
from typing import Any, Final

import torch

from breaklint.calls.thaw import Call
from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.importing import Location, execute
from breaklint.verify.arm.inputs import made
from breaklint.verify.arm.loading import call_of
from breaklint.verify.arm.process import in_one_line

TENSOR: Final = "tensor"
LIMIT_MESSAGE: Final = "recompile_limit"
TIMED: Final = 10


def sweep(request: dict[str, Any]) -> dict[str, Any]:
    """The calls of a request: `path`, `entry`, `variations`, and how to compile (`backend`, `dynamic`, `timed`).

    `remedy` has `marks` (fields of recompiles.options.Mark), `tensors` in place of numbers, `ints` that are dynamic and
    `allow_unspec_int`.
    """
    torch.set_num_threads(1)
    file = Path(request["path"]).resolve()
    text = request.get("text")
    texts = {str(file): file.read_text("utf-8") if text is None else text}
    module = execute(Location(str(file), "", str(file.parent), "", False, texts))
    target, base, kwargs = _entry(module, request["entry"])
    names = _names(target)
    given = {**dict(zip(names, base, strict=False)), **kwargs, **made(request.get("inputs", {}), {})}
    rest = base[len(names) :]
    remedy = {"marks": [], "tensors": [], "ints": [], "allow_unspec_int": False} | request.get("remedy", {})
    counted = _Counted(request.get("backend", "eager"))
    torch._dynamo.reset()
    torch._dynamo.config.recompile_limit = request.get("limit", 8)
    torch._dynamo.config.allow_unspec_int_on_nn_module = remedy["allow_unspec_int"]
    _make_buffers(target, remedy["tensors"])
    told: dict[str, Any] = {"dynamic": request.get("dynamic")} | _shapes(remedy["ints"])
    compiled: Any = torch.compile(target, backend=counted, **told)
    calls = []
    for place in range(len(request["variations"][0]["values"])):
        arguments = _varied(target, given, request["variations"], place, remedy)
        calls.append(_called(compiled, arguments, rest, counted))
    if request.get("timed"):  # when all is counted: a call may change what the next one compiles
        for place, call in enumerate(calls):
            if "error" not in call:
                arguments = _varied(target, given, request["variations"], place, remedy)
                call["steady_ms"] = _steady(compiled, arguments, rest)
    return {"calls": calls, "torch": torch.__version__}


class _Counted:
    """A backend that counts the graphs it compiles, and the seconds."""

    def __init__(self, name: str) -> None:
        self.graphs = 0
        self.compile: Any = torch._dynamo.lookup_backend(name)

    def __call__(self, graph: Any, inputs: Any) -> Any:
        self.graphs += 1
        return self.compile(graph, inputs)


def _called(compiled: Any, arguments: dict[str, Any], rest: tuple[Any, ...], counted: _Counted) -> dict[str, Any]:
    counted.graphs = 0
    started = time.perf_counter()
    error = ""
    with Listener() as heard:
        try:
            _call(compiled, arguments, rest)
        except Exception as raised:  # noqa: BLE001 - whatever the program raises is told
            error = in_one_line(raised)
    seconds = time.perf_counter() - started
    first = next((each for each in heard.recompilations if each.guards), None)
    told: dict[str, Any] = {
        "compiles": counted.graphs > 0,
        "graphs": counted.graphs,
        "seconds": round(seconds, 4),
        "guard": first.guards[0].text if first else None,
        "row": first.guards[0].row if first else None,
        "filename": first.guards[0].filename if first else None,
    }
    if any(each.limit_reached for each in heard.recompilations):
        told["ends"] = LIMIT_MESSAGE
    if error:
        told["error"] = error
    return told


def _call(run: Callable[..., Any], arguments: dict[str, Any], rest: tuple[Any, ...]) -> Any:
    with redirect_stdout(sys.stderr):
        if rest:
            return run(*arguments.values(), *rest)
        return run(**arguments)


def _steady(compiled: Any, arguments: dict[str, Any], rest: tuple[Any, ...]) -> float:
    """The median milliseconds of calls after the first."""
    is_on_cuda = any(isinstance(each, torch.Tensor) and each.is_cuda for each in arguments.values())
    wait: Callable[[], object] = torch.cuda.synchronize if is_on_cuda else lambda: None
    times = []
    _call(compiled, arguments, rest)
    for _ in range(TIMED):
        wait()
        started = time.perf_counter()
        _call(compiled, arguments, rest)
        wait()
        times.append(1000 * (time.perf_counter() - started))
    return round(median_high(times), 4)


def _entry(module: ModuleType, name: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """What is compiled, and the arguments of one call."""
    args, kwargs = _given(module, "get_inputs")
    head, _, method = name.partition(".")
    found = getattr(module, head)
    found = getattr(found, "_torchdynamo_orig_callable", found)
    if isinstance(found, type):
        init, options = _given(module, "get_init_inputs")
        torch.manual_seed(0)
        found = found(*init, **options)
        if isinstance(found, torch.nn.Module):
            found.eval()
        if method and method != "forward":
            found = getattr(found, method)
    return found, args, kwargs


def _given(module: ModuleType, name: str) -> Call:
    function = getattr(module, name, None)
    return call_of(function() if function is not None else [], name)


def _names(target: Any) -> list[str]:
    function = target.forward if isinstance(target, torch.nn.Module) else target
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, each in inspect.signature(function).parameters.items() if each.kind in kinds]


def _make_buffers(target: Any, names: Sequence[str]) -> None:
    """Hold numbers of the module in buffers."""
    for name in names:
        if name.startswith("self."):
            owner, last = _holder(target, name)
            value = owner.__dict__.pop(last)
            owner.register_buffer(last, torch.tensor(value), persistent=False)


def _holder(target: Any, place: str) -> tuple[Any, str]:
    """What has the attribute at a place such as `self.layer.size`, and the attribute's name."""
    *path, last = place.split(".")[1:]
    return reduce(getattr, path, getattr(target, "__self__", target)), last


def _shapes(ints: Sequence[str]) -> dict[str, Any]:
    """What `torch.compile` is told of int arguments that are dynamic from the first call on."""
    if not ints:
        return {}
    from torch.fx.experimental.dynamic_spec import IntVar

    taken = inspect.signature(torch.compile).parameters
    return {"dynamic_shapes" if "dynamic_shapes" in taken else "shapes_spec": {name: IntVar(name) for name in ints}}


def _varied(
    target: Any, base: dict[str, Any], variations: Sequence[dict[str, Any]], place: int, remedy: dict[str, Any]
) -> dict[str, Any]:
    arguments = {name: copy.deepcopy(value) for name, value in base.items()}
    for each in variations:
        value, argument, part = each["values"][place], each["argument"], each["part"]
        if argument in remedy["tensors"]:
            value = torch.tensor(value)
        if argument.startswith("self."):
            owner, last = _holder(target, argument)
            owner.train(value) if last == "training" else setattr(owner, last, value)
        else:
            arguments[argument] = _with(arguments.get(argument), part, value, base)
    for mark in remedy["marks"]:
        kind = "maybe_mark_dynamic" if mark["is_weak"] else "mark_dynamic"
        marking = getattr(torch._dynamo.decorators, kind)
        marking(arguments[mark["argument"]], mark["dim"])
    return arguments


def _with(old: Any, part: str, value: Any, base: dict[str, Any]) -> Any:
    if part == "len":
        return type(old)(copy.deepcopy(old[0]) for _ in range(value))
    if part.isdigit():
        if isinstance(old, (list, tuple)):
            return type(old)(_with(each, part, value, base) for each in old)
        return resized(old, int(part), value)
    if part == "dtype":
        return old.to(getattr(torch, str(value).removeprefix("torch.")))
    if part == "requires_grad":
        return old.requires_grad_(bool(value))
    if isinstance(value, str) and value == TENSOR:
        first = next(each for each in base.values() if isinstance(each, torch.Tensor))
        return old if isinstance(old, torch.Tensor) else copy.deepcopy(first)
    return float(value[1:]) if isinstance(value, str) and value.startswith("=") else value


def resized(tensor: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """A tensor like another one, of another size in one dimension: rows are repeated, or left out."""
    if not tensor.shape[dim]:
        return tensor.new_zeros([*tensor.shape[:dim], size, *tensor.shape[dim + 1 :]])
    index = torch.arange(size, device=tensor.device) % tensor.shape[dim]
    return tensor.index_select(dim, index).contiguous()
