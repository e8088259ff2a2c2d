"""The folder of a captured target: `target.json`, `module.pt` and a `call-N.pt` a call; only its owner may read it."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import torch

from breaklint.calls.layout import FORMAT, MODULE, NOTE, NOTES
from breaklint.calls.portable import Own


@dataclass(frozen=True)
class CallNote:
    """All about a captured call but its data.

    `file`, `module` and `qualname` are the class, `root` the folder that makes `module` importable, `paths` the rest of
    the script's own search path. `files` hold the flagged classes. `missing` lists the values that could not be stored.
    """

    file: str
    module: str
    qualname: str
    root: str
    paths: list[str]
    files: list[str]
    missing: list[str]
    training: bool
    device: str
    default_dtype: str
    autocast: dict[str, str]
    grad: bool
    format: int = FORMAT

    @classmethod
    def of(cls, module: torch.nn.Module, file: str, files: list[str], missing: list[str]) -> CallNote:
        """The recording of a module at the start of a call."""
        kind = type(module)
        first = next(module.parameters(), None)
        return cls(
            file=file,
            module=kind.__module__,
            qualname=kind.__qualname__,
            root=_root_of(file, kind.__module__),
            paths=_search_path(),
            files=files,
            missing=missing,
            training=module.training,
            device=first.device.type if first is not None else "cpu",
            default_dtype=str(torch.get_default_dtype()).removeprefix("torch."),
            autocast=_autocast(),
            grad=torch.is_grad_enabled(),
        )


def write_target(out: Path, note: CallNote, module: Any, call: Any) -> Path | None:
    """A new folder below `out`, complete or not there at all; None when another process of the script was first."""
    name = re.sub(r"[^\w.-]+", "-", note.qualname)
    folder = Path(tempfile.mkdtemp(prefix=".new-", dir=out))  # readable by its owner alone
    _save(module, folder / MODULE)
    write_call(folder, 0, call)
    with _private(folder / NOTE, os.O_TRUNC) as file:
        file.write(json.dumps(asdict(note), indent=2).encode())
    for number in range(1, 1000):
        final = out / (name if number == 1 else f"{name}-{number}")
        with suppress(OSError):  # the name is taken
            folder.rename(final)
            return final
        first = json.loads((final / NOTE).read_text("utf-8"))
        if (first["file"], first["qualname"]) == (note.file, note.qualname):
            shutil.rmtree(folder)
            return None
    raise OSError(f"{out}: no free name for {name}")


def write_call(folder: Path, number: int, call: Any) -> None:
    """One more call of a target."""
    _save(call, folder / f"call-{number}.pt")


def write_note(out: Path, line: str) -> None:
    """A line for the report at the end; processes of the script may write at the same time."""
    with _private(out / NOTES, os.O_APPEND) as file:
        file.write(" ".join(line.split()).encode() + b"\n")


def _save(data: Any, path: Path) -> None:
    with _private(path, os.O_TRUNC) as file:
        torch.save(data, file)


def _private(path: Path, how: int) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600), "wb")


def own_code(file: str, module: str) -> Own:
    """The code around a recorded class: it runs anyway, so that the recording may name it."""
    return Own((_root_of(file, module), *_search_path()), module.partition(".")[0])


def _search_path() -> list[str]:
    """The search path of the script, without the folders of its environment."""
    folders = [str(Path(path or ".").resolve()) for path in sys.path]
    return [path for path in folders if Path(path).is_dir() and not path.startswith((sys.prefix, sys.base_prefix))]


def _root_of(file: str, module: str) -> str:
    """The folder from which the file is imported under the module's name."""
    path = Path(file)
    steps = 0 if module == "__main__" else module.count(".") + (path.name == "__init__.py")
    return str(path.parents[steps]) if steps < len(path.parents) else str(path.parent)


def _autocast() -> dict[str, str]:
    kinds = [kind for kind in ("cuda", "cpu") if torch.is_autocast_enabled(kind)]
    return {kind: str(torch.get_autocast_dtype(kind)).removeprefix("torch.") for kind in kinds}
