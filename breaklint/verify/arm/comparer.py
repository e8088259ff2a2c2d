"""Compare what arms have recorded. Runs in a process of its own, in which no target's code ever runs.

Records are read as plain data, so that nothing in them can run either; and no arm has the results of another.
"""

from __future__ import annotations

import os
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record, compare, leaves, relative_errors
from breaklint.verify.arm.comparability import (
    autocast_notes,
    float64_differences,
    incomparable,
    low_precision_differences,
)
from breaklint.verify.arm.comparable import (
    comparable,
    interface_differences,
    readable,
    rewrite_notes,
    without_dead_gradients,
)
from breaklint.verify.arm.gradients import STRAIN
from breaklint.verify.arm.localise import first_operation
from breaklint.verify.arm.observe import DEVICE_ERROR
from breaklint.verify.arm.probes import NOT_CONTIGUOUS
from breaklint.verify.arm.variants import NOTED
from breaklint.verify.arm.varying import Path, blanked, named, steady, varying, without_swing

Reply = dict[str, Any]


class Comparer:
    """What the uncompiled original did, and how records of other arms differ from it; a method a request."""

    def expect(self, records: str, train: bool, same_state_dict: bool = False) -> Reply:
        """Take over what the original did, and delete the file.

        `unstable` is how two equal calls of it differ, `incomparable` why equal results would prove nothing, or "".
        """
        seen = _read(records)
        self._seen, self._tf32, self._key = seen, seen["tf32"], "gradients" if train else "record"
        self._same_state_dict, self._varying = same_state_dict, list[Path]()
        self._twin: Reply = {}
        self._probes = {probe["name"]: probe for probe in seen["probes"]}
        if "exception" in seen["record"]:
            return {"unstable": [], "incomparable": ""}
        self._varying = varying(seen["record"], seen["second"])
        unstable = self._compare(seen["record"], seen["second"])
        self._steady = _same(seen["record"]["output"], seen["repeated"]) and _same(
            seen["given"], seen["record"]["inputs"]
        )
        # Calls of which only a note is made prove nothing: NaN that they bring to a constant does not make it vary.
        counting = [probe["record"] for probe in seen["probes"] if not probe["name"].endswith(NOTED)]
        return {"unstable": unstable, "incomparable": incomparable([seen["record"], *counting])}

    def twin(self, records: str) -> Reply:
        """Take over what the original did in another process; what differs between the two is not compared."""
        seen = self._twin = _read(records)
        self._varying += varying(self._seen["record"], seen["record"])
        names = named(self._varying)
        told = f"not compared, since it differs from run to run of the original: {', '.join(names)}"
        return {"unstable": self._compare(self._seen["record"], seen["record"]), "notes": [told] if names else []}

    def rewritten(self, records: str) -> Reply:
        """How a source differs from the original, both uncompiled: with the given call, else with a further one."""
        seen, own = _read(records), self._seen
        seen["gradients"] = self._without_swing(seen["gradients"])
        unasked = [probe for probe in seen["probes"] if probe["name"].endswith(NOTED)]
        asked = [probe for probe in seen["probes"] if probe not in unasked]
        checks = (
            lambda: self._compare(own["record"], seen["record"], own["exact"]["record"]),
            lambda: interface_differences(own["record"], seen["record"], self._same_state_dict),
            lambda: self._compare(own["gradients"], seen["gradients"], own["exact"]["gradients"]),
            lambda: self._in_other_mode(seen),
            lambda: self._strained(seen["strained"]),
            lambda: float64_differences(own["exact"]["record"], seen.get("float64")),
            lambda: low_precision_differences(own["narrow"], seen["narrow"]),
            lambda: self._in_further_calls(asked),
            lambda: self._in_sequence(seen["sequence"]),
        )
        return {
            "differences": next(filter(None, (check() for check in checks)), []),
            "notes": [
                *rewrite_notes(own, seen, blanked(own["record"], self._varying)),
                *autocast_notes(own["narrow"], seen["narrow"]),
                *(line for probe in unasked for line in self._in_further_calls([probe])),
            ],
        }

    def rewritten_unfit(self, records: str) -> Reply:
        """How a source differs in further calls in which the original raises; on a GPU any failed assert does."""
        raised = ((probe, str(probe["record"].get("exception", ""))) for probe in _read(records))
        return {"differences": self._in_further_calls([p for p, error in raised if not error.startswith(DEVICE_ERROR)])}

    def operations(self, records: str) -> Reply:
        """Take over what the operations of the original gave."""
        self._operations = _read(records)
        return {}

    def first_operation(self, records: str) -> Reply:
        """The first operation of a source that does something else than that of the original; "" where none does.

        `differs` tells whether the whole call does.
        """
        seen = _read(records)
        differs = bool(compare(self._operations["result"], seen["result"], "result", None, self._tf32))
        return {
            "found": first_operation(self._operations["operations"], seen["operations"], self._tf32),
            "differs": differs,
        }

    def _in_other_mode(self, seen: Reply) -> list[str]:
        """How it differs in training where calls are timed in evaluation, and the reverse."""
        own, actual, twin = self._seen.get("other_mode"), seen.get("other_mode"), self._twin.get("other_mode", {})
        if own is None or actual is None or "exception" in own:
            return []
        lines = self._compare(steady(own, twin), without_swing(actual, own, twin))
        return [f"in {self._seen['mode']} mode: {line}" for line in lines]

    def _strained(self, actual: Reply) -> list[str]:
        """How gradients of a large loss differ, and second derivatives where the original has them."""
        own, twin = self._seen["strained"], self._twin.get("strained", {})
        if "gradients" not in own:
            return []
        found = self._derivatives(own, actual, twin, "gradients", self._tf32)
        if found or "second" not in own:
            return [f"with a loss {STRAIN:g} times as large: {line}" for line in found]
        if "second" not in actual:
            raised = actual.get("not_twice", "it has no gradient")
            return [f"second derivatives: {raised}, where the original has them"]
        found = self._derivatives(own, actual, twin, "second", tf32=True)
        return [f"second derivatives: {line}" for line in found]

    def _derivatives(self, own: Reply, actual: Reply, twin: Reply, key: str, tf32: bool) -> list[str]:
        records = [without_dead_gradients({"gradients": each.get(key, {})}) for each in (own, actual, twin)]
        expected = steady(records[0], records[2]) if twin else records[0]
        return compare(expected, without_swing(records[1], records[0], records[2]), "result", None, tf32)

    def _in_sequence(self, actual: list[Reply]) -> list[str]:
        """How calls of one model after each other differ; nothing is told where the first of them is rounded."""
        own, twin = self._seen["sequence"], self._twin.get("sequence", [])
        for index, (expected, step) in enumerate(zip(own, actual, strict=False)):
            expected = steady(expected, twin[index]) if index < len(twin) else expected
            if "exception" in step:
                return [f"in {expected['step']}, after others: it raises {step['exception']}"]
            if lost := [place for place in expected.get("bfloat16", ()) if place not in step["bfloat16"]]:
                return [f"in {expected['step']}, after others: result.{lost[0]} is in another dtype"]
            expected, step = ({k: v for k, v in each.items() if k != "bfloat16"} for each in (expected, step))
            if names := expected.get("globals", {}).keys() & step.get("globals", {}).keys():
                expected, step = (
                    {**each, "around": {n: each["globals"][n] for n in names}} for each in (expected, step)
                )
            if found := readable(compare(*comparable(expected, step), "result", None, self._tf32)):
                told = (line.replace("result.around.", "result.globals.") for line in found)
                return [f"in {expected['step']}, after others: {line}" for line in told] if index else []
        return []

    def compiled(self, records: str) -> Reply:
        """How a compiled model differs from the original, and the errors of both against float64."""
        record, own, exact = _read(records), self._seen[self._key], self._seen["exact"][self._key]
        errors = relative_errors(own.get("output"), record.get("output"), (exact or {}).get("output"))
        record = self._without_swing(record)
        return {"differences": self._compare(own, record, exact), "float64_errors": errors}

    def rung(self, records: str) -> Reply:
        """How the first call differs with another backend; nothing where it raised."""
        record, own, exact = _read(records), dict(self._seen[self._key]), self._seen["exact"][self._key]
        for name in ("again", "memory"):  # without which it is compared as compiled calls are
            own.pop(name, None)
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
            if probe["name"] == NOT_CONTIGUOUS:  # of which no order in memory follows for what comes out
                for record in (own["record"], probe["record"], own["gradients"], probe["gradients"]):
                    record |= {"strides": {}, "memory": {}}
            if own.get("may_raise") and "exception" in probe["record"]:
                continue
            for key in [key for key in ("record", "gradients") if key in probe]:
                if found := self._compare(own[key], probe[key], own["exact"][key]):
                    return [f"with {probe['name']}: {line}" for line in found]
        return []

    def _without_swing(self, record: Record) -> Record:
        return without_swing(record, self._seen["gradients"], self._twin.get("gradients", {}))

    def _compare(self, expected: Record, actual: Record, exact: Record | None = None) -> list[str]:
        expected = blanked(expected, self._varying)
        if ("exception" in expected) != ("exception" in actual):
            told = {"exception": "nothing where the original raises " + str(expected.get("exception"))} | actual
            return [f"it raises {(told['exception'].splitlines() or [''])[0]}"]
        return readable(compare(*comparable(expected, actual), "result", exact, self._tf32))


def _same(one: Any, other: Any) -> bool:
    """Bit for bit: what drifts a little from call to call may drift far while it is timed."""
    left, right = dict(leaves(one, "")), dict(leaves(other, ""))
    return left.keys() == right.keys() and all(_is_equal(leaf, right[place]) for place, leaf in left.items())


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.dtype == other.dtype and torch.equal(one.nan_to_num(0.125), other.nan_to_num(0.125))
    return type(one) is type(other) and bool(one == other or one != one)


def _read(path: str) -> Any:
    data = torch.load(path, map_location="cpu", weights_only=True)
    os.unlink(path)
    return data
