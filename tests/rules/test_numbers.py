"""Tensors that become Python numbers, lists, arrays and text."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

CASES = {
    "a random number that meets tensors": """
        import random
        return x * random.uniform(0, 1) * 2 + random.randint(0, 3)
    """,
    "a random number that is added to": """
        import random
        shift = random.randrange(3)
        shift += 1  # BRK637
        return x + shift
    """,
    "the floor of a NumPy number of a Python number": """
        import math
        return x * math.floor(np.log2(x.shape[1]))  # BRK205 BRK502
    """,
    "the square root of a NumPy number of a Python number": """
        import math
        return x * math.sqrt(np.ceil(8.0))
    """,
    "a NumPy number of a Python number that is not finite": """
        import math
        return x * math.isnan(np.log(8))  # BRK205
    """,
    "a number and a tensor as bounds": "return x.clamp(0, x.max())  # BRK211",
    "a tensor and a number as bounds": "return torch.clip(x, x.min(), 1)  # BRK211",
    "bounds by name, in place": "return (x * 2).clamp_(min=0.5, max=x.max())  # BRK211",
    "a size and a tensor as bounds": "return x.clamp(x.shape[0], x.max() + 9)  # BRK211",
    "two tensors as bounds": "return x.clamp(x.min(), x.max())",
    "one tensor as a bound": "return x.clamp(None, x.max()) + x.clamp(max=x.max())",
    "a range from a number to a tensor": "return torch.linspace(0, x.max(), 5)",
    "a number and a tensor of a special function": "return torch.special.xlogy(1, x)",
    "item through a name bound to the method": """
        read = x.sum().item
        return x * read()  # BRK201
    """,
    "int of a division of sizes is static": "return x.view(int(x.shape[0] / 2), -1)",
    "tolist of a shape is static": "return x * len(list(x.shape))",
    "a NumPy function of a tensor is traced": "return x * torch.from_numpy(np.sin(x.detach().numpy()))",
    "a function of math of a NumPy number": """
        import math
        return x * math.ceil(np.prod(x.shape))  # BRK205
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
