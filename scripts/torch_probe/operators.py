"""Facts about torch's functions and Tensor's methods and attributes."""

from __future__ import annotations

import logging
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
)

from .calls import Call, aten_names, calls, required_kinds, returns, tags, takes_tensor
from .memory import flags as memory_flags
from .results import describe

NAMESPACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
DTYPES = (torch.float32, torch.int64, torch.bool)
SHAPES = ((2, 3, 4), (3, 3), (3,), (3, 3, 3), (3, 3, 3, 3), ())
OVERRIDABLE = {func for funcs in torch.overrides.get_overridable_functions().values() for func in funcs}
# They start threads, profilers or processes, or change global state.
UNTRIED = {
    "share_memory_",
    "pin_memory",
    "cuda",
    "xpu",
    "ipu",
    "mtia",
    "from_file",
    "module_load",
    "set_",
    "record_stream",
}
# How a call may differ from `f(x)`: with a dimension, with a number in second place, with two or three tensors.
VARIANTS: dict[str, Callable[[torch.Tensor], Call]] = {
    "dim": lambda x: ((x,), {"dim": 0}),
    "number": lambda x: ((x, 0), {}),
    "two": lambda x: ((x, x), {}),
    "three": lambda x: ((x, x, x), {}),
}
logging.disable(logging.CRITICAL)


def functions() -> dict[str, str]:
    """A row for every public function."""
    rows = {name: row(name, function) for name, function in public_functions()}
    return {name: text for name, text in rows.items() if text}


def methods() -> dict[str, str]:
    """A row for every public method of Tensor."""
    rows = {name: row(name, method) for name, method in public_methods()}
    return {name: text for name, text in rows.items() if text}


def attributes() -> dict[str, str]:
    """A row for every public attribute of Tensor that is not a method."""
    rows = {}
    for name in public(torch.Tensor):
        if not callable(getattr(torch.Tensor, name)):
            outputs = run(lambda x, name=name: getattr(x, name), lambda x: ((x,), {}), (2, 3))
            words = describe(outputs, sample((2, 3), torch.float32)) if outputs else "other"
            rows[name] = "other" if words == "none" else words
    return rows | {"grad": describe({torch.float32: gradient()}, gradient())}


def gradient() -> torch.Tensor | None:
    """The value of `grad` after a backward pass."""
    x = torch.ones(2, 3, requires_grad=True)
    x.sum().backward()
    return x.grad


def resolve(dotted: str) -> Any:
    """The module of that name below torch."""
    module: Any = torch
    for part in dotted.split(".")[1:]:
        module = getattr(module, part)
    return module


def public(owner: Any) -> list[str]:
    """The names that do not start with an underscore."""
    return [name for name in dir(owner) if not name.startswith("_")]


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of NAMESPACES by qualified name."""
    for namespace in NAMESPACES:
        module = resolve(namespace)
        for name in public(module):
            function = getattr(module, name)
            if callable(function) and not isinstance(function, type):
                yield f"{namespace}.{name}", function


def public_methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods of Tensor by name."""
    for name in public(torch.Tensor):
        if callable(method := getattr(torch.Tensor, name)):
            yield name, method


def row(qualified: str, function: Callable[..., Any]) -> str:
    """The function's results and flags, or an empty string if nothing is known."""
    name = qualified.rsplit(".", 1)[-1]
    tried = name not in UNTRIED and (function in OVERRIDABLE or bool(aten_names(qualified)))
    words = list(results(qualified, function)) if tried else []
    words = words or annotated(function)
    random = ["random"] * ("nondeterministic_seeded" in tags(qualified) and "random" not in words)
    return " ".join(words + flags(qualified, words[0]) + random) if words else ""


def results(qualified: str, function: Callable[..., Any]) -> Iterator[str]:
    """The result for one tensor, or for the fewest arguments that the function needs; then differing variants."""
    result = first_success(qualified, function)
    if result is None:
        return
    call, shape, outputs = result
    plain = worded(qualified, function, call, shape, outputs)
    yield plain
    ways = [call]
    for label, variant in () if is_factory(qualified, function) else VARIANTS.items():
        more = next(((s, got) for s in (shape, *SHAPES) if (got := run(function, variant, s))), None)
        text = worded(qualified, function, variant, *more) if more else plain
        as_number = label in ("two", "three") and text.endswith("!data")  # a tensor in place of a number
        ways += [variant] if more and not as_number else []
        if text != plain and not as_number:
            yield f"{label}:{text}"
    yield from memory_flags(qualified, function, ways, plain)


def worded(qualified: str, function: Callable[..., Any], call: Any, shape: tuple[int, ...], outputs: Any) -> str:
    """The result as text, with `!shape` or `!data` if it depends on the data."""
    x = sample(shape, torch.float32)
    arguments, _ = call(x)
    text = describe(outputs, x, returns(qualified))
    if is_factory(qualified, function):  # no input that the result could be like
        return factory_result(qualified, text)
    if len(arguments) > 1 and "pointwise" not in tags(qualified):
        text = text.replace("/same,", "/rank,").replace("/same)", "/rank)").replace("/same]", "/rank]")
        text = text[:-5] + "/rank" if text.endswith("/same") else text
    return text + data_dependence(function, call, shape)


def factory_result(qualified: str, text: str) -> str:
    """The result of a function that creates a tensor of numbers: its dtype, unless an argument determines it."""
    if not text.startswith("tensor"):
        return text
    dtype = text.split("/")[1]
    return f"tensor/{dtype}/" if dtype in ("float", "int") and "number" not in required_kinds(qualified) else "tensor//"


def is_factory(qualified: str, function: Callable[..., Any]) -> bool:
    """Whether the function creates a tensor from numbers."""
    return function not in OVERRIDABLE and not takes_tensor(qualified)


def first_success(qualified: str, function: Callable[..., Any]) -> Any:
    """The first call that works, the shape it works for, and its outputs by input dtype."""
    ways = [lambda x: ((x,), {})]
    count = max(len(list(calls(qualified, sample(shape, torch.float32)))) for shape in SHAPES)
    ways += [lambda x, place=place: list(calls(qualified, x))[place] for place in range(count)]
    for call in ways:
        for shape in SHAPES:
            outputs = run(function, call, shape)
            if outputs:
                return call, shape, outputs
    return None


def sample(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Distinct small positive values."""
    count = torch.Size(shape).numel()
    if dtype.is_floating_point:
        return torch.arange(1, count + 1).reshape(shape).to(dtype) / (count + 1)
    return (torch.arange(count).reshape(shape) % 3).to(dtype)


def run(
    function: Callable[..., Any], call: Callable[[torch.Tensor], Call], shape: tuple[int, ...]
) -> dict[torch.dtype, Any]:
    """The outputs of the calls that do not raise, by input dtype."""
    outputs = {}
    for dtype in DTYPES:
        with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
            warnings.simplefilter("ignore")
            try:
                arguments, keywords = call(sample(shape, dtype))
                outputs[dtype] = function(*arguments, **keywords)
            except Exception:  # noqa: BLE001 (a call that does not fit may raise anything; it only means: not this one)
                continue
    return outputs


def data_dependence(function: Callable[..., Any], call: Any, shape: tuple[int, ...]) -> str:
    """Whether the shape (`!shape`) or the value (`!data`) depends on data, by a call on fake tensors; else ""."""
    with FakeTensorMode(allow_non_fake_inputs=True) as mode, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in DTYPES:
            try:
                arguments, keywords = call(mode.from_tensor(sample(shape, dtype)))
                function(*arguments, **keywords)
            except DynamicOutputShapeException:
                return "!shape"
            except DataDependentOutputException:
                return "!data"
            except Exception:  # noqa: BLE001 (as in run())
                continue
    return ""


def flags(qualified: str, result: str) -> list[str]:
    """The flags by name and ATen tags: `inplace`, `pointwise`."""
    name, match = qualified.rsplit(".", 1)[-1], tags(qualified)
    words = ["inplace"] if name.endswith("_") and not name.endswith("__") else []
    words += ["pointwise"] if "pointwise" in match and "tensor" in result else []
    return words


def annotated(function: Callable[..., Any]) -> list[str]:
    """The return annotation of a Python function as a row, if its type has one."""
    try:
        result = typing.get_type_hints(function).get("return")
    except (TypeError, NameError, AttributeError):
        return []
    words = {
        torch.Tensor: "tensor//",
        bool: "bool",
        int: "int",
        float: "float",
        str: "string",
        type(None): "none",
        torch.dtype: "dtype",
        torch.device: "device",
        torch.Size: "size",
    }
    if result in words and result is not None:
        return [words[result]]
    items = typing.get_args(result)
    tensors = typing.get_origin(result) is tuple and items and all(item is torch.Tensor for item in items)
    return [f"({','.join('tensor//' for _ in items)})"] if tensors else []
