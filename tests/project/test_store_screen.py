"""What the text of a file imports, told without parsing it."""

from __future__ import annotations

import pytest

from breaklint.project.store_screen import imports_of

IMPORTS = {
    "import a.b as c, d\n": {"a", "b", "as", "c", "d"},
    "x = 1\n    from a.b import (c,\n    d)\nimport e\n": {"a", "b", "c", "d", "e"},
    "from a import b, \\\n    c\nimport d": {"a", "b", "c", "d"},
    "from a import \\\nfrom_b\nimport d": {"a", "from_b", "d"},
    ">>> import a\n": {"a"},
    'x = import_module("a.b"), __import__("c")\n': {"a", "b", "c"},
    '__import__(\n    "c")': {"c"},
    "# import a\nreimport = 2\nx = important\n": set[str](),
}


@pytest.mark.parametrize("text", IMPORTS)
def test_words_of_imports(text: str) -> None:
    assert imports_of(text).imported == IMPORTS[text]


@pytest.mark.parametrize(
    ("text", "inside"), [("from . import *", True), ("from .a import b", False), ("import a", False)]
)
def test_imports_from_the_own_package(text: str, inside: bool) -> None:
    assert imports_of(text).inside is inside
