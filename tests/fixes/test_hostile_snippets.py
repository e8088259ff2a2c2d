"""Hostile snippets, each named after the law that it attacks: what safe fixes make of them does what they did."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("torch")

import torch
from hostile_snippets import MODEL, attacked, snippets
from nightly import one_in
from torch.autograd import forward_ad

SNIPPETS = snippets()


@pytest.fixture(scope="module", autouse=True)
def _torch_has_warned() -> None:
    """The first derivative in forward mode imports code that warns once in a process, and not of a snippet."""
    with warnings.catch_warnings(), forward_ad.dual_level():
        warnings.simplefilter("ignore")
        forward_ad.make_dual(torch.ones(1), torch.ones(1))


@pytest.mark.parametrize("law", one_in(5, sorted(SNIPPETS)))
def test_a_safe_fix_changes_nothing_of_a_hostile_snippet(law: str) -> None:
    rewrite, found = attacked(SNIPPETS[law])
    assert not found, f"{found[0]}"
    compile(rewrite.text, law, "exec")


def test_many_snippets_are_fixed_all_the_same() -> None:
    fixed = [
        "v = Variable(x)",
        "return pow(x, 2)",
        "return x * int(np.prod(x.shape))",
        "return x * int(np.prod(list(x.shape)))",
    ]
    for body in fixed:
        assert attacked(MODEL.format(body=f"        {body}"))[0].fixes, body


def test_a_placeholder_that_an_import_surely_replaced_stands_in_no_ones_way() -> None:
    text = MODEL.format(body="        return x * int(np.prod(x.shape))")
    for first in ("np = None", "for np in range(2):\n    pass", "try:\n    np = 1\nexcept ValueError as np:\n    pass"):
        assert attacked(f"{first}\n{text}")[0].fixes, first
    assert not attacked(f"{text}\nnp = None")[0].fixes


OTHER = """\
class Other:
    def __call__(self, *given):
        return 7
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return False


"""
REBOUND = {
    "in a list": "[getattr] = [Other()]",
    "beside others": "a, (getattr, *b) = 1, (Other(), 2)",
    "in a comprehension": "[getattr := Other() for _ in range(1)]",
    "by a loop": "for getattr in [Other()]:\n    pass",
    "by a context": "with Other() as getattr:\n    pass",
    "by a match": "match Other():\n    case getattr:\n        pass",
    "in the namespace of the file": "globals()['getattr'] = Other()",
    "by a function": "def other():\n    global getattr\n    getattr = Other()\n\n\nother()",
    "as text": "exec('getattr = Other()')",
    "plainly": "getattr = Other()",
}


@pytest.mark.parametrize("form", REBOUND)
def test_a_value_read_by_a_builtin_that_the_file_binds_is_not_trusted(form: str) -> None:
    text = MODEL.format(body="        return Variable(getattr(self, 'buffer'))")
    assert attacked(text)[0].fixes
    assert not attacked(OTHER + REBOUND[form] + "\n" + text)[0].fixes
