"""Rules in Python: the protocol between such a rule and the engine.

The engine uses this protocol only. Users derive from `breaklint.codemod.LintRule`, which uses LibCST; a run without
such rules imports neither.
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
    """The inference for one file; valid until the engine checks the next file.

    `interp.values` has every traced expression, including those of other files. `findings` are those of breaklint's
    own rules. `shared` caches the results that rules derive from it, for all rules.
    """

    module: Module
    interp: AbstractInterpreter
    findings: tuple[Finding, ...] = ()
    shared: dict[str, Any] = field(default_factory=dict)


class Report(NamedTuple):
    """A place that a rule reports. If `message` is empty, the rule's own is used; `no_fix` is the reason for no fix."""

    span: Span
    function: str
    message: str = ""
    fix: Fix | None = None
    no_fix: str = ""


class PythonRule(ABC):
    """A rule: the fields of a card, and the visit of a file. A class without a code is a base of rules."""

    code: ClassVar[str] = ""

    @classmethod
    @abstractmethod
    def card(cls) -> Rule:
        """The rule as cards describe it; CardError when an attribute of the class is wrong."""

    @classmethod
    @abstractmethod
    def reports(cls, analysis: Analysis) -> Iterator[Report]:
        """The reports of the rule in a file; raises SourceError if it cannot read the file."""
