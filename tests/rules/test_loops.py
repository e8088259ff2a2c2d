"""Loops that are unrolled, and breaks inside loops, which cost the whole frame."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

from breaklint.lint.engine import check_source
from breaklint.model import Settings

CASES = {
    "a size by name": """
        batch, width = x.shape
        for i in range(batch):  # BRK501
            x = x + i
        return x
    """,
    "enumerated rows": """
        for i, row in enumerate(x):  # BRK501
            x = x + row * i
        return x
    """,
    "a module list": """
        for layer in nn.ModuleList([self.linear, self.linear]):
            x = layer(x)
        return x
    """,
    "chunks in a fixed number": """
        for part in x.chunk(2, dim=1):
            x = x + part.sum()
        return x
    """,
    "a dict of tensors": """
        total = 0
        for name, value in {'a': x, 'b': x * 2}.items():
            total = total + value
        return total
    """,
    "a break in a loop over rows is still one unroll": """
        for row in x:  # BRK501
            if row.sum() > 0:  # BRK301
                x = x + row
        return x
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))


@pytest.mark.parametrize(
    ("forward", "note"),
    [
        pytest.param("for _ in range(2):\n    print(x)\nreturn x", "in a loop", id="for"),
        pytest.param("while x.size(0) > 2:\n    print(x)\n    x = x[1:]\nreturn x", "in a loop", id="while"),
        pytest.param("return [x * t.item() for t in (x.sum(),)]", "in a comprehension", id="comprehension"),
        pytest.param("try:\n    print(x)\nfinally:\n    pass\nreturn x", "inside `try`", id="try"),
        pytest.param("print(x)\nreturn x", "", id="straight line"),
        pytest.param("for _ in range(2):\n    x = x * 2\nprint(x)\nreturn x", "", id="after a loop"),
        pytest.param("if self.use_bias:\n    print(x)\nreturn x", "", id="in a static branch"),
    ],
)
def test_a_break_says_what_its_surroundings_make_of_it(forward: str, note: str) -> None:
    (result,) = check_source(model(forward), "model.py", Settings()).findings
    assert result.note.startswith(note)
    assert bool(result.note) == bool(note)
