"""Functions that Dynamo refuses to trace, from the facts of the target torch."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

CASES = {
    "garbage collection": """
        import gc
        gc.collect()  # BRK618
        return x
    """,
    "a rule that says more wins": """
        import random
        return x * random.random()  # BRK608
    """,
    "mathematics is traced": """
        import math
        return x * math.sqrt(x.shape[-1]) + math.pi
    """,
    "itertools and functools are traced": """
        import functools, itertools, operator
        scale = functools.reduce(operator.mul, [2, 3])
        for a, b in itertools.product([1, 2], [3]):
            x = x * a + b
        return x * scale
    """,
    "copying a list is another thing": """
        rows = [x, x * 2].copy()
        return rows[0]
    """,
    "torch functions are traced": "return torch.einsum('ij,kj->ik', x, x).softmax(-1)",
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
