"""What a rule's replacement writes: parentheses where they are needed, comments kept, nothing that does not parse."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from harness import model
from rules_of_users import check, fixed, rule

REPLACED = """
if m.matches(node.func, m.Name("float")):
    self.report(node, replacement=cst.parse_expression("x + 1"))
"""
TEMPLATE = """
from libcst.helpers import parse_template_expression
if m.matches(node.func, m.Name("max")):
    first, second = (argument.value for argument in node.args)
    self.report(node, replacement=parse_template_expression("{a} * {b}.real", a=first, b=second))
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return float(x)", "return x + 1"),
        ("return 2 * float(x)", "return 2 * (x + 1)"),
        ("return float(x) + 2", "return x + 1 + 2"),
        ("return 2 + float(x)", "return 2 + (x + 1)"),
        ("return float(x).abs()", "return (x + 1).abs()"),
        ("return abs(float(x))", "return abs(x + 1)"),
        ("return [float(x)]", "return [x + 1]"),
        ("return -float(x)", "return -(x + 1)"),
    ],
)
def test_an_expression_gets_parentheses_where_it_needs_them(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, rule(REPLACED), model(before)) == model(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return max(x, x)", "return x * x.real"),
        ("return max(x + 1, x)", "return (x + 1) * x.real"),
        ("return max(x, x + 1)", "return x * (x + 1).real"),
        ("return max(x if x is not None else 1, -x)", "return (x if x is not None else 1) * (-x).real"),
        ("return max(x, 1)", "return x * (1).real"),
        ("return max(x @ x, x[0])", "return x @ x * x[0].real"),
    ],
)
def test_what_a_template_takes_keeps_its_meaning(tmp_path: Path, before: str, after: str) -> None:
    assert fixed(tmp_path, rule(TEMPLATE), model(before)) == model(after)


STATEMENT = """
def visit_SimpleStatementLine(self, node):
    if m.matches(node.body[0], m.Expr(m.Call(func=m.Name("print")))):
        self.report(node, replacement={replacement})
"""


def of_statement(replacement: str) -> str:
    return rule("pass", extra=STATEMENT.format(replacement=replacement))


@pytest.mark.parametrize(
    ("replacement", "before", "after"),
    [
        ("cst.RemoveFromParent()", "print(1)\nreturn x", "return x"),
        (
            "cst.RemoveFromParent()",
            "if self.use_bias:\n    print(1)\nreturn x",
            "if self.use_bias:\n    pass\nreturn x",
        ),
        ("cst.parse_statement('pass')", "y = x\nprint(1)\nreturn y", "y = x\npass\nreturn y"),
        (
            "cst.FlattenSentinel([cst.parse_statement('a = 1'), cst.parse_statement('b = 2')])",
            "print(1)\nreturn x",
            "a = 1\nb = 2\nreturn x",
        ),
    ],
    ids=["removed", "removed from a suite", "replaced", "by several"],
)
def test_statements_are_removed_and_replaced(tmp_path: Path, replacement: str, before: str, after: str) -> None:
    assert fixed(tmp_path, of_statement(replacement), model(before)) == model(after)


@pytest.mark.parametrize(
    ("text", "before", "reason"),
    [
        (rule(REPLACED), "return f'{float(x)}'", "it is inside an f-string"),
        (
            rule(REPLACED.replace("parse_expression", "parse_statement")),
            "return float(x)",
            "the replacement does not parse there",
        ),
        (
            rule(REPLACED.replace('cst.parse_expression("x + 1")', "cst.RemoveFromParent()")),
            "return float(x)",
            "the replacement does not parse there",
        ),
        (of_statement("cst.parse_expression('1 +1')"), "print(1)\nreturn x", "the replacement does not parse there"),
        (
            of_statement("cst.FlattenSentinel([cst.parse_expression('a')])"),
            "print(1)\nreturn x",
            "the replacement does not parse there",
        ),
    ],
)
def test_what_cannot_be_replaced_says_why(tmp_path: Path, text: str, before: str, reason: str) -> None:
    (result,) = check(tmp_path, text, model(before), select=("OWN",)).findings
    assert (result.fix, result.no_fix) == (None, reason)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (rule(REPLACED), "return float(\n    # why\n    x)", "# why\nreturn x + 1"),
        (of_statement("cst.RemoveFromParent()"), "# above\nprint(1)\nreturn x", "# above\nreturn x"),
        (of_statement("cst.parse_statement('y = 1')"), "print(1)  # behind\nreturn x", "y = 1  # behind\nreturn x"),
        (
            of_statement("node.with_changes(body=cst.parse_statement('y = 1').body)"),
            "# above\nprint(1)  # behind\nreturn x",
            "# above\ny = 1  # behind\nreturn x",
        ),
    ],
    ids=["inside", "above what goes", "behind", "of the node that is changed"],
)
def test_comments_stay(tmp_path: Path, text: str, before: str, after: str) -> None:
    assert fixed(tmp_path, text, model(before)) == model(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if self.use_bias: print(1)\nreturn x", "if self.use_bias:\n    a = 1\nreturn x"),
        ("y = x; print(1); return y", "y = x\na = 1\nreturn y"),
        ("if self.use_bias: y = x; print(1)\nreturn x", "if self.use_bias:\n    y = x\n    a = 1\nreturn x"),
    ],
    ids=["in a suite on its line", "among others", "among others in a suite"],
)
def test_statements_on_one_line_are_told_apart(tmp_path: Path, before: str, after: str) -> None:
    call = """
    def visit_Expr(self, node):
        if m.matches(node, m.Expr(m.Call(func=m.Name("print")))):
            self.report(node, replacement=cst.parse_statement("a = 1").body[0])
    """
    assert fixed(tmp_path, rule("pass", extra=textwrap.dedent(call)), model(before)) == model(after)


@pytest.mark.parametrize("form", ["({})", "{}", "(({}))"])
def test_a_tuple_is_replaced_with_its_parentheses(tmp_path: Path, form: str) -> None:
    pair = """
    def visit_Tuple(self, node):
        if len(node.elements) == 3:
            self.report(node, replacement=cst.parse_expression("x + 1"))
    """
    text = rule("pass", extra=textwrap.dedent(pair))
    after = fixed(tmp_path, text, model(f"y = {form.format('x, x, float(x)')}\nreturn y"))
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(model("y = x + 1\nreturn y")))


def test_nested_reports_are_fixed_one_after_the_other(tmp_path: Path) -> None:
    source = model("return max(max(x + 1, x), x)")
    assert fixed(tmp_path, rule(TEMPLATE), source) == model("return (x + 1) * x.real * x.real")


def test_rows_with_wide_characters_are_replaced_in_place(tmp_path: Path) -> None:
    assert fixed(tmp_path, rule(REPLACED), model("y = 'é€😀', float(x)\nreturn y")) == model(
        "y = 'é€😀', x + 1\nreturn y"
    )
