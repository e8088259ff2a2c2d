"""The report as JUnit XML: a test suite a target, a test case for the target and one for each fix."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from breaklint.output.junit import count, xml_text
from breaklint.verify.judge.results import TargetReport, Verdict, VerifyReport
from breaklint.verify.judge.verdict import FAILING
from breaklint.verify.report.wording import break_line, environment_line, speed_text


def write(report: VerifyReport) -> str:
    """A failure for a failed gate, an error for a target that did not run, skipped for an inconclusive one."""
    root = Element("testsuites", name="breaklint verify")
    for target in report.targets:
        _suite(root, target, environment_line(report))
    count(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, target: TargetReport, environment: str) -> None:
    suite = SubElement(root, "testsuite", name=xml_text(target.target), time=f"{target.seconds:.3f}")
    case = _case(suite, target.target, "target", target.verdict, target.why)
    case.set("time", f"{target.seconds:.3f}")
    before = target.arms.get("before")
    breaks = [f"break: {break_line(broken)}" for broken in (before.breaks if before else ())]
    SubElement(case, "system-out").text = xml_text(
        "\n".join(filter(None, [target.verdict.value, *breaks, speed_text(target), environment]))
    )
    for fix in target.fixes:
        name = f"fix {fix.code} {fix.name} at {fix.place}"
        _case(suite, target.target, name, fix.verdict, fix.why)


def _case(suite: Element, target: str, name: str, verdict: Verdict, why: str) -> Element:
    case = SubElement(suite, "testcase", classname=xml_text(target), name=xml_text(name))
    if verdict in FAILING:
        SubElement(case, "failure", type=verdict.value, message=xml_text(why))
    elif verdict is Verdict.ERROR:
        SubElement(case, "error", type=verdict.value, message=xml_text(why))
    elif verdict is Verdict.INCONCLUSIVE:
        SubElement(case, "skipped", message=xml_text(why))
    return case
