"""What each fix writes: the body of a forward method before and after."""

from __future__ import annotations

import textwrap

import pytest
from writing import fixed

LOGGED = "import logging\n\nimport torch\n\nlogger = logging.getLogger(__name__)"
LEGACY = "import torch\nfrom torch.autograd import Variable"

WRITTEN = {
    # Variable
    "Variable of a computed tensor detaches": ("return Variable(x * 2)", "return (x * 2).detach()", LEGACY),
    "Variable of a new tensor is dropped": ("return x + Variable(torch.zeros(2))", "return x + torch.zeros(2)", LEGACY),
    "Variable around a new tensor that is moved": (
        "return x + Variable(torch.ones(2).to(x.device))",
        "return x + torch.ones(2).to(x.device)",
        LEGACY,
    ),
    "Variable that asks for no gradient": ("return Variable(x, requires_grad=False)", "return x.detach()", LEGACY),
    "Variable of a tensor that its type makes": (
        "return x + Variable(torch.FloatTensor(3))",
        "return x + torch.FloatTensor(3)",
        LEGACY,
    ),
    "Variable of what may be another tensor": (
        "return x + Variable(torch.Tensor(3))",
        "return x + torch.Tensor(3).detach()",
        LEGACY,
    ),
    "Variable of a draw that keeps the graph": (
        "return Variable(x.bernoulli())",
        "return x.bernoulli().detach()",
        LEGACY,
    ),
    "volatile has no effect": ("return Variable(x, volatile=True)", "return x.detach()", LEGACY),
    "Variable over several lines gets parentheses": (
        "y = Variable(\n    x\n    + 1\n)\nreturn y",
        "y = (x\n    + 1).detach()\nreturn y",
        LEGACY,
    ),
    "Variable in Variable": ("return Variable(Variable(x))", "return x.detach()", LEGACY),
    "Variable that is detached anyway": ("return Variable(x * 2).detach()", "return (x * 2).detach()", LEGACY),
    "Variable of data": ("return Variable(x.data)", "return x.data", LEGACY),
    "a Variable under another name": (
        "return V(x) * 2",
        "return x.detach() * 2",
        "import torch\nfrom torch.autograd import Variable as V",
    ),
    # numbers
    "a number that the branch on it binds again": (
        "k = x.sum().item()\nif k > 0:\n    k = 1\nelse:\n    k = -1\nreturn x * k",
        "k = x.sum().detach()\nk = torch.where(k > 0, 1, -1)\nreturn x * k",
        "import torch",
    ),
    # print, logging, warnings
    "print with a comment behind it": (
        "print(x.shape)  # why\nreturn x",
        "if not torch.compiler.is_compiling():\n    print(x.shape)  # why\nreturn x",
        "",
    ),
    "print over several lines with a string in it": (
        'print(\n    """a\nb""",\n    x.shape,\n)\nreturn x',
        'if not torch.compiler.is_compiling():\n    print(\n        """a\nb""",\n        x.shape,\n    )\nreturn x',
        "",
    ),
    "print of a string in several parts": (
        'print(\n    "a "\n    f"b {x.dim()} "\n    """c\nd"""\n)\nreturn x',
        "if not torch.compiler.is_compiling():\n"
        '    print(\n        "a "\n        f"b {x.dim()} "\n        """c\nd"""\n    )\nreturn x',
        "",
    ),
    "print behind an if on one line": (
        "if x.dim() > 2: print(1)  # note\nreturn x",
        "if x.dim() > 2:\n    if not torch.compiler.is_compiling():\n        print(1)  # note\nreturn x",
        "",
    ),
    "print between semicolons": (
        "a = 1; print(a); b = 2  # note\nreturn x",
        "a = 1\nif not torch.compiler.is_compiling():\n    print(a)\nb = 2  # note\nreturn x",
        "",
    ),
    "a comment in an expression moves above it": (
        "y = torch.autograd.Variable(\n    x  # the input\n)\nreturn y",
        "# the input\ny = x.detach()\nreturn y",
        "",
    ),
    "a logger": (
        'logger.info("%s", x.shape)\nreturn x',
        'if not torch.compiler.is_compiling():\n    logger.info("%s", x.shape)\nreturn x',
        LOGGED,
    ),
    "torch under the name that the file gives it": (
        "print(1)\nreturn x",
        "if not th.compiler.is_compiling():\n    print(1)\nreturn x",
        "import torch as th\nimport torch",
    ),
    # numbers
    "a number in arithmetic": (
        "s = x.sum().item()\nreturn x / (s + 1)",
        "s = x.sum().detach()\nreturn x / (s + 1)",
        "",
    ),
    "a number compared with a tensor": ("return x > x.mean().item()", "return x > x.mean().detach()", ""),
    "numbers unpacked": (
        "lo, hi = x.min().item(), x.max().item()\nreturn (x - lo) / (hi - lo)",
        "lo, hi = x.min().detach(), x.max().detach()\nreturn (x - lo) / (hi - lo)",
        "",
    ),
    "a number as the only bound of a clamp": (
        "return torch.clamp(x, max=x.mean().item())",
        "return torch.clamp(x, max=x.mean().detach())",
        "",
    ),
    "float of a count": ("return x / float((x > 0).sum())", "return x / (x > 0).sum().detach().float()", ""),
    "int truncates": ("return x * int(x.max())", "return x * x.max().detach().long()", ""),
    "a number of a view is a snapshot": (
        "s = x[0, 0].item()\nx += 1\nreturn x * s",
        "s = x[0, 0].detach().clone()\nx += 1\nreturn x * s",
        "",
    ),
    "a number that decides a branch": (
        "if x.mean().item() > 0:\n    return x * 2\nreturn x * 3",
        "return torch.where(x.mean().detach() > 0, x * 2, x * 3)",
        "",
    ),
    "a number stored in a tensor": (
        "y = torch.zeros(2)\ny[0] = x.sum().item()\ny[1] += x.max().item()\nreturn y",
        "y = torch.zeros(2)\ny[0] = x.sum().detach()\ny[1] += x.max().detach()\nreturn y",
        "",
    ),
    "a number that changes a tensor in place": (
        "y = x * 2\ny.div_(x.sum().item())\nreturn y",
        "y = x * 2\ny.div_(x.sum().detach())\nreturn y",
        "",
    ),
    "a number with a least value": (
        "return x / max(x.sum().item(), 1.0)",
        "return x / max(x.sum().detach(), 1.0)",
        "",
    ),
    # branches
    "if and else that assign": (
        "if x.sum() > 0:\n    y = x * 2\nelse:\n    y = x * 3\nreturn y",
        "y = torch.where(x.sum() > 0, x * 2, x * 3)\nreturn y",
        "",
    ),
    "an early return": ("if x.sum() > 0:\n    return x * 2\nreturn x", "return torch.where(x.sum() > 0, x * 2, x)", ""),
    "no else": (
        "y = x * 2\nif y.sum() > 0:\n    y = y * 3\nreturn y",
        "y = x * 2\ny = torch.where(y.sum() > 0, y * 3, y)\nreturn y",
        "",
    ),
    "a name that only the branch reads": (
        "h = torch.tanh(x)\nif torch.isinf(h).any():\n    top = torch.finfo(h.dtype).max - 1000  # of its dtype\n"
        "    h = torch.clamp(h, min=-top, max=top)\nreturn h",
        "h = torch.tanh(x)\n# of its dtype\ntop = torch.finfo(h.dtype).max - 1000\n"
        "h = torch.where(torch.isinf(h).any(), torch.clamp(h, min=-top, max=top), h)\nreturn h",
        "",
    ),
    "elif": (
        "if x.sum() > 0:\n    y = x\nelif x.mean() > 1:\n    y = x * 3\nelse:\n    y = -x\nreturn y",
        "y = torch.where(x.sum() > 0, x, torch.where(x.mean() > 1, x * 3, -x))\nreturn y",
        "",
    ),
    "several names": (
        "if x.sum() > 0:\n    a = x * 2\n    b = -x\nelse:\n    b = x\n    a = x * 3\nreturn a + b",
        "condition = x.sum() > 0\na = torch.where(condition, x * 2, x * 3)\nb = torch.where(condition, -x, x)\n"
        "return a + b",
        "",
    ),
    "several names in an elif": (
        "if x.dim() == 2:\n    a = b = x\nelif x.sum() > 0:\n    a = x\n    b = -x\n"
        "else:\n    a = -x\n    b = x\nreturn a + b",
        "if x.dim() == 2:\n    a = b = x\nelse:\n    condition = x.sum() > 0\n"
        "    a = torch.where(condition, x, -x)\n    b = torch.where(condition, -x, x)\nreturn a + b",
        "",
    ),
    "a value that needs another of the branch": (
        "a = x\nif x.sum() > 0:\n    a = x * 2\n    x = a + 1\nreturn a + x",
        "a = x\ncondition = x.sum() > 0\na_1 = x * 2\na = torch.where(condition, a_1, a)\n"
        "x = torch.where(condition, a_1 + 1, x)\nreturn a + x",
        "",
    ),
    "a condition that the branch changes": (
        "a = x\nif x.sum() > 0:\n    x = x * 2\n    a = a * 3\nreturn a + x",
        "a = x\ncondition = x.sum() > 0\nx = torch.where(condition, x * 2, x)\n"
        "a = torch.where(condition, a * 3, a)\nreturn a + x",
        "",
    ),
    "a name that only the other branch assigns": (
        "b = x\nif x.sum() > 0:\n    a = x\nelse:\n    b = -x\nreturn b",
        "b = x\nb = torch.where(x.sum() > 0, b, -x)\nreturn b",
        "",
    ),
    "what is computed behind a branch that returns": (
        "if x.sum() > 0:\n    return x * 2\nh = x - 1\nif h.mean() > 0:\n    h = -h\nreturn h * 3",
        "h = x - 1\nh_1 = torch.where(h.mean() > 0, -h, h)\nreturn torch.where(x.sum() > 0, x * 2, h_1 * 3)",
        "",
    ),
    "results that are returned together": (
        "if x.sum() > 0:\n    return x * 2, x, None\nreturn x, -x, None",
        "condition = x.sum() > 0\nreturn torch.where(condition, x * 2, x), torch.where(condition, x, -x), None",
        "",
    ),
    "a setting inside of a branch": (
        "if x.sum() > 0:\n    y = x * 2 if self.training else x\nelse:\n    if self.training:\n        y = -x\n"
        "    else:\n        y = x\nreturn y",
        "y = torch.where(x.sum() > 0, (x * 2 if self.training else x), (-x if self.training else x))\nreturn y",
        "",
    ),
    "names of the two sides": (
        "if x.sum() > 0:\n    h = x * 2\n    y = h * h\nelse:\n    h = x - 1\n    y = h + h\nreturn y",
        "h = x * 2\nh_1 = x - 1\ny = torch.where(x.sum() > 0, h * h, h_1 + h_1)\nreturn y",
        "",
    ),
    "nested branches": (
        "if x.sum() > 0:\n    if x.mean() > 1:\n        y = x\n    else:\n        y = -x\nelse:\n    y = x\nreturn y",
        "y = torch.where(x.sum() > 0, torch.where(x.mean() > 1, x, -x), x)\nreturn y",
        "",
    ),
    "comments in a branch move above it": (
        "if x.sum() > 0:  # head\n    y = x  # then\nelse:\n    # inside\n    y = -x  # other\nreturn y",
        "# head\n# then\n# inside\ny = torch.where(x.sum() > 0, x, -x)  # other\nreturn y",
        "",
    ),
    "a condition of several tensors": (
        "return x if x.sum() > 0 and not x.mean() > 1 else -x",
        "return torch.where(torch.logical_and(x.sum() > 0, torch.logical_not(x.mean() > 1)), x, -x)",
        "",
    ),
    "a static part in front of a tensor stays an if": (
        "h = torch.tanh(x)\nif h.dtype == torch.float16 and not torch.isfinite(h).all():\n"
        "    top = torch.finfo(h.dtype).max - 1000\n    h = torch.clamp(h, min=-top, max=top)\nreturn h",
        "h = torch.tanh(x)\nif h.dtype == torch.float16:\n    top = torch.finfo(h.dtype).max - 1000\n"
        "    h = torch.where(torch.logical_not(torch.isfinite(h).all()), torch.clamp(h, min=-top, max=top), h)\n"
        "return h",
        "",
    ),
    "a static part behind a tensor, with an else": (
        "if x.sum() > 0 and x.dim() == 2:\n    y = x * 2\nelse:\n    y = x * 3\nreturn y",
        "if x.dim() == 2:\n    y = torch.where(x.sum() > 0, x * 2, x * 3)\nelse:\n    y = x * 3\nreturn y",
        "",
    ),
    "a static part of what is returned": (
        "if (self.training or x.dim() == 2) and x.sum() > 0:\n    return x * 2\nreturn x * 3",
        "if self.training or x.dim() == 2:\n    return torch.where(x.sum() > 0, x * 2, x * 3)\nreturn x * 3",
        "",
    ),
    "a static part of a conditional expression": (
        "return x * 2 if self.training and x.sum() > 0 else x * 3",
        "return torch.where(x.sum() > 0, x * 2, x * 3) if self.training else x * 3",
        "",
    ),
    "a static part of an elif": (
        "if x.dim() == 1:\n    y = x\nelif x.dim() > 2 and x.sum() > 0:\n    y = -x\nelse:\n    y = x * 3\nreturn y",
        "if x.dim() == 1:\n    y = x\nelse:\n    if x.dim() > 2:\n        y = torch.where(x.sum() > 0, -x, x * 3)\n"
        "    else:\n        y = x * 3\nreturn y",
        "",
    ),
    "an attribute that both branches assign": (
        "h = x * 2\nif h.sum() > 0:\n    self.kept = h * 2\nelse:\n    self.kept = h * 3\nreturn h",
        "h = x * 2\nself.kept = torch.where(h.sum() > 0, h * 2, h * 3)\nreturn h",
        "",
    ),
    "entries that both branches assign": (
        'h, told = x * 2, {}\nif h.sum() > 0:\n    told["a"] = h * 2\n    told["b"] = h + 1\nelse:\n'
        '    told["a"] = h * 3\n    told["b"] = h - 1\nreturn told',
        'h, told = x * 2, {}\ncondition = h.sum() > 0\ntold["a"] = torch.where(condition, h * 2, h * 3)\n'
        'told["b"] = torch.where(condition, h + 1, h - 1)\nreturn told',
        "",
    ),
    "a condition that is a number": (
        "return x if x.sum() else -x",
        "return torch.where(x.sum() != 0, x, -x)",
        "",
    ),
    "two numbers that only scale a tensor": (
        "scale = 2.0 if x.sum() > 0 else 0.5\nreturn x * scale",
        "scale = torch.where(x.sum() > 0, 2.0, 0.5)\nreturn x * scale",
        "",
    ),
    "a check of equal tensors that raises": (
        'if not torch.equal(x, x.abs()):\n    raise ValueError("negative")\nreturn x',
        "if not torch.compiler.is_compiling() and not torch.equal(x, x.abs()):\n"
        '    raise ValueError("negative")\nreturn x',
        "",
    ),
    "a check of a data-dependent shape that raises": (
        'if len(torch.unique(x)) > 1:\n    raise ValueError("several")\nreturn x',
        'if not torch.compiler.is_compiling() and len(torch.unique(x)) > 1:\n    raise ValueError("several")\nreturn x',
        "",
    ),
    "a check of a number that raises": (
        'if x.max().item() >= 10 or x.isnan().any():\n    raise ValueError("large")\nreturn x',
        "if not torch.compiler.is_compiling() and (x.max().item() >= 10 or x.isnan().any()):\n"
        '    raise ValueError("large")\nreturn x',
        "",
    ),
    "a check in a function that imports torch": (
        'import torch\nif not torch.allclose(x, x):\n    raise ValueError("NaN")\nreturn x',
        "import torch\nif not torch.compiler.is_compiling() and not torch.allclose(x, x):\n"
        '    raise ValueError("NaN")\nreturn x',
        "",
    ),
    "a check that raises": (
        'if x.isnan().any():\n    raise ValueError("NaN")\nreturn x',
        'if not torch.compiler.is_compiling() and x.isnan().any():\n    raise ValueError("NaN")\nreturn x',
        "",
    ),
    # masks
    "a masked mean keeps the NaN of an empty mask": (
        "return x[x > 0].mean()",
        "return torch.where(x > 0, x, 0).sum() / (x > 0).sum()",
        "",
    ),
    "a function of the selected elements": (
        "m = x > 0\nreturn torch.abs(x[m] - 1).sum()",
        "m = x > 0\nreturn torch.where(m, torch.abs(x - 1), 0).sum()",
        "",
    ),
    "selected elements under a name": (
        "m = x > 0\ny = x[m]\nreturn (y ** 2).mean() - y.sum()",
        "m = x > 0\ny = x.clone()\nreturn torch.where(m, y ** 2, 0).sum() / m.sum() - torch.where(m, y, 0).sum()",
        "",
    ),
    "selected elements under the name of all": (
        "m = x > 0\nd = x - 1\nd = d[m]\nreturn d.abs().sum()",
        "m = x > 0\nd = x - 1\nreturn torch.where(m, d.abs(), 0).sum()",
        "",
    ),
    "a mask of an asserted shape": (
        "y = x.view(4, 8)\nassert x.shape == y.shape\nreturn y[x > 0].sum()",
        "y = x.view(4, 8)\nassert x.shape == y.shape\nreturn torch.where(x > 0, y, 0).sum()",
        "",
    ),
    "a masked store that another name sees": (
        "y = x * 2\nz = y\ny[x > 0] = x[x > 0]\nreturn y, z",
        "y = x * 2\nz = y\ny.copy_(torch.where(x > 0, x, y))\nreturn y, z",
        "",
    ),
    "a masked store into an input": (
        "x[x > 0] = (x * 2 + 1)[x > 0]\nreturn x",
        "x.copy_(torch.where(x > 0, x * 2 + 1, x))\nreturn x",
        "",
    ),
    # the small ones
    "pow keeps the sign in parentheses": ("return pow(-x, 2) + pow(x + 1, -2)", "return (-x)**2 + (x + 1)**-2", ""),
    "NumPy's random number": (
        "return x * np.random.uniform(-1, 1) + np.random.rand()",
        "return x * random.uniform(-1, 1) + random.uniform(0, 1)",
        "import random\n\nimport numpy as np\nimport torch",
    ),
    "a mask without a name": (
        "y = x[x > 0]\nreturn y.sum()",
        "y = x.clone()\nreturn torch.where(x > 0, y, 0).sum()",
        "",
    ),
    "two selections of one mask": (
        "m = x > 0\ny = torch.tanh(x)\nx = x[m]\ny = y[m]\nd = (x - y).abs()\nreturn d.mean() + d.max()",
        "m = x > 0\ny = torch.tanh(x)\nx = x[m]\ny = y[m]\nd = (x - y).abs()\nreturn d.mean() + d.max()",
        "",
    ),
    "the mean of two selections of one mask": (
        "m = x > 0\ny = torch.tanh(x)\nx = x[m]\ny = y[m]\nd = (x - y).abs()\nreturn d.mean()",
        "m = x > 0\ny = torch.tanh(x)\nx = x.clone()\nd = (x - y).abs()\nreturn torch.where(m, d, 0).sum() / m.sum()",
        "",
    ),
    "masked_select": (
        "m = x > 0\na = torch.masked_select(x, m)\nreturn (a * 2).sum() + x.masked_select(m).mean()",
        "m = x > 0\na = x.clone()\nreturn torch.where(m, a * 2, 0).sum() + torch.where(m, x, 0).sum() / m.sum()",
        "",
    ),
    "a loss of selected elements": (
        "m = x > 0\nreturn torch.nn.functional.mse_loss(x[m], torch.tanh(x)[m])",
        'm = x > 0\nreturn torch.where(m, torch.nn.functional.mse_loss(x, torch.tanh(x), reduction="none"), 0).sum()'
        " / m.sum()",
        "",
    ),
    "a summed loss of selected elements": (
        'm = x > 0\nreturn torch.nn.functional.smooth_l1_loss(x[m], -x[m], beta=2, reduction="sum")',
        "m = x > 0\nreturn torch.where(m, torch.nn.functional.smooth_l1_loss"
        '(x, -x, beta=2, reduction="none"), 0).sum()',
        "",
    ),
    "a filter for warnings": (
        'with warnings.catch_warnings():\n    warnings.simplefilter("ignore")\n    return x * 2',
        "with warnings.catch_warnings():\n    if not torch.compiler.is_compiling():\n"
        '        warnings.simplefilter("ignore")\n    return x * 2',
        "import warnings\n\nimport torch",
    ),
    "no gradient for what needs none": (
        "g = torch.stack((torch.arange(3).type_as(x), torch.ones(3))).float() * 2\ng.requires_grad = False\nreturn g",
        "g = torch.stack((torch.arange(3).type_as(x), torch.ones(3))).float() * 2\nreturn g",
        "",
    ),
    "a random number": (
        "return x * random.random()",
        "return x * random.uniform(0, 1)",
        "import random\n\nimport torch",
    ),
}


@pytest.mark.parametrize(("before", "after", "head"), WRITTEN.values(), ids=WRITTEN)
def test_the_fix_writes(before: str, after: str, head: str) -> None:
    assert fixed(before, head=head or "import torch") == after


@pytest.mark.parametrize(("before", "after", "head"), WRITTEN.values(), ids=WRITTEN)
def test_what_a_fix_wrote_stays(before: str, after: str, head: str) -> None:
    once = fixed(before, head=head or "import torch")
    assert fixed(once, head=head or "import torch") == once


UNTOUCHED = {
    "Variable of a list": "return torch.autograd.Variable([x])",
    "Variable that asks for a gradient": "return torch.autograd.Variable(x, requires_grad=True)",
    "the result of print is used": "done = print(x)\nreturn x, done",
    "print in a lambda": "show = lambda t: print(t)\nshow(x)\nreturn x",
    "a number in a string": 'return x, f"{x.sum().item()}"',
    "a number as a size": "return x.new_zeros(int(x.sum()))",
    "a number as an index": "return x[:, int(x[0, 0])]",
    "a number given to Python's max with another": "return x * max(x.max().item(), self.least())",
    "a number that a loop runs to": "for _ in range(x.sum().item()):\n    x = x * 2\nreturn x",
    "a number that an inner function uses": "s = x.sum().item()\nf = lambda t: t[s]\nreturn f(x)",
    "sides of different shape": "return x.sum(dim=0) if x.sum() > 0 else x",
    "sides that only broadcast": "return x + x.sum() if x.sum() > 0 else x.sum()",
    "sides of different dtype": "return x > 0 if x.sum() > 0 else x",
    "a side that raises when it is not taken": "n = 0\nreturn x * (5 // n) if x.sum() > 0 else x",
    "a side that draws random numbers": "return x + torch.rand_like(x) if x.sum() > 0 else x",
    "a side that calls a module": "return self.norm(x) if x.sum() > 0 else x",
    "a side that changes its input": "return x.mul_(2) if x.sum() > 0 else x",
    "a branch that changes in place": "y = x * 2\nif y.sum() > 0:\n    y *= 3\nreturn y",
    "a branch that returns nothing": "if x.sum() > 0:\n    return None\nreturn x",
    "a loop until": "while x.sum() > 1:\n    x = x / 2\nreturn x",
    "x is another tensor on the two sides": "y = x * 2\nx = x[:1]\nreturn y if x.sum() > 0 else x",
    "selected elements as a divisor": "return (1 / (x[x > 0] - 1)).sum()",
    "selected elements of unbounded slope": "return torch.log(x[x > 0]).sum()",
    "selected elements to a small power": "return torch.pow(x[x > 0], 0.5).sum()",
    "selected elements whose order counts": "return x[x > 0].cumsum(0).sum()",
    "selected elements that are compared": "y = x[x > 0]\nreturn y.mean() if y.numel() else x.sum()",
    "a loss of selected elements and others": ("m = x > 0\nreturn torch.nn.functional.mse_loss(x[m], x.new_ones(3))"),
    "a loss whose elements are kept": (
        "m = x > 0\nreturn torch.nn.functional.mse_loss(x[m], x[m] * 2, reduction=self.reduction)"
    ),
    "a masked store into an attribute": "self.y[x > 0] = x[x > 0] * 2\nreturn x",
    "selected elements that are used as they are": "m = x > 0\ny = x[m]\nreturn y.sum() + len(y)",
    "selected elements in a branch": "m = x > 0\ny = x\nif x.dim() > 1:\n    y = x[m]\nreturn y.sum()",
    "selected elements under another name later": "m = x > 0\ny = x[m]\ns = y.sum()\ny = x\nreturn s + y.sum()",
    "a mask that changes": "m = x > 0\ny = x[m]\nm[0] = False\nreturn y.sum()",
    "a mask that gets another value": "m = x > 0\ny = x[m]\nm = x > 1\nreturn y.sum(), m",
    "the flag of something that outlives the call": "self.y.requires_grad = False\nreturn x",
    "the flag of a parameter": "p = torch.nn.Linear(2, 2).weight\np.requires_grad = False\nreturn x",
    "a traced module": "self.m = torch.jit.trace(self.n, x)\nreturn self.m(x)",
    "a scripted module that is made elsewhere": "return self.config.scripted(x)",
    "a flag set where the tensor has it": "if x.requires_grad:\n    x.requires_grad = False\nreturn x",
    "a flag set where it is asked for": "if self.flag:\n    x.requires_grad = self.flag\nreturn x",
    "a flag whose value is computed": "x.requires_grad = self.decide()\nreturn x",
    "a mask of what changes": "y = x[x > 0]\nx.add_(1)\nreturn y.sum()",
    "a mask of a setting that changes": "k = 0\ny = x[x > k]\nk = 1\nreturn y.sum() + k",
    "a mask whose shape is not known": "m = self.mask > 0\ny = x[m]\nreturn y.sum()",
    "a masked store of another dtype": "y = x > 1\ny[x > 0] = x[x > 0] * 2\nreturn y",
}


@pytest.mark.parametrize("body", UNTOUCHED.values(), ids=UNTOUCHED)
def test_the_fix_leaves(body: str) -> None:
    assert fixed(body) == textwrap.dedent(body)


def test_a_name_of_torch_that_is_hidden_is_not_used() -> None:
    body = "torch = x * 2\nprint(torch)\nreturn torch"
    assert fixed(body, head="import torch\nimport torch as other") == body.replace(
        "print(torch)", "if not other.compiler.is_compiling():\n    print(torch)"
    )


def test_a_builtin_that_is_hidden_is_not_used() -> None:
    body = "sum = 0\nreturn x * int(np.sum(x.shape)) + sum"
    assert fixed(body, head="import numpy as np\nimport torch") == body
