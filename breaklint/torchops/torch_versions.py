"""The torch versions for which a card holds: its `torch:` specifier."""

from __future__ import annotations

import operator
import re

_STEP = re.compile(r"(>=|<=|==|!=|<|>)\s*(\d+)\.(\d+)")
_COMPARE = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
}  # fmt: skip


def holds(specifier: str, version: str) -> bool:
    """Whether a torch version (`2.13`, `2.13.0+cpu`) satisfies a specifier (`>=2.11,<2.13`); an empty one always holds.

    Versions are compared by their first two numbers, with which Dynamo's behaviour changes. ValueError for a specifier
    that is not of that form.
    """
    major, minor = (int(part) for part in version.split(".")[:2])
    result = [(step, _STEP.fullmatch(step)) for step in (part.strip() for part in specifier.split(",")) if step]
    if wrong := [step for step, match in result if match is None]:
        raise ValueError(f"`{wrong[0]}` is not like >=2.11")
    return all(_COMPARE[match[1]]((major, minor), (int(match[2]), int(match[3]))) for _, match in result if match)
