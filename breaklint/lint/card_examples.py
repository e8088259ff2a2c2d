"""The findings and fixes of the examples of a card, compared with the card. Runs no code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import NEWEST_TORCH, Effect, Example, Finding, Rule, Settings
from breaklint.source.syntax import parse
from breaklint.torchops.torch_versions import holds

MARK = re.compile(r"#\s*(?:break|unroll|recompile|sync)\s*$")
OLDEST = 6
BUILT_IN = Settings()
TORCHES = tuple(f"2.{minor}" for minor in range(int(NEWEST_TORCH.split(".")[1]), OLDEST - 1, -1))


def failures(rule: Rule, example: Example, rules: Settings = BUILT_IN) -> list[str]:
    """The differences from the card, one line each; empty if there are none.

    Args:
        rule: the rule.
        example: one of its examples.
        rules: settings that name the rules besides the built-in ones, `rule` among them if it is not built in.
    """
    target = next((torch for torch in TORCHES if holds(rule.torch, torch) and holds(example.torch, torch)), "")
    if not target:
        return [f"holds for no torch from {TORCHES[-1]} to {TORCHES[0]}"]
    settings = rules._replace(target_torch=target)
    return [
        f"{version}: {line}"
        for version, claims in CLAIMS
        if getattr(example, version)
        for line in claims(rule, example, settings)
    ]


def _bad(rule: Rule, example: Example, settings: Settings) -> Iterator[str]:
    findings, errors = _check(rule, example.bad, settings)
    yield from errors
    marks = {row for row, line in enumerate(example.bad.splitlines(), 1) if MARK.search(line)}
    mine = [finding for finding in findings if finding.code == rule.code]
    if not marks:
        yield f"no line ends in `# {rule.effect.value}`"
    for row in sorted(marks - {row for finding in mine for row in finding.span.rows}):
        yield f"line {row} is marked and not found"
    for finding in findings:
        if (finding in mine or finding.effect is Effect.BREAK) and marks.isdisjoint(finding.span.rows):
            yield f"line {finding.span.start.row} is found ({finding.code}: {finding.message}) and not marked"


def _good(rule: Rule, example: Example, settings: Settings) -> Iterator[str]:
    yield from _silent(rule, example.good, settings)


def _fix(rule: Rule, example: Example, settings: Settings) -> Iterator[str]:
    yield from _silent(rule, example.fixed, settings)
    if not rule.fix_kind or rule.fix_kind.startswith("show-"):
        return
    text = fix_source(example.bad, f"{rule.name}.py", settings, unsafe=True).text
    if text is None:
        yield f"the fix `{rule.fix_kind}` writes nothing for bad"
    elif ast.dump(parse("", text)) != ast.dump(parse("", example.fixed)):
        yield f"the fix `{rule.fix_kind}` writes something else:\n{text.rstrip()}"


def _silent(rule: Rule, text: str, settings: Settings) -> Iterator[str]:
    findings, errors = _check(rule, text, settings)
    yield from errors
    for finding in findings:
        if finding.code == rule.code:
            yield f"line {finding.span.start.row} is found ({finding.message})"


def _check(rule: Rule, text: str, settings: Settings) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    result = check_source(text, f"{rule.name}.py", settings)
    return result.findings, result.errors


CLAIMS: tuple[tuple[str, Callable[[Rule, Example, Settings], Iterator[str]]], ...] = (
    ("bad", _bad),
    ("good", _good),
    ("fixed", _fix),
)
