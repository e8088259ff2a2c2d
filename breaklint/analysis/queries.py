"""What a query answers: nothing is in doubt, something is, or it cannot be."""

from __future__ import annotations

from typing import NamedTuple


class Proof(NamedTuple):
    """It surely holds; `text` says why, where a reader wants to know."""

    text: str = ""


class Doubt(NamedTuple):
    """It may not hold: a clause that says what may differ then."""

    reason: str


class No(NamedTuple):
    """It does not hold, or nothing suggests it: a clause that completes "not fixed: …"; "" where the code has another
    form."""

    reason: str = ""


Query = Proof | Doubt | No


def known(holds: bool, doubt: str) -> Query:
    """A proof where something holds, else a doubt."""
    return Proof() if holds else Doubt(doubt)


def required(holds: bool, reason: str) -> Query:
    """A proof where something holds, else a no."""
    return Proof() if holds else No(reason)
