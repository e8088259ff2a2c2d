"""Runs the rules in Python after breaklint's own rules, and converts their reports to findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from breaklint.errors import SourceError
from breaklint.interp.interpreter import Interpreter
from breaklint.lint.findings import excerpt
from breaklint.model import Finding, Fix, Rule, Settings
from breaklint.project.module import Module
from breaklint.project.spans import text_at
from breaklint.rules.python_rules import Analysis, PythonRule, Report
from breaklint.rules.selection import TURNED_OFF, applicability, may_be_fixed, severity

Rules = Sequence[tuple[Rule, type[PythonRule]]]


def python_findings(
    rules: Rules, checked: Module, interp: Interpreter, findings: Sequence[Finding], settings: Settings,
    errors: list[str],
) -> Iterator[tuple[Module, Finding]]:  # fmt: skip
    """The findings of the rules in the checked file and the files whose functions it reaches, with their files.

    `errors` gets a line for each rule that fails at a file.
    """
    for module in dict.fromkeys((checked, *interp.called_modules())):
        analysis = Analysis(module, interp, tuple(findings))
        for rule, cls in rules:
            try:
                for report in cls.reports(analysis):
                    yield module, _finding(rule, report, module, settings)
            except SourceError as error:
                errors.append(str(error))
                break
            except Exception as error:  # noqa: BLE001 - a bug in a rule, reported with file and rule; the others go on
                errors.append(f"{module.path}: bug in rule {rule.code} ({_place(cls, error)}): {_describe(error)}")


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _place(cls: type[PythonRule], error: Exception) -> str:
    """The class of a rule, and the line of its file at which it failed."""
    trace, last = error.__traceback__, ""
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == cls.__module__:
            last = f", {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return cls.__name__ + last


def _finding(rule: Rule, report: Report, module: Module, settings: Settings) -> Finding:
    text = report.message or rule.message or rule.summary
    if "{source}" in text:
        text = text.replace("{source}", excerpt(" ".join(text_at(module, report.span).split())))
    fix, no_fix = _fix(rule, report, settings)
    return Finding(
        filename=module.path, span=report.span, code=rule.code, name=rule.name, message=text, effect=rule.effect,
        severity=severity(rule, settings, rule.severity), function=report.function, dynamo=rule.dynamo, url=rule.url,
        help=rule.help, fix=fix, no_fix=no_fix,
    )  # fmt: skip


def _fix(rule: Rule, report: Report, settings: Settings) -> tuple[Fix | None, str]:
    if report.fix is None:
        return None, report.no_fix
    if not may_be_fixed(rule, settings):
        return None, TURNED_OFF
    return report.fix._replace(applicability=applicability(rule, settings, report.fix.applicability)), ""
