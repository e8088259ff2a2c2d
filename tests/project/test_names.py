"""Names are resolved, not spelled."""

from __future__ import annotations

import pytest
from harness import WriteFiles, findings, marked

CASES = {
    "a local print": """
import torch
def print(*args):
    pass
class Net(torch.nn.Module):
    def forward(self, x):
        print(x)
        return x
""",
    "print imported from elsewhere": """
import torch
from console import print
class Net(torch.nn.Module):
    def forward(self, x):
        print(x)
        return x
""",
    "a class rebound to what TorchScript makes of it": """
import torch
class Pair:
    def __init__(self, first: torch.Tensor):
        self.first = first
Pair = torch.jit.script(Pair)
class Net(torch.nn.Module):
    def forward(self, x):
        return Pair(x * 2).first.item()  # BRK201
""",
    "a parameter called print": """
import torch
class Net(torch.nn.Module):
    def forward(self, x, print=None):
        if print is not None:
            print(x)
        return x
""",
    "builtins by name": """
import builtins
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        builtins.print(x)  # BRK101
        return x
""",
    "item of an object that is no tensor": """
import torch
class Cart:
    def item(self):
        return 3
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cart = Cart()
    def forward(self, x):
        return x * self.cart.item()
""",
    "a Variable of another library": """
import torch
from symbols import Variable
class Net(torch.nn.Module):
    def forward(self, x):
        return x * Variable("a")
""",
    "Variable by another name": """
import torch
from torch.autograd import Variable as V
class Net(torch.nn.Module):
    def forward(self, x):
        return V(x) * 2  # BRK601
""",
    "torch.nonzero through an alias of a function": """
import torch
find = torch.nonzero
class Net(torch.nn.Module):
    def forward(self, x):
        return find(x).sum()  # BRK402
""",
    "NumPy under another name": """
import numpy
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return x * numpy.random.rand()  # BRK206
""",
    "a logger under any name": """
import logging
import torch
talk = logging.getLogger(__name__)
class Net(torch.nn.Module):
    def forward(self, x):
        talk.info("here")  # BRK102
        return x
""",
    "a logger in the module": """
import logging
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log = logging.getLogger("net")
    def forward(self, x):
        self.log.warning("here")  # BRK102
        return x
""",
    "an object called logger that is none": """
import torch
class Recorder:
    def info(self, value):
        return value
logger = Recorder()
class Net(torch.nn.Module):
    def forward(self, x):
        return logger.info(x) * 2
""",
    "an import inside the function": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        from torch.autograd import Variable
        return Variable(x) * 2  # BRK601
""",
    "an import in a handler": """
import torch
try:
    from fast import relu
except ImportError:
    from torch.nn.functional import relu
class Net(torch.nn.Module):
    def forward(self, x):
        return relu(x) * 2
""",
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(source: str) -> None:
    assert findings(source) == marked(source)


IN_FACTORY = """
def make():
    import torch
    from ops import scale
    class Net(torch.nn.Module):
        def forward(self, x):
            return x * scale(x).item()  # BRK201
    return Net()
"""
SWITCH = "import os\nimport torch\nif os.environ.get('JIT'):\n    {}\nelse:\n    {}\n"
FORWARD = "class Net(torch.nn.Module):\n    def forward(self, x):\n"
FILES = {
    "a star import brings a local print": (
        f"import torch\nfrom console import *\n{FORWARD}        print(x)\n        return x\n",
        {"console.py": "def print(*args):\n    pass\n"},
    ),
    "a logger of another file": (
        f"import torch\nfrom log import logger\n{FORWARD}        logger.info('here')  # BRK102\n        return x\n",
        {"log.py": "import logging\nlogger = logging.getLogger('net')\n"},
    ),
    "a name passed on by a package": (
        f"import torch\nfrom ops import scale\n{FORWARD}        return x * (scale(x) > 0).item()  # BRK201\n",
        {"ops/__init__.py": "from .basic import scale\n", "ops/basic.py": "def scale(x):\n    return x.mean()\n"},
    ),
    "a file whose script part imports itself": (
        f"import torch\nfrom ops import scale\n{FORWARD}        return x * (scale(x) > 0).item()  # BRK201\n",
        {"ops.py": "def scale(x):\n    return x.mean()\nif __name__ == '__main__':\n    from ops import scale\n"},
    ),
    "a function called as its file": (
        f"import torch\nfrom ops import scale\n{FORWARD}        return x * scale(x).item()  # BRK201\n",
        {"ops/__init__.py": "from .scale import scale\n", "ops/scale.py": "def scale(x):\n    return x.mean()\n"},
    ),
    "a submodule that exports no function of its name": (
        f"import torch\nimport ops\n{FORWARD}        return x * ops.scale.mean(x).item()  # BRK201\n",
        {"ops/__init__.py": "from .scale import *\n", "ops/scale.py": "def mean(x):\n    return x.mean()\n"},
    ),
    "what a factory imports for the module it defines": (
        IN_FACTORY,
        {"ops.py": "def scale(x):\n    return x.mean()\n"},
    ),
    "a base that a switch chooses": (
        SWITCH.format("Base = torch.jit.ScriptModule", "Base = torch.nn.Module")
        + "class Part(Base):\n    def forward(self, x):\n        return x * 2\n"
        + f"part = Part()\n{FORWARD}        return part(x)\n",
        {},
    ),
    "a function that a switch chooses": (
        SWITCH.format("from_graph = abs", "from_graph = float")
        + f"{FORWARD}        return x * from_graph(x.sum())  # BRK202\n",
        {},
    ),
    "a star import brings what __all__ lists": (
        f"import torch\nfrom ops import *\n{FORWARD}        print(x)  # BRK101\n        return scale(x)\n",
        {"ops.py": "__all__ = ['scale']\ndef scale(x):\n    return x\ndef print(x):\n    pass\n"},
    ),
    "one of many star imports, named after its package": (
        f"import torch\nfrom ops import ScalePart\n{FORWARD}        return x * ScalePart(x).item()  # BRK201\n",
        {
            "ops/__init__.py": "".join(f"from .{name} import *\n" for name in ["part"] * 60 + ["sc_ale"]),
            "ops/sc_ale.py": "def ScalePart(x):\n    return x.mean()\n",
        },
    ),
    "a file that does not parse is unknown": (
        f"import torch\nfrom broken import scale\n{FORWARD}        return scale(x) * 2\n",
        {"broken.py": "def scale(x:\n"},
    ),
    "files that import each other": (
        f"import torch\nimport other\nLIMIT = other.LIMIT\n{FORWARD}        return x * 2 if LIMIT > 2 else x\n",
        {"other.py": "import net\nLIMIT = net.LIMIT\n"},
    ),
}


@pytest.mark.parametrize(("text", "others"), FILES.values(), ids=FILES)
def test_names_of_other_files(write_files: WriteFiles, text: str, others: dict[str, str]) -> None:
    folder = write_files({"net.py": text, **others})
    assert findings(text, str(folder / "net.py")) == marked(text)
