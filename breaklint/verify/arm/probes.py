"""Further calls that every arm is held to: other seeds, batch sizes, the other side of rewritten branches. Needs torch.

The eager arm plans them and leaves its results with the inputs; the others compare theirs.
"""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from breaklint.verify.arm.accuracy import Record, clone
from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.branches import GIVEN, Branch, instrumented, is_finite, search, watched_places
from breaklint.verify.arm.loading import NAME, described_call, load, own_code
from breaklint.verify.arm.observe import Case, seed_all
from breaklint.verify.arm.trace import CompileTrace
from breaklint.verify.arm.variants import redrawn, resized, transformed, varied
from breaklint.verify.capture.captured import further_captured_calls

Probe = dict[str, Any]
SEARCHED_SEEDS = 4
REFUSED = "the original itself fails"


class Ready:
    """A compiled model that has not been called yet, and the state to bring it back to before each further call."""

    def __init__(self, case: Case, call: Callable[..., Any]) -> None:
        self.case, self.call = case, call
        self._before = {name: value.detach().clone() for name, value in self._state().items()}

    def restore(self) -> None:
        """Undo what calls did to parameters, gradients and buffers."""
        with torch.no_grad():
            for name, value in self._state().items():
                value.grad = None
                if name in self._before and self._before[name].shape == value.shape:
                    value.copy_(self._before[name])

    def _state(self) -> dict[str, torch.Tensor]:
        model = self.case.model
        if not isinstance(model, torch.nn.Module):
            return {}
        return dict(model.named_parameters()) | dict(model.named_buffers())


def plan_probes(session: ArmSession, given: Any) -> tuple[list[Probe], list[Branch], list[str]]:
    """Run all further calls on the uncompiled original.

    Returns:
        The probes with their records, the branches that fixes rewrite, and a note on every call left out.
    """
    branches, telling = _branches(session, given)
    seeds = ((f"seed {session.setup.seed + n}", _reseeded(session, given, n)) for n in range(1, session.setup.seeds))
    probes = [_probe(session, name, call, sized=False) for name, call in seeds]
    notes = []
    if (call := varied(given)) is not None:  # of equal numbers, many a wrong result is right
        probe = _probe(session, "redrawn inputs", call, sized=False)
        probes += [] if probe["raises"] else [probe]
    for name, call in telling.items():
        probe = _probe(session, name, call, sized=False)
        # Kernels may treat NaN and infinity as they like; what a rewrite does to them is seen uncompiled.
        probes.append(probe | {"compiled": is_finite(probe["record"].get("output"))})
    for name, call in _sized(session, given):
        probe = _probe(session, name, call, sized=True)
        if "exception" in probe["record"]:
            notes.append(f"{name}: left out, {REFUSED}: {probe['record']['exception'].splitlines()[0]}")
        else:
            probes.append(probe)
    return probes, branches, notes


def exact_records(session: ArmSession, call: Any = None) -> dict[str, Record | None]:
    """The records of a call in float64; None where it cannot be had, as with random numbers, which float64 changes."""
    if session.shared["uses_rng"]:
        return {"record": None, "gradients": None}
    return {"record": session.in_float64(call), "gradients": session.in_float64(call, gradients=True)}


def split_probes(probes: list[Probe]) -> tuple[list[Probe], list[Probe]]:
    """What is known of the further calls, and what arms need to make them."""
    known = ("name", "record", "gradients", "exact")
    needed = ("name", "inputs", "sized", "compiled", "raises")
    return [{key: probe[key] for key in known} for probe in probes], [
        {key: probe[key] for key in needed} for probe in probes
    ]


def rewritten_records(session: ArmSession) -> list[Probe]:
    """What this arm's source, uncompiled, does in the further calls."""
    return [{"name": probe["name"], **_records(session, probe["inputs"])} for probe in session.shared["probes"]]


def compiled_calls(session: ArmSession, ready: Ready, raising: bool) -> tuple[list[dict[str, Any]], list[Probe]]:
    """Run the further calls compiled: each has `name`, `sized` and `recompiles`, and what it did.

    `raising` picks those in which the original raises: on CUDA a failing assert leaves the process unfit for others.
    """
    chosen = [probe for probe in session.shared["probes"] if probe["compiled"] and probe["raises"] == raising]
    calls, seen = [], []
    for probe in chosen:
        ready.restore()
        with CompileTrace() as trace:
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
        line = (str(error).strip().splitlines() or [""])[0]
        return {"raised": f"{type(error).__name__}: {line}"}


def _probe(session: ArmSession, name: str, call: Any, sized: bool) -> Probe:
    records = _records(session, call)
    raises, exact = "exception" in records["record"], exact_records(session, call)
    about = {"name": name, "inputs": clone(call), "sized": sized, "compiled": True, "raises": raises}
    return {**about, "exact": exact, **records}


def _records(session: ArmSession, call: Any) -> dict[str, Record]:
    return {key: session.observe(session.fresh(call), gradients=key == "gradients") for key in ("record", "gradients")}


def _reseeded(session: ArmSession, given: Any, n: int) -> Any:
    """The inputs that the target makes under another seed; redrawn where it always makes the same."""
    seed_all(session.setup.seed + n)
    call = session.placed(load(session.location, session.setup.device)[1])
    return redrawn(given, session.setup.seed + n) if _same(call, given) else call


def _same(one: Any, other: Any) -> bool:
    left, right = ([leaf for leaf in tree_flatten(t)[0] if isinstance(leaf, torch.Tensor)] for t in (one, other))
    return len(left) == len(right) and all(
        a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all()) for a, b in zip(left, right, strict=True)
    )


def _sized(session: ArmSession, given: Any) -> Iterator[tuple[str, Any]]:
    for batch in session.setup.batch_sizes:
        call = resized(given, batch)
        if call is not None:
            yield f"batch size {batch}", call
    for sizes in session.location.recipe.get("sizes", [])[1:]:
        seed_all(session.setup.seed)
        call = session.placed(described_call(session.location, sizes))
        yield "sizes " + ", ".join(f"{name}={size}" for name, size in sizes.items()), call
    if folder := session.location.recipe.get("captured"):
        recorded = further_captured_calls(
            Path(folder), session.setup.device, session.location.module or NAME, own_code(session.location)
        )
        yield from ((name, session.placed(call)) for name, call in recorded.items())


def _loaded() -> set[str]:
    """The files of all modules: of those that differ from a revision, the model may use few."""
    files = (getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values()))
    return {os.path.realpath(file) for file in files if file}


def _branches(session: ArmSession, given: Any) -> tuple[list[Branch], dict[str, Any]]:
    watch = tuple(session.setup.branches)
    paths = {path for path, _, _ in watch}
    paths = paths if paths <= {session.location.path} else paths & _loaded()
    texts = {path: session.location.overrides.get(path) or Path(path).read_text("utf-8") for path in paths}
    places = set(watched_places(instrumented(text, path, watch) for path, text in texts.items()))
    if not places:
        return [], {}
    watched = replace(session.location, overrides=session.location.overrides | texts, watch=watch)
    model = ArmSession(watched, session.setup).fresh().model
    seeds = ((f"seed {session.setup.seed + n}", _reseeded(session, given, n)) for n in range(1, SEARCHED_SEEDS))
    found, telling = search(
        lambda call: model(*clone(call[0]), **clone(call[1])),
        chain([(GIVEN, given)], seeds, transformed(given)),
        sorted(places),
    )
    telling.pop(GIVEN, None)
    return found, telling
