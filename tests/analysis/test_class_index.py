"""The classes that may derive from one, whatever their base is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_connected import fixed

NET = """\
import torch


class Net(torch.nn.Module):
    scale = 2.0

    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(1, 1)

    def forward(self, x: torch.Tensor):
        h = self.lin(x.float().reshape(-1, 1))
        if h.mean() > 0:
            z = h * self.scale
        else:
            z = h * 3.0
        return z * 1.0
"""
INFINITE = "    scale = float('inf')\n"
THIS = "import net, sys\nthis = sys.modules[__name__]\n"
DERIVING = {
    "a name that the file gets as a module": f"{THIS}this.B = net.Net\nclass C(this.B):\n{INFINITE}",
    "a class of the file, replaced": f"{THIS}class B:\n    pass\nthis.B = net.Net\nclass C(this.B):\n{INFINITE}",
    "the same name": f"from net import Net\nclass Net(Net):\n{INFINITE}",
    "an alias of a name that is bound again": f"from net import Net\nB = Net\nclass Net(B):\n{INFINITE}",
    "an alias under a test": f"import net\nif net:\n    B = net.Net\nelse:\n    B = object\nclass C(B):\n{INFINITE}",
    "an alias in a row": f"import net\nB, other = net.Net, 3\nclass C(B):\n{INFINITE}",
    "an alias of a walrus": f"import net\nprint(B := net.Net)\nclass C(B):\n{INFINITE}",
    "the result of a function": f"import net\ndef f():\n    return net.Net\nclass C(f()):\n{INFINITE}",
    "an item": f"import net\nKNOWN = [net.Net]\nclass C(KNOWN[0]):\n{INFINITE}",
    "what getattr gives": f"import net\nclass C(getattr(net, 'Net')):\n{INFINITE}",
    "a parameter": f"import net\ndef f(B):\n    class C(B):\n    {INFINITE}    return C\nC = f(net.Net)\n",
    "an import that may fail": f"try:\n    from net import Net as B\nexcept:\n    B = 3\nclass C(B):\n{INFINITE}",
    "the second of two stars": f"from other import *\nfrom net import *\nclass C(Net):\n{INFINITE}",
    "types.new_class": "import net, types\ntypes.new_class('C', (net.Net,), {}, lambda d: d.update(scale=3))\n",
    "type of a row": "import net\ntype('C', *[(net.Net,), dict(scale=3)])\n",
    "type of names that are computed": "import net\nnames = dict(scale=3)\ntype('C', (net.Net,), names)\n",
    "make_dataclass": "import net\nfrom data import *\nmake_dataclass('C', [('scale', int, 3)], bases=(net.Net,))\n",
}  # fmt: skip
APART = {
    "a base of a library": "import net, torch\nclass C(torch.nn.Module):\n    scale = 3\n",
    "an error": "import net\nclass C(Exception):\n    scale = 3\n",
    "a builtin": "import net\ntry:\n    from a import B\nexcept:\n    B = object\nclass C(B):\n    scale = 3\n",
    "a class of the file as a module": f"{THIS}that = this\nclass B:\n    pass\nclass C(that.B):\n    scale = 3\n",
    "a class of the file": "import net\nclass B:\n    pass\nclass C(B):\n    scale = 3\n",
    "other names": "import net\ndef f(B):\n    class C(B):\n        other = 3\nf(net.Net)\n",
}  # fmt: skip


@pytest.mark.parametrize("way", DERIVING)
def test_a_class_that_may_derive_from_another_may_override_its_names(tmp_path: Path, way: str) -> None:
    assert fixed(tmp_path, net=NET, main=DERIVING[way], other="") == 0


@pytest.mark.parametrize("way", APART)
def test_a_class_of_known_bases_overrides_nothing_of_others(tmp_path: Path, way: str) -> None:
    assert fixed(tmp_path, net=NET, main=APART[way]) == 1
