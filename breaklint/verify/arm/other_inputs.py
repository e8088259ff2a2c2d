"""Which inputs the further calls have: other seeds, sizes and values, the other side of branches, boundaries."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from breaklint.calls.thaw import further_captured_calls
from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.boundaries import beside, boundary_calls, distances
from breaklint.verify.arm.branches import GIVEN, Branch, instrumented, search, watched_places, watched_run
from breaklint.verify.arm.changing import clone
from breaklint.verify.arm.importing import NAME
from breaklint.verify.arm.loading import described_call, load, own_code
from breaklint.verify.arm.observe import seed_all
from breaklint.verify.arm.plain_values import (
    MOST,
    Change,
    names_in,
    other_arguments,
    other_attributes,
    plain_attributes,
    with_defaults,
    with_none,
)
from breaklint.verify.arm.time_limit import time_limit
from breaklint.verify.arm.variants import redrawn, resized, tensors_in, transformed, usual

SEARCHED_SEEDS = 4
# No schema: the operators that tell NaN and infinity from numbers, by their names.
NOT_FINITE_READ = {"isnan", "isinf", "isfinite", "nan_to_num"}
"""What code that cares for NaN and infinity calls."""
# No schema: the operators that leave the order of equal elements open, by their names.
ORDERING = {"topk", "sort", "argsort", "msort", "kthvalue", "median", "nanmedian", "mode"}
MOST_COMPARISONS = 8
"""So many comparisons are brought to their boundaries, with a few dozen calls each."""


def other_calls(
    session: ArmSession, given: Any, besides: dict[str, Any], far: Iterable[float]
) -> Iterator[tuple[str, Any, Change | None]]:
    """Calls with other values and sizes than those given, `besides` first, and what to change in the model for them."""
    read, words, names = _names_read(session)
    first: dict[str, Callable[[], Any]] = {name: partial(clone, call) for name, call in besides.items()}
    first["inputs of another seed"] = partial(reseeded, session, given, 1)
    left_out, dropped = _optional(session, given)
    absent = [name for name, default in left_out.items() if default is None and name in names]
    dropped = {name: without for name, without in dropped.items() if name in names}
    plain = chain(
        other_arguments(given, words), with_defaults(given, left_out, words), with_none(given, absent, dropped)
    )
    first |= {name: partial(clone, call) for name, call in plain}
    yield from ((name, call, None) for name, call in _other(first.items(), given))
    on_cpu = session.setup.device == "cpu"
    held = plain_attributes(session.fresh(given).model)
    held = {place: value for place, value in held.items() if on_cpu or type(value) is not int}  # which may be an index
    for name, change in islice(other_attributes(held, read, words, far), MOST):
        yield name, clone(given), change
    calls = usual(given, on_cpu, not NOT_FINITE_READ.isdisjoint(read), not ORDERING.isdisjoint(read))
    yield from ((name, call, None) for name, call in _other(calls, given))


def _other(calls: Iterable[tuple[str, Callable[[], Any]]], given: Any) -> Iterator[tuple[str, Any]]:
    for name, make in calls:
        try:
            call = make()
        except Exception:  # noqa: BLE001 - a dtype for which torch has no such operation, inputs drawn from a file
            continue
        if call is not None and (not _same(call, given) or _plain(call) != _plain(given)):
            yield name, call


def _optional(session: ArmSession, given: Any) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """The parameters of forward that the call leaves out, with their defaults, and those that it might leave out, each
    with its default and the call without it."""
    model = session.fresh(given).model
    try:
        signature = inspect.signature(model.forward if isinstance(model, torch.nn.Module) else model)
        bound = signature.bind(*given[0], **given[1])
    except (TypeError, ValueError):
        return {}, {}
    defaults = {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}
    dropped: dict[str, tuple[Any, Any]] = {}
    for name in [name for name in defaults if name in bound.arguments]:
        without = inspect.BoundArguments(signature, bound.arguments | {name: defaults[name]})
        dropped[name] = defaults[name], (without.args, without.kwargs)
    return {name: value for name, value in defaults.items() if name not in bound.arguments}, dropped


def _names_read(session: ArmSession) -> tuple[set[str], set[str], set[str]]:
    """The attributes that functions read which the rewritten source changes, the strings in these, and names."""
    read: tuple[set[str], set[str], set[str]] = set(), set(), set()
    for path, text in _watched_texts(session).items():
        for found, more in zip(read, names_in(text, path, session.setup.branches), strict=True):
            found |= more
    return read


def _watched_texts(session: ArmSession) -> dict[str, str]:
    """The files of the original that the rewritten source changes, as far as they are used, with their texts."""
    paths = {path for path, _, _ in session.setup.branches}
    paths = paths if paths <= {session.location.path} else paths & _loaded()
    return {path: session.location.overrides.get(path) or Path(path).read_text("utf-8") for path in paths}


def _plain(call: Any) -> str:
    """All of a call's arguments but what its tensors hold."""
    leaves, structure = tree_flatten(call)
    return f"{structure} {[leaf for leaf in leaves if not isinstance(leaf, torch.Tensor)]!r}"


def reseeded(session: ArmSession, given: Any, n: int) -> Any:
    """The inputs that the target makes under another seed; redrawn where it always makes the same."""
    seed_all(session.setup.seed + n)
    call = session.placed(load(session.location, session.setup.device)[1])
    return redrawn(given, session.setup.seed + n) if _same(call, given) else call


def _same(one: Any, other: Any) -> bool:
    left, right = tensors_in(one), tensors_in(other)
    return len(left) == len(right) and all(
        a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all()) for a, b in zip(left, right, strict=True)
    )


def sized_calls(session: ArmSession, given: Any) -> Iterator[tuple[str, Any]]:
    """Calls of other sizes that the user requests or has recorded."""
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


def rewritten_branches(
    session: ArmSession, given: Any
) -> tuple[list[Branch], dict[str, Any], dict[str, Any], dict[str, Any], list[int], list[float]]:
    """The branches that fixes rewrite, calls that take their other sides, those to make uncompiled, a few a little
    beside boundaries, and the rows of comparisons for whose boundary none is found, with how far these are away.

    Uncompiled are those that reach a boundary, or the other side of a branch around what is changed.
    """
    watch, texts = tuple(session.setup.branches), _watched_texts(session)
    places, comparisons = watched_places(instrumented(text, path, watch) for path, text in texts.items())
    if not places and not comparisons:
        return [], {}, {}, {}, [], []
    watched = replace(session.location, overrides=session.location.overrides | texts, watch=watch)
    model = ArmSession(watched, session.setup).fresh().model

    def run(call: Any) -> Any:
        with time_limit(session.shared["given_s"]):
            return model(*clone(call[0]), **clone(call[1]))

    seeds = ((f"seed {session.setup.seed + n}", reseeded(session, given, n)) for n in range(1, SEARCHED_SEEDS))
    rewritten = {place for place in places if any(place[0] == file and a <= place[1] <= b for file, a, b in watch)}
    candidates = chain([(GIVEN, given)], seeds, transformed(given))
    found, telling = search(run, candidates, places, set(places) - rewritten)
    telling.pop(GIVEN, None)
    decisive = {name for branch in found if branch.place in rewritten for name in branch.reached.values()}
    met, unmet = boundary_calls(partial(watched_run, run), given, comparisons[:MOST_COMPARISONS])
    uncompiled = {name: call for name, call in telling.items() if name not in decisive}
    uncompiled |= {f"inputs at the boundary in row {place[1]}": call for place, call in met.items()}
    telling = {name: call for name, call in telling.items() if name in decisive}
    besides = {
        f"inputs just {side} the boundary in row {place[1]}": off
        for place, call in met.items()
        for side, off in beside(call)
    }
    # Others are in code that this model does not run.
    ran = [branch for branch in found if branch.reached and branch.place in rewritten]
    if unmet:
        model = ArmSession(watched, session.setup).fresh().model  # one that has not been called
    far = distances(watched_run(run, given), unmet) if unmet else []
    return ran, telling, uncompiled, besides, [place[1] for place in unmet], far
