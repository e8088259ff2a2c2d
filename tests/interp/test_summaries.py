"""A remembered call is as good as a call: its effects are made again, and it is remembered only while it would do the
same."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = "import torch\nclass Box:\n    pass\n"

EFFECTS = {
    "an item appended to another list": """
def add(items, x):
    items.append(x)
class Net(torch.nn.Module):
    def forward(self, x):
        a, b = [], []
        add(a, x)
        add(b, x)
        if b[0].sum() > 0:  # BRK301
            return x
""",
    "a list that a list holds": """
def add(rows, x):
    rows[0].append(x)
class Net(torch.nn.Module):
    def forward(self, x):
        a, b = [[]], [[]]
        add(a, x)
        add(b, x)
        if b[0][0].sum() > 0:  # BRK301
            return x
""",
    "the list that a helper gives back": """
def add(items, x):
    items.append(x)
    return items
class Net(torch.nn.Module):
    def forward(self, x):
        first = add([], 1)
        second = add([], x)
        third = add([], x)
        if third[0].sum() > 0:  # BRK301
            return x
""",
    "one list given twice": """
def fill(first, second, x):
    first.append(x)
    return second[0]
class Net(torch.nn.Module):
    def forward(self, x):
        a, b, c = [], [], []
        fill(a, b, x)
        if fill(c, c, x).sum() > 0:  # BRK301
            return x
""",
    "a method that two objects share": """
class Store(Box):
    def put(self, x):
        self.value = x
class Net(torch.nn.Module):
    def __init__(self):
        self.small, self.large = Store(), Store()
    def forward(self, x, small: bool):
        store = self.small if small else self.large
        store.put(x)
        if self.large.value.sum() > 0:  # BRK301
            return x
""",
    "an attribute of another object": """
def mark(box, x):
    box.value = x
class Net(torch.nn.Module):
    def forward(self, x):
        a, b = Box(), Box()
        mark(a, 1)
        mark(b, x)
        mark(b, x)
        if b.value.sum() > 0:  # BRK301
            return x
""",
    "a list that a closure holds": """
class Net(torch.nn.Module):
    def forward(self, x):
        a, b = [], []
        def adder(items):
            def add(y):
                items.append(y)
            return add
        adder(a)(x)
        adder(b)(x)
        if b[0].sum() > 0:  # BRK301
            return x
""",
    "a variable of the function around it": """
class Net(torch.nn.Module):
    def forward(self, x):
        total = None
        def note(y):
            nonlocal total
            total = y
        note(x)
        if total.sum() > 0:  # BRK301
            return x
""",
    "a variable of the module": """
LAST = 0
def note(y):
    global LAST
    LAST = y
class Net(torch.nn.Module):
    def forward(self, x):
        note(x)
        return self.read(x)
    def read(self, x):
        found = LAST
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
""",
}

READS = {
    "a variable that has been bound again": """
class Net(torch.nn.Module):
    def forward(self, x):
        scale = 2
        def scaled():
            return scale
        scaled()
        scale = x.sum()
        if scaled() > 0:  # BRK301
            return x
""",
    "an attribute that has been stored since": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = None
    def read(self):
        return self.state
    def forward(self, x):
        self.read()
        self.state = x.sum()
        found = self.read()
        if found is not None:
            if found > 0:  # BRK301
                return x
""",
    "a list that has grown since": """
class Net(torch.nn.Module):
    def forward(self, x):
        items = [1]
        def last():
            return items[-1]
        last()
        items.append(x)
        found = last()
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
""",
    "what a test has told of an attribute, until a call stores it": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = None
    def fill(self, x):
        self.state = x
    def forward(self, x):
        if self.state is None:
            self.fill(x)
        found = self.state
        if found is not None:
            if found.sum() > 0:  # BRK301
                return x
""",
    "an attribute that the constructor changes between two calls": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rank = None
        self.first = self.made()
        self.rank = torch.nn.Parameter(torch.ones(1))
        self.second = self.made()
    def made(self):
        return self.rank
    def forward(self, x):
        if self.second > 0:  # BRK301
            return x
""",
}

OBJECTS = {
    "either of two objects of one class": """
class Net(torch.nn.Module):
    def forward(self, x, flag: bool):
        a, b = Box(), Box()
        a.value, b.value = 1, x
        either = a if flag else b
        other = b if flag else a
        found = either.value
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
        found = other.value
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
""",
    "an object that one call makes of other arguments": """
class Scale:
    def __init__(self, by):
        self.by = by
def scale(by):
    return Scale(by)
class Net(torch.nn.Module):
    def forward(self, x):
        scale(2)
        found = scale(x).by
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
""",
    "a buffer that one branch registers as None": """
class Net(torch.nn.Module):
    def __init__(self, learned):
        super().__init__()
        if learned:
            self.register_buffer("offset", torch.ones(8))
        else:
            self.register_buffer("offset", None)
    def forward(self, x):
        found = self.offset
        if found is not None:
            if found.sum() > 0:  # BRK301
                return x
""",
}


@pytest.mark.parametrize("text", EFFECTS.values(), ids=EFFECTS)
def test_effects_are_made_at_every_call(text: str) -> None:
    assert findings(HEAD + text) == marked(HEAD + text)


@pytest.mark.parametrize("text", READS.values(), ids=READS)
def test_a_call_is_made_again_when_what_it_reads_has_changed(text: str) -> None:
    assert findings(HEAD + text) == marked(HEAD + text)


@pytest.mark.parametrize("text", OBJECTS.values(), ids=OBJECTS)
def test_objects_and_lists_are_told_apart(text: str) -> None:
    assert findings(HEAD + text) == marked(HEAD + text)


def test_a_break_in_a_remembered_call_counts_at_every_call_that_leads_to_it() -> None:
    text = """
import torch
def inner(x):
    return x.sum().item()  # BRK201
def outer(x):
    return inner(x)  # BRK801
class Net(torch.nn.Module):
    def forward(self, x):
        outer(x)  # BRK801
        return outer(x)  # BRK801
"""
    assert findings(text, show_callers=True) == marked(text)
