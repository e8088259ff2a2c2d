"""Find what a verify target names: a fixture folder, a file with a model, or a factory."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from breaklint.errors import TargetError
from breaklint.resources import fixtures_dir

FORMS = "give a fixture folder, FILE.py::Class, FILE.py:factory or package.module:factory"


@dataclass(frozen=True)
class Target:
    """A target as named by the user, and where its source is.

    `after` is the fixed file a fixture brings along, `best` one that a person wrote. `module` and `root` are how the
    file is imported: by its dotted name when it lies in a package, else by path with its own folder importable.
    """

    name: str
    path: Path
    after: Path | None = None
    best: Path | None = None
    is_fixture: bool = False
    attribute: str = ""
    factory: bool = False
    module: str = ""
    root: str = ""


def find_target(name: str) -> Target:
    """What `name` stands for.

    Raises:
        TargetError: nothing of that name exists.
    """
    file, separator, attribute = name.partition("::")
    if separator:
        return locate(name, _existing(file, name), attribute, factory=False)
    if (folder := _fixture_folder(name)) is not None:
        return _fixture(name, folder)
    if name.endswith(".py"):
        return locate(name, _existing(name, name), "", factory=False)
    file, separator, attribute = name.rpartition(":")
    if not separator or not attribute:
        raise TargetError(f"{name}: no such target; {FORMS}")
    path = _existing(file, name) if file.endswith(".py") else _module_file(file, name)
    return locate(name, path, attribute, factory=True)


def _fixture_folder(name: str) -> Path | None:
    folders = [Path(name)] if "/" in name or "\\" in name else [Path(name), fixtures_dir() / name]
    for folder in folders:
        if folder.is_dir():
            return folder
    return None


def _fixture(name: str, folder: Path) -> Target:
    before, after, best = (folder / f"{side}.py" for side in ("before", "after", "best"))
    if not before.is_file():
        raise TargetError(f"{name}: no before.py in this folder; {FORMS}")
    path = before.resolve()
    fixed, by_hand = (other.resolve() if other.is_file() else None for other in (after, best))
    return Target(name, path, fixed, by_hand, is_fixture=True, root=str(path.parent))


def _existing(file: str, name: str) -> Path:
    path = Path(file)
    if not path.is_file():
        raise TargetError(f"{name}: no file {file}; {FORMS}")
    return path.resolve()


def _module_file(module: str, name: str) -> Path:
    """Look the module up without importing its packages, which would run user code here."""
    relative = Path(*module.split("."))
    for folder in (Path.cwd(), *map(Path, sys.path)):
        for candidate in (folder / relative.with_suffix(".py"), folder / relative / "__init__.py"):
            if candidate.is_file():
                return candidate.resolve()
    raise TargetError(f"{name}: no module {module} in the current folder or on the Python path; {FORMS}")


def locate(name: str, path: Path, attribute: str, factory: bool) -> Target:
    """The target `attribute` of the file `path`, with the dotted name under which the file can be imported."""
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) if len(parts) > 1 else ""
    return Target(name, path, attribute=attribute, factory=factory, module=module, root=str(root))
