"""Call a model under fixed conditions and record what it does."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_map

from breaklint.verify.arm.accuracy import Record, clone, loss_of, snapshot, tensors_of, with_gradients
from breaklint.verify.arm.sharing import shared_memory

_DATA = (torch.Tensor, int, float, complex, str, bytes, type(None))


@dataclass
class Case:
    """A freshly built model and the arguments of one call, on the arm's device."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def observe(case: Case, seed: int, call: Callable[..., Any] | None = None, gradients: bool = False) -> Record:
    """Call the model (or `call`, its compiled form) once under `seed`.

    An exception of the plain model is part of the record, as are what it prints and which outputs share memory; an
    exception of the compiled model propagates.
    """
    leaves: list[torch.Tensor] = []
    if gradients:
        (args, kwargs), leaves = with_gradients((case.args, case.kwargs))
    else:
        args, kwargs = clone(case.args), clone(case.kwargs)
    seed_all(seed)
    record: Record = {}
    with nullcontext() if gradients else torch.no_grad(), _recorded(record, plain=call is None):
        output = _plain(case, args, kwargs, record) if call is None else call(*args, **kwargs)
    if "exception" not in record:
        record["output"] = snapshot(output)
        loss = loss_of(output) if gradients else None
        if loss is not None:
            with _recorded(record, plain=call is None):
                loss.backward()
    record["inputs"] = snapshot([args, kwargs])
    record["state"] = snapshot(_kept(case.model))
    if gradients:
        record["gradients"] = _gradients(case.model, leaves)
    return record


def _plain(case: Case, args: tuple[Any, ...], kwargs: dict[str, Any], record: Record) -> Any:
    with redirect_stdout(io.StringIO()) as printed:
        output = case.model(*args, **kwargs)
    record["printed"] = printed.getvalue()
    record["memory"] = shared_memory(tensors_of(output), (args, kwargs), state_of(case.model))
    return output


def comparable(expected: Record, actual: Record) -> tuple[Record, Record]:
    """Two records without what need not be equal: dead gradients, prints, and the memory of compiled outputs."""
    left, right = without_dead_gradients(expected), without_dead_gradients(actual)
    for name in ("printed", "memory") if "memory" not in left or "memory" not in right else ("printed",):
        left.pop(name, None)
        right.pop(name, None)
    return left, right


def printed_notes(expected: Record, actual: Record) -> list[str]:
    """Whether the rewritten source prints something else, which may be just what was wanted."""
    before, after = (record.get("printed", "") for record in (expected, actual))
    if before == after:
        return []
    return [f"it prints {_quoted(after)} where the original prints {_quoted(before)}"]


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…") if text else "nothing"


@contextmanager
def _recorded(record: Record, plain: bool) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not plain or _is_the_machines(error):
            raise
        record["exception"] = f"{type(error).__name__}: {error}"


def _is_the_machines(error: Exception) -> bool:
    """Out of memory, or a device assert after which every CUDA call fails: no result of the model's."""
    if "DefaultCPUAllocator: can't allocate memory" in str(error):
        return True
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or type(error).__name__ == "AcceleratorError"


def state_of(model: Any) -> dict[str, torch.Tensor]:
    """The module's parameters and buffers themselves (nothing for a plain function)."""
    return dict(model.state_dict()) if isinstance(model, torch.nn.Module) else {}


def same_state(one: Any, other: Any) -> bool:
    """Have two models equal parameters and buffers?"""
    left, right = state_of(one), state_of(other)
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


def draws_random_numbers(action: Callable[[], object]) -> bool:
    """Run `action`; did it advance torch's random generators?"""
    before = _generators()
    action()
    return not all(torch.equal(a, b) for a, b in zip(before, _generators(), strict=False))


def seed_all(seed: int) -> None:
    """Seed torch, random, and numpy if it is loaded."""
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def to_device(tree: Any, device: str) -> Any:
    """The same containers with every tensor on `device`."""
    return tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, tree)


def without_dead_gradients(record: Record) -> Record:
    """Drop gradients that are None or zeros: both train alike (weight decay aside, which the arm's notes tell)."""
    kept = {k: g for k, g in record.get("gradients", {}).items() if g is not None and bool((g != 0).any())}
    return {**record, "gradients": kept}


def gradient_notes(expected: Record, actual: Record) -> list[str]:
    """Parameters for which the original leaves no gradient and the rewritten source leaves zeros."""
    left, right = expected["gradients"], actual["gradients"]
    names = [n for n in left if left[n] is None and right.get(n) is not None]
    return [f"the gradient of {name} is zeros where the original leaves None" for name in names]


def _gradients(model: Any, leaves: list[torch.Tensor]) -> dict[str, Any]:
    parameters = model.named_parameters() if isinstance(model, torch.nn.Module) else ()
    named = [(f"input{index}", leaf) for index, leaf in enumerate(leaves)] + list(parameters)
    return {name: snapshot(tensor.grad) for name, tensor in named}


def _kept(model: Any) -> dict[str, Any]:
    """What a module remembers from one call to the next: its buffers, and attributes of plain data."""
    if not isinstance(model, torch.nn.Module):
        return {}
    kept: dict[str, Any] = dict(model.named_buffers())
    for prefix, module in model.named_modules():
        public = {key: value for key, value in vars(module).items() if not key.startswith("_") and _is_data(value)}
        kept |= {f"{prefix}.{key}".lstrip("."): value for key, value in public.items()}
    return kept


def _is_data(value: Any) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple | set) else [value]
    return all(isinstance(item, _DATA) for item in items)


def _generators() -> list[torch.Tensor]:
    cuda = [torch.cuda.get_rng_state()] if torch.cuda.is_available() and torch.cuda.is_initialized() else []
    return [torch.get_rng_state(), *cuda]
