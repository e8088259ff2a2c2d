"""Load what `breaklint capture` recorded. Runs inside an arm's process."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

from breaklint.verify.capture.capture_layout import MODULE, NOTE
from breaklint.verify.capture.portable import Own
from breaklint.verify.capture.thaw import Thawer

Call = tuple[tuple[Any, ...], dict[str, Any]]


def load_captured(folder: Path, device: str, main: str, own: Own = Own()) -> tuple[Any, Call]:  # noqa: B008 - frozen
    """The module as it was before its first recorded call, and that call's arguments.

    What was on an accelerator is put on `device`. `main` is the import name of the module that stands for the script,
    `own` the code that the recording may name.

    Raises:
        NotPortable: a class is gone.
    """
    thawer = Thawer(device, main, own)
    model = thawer.thaw(_read(folder / MODULE)["module"])
    return model, _call(thawer, folder / "call-0.pt")


def further_captured_calls(
    folder: Path,
    device: str,
    main: str,
    own: Own = Own(),  # noqa: B008 - frozen
) -> dict[str, Call]:
    """The other recorded calls, by name."""
    files = sorted(folder.glob("call-*.pt"), key=lambda path: int(path.stem.partition("-")[2]))
    return {f"recorded {path.stem.replace('-', ' ')}": _call(Thawer(device, main, own), path) for path in files[1:]}


def enter_conditions(folder: Path, paths: list[str], device: str) -> None:
    """Put this process under the conditions of the recorded call, until it ends: search path, default dtype, autocast.

    Of the recorded search path, `paths` may be used.
    """
    note = json.loads((folder / NOTE).read_text("utf-8"))
    sys.path += [path for path in paths if path not in sys.path]
    torch.set_default_dtype(getattr(torch, note["default_dtype"]))
    kind = torch.device(device).type
    dtype = note["autocast"].get(kind) or next(iter(note["autocast"].values()), None)
    if dtype is not None:
        # The cache would hold on to weights of the first call: a module made again has others.
        torch.autocast(kind, getattr(torch, dtype), cache_enabled=False).__enter__()


def _call(thawer: Thawer, path: Path) -> Call:
    data = _read(path)
    return tuple(thawer.thaw(data["args"])), dict(thawer.thaw(data["kwargs"]))


def _read(path: Path) -> Any:
    return torch.load(path, map_location="cpu", weights_only=True)
