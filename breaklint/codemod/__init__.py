"""breaklint for those who work with LibCST: metadata providers, rules as visitors, codemod commands.

See docs/libcst.md. Importing this package imports LibCST, and never torch.
"""

from breaklint.codemod.commands import FixGraphBreaks
from breaklint.codemod.providers import GraphBreakProvider, InferredValueProvider
from breaklint.codemod.rules import LintRule
from breaklint.codemod.values import InferredValue, TraceInfo
from breaklint.model import Example

__all__ = [
    "Example",
    "FixGraphBreaks",
    "GraphBreakProvider",
    "InferredValue",
    "InferredValueProvider",
    "LintRule",
    "TraceInfo",
]
