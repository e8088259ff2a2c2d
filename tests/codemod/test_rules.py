"""A rule in Python is one as any other: found, silenced, selected, fixed, told when it is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from harness import RunBreaklint, WriteFiles
from rules_of_users import HEAD, NO_COLLECT, check, codes, fixed, rule, settings

from breaklint.errors import CardError
from breaklint.lint.engine import Engine
from breaklint.rules.python_loading import load_python_rules

if TYPE_CHECKING:
    from editing import Editor

NET = """\
import gc
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        gc.collect()

    def forward(self, x):
        gc.collect()
        return x * 2
"""
COLLECT = rule(NO_COLLECT)
DELETE = rule("""
    if m.matches(node.func, m.Attribute(value=m.Name("gc"), attr=m.Name("collect"))):
        self.report(node, replacement=cst.parse_expression("None"))
""")


def test_a_rule_finds_what_is_traced_and_takes_the_place_of_the_rule_that_knows_no_reason(tmp_path: Path) -> None:
    assert codes(check(tmp_path, rule("pass"), NET)) == {"BRK618": [11]}
    result = check(tmp_path, COLLECT, NET)
    assert codes(result) == {"OWN001": [11]}
    (match,) = result.findings
    assert (match.message, match.function, match.name) == ("`gc.collect()` is a pattern", "Net.forward", "own-rule")
    assert (match.effect.value, match.severity.value) == ("break", "error")


def test_a_rule_may_speak_of_what_is_not_traced(tmp_path: Path) -> None:
    text = rule("if m.matches(node, m.Call(func=m.Attribute(attr=m.Name('collect')))): self.report(node)")
    assert codes(check(tmp_path, text, NET)) == {"OWN001": [11]}
    everywhere = text.replace("    summary", "    only_traced = False\n    summary")
    assert codes(check(tmp_path, everywhere, NET)) == {"OWN001": [8, 11]}


def test_matchers_in_decorators_work(tmp_path: Path) -> None:
    text = COLLECT.replace(
        "    def visit_Call", "    @m.visit(m.Call(func=m.Attribute(attr=m.Name('collect'))))\n    def seen"
    )
    assert codes(check(tmp_path, text, NET)) == {"OWN001": [11]}


def test_statements_can_be_reported(tmp_path: Path) -> None:
    text = COLLECT.replace("def visit_Call", "def visit_Return").replace(NO_COLLECT.split("\n")[0], "if True")
    text = text.replace("if True\n", "if True:\n").replace(NO_COLLECT.replace("\n", "\n        "), "self.report(node)")
    assert codes(check(tmp_path, text, NET))["OWN001"] == [12]


def test_a_rule_sees_what_the_rules_of_breaklint_found(tmp_path: Path) -> None:
    text = rule("if self.trace(node).breaks: self.report(node, self.trace(node).findings[0].code)")
    messages = [finding.message for finding in check(tmp_path, text, NET).findings]
    assert messages == ["BRK618"]


def test_findings_in_followed_files_are_told(write_files: WriteFiles, tmp_path: Path, breaklint: RunBreaklint) -> None:
    write_files(
        {
            "rules/own.py": COLLECT,
            "src/net.py": NET.replace("gc.collect()\n        return", "helper(x)\n        return").replace(
                "import gc\n", "from helper import helper\nimport gc\n"
            ),
            "src/helper.py": "import gc\n\n\ndef helper(x):\n    gc.collect()\n",
        }
    )
    done = breaklint("check", "--rules", "rules", "--select", "OWN", "--output-format", "concise", "src")
    assert "src/helper.py:5:5: OWN001" in done.stdout.replace("\\", "/")
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("source", "given", "expected"),
    [
        (
            NET.replace("gc.collect()\n        return", "gc.collect()  # breaklint: ignore[OWN001]\n        return"),
            {},
            {},
        ),
        (NET.replace("gc.collect()\n        return", "gc.collect()  # noqa: OWN001\n        return"), {}, {}),
        ("# breaklint: file-ignore[OWN001]\n" + NET, {}, {}),
        (NET, {"ignore": ("own-rule", "BRK618")}, {}),
        (NET, {"select": ("OWN",)}, {"OWN001": [11]}),
        (NET, {"per_file_ignores": (("model.py", ("OWN",)),), "ignore": ("BRK618",)}, {}),
        (NET.replace("2", "2  # breaklint: ignore[OWN001]"), {}, {"OWN001": [11], "BRK901": [12]}),
    ],
    ids=["comment", "noqa", "file", "ignored", "selected", "in some files", "unused"],
)
def test_a_rule_is_silenced_as_others_are(
    tmp_path: Path, source: str, given: dict[str, Any], expected: dict[str, list[int]]
) -> None:
    result = codes(check(tmp_path, COLLECT, source, **given))
    assert {code: rows for code, rows in result.items() if code != "BRK618"} == expected


def test_a_fix_is_unsafe_unless_the_rule_says_otherwise(tmp_path: Path) -> None:
    assert fixed(tmp_path, DELETE, NET, unsafe=False) == NET
    assert fixed(tmp_path, DELETE, NET) == NET.replace("gc.collect()\n        return", "None\n        return")
    safe = DELETE.replace('("None"))', '("None"), safe=True, why="it is known")')
    assert fixed(tmp_path, safe, NET, unsafe=False) != NET
    (result,) = check(tmp_path, safe, NET, extend_unsafe_fixes=("OWN001",), select=("OWN",)).findings
    assert result.fix is not None
    assert (result.fix.applicability.value, result.fix.why) == ("unsafe", "it is known")


def test_every_output_and_the_fix_of_the_command_line_know_the_rule(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    folder = write_files({"rules/own.py": DELETE, "net.py": NET})
    query = ("check", "--rules", "rules", "--select", "OWN001", "net.py")
    (result,) = json.loads(breaklint(*query, "--output-format", "json").stdout)
    assert (result["code"], result["location"]["row"], result["fix"]["applicability"]) == ("OWN001", 11, "unsafe")
    run = json.loads(breaklint(*query, "--output-format", "sarif").stdout)["runs"][0]
    assert [item["ruleId"] for item in run["results"]] == ["OWN001"]
    assert breaklint(*query, "--fix", "--unsafe-fixes").returncode == 0
    assert "        None\n" in (folder / "net.py").read_text()


def test_the_editor_shows_the_rule_its_page_and_its_fix(edit: Any) -> None:
    types = pytest.importorskip("lsprotocol.types")

    async def session(editor: Editor) -> None:
        result = await editor.open("net.py", NET)
        assert [item.code for item in result] == ["OWN001"]
        action, *_ = await editor.actions("net.py", 10, "quickfix")
        assert "        None\n" in editor.applied("net.py", NET, action)
        document = types.TextDocumentIdentifier(editor.uri("net.py"))
        query = types.HoverParams(document, types.Position(10, 10))
        hover = await editor.client.text_document_hover_async(query)
        assert "Why it matters." in hover.contents.value

    edit(session, {"rules/own.py": DELETE}, "--rules", "rules")


FAILING = rule("raise ValueError('no luck')", "OWN002", "failing-rule")


def test_a_rule_that_raises_is_told_with_its_place_and_the_others_go_on(tmp_path: Path) -> None:
    both = COLLECT + FAILING.removeprefix(HEAD)
    result = check(tmp_path, both, NET)
    assert codes(result) == {"OWN001": [11]}
    (line,) = result.errors
    row = both.splitlines().index("        raise ValueError('no luck')") + 1
    assert line == (
        f"model.py: bug in rule OWN002 (FailingRule, {tmp_path / 'own_rules.py'}:{row}): ValueError: no luck"
    )


def test_reporting_what_is_no_code_is_a_bug_of_the_rule(tmp_path: Path) -> None:
    (line,) = check(tmp_path, rule("for part in node.args: self.report(part)"), NET.replace("x * 2", "abs(x)")).errors
    assert "TypeError: Arg is reported: report an expression or a statement" in line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nothing_like_it\n", "own_rules.py:1: rules cannot be loaded: ModuleNotFoundError"),
        ("x = 1\nraise SystemExit(3)\n", "own_rules.py:2: rules cannot be loaded: SystemExit: 3"),
        ("def\n", "own_rules.py:1: rules cannot be loaded: SyntaxError"),
        (COLLECT.replace("OWN001", "own-1"), "OwnRule: key `code` is 'own-1'; it must be letters and three digits"),
        (COLLECT.replace('    summary = "a pattern"\n', ""), "OwnRule: key `summary` is missing"),
        (COLLECT.replace("OWN001", "BRK201"), "own_rules.py: OwnRule: BRK201 is taken by BRK201 tensor-item"),
        (COLLECT + rule("pass", "OWN001", "other"), "Other: OWN001 is taken by OWN001 own-rule in "),
    ],
)
def test_a_file_that_cannot_be_loaded_is_an_error_of_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(CardError) as output:
        Engine(settings(tmp_path, text))
    assert says in str(output.value)
    assert "\n" not in str(output.value)


def test_a_file_is_loaded_again_when_it_has_changed(tmp_path: Path) -> None:
    assert codes(check(tmp_path, COLLECT, NET)) == {"OWN001": [11]}
    assert codes(check(tmp_path, COLLECT.replace("OWN001", "OWN777"), NET)) == {"OWN777": [11]}


def test_bases_without_a_code_and_what_is_imported_are_no_rules(tmp_path: Path) -> None:
    text = (
        HEAD
        + "\n\nclass Base(LintRule):\n    effect = 'sync'\n"
        + COLLECT.removeprefix(HEAD).replace("LintRule", "Base")
    )
    (cls,) = load_python_rules(settings(tmp_path, text).python_rules)
    assert (cls.__name__, cls.card().effect.value) == ("OwnRule", "sync")


def test_new_rule_writes_one_that_is_as_it_says(tmp_path: Path, breaklint: RunBreaklint) -> None:
    done = breaklint("new-rule", "--python", "slow-lookup")
    assert done.stdout.startswith("Wrote my_rules/slow_lookup.py (OWN001).")
    done = breaklint("test", "--static", "my_rules")  # tests/rules/test_user_rules.py proves it with torch
    assert done.returncode == 0, done.stdout
    assert breaklint("new-rule", "next-rule").stdout.startswith("Wrote my_rules/next-rule.yaml (OWN002)")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("x.shape[0])  # break", "x.shape[0])", "example 1: bad: no line ends in `# break`"),
        (
            "sum(edge <= {number}",
            "sum(edge < {number}",
            "example 1: fixed: the fix `replacement` writes something else",
        ),
        ('"bisect.bisect", ', '"none", ', "example 1: bad: line 8 is marked and not found"),
    ],
)
def test_what_an_example_says_and_check_does_not_is_told(
    tmp_path: Path, breaklint: RunBreaklint, old: str, new: str, says: str
) -> None:
    breaklint("new-rule", "--python", "slow-lookup")
    path = tmp_path / "my_rules" / "slow_lookup.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    done = breaklint("test", "--static", path)
    assert done.returncode == 1, done.stderr
    assert says in done.stdout
