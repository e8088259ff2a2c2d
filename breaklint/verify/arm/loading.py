"""Load a verify target inside an arm's process, with the text of some files replaced."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from inspect import isfunction, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from breaklint.verify.arm.branches import Rows
from breaklint.verify.arm.inputs import made
from breaklint.verify.arm.library_models import library_model
from breaklint.verify.arm.overrides import Overrides, TextLoader
from breaklint.verify.arm.user_lines import is_installed
from breaklint.verify.capture.captured import load_captured
from breaklint.verify.capture.portable import Own

Call = tuple[tuple[Any, ...], dict[str, Any]]
RETURNS = "returns (model, args) or (model, args, kwargs)"
_ELSEWHERE: dict[str, dict[str, ModuleType]] = {}  # the modules whose files lie elsewhere than below a folder
NAME = "breaklint_target"
"""The import name of a file outside packages: one for every arm, so that one reads what another has pickled."""


class LoadError(Exception):
    """The target cannot be loaded; the message names the file and the remedy."""

    breaklint_kind = "load"


@dataclass(frozen=True)
class Location:
    """Where the model of an arm is.

    `path` is the file, `module` its import name, `root` the folder that makes this name importable. `attribute` is a
    class or a factory ("" picks the file's model class); `overrides` maps a path to the text to run instead.
    `recipe` says how the model and its inputs are made: with `init`, `inputs` and `sizes` as in the configuration,
    with the test case of number `case`, as in the folder `captured`, or as the models of a `library` are; else the
    file's own functions do. Branches on the rows to `watch`, in files whose text is given, tell their outcome
    (`branches`).
    """

    path: str
    module: str
    root: str
    attribute: str
    factory: bool
    overrides: dict[str, str] = field(default_factory=dict)
    recipe: dict[str, Any] = field(default_factory=dict)
    watch: tuple[Rows, ...] = ()


def load(location: Location, device: str = "cpu") -> tuple[Any, Call]:
    """Execute the target's file again and build the model; returns it with the arguments of one call.

    Only what was recorded on an accelerator is put on `device`.
    """
    module = _execute(location)
    if "captured" in location.recipe:
        return load_captured(Path(location.recipe["captured"]), device, module.__name__, own_code(location))
    if "library" in location.recipe:
        return library_model(location.recipe["library"], module, location.attribute)
    if "case" in location.recipe:
        return _from_test_case(module, location)
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
    model = _built(model_class, module, location)
    if not callable(model):
        raise _no_class(location)
    return model, _call_of(module.get_inputs(), f"{location.path}: get_inputs()")


def own_code(location: Location) -> Own:
    """The code that a recording belongs to, and may name."""
    return Own((location.root, *location.recipe.get("paths", ())), location.module.partition(".")[0])


def _no_class(location: Location) -> LoadError:
    where, named = f"{location.path}: {location.attribute}", f"{Path(location.path).name}:make"
    return LoadError(f"{where} is no module class; a function that {RETURNS} is named as {named}")


def choice(location: Location, model: Any) -> str:
    """What to tell where the file holds modules that are no part of this one, and the target does not say which; ""
    elsewhere."""
    if location.attribute or location.recipe:
        return ""
    picked = type(model)
    parts = {type(part) for part in model.modules()} if hasattr(model, "modules") else set()
    names = [each.__name__ for each in _model_classes(sys.modules[picked.__module__]) if each not in parts - {picked}]
    if len(names) < 2:
        return ""
    return f"of the modules {', '.join(names)} this is {picked.__name__}; name another as FILE.py::Class"


def _init_of(module: ModuleType, location: Location) -> Call:
    if "init" in location.recipe:
        return _arguments(made(location.recipe["init"], _sizes(location)))
    if not hasattr(module, "get_init_inputs"):
        return (), {}
    return _call_of(module.get_init_inputs(), f"{location.path}: get_init_inputs()")


def _built(model_class: Callable[..., Any], module: ModuleType, location: Location) -> Any:
    args, kwargs = _init_of(module, location)
    try:
        signature(model_class).bind(*args, **kwargs)
    except ValueError:  # a class written in C tells no signature
        pass
    except TypeError as error:
        name = getattr(model_class, "__name__", location.attribute)
        source = "its arguments come from get_init_inputs() in the file, or from `init` in [[tool.breaklint.verify]]"
        raise LoadError(f"{location.path}: {name}: {error}; {source}") from error
    return model_class(*args, **kwargs)


def _from_test_case(module: ModuleType, location: Location) -> tuple[Any, Call]:
    cases, number = getattr(module, "TESTCASES", ()), location.recipe["case"]
    if number >= len(cases):
        raise LoadError(f"{location.path}: no test case {number}; TESTCASES in it has {len(cases)}, counted from 0")
    model_class, init, forward = cases[number][:3]
    args, kwargs = init()
    model = model_class(*args, **kwargs)
    return model, _call_of(forward(), f"{location.path}: test case {number}")


def _from_description(module: ModuleType, location: Location) -> tuple[Any, Call]:
    build = _attribute(module, location) if location.attribute else _model_class(module, location)
    model = _built(build, module, location)
    model = model[0] if isinstance(model, tuple) else model  # a factory that brings inputs of its own
    return model, described_call(location, _sizes(location))


def described_call(location: Location, sizes: dict[str, int]) -> Call:
    """The arguments that the configuration describes, with these values of its named sizes."""
    return _arguments(made(location.recipe["inputs"], sizes))


def _arguments(values: Any) -> Call:
    return ((), values) if isinstance(values, dict) else (tuple(values), {})


def _sizes(location: Location) -> dict[str, int]:
    named: list[dict[str, int]] = location.recipe.get("sizes") or [{}]
    return named[0]


def _call_of(values: Any, where: str) -> Call:
    """`[a, b]` are positional arguments; `[[a, b], {"k": c}]` are positional and keyword arguments."""
    _refuse_no_list(values, f"{where} must return a list of arguments")
    if len(values) == 2 and isinstance(values[0], list | tuple) and isinstance(values[1], dict):
        return tuple(values[0]), dict(values[1])
    return tuple(values), {}


def _from_factory(factory: Callable[[], Any], location: Location) -> tuple[Any, Call]:
    where = f"{location.path}: {location.attribute}"
    if isinstance(factory, type) and issubclass(factory, torch.nn.Module):
        named = f"{Path(location.path).name}::{location.attribute}"
        raise LoadError(f"{where} is a class: name it {named}, with two colons")
    try:
        signature(factory).bind()
    except TypeError as error:
        raise LoadError(f"{where} is called without arguments ({error}); it has to be one that {RETURNS}") from error
    made = factory()
    if not isinstance(made, tuple) or len(made) not in (2, 3) or not callable(made[0]):
        raise LoadError(f"{where}() must be a function that {RETURNS}")
    _refuse_no_list(made[1], f"{where}() must be a function that {RETURNS}, where args is a list or a tuple")
    return made[0], (tuple(made[1]), dict(made[2]) if len(made) == 3 else {})


def _refuse_no_list(values: Any, wanted: str) -> None:
    """LoadError for a single tensor, whose rows would be taken for arguments, and for anything else that is no list."""
    if not isinstance(values, list | tuple):
        name = type(values).__name__
        raise LoadError(f"{wanted}, not {'an' if name[0] in 'aeiou' else 'a'} {name}")


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
    named = [c for c in classes if c.__name__ == "Model"]
    return (named or classes)[-1]


def _execute(location: Location) -> ModuleType:
    """Import the target's module with fresh code objects, for Dynamo marks the ones it has given up."""
    Overrides.install(location.overrides, location.watch)
    if location.root not in sys.path:
        sys.path.insert(0, location.root)
    _forget_own_modules(location)
    importlib.invalidate_caches()
    if location.module:
        return importlib.import_module(location.module)
    name = NAME
    spec = importlib.util.spec_from_file_location(name, location.path, loader=_loader(name, location))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _loader(name: str, location: Location) -> SourceFileLoader:
    text = location.overrides.get(location.path)
    return (
        SourceFileLoader(name, location.path) if text is None else TextLoader(name, location.path, text, location.watch)
    )


def _forget_own_modules(location: Location) -> None:
    if _is_library(location):  # re-importing one would cost more than it proves
        sys.modules.pop(location.module, None)
        return
    for module in _own_modules(location.root):
        if module != "__main__" and not module.startswith("breaklint."):
            del sys.modules[module]


def _own_modules(root: str) -> dict[str, ModuleType]:
    """The loaded modules whose files lie below the folder, by name.

    Every call of a model asks for them, and thousands are loaded: those found elsewhere are not looked at again.
    """
    below = root.rstrip(os.sep) + os.sep
    elsewhere = _ELSEWHERE.setdefault(below, {})
    own: dict[str, ModuleType] = {}
    for name, module in list(sys.modules.items()):
        if elsewhere.get(name) is module:
            continue
        file = getattr(module, "__file__", None) or ""
        if file.startswith(below) and not is_installed(file):
            own[name] = module
        else:
            elsewhere[name] = module
    return own


def _is_library(location: Location) -> bool:
    """Does the target belong to an installed library?"""
    return "library" in location.recipe or is_installed(location.root)


def region_modules(location: Location) -> dict[str, ModuleType]:
    """The modules, by name, that are loaded again with the target's, and those of files that have another text."""
    own = {} if _is_library(location) else _own_modules(location.root)
    if not location.overrides.keys() <= {module.__file__ for module in own.values()}:
        files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
        own |= {name: sys.modules[name] for name, file in files.items() if file in location.overrides}
    return own


def main_module(location: Location) -> str:
    """The import name of the target's own file."""
    return location.module or NAME
