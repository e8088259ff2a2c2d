"""Further calls that every arm is held to: other seeds, batch sizes, the other side of rewritten branches.

The eager arm plans them and leaves its results with the inputs; the others compare theirs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.arm_session import ArmSession, guards_unmeasured
from breaklint.verify.arm.branches import Branch, is_finite
from breaklint.verify.arm.changing import clone
from breaklint.verify.arm.observe import DEVICE_ERROR, Case, named_tensors
from breaklint.verify.arm.other_inputs import other_calls, reseeded, rewritten_branches, sized_calls
from breaklint.verify.arm.plain_values import Change, attribute_names, changed_attribute
from breaklint.verify.arm.time_limit import memory_limit
from breaklint.verify.arm.user_lines import in_one_line
from breaklint.verify.arm.variants import LARGE, MAY_BE_NO_INDEX, not_contiguous, varied

Probe = dict[str, Any]
REFUSED = "the original itself fails"
NOT_CONTIGUOUS = "non-contiguous inputs"
USUAL_S, USUAL_WALL_S = 5.0, 30.0
"""Seconds of processor time, which no other process takes away, and of the clock for calls that are made besides."""


class Ready:
    """A compiled model that has not been called yet, and the state to bring it back to before each further call."""

    def __init__(self, case: Case, call: Callable[..., Any]) -> None:
        self.case, self.call = case, call
        self._before = {name: value.detach().clone() for name, value in named_tensors(case.model).items()}

    def restore(self) -> None:
        """Undo what calls did to parameters, gradients and buffers."""
        with torch.no_grad():
            for name, value in named_tensors(self.case.model).items():
                value.grad = None
                if name in self._before and self._before[name].shape == value.shape:
                    value.copy_(self._before[name])


def plan_probes(session: ArmSession, given: Any) -> tuple[list[Probe], list[Branch], list[str]]:
    """Run all further calls on the uncompiled original.

    Returns:
        The probes with their records, the branches that fixes rewrite, and a note on every call left out.
    """
    branches, telling, uncompiled, besides, unmet, far = rewritten_branches(session, given)
    seeds = ((f"seed {session.setup.seed + n}", reseeded(session, given, n)) for n in range(1, session.setup.seeds))
    probes = [_probe(session, name, call, sized=False) for name, call in seeds]
    notes = [f"no input was found at the boundary of the comparison in row {row}" for row in unmet]
    if (call := not_contiguous(given)) is not None:
        probe = _probe(session, NOT_CONTIGUOUS, call, sized=False, in_float64=False)
        probes += [] if probe["raises"] else [probe | {"compiled": False}]
    if (call := varied(given)) is not None:  # of equal numbers, many a wrong result is right
        probe = _probe(session, "redrawn inputs", call, sized=False)
        probes += [] if probe["raises"] else [probe]
    probes += _uncompiled_probes(session, other_calls(session, given, besides, far), notes)
    for name, call in (telling | uncompiled).items():
        probe = _probe(session, name, call, sized=False)
        # Kernels may round a sum to the other side of a boundary; what a rewrite does there is seen uncompiled.
        probes.append(probe | {"compiled": name not in uncompiled and holds_compiled(probe["record"])})
    for name, call in sized_calls(session, given):
        probe = _probe(session, name, call, sized=True)
        if "exception" in probe["record"]:
            notes.append(f"{name}: left out, {REFUSED}: {probe['record']['exception'].splitlines()[0]}")
        else:
            probes.append(probe)
    return probes, branches, notes


def holds_compiled(record: Record) -> bool:
    """Whether a compiled model has to do what an uncompiled one did.

    Kernels may treat NaN and infinity as they like, and a graph asserts on the device, for which no call waits.
    """
    return is_finite(record.get("output")) and not record.get("exception", "").startswith("AssertionError")


def _uncompiled_probes(
    session: ArmSession, calls: Iterable[tuple[str, Any, Change | None]], notes: list[str]
) -> Iterator[Probe]:
    """What a rewritten source is called with besides, uncompiled, where the original takes it and time allows."""
    used, began = time.thread_time(), time.monotonic()
    for name, call, change in calls if session.setup.rewritten else ():
        if time.thread_time() - used > USUAL_S or time.monotonic() - began > USUAL_WALL_S:
            notes.append(f"further uncompiled calls from {name!r} on were left out: those before took too long")
            return
        record = _observed(session, call, change, name)
        if record is not None and "exception" not in record:
            is_alone = session.shared["uses_rng"] or change or name == LARGE
            exact = None if is_alone else session.in_float64(call)
            about = {"name": name, "inputs": clone(call), "sized": False, "compiled": False, "raises": False}
            known = {"record": record, "exact": {"record": exact}, "may_raise": name in MAY_BE_NO_INDEX}
            yield about | known | {"change": change}


def _observed(session: ArmSession, call: Any, change: Change | None, name: str) -> Record | None:
    """What a call does, with an attribute changed if `change` is given.

    None where there is no such attribute, or others than in the original, which may hold what was computed of it.
    """
    case = session.fresh(call)
    if name == LARGE:
        return _with_little_memory(session, case)
    if change is None:
        return session.observe_within(case)
    known = session.shared.setdefault("attributes", attribute_names(case.model))  # the original is the first
    if not attribute_names(case.model) <= known:
        return None
    try:
        with changed_attribute(case.model, change):
            return session.observe_within(case)
    except (AttributeError, LookupError, TypeError):  # the model's own are in the record
        return None


def _with_little_memory(session: ArmSession, case: Case) -> Record | None:
    """What a call does with numbers that may be sizes; None where it needs much memory."""
    try:
        with memory_limit() as is_limited:
            return session.observe_within(case) if is_limited else None
    except (MemoryError, RuntimeError):
        return None


def exact_records(session: ArmSession, call: Any = None) -> dict[str, Record | None]:
    """The records of a call in float64; None where it cannot be had, as with random numbers, which float64 changes."""
    if session.shared["uses_rng"]:
        return {"record": None, "gradients": None}
    return {"record": session.in_float64(call), "gradients": session.in_float64(call, gradients=True)}


def split_probes(probes: list[Probe]) -> tuple[list[Probe], list[Probe]]:
    """What is known of the further calls, and what arms need to make them."""
    known = ("name", "record", "gradients", "exact", "may_raise")
    needed = ("name", "inputs", "sized", "compiled", "raises", "change")
    return [{key: probe[key] for key in known if key in probe} for probe in probes], [
        {key: probe.get(key) for key in needed} | {"gradients": "gradients" in probe} for probe in probes
    ]


def rewritten_records(session: ArmSession, unfit: bool) -> list[Probe]:
    """What this arm's source, uncompiled, does in the further calls.

    `unfit` picks those after which a process may be unfit for others: on CUDA, those in which the original raises. Of
    these nothing more is made once the device has failed an assert.
    """
    seen: list[Probe] = []
    for probe in session.shared["probes"]:
        if (session.setup.device.startswith("cuda") and probe["raises"]) != unfit:
            continue
        if probe["change"] or probe["name"] == LARGE:
            record = None if unfit else _observed(session, probe["inputs"], probe["change"], probe["name"])
            seen += [{"name": probe["name"], "record": record}] if record is not None else []
            continue
        try:
            seen.append({"name": probe["name"], **_records(session, probe["inputs"], probe["gradients"])})
        except Exception as error:
            if not unfit or type(error).__name__ != DEVICE_ERROR:
                raise
            failed = {"exception": f"{DEVICE_ERROR}: {error}"}
            return [*seen, {"name": probe["name"], "record": failed, "gradients": failed}]
    return seen


def compiled_calls(session: ArmSession, ready: Ready, raising: bool) -> tuple[list[dict[str, Any]], list[Probe]]:
    """Run the further calls compiled: each has `name`, `sized` and `recompiles`, and what it did.

    `raising` picks those in which the original raises: on CUDA a failing assert leaves the process unfit for others.
    """
    chosen = [probe for probe in session.shared["probes"] if probe["compiled"] and probe["raises"] == raising]
    calls, seen = [], []
    for probe in chosen:
        ready.restore()
        with guards_unmeasured(), Listener() as trace:
            case = Case(ready.case.model, *clone(probe["inputs"]))
            seen.append({"name": probe["name"], **_compiled_record(session, case, ready.call)})
        calls.append({"name": probe["name"], "sized": probe["sized"], "recompiles": trace.recompiles})
    return calls, seen


def probe_alone(session: ArmSession, name: str) -> Probe:
    """A further call with nothing left of other calls: more than parameters and buffers may have changed in them."""
    probe = next(probe for probe in session.shared["probes"] if probe["name"] == name)
    session.forget_compiled()
    case = session.fresh(probe["inputs"])
    return {"name": name, **_compiled_record(session, case, session.compiled(case.model))}


def _compiled_record(session: ArmSession, case: Case, call: Callable[..., Any]) -> Probe:
    try:
        return {"record": session.observe(case, call=call, gradients=session.setup.train)}
    except Exception as error:  # noqa: BLE001 - a compiled model may raise what the original raises, or what it does not
        return {"raised": in_one_line(error)}


def _probe(session: ArmSession, name: str, call: Any, sized: bool, in_float64: bool = True) -> Probe:
    records = _records(session, call)
    raises = "exception" in records["record"]
    exact = exact_records(session, call) if in_float64 else {"record": None, "gradients": None}
    about = {"name": name, "inputs": clone(call), "sized": sized, "compiled": True, "raises": raises}
    return {**about, "exact": exact, **records}


def _records(session: ArmSession, call: Any, gradients: bool = True) -> dict[str, Record]:
    keys = ("record", "gradients") if gradients else ("record",)
    return {key: session.observe_within(session.fresh(call), gradients=key == "gradients") for key in keys}
