"""Suggestions for an unknown word, in one form for all errors."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, names: Iterable[str], otherwise: str = "", likeness: float = 0.6) -> str:
    """The end of an error message: `; did you mean ...?` with the nearest names in `names`, or `otherwise` if none is
    near.

    `likeness` is how near it has to be, as difflib counts. Any code of a rule is like some other one by 0.6.
    """
    from difflib import get_close_matches  # of use to errors only

    spellings = {_plain(name): name for name in names}
    close = get_close_matches(_plain(word), spellings, n=1, cutoff=likeness)
    return suggestion(spellings[name] for name in close) if close else otherwise


def suggestion(names: Iterable[str]) -> str:
    """The question whether one of these words was meant."""
    return f"; did you mean {', '.join(f'`{name}`' for name in names)}?"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
