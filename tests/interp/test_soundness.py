"""The abstract interpreter covers what Python does: whatever an expression is when a program runs, the value that is
inferred for it allows.

What it rules out on purpose is listed in observing.py (`DELIBERATE`), and here:

- A statement that raises, and handlers, are not compared: no program here raises.
- An attribute `None` or a switch at class level says nothing of instances, which differ; a module's `None` neither.
- An untyped parameter of `forward` is what its uses say; an annotation is believed.
- A call of a value of which nothing is known is not followed, and neither are the operators and the lookups that
  classes of the project define (`__add__`, `__getitem__`).
- What a generator or an iterator does is taken to happen where it is made.
- A constructor's calls deeper than three functions are not followed.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from observing import minimised, violations
from programs import Programs

NET = """
import torch
from torch import nn
ITEMS = [1]
LAST = None
class Box:
    shared = 1
    def __init__(self, value):
        self.value = value
        self.items = [value]
    @property
    def first(self):
        return self.items[0]
    @first.setter
    def first(self, value):
        self.items[0] = value
def note(value):
    global LAST
    LAST = value
def some(a=0, b=1, *rest, key=2, **more):
    return a, b, rest, key, more
class Net(nn.Module):
    def forward(self, x, flag: bool):
"""

CASES = {
    "a counter ends a while loop": """
        i = 0
        while i < 2:
            i += 1
        return i
    """,
    "zero is not None": """
        found = 0
        if found is not None:
            return x
        return found
    """,
    "a loop that changes only what an object holds": """
        box = Box(None)
        for _ in range(2):
            if box.value is not None:
                x = x + 1
            box.value = x
        return x
    """,
    "what grows with every pass of a loop": """
        nested = x
        box = Box(x)
        for _ in range(9):
            nested = [nested]
            box.value = [box.value]
        return nested[0][0][0][0][0][0][0], box.value[0][0][0][0][0][0][0]
    """,
    "a comprehension whose items change what it reads": """
        box = Box(None)
        def swap(value):
            old, box.value = box.value, value
            return old
        return [swap(x) for _ in range(2)]
    """,
    "items that have been moved": """
        items = [1, x]
        items.reverse()
        first = items[0]
        items.insert(0, "s")
        items.pop()
        return first, items[0], items[-1]
    """,
    "an item that has been deleted": """
        items = [1, x]
        del items[0]
        return items[0]
    """,
    "a list that grows in place under another name": """
        items = [1]
        other = items
        items *= 2
        items += (x,)
        return other[1], other[-1]
    """,
    "a slice that is stored": """
        items = [1]
        items[0:1] = [x]
        return items[0]
    """,
    "a key that one branch stores": """
        table = {"a": 1}
        if flag:
            table["b"] = x
        return table.get("b"), table.get("b", 2), list(table.values())
    """,
    "a key that is taken away": """
        table = {"a": 1, "b": x}
        first = table.pop("b", None)
        second = table.pop("b", None)
        del table["a"]
        return first, second, table.get("a")
    """,
    "a key that is not known may be any": """
        table = {"a": 1}
        for name in list(table):
            table[name] = x
        return table["a"]
    """,
    "a dict in a dict, with keys that are not known": """
        table = {}
        table[str(1)] = x
        table = {**table, "b": 1}
        return list(table.values())
    """,
    "a variable bound in one branch of an expression": """
        found = None
        other = (found := x) if flag else 1
        flag and (found := 2)
        return found, other
    """,
    "a variable that a call in an expression may bind": """
        found = 1
        def keep(value):
            nonlocal found
            found = value
        keep(x) if flag else None
        return found
    """,
    "a variable bound after a return that is not always taken": """
        found = 1
        def keep(value):
            nonlocal found
            if flag:
                return
            found = value
        keep(x)
        return found
    """,
    "a remembered call under a condition": """
        found = 1
        def keep(value):
            nonlocal found
            found = value
        def reset():
            keep(2)
            if flag:
                keep(x)
        keep(x)
        reset()
        return found
    """,
    "two closures that one call makes": """
        def counter():
            count = 0
            def step(value):
                nonlocal count
                count = value
                return count
            def read():
                return count
            return step, read
        step, _ = counter()
        _, read = counter()
        step(x)
        return read()
    """,
    "a closure that is returned before its variable changes": """
        def make(early):
            value = 1
            def read():
                return value
            if early:
                return read
            value = x
            return read
        return make(flag)()
    """,
    "the default of an inner function": """
        value = 1
        def read(value=value, other=x):
            return value, other
        value = 2
        return read()
    """,
    "a variable of the module after a test": """
        if LAST is not None:
            return LAST
        note(x)
        return LAST
    """,
    "a variable of the module that is bound under a condition": """
        if flag:
            note(x)
        return LAST
    """,
    "an attribute that tests told of, set by name": """
        box = Box(1)
        box.value = 2
        setattr(box, "value", x)
        return box.value
    """,
    "an attribute of either of two objects": """
        first, second = Box(1), Box(2)
        either = first if flag else second
        either.value = 3
        first.value = x
        return either.value
    """,
    "an inner variable of the name of an outer one": """
        box = Box(1)
        box.value = 2
        def read(box):
            return box.value
        return read(Box(x))
    """,
    "a property that is set": """
        box = Box(1)
        box.first = x
        return box.first, box.items
    """,
    "an attribute that hides that of the class": """
        box = Box(1)
        if flag:
            box.shared = x
        return box.shared, getattr(box, "extra", 3)
    """,
    "an attribute that one branch makes": """
        box = Box(1)
        if flag:
            box.extra = x
        return getattr(box, "extra", 3)
    """,
    "a row of unknown length as arguments": """
        items = [1, 2]
        items.append(x)
        return some(*items), some(0, *items, "s"), Box(*items[:1]).value
    """,
    "keys that may be missing as arguments": """
        given = {"a": 1}
        if flag:
            given["key"] = x
        return some(**given)
    """,
    "what leaves through a finally": """
        for _ in range(2):
            found = 1
            try:
                if flag:
                    found = x
                    break
                found = "s"
            finally:
                last = found
        return last
    """,
    "a list of the module that a loop changes": """
        for _ in range(2):
            last = ITEMS[0]
            ITEMS[:] = [x]
        return last
    """,
    "numbers": """
        items = [1, 1, 1]
        return (sum(items), abs(-1), round(1.6), ~1, -True, 2 ** -1, True & False, True + True, 10**10 / 2,
                list(enumerate(items, 1)), max(items, key=lambda item: -item))
    """,
    "methods": """
        return {1, 2}.isdisjoint({3}), {1}.union({"s"}), "abc".find("b"), "a b".partition(" "), "s".isspace()
    """,
    "an attribute of an unknown value may be None": """
        box = Box(None)
        if isinstance(x, Box):
            box = self.box
        if isinstance(x, list):
            pass
        return box.value is not None
    """,
    "what a test says of a variable of the function around, in a comprehension": """
        return [((flag and x is not None), flag) for _ in range(1)]
    """,
    "what a test says of a variable of the function around, in an inner one": """
        def inner():
            both = flag and x is not None
            return both, flag
        return inner()
    """,
    "what a test says of a global variable": """
        both = LAST and x is not None
        return both, LAST is None
    """,
    "a global variable that a loop rebinds after it was read": """
        box = Box(1)
        def last():
            return LAST
        for _ in range(2):
            found = last()
            note(x)
        return found
    """,
    "a key that a loop takes away twice": """
        table = {"a": 1, "b": x}
        for _ in range(2):
            found = table.pop("b", None)
        return found
    """,
    "a container that holds itself": """
        table = {"a": 1}
        def grow(items):
            table["b"] = (table,)
            items.append(table)
            return items
        return grow([]), grow([x]), grow([])
    """,
    "patterns": """
        match x.dim():
            case 2 if flag:
                found = 1
            case other:
                found = x
        return found
    """,
}


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
def test_what_a_program_does_is_covered(body: str) -> None:
    assert violations(NET + body.replace("\n        ", "\n" + " " * 8)) == []


@pytest.mark.slow
@settings(
    max_examples=int(os.environ.get("SOUNDNESS_CASES", "60")),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # a seed says nothing of the size of its program: that is made smaller below
)
@given(st.integers(0, 2**40))
def test_generated_programs_are_covered(seed: int) -> None:
    text = Programs(random.Random(seed)).program()
    if violations(text):
        small = minimised(text, lambda shorter: bool(violations(shorter)))
        pytest.fail("\n".join([small, *map(str, violations(small) or [])]))
