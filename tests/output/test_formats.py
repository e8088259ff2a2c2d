"""The formats that other tools read: each is what its reader expects, whatever the source says."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from harness import RunBreaklint, WriteFiles
from markdown_it import MarkdownIt
from schemas import stored_schema

from breaklint.lint.results import RunResult
from breaklint.model import Applicability, Edit, Effect, Finding, Fix, Position, Severity, Span
from breaklint.output import FORMATS, render

TEXT = 'import torch\n\n\ndef f(x):\n    é = "é"; s = x.item()\n    return s\n'
ITEM = Finding(
    filename="src/net one.py",
    span=Span(Position(5, 18), Position(5, 26)),
    code="BRK201",
    name="tensor-item",
    message="`x.item()` takes a number out of the graph",
    effect=Effect.BREAK,
    severity=Severity.ERROR,
    function="f",
    dynamo=("GB0124",),
    url="https://example.org/gb0124",
    note="in a loop",
    help="keep the tensor",
    fix=Fix(Applicability.SAFE, "keep it", "it is the same", (Edit(Span(Position(5, 19), Position(5, 26)), ""),)),
)
SIZE = ITEM._replace(code="BRK502", name="size", effect=Effect.RECOMPILE, severity=Severity.WARNING, fix=None, note="")
HOSTILE = ITEM._replace(
    filename="a|b<script>.py", message="]]> <img src=x onerror=alert(1)> | [x](javascript:1) @all\x1b[31m",
    function="</failure>", fix=None,
)  # fmt: skip


def run_of(*findings: Finding, **fields: Any) -> RunResult:
    return RunResult(files=1, findings=findings, texts=((ITEM.filename, TEXT), ("a|b<script>.py", "x")), **fields)


def sarif_schema() -> Any:
    return stored_schema(b"sarif-schema-2.1.0.json", b"(SARIF) Version 2.1.0 JSON")


@pytest.mark.parametrize("result", [run_of(ITEM, SIZE), run_of(HOSTILE), run_of(errors=("bad.py: is not Python",))])
def test_sarif_fits_its_schema(result: RunResult) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(render("sarif", result)), sarif_schema())


def test_sarif_tells_place_rule_fix_and_errors() -> None:
    (run,) = json.loads(render("sarif", run_of(ITEM, SIZE, errors=("bad.py: is not Python",))))["runs"]
    item, size = run["results"]
    place = item["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/net%20one.py"
    assert place["region"] == {"startLine": 5, "startColumn": 18, "endLine": 5, "endColumn": 26}
    assert run["tool"]["driver"]["rules"][size["ruleIndex"]]["id"] == "BRK502"
    (change,) = item["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["deletedRegion"]["startColumn"] == 19
    assert item["fixes"][0]["properties"] == {"applicability": "safe"}
    assert "fixes" not in size
    assert run["invocations"][0]["executionSuccessful"] is False


@pytest.mark.parametrize("name", ["sarif", "gitlab"])
def test_fingerprints_stay_when_lines_move_and_differ_from_each_other(name: str) -> None:
    moved = ITEM._replace(span=Span(Position(50, 5), Position(50, 13)))
    twins = (ITEM, ITEM._replace(span=Span(Position(6, 1), Position(6, 9))), SIZE)
    before, after = fingerprints(name, run_of(*twins)), fingerprints(name, run_of(moved, *twins[1:]))
    assert len(set(before)) == 3
    assert before == after


def fingerprints(name: str, result: RunResult) -> list[str]:
    data = json.loads(render(name, result))
    if name == "gitlab":
        return [issue["fingerprint"] for issue in data]
    return [match["partialFingerprints"]["breaklint/v1"] for match in data["runs"][0]["results"]]


def test_gitlab_has_the_keys_of_a_code_quality_report() -> None:
    (issue,) = json.loads(render("gitlab", run_of(ITEM)))
    assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert issue["severity"] == "major"
    assert issue["location"]["positions"]["begin"] == {"line": 5, "column": 18}


def test_junit_counts_failures_and_errors() -> None:
    root = ElementTree.fromstring(render("junit", run_of(ITEM, HOSTILE, errors=("bad.py: is not Python",))))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "2", "1")
    assert [failure.get("type") for failure in root.iter("failure")] == ["break", "break"]


def test_junit_of_a_clean_run_has_one_passed_test() -> None:
    root = ElementTree.fromstring(render("junit", run_of()))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_markdown_shows_code_of_messages_as_code() -> None:
    output = HOSTILE._replace(message="`(a | b)[<b>, '@all'].item()` and ``x`` and `<i>\x1b[31m` an end `*x*")
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(render("markdown", run_of(output)))
    codes = ("(a | b)[&lt;b&gt;, '@all'].item()", "&lt;i&gt;�[31m")
    assert all(f"<code>{code}</code>" in html for code in codes), html
    assert " and ``x`` and " in html
    assert "an end `*x*</td>" in html
    assert html.count("</td>") == 4


def test_json_lines_are_the_objects_of_json() -> None:
    result = run_of(ITEM, SIZE)
    lines = [json.loads(line) for line in render("json-lines", result).splitlines()]
    assert lines == json.loads(render("json", result))


def test_several_formats_at_once(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    folder = write_files({"net.py": "import torch\n@torch.compile\ndef f(x):\n    print(x)\n    return x\n"})
    files = [f"--output-format={name}:out-{name}" for name in FORMATS if name != "concise"]
    done = breaklint("check", "net.py", "--output-format=concise", *files, cwd=folder)
    assert done.stdout.startswith("net.py:4:5: BRK101")
    assert all((folder / f"out-{name}").stat().st_size for name in FORMATS if name != "concise")
