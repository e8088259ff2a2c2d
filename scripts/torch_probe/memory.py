"""Effects of a call on memory and the random state: views, results in new memory, random draws."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from .calls import Call, aten_names, tags

Way = Callable[[torch.Tensor], Call]
DTYPES = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float64, torch.complex32, torch.complex64, torch.complex128)  # fmt: skip
warnings.filterwarnings("ignore", "ComplexHalf support is experimental")
INPUTS = (
    *(torch.ones(shape) for shape in ((2, 3, 4), (3, 3), (3,), (1, 1), (3, 3, 3, 3), ())),
    torch.ones(4, 3).T,
    torch.ones(3, 3, 3),
    *(torch.ones(2, 3, dtype=dtype) for dtype in DTYPES),  # a conversion returns a tensor that already has its dtype
)
INTEGERS = {torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64}
SAME_SIZE = {"sum_to_size"}  # returns its input if it already has the size
UNTRIED = {"index"}  # first-class dimensions iterate over every element of a tensor
SWITCHES = {"train", "training"}  # if off, the result may be the input


def flags(qualified: str, function: Callable[..., Any], ways: Sequence[Way], result: str) -> list[str]:
    """`view`, `fresh`, `values` and `random`, measured over the ways to call the function."""
    if "tensor" not in result or qualified in UNTRIED:
        return []
    drawn = "nondeterministic_seeded" in tags(qualified) or any(draws(function, way) for way in ways)
    if is_inplace(qualified):
        return ["random"] * drawn
    with torch.random.fork_rng(devices=[]):
        shared = [match for way in ways for match in sharing(function, way)]
    words = []
    if True in shared or is_alias(qualified):
        words.append("view")
    elif shared and not switches(qualified, function) and qualified not in SAME_SIZE:
        words.append("fresh")
    if keeps_values(qualified, function):
        words.append("values")
    return words + ["random"] * drawn


def is_inplace(qualified: str) -> bool:
    """Whether the name says that the function changes its first tensor."""
    return qualified.endswith("_") and not qualified.endswith("__")


def sharing(function: Callable[..., Any], way: Way) -> Iterator[bool]:
    """For each call that works, whether a result tensor shares memory with an argument."""
    for x in INPUTS:
        arguments, output = attempt(function, way, x.clone(memory_format=torch.preserve_format))
        inputs, got = list(tensors(arguments)), list(tensors(output))
        if got:
            memory = {item.untyped_storage().data_ptr() for item in inputs if dense(item)}
            yield any(dense(item) and item.untyped_storage().data_ptr() in memory for item in got)


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors(item)


def dense(tensor: torch.Tensor) -> bool:
    """Whether the tensor has memory to compare."""
    return tensor.layout is torch.strided and not tensor.is_meta and tensor.numel() > 0


def attempt(function: Callable[..., Any], way: Way, x: torch.Tensor) -> tuple[Any, Any]:
    """The arguments and the output of a call, None for both if it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            arguments, keywords = way(x)
            return arguments, function(*arguments, **keywords)
        except Exception:  # noqa: BLE001 (a call that does not fit may raise anything; it only means: not this one)
            return None, None


def is_alias(qualified: str) -> bool:
    """Whether a schema says that the result may be a view: `Tensor(a)`."""
    for name in aten_names(qualified)[:1]:
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            returned = getattr(packet, overload)._schema.returns
            if any(item.alias_info is not None and not item.alias_info.is_write for item in returned):
                return True
    return False


def switches(qualified: str, function: Callable[..., Any]) -> bool:
    """Whether a parameter turns the function off."""
    code = getattr(function, "__code__", None)
    names = set(code.co_varnames) if code is not None else set()
    for name in aten_names(qualified)[:1]:
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            names |= {argument.name for argument in getattr(packet, overload)._schema.arguments}
    return bool(names & SWITCHES)


def keeps_values(qualified: str, function: Callable[..., Any]) -> bool:
    """Whether integers keep their values, in any dtype: copies and conversions, no pointwise function."""
    if "pointwise" in tags(qualified) or is_inplace(qualified):
        return False
    numbers = torch.tensor([3, -1, 2, -3, 1, -2])
    for x in (numbers.reshape(2, 3), numbers.reshape(1, 2, 3), numbers.reshape(2, 1, 3).float()):
        _, output = attempt(function, lambda x: ((x,), {}), x)
        if not isinstance(output, torch.Tensor) or output.shape != x.shape or output.layout is not x.layout:
            return False
        plain = output.dtype.is_floating_point or output.dtype in INTEGERS
        if not plain or not torch.equal(output.double(), x.double()):
            return False
    return True


def draws(function: Callable[..., Any], way: Way) -> bool:
    """Whether a call moves the random state on."""
    for x in INPUTS[:3]:
        with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
            warnings.simplefilter("ignore")
            before = torch.get_rng_state()
            try:
                arguments, keywords = way(x / 2)
                function(*arguments, **keywords)
            except Exception:  # noqa: BLE001 (as in attempt())
                continue
            return not torch.equal(before, torch.get_rng_state())
    return False
