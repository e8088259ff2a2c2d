"""Expressions of tensors: `x` and `y` are arguments, further names are local; some forms change shape or dtype."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

NUMBERS = st.sampled_from(["2", "0.5", "-1", "3.0", "1e-2", "0", "1", "100"])
LINEAR = ["-{}", "{} * 2", "0.5 * {}", "{} + 1", "1 - {}", "{} / 4", "torch.relu({})", "{}.relu()", "{} - 0.25"]
SMOOTH = [
    "torch.tanh({})",
    "{}.sigmoid()",
    "torch.exp({})",
    "{}.abs()",
    "torch.sin({})",
    "{}.square()",
    "{} ** 2",
    "torch.sqrt({})",
    "{}.log()",
    "1 / {}",
    "{}.clone()",
    "{}.detach()",
    "torch.clamp({}, min=0)",
    "{} * self.gain",
    "{} + self.offset",
    "{}.neg()",
    "torch.nn.functional.gelu({})",
    "torch.softmax({}, -1)",
    "{}.sign()",
]
RESHAPING = ["{}.sum()", "{}.mean()", "{}[:1]", "{}[0]", "{}.unsqueeze(0)", "{}.view(-1)", "{}.T", "{}.reshape(-1)[:2]"]
CONVERTING = ["{}.float()", "{}.double()", "{}.long()", "({} > 0)", "{}.half()"]
DOING = ["torch.rand_like({})", "{}.mul_(2)", "self.helper({})", "torch.dropout({}, 0.5, True)"]
PAIRS = ["{} + {}", "{} * {}", "{} - {}", "{} / {}", "torch.maximum({}, {})", "{}.add({})"]
REDUCED = ["{}.sum()", "{}.mean()", "torch.sum({})", "{}.max()", "{}.min()", "{}.abs().sum()", "{}.norm()", "{}.prod()"]
SIGNS = st.sampled_from([">", "<", ">=", "<=", "==", "!="])


def _filled(template: str, *parts: str) -> str:
    """The parts in parentheses where they bind less tightly than a call."""
    safe = [
        part
        if part.replace("_", "").replace(".", "").isalnum()
        or (part.endswith(")") and part[0] != "-" and " " not in part.split("(")[0] and _whole(part))
        else f"({part})"
        for part in parts
    ]
    return template.format(*safe)


def _whole(part: str) -> bool:
    """Whether nothing of an expression stands outside of parentheses but names and dots."""
    depth, outside = 0, ""
    for sign in part:
        depth += (sign in "([") - (sign in ")]")
        outside += sign if depth == 0 else ""
    return " " not in outside


def linear(names: Sequence[str]) -> st.SearchStrategy[str]:
    """Up to three steps that keep shape and dtype and have a constant slope."""
    return _steps(names, LINEAR, 3)


def _steps(names: Sequence[str], templates: Sequence[str], most: int) -> st.SearchStrategy[str]:
    def build(start: str, chosen: list[str]) -> str:
        for template in chosen:
            start = _filled(template, start)
        return start

    return st.builds(build, st.sampled_from(names), st.lists(st.sampled_from(templates), max_size=most))


@st.composite
def tensors(draw: st.DrawFn, names: Sequence[str], wild: bool = True) -> str:
    """A tensor of the named ones: mostly of the same shape and dtype; `wild` allows reshaping, converting and doing."""
    one = draw(_steps(names, LINEAR + SMOOTH, 2))
    roll = draw(st.integers(0, 11))
    if roll >= 9:
        one = _filled(draw(st.sampled_from(PAIRS)), one, draw(_steps(names, LINEAR + SMOOTH, 1)))
    if wild and roll == 0:
        one = _filled(draw(st.sampled_from([*RESHAPING, *CONVERTING, *DOING])), one)
    return one


@st.composite
def scalars(draw: st.DrawFn, names: Sequence[str]) -> str:
    """A 0-dim tensor."""
    return _filled(draw(st.sampled_from(REDUCED)), draw(_steps(names, [*LINEAR, "torch.tanh({})"], 1)))


@st.composite
def comparisons(draw: st.DrawFn, names: Sequence[str]) -> str:
    """A 0-dim bool tensor of one comparison."""
    form = draw(st.sampled_from(["number", "number", "number", "tensor", "any", "all", "nan", "item", "indexed"]))
    if form in ("any", "all"):
        return f"({draw(st.sampled_from(names))} {draw(SIGNS)} {draw(NUMBERS)}).{form}()"
    if form == "nan":
        return f"torch.isnan({draw(st.sampled_from(names))}).any()"
    if form == "indexed":
        return f"({draw(st.sampled_from(names))} {draw(SIGNS)} 0).view(-1)[0]"
    left = draw(scalars(names))
    right = draw(scalars(names)) if form == "tensor" else draw(NUMBERS)
    return f"{left}{'.item()' if form == 'item' else ''} {draw(SIGNS)} {right}"


@st.composite
def conditions(draw: st.DrawFn, names: Sequence[str]) -> str:
    """A condition of one to three comparisons."""
    form = draw(st.sampled_from(["one", "one", "one", "one", "not", "and", "or", "chain", "truth", "mixed"]))
    one = draw(comparisons(names))
    if form == "not":
        return f"not {one}" if one.endswith(")") and _whole(one) else f"not ({one})"
    if form in ("and", "or"):
        return f"{one} {form} {draw(comparisons(names))}"
    if form == "mixed":
        return f"{one} and not {draw(comparisons(names))}"
    if form == "chain":
        return f"{draw(NUMBERS)} < {draw(scalars(names))} <= {draw(NUMBERS)}"
    return draw(scalars(names)) if form == "truth" else one
