"""Failing guards and their source lines, as torch prints them in its trace."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from breaklint.dynamo.events import FailedGuard, Recompile

_NOTE: Final = re.compile(r"\s+# (?P<code>.*?)\s+# (?P<filename>\S+):(?P<row>\d+) in (?P<function>\S+)")
_SIZE: Final = re.compile(r"tensor '(?P<name>.+?)' size mismatch at index (?P<dim>\d+)\. expected (?P<old>\d+)")
_ENTRY: Final = re.compile(r"^\[?\d+/\d+\]?: ")
_STACK: Final = re.compile(r'File "(?P<filename>[^"]+)", line (?P<row>\d+), in (?P<function>\S+)')


def guards_of(payload: str) -> list[FailedGuard]:
    """The guards of the event `recompile_reasons` in torch's trace: a text, or a list of them."""
    try:
        reasons = json.loads(payload)
    except ValueError:
        reasons = payload
    texts = reasons if isinstance(reasons, list) else [reasons]
    return [_with_stack(str(text)) for text in texts if str(text).strip()]


def _with_stack(reason: str) -> FailedGuard:
    """The guard in the first line of a reason, placed by the user's stack below it, which has whole paths."""
    first, _, rest = reason.partition("\n")
    guard = _guard_of(_ENTRY.sub("", first))
    stack = [*_STACK.finditer(rest)]
    return replace(guard, filename=stack[-1]["filename"], row=int(stack[-1]["row"])) if stack else guard


def _guard_of(text: str) -> FailedGuard:
    if size := _SIZE.search(text):
        return FailedGuard(f"{size['name']}.size({size['dim']}) == {size['old']}")
    note = _NOTE.search(text)
    if note is None:
        return FailedGuard(text.partition("  # ")[0].strip())
    return FailedGuard(text[: note.start()].strip(), note["filename"], int(note["row"]))


def guard_line(guard: FailedGuard) -> str:
    """A guard on one line, with its source line."""
    return guard.text if guard.row is None else f"{guard.text}  ({Path(guard.filename or '').name}:{guard.row})"


def place_of(one: Recompile, guard: FailedGuard) -> tuple[str, int]:
    """The origin of a guard: its source line, else the recompiled function."""
    if guard.filename is None or guard.row is None:
        return one.filename, one.row
    # Of a path that does not begin at the root the log has the end only.
    is_cut = not guard.filename.startswith("/") and one.filename.endswith(guard.filename)
    return one.filename if is_cut else guard.filename, guard.row
