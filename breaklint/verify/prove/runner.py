"""Run the examples of rule cards on the installed torch, each in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from breaklint.torchops.torch_versions import holds
from breaklint.verify.host.processes import ArmError, Launcher, Worker

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
    """The result of every example: `proven`, `failed` with the reasons, or `skipped` if it does not apply."""
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
    """Run each example in its own process, so that crashes and settings do not affect others."""
    with Launcher("", "eager", on_cpu=True) as launcher, TemporaryDirectory() as folder:
        for example in examples:
            worker = Worker(launcher, Path(folder), SECONDS_AN_EXAMPLE, {})
            try:
                yield worker.ask("call", function="breaklint.verify.prove.on_dynamo:proved", example=example)
            except ArmError as error:
                yield {"breaks": [], "failures": [str(error)]}
            finally:
                worker.close()


def torch_version() -> str:
    """The installed torch, without importing it here."""
    from importlib.metadata import version

    return version("torch")
