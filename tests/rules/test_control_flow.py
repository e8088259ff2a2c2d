"""Python control flow on tensor data, and what looks like it and is none."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

BRANCHES = {
    "a tensor and what no tensor is equal to": """
        if x == {} or x == "none" or [] != x:
            return x * 2
        return x
    """,
    "if on a tensor itself": """
        if x.mean():  # BRK301
            return x * 2
        return x
    """,
    "while on a tensor": """
        while x.abs().max() > 1:  # BRK301
            x = x / 2
        return x
    """,
    "condition of a comprehension": """
        rows = [row for row in x.unbind() if row.sum() > 0]  # BRK301
        return rows
    """,
    "walrus": """
        if (total := x.sum()) > 0:  # BRK301
            return x * total
        return x
    """,
    "torch.allclose is told at the call": """
        if torch.allclose(x, x * 2):  # BRK207
            return x * 2
        return x
    """,
}

TRUTHS = {
    "and": """
        if self.use_bias and x.sum() > 0:  # BRK301
            return x * 2
        return x
    """,
    "not as a value": """
        flag = not x.sum() > 0  # BRK303
        return x * 2, flag
    """,
    "chained comparison": """
        if 0 < x.sum() < 1:  # BRK303
            return x * 2
        return x
    """,
    "an assert on a list of tensors": """
        rows = [x, x]
        assert rows, "no rows"  # BRK302
        return rows[0]
    """,
    "an assert on a module": """
        assert self.linear, "no layer"  # BRK302
        return self.linear(x)
    """,
    "an assert on a list of numbers": """
        sizes = [1, 2]
        assert sizes, "no sizes"
        return x * sizes[0]
    """,
    "any over tensors": """
        if any([x.sum() > 0, x.mean() > 1]):  # BRK304
            return x * 2
        return x
    """,
    "sorted tensors": """
        return sorted([x.sum(), x.mean()])[0]  # BRK304
    """,
    "max of tensors is traced": """
        return max(x.sum(), x.mean())
    """,
    "sum of tensors is traced": """
        return sum([x.sum(), x.mean()])
    """,
    "a number looked for in a tensor": """
        if 3 in x:  # BRK305
            return x * 2
        return x
    """,
}

ASSERTS = {
    "plain assert becomes part of the graph": """
        assert (x == x).all()
        return x * 2
    """,
    "assert with a message that Python folds into a literal": """
        assert (x == x).all(), f"no" + " NaN"
        return x
    """,
    "assert with a message held in a name": """
        message = "no NaN"
        assert (x == x).all(), message  # BRK302
        return x
    """,
    "assert of a list of tensors": """
        rows = [x]
        assert rows, "no rows"  # BRK302
        return x
    """,
    "assert of a list of tensors with a computed message": """
        rows = [x]
        assert rows, f"no rows in {x.shape}"
        return x
    """,
    "assert with a computed message": """
        assert (x == x).all(), f"no NaN, but {x.shape}"  # BRK302
        return x * 2
    """,
    "assert on a shape": """
        assert x.dim() == 2 and x.shape[1] == 8, f"got {x.shape}"
        return x * 2
    """,
}

SILENT = {
    "number of elements": "return x * 2 if x.numel() > 0 and len(x) > 2 else x",
    "dtype": "return x.float() if x.dtype == torch.float16 or x.dtype in (torch.half,) else x",
    "is_floating_point": "return x if x.is_floating_point() or torch.is_complex(x) else x.float()",
    "device": "return x * 2 if x.device.type == 'cuda' or x.is_cuda else x",
    "requires_grad": "return x * 2 if x.requires_grad else x",
    "contiguous": "return x if x.is_contiguous() else x.contiguous()",
    "isinstance": "return x * 2 if isinstance(x, torch.Tensor) and not isinstance(x, (list, tuple)) else x",
    "torch.is_tensor": "return x * 2 if torch.is_tensor(x) else x",
    "identity of tensors": "return x * 2 if x is self.weight else x",
    "hasattr": "return self.linear(x) if hasattr(self, 'linear') else x",
    "a bias that may be None": "return x + self.linear.bias if self.linear.bias is not None else x",
    "a loop until a size": """
        while x.size(0) > 1:
            x = x[::2]
        return x
    """,
    "grad mode": "return x.detach() if not torch.is_grad_enabled() else x",
    "a tuple that is not empty": """
        parts = x.chunk(2)
        return parts[0] if parts else x
    """,
    "a list that grows": """
        kept = []
        kept.append(x)
        return kept[-1] if kept else x
    """,
    "a string": "return x * 2 if 'relu' in ('relu', 'gelu') else x",
    "a size in a shape": "return x * 2 if 8 in x.shape else x",
    "a key in a dict of tensors": """
        outputs = {'x': x}
        return outputs['x'] if 'x' in outputs else x
    """,
    "sizes with and": "return x * 2 if x.shape[0] and x.shape[1] else x",
    "finfo": "return x.clamp(max=torch.finfo(x.dtype).max) if torch.finfo(x.dtype).max > 1e4 else x",
}
CASES = {**BRANCHES, **TRUTHS, **ASSERTS}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))


@pytest.mark.parametrize("forward", SILENT.values(), ids=SILENT)
def test_nothing_to_say_about(forward: str) -> None:
    assert findings(model(forward)) == []
