"""The engine: edits into text, what findings carry, what is silenced or left out, and rules that fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import WriteFiles, findings

from breaklint.errors import UsageError
from breaklint.interp.events import Truth
from breaklint.lint import engine
from breaklint.lint.engine import Engine, check_source
from breaklint.model import Edit, Effect, Finding, Position, Settings, Severity, Span
from breaklint.rules.base import Hit
from breaklint.rules.checks.control_flow import BranchOnTensor
from breaklint.source.edits import apply_edits

PRINT, ITEM, UNUSED = "BRK101", "BRK201", "BRK901"
NET = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
CALLER = NET.replace("class", "from ops import show\nclass") + "        return show(x)\n"
SHOW = "def show(x):\n    print(x)\n    return x\n"
BOTH = NET + "        print(x)\n        return x * x.sum().item()\n"


def edit(start: tuple[int, int], end: tuple[int, int], content: str) -> Edit:
    return Edit(Span(Position(*start), Position(*end)), content)


def only(text: str, **settings: object) -> Finding:
    (result,) = check_source(text, "model.py", Settings(**settings)).findings  # type: ignore[arg-type]
    return result


def codes(text: str, **settings: object) -> list[str]:
    return [code for _, code in findings(text, **settings)]


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        pytest.param("abc\n", [], "abc\n", id="none"),
        pytest.param("abc\n", [edit((1, 2), (1, 3), "X")], "aXc\n", id="replace"),
        pytest.param("abc\n", [edit((1, 2), (1, 2), "X")], "aXbc\n", id="insert"),
        pytest.param("abc\n", [edit((1, 1), (1, 4), "")], "\n", id="delete"),
        pytest.param("a\nb\nc\n", [edit((1, 2), (3, 1), "-")], "a-c\n", id="across lines"),
        pytest.param("a\nb", [edit((2, 2), (2, 2), "!")], "a\nb!", id="at the end without a newline"),
        pytest.param("abcd", [edit((1, 3), (1, 4), "Y"), edit((1, 1), (1, 2), "X")], "XbYd", id="in any order"),
        pytest.param("abcd", [edit((1, 1), (1, 3), "X"), edit((1, 3), (1, 5), "Y")], "XY", id="that touch"),
        pytest.param("ä = 'ö€𝄞'; x\n", [edit((1, 12), (1, 13), "y")], "ä = 'ö€𝄞'; y\n", id="after wide characters"),
    ],
)
def test_edits_are_made(text: str, edits: list[Edit], expected: str) -> None:
    assert apply_edits(text, edits) == expected


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([edit((1, 1), (1, 3), ""), edit((1, 2), (1, 4), "")], id="partly"),
        pytest.param([edit((1, 1), (1, 4), ""), edit((1, 2), (1, 3), "")], id="one inside the other"),
        pytest.param([edit((1, 1), (1, 3), "a"), edit((1, 1), (1, 3), "b")], id="the same place"),
    ],
)
def test_edits_that_overlap_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edits overlap"):
        apply_edits("abcd", edits)


def test_a_finding_carries_place_function_and_rule() -> None:
    result = only(NET + "        return x * x.sum().item()\n")
    assert (result.filename, result.function) == ("model.py", "Net.forward")
    assert result.span == Span(Position(4, 20), Position(4, 34))
    assert (result.code, result.name, result.effect, result.severity) == (
        ITEM,
        "tensor-item",
        Effect.BREAK,
        Severity.ERROR,
    )
    assert result.dynamo
    assert result.url


@pytest.mark.parametrize(
    "before",
    ["'ascii'", "'ä'", "'日本語'", "'𝄞'", "'e\u0301'"],
    ids=["ascii", "two bytes", "three bytes", "four bytes", "combining"],
)
def test_columns_count_characters(before: str) -> None:
    line = f"        y = {before}, x.sum().item()"
    result = only(f"{NET}{line}\n        return y\n")
    assert result.span.start == Position(4, line.index("x.sum") + 1)
    assert result.span.end == Position(4, len(line) + 1)


def test_a_form_feed_and_a_line_separator_in_a_string_make_no_row() -> None:
    source = NET + "        note = 'a\u2028b\x0cc'\n        print(x, note)\n        return x\n"
    assert findings(source) == [(5, PRINT)]


@pytest.mark.parametrize(
    "comment",
    [
        pytest.param("  # breaklint: ignore[BRK101] wanted", id="code"),
        pytest.param("  # breaklint: ignore[BRK1]", id="prefix"),
        pytest.param("  # breaklint: ignore", id="everything"),
        pytest.param("  # noqa: BRK101", id="noqa"),
    ],
)
def test_a_comment_silences_its_line(comment: str) -> None:
    assert codes(f"{NET}        print(x){comment}\n        return x\n") == []


def test_a_comment_silences_the_file() -> None:
    assert codes("# breaklint: file-ignore[BRK101]\n" + BOTH) == [ITEM]


def test_a_comment_inside_a_statement_of_several_lines_silences_it() -> None:
    call = "        print(\n            x,  # breaklint: ignore[BRK101]\n        )\n"
    assert codes(NET + call + "        return x\n") == []


def test_a_comment_that_silences_nothing_is_found() -> None:
    source = NET + "        return x  # breaklint: ignore[BRK101]\n"
    assert only(source).code == UNUSED
    assert only(source).span == Span(Position(4, 19), Position(4, 46))


def test_a_code_that_silences_nothing_is_found_beside_one_that_does() -> None:
    source = NET + "        print(x)  # breaklint: ignore[BRK101, BRK201]\n        return x\n"
    column = source.splitlines()[3].index("BRK201") + 1
    assert only(source).span == Span(Position(4, column), Position(4, column + 6))


def test_a_comment_about_a_rule_that_does_not_run_is_not_judged() -> None:
    assert codes(NET + "        print(x)  # breaklint: ignore[BRK101]\n        return x\n", ignore=(PRINT,)) == []


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, [PRINT, ITEM], id="all"),
        pytest.param({"select": (ITEM,)}, [ITEM], id="a code"),
        pytest.param({"select": ("tensor-item",)}, [ITEM], id="a name"),
        pytest.param({"select": ("BRK1",)}, [PRINT], id="a prefix"),
        pytest.param({"select": ("ALL",), "ignore": ("BRK2",)}, [PRINT], id="all but a prefix"),
        pytest.param({"ignore": ("print-call",)}, [ITEM], id="ignore a name"),
        pytest.param({"select": ("BRK1",), "extend_select": (ITEM,)}, [PRINT, ITEM], id="one more"),
        pytest.param({"select": (ITEM,), "ignore": ("BRK2",)}, [ITEM], id="the longer selector wins"),
        pytest.param({"per_file_ignores": (("model.py", ("BRK1",)),)}, [ITEM], id="ignored in this file"),
        pytest.param({"per_file_ignores": (("other.py", ("BRK1",)),)}, [PRINT, ITEM], id="ignored in another file"),
    ],
)
def test_rules_are_selected(settings: dict[str, object], expected: list[str]) -> None:
    assert codes(BOTH, **settings) == expected


def test_a_selector_that_names_no_rule_is_refused() -> None:
    with pytest.raises(UsageError, match="no rule is called 'BRK999'"):
        check_source(BOTH, "model.py", Settings(select=("BRK999",)))


def test_a_rule_of_another_torch_is_silent() -> None:
    source = NET + "        return x * len(locals())\n"
    assert "BRK627" not in codes(source)
    assert "BRK627" in codes(source, target_torch="2.11")


def test_a_rule_that_raises_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: BranchOnTensor, truth: Truth) -> Iterator[Hit]:
        raise KeyError("lost")

    monkeypatch.setattr(BranchOnTensor, "visit_truth", fails)
    monkeypatch.setattr(engine, "_known_rule_set", engine._rule_set)  # which holds what classes were before
    source = NET + "        if x.sum() > 0:\n            print(x)\n        return x\n"
    result = check_source(source, "model.py", Settings())
    assert [finding.code for finding in result.findings] == [PRINT]
    (error,) = result.errors
    assert error == "model.py:4: bug in rule BRK301 (BranchOnTensor): KeyError: 'lost'; please report it"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("def f(:\n    pass\n", "model.py:1:", id="syntax"),
        pytest.param("x = 1\nif x:\ny = 2\n", "model.py:3", id="indentation"),
        pytest.param("x = (1,\n", "model.py:1", id="bracket"),
        pytest.param("x = 'a\n", "model.py:1", id="string"),
        pytest.param("x = 1\n\x00\n", "model.py", id="null byte"),
        pytest.param("print 'x'\n", "model.py:1", id="Python 2"),
    ],
)
def test_what_does_not_parse_is_one_error_line(text: str, place: str) -> None:
    result = check_source(text, "model.py", Settings())
    (error,) = result.errors
    assert error.startswith(place)
    assert "\n" not in error
    assert result.findings == ()


def test_a_finding_in_an_imported_file_carries_its_name(write_files: WriteFiles) -> None:
    folder = write_files({"net.py": CALLER, "ops.py": SHOW})
    (result,) = check_source(CALLER, str(folder / "net.py"), Settings()).findings
    assert Path(result.filename).resolve() == (folder / "ops.py").resolve()
    assert (result.span.start, result.function) == (Position(2, 5), "show")


def test_per_file_ignores_of_an_imported_file_hold(write_files: WriteFiles) -> None:
    folder = write_files({"net.py": CALLER, "ops.py": SHOW})
    assert findings(CALLER, str(folder / "net.py"), per_file_ignores=(("*/ops.py", (PRINT,)),)) == []


def test_findings_are_in_the_order_of_the_file() -> None:
    source = (
        "import torch\n"
        "class Late(torch.nn.Module):\n    def forward(self, x):\n        return early(x) * x.max().item()\n"
        "def early(x):\n    print(x)\n    return x\n"
        "class Net(Late):\n    def forward(self, x):\n        print(x); print(x)\n        return early(x)\n"
    )
    first = check_source(source, "model.py", Settings()).findings
    assert [result.span for result in first] == sorted(result.span for result in first)
    assert [result.span.start.row for result in first] == [4, 6, 10, 10]
    assert check_source(source, "model.py", Settings()).findings == first


def test_long_expressions_and_long_chains_of_calls_do_no_harm() -> None:
    calls = "\n".join(f"def f{i}(x):\n    return f{i + 1}(x) + 1\n" for i in range(300))
    text = (
        f"import torch\n\n{calls}\ndef f300(x):\n    return x\n\nclass Net(torch.nn.Module):\n"
        f"    def forward(self, x):\n        x = {'+'.join(['x'] * 700)}\n        print(f0(x))\n        return x\n"
    )
    result = check_source(text, "model.py", Settings())
    assert (result.errors, [finding.code for finding in result.findings]) == ((), ["BRK101"])


def test_findings_of_files_that_were_not_given_are_left_out_before_their_fixes(write_files: WriteFiles) -> None:
    folder = write_files({"ops.py": SHOW, "net.py": CALLER})
    net, ops = str(folder / "net.py"), str(folder / "ops.py")
    result = {
        reported: Engine(Settings(), reported=reported).check(net, CALLER)
        for reported in (None, frozenset([net]), frozenset([net, ops]))
    }
    assert [finding.filename for finding in result[None].findings] == [ops]
    assert result[frozenset([net, ops])] == result[None]
    assert result[frozenset([net])].findings == ()
    assert result[frozenset([net])].unreported == (ops,)
