"""JUnit XML: a test suite a file, a failed test a finding."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from breaklint.lint.places import place
from breaklint.output.wording import message_of, printable

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

_UNPRINTABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(result: RunResult, color: bool = False) -> str:
    """The findings as failures and the files that could not be checked as errors; a clean run is one passed test."""
    root = Element("testsuites", name="breaklint")
    for filename, findings in groupby(result.findings, key=place):
        suite = SubElement(root, "testsuite", name=xml_text(printable(filename)))
        for finding in findings:
            row, column = finding.span.start
            name = f"{finding.code} {finding.name} at {row}:{column}"
            case = SubElement(suite, "testcase", name=name, classname=xml_text(printable(filename)), line=str(row))
            failure = SubElement(
                case, "failure", type=finding.effect.value, message=xml_text(printable(message_of(finding)))
            )
            failure.text = xml_text(printable(f"{filename}:{row}:{column}: {finding.code} {message_of(finding)}"))
    if result.errors or not result.findings:
        suite = SubElement(root, "testsuite", name="breaklint")
        for error in result.errors:
            case = SubElement(suite, "testcase", name="check", classname="breaklint")
            SubElement(case, "error", message=xml_text(printable(error)))
        if not result.errors:
            SubElement(suite, "testcase", name="No findings", classname="breaklint")
    count(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def count(root: Element) -> None:
    """Set the numbers of tests, failures, errors and skipped tests on every suite and on the whole, and indent it."""
    for suite in (*root, root):
        for tag, attribute in (("", "tests"), ("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            cases = list(suite.iter("testcase"))
            suite.set(attribute, str(sum(1 for case in cases if not tag or case.find(tag) is not None)))
    indent(root)


def xml_text(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
