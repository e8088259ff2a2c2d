"""Load a verify target inside an arm's process, with the text of some files replaced."""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import torch

Call = tuple[tuple[Any, ...], dict[str, Any]]


class LoadError(Exception):
    """The target cannot be loaded; the message names the file and the remedy."""

    breaklint_kind = "load"


@dataclass(frozen=True)
class Location:
    """Where the model of an arm is.

    `path` is the file, `module` its import name, `root` the folder that makes this name importable. `attribute` is a
    class or a factory ("" picks the file's model class); `overrides` maps a path to the text to run in its stead.
    """

    path: str
    module: str
    root: str
    attribute: str
    factory: bool
    overrides: dict[str, str] = field(default_factory=dict)


def load(location: Location) -> tuple[Any, Call]:
    """Execute the target's file anew and build the model; returns it with the arguments of one call."""
    module = _execute(location)
    if location.factory:
        return _from_factory(_attribute(module, location), location)
    model_class = _attribute(module, location) if location.attribute else _model_class(module, location)
    if not hasattr(module, "get_inputs"):
        raise LoadError(f"{location.path}: no get_inputs(); add one that returns the list of forward's arguments")
    args, kwargs = _call_of(module.get_init_inputs()) if hasattr(module, "get_init_inputs") else ((), {})
    return model_class(*args, **kwargs), _call_of(module.get_inputs())


def _call_of(values: Any) -> Call:
    """`[a, b]` are positional arguments; `[[a, b], {"k": c}]` are positional and keyword arguments."""
    if len(values) == 2 and isinstance(values[0], list | tuple) and isinstance(values[1], dict):
        return tuple(values[0]), dict(values[1])
    return tuple(values), {}


def _from_factory(factory: Callable[[], Any], location: Location) -> tuple[Any, Call]:
    made = factory()
    if not isinstance(made, tuple) or len(made) not in (2, 3) or not callable(made[0]):
        raise LoadError(f"{location.path}: {location.attribute}() must return (model, args) or (model, args, kwargs)")
    return made[0], (tuple(made[1]), dict(made[2]) if len(made) == 3 else {})


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
    _Overrides.install(location.overrides)
    if location.root not in sys.path:
        sys.path.insert(0, location.root)
    _forget_own_modules(location)
    importlib.invalidate_caches()
    if location.module:
        return importlib.import_module(location.module)
    # Every arm uses one name, so that objects pickled by one can be read by another.
    name = "breaklint_target"
    spec = importlib.util.spec_from_file_location(name, location.path, loader=_loader(name, location))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _loader(name: str, location: Location) -> SourceFileLoader:
    text = location.overrides.get(location.path)
    return SourceFileLoader(name, location.path) if text is None else _TextLoader(name, location.path, text)


def _forget_own_modules(location: Location) -> None:
    if "site-packages" in location.root:  # re-importing a library would cost more than it proves
        sys.modules.pop(location.module, None)
        return
    for name, module in list(sys.modules.items()):
        if name != "__main__" and not name.startswith("breaklint.") and _is_under(module, Path(location.root)):
            del sys.modules[name]


def _is_under(module: ModuleType, root: Path) -> bool:
    path = getattr(module, "__file__", None) or ""
    return bool(path) and "site-packages" not in path and root in Path(path).parents


class _TextLoader(SourceFileLoader):
    """Runs a given text as if it were the file's; tracebacks and `inspect.getsource` show it."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        linecache.cache[self.path] = (len(self._text), None, self._text.splitlines(keepends=True), self.path)
        return compile(self._text, self.path, "exec", dont_inherit=True)


class _Overrides(MetaPathFinder):
    """Finds modules as usual, but gives those with a replaced text a loader for it."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    @classmethod
    def install(cls, texts: dict[str, str]) -> None:
        if not any(isinstance(finder, cls) for finder in sys.meta_path):
            sys.meta_path.insert(0, cls(texts))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self._texts:
            return None
        spec.loader = _TextLoader(fullname, spec.origin, self._texts[spec.origin])
        return spec
