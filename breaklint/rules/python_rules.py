"""Rules that users write in Python: what the engine asks of them, and what it gives them.

The engine knows them by this protocol alone. What users derive from is `breaklint.codemod.LintRule`, which talks
LibCST; a run without such rules imports neither.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from breaklint.interp.frame import AbstractInterpreter
from breaklint.model import Finding, Fix, Rule, Span
from breaklint.project.module import Module


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Analysis:
    """What was found out about one file; it holds until the engine looks at the next one.

    `interp.values` has every expression that is traced, those of other files too. `findings` are those of breaklint's
    own rules. What rules work out from it is kept in `shared`, once for all of them.
    """

    module: Module
    interp: AbstractInterpreter
    findings: tuple[Finding, ...] = ()
    shared: dict[str, Any] = field(default_factory=dict)


class Report(NamedTuple):
    """A place that a rule reports. An empty `message` stands for the rule's own, `no_fix` is why there is no fix."""

    span: Span
    function: str
    message: str = ""
    fix: Fix | None = None
    no_fix: str = ""


class PythonRule(ABC):
    """A rule: what its card would say, and how it looks at a file. A class without a code is a base of rules."""

    code: ClassVar[str] = ""

    @classmethod
    @abstractmethod
    def card(cls) -> Rule:
        """The rule as cards describe it; CardError when an attribute of the class is wrong."""

    @classmethod
    @abstractmethod
    def reports(cls, analysis: Analysis) -> Iterator[Report]:
        """What the rule reports in a file; SourceError when the file cannot be read by it."""
