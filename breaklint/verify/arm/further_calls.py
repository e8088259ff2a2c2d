"""Further calls that every arm makes: the eager arm plans and records them, the others compare theirs."""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch

from breaklint.calls.thaw import further_captured_calls
from breaklint.verify.arm.branches import OWN_INPUTS, Branch, instrument, names_in, search, watched_places
from breaklint.verify.arm.calls import clone, seed_all
from breaklint.verify.arm.importing import NAME
from breaklint.verify.arm.loading import described_call, load, own_code
from breaklint.verify.arm.process import OutOfTime, in_one_line, time_limit
from breaklint.verify.arm.record import Record, snapshot, state
from breaklint.verify.arm.session import ArmSession, Call, Probe
from breaklint.verify.arm.variants import (
    MOST,
    Change,
    attribute_names,
    changed_attribute,
    noncontiguous,
    other_arguments,
    other_attributes,
    other_forms,
    randomize_constants,
    redraw,
    resize,
    same,
    shorten,
    transformations,
    with_defaults,
)

SEARCHED_SEEDS = 4
# No schema: the names of operators that distinguish NaN and infinity from numbers.
NOT_FINITE_READ = {"isnan", "isinf", "isfinite", "nan_to_num"}
"""Operators in code that handles NaN and infinity."""
MOST_S = 5.0
"""Seconds of processor time for the calls that are made uncompiled only."""


def plan(session: ArmSession, arguments: Call) -> tuple[list[Probe], list[Branch], list[str]]:
    """Run the further calls of the original: their records, the rewritten branches, with notes on those left out."""
    branches, branch_calls = _rewritten_branches(session, arguments)
    redrawn = randomize_constants(arguments)  # of equal numbers, many a wrong result is right
    calls = branch_calls if redrawn is None else {"redrawn inputs": redrawn} | branch_calls
    probes, notes = [_probe(session, name, call) for name, call in calls.items()], list[str]()
    for name, call in _sized_calls(session):
        probe = _probe(session, name, call, sized=True)
        if probe.raises:
            notes.append(f"{name}: left out, the original itself fails: {probe.record['raised']}")
        else:
            probes.append(probe)
    began = time.thread_time()
    for name, call, change in _uncompiled_calls(session, arguments) if session.setup.rewritten else ():
        if time.thread_time() - began > MOST_S:
            notes.append(f"further uncompiled calls from {name!r} on were left out: those before took too long")
            break
        probe = _probe(session, name, call, compiled=False, change=change)
        probes += [] if probe.raises else [probe]
    return probes, branches, notes


def _probe(
    session: ArmSession, name: str, call: Call, sized: bool = False, compiled: bool = True, change: Change | None = None
) -> Probe:
    record = source_record(session, call, change)
    # Kernels may treat NaN and infinity as they like, and a graph asserts on the device, for which no call waits.
    holds = compiled and _is_finite(record) and not record.get("raised", "").startswith("AssertionError")
    exact = session.in_float64(call, gradients=True) if compiled and "raised" not in record else None
    return Probe(name, clone(call), record, exact, sized, holds, change)


def _is_finite(record: Record) -> bool:
    tensors = (value for value in record.get("output", {}).values() if isinstance(value, torch.Tensor))
    return all(bool(tensor.isfinite().all()) for tensor in tensors)


def source_record(session: ArmSession, call: Call, change: Change | None) -> Record:
    """The record of an uncompiled call, with gradients if possible."""
    record: Record = {}
    for gradients in (True, False):
        case = session.fresh(call)
        with changed_attribute(case.model, change):
            seen = session.observe_within(case, gradients=gradients)
        if "raised" not in seen:
            return seen | ({"gradients": {"backward": f"raises {record['raised']}"}} if record else {})
        record = seen
    return record


def _uncompiled_calls(session: ArmSession, arguments: Call) -> Iterator[tuple[str, Call, Change | None]]:
    """Calls of a rewritten source with other values and sizes, and the changes of the model for them."""
    attributes, words = set[str](), set[str]()
    for path, text in _watched_texts(session).items():
        for names, more in zip((attributes, words), names_in(text, path, session.setup.branches), strict=True):
            names |= more
    makers: list[tuple[str, Callable[[], Any]]] = [
        ("inputs of another seed", lambda: inputs_of_seed(session, arguments, 1)),
        ("non-contiguous inputs", lambda: noncontiguous(arguments)),
        *other_forms(arguments, bool(NOT_FINITE_READ & attributes)),
    ]
    defaults = _omitted_defaults(session, arguments)
    plain = chain(other_arguments(arguments, words), with_defaults(arguments, defaults, words))
    for name, make in (*makers, *((name, lambda call=call: call) for name, call in plain)):
        try:
            call = make()
        except (RuntimeError, TypeError, ValueError, NotImplementedError):  # a dtype without such an operation
            continue
        if call is not None and (name.startswith("non-contiguous") or not same(call, arguments)):
            yield name, call, None
    on_cpu = session.setup.device == "cpu"
    for name, change in islice(other_attributes(session.fresh(arguments).model, attributes, words), MOST):
        if on_cpu or type(change[2]) is not int:  # which may be an index, and end the use of the device
            yield name, arguments, change


def _omitted_defaults(session: ArmSession, arguments: Call) -> dict[str, Any]:
    """The parameters of forward that the call leaves out, with their defaults."""
    model = session.fresh(arguments).model
    try:
        signature = inspect.signature(model.forward if isinstance(model, torch.nn.Module) else model)
        bound = signature.bind(*arguments[0], **arguments[1])
    except (TypeError, ValueError):
        return {}
    defaults = {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}
    return {name: value for name, value in defaults.items() if name not in bound.arguments}


def inputs_of_seed(session: ArmSession, arguments: Call, n: int) -> Call:
    """The inputs of the target under another seed; redrawn if it always creates the same."""
    seed_all(session.setup.seed + n)
    call: Call = session.on_device(load(session.location, session.setup.device)[1])
    return redraw(arguments, session.setup.seed + n) if same(call, arguments) else call


def _sized_calls(session: ArmSession) -> Iterator[tuple[str, Call]]:
    """Calls of other sizes that the configuration describes, or that were recorded."""
    for sizes in session.location.recipe.get("sizes", [])[1:]:
        seed_all(session.setup.seed)
        call = session.on_device(described_call(session.location, sizes))
        yield "sizes " + ", ".join(f"{name}={size}" for name, size in sizes.items()), call
    if folder := session.location.recipe.get("captured"):
        own, module = own_code(session.location), session.location.module or NAME
        for name, call in further_captured_calls(Path(folder), session.setup.device, module, own).items():
            yield name, session.on_device(call)


def _watched_texts(session: ArmSession) -> dict[str, str]:
    """The files of the original that the rewritten source changes, as far as they are loaded, with their texts."""
    paths = {path for path, _, _ in session.setup.branches}
    if not paths <= {session.location.path}:
        files = (getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values()))
        paths &= {os.path.realpath(file) for file in files if file}
    return {path: session.location.overrides.get(path) or Path(path).read_text("utf-8") for path in paths}


def _rewritten_branches(session: ArmSession, arguments: Call) -> tuple[list[Branch], dict[str, Call]]:
    """The branches that fixes rewrite or change something in, and calls that take their other sides."""
    watch, texts = tuple(session.setup.branches), _watched_texts(session)
    places = watched_places(instrument(text, path, watch) for path, text in texts.items())
    if not places:
        return [], {}
    location = replace(session.location, overrides=session.location.overrides | texts, watch=watch)
    watched = ArmSession(location, session.setup)
    watched.shared.inputs = arguments
    model = watched.fresh().model

    def run(call: Call) -> Any:
        with time_limit(session.shared.call_s):
            return model(*clone(call[0]), **clone(call[1]))

    first = session.setup.seed
    seeds = ((f"seed {first + n}", inputs_of_seed(session, arguments, n)) for n in range(1, SEARCHED_SEEDS))
    others = ((name, call) for name, call in chain(seeds, transformations(arguments)) if not same(call, arguments))
    branches, calls = search(run, chain([(OWN_INPUTS, arguments)], others), places)
    calls.pop(OWN_INPUTS, None)
    rewritten = {place for place in places if any(place[0] == file and a <= place[1] <= b for file, a, b in watch)}
    # Others are in code that this model does not run.
    return [branch for branch in branches if branch.outcomes and branch.place in rewritten], calls


def call_sequence(session: ArmSession) -> list[Record]:
    """The records of successive calls of one model with changing sizes: state of one call affects the next."""
    case = session.fresh()
    arguments, records = (case.args, case.kwargs), list[Record]()
    for call in (arguments, resize(arguments, 3), arguments, shorten(arguments)):
        seed_all(session.setup.seed + 1)
        try:
            with time_limit(session.shared.call_s), torch.no_grad():
                args, kwargs = clone(arguments if call is None else call)
                output = snapshot(case.model(*args, **kwargs), "output")
            records.append({"output": output, "state": state(case.model)})
        except (Exception, OutOfTime) as error:  # noqa: BLE001 - a model may raise anything
            return [*records, {"raised": in_one_line(error)}]
    return records


def rewrite_differences(session: ArmSession) -> Iterator[str]:
    """How this arm's source, uncompiled, differs from the original in the further calls."""
    shared = session.shared
    own_names = attribute_names(session.fresh().model) <= shared.attributes  # others may be computed from them
    for probe in shared.probes:
        if (session.setup.device.startswith("cuda") and probe.raises) or (probe.change and not own_names):
            continue
        try:
            record = source_record(session, probe.inputs, probe.change)
        except AttributeError:  # the attribute to be changed is gone
            continue
        yield from (f"with {probe.name}: {line}" for line in session.compare(probe.record, record, probe.exact, False))
    for number, (own, new) in enumerate(zip(shared.call_sequence, call_sequence(session), strict=False), 1):
        if "raised" in own:  # as other uncompiled calls in which the original raises, it is left out
            return
        yield from (
            f"in call {number} of one model, of other sizes before: {line}" for line in session.compare(own, new)
        )
