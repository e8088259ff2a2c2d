"""Sizes are not data."""

from __future__ import annotations

import pytest
from harness import findings, model

SIZES = {
    "shape": "n = x.shape[0]",
    "size": "n = x.size(0)",
    "len": "n = len(x)",
    "unpacked shape": "n, _ = x.shape",
    "numel": "n = x.numel()",
    "nelement": "n = x.nelement()",
    "product of sizes": "n = x.shape[0] * x.size(1) // 2",
    "integer of a size": "n = int(x.shape[0] ** 0.5)",
    "max of sizes": "n = max(x.shape[-2:])",
    "sum of sizes": "n = sum(x.shape)",
    "sum over tensors' sizes": "n = sum(t.shape[0] for t in x.chunk(2))",
    "math of a size": "import math\nn = math.ceil(x.shape[0] / 3)",
    "math.prod": "import math\nn = math.prod(x.shape)",
    "numel of a shape": "n = x.shape.numel()",
    "stride": "n = x.stride(0)",
    "dim": "n = x.dim()",
    "element_size": "n = x.element_size()",
    "slice of a shape": "n = x.shape[:-1][0]",
    "shape in a list": "n = list(x.shape)[0]",
    "shape of a computed tensor": "n = (x @ x.T).relu().shape[1]",
    "min with a number": "n = min(x.shape[0], 7)",
    "torch.Size": "n = torch.Size([x.shape[0], 2])[0]",
    "finfo": "n = torch.finfo(x.dtype).eps",
    "index of a device": "n = x.get_device()",
}


@pytest.mark.parametrize("line", SIZES.values(), ids=SIZES)
def test_a_size_is_no_data(line: str) -> None:
    branch = "\nif n > 3 and not n == 5:\n    return x * int(n)\nassert n, f'{n}'\nreturn x * float(n)"
    assert findings(model(line + branch)) == []
