"""Other inputs of the same kind, and other plain values in the model."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch.utils._pytree import keystr, tree_flatten_with_path, tree_leaves, tree_map, tree_unflatten

TensorChange = Callable[[torch.Tensor], torch.Tensor]
Change = tuple[tuple[str, ...], str, Any]
"""The paths of modules of one class, the name of an attribute that is the same in all, and another value."""
PLAIN = (bool, int, float, str)
MOST, MOST_WORDS = 32, 4
"""How many changes are made to a call and to a model, and how many strings are tried."""
_MODULES_OWN = {"training", "forward", "call_super_init", "dump_patches"}


def transform(call: Any, change: TensorChange) -> Any:
    """The arguments with every tensor changed; dtype and `requires_grad` stay."""

    def leaf(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return change(value.detach()).to(value.dtype).requires_grad_(value.requires_grad)

    return tree_map(leaf, call)


def tensors_in(tree: Any) -> list[torch.Tensor]:
    """The tensors of a call's arguments."""
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def same(one: Any, other: Any) -> bool:
    """Whether two calls have equal tensors and other values."""
    (left, form), (right, other_form) = (tree_flatten_with_path(value) for value in (one, other))
    pairs = [(a, b) for (_, a), (_, b) in zip(left, right, strict=False)]
    return form == other_form and all(_is_equal(*pair) for pair in pairs)


def _is_equal(one: Any, other: Any) -> bool:
    if not (isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)):
        return type(one) is type(other) and (type(one) not in PLAIN or bool(one == other))
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())


def transformations(call: Any) -> Iterator[tuple[str, Any]]:
    """The arguments under changes that often turn a branch: signs, zeros, magnitudes, shifts, NaN, sizes."""
    for name, change in _FLOAT_CHANGES.items():
        yield f"{name} inputs", transform(call, _of_floats(change))
    yield "inverted masks", transform(call, lambda x: ~x if x.dtype is torch.bool else x)
    yield "integers all 0", transform(call, lambda x: torch.zeros_like(x) if _is_whole(x) else x)
    forms = ((name, make()) for name, make in other_forms(call))
    yield from ((name, other) for name, other in forms if other is not None)
    yield "one more dimension", transform(call, lambda x: x.unsqueeze(0) if x.dim() else x)


def other_forms(call: Any, not_finite: bool = False) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls with masks all true and all false, of other sizes, negated, and with NaN and infinity if these count."""
    for value in (False, True):
        yield f"masks all {value}", partial(transform, call, _masks_of(value))
    for rows in (1, 3):
        yield f"batch size {rows}", partial(resize, call, rows)
    yield "one element less in dimension 1", partial(shorten, call)
    for name in ("negated", "NaN-holding", "infinity-holding")[: 3 if not_finite else 1]:
        yield f"{name} inputs", partial(transform, call, _of_floats(_FLOAT_CHANGES[name]))


def shorten(call: Any) -> Any:
    """The arguments with one element less in dimension 1, if most of their tensors share its size; else None."""
    leaves = [leaf for leaf in tensors_in(call) if leaf.dim() > 1]
    sizes = Counter(leaf.shape[1] for leaf in leaves if leaf.shape[1] > 2)
    if not sizes:
        return None
    common = sizes.most_common(1)[0][0]
    return transform(call, lambda x: x[:, : common - 1].clone() if x.dim() > 1 and x.shape[1] == common else x)


def noncontiguous(call: Any) -> Any:
    """The same values, those of tensors of more than one dimension in another order in memory; None without any."""
    if not any(map(_can_be_transposed, tensors_in(call))):
        return None
    return transform(call, lambda x: x.transpose(0, -1).contiguous().transpose(0, -1) if _can_be_transposed(x) else x)


def _can_be_transposed(x: torch.Tensor) -> bool:
    return x.layout == torch.strided and x.dim() > 1 and x.shape[0] > 1 and x.shape[-1] > 1


def redraw(call: Any, seed: int) -> Any:
    """The arguments with every float tensor redrawn from a normal distribution of its mean and spread."""
    generator = torch.Generator().manual_seed(seed)

    def draw(x: torch.Tensor) -> torch.Tensor:
        spread = x.float().std(correction=0) if x.numel() else x.new_zeros(())
        return torch.randn(x.shape, generator=generator).to(x.device) * spread + x.float().mean()

    return transform(call, _of_floats(draw))


def randomize_constants(call: Any) -> Any:
    """The arguments with random numbers in float tensors of equal elements, or of NaN; None without any."""
    if not any(map(_cannot_tell, tensors_in(call))):
        return None
    generator = torch.Generator().manual_seed(0)
    return transform(call, lambda x: torch.randn(x.shape, generator=generator).to(x.device) if _cannot_tell(x) else x)


def _cannot_tell(x: torch.Tensor) -> bool:
    if x.numel() < 2 or not x.is_floating_point():
        return False
    first = x.reshape(-1)[0]
    return bool(((x == first) | (x.isnan() & first.isnan())).all())


def resize(call: Any, batch: int) -> Any:
    """The arguments with `batch` as the leading dimension that most of their tensors share; None without any."""
    sizes = [len(leaf) for leaf in tensors_in(call) if leaf.dim() and len(leaf)]
    if not sizes:
        return None
    common = Counter(sizes).most_common(1)[0][0]

    def repeat(x: torch.Tensor) -> torch.Tensor:
        if not x.dim() or len(x) != common:
            return x
        return torch.cat([x] * max(1, math.ceil(batch / common)))[:batch].clone()

    return transform(call, repeat)


def _of_floats(change: TensorChange) -> TensorChange:
    return lambda x: change(x) if x.is_floating_point() else x


def _masks_of(value: bool) -> TensorChange:
    return lambda x: torch.full_like(x, value) if x.dtype is torch.bool else x


def _is_whole(x: torch.Tensor) -> bool:
    return not x.is_floating_point() and not x.is_complex() and x.dtype is not torch.bool


def _holding(value: float) -> TensorChange:
    return lambda x: torch.cat([x.new_full((1,), value), x.flatten()[1:]]).view(x.shape) if x.numel() else x


_FLOAT_CHANGES: dict[str, TensorChange] = {
    "negated": torch.neg,
    "all-zero": torch.zeros_like,
    "all-one": torch.ones_like,
    "absolute": torch.abs,
    "negative": lambda x: -x.abs() - 1,
    "100 times larger": lambda x: x * 100,
    "100 times smaller": lambda x: x / 100,
    "shifted up": lambda x: x + 10,
    "shifted down": lambda x: x - 10,
    "huge": lambda x: x.abs() * 1e4 + 1e4,
    "NaN-holding": _holding(math.nan),
    "infinity-holding": _holding(math.inf),
}


def _others(value: Any, words: Collection[str]) -> Sequence[Any]:
    """A few values of the same type, near this one; of strings, those that the code has."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    if isinstance(value, float):
        return value + 1, value * 0.5 if value else 0.5
    return [word for word in sorted(words) if word != value][:MOST_WORDS]


def other_arguments(call: Any, words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The call with one plain value in its arguments changed, including those in containers."""
    leaves, structure = tree_flatten_with_path(call)
    values = [leaf for _, leaf in leaves]
    changes = ((n, other) for n, value in enumerate(values) if type(value) in PLAIN for other in _others(value, words))
    for n, other in islice(changes, MOST):
        (_, place, *inner) = leaves[n][0]
        where = f"{getattr(place, 'idx', getattr(place, 'key', ''))}{keystr(tuple(inner))}"
        yield f"{other!r} for argument {where}", tree_unflatten([*values[:n], other, *values[n + 1 :]], structure)


def with_defaults(call: Any, defaults: Mapping[str, Any], words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The call with another value than the default for one of the parameters that it leaves out."""
    args, kwargs = call
    for name, default in defaults.items():
        for other in _others(default, words) if type(default) in PLAIN else ():
            yield f"{name}={other!r}", (args, {**kwargs, name: other})


def attribute_names(model: Any) -> set[tuple[str, str]]:
    """The names of all attributes of modules, each with the path of the module."""
    modules = model.named_modules() if isinstance(model, torch.nn.Module) else ()
    return {(prefix, name) for prefix, m in modules for name in (*vars(m), *m._parameters, *m._buffers, *m._modules)}


def other_attributes(model: Any, attributes: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Change]]:
    """Changes of the plain attributes of modules that are read, by name; equal ones of one class change together."""
    alike: dict[tuple[type, str, type, Any], list[str]] = defaultdict(list)
    for path, module in model.named_modules() if isinstance(model, torch.nn.Module) else ():
        for name, value in vars(module).items():
            if type(value) in PLAIN and name in attributes and name not in _MODULES_OWN:
                alike[type(module), name, type(value), value].append(path)
    for (_, name, _, value), paths in alike.items():
        where = ".".join(filter(None, (paths[0], name)))
        yield from ((f"{other!r} for {where}", (tuple(paths), name, other)) for other in _others(value, words))


@contextmanager
def changed_attribute(model: torch.nn.Module, change: Change | None) -> Iterator[None]:
    """Inside, an attribute of some modules has another value; AttributeError if there is none."""
    if change is None:
        yield
        return
    paths, name, value = change
    modules = [model.get_submodule(path) for path in paths]
    usual = [getattr(module, name) for module in modules]
    try:
        for module in modules:
            setattr(module, name, value)
        yield
    finally:
        for module, own in zip(modules, usual, strict=True):
            setattr(module, name, own)
