"""The results of a library's models: a line a model and mode, appended as they come, so that a run can be resumed."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from breaklint.dynamo.breaks import read_reports
from breaklint.errors import UsageError
from breaklint.observe.raw import Plan

MODES = ("eval", "train")
STATES = ("whole", "broken", "raised", "ended", "not built", "no model")


class Result(NamedTuple):
    """What Dynamo made of a model in one mode; `mode` is "" where it could not be built.

    `breaks` are file, row, id and reason; `outputs` stand for the values of the eager run; `wrong`: compiled, it
    computes something else (None: unknown).
    """

    library: str
    version: str
    torch: str
    model: str
    mode: str
    state: str
    why: str = ""
    inputs: str = ""
    graphs: int = 0
    wrong: bool | None = None
    breaks: tuple[tuple[str, int, str, str], ...] = ()
    seconds: float = 0.0
    outputs: tuple[Any, ...] = ()


def package_of(family: str) -> Path:
    """The folder of an installed library, which is not imported.

    Raises:
        UsageError: it is not installed beside this Python.
    """
    spec = importlib.util.find_spec(family)
    if spec is None or spec.origin is None:
        raise UsageError(f"{family}: not installed for {sys.executable}, with which its models would be built")
    return Path(spec.origin).parent


def installed(family: str) -> Library:
    """A library's and torch's versions; "" where they do not tell."""
    return Library(family, _version(family.replace("_", "-")), _version("torch"))


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def append(path: Path, results: Iterable[Result]) -> None:
    """Add lines to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(each._asdict()) + "\n" for each in results)


def read(path: Path) -> list[Result]:
    """All results of a file; lines that are none are passed by."""
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return []
    return list(_results(text.splitlines()))


def _results(lines: Iterable[str]) -> Iterator[Result]:
    for line in lines:
        try:
            told = json.loads(line)
            told["breaks"] = tuple((str(file), int(row), str(gb), str(why)) for file, row, gb, why in told["breaks"])
            yield Result(**told)
        except (ValueError, TypeError, KeyError):
            continue


class Library(NamedTuple):
    """An installed library beside an installed torch, by their versions."""

    family: str
    version: str
    torch: str

    def results(self, name: str, plan: Plan) -> list[Result]:
        """What came of a model that is done, as its processes have told: a result a mode, or one."""
        told = _lines(Path(plan.out, f"model-{name}"))
        known = {line["mode"]: line for line in told}
        if "" in known:
            return [Result(*self, name, "", known[""]["state"], known[""]["why"])]
        return [self._result(name, mode, known.get(mode, {}), plan) for mode in MODES]

    def _result(self, name: str, mode: str, told: Mapping[str, Any], plan: Plan) -> Result:
        lines = _lines(Path(told["lines"])) if told else []
        begun = Result(*self, name, mode, "ended", told.get("ended") or "its process ended")
        if not lines:
            return begun
        breaks, end = _breaks_in(lines, plan), lines[-1]
        begun = begun._replace(inputs=lines[0]["inputs"], seconds=told["seconds"], breaks=breaks)
        if "end" not in end:
            return begun
        if end["end"] == "raised":
            return begun._replace(state="raised", why=end["why"])
        state = "broken" if breaks or end["graphs"] != 1 else "whole"
        return begun._replace(state=state, why="", graphs=end["graphs"], wrong=end["wrong"], outputs=end["outputs"])


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file that were written whole."""
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return []
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("}\n")]


def _breaks_in(lines: Iterable[Mapping[str, Any]], plan: Plan) -> tuple[tuple[str, int, str, str], ...]:
    """The breaks in the lines of a replay, each row once; files are named below the library's folder."""
    reports = (str(line["broken"]) for line in lines if "broken" in line)
    found = {}
    for broken in read_reports(reports, plan.is_own):
        file, row = broken.called_from if broken.called_from and not broken.own else (broken.filename, broken.row)
        parent = next((os.path.dirname(folder) for folder in plan.own if file.startswith(folder + os.sep)), "")
        found[os.path.relpath(file, parent) if parent else file, row, broken.gb] = broken.reason
    return tuple((*place, reason) for place, reason in sorted(found.items()))


def left_of(models: Iterable[tuple[str, str]], known: Iterable[Result], library: Library) -> list[tuple[str, str]]:
    """The models of which there are no results yet under these versions."""
    done = {each.model for each in known if Library(*each[:3]) == library}
    return [(module, name) for module, name in models if name not in done]


def table(results: Iterable[Result]) -> str:
    """How many models came to what in each mode, and why some were not built."""
    every = list(results)
    lines = []
    for mode in MODES:
        states = Counter(each.state for each in every if each.mode == mode)
        total = sum(states.values())
        if total:
            told = ", ".join(f"{states[state]} {state}" for state in STATES if states[state])
            share = f"{states['whole']} of {total} models in one graph ({100 * states['whole'] / total:.1f} %)"
            lines.append(f"{mode}: {share}: {told}")
    wrong = sum(each.wrong is True for each in every)
    lines.append(f"compiled, {wrong} compute something else")
    lost = [each for each in every if each.state in ("not built", "ended")]
    lines += [f"{each.model}: {each.mode or 'not built'}: {each.why}" for each in lost]
    return "\n".join(lines)
