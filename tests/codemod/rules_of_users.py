"""Rules as users write them, for the tests beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent, indent

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import FileResult, Settings

HEAD = """\
import libcst as cst
import libcst.matchers as m

from breaklint.codemod import Example, LintRule
"""
RULE = '''

class {cls}(LintRule):
    """Why it matters."""

    code = "{code}"
    name = "{name}"
    summary = "a pattern"
    message = "`{{source}}` is a pattern"
    fix_why = "something may differ"

'''
NO_COLLECT = "if self.value(node.func).qualified_name == 'gc.collect':\n    self.report(node)"


def rule(visit_call: str, code: str = "OWN001", name: str = "own-rule", extra: str = "") -> str:
    """A file with one rule, given as the body of `visit_Call(self, node)`."""
    head = RULE.format(cls="".join(word.capitalize() for word in name.split("-")), code=code, name=name)
    body = indent(dedent(visit_call).strip("\n"), " " * 8)
    return f"{HEAD}{head}{indent(dedent(extra), ' ' * 4)}\n    def visit_Call(self, node):\n{body}\n"


def settings(folder: Path, text: str, **given: object) -> Settings:
    """Settings under which the rules of a file are run."""
    path = folder / "own_rules.py"
    path.write_text(text)
    return Settings(python_rules=(str(path),), **given)  # type: ignore[arg-type]


def check(folder: Path, text: str, source: str, **given: object) -> FileResult:
    return check_source(source, "model.py", settings(folder, text, **given))


def fixed(folder: Path, text: str, source: str, unsafe: bool = True) -> str:
    result = fix_source(source, "model.py", settings(folder, text, select=("OWN",)), unsafe)
    assert result.errors == ()
    return source if result.text is None else result.text


def codes(result: FileResult) -> Mapping[str, list[int]]:
    """The rows of the findings by code."""
    match: dict[str, list[int]] = {}
    for finding in result.findings:
        match.setdefault(finding.code, []).append(finding.span.start.row)
    return match
