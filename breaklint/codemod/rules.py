"""Rules as LibCST visitors.

    class NoCollect(LintRule):
        "Dynamo does not trace the call: it ends the graph and starts a new one."

        code = "OWN001"
        name = "gc-collect"
        summary = "a garbage collection inside forward"
        dynamo = ("GB0007",)
        examples = (Example(bad=..., inputs=("f32[4, 8]",)), Example(good=...))

        def visit_Call(self, node: libcst.Call) -> None:
            if self.value(node.func).qualified_name == "gc.collect":
                self.report(node)

`breaklint new-rule --python` writes one that works, `breaklint test` proves it, docs/libcst.md explains it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider, ProviderT

from breaklint.codemod.facts import ModuleFacts, module_facts
from breaklint.codemod.providers import GraphBreakProvider, InferredValueProvider, span_of_range
from breaklint.codemod.replacing import NotReplaced, Replacement, rewritten
from breaklint.codemod.values import InferredValue, TraceInfo
from breaklint.errors import SourceError
from breaklint.model import Applicability, Example, Fix, Rule
from breaklint.project.module import Module
from breaklint.rules.card_parsing import parse_card
from breaklint.rules.python_rules import Analysis, PythonRule, Report

FIX_KIND = "replacement"
REPORTED = (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseStatement)


class LintRule(m.MatcherDecoratableVisitor, PythonRule):
    """Base of rules. A rule visits a whole file and reports nodes; each file gets a new instance.

    Code that Dynamo does not trace is not reported, unless `only_traced` is False. A rule that raises
    is reported with the file and its name, and the other rules go on.

    Attributes:
        code: letters and three digits, as `OWN001`. A class without a code is a base of rules.
        name: a slug that names the pattern, as `gc-collect`.
        summary: one line, for lists of rules.
        message: the text of a finding, by default the summary; `{source}` is the flagged code.
        effect: `break`, `recompile`, `unroll` or `sync`.
        severity: `error` or `warning`; by default `error` for a break.
        dynamo: the ids of torch's graph breaks, as `GB0007`; `breaklint test` prints the id.
        torch: a specifier of the versions for which the rule holds, as `>=2.12`.
        help: the remedy.
        fix_why: the behaviour that replacements may change, or why they change nothing.
        no_fix: why there is no replacement.
        examples: tests of the rule, each a whole file with a class `Net`. Lines of `bad` that have to be reported
            end in a comment with the effect. They may be indented.
        only_traced: whether reports count only where Dynamo traces the code.

    The docstring is the reason for the rule.
    """

    METADATA_DEPENDENCIES = (PositionProvider, GraphBreakProvider, InferredValueProvider)

    code: ClassVar[str] = ""
    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    message: ClassVar[str] = ""
    effect: ClassVar[str] = "break"
    severity: ClassVar[str] = ""
    dynamo: ClassVar[Sequence[str]] = ()
    torch: ClassVar[str] = ""
    help: ClassVar[str] = ""
    fix_why: ClassVar[str] = ""
    no_fix: ClassVar[str] = ""
    examples: ClassVar[Sequence[Example]] = ()
    only_traced: ClassVar[bool] = True

    def __init__(self, facts: ModuleFacts | None = None, module: Module | None = None) -> None:
        super().__init__()
        self._facts, self._module = facts or ModuleFacts(), module or Module("", "", ast.Module([], []), [])
        self._reports: list[Report] = []

    def value(self, node: cst.CSTNode) -> InferredValue:
        """The inferred value of an expression; `unknown` if it is not traced."""
        return self.get_metadata(InferredValueProvider, node)

    def trace(self, node: cst.CSTNode) -> TraceInfo:
        """The trace and the breaks of a node by breaklint's own rules."""
        return self.get_metadata(GraphBreakProvider, node)

    def report(
        self,
        node: cst.CSTNode,
        message: str = "",
        *,
        replacement: Replacement | None = None,
        safe: bool = False,
        why: str = "",
    ) -> None:
        """Report an expression or a statement.

        Args:
            node: the node; TypeError for one that is neither.
            message: replaces the rule's message; `{source}` is the flagged code.
            replacement: the replacement of the node: a node, a `libcst.FlattenSentinel` of statements, or
                `libcst.RemoveFromParent()`. It gets parentheses if they are necessary.
                Comments in replaced code move above it. If the result does not parse, there is no fix.
            safe: whether eager behaviour is the same for every input; if not, the fix requires `--unsafe-fixes`.
            why: the behaviour that the fix may change, or why it changes nothing; by default the rule's `fix_why`.
        """
        if not isinstance(node, REPORTED):
            raise TypeError(f"{type(node).__name__} is reported: report an expression or a statement")
        if self.only_traced and not self.trace(node).traced:
            return
        span = span_of_range(self.get_metadata(PositionProvider, node))
        fix, no_fix = None, self.no_fix
        if replacement is not None:
            try:
                edits = rewritten(self._module, node, span, replacement)
            except NotReplaced as reason:
                no_fix = str(reason)
            else:
                applicability = Applicability.SAFE if safe else Applicability.UNSAFE
                fix = Fix(applicability, f"fix {self.name}", why or self.fix_why, edits)
        function = self._facts.function_at(span.start.row)
        self._reports.append(Report(span, function, message, fix, no_fix))

    @classmethod
    def card(cls) -> Rule:
        """The rule as cards describe it; CardError when an attribute of the class is wrong."""
        examples = [_example(example) for example in cls.examples]
        attributes: dict[str, Any] = {
            **{name: getattr(cls, name) for name in ("code", "name", "summary", "effect", "severity", "torch", "help")},
            **{name: getattr(cls, name) for name in ("message", "no_fix")},
            "why": inspect.cleandoc(cls.__doc__ or "") or cls.summary,
            "dynamo": list(cls.dynamo),
            "check": cls.__name__,
            "fix": {"kind": FIX_KIND, "why": cls.fix_why} if cls.fix_why else {},
            "examples": examples,
        }
        table = {key: value for key, value in attributes.items() if value or key == "examples"}
        where = f"{inspect.getsourcefile(cls) or cls.__module__}: {cls.__name__}"
        return parse_card(table, where)._replace(check="")

    @classmethod
    def reports(cls, analysis: Analysis) -> Iterator[Report]:
        """The reports of the rule in a file; raises SourceError if LibCST cannot parse it."""
        if "wrapper" not in analysis.shared:
            analysis.shared["facts"] = module_facts(analysis)
            analysis.shared["wrapper"] = _wrapper(analysis, analysis.shared["facts"])
        wrapper: MetadataWrapper = analysis.shared["wrapper"]
        rule = cls(analysis.shared["facts"], analysis.module)
        wrapper.visit(rule)
        yield from rule._reports


def _wrapper(analysis: Analysis, facts: ModuleFacts) -> MetadataWrapper:
    try:
        module = cst.parse_module(analysis.module.text)
    except cst.ParserSyntaxError as error:
        reason = f"rules in Python were not run: LibCST cannot parse it: {error.message}"
        raise SourceError(analysis.module.path, reason, error.raw_line) from None
    cache: dict[ProviderT, object] = {GraphBreakProvider: facts, InferredValueProvider: facts}
    return MetadataWrapper(module, unsafe_skip_copy=True, cache=cache)


def _example(example: Example) -> dict[str, Any]:
    """An example as cards have it; its texts may be indented as the class is."""
    texts = {key: value for key, value in example._asdict().items() if value and key != "inputs"}
    for version in ("bad", "fixed", "good"):
        if version in texts:
            texts[version] = textwrap.dedent(texts[version]).lstrip("\n")
    return {**texts, "inputs": list(example.inputs)}
