"""Predicts and counts the compilations of the programs of cases.yaml, and of the fixtures with `--fixtures`.

    python benchmarks/recompile_programs/compare.py [FILE[::ENTRY] …] --output benchmarks/results/recompiles.json

Needs torch, and for models.py transformers, timm and diffusers.
"""

from __future__ import annotations

import argparse
import ast
import json
import platform
import signal
import sys
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml

from breaklint.commands.recompiles import tensor_of
from breaklint.project.environment import site_packages
from breaklint.recompiles.options import Options
from breaklint.recompiles.predict import Predicted, predict
from breaklint.recompiles.remedies import remedies
from breaklint.recompiles.vary import read_variations
from breaklint.verify.arm.sweep import sweep
from breaklint.verify.targets.specs import is_spec

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures"
PACKAGES = ("transformers", "timm", "diffusers")
SIZES = {"0": "2,3,4,1,5,6,7,8", "1": "16,24,32,8,40,16,48,64"}


class Case(NamedTuple):
    """A program, and what varies in it."""

    path: Path
    entry: str
    inputs: dict[str, Any]
    vary: list[str]


def cases(fixtures: bool) -> Iterator[Case]:
    """The programs."""
    if fixtures:
        for path in sorted(FIXTURES.glob("*/before.py")):
            yield from _of_fixture(path)
        return
    for name, programs in yaml.safe_load((HERE / "cases.yaml").read_text()).items():
        for each in programs:
            yield Case(HERE / name, each["entry"], each["inputs"], each["vary"])


def _of_fixture(path: Path) -> Iterator[Case]:
    for node in reversed(ast.parse(path.read_text()).body):
        methods = [each for each in getattr(node, "body", []) if isinstance(each, ast.FunctionDef)]
        forward = next((each for each in methods if each.name == "forward"), None)
        if isinstance(node, ast.ClassDef) and forward is not None:
            name = forward.args.args[1].arg
            for dim, values in SIZES.items():
                yield Case(path, node.name, {}, [f"{name}.{dim}={values}"])
            return


def compared(case: Case, with_remedies: bool, seconds: int) -> dict[str, Any]:
    """What is predicted and what is counted, call by call; calls that raise do not count."""
    told: dict[str, Any] = {"file": case.path.relative_to(HERE.parents[1]).as_posix(), "entry": case.entry}
    told["vary"] = case.vary
    signal.signal(signal.SIGALRM, _stopped)
    signal.alarm(seconds)
    try:
        return told | _counted(case, with_remedies)
    except Exception as error:  # noqa: BLE001 - a program that cannot be loaded or followed in time is told
        return told | {"error": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"[:200]}
    finally:
        signal.alarm(0)


def _stopped(*_: object) -> None:
    raise TimeoutError("the limit of a program is reached")


def _counted(case: Case, with_remedies: bool) -> dict[str, Any]:
    variations = read_variations(case.vary)
    inputs = {name: _value(each) for name, each in case.inputs.items()}

    def run(options: Options, tensors: frozenset[str]) -> Predicted:
        return predict(str(case.path), case.entry, variations, options, site_packages(sys.executable), inputs, tensors)

    found = run(Options(), frozenset())
    parts = [{"argument": each.argument, "part": each.part, "values": [*each.values]} for each in variations]
    request = {"path": str(case.path), "entry": case.entry, "variations": parts, "inputs": case.inputs}
    counted = sweep(request)["calls"]
    told = _pairs(found, counted)
    told["guards"] = [
        {
            "predicted": out.guard.text if out.guard else None,
            "row": out.guard.row if out.guard else None,
            "torch": call["guard"],
        }
        for (_, out), call in zip(found.calls, counted, strict=True)
        if call["compiles"]
    ]
    if with_remedies and found.compilations > 1:
        steps = remedies(found, run, variations, Options(), ".".join(torch.__version__.split(".")[:2]))
        told["remedies"] = [{"text": step.text, "compilations": step.compilations} for step in steps]
        shown = [step for step in steps if step.compilations is not None]
        if shown:
            after = sweep(request | {"remedy": shown[-1].as_request(), "limit": shown[-1].options.limit})["calls"]
            told["with_remedies"] = _pairs(run(shown[-1].options, shown[-1].tensors), after)
    return told


def _pairs(found: Predicted, counted: list[dict[str, Any]]) -> dict[str, Any]:
    """Calls that compile, of those that run: predicted and counted."""
    pairs = [
        (int(out.compiles), int(call["compiles"]))
        for (_, out), call in zip(found.calls, counted, strict=True)
        if not call.get("error")
    ]
    told: dict[str, Any] = {"predicted": [one for one, _ in pairs], "counted": [two for _, two in pairs]}
    told["equal"] = sum(one == two for one, two in pairs)
    if errors := sorted({call["error"][:160] for call in counted if call.get("error")}):
        told["errors"] = errors
    return told


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(each) for each in value]
    return tensor_of(value) if isinstance(value, str) and is_spec(value) else value


def main() -> None:
    """Compare, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--remedies", action="store_true", help="count the programs with their remedies, too")
    parser.add_argument("--seconds", type=int, default=180, help="the limit of a program")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for case in cases(options.fixtures):
        if options.names and not any(each in f"{case.path.name}::{case.entry}" for each in options.names):
            continue
        rows.append(row := compared(case, options.remedies, options.seconds))
        same = row.get("predicted") == row.get("counted")
        sys.stdout.write(f"{'error' if 'error' in row else 'same' if same else 'DIFFERS'} {json.dumps(row)[:400]}\n")
        sys.stdout.flush()
    good = [row for row in rows if row.get("predicted")]
    calls, equal = sum(len(row["counted"]) for row in good), sum(row["equal"] for row in good)
    exact = sum(row["predicted"] == row["counted"] for row in good)
    summary = {"programs": len(good), "exact": exact, "calls": calls, "equal": equal}
    sys.stdout.write(f"{summary}\n")
    if options.output:
        environment = {"torch": torch.__version__, "python": platform.python_version()}
        environment |= {name: version(name) for name in PACKAGES if find_spec(name)}
        environment["command"] = "python benchmarks/recompile_programs/compare.py " + " ".join(sys.argv[1:])
        options.output.write_text(json.dumps({"environment": environment, **summary, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
