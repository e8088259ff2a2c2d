"""The writer: however code is laid out, a fix means the same, loses no comment, and writes what compiles."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections import Counter

import pytest

from breaklint.fixes.rewrite import fits
from breaklint.lint.engine import fix_source
from breaklint.model import Settings
from breaklint.rules.cards import load_rules

METHOD = "class Net(nn.Module):\n    def forward(self, x: torch.Tensor, c=True, d=False):\n"
PLAIN_HEAD = "import torch\nfrom torch import nn\n"
IMPORTS = {  # each without `import torch`, with the line that it gets
    "a docstring": ('"""Text."""\nfrom torch import nn\n', 2),
    "a docstring that shares its line": ('"""Text."""; from torch import nn\n', 2),
    "a docstring over lines that shares its last": (
        '"""Text\n\nmore."""; from torch import nn; a = """b\nc"""\nd = 1\n', 5),
    "a string behind a semicolon": ('a = 1; """Text\nmore."""\nfrom torch import nn\n', 1),
    "an import from __future__": ("from __future__ import annotations\nfrom torch import nn\n", 2),
    "imports from __future__ on one line": ("from __future__ import annotations; from torch import nn\nimport os\n", 2),
    "a docstring and an import from __future__": (
        '"""Text."""\n\n# why\nfrom __future__ import (\n    annotations,\n)\n\nfrom torch import nn\n', 8),
    "a line that goes on": ('"""Text."""; \\\nfrom torch import nn\nimport os\n', 3),
    "a script": ("#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nfrom torch import nn\n", 3),
}  # fmt: skip
BODIES = {  # layouts of the same code
    "a test": (
        "if c:\n    print(x)\nreturn x",
        ["if c: print(x)\nreturn x", "if c: \\\n  print(x)\nreturn x", "if c:\n  print(x) ;\nreturn x",
         "if c :print(x);\nreturn x", "if (c\n    ): print(\n  x)\nreturn x",
         "if c:  # why\n    print(x)  # what\nreturn x",
         "if c: print(x)  # what\nreturn x", "if c:\n\tprint(x)\nreturn x",
         "if c:\n\n    # above\n    print(x)\n\n# below\nreturn x"],
    ),
    "an else": (
        "if c:\n    a = 1\nelse:\n    print(x)\nreturn x",
        ["if c: a = 1\nelse: print(x)\nreturn x", "if c:\n  a = 1  # one\nelse: print(x)  # two\nreturn x",
         "if c: a = 1\nelse: \\\n print(x)\nreturn x"],
    ),
    "an elif": (
        "if c:\n    a = 1\nelif d:\n    a = 2\n    print(x)\n    b = 3\nelse:\n    a = 4\nreturn x",
        ["if c: a = 1\nelif d: a = 2; print(x); b = 3\nelse: a = 4\nreturn x",
         "if c: a = 1\nelif d:\n    a = 2; print(x); b = 3  # what\nelse: a = 4\nreturn x"],
    ),
    "a loop with an end": (
        "for i in range(2):\n    a = i\n    print(x)\nelse:\n    b = 1\nreturn x",
        ["for i in range(2): a = i; print(x)\nelse: b = 1\nreturn x"],
    ),
    "an exit": (
        "with torch.no_grad():\n    a = 1\n    print(x)\nreturn x",
        ["with torch.no_grad(): a = 1; print(x)\nreturn x",
         "with torch.no_grad():\n    a = 1; print(x); # what\nreturn x"],
    ),
    "lines that go on": (
        "a = 1\nprint(x)\nb = 2\nreturn x",
        ["a = 1; \\\nprint(x); \\\nb = 2\nreturn x", "a = 1; print(x); b = 2\nreturn x"],
    ),
    "a string over several lines": (
        'print("""a\n  b\n""", x)\nreturn x',
        ['print(\n  """a\n  b\n""",\n  x,\n)\nreturn x'],
    ),
}  # fmt: skip


def source(body: str, head: str = PLAIN_HEAD) -> str:
    lines = body.split("\n")
    indented, inside = [], False
    for line in lines:
        indented.append(line if inside or not line else f"        {line}")
        inside ^= line.count('"""') % 2 == 1
    method = METHOD if head == PLAIN_HEAD else METHOD.replace(": torch.Tensor", "")  # a name that the file lacks
    return head + method + "\n".join(indented) + "\n"


def fixed(text: str) -> str:
    result = fix_source(text, "model.py", Settings(), unsafe=True)
    assert result.errors == ()
    assert result.text is not None
    compile(result.text, "model.py", "exec")
    return result.text


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("plain", [plain for plain, others in BODIES.values() for _ in others])
def test_the_plain_layout_is_fixed(plain: str) -> None:
    assert "is_compiling" in fixed(source(plain))


@pytest.mark.parametrize(("plain", "other"), [(plain, item) for plain, others in BODIES.values() for item in others])
def test_a_fix_means_the_same_in_every_layout_and_keeps_comments(plain: str, other: str) -> None:
    text = source(other)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source(plain)))
    assert ast.dump(ast.parse(fixed(text))) == ast.dump(ast.parse(fixed(source(plain))))
    assert comments(fixed(text)) == comments(text)


@pytest.mark.parametrize(("head", "row"), IMPORTS.values(), ids=IMPORTS)
def test_an_import_gets_a_line_of_its_own_below_docstring_and_future(head: str, row: int) -> None:
    text = fixed(source("print(x)\nreturn x", head))
    assert text.split("\n")[row - 1] == "import torch"
    assert text.count("import torch\n") == 1
    assert ast.get_docstring(ast.parse(text), clean=False) == ast.get_docstring(ast.parse(head), clean=False)
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    assert not any("import" in value for value in strings if isinstance(value, str))


EXAMPLES = {
    f"{rule.name}-{number}": (
        rule,
        re.sub(r"  # (?:break|unroll|recompile|sync)$", "", example.bad, flags=re.M),
        example,
    )
    for rule in load_rules(())
    for number, example in enumerate(rule.examples, 1)
    if rule.fix_kind and not rule.fix_kind.startswith("show-") and example.fixed
}


def commented(text: str) -> str:
    """The text with a comment behind every line that may have one."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    ends = {token.start[0] for token in tokens if token.type in (tokenize.NEWLINE, tokenize.NL)}
    lines = text.split("\n")
    free = (row for row in ends if lines[row - 1].strip() and "#" not in lines[row - 1])
    for row in free:
        lines[row - 1] += f"  # {row}"
    return "\n".join(lines)


def stepped(text: str, step: str) -> str:
    """The text with another step of indentation."""
    return re.sub(r"^(?: {4})+", lambda found: step * (len(found[0]) // 4), text, flags=re.M)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_cards_show_is_written_in_every_layout(name: str) -> None:
    rule, bad, example = EXAMPLES[name]
    settings = Settings(select=(rule.code,))
    for text in (commented(bad), stepped(bad, "\t"), stepped(bad, "  ")):
        result = fix_source(text, "model.py", settings, unsafe=True)
        assert result.errors == ()
        assert ast.dump(ast.parse(result.text or text)) == ast.dump(ast.parse(example.fixed))
        assert comments(result.text or text) == comments(text)


GUARDED = {
    "under a condition": "from net import available\nif available():\n    from torch import nn\n",
    "where it can be": "try:\n    from torch import nn\nexcept ImportError:\n    nn = None\n",
}


@pytest.mark.parametrize("head", GUARDED.values(), ids=GUARDED)
def test_a_file_that_takes_care_when_to_import_torch_gets_no_import(head: str) -> None:
    result = fix_source(source("print(x)\nreturn x", head), "model.py", Settings(), unsafe=True)
    assert result.text is None
    assert [finding.no_fix for finding in result.findings] == ["the file imports `torch` only under a condition"]


def test_a_name_for_type_checking_alone_is_not_used() -> None:
    head = "from typing import TYPE_CHECKING\nfrom torch import nn\nif TYPE_CHECKING:\n    import torch\n"
    result = fix_source(source("print(x)\nreturn x", head), "model.py", Settings(), unsafe=True)
    assert [finding.no_fix for finding in result.findings] == ["the file binds the name `torch` under a condition"]


def test_what_a_function_imports_itself_is_used_there() -> None:
    head = "from net import available\nif available():\n    from torch import nn\n"
    assert "if not t.compiler.is_compiling():" in fixed(source("import torch as t\nprint(x)\nreturn x", head))


def test_lines_that_begin_with_a_form_feed_keep_their_indentation() -> None:
    body = "\f        x = pow(  # why\n            x, 2)\n        return x\n"
    text = fixed(PLAIN_HEAD + METHOD + body)
    assert text == f"{PLAIN_HEAD}{METHOD}\f        # why\n        x = x**2\n        return x\n"


def test_code_that_libcst_does_not_read_is_found_and_left_with_the_reason() -> None:
    text = f"{PLAIN_HEAD}{METHOD}\f        print(x)\n        return x\n"
    compile(text, "model.py", "exec")
    result = fix_source(text, "model.py", Settings(), unsafe=True)
    assert (result.text, result.errors) == (None, ())
    assert [finding.no_fix for finding in result.findings] == ["LibCST does not read the syntax of this code"]


@pytest.mark.parametrize(
    ("before", "text", "after", "bare"),
    [("c and ", "a and b", "", True), ("c and ", "a or b", "", False), ("", "a and b", " and c", True),
     ("", "a + b", ".x", False), ("", "-a", "**2", False), ("2**", "-a", "", True), ("c - ", "a - b", "", False)],
)  # fmt: skip
def test_parentheses_stand_where_they_mean_something(before: str, text: str, after: str, bare: bool) -> None:
    assert fits(before, text, after) is bare


def test_lines_of_tabs_stay_lines_of_tabs() -> None:
    text = textwrap.indent(METHOD, "").replace("    ", "\t")
    text = f"{PLAIN_HEAD}{text}\t\tif c: print(x)\n\t\treturn x\n"
    assert "\t\tif c:\n\t\t\tif not torch.compiler.is_compiling():\n\t\t\t\tprint(x)\n" in fixed(text)
