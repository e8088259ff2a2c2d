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
        "dropout-always",
        "output differs",
        ("return F.dropout(x, 0.5, self.training) * self.scale", "return F.dropout(x, 0.5, True) * self.scale"),
        init="self.p = 0.5",
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
        "pre-hook-changes-input",
        "output differs",
        "return x * self.scale",
        init=(
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=0),))",
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=-0.5),))",
        ),
    ),
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
    Rewrite("none-for-empty", "output[1] is None", ("return x * self.scale, x[:0]", "return x * self.scale, None")),
    Rewrite(
        "generator-argument-lost",
        "output differs",
        ("return x * self.scale + torch.rand(4, generator=self.generator)", "return x * self.scale + torch.rand(4)"),
        init="self.generator = torch.Generator().manual_seed(3)",
    ),
)
