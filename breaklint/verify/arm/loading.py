"""Load a target inside an arm's process, with other texts of some files, and create the inputs that it describes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import isfunction, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from breaklint.calls.portable import Own
from breaklint.calls.thaw import Call, load_captured
from breaklint.verify.arm.importing import Location, execute
from breaklint.verify.targets.specs import is_spec, read_spec

RETURNS = "returns (model, args) or (model, args, kwargs)"


class LoadError(Exception):
    """The target cannot be loaded; the message names the file and the remedy."""

    breaklint_kind = "load"


def load(location: Location, device: str = "cpu") -> tuple[Any, Call]:
    """Execute the target's file again and build the model; returns it with the arguments of one call.

    Only tensors that were recorded on an accelerator are moved to `device`.
    """
    module = execute(location)
    if "captured" in location.recipe:
        return load_captured(Path(location.recipe["captured"]), device, module.__name__, own_code(location))
    if "inputs" in location.recipe:
        return _from_description(module, location)
    if location.factory:
        return _from_factory(_attribute(module, location), location)
    model_class = _attribute(module, location) if location.attribute else _model_class(module, location)
    if isfunction(model_class) and not hasattr(module, "get_inputs"):
        raise _no_class(location)
    if not hasattr(module, "get_inputs"):
        remedy = "add one that returns the list of forward's arguments, or describe them as [[tool.breaklint.verify]]"
        raise LoadError(f"{location.path}: no get_inputs(); {remedy}")
    model = _instantiate(model_class, module, location)
    if not callable(model):
        raise _no_class(location)
    return model, call_of(module.get_inputs(), f"{location.path}: get_inputs()")


def own_code(location: Location) -> Own:
    """The code that a recording belongs to, and may name."""
    return Own((location.root, *location.recipe.get("paths", ())), location.module.partition(".")[0])


def _no_class(location: Location) -> LoadError:
    where, factory = f"{location.path}: {location.attribute}", f"{Path(location.path).name}:make"
    return LoadError(f"{where} is no module class; a function that {RETURNS} is named as {factory}")


def choice(location: Location, model: Any) -> str:
    """The notice for a file with further modules that are not part of this one, if the target does not name one; ""
    otherwise."""
    if location.attribute or location.recipe:
        return ""
    own = type(model)
    parts = {type(part) for part in model.modules()} if hasattr(model, "modules") else set()
    names = [cls.__name__ for cls in _model_classes(sys.modules[own.__module__]) if cls not in parts - {own}]
    if len(names) < 2:
        return ""
    return f"of the modules {', '.join(names)} this is {own.__name__}; name another as FILE.py::Class"


def _init_of(module: ModuleType, location: Location) -> Call:
    if "init" in location.recipe:
        return _arguments(make_inputs(location.recipe["init"], _sizes(location)))
    if not hasattr(module, "get_init_inputs"):
        return (), {}
    return call_of(module.get_init_inputs(), f"{location.path}: get_init_inputs()")


def _instantiate(model_class: Callable[..., Any], module: ModuleType, location: Location) -> Any:
    args, kwargs = _init_of(module, location)
    try:
        signature(model_class).bind(*args, **kwargs)
    except ValueError:  # a class written in C has no signature
        pass
    except TypeError as error:
        name = getattr(model_class, "__name__", location.attribute)
        source = "its arguments come from get_init_inputs() in the file, or from `init` in [[tool.breaklint.verify]]"
        raise LoadError(f"{location.path}: {name}: {error}; {source}") from error
    return model_class(*args, **kwargs)


def _from_description(module: ModuleType, location: Location) -> tuple[Any, Call]:
    build = _attribute(module, location) if location.attribute else _model_class(module, location)
    model = _instantiate(build, module, location)
    model = model[0] if isinstance(model, tuple) else model  # a factory that brings inputs of its own
    return model, described_call(location, _sizes(location))


def described_call(location: Location, sizes: dict[str, int]) -> Call:
    """The arguments that the configuration describes, with these values of its named sizes."""
    return _arguments(make_inputs(location.recipe["inputs"], sizes))


def _arguments(values: Any) -> Call:
    return ((), values) if isinstance(values, dict) else (tuple(values), {})


def _sizes(location: Location) -> dict[str, int]:
    sizes: list[dict[str, int]] = location.recipe.get("sizes") or [{}]
    return sizes[0]


def call_of(values: Any, where: str) -> Call:
    """`[a, b]` are positional arguments; `[[a, b], {"k": c}]` are positional and keyword arguments."""
    _refuse_no_list(values, f"{where} must return a list of arguments")
    if len(values) == 2 and isinstance(values[0], list | tuple) and isinstance(values[1], dict):
        return tuple(values[0]), dict(values[1])
    return tuple(values), {}


def _from_factory(factory: Callable[[], Any], location: Location) -> tuple[Any, Call]:
    where = f"{location.path}: {location.attribute}"
    if isinstance(factory, type) and issubclass(factory, torch.nn.Module):
        target = f"{Path(location.path).name}::{location.attribute}"
        raise LoadError(f"{where} is a class: name it {target}, with two colons")
    try:
        signature(factory).bind()
    except TypeError as error:
        raise LoadError(f"{where} is called without arguments ({error}); it has to be one that {RETURNS}") from error
    result = factory()
    if not isinstance(result, tuple) or len(result) not in (2, 3) or not callable(result[0]):
        raise LoadError(f"{where}() must be a function that {RETURNS}")
    _refuse_no_list(result[1], f"{where}() must be a function that {RETURNS}, where args is a list or a tuple")
    return result[0], (tuple(result[1]), dict(result[2]) if len(result) == 3 else {})


def _refuse_no_list(values: Any, expectation: str) -> None:
    """LoadError for a single tensor, whose rows would become arguments, and for other values except lists."""
    if not isinstance(values, list | tuple):
        name = type(values).__name__
        raise LoadError(f"{expectation}, not {'an' if name[0] in 'aeiou' else 'a'} {name}")


def _attribute(module: ModuleType, location: Location) -> Any:
    value: Any = module
    for name in location.attribute.split("."):
        if not hasattr(value, name):
            raise LoadError(f"{location.path}: no {location.attribute!r} in it; {_choices(module)}")
        value = getattr(value, name)
    return value


def _model_classes(module: ModuleType) -> list[type[torch.nn.Module]]:
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    return [c for c in classes if issubclass(c, torch.nn.Module) and c.__module__ == module.__name__]


def _choices(module: ModuleType) -> str:
    names = ", ".join(c.__name__ for c in _model_classes(module))
    return f"its modules are {names}" if names else "it defines no nn.Module"


def _model_class(module: ModuleType, location: Location) -> Any:
    """The only module class, or the one named Model, or the last one."""
    classes: Sequence[type[torch.nn.Module]] = _model_classes(module)
    if not classes:
        raise LoadError(f"{location.path}: it defines no nn.Module; name a factory in it as FILE:name")
    candidates = [c for c in classes if c.__name__ == "Model"]
    return (candidates or classes)[-1]


def make_inputs(value: Any, sizes: Mapping[str, int]) -> Any:
    """A value of the configuration with a random tensor for every spec, and numbers for named sizes."""
    if isinstance(value, str):
        return random_tensor(value, sizes) if is_spec(value) else sizes.get(value, value)
    if isinstance(value, Mapping):
        return {key: make_inputs(inner, sizes) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [make_inputs(inner, sizes) for inner in value]
    return value


def random_tensor(
    text: str, sizes: Mapping[str, int], generator: torch.Generator | None = None, scale: int = 1
) -> torch.Tensor:
    """One tensor, every size `scale` times as large: normal floats, integers evenly from their range, even booleans."""
    spec = read_spec(text)
    shape, dtype = [size * scale for size in spec.sizes(sizes)], getattr(torch, spec.dtype)
    if dtype is torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if spec.low is not None and spec.high is not None:
        return torch.randint(spec.low, spec.high, shape, generator=generator, dtype=dtype)
    wide = dtype if dtype.is_complex else torch.float32
    return torch.randn(shape, generator=generator, dtype=wide).to(dtype)
