"""Models that safe fixes change, with room between definition and use, for kinds of which generated models are few."""

from __future__ import annotations

from differential.source import Model

NUMPY, OLD = "import numpy as np", "from torch.autograd import Variable"
COUNTED = 'self.register_buffer("count", torch.tensor(2)); self.deep, self.limit = False, 3'
CONTAINERS = ("SCALES = [2.0, 3.0]", "OPTIONS = {'scale': 2.0}")
SEEDS = {
    "new-empty": [
        Model("z = x.new().resize_(self.sizes[1])\nreturn z.shape, x"),
        Model("z = x.new().resize_(SIZES[0], 2)\nreturn z.shape, x", head=("SIZES = SCALES = [2, 3]",)),
    ],
    "drop-variable": [
        Model("t = x * 2\nz = Variable(t)\nt = self.offset\nreturn z, t", head=(OLD,)),
        Model("self.kept = self.offset\nz = Variable(self.kept)\nreturn z * x", head=(OLD,)),
        Model("found = [x]\nfound.append(self.offset)\nz = Variable(found[1])\nreturn z * x", head=(OLD,)),
    ],
    "drop-gradient": [
        Model("v = torch.zeros(3)\nz = x * 2\nv.requires_grad = False\nreturn v, z"),
        Model("v = torch.ones(x.shape)\nv.requires_grad = False\nz = v * x\nreturn z"),
    ],
    "guard-compiling": [
        Model(
            "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    z = x * 2\nreturn z",
            head=("import warnings",),
        ),
        Model("self.training and print(x.shape)\nreturn x * 2"),
        Model("z = x * 2\nprint(z.shape) if x.dim() > 1 else None\nreturn z"),
    ],
    "keep-tensor": [
        Model("n = self.count.item()\nz = x + 1\nif self.deep:\n    z = z * n\nreturn z", made=COUNTED),
        Model("n = self.count.item()\nif self.limit > 2:\n    x = x * n\nreturn x", made=COUNTED),
        Model("n = int(self.count)\nz = x\nif self.training:\n    z = x * n\nreturn z", made=COUNTED),
        Model("c = torch.zeros(3)\nz = x == 0\nc[0] = z.sum().item()\nreturn c"),
    ],
    "math-function": [
        Model("s = x.shape\nn = int(np.prod(s))\nreturn x * n", head=(NUMPY,)),
        Model("n = int(np.prod(self.sizes))\nreturn x * n", head=(NUMPY,)),
        Model("n = int(np.prod([2, 3]))\nz = x * n\nreturn z", head=(NUMPY,)),
    ],
    "torch-where": [
        Model("h = torch.exp(x)\nz = h * 2 if h.sum() > 2 else -h\nreturn z"),
        Model("z = x * self.sizes[1] if x.sum() > 2 else x * 3\nreturn z"),
        Model("z = x * SCALES[0] if x.sum() > 2 else -x\nreturn z", head=CONTAINERS),
        Model("if y.sum() > 2:\n    z = x * OPTIONS['scale']\nelse:\n    z = -x\nreturn z", head=CONTAINERS),
        Model("z = x * self.limit if x.sum() > 2 else -x\nreturn z", made=COUNTED),
        Model("z = x * self.offset if x.sum() > 2 else x * 2\nreturn z"),
        Model("z = x * 2 if x.mean() > 0 else x / 2\nreturn z"),
        Model("h = x\nif torch.std(h.abs()) > 0:\n    z = h - 1\nelse:\n    z = -h\nreturn z * y"),
        Model("h = torch.tanh(x) + 1\nif h.sum() > 2:\n    z = h * 2\nelse:\n    z = h * 3\nreturn z * x"),
    ],
}
