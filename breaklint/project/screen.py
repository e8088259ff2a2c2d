"""Which files are worth parsing: cheap tests on their bytes."""

from __future__ import annotations

import re
from typing import Final

_DERIVED: Final = re.compile(rb"^class \w+\(([^)]*)\)", re.MULTILINE)
# A module may inherit its forward and override what that calls. Most other classes tell by their base's name: a loss
# may well be a `BaseLossFunction`, but `Function` itself is torch.autograd's.
_NO_MODULES: Final = tuple(
    (
        b"ABC Arguments Backend Cache Callback Config Dataset Dict Enum Error Exception FeatureExtractor Features "
        b".Function Kwargs Loader Mixin Optimizer Output Outputs Pipeline Processor Protocol Sampler Scheduler Test "
        b"TestCase Tester Tokenizer Trainer Tuple Warning Writer dict int list object str type"
    ).split()
)


def may_matter(data: bytes) -> bool:
    """Whether a file can hold a region at all."""
    if b"torch" not in data:
        return False
    return b"def forward" in data or b"compile" in data or any(map(_may_be_module, _DERIVED.findall(data)))


def _may_be_module(bases: bytes) -> bool:
    names = [base.strip().partition(b"[")[0] for base in bases.split(b",") if b"=" not in base]
    return any(name and not (b"." + name).endswith(_NO_MODULES) for name in names)
