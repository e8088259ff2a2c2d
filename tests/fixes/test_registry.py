"""Every kind of fix has the texts that users read: what it writes, and what is not safe about it."""

from __future__ import annotations

from breaklint.fixes.base import CODEMODS
from breaklint.fixes.registry import kinds


def test_every_kind_says_what_it_writes_and_what_may_differ() -> None:
    for name in kinds():
        kind = CODEMODS[name]
        assert kind.summary, name
        assert kind.safe or kind.unsafe or name.startswith("show-"), name
        assert kind.unsafe.count(". ") <= 1, name  # two sentences
