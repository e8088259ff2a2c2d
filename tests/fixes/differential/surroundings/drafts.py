"""A generated model in parts: what stands above the class, the lines of its method, what is around both."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, field
from random import Random

from differential.source import Model

CLASS = """\
class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.given = 1

    def switch(self):
        self.deep = not getattr(self, "deep", True)
        self.limit = 1

    def touch(self, t):
        self.calls += 1
        with torch.no_grad():
            t.mul_(2)
        return t


class Net({base}):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.tensor(0.75))
        self.register_buffer("offset", torch.tensor(0.25))
        self.register_buffer("room", torch.zeros(8))
        self.sizes = [1, 2]
        self.calls = 0
        {made}
{members}
    def helper(self, t):
        self.calls += 1
        return t * 2

    def also(self, t):
        self.switch()
        return self.touch(t)

{decorators}    def forward(self, {arguments}):
{body}
"""
OTHER = '''\
class Other:
    """What a name may mean instead of a library: every attribute is a function that gives 7."""

    def __getattr__(self, name):
        return self

    def __call__(self, *given, **named):
        return 7

    def __getitem__(self, key):
        return (7, 7)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

'''


@dataclass
class Draft:
    """The parts of a model's file. `body` holds the statements of forward, `done` what was done to it, for people."""

    body: list[str]
    imports: list[str]
    head: list[str]
    made: str
    arguments: str
    settings: dict[str, object]
    base: str = "Base"
    members: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    enclosed: str = ""  # the parameters of a function that the class is defined in
    top: str = ""
    beside: str = ""  # another file, which is run when this one has been
    done: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, model: Model) -> Draft:
        """The draft of a generated model."""
        imports = [line for line in model.head if line.startswith(("import ", "from "))]
        above = [line for line in model.head if line not in imports]
        return cls(
            statements(model.body), [*imports, "import torch"], above, model.made, model.arguments, dict(model.settings)
        )

    def text(self) -> str:
        """The source of the file."""
        body = textwrap.indent("\n".join(self.body) or "pass", " " * 8)
        members = "".join(f"\n{textwrap.indent(each, '    ')}\n" for each in self.members)
        text = CLASS.format(
            base=self.base,
            made=self.made,
            members=members,
            decorators="".join(f"    {each}\n" for each in self.decorators),
            arguments=self.arguments,
            body=body,
        )
        if self.enclosed:
            text = f"def make({self.enclosed}):\n{textwrap.indent(text, '    ')}\n    return Net\n\n\nNet = make()\n"
        parts = ["\n".join(self.imports), "", OTHER, *self.head, text, *self.below]
        return self.top + "\n".join(parts) + "\n"

    def names(self) -> list[str]:
        """The names that the method stores."""
        found = {"x", "y"}
        for statement in self.body:
            try:
                tree = ast.parse(statement)
            except SyntaxError:
                continue
            found |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return sorted(found)

    def place(self, rng: Random) -> int:
        """Where to put a statement: most often behind the first definition."""
        return rng.randint(0, len(self.body)) if rng.random() < 0.4 else min(1, len(self.body))


def statements(body: str) -> list[str]:
    """The statements of a body, each with its lines and the comments behind it."""
    text = textwrap.dedent(body).strip("\n")
    lines = text.split("\n")
    try:
        rows = [node.lineno - 1 for node in ast.parse("def f():\n" + textwrap.indent(text, " ")).body[0].body]  # type: ignore[attr-defined]
    except SyntaxError:
        return [text]
    starts = sorted({row - 1 for row in rows})
    ends = [*starts[1:], len(lines)]
    return ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
