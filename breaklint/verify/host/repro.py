"""Write a script that shows a wrong result with torch alone: sources and inputs, followed by `repro_body.py.txt`."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from breaklint.verify.host.workers import Worker
from breaklint.verify.judge.results import ArmReport
from breaklint.verify.options import SEED, VerifyOptions
from breaklint.verify.targets.sources import Source, location

_BODY = Path(__file__).with_name("repro_body.py.txt")
_CALL = re.compile(r"^with (.+?): ")
_MODE = re.compile(r"^in (training|evaluation) mode: ")
_IMPORTS = "base64", "importlib", "importlib.util", "io", "random", "sys", "tempfile"


def script(
    name: str,
    arm: ArmReport,
    sources: Mapping[str, Source],
    workers: Mapping[str, Worker],
    options: VerifyOptions,
    folder: Path,
) -> str:
    """The script for the first difference of an arm; it exits with 1 while the results differ."""
    line = next(iter((*arm.rewrite_differences, *arm.differences)))
    call, is_other_mode, path = _CALL.match(line), _MODE.match(line) is not None, folder / "inputs.pt"
    change = workers["eager"].ask("save_arguments", path=str(path), call=call[1] if call else "")["change"]
    original = "eager" if arm.rewrite_differences else name
    place = location(sources[name])
    constants: dict[str, Any] = {
        "BEFORE": workers[original].ask("own_files")["files"],
        "AFTER": workers[name].ask("own_files")["files"] if arm.rewrite_differences else None,
        "MAIN": (_relative(sources[original]), _relative(sources[name])),
        "MODULE": place["module"],
        "ATTRIBUTE": place["attribute"],
        "FACTORY": place["factory"],
        "INIT": place["recipe"].get("init"),
        "TRAIN": options.train != is_other_mode,
        "SEED": SEED,
        "BACKEND": options.backend,
        "CHANGE": change,  # the paths of modules, the name of an attribute, and another value
        "INPUTS": base64.b64encode(path.read_bytes()).decode(),
    }
    lines = [f"# {line}", "# Written by `breaklint verify --repro`. Needs torch; run it with python.", ""]
    lines += [*(f"import {module}" for module in _IMPORTS), "from pathlib import Path", "", "import torch", ""]
    lines += [f"{constant} = {_shown(value)}" for constant, value in constants.items()]
    return "\n".join([*lines, "", "", _BODY.read_text(encoding="utf-8")])


def _relative(source: Source) -> str:
    return str(Path(source.filename).relative_to(source.target.root))


def _shown(value: Any) -> str:
    """A value as Python code; sources keep their lines."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        return repr(value)
    return "{\n" + "".join(f"    {path!r}: {_quoted(text)},\n" for path, text in sorted(value.items())) + "}"


def _quoted(text: str) -> str:
    plain = "'''" not in text and "\\" not in text and not text.endswith("'")
    return f"'''\\\n{text}'''" if plain else repr(text)
