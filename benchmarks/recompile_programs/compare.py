"""Predicts and counts the compilations of the programs of cases.yaml, and of the fixtures with `--fixtures`.

    python benchmarks/recompile_programs/compare.py [FILE[::ENTRY] …] --output benchmarks/results/recompiles.json

Needs torch, and for models.py transformers, timm and diffusers.
"""

from __future__ import annotations

import argparse
import ast
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml

from breaklint.commands.recompiles import tensor_of
from breaklint.project.environment import site_packages
from breaklint.recompiles.options import Options
from breaklint.recompiles.predict import predict
from breaklint.recompiles.vary import read_variations
from breaklint.verify.arm.sweep import sweep
from breaklint.verify.targets.specs import is_spec

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures"
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


def compared(case: Case) -> dict[str, Any]:
    """What is predicted and what is counted, call by call; calls that raise do not count."""
    told: dict[str, Any] = {"file": case.path.relative_to(HERE.parents[1]).as_posix(), "entry": case.entry}
    told["vary"] = case.vary
    try:
        variations = read_variations(case.vary)
        inputs = {name: _value(each) for name, each in case.inputs.items()}
        found = predict(str(case.path), case.entry, variations, Options(), site_packages(sys.executable), inputs)
        parts = [{"argument": each.argument, "part": each.part, "values": [*each.values]} for each in variations]
        request = {"path": str(case.path), "entry": case.entry, "variations": parts, "inputs": case.inputs}
        counted = sweep(request)["calls"]
    except Exception as error:  # noqa: BLE001 - a program that cannot be loaded or followed is told
        return told | {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}"[:200]}
    valid = [not call.get("error") for call in counted]
    pairs = [
        (out.compiles, call["compiles"]) for (_, out), call, ok in zip(found.calls, counted, valid, strict=True) if ok
    ]
    told |= {"predicted": [int(one) for one, _ in pairs], "counted": [int(two) for _, two in pairs]}
    told["equal"] = sum(one == two for one, two in pairs)
    told["guards"] = [
        {
            "predicted": out.guard.text if out.guard else None,
            "row": out.guard.row if out.guard else None,
            "torch": call["guard"],
        }
        for (_, out), call in zip(found.calls, counted, strict=True)
        if call["compiles"]
    ]
    return told


def _value(value: Any) -> Any:
    return tensor_of(value) if isinstance(value, str) and is_spec(value) else value


def main() -> None:
    """Compare, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for case in cases(options.fixtures):
        if options.names and not any(each in f"{case.path.name}::{case.entry}" for each in options.names):
            continue
        rows.append(row := compared(case))
        same = row.get("predicted") == row.get("counted")
        sys.stdout.write(f"{'error' if 'error' in row else 'same' if same else 'DIFFERS'} {json.dumps(row)[:400]}\n")
        sys.stdout.flush()
    good = [row for row in rows if row.get("predicted")]
    calls, equal = sum(len(row["counted"]) for row in good), sum(row["equal"] for row in good)
    exact = sum(row["predicted"] == row["counted"] for row in good)
    summary = {"programs": len(good), "exact": exact, "calls": calls, "equal": equal}
    sys.stdout.write(f"{summary}\n")
    if options.output:
        environment = {"torch": torch.__version__, "python": platform.python_version(), "command": " ".join(sys.argv)}
        environment["command"] = "python benchmarks/recompile_programs/compare.py " + " ".join(sys.argv[1:])
        options.output.write_text(json.dumps({"environment": environment, **summary, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
