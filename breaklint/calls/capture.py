"""`breaklint capture`: run the user's script, and record the first calls of the modules that have findings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from breaklint.calls.layout import NOTE, NOTES, VARIABLE
from breaklint.calls.running import run
from breaklint.errors import UsageError
from breaklint.model import Settings


@dataclass(frozen=True)
class CaptureOptions:
    """The request: output folder, bytes of tensors per target, calls per target, classes by name, outermost modules."""

    out: Path
    budget: int
    calls: int
    names: tuple[str, ...]
    parents: bool


@dataclass(frozen=True)
class Capture:
    """The result: the exit status of the script, the target folders, and lines about missing values."""

    status: int
    targets: tuple[Path, ...]
    notes: tuple[str, ...]


def flagged_classes(
    folder: Path, settings: Settings, nested: Callable[[Path], Settings] | None = None
) -> list[tuple[str, str]]:
    """File and qualified name of every class below `folder` with a finding in one of its methods.

    `nested` reads configurations that lie nearer to a file than that of the settings.
    """
    from breaklint.lint.run import run as check

    result = {
        (str(Path(finding.filename).resolve()), name)
        for finding in check([str(folder)], settings, nested=nested).findings
        for name in _outer_names(finding.function)
    }
    return sorted(result)


def _outer_names(function: str) -> Iterable[str]:
    """`Outer.Inner.forward` lies in `Outer.Inner` and in `Outer`: which of them are modules shows when they run."""
    parts = function.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def capture(command: Sequence[str], flagged: Sequence[tuple[str, str]], options: CaptureOptions) -> Capture:
    """Run the command with torch.compile switched off, so that modules are called as they are written.

    Raises:
        UsageError: the folder for targets is taken, or the command cannot be started.
    """
    _make_private(options.out)
    plan = {**asdict(options), "out": str(options.out.resolve()), "flagged": flagged}
    status = run(command, {VARIABLE: json.dumps(plan), "TORCHDYNAMO_DISABLE": "1"})
    targets = tuple(sorted(path.parent for path in options.out.glob(f"[!.]*/{NOTE}")))
    return Capture(status, targets, tuple(_notes(options.out, targets, flagged, options.names)))


def _make_private(out: Path) -> None:
    try:
        out.mkdir(parents=True, mode=0o700, exist_ok=True)
        has_files = any(out.iterdir())
    except OSError as error:
        raise UsageError(f"{out}: cannot be created: {error.strerror or error}") from error
    if has_files:
        raise UsageError(f"{out}: is not empty; remove it, or name another folder with --out")
    out.chmod(0o700)


def _notes(
    out: Path, targets: Sequence[Path], flagged: Sequence[tuple[str, str]], names: Sequence[str]
) -> Iterable[str]:
    lines = (out / NOTES).read_text("utf-8").splitlines() if (out / NOTES).is_file() else []
    yield from dict.fromkeys(lines)
    seen = set()
    for folder in targets:
        note = json.loads((folder / NOTE).read_text("utf-8"))
        seen.add(note["qualname"])
        yield from (f"{folder.name}: not stored: {line}" for line in note["missing"])
    classes = {name for _, name in flagged} | {name.rpartition(".")[2] for name in names}
    for name in sorted(classes - seen - {line.partition(":")[0] for line in lines}):
        yield f"{name}: was not called"
