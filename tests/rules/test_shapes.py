"""Shapes and indexes that depend on data."""

from __future__ import annotations

import pytest
from harness import findings, marked, model

MASKS = {
    "mask in one dimension": "return x[:, self.table > 3].sum()  # BRK401",
    "inverted mask": "return x[~torch.isnan(x)].sum()  # BRK401",
    "where with one argument": "return torch.where(x > 0)[0].sum()  # BRK402",
    "unique by function": "return torch.unique(self.table).sum() + x  # BRK402",
    "a scalar stored under a mask becomes masked_fill": """
        y = x.clone()
        y[y < 0] = 0.0
        return y
    """,
    "a tensor stored under a mask": """
        y = x.clone()
        y[y < 0] = x[x < 0]  # BRK401
        return y
    """,
    "a row stored under a mask keeps the shape": """
        y = x.clone()
        y[x[:, 0] > 0] = x.sum(0)
        return y
    """,
    "what a mask is read under can only be a tensor": """
        y = self.made_elsewhere
        return y[x > 0].sum()  # BRK401
    """,
    "an item of something unknown under one truth of a mask": """
        y, flags = self.made_elsewhere, (x > 0).any(dim=self.axis)
        return x * y[flags[0]]
    """,
    "an item of something unknown under something that may be a mask": """
        y = self.made_elsewhere
        return y[self.table_elsewhere == 1]
    """,
    "a mask of an unknown dtype, by its name": """
        valid_mask = self.linear(x).new(x.shape)
        return self.linear(x)[valid_mask].sum()  # BRK401
    """,
    "an inverted index of an unknown dtype": """
        chosen = self.linear(x).new(x.shape)
        return self.linear(x)[~chosen].sum()  # BRK401
    """,
    "an index of an unknown dtype": """
        order = self.linear(x).new(x.shape)
        return self.linear(x)[order].sum()
    """,
    "a number stored under a mask without dimensions": """
        y = x.clone()
        y[x.sum() > 0] = 0  # BRK401
        return y
    """,
    "how much is padded": "return F.pad(x, (0, self.table.argmax()))  # BRK404",
    "a padding of numbers": "return F.pad(x, (0, x.shape[0]))",
    "a bound of slice()": "return x[slice(0, self.table.argmax())]  # BRK404",
    "how many classes": "return x.sum() * F.one_hot(self.table, self.table.max() + 1)  # BRK404",
    "how often, and what is repeated is open": "return x.sum() * torch.repeat_interleave(x)  # BRK402",
    "an update under a mask": """
        y = x.clone()
        y[y < 0] *= 2  # BRK401
        return y
    """,
    "index from topk": "return x.gather(1, x.topk(2, dim=1).indices)",
    "argsort": "return x[x[:, 0].argsort()]",
    "arange as index": "return x[torch.arange(x.shape[0]), 0]",
    "unique of a Python list": "return x * len(set([1, 2, 2]))",
}
SIZES = {
    "arange of a tensor": "return torch.arange(self.table.sum())  # BRK404",
    "topk of as many as a tensor says": "return x.topk(self.table.max())[0]  # BRK404",
    "arange of a size": "return x + torch.arange(x.shape[1])",
    "one_hot without classes": "return F.one_hot(self.table).sum() + x  # BRK403",
    "one_hot with classes by position": "return F.one_hot(self.table, 8).sum() + x",
}
NUMPY_BOUNDS = {
    "a slice up to a NumPy number": """
        n = np.prod(x.shape[:1])
        return x[:n]  # BRK404
    """,
    "slices between the entries of an array": """
        ends = np.cumsum([0, 2, 4])
        return [x[:, a:b] for a, b in zip(ends[:-1], ends[1:])]  # BRK404
    """,
    "a view whose size is computed with a NumPy number": """
        total = np.cumprod([1, 2])[-1]
        return x.view(x.size(0) * total, -1)  # BRK404
    """,
    "a slice up to an int made of a NumPy number": """
        n = int(np.floor(x.shape[0] / 2))
        return x[:n]
    """,
    "a view whose size is a product of NumPy": "return x.reshape(-1, np.prod((2, 4)))  # BRK404",
    "new zeros of a product of NumPy": "return x.new_zeros(np.prod([2, 3])).sum() + x  # BRK404",
    "a view whose size is a product of a whole shape": "return x.reshape(np.prod(x.shape))  # BRK404",
    "zeros of the largest size": "return torch.zeros(np.max(x.size())).sum() + x  # BRK404",
    "a view whose size is a product of part of a shape": "return x.reshape(-1, np.prod(x.shape[1:]))  # BRK404",
    "a view whose size is a product of one item": "return x.reshape(-1, np.prod((8,)))",
    "a view whose size is a product of who knows how many items": "return x.reshape(-1, np.prod(self.shape))",
    "an int of arithmetic with a NumPy number": """
        pad = int(np.ceil(x.shape[0] / 16) * 16 - x.shape[0])
        return F.pad(x, (0, pad))
    """,
    "an int of a reduction by NumPy": "return x.reshape(-1, int(np.prod((2, 4))))  # BRK205",
}
INDEXES = {
    "a computed index": "return x[x.sum(1).argmax()]  # BRK405",
    "a tensor indexes a list": """
        rows = [x, x * 2]
        return rows[x.sum().argmax()]  # BRK405
    """,
    "a static index": "return x[0] + x[-1] + x[x.shape[0] - 1]",
    "a loop counter indexes a list": """
        rows = [x, x * 2]
        for i in range(2):
            x = x + rows[i]
        return x
    """,
    "index_select": "return x.index_select(0, x.sum(1).argmax().view(1))",
}
CASES = {**MASKS, **SIZES, **NUMPY_BOUNDS, **INDEXES}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
