"""The text of a generated model: a module around the lines of its forward method, in varying layout."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from hypothesis import strategies as st

TORCH = re.compile(r"\btorch\.")
MODULE = """\
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.tensor(0.75))
        self.register_buffer("offset", torch.tensor(0.25))
        self.sizes = [1, 2]
        self.calls = 0
        {made}

    def helper(self, t):
        self.calls += 1
        return t * 2

    def forward(self, {arguments}):
{body}
"""


@dataclass(frozen=True)
class Model:
    """A forward method by its lines, what stands above the class, and what __init__ makes."""

    body: str
    arguments: str = "x: torch.Tensor, y: torch.Tensor"
    head: tuple[str, ...] = ()
    made: str = "self.limit = 3"

    def text(self, step: str = "    ", alias: str = "torch", comments: frozenset[int] = frozenset()) -> str:
        """The source of the file, indented by `step`, with torch under a name and comments behind some lines."""
        lines = textwrap.indent(textwrap.dedent(self.body).strip("\n"), " " * 8)
        text = MODULE.format(arguments=self.arguments, body=lines, made=self.made)
        imports = [line for line in self.head if line.startswith(("import ", "from "))]
        above = [line for line in self.head if line not in imports]
        torch = "import torch" if alias == "torch" else f"import torch as {alias}"
        text = "\n".join([*imports, torch, *above, "", "", text])
        text = text if alias == "torch" else _renamed(text, alias)
        return _commented(re.sub("^( +)", lambda found: found[0].replace("    ", step), text, flags=re.M), comments)


def _renamed(text: str, alias: str) -> str:
    lines = (
        line if line.startswith(("import ", "from ")) else TORCH.sub(f"{alias}.", line) for line in text.split("\n")
    )
    return "\n".join(lines)


def _commented(text: str, rows: frozenset[int]) -> str:
    """Comments behind the given lines of forward, and above them for every second one."""
    head, define, body = text.partition("def forward(")
    lines = body.split("\n")
    for row in sorted(rows, reverse=True):
        place = 1 + row % max(1, len(lines) - 2)
        line = lines[place]
        if line.strip() and row % 2:
            lines.insert(place, f"{line[: len(line) - len(line.lstrip())]}# why {row}")
        elif line.strip():
            lines[place] = f"{line}  # note {row}"
    return head + define + "\n".join(lines)


@st.composite
def texts(draw: st.DrawFn, models: st.SearchStrategy[Model]) -> tuple[str, Model]:
    """A model as the text of a file."""
    model = draw(models)
    step = draw(st.sampled_from(["    ", "    ", "  ", "\t"]))
    alias = draw(st.sampled_from(["torch", "torch", "torch", "th"]))
    comments = draw(st.frozensets(st.integers(0, 12), max_size=2)) if draw(st.integers(0, 3)) == 0 else frozenset()
    return model.text(step, alias, comments), model
