"""Proves rule cards on the installed torch: `python -m breaklint.verify.prove [--cards CODE…] [--json FILE]`.

On a machine that has torch but not PyYAML: `--export FILE` here, `--cards-json FILE` there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from breaklint.torchops.torch_versions import holds
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.workers import ArmError, Worker

if TYPE_CHECKING:
    from breaklint.model import Rule

Example = dict[str, Any]
SECONDS_AN_EXAMPLE = 120


def exported(rules: Sequence[Rule]) -> list[Example]:
    """Every example of some rules, as plain data."""
    return [
        {
            **{"code": rule.code, "name": rule.name, "effect": rule.effect.value, "dynamo": list(rule.dynamo)},
            **{"number": number, "requires": [rule.torch, example.torch], **example._asdict()},
            "inputs": list(example.inputs),
        }
        for rule in rules
        for number, example in enumerate(rule.examples, 1)
    ]


def proven(examples: list[Example], version: str) -> list[dict[str, Any]]:
    """The result of every example: `proven`, `failed` with the reasons, or `skipped` where it does not hold."""
    due = [example for example in examples if all(holds(wanted, version) for wanted in example["requires"])]
    results = {(example["name"], example["number"]): result for example, result in zip(due, run_all(due), strict=True)}
    rows = []
    for example in examples:
        result = results.get((example["name"], example["number"]), {"breaks": [], "failures": []})
        verdict = "failed" if result["failures"] else "proven" if example in due else "skipped"
        identity = {"code": example["code"], "name": example["name"], "example": example["number"]}
        rows.append({**identity, "result": verdict, **result})
    return rows


def run_all(examples: list[Example]) -> Iterator[dict[str, Any]]:
    """Run each example in a process of its own: a crash fails no other, and what it sets ends with it."""
    with Launcher("", "eager", on_cpu=True) as launcher, TemporaryDirectory() as folder:
        for example in examples:
            worker = Worker(launcher, Path(folder), SECONDS_AN_EXAMPLE, {})
            try:
                yield worker.ask("call", function="breaklint.verify.prove.on_dynamo:proved", example=example)
            except ArmError as error:
                yield {"breaks": [], "failures": [str(error)]}
            finally:
                worker.close()


def table(rows: list[dict[str, Any]], version: str) -> str:
    """Card by card: how many examples are proven, and every failure."""
    lines = []
    for code in dict.fromkeys(row["code"] for row in rows):
        mine = [row for row in rows if row["code"] == code]
        counts = {word: sum(row["result"] == word for row in mine) for word in ("proven", "failed", "skipped")}
        words = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        lines.append(f"{code} {mine[0]['name']:32} {words}")
        lines += [f"    example {row['example']}: {failure}" for row in mine for failure in row["failures"]]
    total = {word: sum(row["result"] == word for row in rows) for word in ("proven", "failed", "skipped")}
    return "\n".join([*lines, f"torch {version}: " + ", ".join(f"{count} {word}" for word, count in total.items())])


def torch_version() -> str:
    """The installed torch, without importing it here."""
    from importlib.metadata import version

    return version("torch")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when everything is proven, 1 when something is not."""
    parser = argparse.ArgumentParser(prog="python -m breaklint.verify.prove", description=__doc__.split("\n")[0])
    parser.add_argument("--cards", nargs="+", default=[], metavar="CODE", help="only cards of these codes or names")
    parser.add_argument("--rules", nargs="+", default=[], type=Path, metavar="PATH", help="also these cards")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to this file")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write the examples to this file and stop")
    parser.add_argument("--cards-json", type=Path, metavar="FILE", help="read the examples from an exported file")
    options = parser.parse_args(arguments)
    from breaklint.rules.cards import load_rules  # where examples come from a file, there is no PyYAML

    examples = json.loads(options.cards_json.read_text()) if options.cards_json else exported(load_rules(options.rules))
    if options.cards:
        examples = [
            each for each in examples if each["name"] in options.cards or each["code"].startswith(tuple(options.cards))
        ]
    if options.export:
        options.export.write_text(json.dumps(examples, indent=1))
        return 0
    version = torch_version()
    rows = proven(examples, version)
    if options.json:
        options.json.write_text(
            json.dumps({"torch": version, "python": sys.version.split()[0], "results": rows}, indent=1)
        )
    sys.stdout.write(table(rows, version) + "\n")
    return 1 if any(row["result"] == "failed" for row in rows) else 0
