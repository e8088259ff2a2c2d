"""A value that a function or method gives is no proof where the file may put another one in its place."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from hostile_snippets import MODEL, attacked

SEVEN = "lambda *given: 7"
METHOD = "    def helper(self, t):\n        return t * 2\n\n"
FORWARD = "        return Variable(self.{}(x))"
FIRST, LAST = "    def tick(self)", "        self.ticks = 0\n"

IN_THE_CLASS = {
    "in a list": f"    [helper] = [{SEVEN}]\n",
    "under a condition": "    if torch:\n        def helper(self, t):\n            return 7\n",
    "plainly": f"    helper = {SEVEN}\n",
    "by a loop": f"    for helper in [{SEVEN}]:\n        pass\n",
    "inside an expression": f"    (helper := {SEVEN})\n",
    "in the namespace": f"    locals()['helper'] = {SEVEN}\n",
    "wrapped by hand": f"    helper = (lambda f: {SEVEN})(helper)\n",
    "by a decorator": f"    @(lambda f: {SEVEN})\n    def helper(self, t):\n        return t\n",
    "by a decorator of the file": "    @named\n    def helper(self, t):\n        return t\n",
}
BELOW = {
    "by an assignment": f"Net.helper = {SEVEN}",
    "by setattr": f"setattr(Net, 'helper', {SEVEN})",
    "by the setter of all classes": f"type.__setattr__(Net, 'helper', {SEVEN})",
    "by a loop": f"for Net.helper in [{SEVEN}]:\n    pass",
    "in a row": f"Net.helper, k = ({SEVEN}), 1",
    "under another name": f"K = Net\nK.helper = {SEVEN}",
    "by a function": f"def patch(c):\n    c.helper = {SEVEN}\n\n\npatch(Net)",
    "by what looks attributes up": "Net.__getattribute__ = lambda self, n: (lambda t: 7) if n == 'helper' else "
    "torch.nn.Module.__getattribute__(self, n)",
    "by a class made below": f"Net = type('Net', (Net,), {{'helper': {SEVEN}}})",
    "by a class below": "class Net(Net):\n    def helper(self, t):\n        return 7",
    "by a decorator of the class": f"def patched(c):\n    c.helper = {SEVEN}\n    return c\n\n\nNet = patched(Net)",
}
IN_THE_OBJECT = {
    "by an assignment": f"self.helper = {SEVEN}",
    "by setattr": f"setattr(self, 'helper', {SEVEN})",
    "in its dictionary": f"self.__dict__['helper'] = {SEVEN}",
    "by an update": f"self.__dict__.update(helper={SEVEN})",
    "by an update with a dictionary": f"self.__dict__.update({{'helper': {SEVEN}}})",
    "in its variables": f"vars(self)['helper'] = {SEVEN}",
    "past the class": f"object.__setattr__(self, 'helper', {SEVEN})",
    "in a row": f"self.helper, k = ({SEVEN}), 1",
    "by a loop over names": f"[setattr(self, n, {SEVEN}) for n in ['helper']]",
}
MODULE_LEVEL = {
    "in a list": f"[given] = [{SEVEN}]",
    "under a condition": "if torch:\n    def given(t):\n        return 7",
    "by a loop": f"for given in [{SEVEN}]:\n    pass",
    "by a function": f"def other():\n    global given\n    given = {SEVEN}\n\n\nother()",
    "by a decorator": f"@(lambda f: {SEVEN})\ndef given(t):\n    return t",
    "in the namespace": f"globals()['given'] = {SEVEN}",
    "plainly": f"given = {SEVEN}",
}


def model(in_class: str = "", in_object: str = "", below: str = "", above: str = "", reads: str = "helper") -> str:
    text = MODEL.format(body=FORWARD.format(reads).replace("self.given", "given"))
    text = text.replace(FIRST, METHOD + in_class + "\n" + FIRST, 1).replace(LAST, f"{LAST}        {in_object}\n", 1)
    functions = (
        f"import torch\n\n\ndef named(f):\n    return {{}}.get(f, {SEVEN})\n\n\ndef given(t):\n    return t * 2\n\n\n"
    )
    return f"{functions}{above}\n{text}\n{below}\n"


def test_what_a_method_or_function_gives_is_a_proof_otherwise() -> None:
    assert attacked(model())[0].fixes
    assert attacked(model(reads="given"))[0].fixes


@pytest.mark.parametrize("form", IN_THE_CLASS)
def test_a_method_that_its_class_binds_again_is_no_proof(form: str) -> None:
    assert not attacked(model(in_class=IN_THE_CLASS[form]))[0].fixes


@pytest.mark.parametrize("form", BELOW)
def test_a_method_that_the_file_replaces_is_no_proof(form: str) -> None:
    assert not attacked(model(below=BELOW[form]))[0].fixes


@pytest.mark.parametrize("form", IN_THE_OBJECT)
def test_a_method_that_the_object_hides_is_no_proof(form: str) -> None:
    assert not attacked(model(in_object=IN_THE_OBJECT[form]))[0].fixes


@pytest.mark.parametrize("form", MODULE_LEVEL)
def test_a_function_that_the_file_binds_again_is_no_proof(form: str) -> None:
    assert not attacked(model(above=MODULE_LEVEL[form], reads="given"))[0].fixes


@pytest.mark.parametrize(
    "form", ["[N] = [-1]", "for N in [-1]:\n    pass", "N -= 4", "if torch:\n    N = -1", "[N := -1]"]
)
def test_a_number_that_the_file_binds_again_is_no_proof(form: str) -> None:
    text = MODEL.format(body="        return x * int(np.prod([N]))")
    assert attacked(f"import torch\nN = 3\n{text}")[0].fixes
    assert not attacked(f"import torch\nN = 3\n{form}\n{text}")[0].fixes


def test_a_function_is_not_a_method_of_its_name() -> None:
    stored = "self.add_module('given', torch.nn.ReLU())"
    assert attacked(model(reads="given", in_class="    def given(self):\n        pass\n", in_object=stored))[0].fixes


def test_that_a_new_tensor_needs_no_gradient_rests_on_nothing_else_that_is_read() -> None:
    body = "        self.tick()\n        return Variable(torch.zeros(3, device=x.device)) + self.limit"
    below = "class Other(Net):\n    limit = 4\n    def tick(self):\n        return 7"
    assert attacked(f"{MODEL.format(body=body)}\n{below}\n")[0].fixes
    for other in ("lambda *n, **k: 3", "torch.ones"):
        replaced = f"{MODEL.format(body=body)}\ntorch.zeros = {other}\n"
        assert not attacked(replaced)[0].fixes


def test_a_library_that_another_function_may_not_mean_makes_a_fix_unsafe_and_is_named() -> None:
    body = "        v = torch.zeros(3)\n        v.requires_grad = False\n        return x.detach() + v"
    own = "class MSELoss(torch.nn.Module):\n    def forward(self, a):\n        return MSELoss()"
    text = f"{MODEL.format(body=body)}\n{own}\nfrom torch.nn import MSELoss\n"
    assert not attacked(text)[0].fixes
    rewrite, differences = attacked(text, unsafe=True)
    assert rewrite.fixes
    assert not differences
    assert all("`MSELoss` may be something else here" in fix.why for _, fix in rewrite.fixes)


OWN = "class MSELoss(torch.nn.Module):\n    def __init__(self):\n        "
SUPER = f"{OWN}super(MSELoss, self).__init__()"
CLASSES = {
    "its own class alone": (SUPER, "", True),
    "the library's, made below": (SUPER, "def made():\n    return MSELoss()", True),
    "itself": (f"{OWN}print(MSELoss)", "", False),
    "decorated": (f"@print\n{SUPER}", "", False),
    "under another name": (f"{SUPER}\nOther = MSELoss", "", False),
    "another super": (f"super = print\n{SUPER}", "", False),
}


@pytest.mark.parametrize(("own", "below", "safe"), CLASSES.values(), ids=CLASSES)
def test_a_class_that_only_itself_can_name_makes_no_doubt(own: str, below: str, safe: bool) -> None:
    body = "        v = torch.zeros(3)\n        v.requires_grad = False\n        return x.detach() + v"
    text = f"{MODEL.format(body=body)}\n{own}\nfrom torch.nn import MSELoss\n{below}\n"
    assert bool(attacked(text)[0].fixes) is safe
