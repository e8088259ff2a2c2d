"""Comments that silence findings."""

from __future__ import annotations

import pytest

from breaklint.source.suppression import Comments, Suppressions, suppressions

HIDDEN = {
    "one code": ("x = 1  # breaklint: ignore[BRK201]", 1),
    "several codes and a reason": ("x = 1  # breaklint: ignore[BRK101, BRK201] because", 1),
    "a prefix": ("x = 1  # breaklint: ignore[BRK2]", 1),
    "lower case": ("x = 1  # breaklint:ignore[brk201]", 1),
    "everything": ("x = 1  # breaklint: ignore", 1),
    "noqa with the code": ("x = 1  # noqa: E501,BRK201", 1),
    "everything, with a reason": ("x = 1  # breaklint: ignore (gh123, as in BRK201)", 1),
    "bare noqa": ("x = 1  # NOQA", 1),
    "after another comment": ("x = 1  # type: ignore  # breaklint: ignore[BRK201]", 1),
    "above the line": ("# breaklint: ignore[BRK201]\n\n# more\nx = 1", 4),
    "the whole file, anywhere": ("x = 1\n# breaklint: file-ignore[BRK201]", 1),
    "before a syntax error": ("x = 1  # breaklint: ignore\n)((\n'", 1),
}
SHOWN = {
    "another code": ("x = 1  # breaklint: ignore[BRK301]", 1),
    "another line": ("x = 1  # breaklint: ignore\ny = 1", 2),
    "noqa of another tool": ("x = 1  # noqa: E501", 1),
    "inside a string": ('x = "# breaklint: ignore"', 1),
    "inside a docstring": ('"""\n# breaklint: file-ignore\n"""\nx = 1', 4),
    "noqa on a line of its own": ("# noqa\nx = 1", 2),
    "misspelt": ("x = 1  # breaklint: ingore[BRK201]", 1),
    "a code in round brackets": ("x = 1  # breaklint: ignore(BRK101)", 1),
    "a code without brackets": ("x = 1  # breaklint: ignore BRK101", 1),
    "no codes in the brackets": ("x = 1  # breaklint: ignore[]", 1),
}


@pytest.mark.parametrize(("text", "row"), HIDDEN.values(), ids=HIDDEN)
def test_hides(text: str, row: int) -> None:
    assert suppressions(text).hides("BRK201", row, row)


@pytest.mark.parametrize(("text", "row"), HIDDEN.values(), ids=HIDDEN)
def test_hides_when_all_rules_are_known(text: str, row: int) -> None:
    assert Suppressions(Comments(text, ("BRK101", "BRK201"))).hides("BRK201", row, row)


def test_a_comment_without_codes_hides_although_the_next_row_looks_like_one() -> None:
    comments = Comments("x = y  # noqa:\nE501 = 2", ("BRK201",))
    assert Suppressions(comments).hides("BRK201", 1, 1)


@pytest.mark.parametrize(("text", "row"), SHOWN.values(), ids=SHOWN)
def test_does_not_hide(text: str, row: int) -> None:
    assert not suppressions(text).hides("BRK201", row, row)


def test_a_comment_on_any_row_of_the_statement_hides() -> None:
    result = suppressions("f(\n    x,  # breaklint: ignore[BRK201]\n)")
    assert result.hides("BRK201", 1, 3)
    assert not result.hides("BRK201", 3, 3)


def unused(text: str, *used: tuple[str, int], skipped: tuple[str, ...] = ()) -> list[str]:
    result = suppressions(text)
    for code, row in used:
        assert result.hides(code, row, row)
    lines = text.split("\n")
    return [lines[start.row - 1][start.column - 1 : end.column - 1] for start, end in result.unused(skipped)]


def test_the_comments_in_use_are_told_in_the_order_of_the_file() -> None:
    result = suppressions("# breaklint: file-ignore[BRK301]\nx = 1  # breaklint: ignore[BRK301]\ny = 1  # noqa\n")
    assert result.hides("BRK301", 2, 2)
    assert result.hides("BRK301", 3, 3)
    assert [span.start.row for span in result.used()] == [1, 1, 2, 2]  # each comment, then the code in it


def test_an_unused_comment_is_told_without_its_reason() -> None:
    assert unused("x = 1  # breaklint: ignore[BRK201] why\n") == ["# breaklint: ignore[BRK201]"]


def test_of_a_comment_in_use_only_the_idle_code_is_told() -> None:
    assert unused("x = 1  # breaklint: ignore[BRK201, BRK301]\n", ("BRK201", 1)) == ["BRK301"]


def test_a_used_comment_and_other_tools_comments_are_not_told() -> None:
    assert unused("x = 1  # breaklint: ignore\ny = 1  # noqa: BRK201\n", ("BRK101", 1)) == []


def test_a_misspelt_comment_is_told() -> None:
    assert unused("x = 1  # breaklint: ingore[BRK201]\n") == ["# breaklint: ingore[BRK201]"]


def test_a_comment_with_a_code_outside_of_brackets_is_told() -> None:
    assert unused("x = 1  # breaklint: ignore(BRK201)\n") == ["# breaklint: ignore"]


def test_a_comment_about_a_rule_that_did_not_run_is_not_judged() -> None:
    text = "x = 1  # breaklint: ignore[BRK2]\ny = 1  # breaklint: ignore[BRK3]\nz = 1  # breaklint: ignore\n"
    assert unused(text, skipped=("BRK201",)) == ["# breaklint: ignore[BRK3]"]
