"""Run the examples of rule cards on the installed torch, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from breaklint.torchops.torch_versions import holds
from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.processes import Launcher

if TYPE_CHECKING:
    from breaklint.model import Rule

Example = dict[str, Any]
EXAMPLE_S = 120
"""Seconds for an example."""


def examples_of(rules: Sequence[Rule]) -> list[Example]:
    """The examples of some rules, as plain data."""
    return [
        {
            **{"code": rule.code, "name": rule.name, "effect": rule.effect.value, "dynamo": list(rule.dynamo)},
            **{"number": number, "requires": [rule.torch, example.torch], **example._asdict()},
            "inputs": list(example.inputs),
        }
        for rule in rules
        for number, example in enumerate(rule.examples, 1)
    ]


def prove(examples: Sequence[Example], version: str) -> list[dict[str, Any]]:
    """The result of every example: `proven`, `failed` with the reasons, or `skipped` if it is for another torch."""
    rows = []
    with Launcher("", "eager", on_cpu=True) as launcher, TemporaryDirectory() as folder:
        for example in examples:
            applies = all(holds(specifier, version) for specifier in example["requires"])
            failures = _failures(launcher, Path(folder), example) if applies else []
            result = "failed" if failures else "proven" if applies else "skipped"
            identity = {"code": example["code"], "name": example["name"], "example": example["number"]}
            rows.append({**identity, "result": result, "failures": failures})
    return rows


def _failures(launcher: Launcher, folder: Path, example: Example) -> list[str]:
    worker = Worker(launcher, folder, EXAMPLE_S, {})
    try:
        answer = worker.ask("call", function="breaklint.verify.prove.on_dynamo:failures", example=example)
    except ArmError as error:
        return [str(error)]
    finally:
        worker.close()
    return list(answer["failures"])


def torch_version() -> str:
    """The installed torch, without importing it here."""
    from importlib.metadata import version

    return version("torch")
