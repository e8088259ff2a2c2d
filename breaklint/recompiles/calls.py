"""Calls a compiled entry with one set of values after the other, and counts the compilations."""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import reduce
from types import ModuleType
from typing import Any

import torch

from breaklint.calls.thaw import Call
from breaklint.dynamo.listener import Listener
from breaklint.recompiles.vary import LIMIT, TENSOR
from breaklint.source.did_you_mean import did_you_mean
from breaklint.verify.arm.importing import Location, execute
from breaklint.verify.arm.loading import call_of, load, make_inputs
from breaklint.verify.arm.process import in_one_line


class CallError(Exception):
    """The calls cannot be made; the message contains the remedy."""

    breaklint_kind = "load"


def call_each(request: dict[str, Any]) -> dict[str, Any]:
    """The calls of a request: `location`, `inputs`, `variations`, and how to compile and to mark.

    `tensors` are numbers that are passed, or held in buffers, as tensors.
    """
    torch.set_num_threads(1)
    target, base, kwargs = _entry(Location(**request["location"]), request["inputs"])
    names = _names(target)
    inputs = {**dict(zip(names, base, strict=False)), **kwargs, **make_inputs(request["inputs"], {})}
    rest = base[len(names) :]
    tensors = request.get("tensors", [])
    _check(target, names, inputs, request["variations"])
    backend = _Backend()
    torch._dynamo.reset()
    torch._dynamo.config.recompile_limit = request["limit"]
    torch._dynamo.config.allow_unspec_int_on_nn_module = request["allow_unspec_int"]
    _make_buffers(target, tensors)
    compiled: Any = torch.compile(target, backend=backend, dynamic=request["dynamic"])
    calls = []
    for place in range(len(request["variations"][0]["values"])):
        arguments = _arguments(target, inputs, request["variations"], place, tensors, request["marks"])
        calls.append(_run(compiled, arguments, rest, backend))
    return {"calls": calls, "torch": torch.__version__}


def _check(target: Any, names: Sequence[str], inputs: dict[str, Any], variations: Sequence[dict[str, Any]]) -> None:
    """CallError for an argument that the target does not accept."""
    for item in variations:
        argument, part = item["argument"], item["part"]
        if argument.startswith("self."):
            try:
                getattr(*_holder(target, argument))
            except AttributeError as error:
                raise CallError(f"--vary {argument}: {error}") from error
        elif argument not in names and argument not in inputs:
            raise CallError(f"--vary {argument}: no argument {argument}; it takes {', '.join(names)}")
        elif part and argument not in inputs:
            raise CallError(f"{argument} has no value: add get_inputs() to the file, or --input {argument}=f32[4,8]")
        elif part.isdigit() and isinstance(inputs[argument], torch.Tensor) and int(part) >= inputs[argument].dim():
            raise CallError(f"--vary {argument}.{part}: {argument} has {inputs[argument].dim()} dimensions")
    args = {*inputs, *(variation["argument"] for variation in variations)}
    function = target.forward if isinstance(target, torch.nn.Module) else target
    for name, parameter in inspect.signature(function).parameters.items():
        is_needed = parameter.default is parameter.empty
        if is_needed and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) and name not in args:
            raise CallError(f"{name} has no value: add get_inputs() to the file, or --input {name}=f32[4,8]")


class _Backend:
    """A backend that counts its graphs, and runs them as they are."""

    graphs = 0

    def __call__(self, graph: Any, _: Any) -> Any:
        self.graphs += 1
        return graph.forward


def _run(compiled: Any, arguments: dict[str, Any], rest: tuple[Any, ...], backend: _Backend) -> dict[str, Any]:
    backend.graphs = 0
    error = ""
    with Listener() as heard:
        try:
            with redirect_stdout(sys.stderr):
                compiled(*arguments.values(), *rest) if rest else compiled(**arguments)
        except Exception as raised:  # noqa: BLE001 - whatever the program raises is told
            error = in_one_line(raised)
    first = next((recompilation for recompilation in heard.recompilations if recompilation.guards), None)
    report: dict[str, Any] = {
        "compiles": backend.graphs > 0,
        "graphs": backend.graphs,
        "skips": [broken.place for broken in heard.breaks() if broken.skips_frame],
        "guard": first.guards[0].text if first else None,
        "row": first.guards[0].row if first else None,
        "filename": first.guards[0].filename if first else None,
    }
    if any(recompilation.limit_reached for recompilation in heard.recompilations):
        report["ends"] = LIMIT
    if error:
        report |= {"error": error, "ends": "raises"}
    return report


def _entry(location: Location, inputs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The compiled entry, and the arguments of one call.

    Unlike a target of verify, a class or function does not need get_inputs(), and a method is accepted.
    """
    if location.recipe or location.factory or not location.attribute:
        model, (args, kwargs) = load(location)
        return model, args, kwargs
    module = execute(location)
    args, kwargs = _inputs_of(module, "get_inputs")
    head, _, method = location.attribute.partition(".")
    if not hasattr(module, head):
        raise CallError(f"{location.path}: no {head!r} in it{did_you_mean(head, [*vars(module)])}")
    result = getattr(module, head)
    result = getattr(result, "_torchdynamo_orig_callable", result)
    if isinstance(result, type):
        init, options = _inputs_of(module, "get_init_inputs")
        torch.manual_seed(0)
        try:
            inspect.signature(result).bind(*init, **options)
        except TypeError as error:
            raise CallError(f"{head}: {error}; its arguments come from get_init_inputs() in the file") from error
        result = result(*init, **options)
        if isinstance(result, torch.nn.Module):
            result.eval()
        if method and method != "forward":
            result = getattr(result, method)
    return result, () if inputs else args, {} if inputs else kwargs


def _inputs_of(module: ModuleType, name: str) -> Call:
    function = getattr(module, name, None)
    return call_of(function() if function is not None else [], name)


def _names(target: Any) -> list[str]:
    function = target.forward if isinstance(target, torch.nn.Module) else target
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, item in inspect.signature(function).parameters.items() if item.kind in kinds]


def _make_buffers(target: Any, names: Sequence[str]) -> None:
    """Hold numbers of the module in buffers."""
    for name in names:
        if name.startswith("self."):
            owner, last = _holder(target, name)
            value = owner.__dict__.pop(last)
            owner.register_buffer(last, torch.tensor(value), persistent=False)


def _holder(target: Any, place: str) -> tuple[Any, str]:
    """The object and the name of an attribute such as `self.layer.size`."""
    *path, last = place.split(".")[1:]
    return reduce(getattr, path, getattr(target, "__self__", target)), last


def _arguments(
    target: Any, base: dict[str, Any], variations: Sequence[dict[str, Any]], place: int, tensors: Sequence[str],
    marks: Sequence[dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """The arguments of one call, with the attributes of the target set."""
    arguments = {name: copy.deepcopy(value) for name, value in base.items()}
    for variation in variations:
        value, argument, part = variation["values"][place], variation["argument"], variation["part"]
        if argument in tensors:
            value = torch.tensor(value)
        if argument.startswith("self."):
            owner, last = _holder(target, argument)
            if last == "training":
                owner.train(value)
            elif argument in tensors:
                getattr(owner, last).copy_(value)
            else:
                setattr(owner, last, value)
        else:
            arguments[argument] = _with(arguments.get(argument), part, value, base)
    for mark in marks:
        tensor, dim = arguments[mark["argument"]], mark["dim"]
        if mark["is_weak"]:
            torch._dynamo.decorators.maybe_mark_dynamic(tensor, dim)
        else:
            torch._dynamo.decorators.mark_dynamic(tensor, dim)
    return arguments


def _with(old: Any, part: str, value: Any, base: dict[str, Any]) -> Any:
    if part == "len":
        row = old if isinstance(old, (list, tuple)) else [old]
        return type(row)(copy.deepcopy(row[0]) for _ in range(value))
    if part.isdigit():
        if isinstance(old, (list, tuple)):
            return type(old)(_with(item, part, value, base) for item in old)
        return resize(old, int(part), value)
    if part == "dtype":
        return old.to(getattr(torch, str(value).removeprefix("torch.")))
    if isinstance(value, str) and value == TENSOR:
        first = next(item for item in base.values() if isinstance(item, torch.Tensor))
        return old if isinstance(old, torch.Tensor) else copy.deepcopy(first)
    return value


def resize(tensor: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """A tensor like another one, of another size in one dimension: rows are repeated, or left out."""
    if not tensor.shape[dim]:
        return tensor.new_zeros([*tensor.shape[:dim], size, *tensor.shape[dim + 1 :]])
    index = torch.arange(size, device=tensor.device) % tensor.shape[dim]
    return tensor.index_select(dim, index).contiguous()
