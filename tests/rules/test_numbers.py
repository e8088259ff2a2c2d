"""Tensors that become Python numbers, lists, arrays and text."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

CASES = {
    "a random number that meets tensors": """
        import random
        return x * random.uniform(0, 1) * 2 + random.randint(0, 3)
    """,
    "Python arithmetic with a random number": """
        import random
        return x * (random.uniform(0, 1) * 2)  # BRK637
    """,
    "a sign for a random number": """
        import random
        return x * -random.uniform(0, 1)  # BRK637
    """,
    "a random number that is added to": """
        import random
        shift = random.randrange(3)
        shift += 1  # BRK637
        return x + shift
    """,
    "a random number made an int": """
        import random
        return x * int(random.uniform(0, 3))  # BRK637
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
    "item": "return x * x.sum().item()  # BRK201",
    "item of a comparison": """
        if (x > 0).any().item():  # BRK201
            return x * 2
        return x
    """,
    "item of a parameter": "return x * self.weight.max().item()  # BRK201",
    "item twice": """
        low = x.min().item()  # BRK201
        high = x.max().item()  # BRK201
        return (x - low) / (high - low)
    """,
    "item through a name bound to the method": """
        read = x.sum().item
        return x * read()  # BRK201
    """,
    "float": "return x * float(x.sum())  # BRK202",
    "int": "return x * int(x.sum())  # BRK202",
    "bool": """
        flag = bool(x.sum() > 0)  # BRK202
        return x * 2, flag
    """,
    "float of a size is static": "return x / float(x.shape[0])",
    "int of a division of sizes is static": "return x.view(int(x.shape[0] / 2), -1)",
    "tolist": "return x * len(x.tolist())  # BRK203",
    "tolist of a shape is static": "return x * len(list(x.shape))",
    "a NumPy function of a tensor is traced": "return x * torch.from_numpy(np.sin(x.detach().numpy()))",
    "a NumPy number": "return x * float(np.mean(x.detach().numpy()))  # BRK205",
    "a function of math of a NumPy number": """
        import math
        return x * math.ceil(np.prod(x.shape))  # BRK205
    """,
    "random numbers of NumPy": "return x * np.random.rand()  # BRK206",
    "item of a dict": """
        sizes = {'a': 1}
        for name, size in sizes.items():
            x = x * size
        return x
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
