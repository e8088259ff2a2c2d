"""Compare what arms have recorded. Runs in a process of its own, in which no target's code ever runs.

Records are read as plain data, so that nothing in them can run either; and no arm has the results of another.
"""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import os
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record, compare
from breaklint.verify.arm.comparability import incomparable
from breaklint.verify.arm.float64 import largest, relative_errors, strays_no_more
from breaklint.verify.arm.observe import comparable, gradient_notes, printed_notes

Reply = dict[str, Any]


class Comparer:
    """What the uncompiled original did, and how records of other arms differ from it; a method a request."""

    def expect(self, records: str, tf32: bool, train: bool) -> Reply:
        """Take over what the original did, and delete the file.

        `unstable` is how two equal calls of it differ, `incomparable` why equal results would prove nothing, or "".
        """
        seen = _read(records)
        self._seen, self._tf32, self._key = seen, tf32, "gradients" if train else "record"
        self._probes = {probe["name"]: probe for probe in seen["probes"]}
        if "exception" in seen["record"]:
            return {"unstable": [], "incomparable": ""}
        unstable = self._compare(seen["record"], seen["second"])
        self._steady = _same(seen["record"]["output"], seen["repeated"]) and _same(
            seen["given"], seen["record"]["inputs"]
        )
        return {
            "unstable": unstable,
            "incomparable": incomparable([seen["record"], *(each["record"] for each in seen["probes"])]),
        }

    def rewritten(self, records: str) -> Reply:
        """How a source differs from the original, both uncompiled: with the given call, else with a further one."""
        seen, own = _read(records), self._seen
        seen["gradients"] = self._without_swing(seen["gradients"])
        told = (self._compare(own[key], seen[key], own["exact"][key]) for key in ("record", "gradients"))
        return {
            "differences": next(filter(None, told), None) or self._in_further_calls(seen["probes"]),
            "notes": gradient_notes(own["gradients"], seen["gradients"]) + printed_notes(own["record"], seen["record"]),
        }

    def compiled(self, records: str) -> Reply:
        """How a compiled model differs from the original, and the errors of both against float64."""
        record, own, exact = _read(records), self._seen[self._key], self._seen["exact"][self._key]
        errors = relative_errors(own.get("output"), record.get("output"), (exact or {}).get("output"))
        record = self._without_swing(record)
        return {"differences": self._compare(own, record, exact), "float64_errors": errors}

    def rung(self, records: str) -> Reply:
        """How the first call differs with another backend; nothing where it raised."""
        record, own, exact = _read(records), dict(self._seen[self._key]), self._seen["exact"][self._key]
        own.pop("again", None)
        return {"differences": self._compare(own, record, exact) if record else []}

    def timed(self, records: str) -> Reply:
        """How the last timed call differs from the first; nothing is known of models that remember or draw."""
        output, own = _read(records), self._seen[self._key]
        if not self._steady:
            return {"differences": []}
        exact = (self._seen["exact"][self._key] or {}).get("output")
        return {"differences": compare(own["output"], output, "after timing, result.output", exact, self._tf32)}

    def probes(self, records: str) -> Reply:
        """How compiled further calls differ, by name."""
        return {"differences": {probe["name"]: self._further(probe) for probe in _read(records)}}

    def _further(self, probe: Reply) -> list[str]:
        own = self._probes[probe["name"]]
        expected = own[self._key]
        if "raised" in probe:
            return [] if "exception" in expected else [f"with {probe['name']}: it raises {probe['raised']}"]
        if "exception" in expected:
            raised = expected["exception"].splitlines()[0]
            return [f"with {probe['name']}: it raises nothing where the original raises {raised}"]
        lines = self._compare(expected, probe["record"], own["exact"][self._key])
        return [f"with {probe['name']}: {line}" for line in lines]

    def _in_further_calls(self, probes: list[Reply]) -> list[str]:
        for probe in probes:
            own = self._probes[probe["name"]]
            for key in ("record", "gradients"):
                if found := self._compare(own[key], probe[key], own["exact"][key]):
                    return [f"with {probe['name']}: {line}" for line in found]
        return []

    def _without_swing(self, record: Record) -> Record:
        """The record, with the original's gradients for those that stray from them no more than a second run did."""
        own = self._seen["gradients"].get("gradients", {})
        again = self._seen["gradients_again"].get("gradients", {})
        gradients, scale = dict(record.get("gradients", {})), largest(own.values())
        for name in gradients.keys() & own.keys() & again.keys():
            if strays_no_more(gradients[name], own[name], again[name], scale):
                gradients[name] = own[name]
        return {**record, "gradients": gradients}

    def _compare(self, expected: Record, actual: Record, exact: Record | None = None) -> list[str]:
        return compare(*comparable(expected, actual), "result", exact, self._tf32)


def _same(one: Any, other: Any) -> bool:
    """Bit for bit: what drifts a little from call to call may drift far while it is timed."""
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.dtype == other.dtype and torch.equal(one.nan_to_num(0.125), other.nan_to_num(0.125))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other or one != one)


def _read(path: str) -> Any:
    data = torch.load(path, map_location="cpu", weights_only=True)
    os.unlink(path)
    return data
