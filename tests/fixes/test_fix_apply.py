"""Fixes into text: which are made at once, when they end, and what is refused."""

from __future__ import annotations

import ast

import pytest
from writing import model

from breaklint.errors import RuleBug
from breaklint.fixes.apply import choose, fix_until_stable
from breaklint.lint.engine import fix_source
from breaklint.model import Applicability, Edit, Effect, FileResult, Finding, Fix, Position, Settings, Severity, Span


def span(start: tuple[int, int], end: tuple[int, int]) -> Span:
    return Span(Position(*start), Position(*end))


def finding(code: str, *edits: Edit, applicability: Applicability = Applicability.SAFE, path: str = "a.py") -> Finding:
    fix = Fix(applicability, "", "", edits)
    return Finding(path, edits[0].span, code, "", "", Effect.BREAK, Severity.ERROR, "", fix=fix)


class Always:
    """A checker whose one fix never converges."""

    def __init__(self, content: str) -> None:
        self.content = content

    def check(self, path: str, text: str) -> FileResult:
        return FileResult(path, (finding("BRK999", Edit(span((1, 1), (1, 1)), self.content)),))


def test_of_nested_fixes_the_outermost_goes_first() -> None:
    inner = finding("BRK1", Edit(span((2, 5), (2, 9)), "a"))
    outer = finding("BRK2", Edit(span((1, 1), (3, 1)), "b"))
    assert [result.code for result, _ in choose([inner, outer], "a.py", False)] == ["BRK2"]


def test_two_fixes_may_add_the_same_import() -> None:
    added = Edit(span((1, 1), (1, 1)), "import torch\n")
    first = finding("BRK1", added, Edit(span((3, 1), (3, 5)), "a"))
    second = finding("BRK2", added, Edit(span((4, 1), (4, 5)), "b"))
    assert len(choose([first, second], "a.py", False)) == 2


TOGETHER = {
    "one behind the other": (span((1, 1), (1, 3)), span((1, 3), (1, 5)), 2),
    "one into the other": (span((1, 1), (1, 4)), span((1, 3), (1, 5)), 1),
    "an insertion inside": (span((1, 1), (1, 4)), span((1, 2), (1, 2)), 1),
    "an insertion at the beginning": (span((1, 2), (1, 4)), span((1, 2), (1, 2)), 2),
    "an insertion at the end": (span((1, 1), (1, 4)), span((1, 4), (1, 4)), 2),
    "insertions at one place": (span((1, 2), (1, 2)), span((1, 2), (1, 2)), 1),
    "insertions at two places": (span((1, 2), (1, 2)), span((1, 3), (1, 3)), 2),
    "an insertion on a line between": (span((1, 5), (3, 2)), span((2, 1), (2, 1)), 1),
}


@pytest.mark.parametrize(("one", "other", "made"), TOGETHER.values(), ids=TOGETHER)
@pytest.mark.parametrize("turned", [False, True])
def test_fixes_that_meet_are_not_made_at_once(one: Span, other: Span, made: int, turned: bool) -> None:
    result = [finding("BRK1", Edit(one, "a")), finding("BRK2", Edit(other, "b"))]
    assert len(choose(result[::-1] if turned else result, "a.py", False)) == made


def test_fixes_of_other_files_wait_for_their_own_turn() -> None:
    assert choose([finding("BRK1", Edit(span((1, 1), (1, 2)), "a"), path="b.py")], "a.py", False) == []


@pytest.mark.parametrize("unsafe", [False, True])
def test_advice_is_never_written(unsafe: bool) -> None:
    advice = finding("BRK1", Edit(span((1, 1), (1, 2)), "a"), applicability=Applicability.DISPLAY)
    assert choose([advice], "a.py", unsafe) == []


def test_fixes_that_never_rest_are_an_error_that_names_the_rule() -> None:
    with pytest.raises(RuleBug, match=r"a\.py: the fixes of BRK999 do not converge within 10 rounds"):
        fix_until_stable(Always("#\n"), "a.py", "x = 1\n", False)


def test_text_that_does_not_compile_is_refused() -> None:
    with pytest.raises(RuleBug, match=r"a\.py:1: the fixes of BRK999 do not compile"):
        fix_until_stable(Always("("), "a.py", "x = 1\n", False)


def test_fixes_are_counted_by_rule() -> None:
    text = model("print(1)\nprint(2)\nreturn torch.autograd.Variable(x)")
    result = fix_source(text, "model.py", Settings(), unsafe=True)
    assert result.fixed == (("BRK101", 2), ("BRK601", 1))
    assert result.findings == ()


def test_a_file_that_is_no_python_is_left() -> None:
    result = fix_source("def forward(:\n", "model.py", Settings(), unsafe=True)
    assert (result.text, len(result.errors)) == (None, 1)


def test_an_import_is_added_above_the_others_and_below_those_of_the_future() -> None:
    head = '"""Doc."""\nfrom __future__ import annotations\n\nfrom torch import nn\nimport torch.nn as tnn'
    text = model("print(1)\nreturn x", arguments="x", head=head).replace("torch.nn.Module", "nn.Module")
    result = fix_source(text, "model.py", Settings(), unsafe=True).text
    assert result is not None
    assert result.startswith('"""Doc."""\nfrom __future__ import annotations\n\nimport torch\nfrom torch import nn\n')
    ast.parse(result)


def test_columns_count_characters() -> None:
    text = model("y = {'ä': 1}; z = torch.autograd.Variable(x * 2); return z  # ö")
    result = fix_source(text, "model.py", Settings(), unsafe=False).text
    assert result is not None
    assert "y = {'ä': 1}; z = (x * 2).detach(); return z  # ö" in result
