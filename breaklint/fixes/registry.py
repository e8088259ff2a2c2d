"""Which function makes which kind of fix; each family is imported when a finding first needs it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol

from breaklint.errors import CardError
from breaklint.fixes.base import Declined, FixRequest, NotFixable, Outcome


class Fixer(Protocol):
    """Makes the fix of one finding, or says why not: by what it returns, or by raising NotFixable."""

    def __call__(self, request: FixRequest) -> Outcome:
        """The fix, or why there is none."""


FAMILIES = {
    "copy-method": "copies",
    "count-nonzero": "counts",
    "drop-gradient": "legacy",
    "drop-variable": "legacy",
    "drop-wrapper": "side_effects",
    "guard-compiling": "side_effects",
    "index-select": "indexes",
    "joined-where": "cat_of_repeats",
    "keep-tensor": "numbers",
    "logical-operator": "logical_operators",
    "masked-where": "masks",
    "math-function": "python_numbers",
    "new-empty": "legacy",
    "one-hot-classes": "classes",
    "plain-module": "scripted",
    "power-operator": "python_numbers",
    "python-random": "random_numbers",
    "random-uniform": "random_numbers",
    "same-object": "tensor_identity",
    "saved-tensors": "legacy",
    "set-option": "options",
    "show-buffer": "buffers",
    "show-guard": "advice",
    "show-init": "hoist_to_init",
    "show-literal": "advice",
    "show-option": "capture",
    "show-selection": "advice",
    "show-straight-through": "advice",
    "show-symbolic": "advice",
    "show-without-gradient": "advice",
    "static-method": "static_methods",
    "tensor-assert": "logic",
    "torch-where": "predication",
    "traced-call": "grids",
    "vectorise-rows": "rows",
}


def fix_for(request: FixRequest) -> Outcome:
    """The fix of a finding. CardError when its card names a kind that does not exist."""
    try:
        return _fixer(request.rule.code, request.rule.fix_kind)(request)
    except NotFixable as reason:
        reason.__traceback__ = None  # its frames may hold it
        if not request.rule.setting:
            return Declined(str(reason))
        from breaklint.fixes.capture import captured  # as the families: only when a finding needs it

        return captured(request, str(reason))


@cache
def _fixer(code: str, kind: str) -> Fixer:
    family = FAMILIES.get(kind)
    if family is None:
        raise CardError(f"card {code}: fix.kind `{kind}` does not exist; known are {', '.join(FAMILIES)}")
    fixer: Fixer = getattr(import_module(f"breaklint.fixes.{family}"), kind.replace("-", "_"))
    return fixer
