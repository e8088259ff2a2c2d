"""`log-fix = "in-graph"`: print becomes an operator of the graph where every argument may be in one."""

from __future__ import annotations

from typing import Any

import pytest
from writing import fixed, model

torch = pytest.importorskip("torch")

PRINT = "torch._higher_order_ops.print"
WRITTEN = {
    "a tensor": ('print("mean", x.mean())', f'{PRINT}("mean {{!s}}", x.mean())'),
    "an f-string": ('print(f"mean {x.mean():.3f} of {{}}")', f'{PRINT}("mean {{:.3f}} of {{{{}}}}", x.mean())'),
    "a size and a separator": ('print(x.shape[0], 2, sep=":")', f'{PRINT}("{{!s}}:2", x.shape[0])'),
    "nothing": ("print()", f'{PRINT}("")'),
    "braces": ('print("{}", x.sum())', f'{PRINT}("{{{{}}}} {{!s}}", x.sum())'),
}
GUARDED = {
    "a shape": "print(x.shape)",
    "unpacked": "print(*x)",
    "no new line": 'print(x, end="")',
    "an object": "print(self)",
    "a dtype": 'print(f"{x.dtype}")',
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_it_prints_in_the_graph(before: str, after: str) -> None:
    assert fixed(f"{before}\nreturn x * 2", log_fix="in-graph") == f"{after}\nreturn x * 2"


@pytest.mark.parametrize("line", GUARDED.values(), ids=GUARDED)
def test_the_rest_is_guarded(line: str) -> None:
    guarded = f"if not torch.compiler.is_compiling():\n    {line}\nreturn x * 2"
    assert fixed(f"{line}\nreturn x * 2", log_fix="in-graph") == guarded


def made(body: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(model(body), "model.py", "exec"), namespace)
    return namespace["Net"]()


@pytest.mark.skipif(not hasattr(torch._higher_order_ops, "print"), reason="this torch has no print for graphs")
def test_compiled_and_not_it_prints_what_print_printed(capsys: pytest.CaptureFixture[str]) -> None:
    body = 'y = x * 2\nprint("mean", y.mean(), len(y))\ny.add_(1)\nprint(f"sum {y.sum():.1f}")\nreturn y'
    net, fixed_net = made(body), made(fixed(body, log_fix="in-graph"))
    output = []
    for run in (net, fixed_net, torch.compile(fixed_net, backend="aot_eager", fullgraph=True)):
        run(torch.arange(4.0))
        output.append(capsys.readouterr().out)
    assert output == ["mean tensor(3.) 4\nsum 16.0\n"] * 3
