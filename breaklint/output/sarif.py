"""SARIF 2.1.0, which GitHub code scanning and many editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from breaklint import __version__
from breaklint.lint.fingerprints import fingerprints, uri
from breaklint.model import Edit, Finding, Rule, Severity, Span
from breaklint.output.json import observation
from breaklint.output.wording import message_of
from breaklint.rules.cards import load_rules

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def render(result: RunResult, color: bool = False) -> str:
    """One run with the rules of its findings, the findings with their fixes, and errors."""
    cards = {rule.code: rule for rule in load_rules(())}
    first = {finding.code: finding for finding in reversed(result.findings)}
    codes = sorted(first)
    places = {code: index for index, code in enumerate(codes)}
    names = fingerprints(result.findings)
    run = {
        "tool": {
            "driver": {
                "name": "breaklint",
                "version": __version__,
                "rules": [_rule(first[code], cards.get(code)) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, places[finding.code], name) for finding, name in zip(result.findings, names, strict=True)
        ],
        "invocations": [
            {
                "executionSuccessful": not result.errors,
                "toolExecutionNotifications": [
                    {"level": level, "message": {"text": line}}
                    for level, lines in (("error", result.errors), ("note", result.notices))
                    for line in lines
                ],
            }
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(finding: Finding, card: Rule | None) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": finding.code,
        "name": finding.name,
        "shortDescription": {"text": card.summary if card else finding.name},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": ["torch.compile", finding.effect.value]},
    }
    if card:
        described["fullDescription"] = {"text": card.why.strip() or card.summary}
    if finding.help:
        described["help"] = {"text": finding.help.strip()}
    if finding.url:
        described["helpUri"] = finding.url
    return described


def _result(finding: Finding, rule: int, name: str) -> dict[str, Any]:
    place: dict[str, Any] = {"physicalLocation": _location(finding.filename)}
    cell = f"cell {finding.cell}, row {finding.span.start.row}: " if finding.cell else ""
    if not cell:  # rows of a cell are none of the file's
        place["physicalLocation"] |= {"region": _region(finding.span)}
    if finding.function:
        place["logicalLocations"] = [{"fullyQualifiedName": finding.function, "kind": "function"}]
    results: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": cell + ". ".join(text for text in (message_of(finding), finding.note) if text)},
        "locations": [place],
        "partialFingerprints": {"breaklint/v1": name},
        "properties": {
            "effect": finding.effect.value,
            "dynamo": list(finding.dynamo),
            "when": finding.when,
            **({"torch": list(finding.torch), "holds": finding.holds} if finding.torch else {}),
            "no_fix": finding.no_fix,
            "observed": observation(finding),
        },
    }
    if finding.fix and finding.fix.edits and not cell:
        results["fixes"] = [
            {
                "description": {"text": " ".join(filter(None, (finding.fix.message, f"({finding.fix.why})")))},
                "artifactChanges": [
                    _location(finding.filename) | {"replacements": [_replacement(edit) for edit in finding.fix.edits]}
                ],
                "properties": {"applicability": finding.fix.applicability.value},
            }
        ]
    return results


def _location(filename: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri(filename)}}


def _replacement(edit: Edit) -> dict[str, Any]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}}


def _region(span: Span) -> dict[str, int]:
    (row, column), (end_row, end_column) = span
    return {"startLine": row, "startColumn": column, "endLine": end_row, "endColumn": end_column}
