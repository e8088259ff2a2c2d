"""Where Dynamo breaks the graph of a generated model, held against where breaklint says that it does."""

from __future__ import annotations

import io
import sys
import types
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import torch

from breaklint.dynamo.listener import Listener
from differential.inputs import Call
from differential.judging import Rewrite, promised_rows


def break_rows(text: str, arguments: Sequence[Any], folder: Path) -> set[int] | None:
    """The rows of a text on which Dynamo breaks the graph; None when the call raises, which says nothing."""
    path = folder / "variant.py"
    path.write_text(text, encoding="utf-8")
    module = types.ModuleType("variant")
    module.__file__ = str(path)
    sys.modules["variant"] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    torch._dynamo.reset()
    try:
        with redirect_stdout(io.StringIO()), Listener() as heard:
            torch.compile(module.Net(), backend="eager")(*arguments)
    except Exception:  # noqa: BLE001 - what the model raises by itself, in eager mode as well
        return None
    finally:
        torch._dynamo.reset()
    return {broken.row if broken.own else (broken.called_from or ("", 0))[1] for broken in heard.breaks()}


def breaks_left(text: str, rewrite: Rewrite, call: Call, folder: Path) -> set[int]:
    """The rows that a fix changed and that break although breaklint no longer says so."""
    untouched = set(text.splitlines())
    rows = (break_rows(rewrite.text, call.tensors()[0], folder) or set()) - promised_rows(rewrite)
    lines = rewrite.text.splitlines()
    return {row for row in rows if row == 0 or lines[row - 1] not in untouched}
