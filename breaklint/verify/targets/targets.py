"""Resolve the name of a verify target: an entry of the configuration, a fixture, a capture, a file, or a factory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from breaklint.calls.layout import FORMAT, NOTE
from breaklint.errors import TargetError
from breaklint.source.did_you_mean import did_you_mean
from breaklint.source.resources import fixtures_dir
from breaklint.verify.targets.entries import Entry

FORMS = "give a fixture folder, FILE.py::Class, FILE.py:factory or package.module:factory"


@dataclass(frozen=True)
class Target:
    """A target as named by the user, and the place of its source.

    `module` and `root` are for its import: by its dotted name in a package, else by path. `recipe` is that of
    `importing.Location`, `options` are fields of VerifyOptions. `also` are other files whose fixes belong to it.
    """

    name: str
    path: Path
    after: Path | None = None
    is_fixture: bool = False
    attribute: str = ""
    factory: bool = False
    module: str = ""
    root: str = ""
    recipe: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    also: tuple[Path, ...] = ()


def find_target(name: str, entries: Sequence[Entry] = ()) -> Target:
    """The target `name`: an entry of the configuration, or the target itself; TargetError if there is none."""
    if entry := next((entry for entry in entries if entry.name == name), None):
        return _described(entry)
    return _find(name, Path(), [entry.name for entry in entries])


def _described(entry: Entry) -> Target:
    try:
        target = _find(entry.target, entry.root)
    except TargetError as error:
        raise TargetError(f"{entry.name}: {error}") from error
    recipe = {"init": entry.init, "inputs": entry.inputs, "sizes": list(entry.sizes)}
    recipe = {key: value for key, value in recipe.items() if value}
    return replace(target, name=entry.name, recipe=recipe, options=entry.options)


def _find(name: str, folder: Path, entries: Sequence[str] = ()) -> Target:
    file, separator, attribute = name.partition("::")
    if separator:
        path = _module_file(file, name, folder) if _is_dotted(file) else _existing(folder / file, name)
        return locate(name, path, attribute, factory=False)
    if (own_folder := _fixture_folder(name, folder)) is not None:
        return _captured(name, own_folder) if (own_folder / NOTE).is_file() else _fixture(name, own_folder)
    if name.endswith(".py"):
        return locate(name, _existing(folder / name, name), "", factory=False)
    if name.endswith(".ipynb"):
        raise TargetError(f"{name}: notebooks are not run: put the class and get_inputs() into a Python file; {FORMS}")
    file, separator, attribute = name.rpartition(":")
    if not separator or not attribute:
        names = [*entries, *(fixture.name for fixture in fixtures_dir().iterdir())]
        raise TargetError(f"{name}: no such target{did_you_mean(name, names, f'; {FORMS}')}")
    path = _existing(folder / file, name) if file.endswith(".py") else _module_file(file, name, folder)
    return locate(name, path, attribute, factory=True)


def _is_dotted(name: str) -> bool:
    return not name.endswith(".py") and all(part.isidentifier() for part in name.split("."))


def _fixture_folder(name: str, base: Path) -> Path | None:
    folders = [base / name] if "/" in name or "\\" in name else [base / name, fixtures_dir() / name]
    for folder in folders:
        if folder.is_dir():
            return folder
    return None


def _fixture(name: str, folder: Path) -> Target:
    before, after = (folder / f"{side}.py" for side in ("before", "after"))
    if not before.is_file():
        raise TargetError(f"{name}: no before.py in this folder; {FORMS}")
    path = before.resolve()
    fixed = after.resolve() if after.is_file() else None
    return Target(name, path, fixed, is_fixture=True, root=str(path.parent))


def _captured(name: str, folder: Path) -> Target:
    """A target that `breaklint capture` wrote; an older breaklint's, or one whose source is gone, is an error."""
    note = json.loads((folder / NOTE).read_text("utf-8"))
    if note["format"] != FORMAT:
        raise TargetError(f"{name}: recorded by another version of breaklint; capture it again")
    path = _existing(Path(note["file"]), name)
    surroundings = Surroundings.of(folder)
    for recorded in (note["file"], note["root"], *note["files"]):
        if not surroundings.has(recorded):
            raise TargetError(f"{name}: it names {recorded}, which is not in this project; run verify where it lies")
    is_script = note["module"] == "__main__"
    also = tuple(Path(file) for file in note["files"] if file != note["file"])
    return Target(
        name,
        path,
        attribute=note["qualname"],
        module="" if is_script else note["module"],
        root=note["root"],
        recipe={
            "captured": str(folder.resolve()),
            "own_devices": note["device"] != "cpu",
            "paths": [path for path in note["paths"] if surroundings.has(path)],
        },
        options={"train": note["grad"] and note["training"]},
        also=also,
    )


def _existing(path: Path, name: str) -> Path:
    if not path.is_file():
        raise TargetError(f"{name}: no file {path}; {FORMS}")
    return path.resolve()


def _module_file(module: str, name: str, base: Path) -> Path:
    """Look the module up without importing its packages, which would run user code here."""
    relative = Path(*module.split("."))
    for folder in (base, base / "src", *map(Path, sys.path)):
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


MARKS = (".git", "pyproject.toml", "breaklint.toml")


@dataclass(frozen=True)
class Surroundings:
    """The current project and Python environment, whose code a recording may name; not its own folder."""

    project: Path
    recordings: Path
    environment: tuple[Path, ...]

    @classmethod
    def of(cls, recording: Path) -> Surroundings:
        """Those of one recorded target, seen from the current folder."""
        here = Path.cwd()
        project = next((folder for folder in (here, *here.parents) if any((folder / m).exists() for m in MARKS)), here)
        entries = [*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *sys.path[1:]]
        environment = [Path(entry).resolve() for entry in (*entries, sys.prefix, sys.base_prefix)]
        return cls(project.resolve(), recording.resolve().parent, tuple(environment))

    def has(self, path: str) -> bool:
        """Whether code at this path, or below it, may be imported."""
        place = Path(path).resolve()
        if self._is_in(place, self.recordings):
            return False
        return any(self._is_in(place, folder) for folder in (self.project, *self.environment))

    @staticmethod
    def _is_in(place: Path, folder: Path) -> bool:
        return folder in (place, *place.parents)
