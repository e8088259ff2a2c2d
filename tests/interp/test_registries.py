"""Tables that a module fills when it is imported: what is looked up in one is what was put there."""

from __future__ import annotations

import pytest
from harness import findings, marked

FORMS = {
    "a decorator with a name": """
TABLE = {}


def register(name):
    def keep(function):
        TABLE[name] = function
        return function

    return keep


@register("item")
def item(x):
    return x.sum().item()  # BRK201


def found():
    return TABLE["item"]
""",
    "a decorator without arguments": """
TABLE = dict()


def register(function):
    TABLE[function.__name__] = function
    return function


@register
def item(x):
    return x.sum().item()  # BRK201


def found():
    return TABLE["item"]
""",
    "an object with a decorator": """
class Registry:
    def __init__(self, name):
        self.name = name
        self.table = {}

    def register(self, name):
        def keep(function):
            if name in self.table:
                raise KeyError(name)
            self.table[name] = function
            return function

        return keep

    def get(self, name):
        if name not in self.table:
            raise KeyError(name)
        return self.table[name]


LOSSES = Registry("losses")


@LOSSES.register("item")
def item(x):
    return x.sum().item()  # BRK201


def found():
    return LOSSES.get("item")
""",
    "statements": """
TABLE = {}


def item(x):
    return x.sum().item()  # BRK201


TABLE["item"] = item


def found():
    return TABLE["item"]
""",
    "a list": """
STEPS = []


def step(function):
    STEPS.append(function)
    return function


@step
def item(x):
    return x.sum().item()  # BRK201


def found():
    return STEPS[0]
""",
    "classes": """
TABLE = {}


def register(cls):
    TABLE[cls.__name__] = cls
    return cls


@register
class Item:
    def __call__(self, x):
        return x.sum().item()  # BRK201


def found():
    return TABLE["Item"]()
""",
    "the attribute of a class": """
class Base:
    table = {}

    @classmethod
    def register(cls, name):
        def keep(function):
            cls.table[name] = function
            return function

        return keep


@Base.register("item")
def item(x):
    return x.sum().item()  # BRK201


def found():
    return Base.table["item"]
""",
    "a table that is read by what fills it": """
TABLE = {}


def register(name):
    def keep(function):
        assert name not in TABLE
        TABLE[name] = function
        return function

    return keep


@register("item")
def item(x):
    return TABLE["other"](x)


@register("other")
def other(x):
    return x.sum().item()  # BRK201


def found():
    return TABLE["item"]
""",
}
MODEL = """

class Net(torch.nn.Module):
    def forward(self, x):
        return found()(x)
"""


@pytest.mark.parametrize("table", FORMS.values(), ids=FORMS)
def test_a_function_is_found_in_the_table_that_it_was_put_into(table: str) -> None:
    source = f"import torch\n{table}{MODEL}"
    assert findings(source) == marked(source)


def test_another_key_than_any_that_was_put_there_finds_nothing() -> None:
    source = f"import torch\n{FORMS['statements']}{MODEL}".replace('return TABLE["item"]', 'return TABLE["none"]')
    assert findings(source) == []
