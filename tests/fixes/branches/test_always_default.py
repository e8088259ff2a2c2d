"""Defaults that are set in eager mode alone: set when compiled as well where the question is only that."""

from __future__ import annotations

import pytest
from writing import findings, fixed

ARGUMENTS = "x: torch.Tensor, k: torch.Tensor | None = None"
ASKS = "import torch\n\n\ndef compiling():\n    {}"
TRY = "try:\n        import torch\n\n        return torch.compiler.is_compiling()\n    except Exception:\n        "
TRY += "return False"
NEEDED = "    k = torch.ones_like(x)\nreturn x * k[0]"


@pytest.mark.parametrize(
    ("asked", "head"),
    [
        ("torch.compiler.is_compiling()", "import torch"),
        ("is_compiling()", "import torch\nfrom torch.compiler import is_compiling"),
        ("compiling()", ASKS.format("return torch.compiler.is_compiling()")),
        ("compiling()", ASKS.format(TRY)),
    ],
    ids=["torch", "by another name", "a function that asks", "a function that asks where it can"],
)
def test_the_question_is_dropped(asked: str, head: str) -> None:
    body = f"if k is None and not {asked}:\n{NEEDED}"
    assert fixed(body, False, ARGUMENTS, head) == f"if k is None:\n{NEEDED}"


@pytest.mark.parametrize(
    "answer",
    [
        "print('asked')\n    return torch.compiler.is_compiling()",
        "return torch.compiler.is_compiling() or bool(torch.get_num_threads())",
        "if torch.is_grad_enabled():\n        return True\n    return torch.compiler.is_compiling()",
    ],
    ids=["a function that does more", "a function that asks for more", "a function that decides more"],
)
def test_a_function_that_may_answer_otherwise_is_no_safe_fix(answer: str) -> None:
    body = f"if k is None and not compiling():\n{NEEDED}"
    assert fixed(body, False, ARGUMENTS, ASKS.format(answer)) == body


@pytest.mark.parametrize(
    "body",
    [
        f"if k is None and not torch.compiler.is_compiling():\n    print('no mask')\n{NEEDED}",
        "if k is None and not torch.compiler.is_compiling():\n    k = x\nif k is None:\n    return x\nreturn x * k[0]",
        f"if k is None and torch.compiler.is_compiling():\n{NEEDED}",
    ],
    ids=["more is done", "None is asked for", "a default when compiled"],
)
def test_other_defaults_are_left(body: str) -> None:
    assert fixed(body, True, ARGUMENTS) == body


def test_the_finding_says_when_it_holds() -> None:
    (found,) = findings(f"if k is None and not torch.compiler.is_compiling():\n{NEEDED}", ARGUMENTS)
    assert (found.code, found.when) == ("BRK657", "k is None")
    assert "line 6 sets it in eager mode alone" in found.message
