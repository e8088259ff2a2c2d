"""Classes inherit as Python says: by the method resolution order C3, whatever the shape of the hierarchy."""

from __future__ import annotations

import pytest
from harness import findings, marked
from hypothesis import given, settings
from hypothesis import strategies as st

from breaklint.project.module import ClassInfo
from breaklint.project.project import Project

SHAPES = st.lists(st.lists(st.integers(0, 7), max_size=3, unique=True), min_size=1, max_size=8)


@settings(max_examples=400)
@given(SHAPES)
def test_the_order_is_that_of_python(shape: list[list[int]]) -> None:
    lines, result = [], dict[str, type]()
    for number, bases in enumerate(shape):
        names = [f"C{base}" for base in bases if f"C{base}" in result]
        try:
            result[f"C{number}"] = type(f"C{number}", tuple(result[name] for name in names), {})
        except TypeError:
            continue  # Python refuses it
        lines.append(f"class C{number}({', '.join(names)}): ...")
    project = Project([], lambda _path: "")
    for cls in project.add("model.py", "\n".join(lines)).classes:
        order = [base.name if isinstance(base, ClassInfo) else base for base in project.mro(cls)]
        assert order == [base.__name__ for base in result[cls.name].__mro__ if base is not object]


DIAMOND = {
    "a method of the nearer side of a diamond": """
import torch
class Base(torch.nn.Module):
    def gate(self, x):
        return x.sum()
class Left(Base):
    pass
class Right(Base):
    def gate(self, x):
        return 1
class Net(Left, Right):
    def forward(self, x):
        return x if self.gate(x) > 0 else -x
""",
    "super() goes from one side of a diamond to the other": """
import torch
class Base(torch.nn.Module):
    def gate(self, x):
        return 1
class Left(Base):
    def gate(self, x):
        return super().gate(x)
class Right(Base):
    def gate(self, x):
        return x.sum()
class Net(Left, Right):
    def forward(self, x):
        return x if self.gate(x) > 0 else -x  # BRK301
""",
    "an attribute of the nearer side of a diamond": """
import torch
class Base(torch.nn.Module):
    limit = torch.ones(1)
class Left(Base):
    pass
class Right(Base):
    limit = 2
class Net(Left, Right):
    def forward(self, x):
        return x if self.limit > 0 else -x
""",
}


@pytest.mark.parametrize("text", DIAMOND.values(), ids=DIAMOND)
def test_a_diamond(text: str) -> None:
    assert findings(text) == marked(text)
