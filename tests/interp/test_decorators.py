"""Decorators of the project, methods chosen by name, and context managers: their bodies are traced."""

from __future__ import annotations

import pytest
from harness import findings, marked

from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.returned_parameter import returned_parameter

HEAD = """
import functools
import torch
from torch import nn
"""
NET = """
class Net(nn.Module):
    def __init__(self, kind="a"):
        super().__init__()
        self.kind = kind
        self.rate = 0.5
"""
SOURCES = {
    "a wrapper with functools.wraps": """
def told(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call")  # BRK101
        return function(*args, **kwargs)
    return wrapper
NET
    @told
    def step(self, x):
        return x * self.rate * x.mean().item()  # BRK201
    def forward(self, x):
        return self.step(x)
""",
    "a decorator with arguments": """
def above(least):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(self, x):
            return function(self, x) if x.sum() > least else x  # BRK301
        return wrapper
    return decorate
NET
    @above(3)
    def step(self, x):
        return x * 2
    def forward(self, x):
        return self.step(x)
""",
    "a class that decorates": """
class Told:
    def __init__(self, function):
        self.function = function
    def __call__(self, *args):
        print("call")  # BRK101
        return self.function(*args)
@Told
def double(x):
    return x * 2
NET
    def forward(self, x):
        return double(x)
""",
    "forward itself": """
def told(function):
    @functools.wraps(function)
    def wrapper(self, *args, **kwargs):
        out = function(self, *args, **kwargs)
        print(out.shape)  # BRK101
        return out
    return wrapper
NET
    @told
    def forward(self, x):
        return x * self.rate
""",
    "a wrapper of forward that leaves its defaults out": """
def told(function):
    def wrapper(self, x):
        print("call")  # BRK101
        return function(self, x)
    return wrapper
NET
    @told
    def forward(self, x, mask=None, *, scale=1.0):
        return x * scale
""",
    "a function that map calls with rows of unknown number": """
NET
    def forward(self, x, y):
        pairs = list(map(lambda a, b: torch.cat([a, b]).sum().item(), *zip([x, y], [y, x])))  # BRK201
        return x * pairs[0]
""",
    "a decorator that registers": """
TABLE = {}
def register(function):
    TABLE[function.__name__] = function
    return function
@register
def double(x):
    return x * x.mean().item()  # BRK201
NET
    def forward(self, x):
        return double(x)
""",
    "a decorator that documents, one that wraps and one that chooses": """
def documented(function):
    text = "\\n".join(line.strip() for line in (function.__doc__ or "").split("\\n"))
    if not text:
        print(f"{function.__name__} says nothing")
    function.__doc__ = text
    return function
def told(function):
    @documented
    def wrapper(x):
        print("call")  # BRK101
        return function(x)
    return wrapper
def last(function, instead=None):
    if instead:
        function = instead
    return function
@documented
@told
def double(x):
    return x * x.mean().item()  # BRK201
def quiet(x):
    return x * 2
def loud(x):
    return x * x.sum().item()  # BRK201
NET
    def forward(self, x):
        return double(x) + last(quiet, loud)(x)
""",
    "a method whose name is put together": """
NET
    def run_a(self, x):
        return x * x.mean().item()  # BRK201
    def run_b(self, x):
        return x * 2
    def walk_a(self, x):
        return x * x.mean().item()
    def forward(self, x):
        return getattr(self, f"run_{self.kind}")(x)
""",
    "entering and leaving a context": """
class Loud:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        print("done")  # BRK101
NET
    def forward(self, x):
        with Loud():
            x = x * 2
        return x
""",
    "a tensor is no Variable to Dynamo": """
from torch.autograd import Variable
NET
    def forward(self, x):
        if isinstance(x, Variable):
            print(x)
        return x
""",
}

DECORATORS = """
def documented(function, text=""):
    lines = []
    lines.append(text)
    function.__doc__ = "".join(lines)
    print(function.__name__)
    return function
def registered(function):
    TABLE[function.__name__] = function
    return function
def listed(function):
    TABLE.append((function, 1))
    return function
def replaced(function):
    function = lambda x: x
    return function
def wrapped(function):
    def wrapper(x):
        return function(x)
    return wrapper
def early(function):
    if function.__doc__:
        return function
    return function
def counted(function):
    global COUNT
    COUNT = COUNT + 1
    return function
def falling(function):
    if function.__doc__:
        return function
def marked(function):
    setattr(function, "fixed", True)
    return function
def held(function):
    setattr(TABLE, function.__name__, function)
    return function
def circular(function):
    setattr(function, "itself", function)
    return function
"""


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_what_is_traced_is_found(source: str) -> None:
    text = HEAD + source.replace("NET\n", NET.lstrip("\n"))
    assert findings(text) == marked(text)


def test_a_decorator_that_gives_back_what_it_is_given_is_not_run() -> None:
    module = Project((), lambda path: path).add("net.py", DECORATORS)
    given = {name: returned_parameter(info) for name, info in module.names.items() if isinstance(info, FunctionInfo)}
    assert given == {
        "documented": "function", "registered": "", "listed": "", "replaced": "", "wrapped": "", "early": "function",
        "counted": "", "falling": "", "marked": "function", "held": "", "circular": "",
    }  # fmt: skip
