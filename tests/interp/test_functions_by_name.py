"""Functions, classes and loggers that code gets by a name: out of a table, or as an argument."""

from __future__ import annotations

import pytest
from harness import findings, marked

TABLE = """
import torch
from typing import Callable, Dict, Mapping, Union
def near(x):
    return x * x.mean().item(){near}
def far(x):
    return x * x.max().item(){far}
METHODS = {{"near": near, "far": far}}
def chosen(name{name}, methods{methods}){result}:
    key = name.lower()
    if key in methods:
        return methods[key]
    raise RuntimeError(key)
"""
CALLS = {
    "one": 'class Net(torch.nn.Module):\n    def forward(self, x):\n        return chosen("Near", METHODS)(x)\n',
    "any": """class Net(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
    def forward(self, x):
        return chosen(self.name, METHODS)(x)
""",
}
ANNOTATIONS = [
    {"name": "", "methods": "", "result": ""},
    {"name": ": str", "methods": ": Mapping[str, Callable]", "result": " -> Callable"},
    {"name": ": Union[str, Callable]", "methods": ": Dict[str, Callable[..., torch.Tensor]]", "result": ""},
    {"name": "", "methods": ": dict", "result": " -> Callable"},
]
BREAKS = "  # BRK201"

LOGGERS = {
    "a parameter of a constructor": """
class Net(torch.nn.Module):
    def __init__(self, logger=None):
        super().__init__()
        self._logger = logger
    def forward(self, x):
        self._logger.debug("begin")  # BRK102
        return x * 2
""",
    "an annotation": """
import logging
class Net(torch.nn.Module):
    def __init__(self, messages: logging.Logger):
        super().__init__()
        self.messages = messages
    def forward(self, x):
        self.messages.info("begin")  # BRK102
        return x * 2
""",
    "an adapter": """
import logging
messages = logging.LoggerAdapter(logging.getLogger("net"), {})
class Net(torch.nn.Module):
    def forward(self, x):
        messages.warning("begin")  # BRK102
        return x * 2
""",
    "an object of the project that is named so": """
class Quiet:
    def info(self, text):
        pass
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.logger = Quiet()
    def forward(self, x):
        self.logger.info("begin")
        return x * 2
""",
    "a board of curves that is named so": """
class Net(torch.nn.Module):
    def __init__(self, logger):
        super().__init__()
        self.logger = logger
    def forward(self, x):
        self.logger.log_metrics({"step": 1})
        self.logger.count += 1
        return x * 2
""",
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("annotations", ANNOTATIONS, ids=lambda given: "".join(given.values()) or "none")
def test_a_table_keeps_its_functions_whatever_its_annotation_says(annotations: dict[str, str], call: str) -> None:
    """An annotation that names no more than `Callable` does not take away what is known."""
    text = TABLE.format(near=BREAKS, far=BREAKS if call == "any" else "", **annotations) + CALLS[call]
    assert findings(text) == marked(text)


@pytest.mark.parametrize("case", LOGGERS)
def test_loggers_that_are_handed_in(case: str) -> None:
    """A method of a logger breaks the graph, of whichever library; a class of the project is read instead."""
    text = "import torch\n" + LOGGERS[case]
    assert findings(text) == marked(text)
