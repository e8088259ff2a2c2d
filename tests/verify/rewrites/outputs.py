"""Rewrites that give another output or exception."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import Rewrite

OUTPUTS = (
    Rewrite(
        "module-in-training-forced",
        "output differs",
        "return self.drop(x) * self.scale",
        init=("self.drop = nn.Dropout(0.5)", "self.drop = nn.Dropout(0.5)\nself.train = lambda mode=True: self"),
    ),
    Rewrite(
        "tuple-for-list", "class of output is 'tuple of 2'", ("return [x * self.scale, x]", "return x * self.scale, x")
    ),
    Rewrite(
        "number-for-tensor",
        "output[1] is 20.5",
        ("return x * self.scale, x.sum()", "return x * self.scale, float(x.sum())"),
    ),
    Rewrite(
        "compiling-differs",
        "compiled, output differs",
        (
            "return x * self.scale + 1",
            "if torch.compiler.is_compiling():\n    return x * self.scale\nreturn x * self.scale + 1",
        ),
    ),
    Rewrite(
        "grad-mode-differs",
        "output differs",
        (
            "return x * self.scale + 1",
            "if torch.is_grad_enabled():\n    return x * self.scale\nreturn x * self.scale + 1",
        ),
    ),
    Rewrite(
        "warning-as-error",
        "it raises RuntimeError",
        ("warnings.warn('old')\nreturn x * self.scale + 1", "raise RuntimeError('old')\nreturn x * self.scale + 1"),
    ),
    Rewrite(
        "output-is-a-parameter",
        "class of output[1] is 'Parameter on cpu'",
        ("return x * 1, self.scale * 1", "return x * 1, self.scale"),
    ),
    Rewrite(
        "half-sum-in-float",
        "output has dtype torch.float32",
        ("return x.sum(0) * self.scale.half()", "return x.float().sum(0) * self.scale.half()"),
        inputs="torch.linspace(-2, 2, 8).view(2, 4).half()",
    ),
    Rewrite(
        "python-number-to-tensor-promotes",
        "output has dtype torch.float32",
        ("return x * 0.5", "return x * torch.full((4,), 0.5)"),
        inputs="torch.linspace(-2, 2, 8).view(2, 4).half()",
    ),
    Rewrite(
        "dropout-always",
        "output differs",
        ("return F.dropout(x, 0.5, self.training) * self.scale", "return F.dropout(x, 0.5, True) * self.scale"),
        init="self.p = 0.5",
    ),
    Rewrite(
        "draws-in-other-order",
        "output differs",
        (
            "a = torch.rand(4)\nb = torch.rand(4)\nreturn x * self.scale + a - b",
            "b = torch.rand(4)\na = torch.rand(4)\nreturn x * self.scale + a - b",
        ),
    ),
    Rewrite(
        "forward-hook-lost",
        "output differs",
        ("return self.fc(x) * self.scale", "return F.linear(x, self.fc.weight, self.fc.bias) * self.scale"),
        init=(
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
        ),
    ),
    Rewrite(
        "dict-order",
        "class of output is 'dict of a, b'",
        ("return {'b': x * 1, 'a': x * self.scale}", "return {'a': x * self.scale, 'b': x * 1}"),
    ),
    Rewrite(
        "namedtuple-lost",
        "class of output is 'tuple of 2'",
        ("return Out(x * 1, x * self.scale)", "return x * 1, x * self.scale"),
        top="from collections import namedtuple\nOut = namedtuple('Out', 'a b')",
    ),
    Rewrite(
        "pre-hook-changes-input",
        "output differs",
        "return x * self.scale",
        init=(
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=0),))",
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=-0.5),))",
        ),
    ),
    Rewrite(
        "in-place-through-view",
        "output[0] differs",
        (
            "y = x.clone()\nz = y.view(-1)\nz.mul_(2)\nreturn y * self.scale, z",
            "y = x.clone()\nz = y.view(-1) * 2\nreturn y * self.scale, z",
        ),
    ),
    Rewrite(
        "index-put-accumulate",
        "output differs",
        (
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3], accumulate=True)\nreturn y * self.scale",
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3])\nreturn y * self.scale",
        ),
    ),
    Rewrite(
        "bool-sum-dtype",
        "output has dtype torch.float32",
        ("return (x > 0).sum(0) * 1", "return (x > 0).float().sum(0)"),
    ),
    Rewrite(
        "integer-division",
        "output has dtype torch.float32",
        ("return x // 2 * 2", "return (x / 2).floor() * 2"),
        inputs="torch.tensor([[7, 8, 9, 10]])",
    ),
    Rewrite(
        "scalar-tensor-half",
        "output has dtype torch.float32",
        ("return x * 3.0", "return x * torch.tensor([3.0])"),
        inputs="torch.tensor([[1.5, 2, 3, 4]], dtype=torch.float16)",
    ),
    Rewrite(
        "complex-real",
        "output differs",
        ("return torch.complex(x, x).abs() * self.scale", "return torch.complex(x, x).real * self.scale"),
    ),
    Rewrite("argmax-width", "output has dtype torch.int32", ("return x.argmax(1)", "return x.argmax(1).int()")),
    Rewrite(
        "sparse-to-dense",
        "class of output is 'Tensor on cpu'",
        ("return (x * self.scale).to_sparse()", "return x * self.scale"),
    ),
    Rewrite(
        "other-namedtuple",
        "class of output is 'Other of left, right'",
        ("return Pair(x * self.scale, x)", "return Other(x * self.scale, x)"),
        top="import collections\nPair = collections.namedtuple('Pair', 'left right')\nOther = collections.namedtuple('Other', 'left right')",
    ),
    Rewrite(
        "namedtuple-fields-swapped",
        "class of output is 'Pair of right, left'",
        "return Pair(x * self.scale, x)",
        top=(
            "import collections\nPair = collections.namedtuple('Pair', 'left right')",
            "import collections\nPair = collections.namedtuple('Pair', 'right left')",
        ),
    ),
    Rewrite(
        "ordered-dict",
        "class of output is 'dict of a'",
        ("return collections.OrderedDict(a=x * self.scale)", "return {'a': x * self.scale}"),
        top="import collections",
    ),
    Rewrite(
        "list-for-generator",
        "class of output is 'tuple of 2'",
        ("return [x * self.scale, x]", "return (x * self.scale, x)"),
    ),
    Rewrite(
        "parameter-class",
        "class of output is 'Tensor on cpu'",
        ("return self.extra", "return self.extra * 1"),
        init=("self.extra = nn.Parameter(torch.ones(4))", "self.extra = nn.Parameter(torch.ones(4))"),
    ),
    Rewrite(
        "float-for-tensor",
        "output[1] is 20.5",
        ("return x * self.scale, x.sum()", "return x * self.scale, float(x.sum())"),
    ),
    Rewrite("none-for-empty", "output[1] is None", ("return x * self.scale, x[:0]", "return x * self.scale, None")),
    Rewrite(
        "autocast-dropped",
        "output has dtype torch.float32",
        (
            "with torch.autocast('cpu', dtype=torch.bfloat16):\n    return x @ x.t() * self.scale.sum()",
            "return x @ x.t() * self.scale.sum()",
        ),
    ),
    Rewrite(
        "generator-argument-lost",
        "output differs",
        ("return x * self.scale + torch.rand(4, generator=self.generator)", "return x * self.scale + torch.rand(4)"),
        init="self.generator = torch.Generator().manual_seed(3)",
    ),
)
