"""Values through loops, handlers, contexts and assignments of every form."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

CASES = {
    "a tensor that a loop makes of None": """
        total = None
        for part in x.chunk(2):
            total = part.mean() if total is None else total + part.mean()
        if total is not None:
            return x * total.item()  # BRK201
        return x
    """,
    "a chain of names needs several turns": """
        a, b, c = None, None, None
        for _ in range(4):
            if a is not None:
                x = x * a.item()  # BRK201
            a, b, c = b, c, x.sum()
        return x
    """,
    "what a break leaves": """
        found = None
        for part in x.chunk(2):
            found = part.mean()
            if self.use_bias:
                break
        else:
            found = x.sum()
        return x * found.item()  # BRK201
    """,
    "nested loops": """
        grid = []
        for row in range(2):
            line = []
            for column in range(2):
                line.append(x.mean() * row)
            grid.append(line)
        return x * grid[0][1].item()  # BRK201
    """,
    "tuple assignment": """
        a, (b, c) = x.shape, (x.mean(), 2)
        if c > 1:
            x = x * 2
        return x * b.item()  # BRK201
    """,
    "a name deleted and bound again": """
        level = x.mean()
        del level
        level = 3
        return x * 2 if level > 2 else x
    """,
    "autocast and profiling are traced": """
        with torch.autocast("cpu", enabled=False), torch.profiler.record_function("part"):
            y = x * 2
        return y
    """,
    "a try without a break": """
        try:
            y = x * 2
        except RuntimeError:
            print("never traced")
            y = x
        return y
    """,
    "a match on a static value": """
        match self.threshold:
            case 0.5:
                return x * 2
            case _:
                return x
    """,
    "global tensors stay silent without use": """
        y = x
        pass
        return y
    """,
    "a slice is a tensor": """
        last = x[:, -1].mean()
        return x * last.item()  # BRK201
    """,
    "a comparison of tensors is a tensor": """
        equal = x == x * 2
        return x * equal.any().item()  # BRK201
    """,
    "identity is no data": """
        same = x is x
        return x * 2 if same else x
    """,
    "a negative of a tensor": "return x * (-x.mean()).item()  # BRK201",
    "matrix product": "return x * (x @ x.T).sum().item()  # BRK201",
    "a float times a tensor is a tensor": """
        y = 2.0 * x.mean() + 1
        return x * y.item()  # BRK201
    """,
    "a tensor made of nothing": "return x * torch.ones(()).item()  # BRK201",
    "torch.tensor of a number": "return x * torch.tensor(3.0).item()  # BRK201",
    "in-place methods return the tensor": "return x * x.clone().mul_(2).sum().item()  # BRK201",
    "einsum": "return x * torch.einsum('ij->', x).item()  # BRK201",
    "split and concatenate": """
        a, b = torch.split(x, 4, dim=1)
        return x * torch.cat([b, a], dim=1).mean().item()  # BRK201
    """,
    "dtype and device are static": """
        if x.dtype is torch.float32 and str(x.device) == "cpu":
            x = x.to(dtype=torch.float32, device=x.device)
        return x
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))


def test_one_line_is_told_once_however_often_it_is_reached() -> None:
    source = model("for _ in range(3):\n    x = self.twice(self.twice(x))\nreturn x")
    source += "\n    def twice(self, x):\n        print(x)  # BRK101\n        return x * 2\n"
    assert findings(source) == marked(source)
