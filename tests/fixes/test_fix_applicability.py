"""How far each fix can be trusted, and what a finding without one says."""

from __future__ import annotations

import pytest
from writing import applicability, findings, fixed, model, reason

from breaklint.lint.engine import check_source
from breaklint.model import Applicability, Settings

LEGACY = "import torch\nfrom torch.autograd import Variable"
FLOAT = "y = torch.tanh(x) + 0.5\n"
TELLING = "import torch\nfrom helpers import tell"

SAFE = {
    "Variable of a tensor": ("return Variable(x)", LEGACY),
    "Variable of a new tensor": ("return Variable(torch.zeros(2)) + x", LEGACY),
    "print": ("print(1)\nreturn x", "import torch"),
    "pow": ("return pow(x, 2)", "import torch"),
    "Variable in the condition around it": ("if Variable(x).sum() > 0:\n    return x\nreturn x * 2", LEGACY),
    "a flag on the line of other statements": (
        "y = torch.ones(2); y.requires_grad = False; tell(); tell()\nreturn x + y",
        TELLING,
    ),
    "volatile, which does nothing": ("return Variable(x, volatile=True)", LEGACY),
}

UNSAFE = {
    "a random number that CUDA graphs miscompile": ("return x * random.random()", "import random\nimport torch"),
    "what may not be a tensor": ("return Variable(self.state)", LEGACY),
    "a number kept as a tensor": ("return x * x.mean().item()", "import torch"),
    "a slope that may be NaN": (FLOAT + "return torch.sqrt(y) if y.sum() > 0 else y * 2", "import torch"),
    "an integer stored among numbers of a dtype": (
        "b = torch.zeros(3, dtype=torch.uint8)\nb[0] = (x == 0).sum().item()\nreturn b",
        "import torch",
    ),
    "a masked sum": ("return x[x > 0].sum()", "import torch"),
}


@pytest.mark.parametrize(("body", "head"), SAFE.values(), ids=SAFE)
def test_safe(body: str, head: str) -> None:
    assert applicability(body, head=head) == "safe"


@pytest.mark.parametrize(("body", "head"), UNSAFE.values(), ids=UNSAFE)
def test_unsafe_with_a_reason(body: str, head: str) -> None:
    assert applicability(body, head=head) == "unsafe"
    fix = findings(body, head=head)[0].fix
    assert fix is not None
    assert fix.why


@pytest.mark.parametrize(("body", "head"), UNSAFE.values(), ids=UNSAFE)
def test_an_unsafe_fix_is_not_written_unasked(body: str, head: str) -> None:
    assert fixed(body, unsafe=False, head=head) == body


def test_the_flag_of_a_new_tensor_that_asks_for_a_gradient_stays() -> None:
    body = "v = torch.ones(2, requires_grad=True)\nif x.dim() > 1:\n    v.requires_grad = False\nreturn -v"
    assert fixed(body, unsafe=False) == body


REASONS = {
    "yielded": ("yield x.sum().item()", "it is yielded"),
    "index": ("return x[x.argmax().item()]", "it is used as an index of `x`"),
    "slice": ("return x[: x.argmax().item()]", "it bounds a slice of `x`"),
    "a list": ("return x * [x.sum().item()][0]", "it is stored in a list"),
    "a count as a size": (
        "return torch.zeros(len(x.nonzero()))",
        "the use of the result determines an equivalent with a fixed shape",
    ),
    "a count of indexes": (
        "return x * x.nonzero().numel()",
        "the use of the result determines an equivalent with a fixed shape",
    ),
    "text": ("return str(x.sum().item())", "it is passed to `str`"),
    "shape": (
        "return x if x.sum() > 0 else x[0]",
        "Both sides are computed: an infinity, a NaN or an error in the side that is not selected counts, also in the "
        "gradient. The result needs a gradient if either side does, and integers may get another dtype.",
    ),
    "while": (
        "while x.sum() > 0:\n    x = x - 1\nreturn x",
        "how often a `while` loop runs depends on data; torch.while_loop takes functions",
    ),
    "an operand": ("return x * (x.sum() and x.max())", "the condition is part of a larger expression"),
    "in place": ("y = x * 2\nif y.sum() > 0:\n    y += 1\nreturn y", "a branch changes a value in place"),
}


@pytest.mark.parametrize(("body", "text"), REASONS.values(), ids=REASONS)
def test_a_finding_without_a_fix_says_why(body: str, text: str) -> None:
    assert reason(body) == text


NUMPY = {
    "bounds that are no numbers": (
        "return x * np.random.randint(x.numpy())",
        "breaklint cannot infer that its bounds are two numbers",
    ),
    "a draw of several numbers": (
        "return x * np.random.uniform(1, 2, 3)",
        "breaklint cannot infer that its bounds are two numbers",
    ),
    "a choice": (
        "return x[np.random.choice(4, 2)]",
        "neither Python nor torch draws such numbers in a form that is traced; torch.randperm and torch.multinomial "
        "choose among the items of a tensor",
    ),
}


@pytest.mark.parametrize(("body", "text"), NUMPY.values(), ids=NUMPY)
def test_a_call_of_numpy_without_a_fix_says_why(body: str, text: str) -> None:
    assert reason(body, head="import numpy as np\nimport torch") == text


WARNS = "with warnings.catch_warnings():\n    warnings.simplefilter({action})\n    return x * 2"


@pytest.mark.parametrize(
    "body",
    [
        WARNS.format(action='"ignore"'),
        WARNS.format(action='"error"'),
        WARNS.format(action="self.action"),
        'warnings.simplefilter("ignore")\nreturn x * 2',
    ],
    ids=["ignored inside", "made errors", "not known", "for good"],
)
def test_a_filter_of_warnings_that_eager_mode_sets_as_before_is_safe(body: str) -> None:
    assert applicability(body, head="import warnings\n\nimport torch") == "safe"


SAYING = "import logging\nimport warnings\nimport torch\n\nlogger = logging.getLogger(__name__)"
SAID = {
    "print": 'print("shape", x.shape)',
    "a logger": 'logger.info("shape %s", x.shape)',
    "a logger's warning": 'logger.warning(f"shape {x.shape}")',
    "the root logger": 'logging.error("shape")',
    "a warning": 'warnings.warn("shape")',
}
DOING = [
    "print(self.tokens.pop())",
    "print(x.add_(1))",
    "print(torch.rand(1))",
    "logger.info('%s', next(self.steps))",
    "rows = (row for row in x)\nprint(list(rows))",
]
GUARDED = "if not torch.compiler.is_compiling():\n    {}\nreturn x * 2"


@pytest.mark.parametrize("said", SAID)
def test_prints_loggers_and_warnings_are_fixed_alike(said: str) -> None:
    body, written = f"{SAID[said]}\nreturn x * 2", GUARDED.format(SAID[said])
    assert fixed(body, head=SAYING) == written
    assert fixed(body, unsafe=False, head=SAYING) == (written if said in ("print", "a logger") else body)


@pytest.mark.parametrize("call", DOING)
def test_a_message_whose_arguments_have_side_effects_is_not_safe_to_guard(call: str) -> None:
    body = f"{call}\nreturn x * 2"
    before, _, told = call.rpartition("\n")
    assert fixed(body, head=SAYING) == before + "\n" * bool(before) + GUARDED.format(told)
    assert fixed(body, unsafe=False, head=SAYING) == body


def test_a_message_that_a_handler_may_skip_or_a_property_that_counts_is_not_safe_to_guard() -> None:
    assert applicability("try:\n    print(x[9])\nexcept IndexError:\n    x = x + 1\nreturn x") == "unsafe"
    assert applicability("try:\n    print(x.shape)\nexcept IndexError:\n    x = x + 1\nreturn x") == "safe"
    counting = (
        "import torch\n\n\nclass Base(torch.nn.Module):\n    @property\n    def uses(self):\n"
        "        self.count += 1\n        return self.count"
    )
    text = model("print(self.uses)\nreturn x", head=counting).replace("Net(torch.nn.Module)", "Net(Base)")
    (finding,) = check_source(text, "net.py", Settings(select=("BRK101",))).findings
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE


STORES = {
    "torch.nn.Module.apply = lambda self, f: f(self)": "unsafe",
    "torch.Tensor.smart_apply = lambda self, f: f(self)": "unsafe",
    "del torch.compiler": "unsafe",
    "torch.backends.cudnn.benchmark = True": "safe",
    "torch.manual_seed(0)": "safe",
}


@pytest.mark.parametrize("line", STORES)
def test_a_file_that_stores_into_a_module_that_it_imports_gets_no_safe_fix(line: str) -> None:
    assert applicability("print(x)\nreturn x", head=f"import torch\n\n{line}") == STORES[line]


HOLDER = """\
import torch
from torch.autograd import Variable


class Base(torch.nn.Module):
    def reset(self):
        {reset}


class Net(Base):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(3))
        self.scale = 2

    def forward(self, x: torch.Tensor):
        mask = self.mask * 2
        return Variable(mask) * x


class Other(Net):
    def close(self):
        {close}
"""
KINDS = {
    "another attribute": ("self.scale = None", "pass", "safe"),
    "a tensor": ("self.mask = torch.zeros(3)", "self.mask = self.mask * 2", "safe"),
    "what is not known": ("self.mask = self.make()", "pass", "safe"),
}


@pytest.mark.parametrize("case", KINDS)
def test_an_attribute_keeps_the_kind_that_its_class_gives_it(case: str) -> None:
    reset, close, expected = KINDS[case]
    result = check_source(HOLDER.format(reset=reset, close=close), "model.py", Settings()).findings
    fixes = [item.fix for item in result if item.fix is not None and item.fix.kind == "drop-variable"]
    assert {fix.applicability.value for fix in fixes} == {expected}


@pytest.mark.parametrize(
    "condition", ["(n := x.sum()) > 3", "(n := x.sum().item()) > 3", "len(n := torch.unique(x)) > 3"]
)
def test_a_check_that_gives_a_name_is_not_skipped_when_compiled(condition: str) -> None:
    assert "is_compiling" not in fixed(f'if {condition}:\n    raise ValueError("large")\nreturn x, n')


KEPT = {
    "also returned": "n = torch.unique(x).numel()\nif n > 1:\n    raise ValueError\nreturn x, n",
    "with an else": "n = torch.unique(x).numel()\nif n > 1:\n    raise ValueError\nelse:\n    x = x * 2\nreturn x",
    "assigned again": "n = torch.unique(x).numel()\nif n > 1:\n    raise ValueError\nn = 3\nreturn x",
    "read in a function inside": (
        "n = torch.unique(x).numel()\ndef later():\n    if n > 1:\n        raise ValueError\nreturn later"
    ),
    "of a call that may do more": "n = torch.unique(self.seen(x)).numel()\nif n > 1:\n    raise ValueError\nreturn x",
    "shared with the file": "global n\nn = torch.unique(x).numel()\nif n > 1:\n    raise ValueError\nreturn x",
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_value_that_more_than_checks_need_is_computed_when_compiled(body: str) -> None:
    assert "is_compiling" not in fixed(body)


STORED = {
    "only one branch assigns": "h = x * 2\nif h.sum() > 0:\n    self.kept = h * 2\nreturn h",
    "parameters": "if x.sum() > 0:\n    self.kept = self.a\nelse:\n    self.kept = self.b\nreturn x",
    "numbers": "if x.sum() > 0:\n    self.kept = 1.0\nelse:\n    self.kept = 2.0\nreturn x",
    "one value needs the other": (
        "if x.sum() > 0:\n    self.a = x * 2\n    self.b = self.a + 1\nelse:\n"
        "    self.a = x * 3\n    self.b = self.a - 1\nreturn x"
    ),
    "the condition reads it": (
        "if self.kept.sum() > 0:\n    self.kept = x * 2\n    y = x * 2\nelse:\n    self.kept = x * 3\n    y = x * 3\n"
        "return y"
    ),
    "an entry whose place is computed": (
        "k = [x]\nif x.sum() > 0:\n    k[len(k) - 1] = x * 2\nelse:\n    k[len(k) - 1] = x * 3\nreturn k"
    ),
    "another attribute": "if x.sum() > 0:\n    self.a = x * 2\nelse:\n    self.b = x * 3\nreturn x",
}


@pytest.mark.parametrize("body", STORED.values(), ids=STORED)
def test_what_branches_store_is_left_unless_both_store_tensors_that_are_alike(body: str) -> None:
    assert fixed(body) == body
