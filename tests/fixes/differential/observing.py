"""One eager call of a model, and everything that can be seen of it from outside."""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import logging
import pickle
import random
import re
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from differential.inputs import CHANGES, Call

torch.set_warn_always(True)  # else torch warns once a process, and the version that runs second is silent
MODES = {"grad": contextlib.nullcontext, "no_grad": torch.no_grad, "inference": torch.inference_mode}
ADDRESS = re.compile(r" at 0x[0-9a-f]+\b")


@dataclass(frozen=True)
class Seen:
    """A tensor as it is seen: its values are kept in a copy of its own."""

    values: torch.Tensor
    dtype: torch.dtype
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    requires_grad: bool
    leaf: bool
    kind: type = torch.Tensor


@dataclass
class Record:
    """What a call gave, did and left. A missing part was not reached."""

    output: Any = None
    error: tuple[str, str] | None = None
    late: tuple[str, str] | None = None  # raised by backward
    gradients: list[Seen | None] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)  # the inputs, the module's state and its attributes
    aliases: set[tuple[int, int, str]] = field(default_factory=set)
    told: dict[str, Any] = field(default_factory=dict)  # by channel
    generators: list[Any] = field(default_factory=list)


def built(text: str, path: str) -> Any:
    """The model of a source text."""
    return executed(text, path)["Net"]()


def executed(text: str, path: str) -> dict[str, Any]:
    """What a source text defines, by name."""
    module = types.ModuleType("variant")
    namespace = vars(module)
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)  # TorchScript reads the source
    exec(compile(text, path, "exec"), namespace)
    torch.default_generator.manual_seed(0)
    return namespace


def record(text: str, path: str, call: Call) -> Record:
    """Run the model of a text once, backward included. What it raises at import, or when it is made, is seen, too."""
    seen = Record()
    with _unchanged_torch(seen):
        _record(seen, text, path, call)
    return seen


@contextlib.contextmanager
def _unchanged_torch(seen: Record) -> Iterator[None]:
    """See what is set for all of torch, and set it back."""
    dtype, gradients = torch.get_default_dtype(), torch.is_grad_enabled()
    try:
        yield
    finally:
        seen.told["torch"] = str(torch.get_default_dtype()), torch.is_grad_enabled()
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(gradients)


def _record(seen: Record, text: str, path: str, call: Call) -> None:
    namespace: dict[str, Any] = {}
    model, seen.error = _tried(lambda: (namespace.update(executed(text, path)), namespace["Net"]())[1])
    if seen.error is not None:
        return
    arguments, leaves = call.tensors()
    _seed()
    with _told(seen.told), MODES[call.mode]():
        output, seen.error = _tried(model, *arguments)
    seen.output = snapshot(output)
    first = next(tensors_of(output), None)
    if first is not None and call.change:
        _, seen.told["changed"] = _tried(CHANGES[call.change], first)
    held = [*arguments, *model.parameters(), *model.buffers(), *tensors_of(output)]
    seen.aliases = set(_aliases(held))
    state = [dict(model.named_buffers()), _plain_attributes(model), _plain_globals(namespace)]
    seen.after = [snapshot(argument) for argument in (arguments, *state)]
    seen.generators = [torch.get_rng_state().numpy().tobytes(), random.getstate(), _numpy_state()]
    with _told({}):
        _, seen.late = _tried(_backward, output)
    seen.gradients = [snapshot(leaf.grad) for leaf in (*leaves, *model.parameters())]


def _tried(action: Any, *arguments: Any) -> tuple[Any, tuple[str, str] | None]:
    try:
        return action(*arguments), None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is compared with that of the other version
        return None, (type(error).__name__, str(error))


def snapshot(value: Any) -> Any:
    """Tensors as `Seen`, containers by kind, numbers and strings as they are, other objects by their class."""
    if isinstance(value, torch.Tensor):
        flags = (value.requires_grad, _is_leaf(value))
        return Seen(value.detach().clone(), value.dtype, tuple(value.shape), value.stride(), *flags, type(value))
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [snapshot(item) for item in value])
    return value if isinstance(value, (int, float, complex, str, type(None))) else type(value).__name__


def _is_leaf(tensor: torch.Tensor) -> bool:
    try:
        return tensor.is_leaf
    except RuntimeError:  # of a view made without gradients whose base was changed with them
        return False


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in an output, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tensors_of(item)


def _aliases(held: list[Any]) -> Iterator[tuple[int, int, str]]:
    """Which of the tensors are one object, and which share memory, and how far apart they begin.

    A model may hold something else where it had a tensor.
    """
    tensors = [(number, item) for number, item in enumerate(held) if isinstance(item, torch.Tensor)]
    for (i, one), (j, other) in itertools.combinations(tensors, 2):
        if one is other:
            yield i, j, "object"
        elif _memory(one) == _memory(other):
            yield i, j, f"memory, {other.storage_offset() - one.storage_offset()} elements on"


def _memory(tensor: torch.Tensor) -> int:
    """Where a tensor's elements lie; asked of the class, since a model may put another method on the tensor."""
    return torch.Tensor.untyped_storage(tensor)._cdata


def _backward(output: Any) -> None:
    """Gradients of a number that every element of every output reaches with a weight of its own."""
    total = None
    for tensor in tensors_of(output):
        if tensor.requires_grad:
            real = torch.view_as_real(tensor).sum(-1) if tensor.is_complex() else tensor
            weights = torch.arange(1, real.numel() + 1, dtype=torch.float64).cos().view(real.shape)
            part = (real.double() * weights).sum()
            total = part if total is None else total + part
    if total is not None:
        total.backward()


@contextlib.contextmanager
def _told(told: dict[str, Any]) -> Iterator[None]:
    """Collect what is printed, logged and warned."""
    out, err, handler = io.StringIO(), io.StringIO(), _Lines()
    logger = logging.getLogger("variant")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            yield
            told["warned"] = [(item.category.__name__, _same(str(item.message))) for item in warned]
    finally:
        logger.removeHandler(handler)
        told["printed"], told["logged"] = _same(out.getvalue()), handler.lines
        told["progress"] = bool(err.getvalue())


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[str, str]] = []

    def emit(self, line: logging.LogRecord) -> None:
        self.lines.append((line.levelname, _same(line.getMessage())))


def _same(text: str) -> str:
    """Text without addresses of objects, which differ from run to run."""
    return ADDRESS.sub(" at 0x…", text)


def _plain_attributes(model: torch.nn.Module) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if not name.startswith("_")}


def _plain_globals(namespace: dict[str, Any]) -> dict[str, Any]:
    """The values of the file's own names; modules aside, since a fix may import one."""
    plain = (bool, int, float, str, list, tuple, dict, torch.Tensor)
    return {name: value for name, value in namespace.items() if name[:2] != "__" and isinstance(value, plain)}


def _seed() -> None:
    torch.default_generator.manual_seed(0)
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)


def _numpy_state() -> bytes:
    return pickle.dumps(sys.modules["numpy"].random.get_state()) if "numpy" in sys.modules else b""
