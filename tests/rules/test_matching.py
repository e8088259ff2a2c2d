"""Rules that are cards alone: what a card's conditions let through and what they hold back."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

SIDE_EFFECTS = {
    "print": "print(x.shape)  # BRK101\nreturn x",
    "print of a constant": "print('here')  # BRK101\nreturn x",
    "print in a branch": """
        if x.shape[0] > 2:
            print(x.shape)  # BRK101
        return x
    """,
    "print by another name": """
        say = print
        say(x)  # BRK101
        return x
    """,
    "logging by import": """
        import logging
        logging.info("shape %s", x.shape)  # BRK102
        return x
    """,
    "warnings": """
        import warnings
        warnings.warn("here")  # BRK103
        return x
    """,
    "warn by name": """
        from warnings import warn
        warn("here")  # BRK103
        return x
    """,
    "whether a file exists": """
        import os
        if os.path.exists("weights"):  # BRK104
            return x * 2
        return x
    """,
    "time": """
        import time
        start = time.time()  # BRK105
        return x * 2, start
    """,
    "perf_counter by name": """
        from time import perf_counter
        start = perf_counter()  # BRK105
        return x * 2, start
    """,
    "print only where it raises": """
        if x.dim() != 2:
            raise ValueError(f"{x.shape}")
        return x
    """,
}
CONSTRUCTS = {
    "Variable": """
        from torch.autograd import Variable as V
        return V(x) * 2  # BRK601
    """,
    "a norm without parameters": "return nn.LayerNorm(8, elementwise_affine=False)(nn.BatchNorm1d(8, affine=False)(x))",
    "a norm with parameters": "return nn.LayerNorm(8)(x)  # BRK605",
    "torch._assert": "torch._assert((x == x).all(), 'no NaN')  # BRK306",
    "the call stack as text": "import traceback; traceback.format_stack()  # BRK104",
    "a new parameter": "return x * nn.Parameter(torch.ones(8))  # BRK605",
    "random of Python": """
        import random
        return x * random.random()  # BRK608
    """,
    "random.uniform is traced": """
        import random
        return x * random.uniform(0, 1)
    """,
    "seed": """
        torch.manual_seed(0)  # BRK609
        return x
    """,
    "deepcopy of a tensor": """
        import copy
        return copy.deepcopy(x * 2)  # BRK606
    """,
    "requires_grad of a new tensor": "return x + torch.zeros(8, requires_grad=True)  # BRK615",
    "requires_grad=False of a new tensor": "return x + torch.zeros(8, requires_grad=False)",
    "requires_grad of a tensor is set": """
        y = x * 2
        y.requires_grad = True  # BRK604
        return y
    """,
    "data of a tensor is set": """
        y = x * 2
        y.data = x  # BRK611
        return y
    """,
    "data of a tensor is read": "return x.data * 2",
    "numel times pow": "return x.pow(2) + x ** 2",
    "builtin pow": "return pow(x, 2)  # BRK622",
    "builtin pow of numbers": "return x * pow(2, 3)",
    "text of a tensor": "return x, str(x.sum())  # BRK621",
    "text of a shape": "return x, str(x.shape)",
}
CASES = {**SIDE_EFFECTS, **CONSTRUCTS}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
