"""What of two records of a model has to be equal, and what a report only notes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import reduce

from breaklint.verify.arm.accuracy import VARIES, Record, compare
from breaklint.verify.arm.process_state import APPEARING

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_ONLY_PLAIN = ("memory", "strides", "drawn", "settings", "globals", "built", "rebound", "outside")
"""What is seen of uncompiled calls, and compared where both are."""
_NOTED = ("printed", "warned")
"""What differs on purpose where a fix removes it."""


def comparable(expected: Record, actual: Record) -> tuple[Record, Record]:
    """Two records without what need not be equal: dead gradients, prints, what is new, what one of them cannot tell."""
    left, right = without_dead_gradients(expected), without_dead_gradients(actual)
    uncompiled = "memory" in left and "memory" in right
    for name in _NOTED if uncompiled else (*_NOTED, *_ONLY_PLAIN):
        left.pop(name, None)
        right.pop(name, None)
    if "again" in left and "exception" in left["again"]:  # values that the original itself refuses
        left.pop("again")
        right.pop("again", None)
    elif not uncompiled:
        # A compiled call may be given memory that the one before has returned, as CUDA graphs do.
        left, right = ({**r, "again": {**r["again"], "kept": []}} if "again" in r else r for r in (left, right))
    if uncompiled:
        _align_program(left, right)
    if "state" in right:
        right["state"] = _only(right["state"], left.get("state", {}))
    return left, right


def _align_program(left: Record, right: Record) -> None:
    """A rewrite may define more, and need not keep what it no longer uses, save what a call of the original changes."""
    old, new = left.pop("built", None), right.pop("built", None)
    before, after = left.get("globals", {}), right.get("globals", {})
    changed = {n for n, v in before.items() if old and v is not VARIES and compare(old["globals"].get(n), v, "")}
    names = (before.keys() & after.keys()) | changed
    left["globals"], right["globals"] = _only(before, names), _only(after, names)
    left["settings"], right["settings"] = _both(left.get("settings", {}), right.get("settings", {}))
    if old and new:
        settings = _both(old["settings"], new["settings"])
        for record, built, told in ((left, old, settings[0]), (right, new, settings[1])):
            record["built"] = {"settings": told, "drawn": built["drawn"]}


def _both(one: Record, other: Record) -> tuple[Record, Record]:
    """Settings that both have, and those that are there only because something was changed."""
    names = {name for name in {*one, *other} if name.startswith(APPEARING) or (name in one and name in other)}
    return _only(one, names), _only(other, names)


def _only(record: Record, names: Container[str]) -> Record:
    return {name: value for name, value in record.items() if name in names}


def _common(one: Iterable[str], other: Iterable[str]) -> tuple[list[str], list[str]]:
    """The names that both have, in the order of each."""
    return [name for name in one if name in other], [name for name in other if name in one]


def _lost(one: Iterable[str], other: Container[str]) -> list[str]:
    return [name for name in one if name not in other]


def interface_differences(expected: Record, actual: Record, same_state_dict: bool) -> list[str]:
    """How the state dict and the parameters of forward differ so that code which uses them would notice."""
    old, new = expected.get("built"), actual.get("built")
    if not old or not new:
        return []
    lost = _lost(old["state_dict"], new["state_dict"])
    found = [f"the state dict has no key {key!r}" for key in lost]
    if same_state_dict:
        found += [f"the state dict has the new key {key!r}" for key in _lost(new["state_dict"], old["state_dict"])]
    gone = _lost(old["buffers"], (*new["buffers"], *new["order"], *lost))
    found += [f"{name!r} is no buffer any more: `.to()` leaves it where it is" for name in gone]
    before, after = _common(old["order"], new["order"])
    if before != after:
        told = ", ".join(after)
        found.append(f"its parameters come in another order, by which optimizers know them: {told}")
    if new["pickle"] and not old["pickle"]:
        found.append(f"it can no longer be pickled: {_ADDRESS.sub('', new['pickle'])}")
    return found + list(_parameter_differences(old["parameters"], new["parameters"]))


def _parameter_differences(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for name, told in old.items():
        if name not in new:
            yield f"forward has no parameter {name!r}"
        elif new[name] != told:
            yield f"forward's parameter {name!r} is {new[name]}, not {told}"
    before, after = _common(old, new)
    if before != after:
        yield f"forward's parameters are {', '.join(new)}, not {', '.join(old)}"
    for name in new:
        if name not in old and "=" not in new[name] and "variadic" not in new[name]:
            yield f"forward has the new parameter {name!r}"


def interface_notes(expected: Record, actual: Record) -> list[str]:
    """What of a model no call shows."""
    old, new = expected.get("built"), actual.get("built")
    if not old or not new:
        return []
    gone = _lost(old["overrides"], new["overrides"])
    notes = [f"it has no {name} any more, which no call here runs" for name in gone]
    before, after = _common(old["state_dict"], new["state_dict"])
    return notes + ([f"its state dict has another order: {', '.join(after)}"] if before != after else [])


def addition_notes(expected: Record, actual: Record) -> list[str]:
    """What a rewritten source adds to the model."""
    old, new = expected.get("built"), actual.get("built")
    keys = _lost(new["state_dict"], old["state_dict"]) if old and new else []
    notes = [
        f"its state dict has the new key {key!r}: load_state_dict of what the original saved fails" for key in keys
    ]
    added = actual.get("state", {}).keys() - expected.get("state", {}).keys() - set(keys)
    names = sorted(name for name in added if not name.endswith(" (sums)") and "._" not in f".{name}")
    return notes + ([f"it adds {', '.join(names)} to the model"] if names else [])


def printed_notes(expected: Record, actual: Record) -> list[str]:
    """Whether the rewritten source prints, or warns of, something else, which may be just what was wanted."""
    found = []
    for key, verb in zip(_NOTED, ("prints", "warns"), strict=True):
        before, after = (record.get(key) or "" for record in (expected, actual))
        if before != after and before is not VARIES:
            told = ["".join(each) for each in (after, before)]
            found.append(f"it {verb} {_quoted(told[0])} where the original {verb} {_quoted(told[1])}")
    return found


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…") if text else "nothing"


def without_dead_gradients(record: Record) -> Record:
    """Drop gradients that are None or zeros: both train alike (weight decay aside, which the arm's notes tell)."""
    gradients = record.get("gradients", {}).items()
    kept = {k: g for k, g in gradients if g is VARIES or (g is not None and bool((g != 0).any()))}
    return {**record, "gradients": kept}


def rewrite_notes(own: Record, seen: Record, expected: Record) -> list[str]:
    """All that is noted of a rewritten source; `expected` is the original's record without what varies by itself."""
    return [
        *gradient_notes(own["gradients"], seen["gradients"]),
        *printed_notes(expected, seen["record"]),
        *addition_notes(own["record"], seen["record"]),
        *interface_notes(own["record"], seen["record"]),
    ]


def gradient_notes(expected: Record, actual: Record) -> list[str]:
    """Parameters for which the original leaves no gradient and the rewritten source leaves zeros."""
    left, right = expected["gradients"], actual["gradients"]
    names = [n for n in left if left[n] is None and right.get(n) is not None]
    return [f"the gradient of {name} is zeros where the original leaves None" for name in names]


_READABLE = (
    (re.compile(r"^result\.built\.drawn is .*"), "importing and building it draws or seeds random numbers otherwise"),
    (re.compile(r"^result\.drawn is .*"), "result.drawn: it draws another number of random numbers, or seeds them"),
    (re.compile(r"^result\.built\.settings\."), "once it is built, settings."),
    (
        re.compile(r"^result\.rebound\.(\S+) is new"),
        r"it stores another tensor as \1 instead of changing the one there",
    ),
    (re.compile(r"^result\.rebound\.(\S+) is gone"), r"it changes \1 itself instead of storing another tensor there"),
    (re.compile(r"^result\.outside\.(.+) is (new|gone)$"), r"what it does outside of Python: \1 is \2"),
    (re.compile(r"settings\.replaced\.(\S+) is new"), r"settings: it replaces \1"),
    (
        re.compile(r"^result\.memory\.(output \d+) is gone"),
        r"\1 has memory of its own, where that of the original shares that of an input, the state or an earlier output",
    ),
    (
        re.compile(r"^result\.memory\.(output \d+) is new"),
        r"\1 shares memory with an input, the state or an earlier output, that of the original with none",
    ),
)


def readable(lines: Iterable[str]) -> list[str]:
    """Differences as reports show them."""
    return [reduce(lambda told, known: known[0].sub(known[1], told), _READABLE, line) for line in lines]
