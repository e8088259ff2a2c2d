"""The differences that the reason of a fix warns of; any other difference is a bug of the fix."""

from __future__ import annotations

from breaklint.model import Applicability, Fix

EXACT: frozenset[str] = frozenset()
QUIET = frozenset({"quiet"})  # what warned may be what an unsafe fix replaced
ROUNDING = frozenset({"rounding", "gradient-rounding"})
COARSE = frozenset({"coarse-rounding", "gradient-coarse-rounding"})  # that of a narrower dtype
# What follows when a tensor no longer is the one, or no longer shares the memory of the one, that is changed later.
COPY = ROUNDING | COARSE | {"alias", "requires-grad", "stride", "effect", "value", "not-finite", "late", "silent"}
COPY |= {"gradient", "gradient-not-finite", "integer-value", "integer-gradient"}
# What an unsafe fix of a kind may change.
NUMBER = ROUNDING | COARSE | {"dtype", "integer-value", "integer-gradient", "not-finite", "gradient-not-finite", "late"}
NUMBER |= {"silent", "error", "raises", "warned", "stride", "requires-grad", "gradient-zeros"}
MASKED = ROUNDING | COARSE | COPY | {"raises", "error", "gradient-zeros", "gradient-rounding", "warned"}
UNSAFE: dict[str, frozenset[str]] = {
    "drop-gradient": frozenset({"raises", "error"}),
    "drop-variable": frozenset({"raises", "error"}),
    "eager-branch": EXACT,
    "graph-print": frozenset({"printed"}),
    "delete-call": frozenset({"printed", "logged"}),
    "guard-compiling": EXACT,
    "handed-out-number": EXACT,
    "keep-tensor": NUMBER,
    "masked-sums": MASKED,
    "masked-where": MASKED,
    "plain-module": ROUNDING | COARSE | {"error", "silent"},
    "python-random": (COPY | COARSE) - {"silent"} | {"error"},
    "raise-guard": EXACT,
    "saved-tensors": frozenset({"raises", "silent", "error"}),
    "tensor-assert": frozenset({"raises", "error", "warned"}),
    "torch-where": COPY | {"dtype", "type", "gradient-zeros", "raises", "error", "warned", "gradient-rounding"},
    "vectorise-rows": COPY | {"error", "warned", "gradient-zeros", "raises"},
}
# What a safe fix may change all the same: the warning that the old name is old.
RENAMED = {"saved-tensors": QUIET}


def allowed(kind: str, fix: Fix) -> frozenset[str]:
    """The kinds of difference that a fix may bring."""
    return RENAMED.get(kind, EXACT) if fix.applicability is Applicability.SAFE else QUIET | UNSAFE[kind]
