"""What one of torch's ways around a break does, on the torch that runs this file.

    python escape_hatches_worker.py NAME:BACKEND ...

Every function that gives a module is such a way; its docstring is its row in the table.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import logging
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

SEEN: list[float] = []
LOGGER = logging.getLogger("escape_hatches")
CALLS = 3
SECONDS = 240  # for one measurement


def note(t: torch.Tensor) -> None:
    """The effect that is to be kept: a number read from a tensor, and remembered."""
    SEEN.append(float(t.detach().sum()))


def noted(t: torch.Tensor) -> torch.Tensor:
    """The same, with a result."""
    note(t)
    return t * 1


class Net(nn.Module):
    """A layer, an effect on its result, and arithmetic behind it."""

    def __init__(self, effect: Callable[[torch.Tensor], Any]) -> None:
        super().__init__()
        self.layer, self.effect = nn.Linear(4, 4), effect

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape in and out: (4, 4)."""
        h = torch.sin(self.layer(x))
        kept = self.effect(h)
        return (kept if isinstance(kept, torch.Tensor) else h) * 2


class Printing(Net):
    """A model that prints."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape in and out: (4, 4)."""
        h = torch.sin(self.layer(x))
        print("h", h)
        return h * 2


def nothing() -> nn.Module:
    """No effect at all, to compare with."""
    return Net(lambda h: None)


def python() -> nn.Module:
    """Plain Python: `.item()` into a list."""
    return Net(note)


def guard() -> nn.Module:
    """The same under `if not torch.compiler.is_compiling()`, as breaklint's fixes write it."""
    return Net(lambda h: None if torch.compiler.is_compiling() else note(h))


def disable() -> nn.Module:
    """`torch.compiler.disable` on the function."""
    return Net(torch.compiler.disable(note))


def allow_in_graph() -> nn.Module:
    """`torch.compiler.allow_in_graph` on a function that reads the data."""
    return Net(torch.compiler.allow_in_graph(noted))


def nonstrict_trace() -> nn.Module:
    """`torch._dynamo.nonstrict_trace` on a function that reads the data."""
    return Net(torch._dynamo.nonstrict_trace(noted))


def nonstrict_trace_python() -> nn.Module:
    """`torch._dynamo.nonstrict_trace` on one whose effect needs no data."""

    def shaped(t: torch.Tensor) -> torch.Tensor:
        SEEN.append(float(t.shape[0]))  # nothing of the data
        return t * 1

    return Net(torch._dynamo.nonstrict_trace(shaped))


def leaf_function() -> nn.Module:
    """`torch._dynamo.decorators.leaf_function` with a result."""
    from torch._dynamo.decorators import leaf_function as leaf

    def told(t: torch.Tensor) -> tuple[torch.Tensor]:
        note(t)
        return (t * 1,)

    marked = leaf(told)
    if hasattr(marked, "register_fake"):
        marked.register_fake(lambda t: (torch.empty_like(t),))
    return Net(lambda h: marked(h)[0])


def public_nonstrict_trace() -> nn.Module:
    """`torch.compiler.nonstrict_trace`, public from 2.14, on one whose effect needs no data."""

    def shaped(t: torch.Tensor) -> torch.Tensor:
        SEEN.append(float(t.shape[0]))
        return t * 1

    return Net(torch.compiler.nonstrict_trace(shaped))


def leaf_function_in_place() -> nn.Module:
    """`leaf_function(mutates_args={"t"})` that also changes its argument in place."""
    from torch._dynamo.decorators import leaf_function as leaf

    def told(t: torch.Tensor) -> tuple[torch.Tensor]:
        note(t)
        t.mul_(2)
        return (torch.ones(1),)

    marked = leaf(mutates_args={"t"})(told)
    marked.register_fake(lambda t: (torch.ones(1),))

    def effect(h: torch.Tensor) -> torch.Tensor:
        scaled = h.detach().clone()
        marked(scaled)
        return h * scaled

    return Net(effect)


def custom_op_without_result() -> nn.Module:
    """`torch.library.custom_op` that returns None."""
    op = _op("none", None)
    op.register_fake(lambda t: None)
    return Net(op)


def custom_op_effectful() -> nn.Module:
    """The same, registered as an effect that keeps its order (a private function of torch)."""
    op = _op("effectful", None)
    op.register_fake(lambda t: None)
    from torch._higher_order_ops.effects import _EffectType, _register_effectful_op

    _register_effectful_op(torch.ops.hatches.effectful.default, _EffectType.ORDERED)
    return Net(op)


def custom_op_with_result() -> nn.Module:
    """`torch.library.custom_op` whose result is used, with a gradient."""
    op = _op("result", torch.Tensor)
    op.register_fake(lambda t: torch.empty_like(t))
    op.register_autograd(lambda ctx, grad: grad)
    return Net(op)


def _op(name: str, result: Any) -> Any:
    def run(t):
        note(t)
        return t.clone() if result is not None else None

    run.__annotations__ = {"t": torch.Tensor, "return": result}
    return torch.library.custom_op(f"hatches::{name}", run, mutates_args=())


def reorderable_print() -> nn.Module:
    """`print` in `reorderable_logging_functions`, called in a function that forward calls."""
    torch._dynamo.config.reorderable_logging_functions.add(print)
    return Net(lambda h: print("h", h))


def reorderable_print_in_forward() -> nn.Module:
    """The same, where the model that is compiled prints by itself."""
    torch._dynamo.config.reorderable_logging_functions.add(print)
    return Printing(lambda h: None)


def ignored_logger() -> nn.Module:
    """A logger's method that torch is told to ignore (`ignore_logging_functions`)."""
    names = "ignore_logging_functions" if hasattr(torch._dynamo.config, "ignore_logging_functions") else ""
    getattr(torch._dynamo.config, names or "ignore_logger_methods").add(LOGGER.warning)
    return Net(lambda h: LOGGER.warning("h has shape %s", h.shape))


def reorderable_logger() -> nn.Module:
    """A logger's method in `reorderable_logging_functions`."""
    torch._dynamo.config.reorderable_logging_functions.add(LOGGER.warning)
    return Net(lambda h: LOGGER.warning("h has shape %s", h.shape))


def higher_order_print() -> nn.Module:
    """`torch._higher_order_ops.print` of a format and a 0-dim tensor."""
    return Net(lambda h: torch._higher_order_ops.print("h {}", h.sum()))


def cond() -> nn.Module:
    """`torch.cond` on a tensor, two branches that compute."""
    return Net(lambda h: torch.cond(h.sum() > 0, lambda t: t * 3, lambda t: t - 1, (h,)))


def cond_with_effect() -> nn.Module:
    """`torch.cond` with an effect in a branch."""

    def taken(t):
        note(t)
        return t * 3

    return Net(lambda h: torch.cond(h.sum() > 0, taken, lambda t: t - 1, (h,)))


def switch() -> nn.Module:
    """`torch._higher_order_ops.switch` by an index tensor, three branches that compute."""
    from torch._higher_order_ops import switch as chosen

    branches = (lambda t: t * 3, lambda t: t - 1, lambda t: t.cos())
    return Net(lambda h: chosen((h > 0).sum() % 3, branches, (h,)))


def nested_compile_region() -> nn.Module:
    """`torch.compiler.nested_compile_region` on a function that is called twice."""
    region = torch.compiler.nested_compile_region(lambda t: torch.tanh(t) * 2)
    return Net(lambda h: region(region(h)))


class Unbacked(Net):
    """A model whose input's first size is unbacked."""

    def prepare(self, x: torch.Tensor) -> None:
        """Mark it."""
        torch._dynamo.decorators.mark_unbacked(x, 0)


def mark_unbacked() -> nn.Module:
    """`mark_unbacked` of a size that the model computes with."""
    return Unbacked(lambda h: h / h.shape[0])


def mark_unbacked_branch() -> nn.Module:
    """`mark_unbacked` of a size that decides a branch."""
    return Unbacked(lambda h: h * 3 if h.shape[0] > 2 else h - 1)


def capture_scalar_outputs() -> nn.Module:
    """`capture_scalar_outputs`: `.item()` in arithmetic."""
    torch._dynamo.config.capture_scalar_outputs = True
    return Net(lambda h: h / (1 + abs(h.sum().item())))


def capture_scalar_outputs_list() -> nn.Module:
    """`capture_scalar_outputs`: `.item()` into a list."""
    torch._dynamo.config.capture_scalar_outputs = True
    return Net(lambda h: SEEN.append(h.sum().item()))


def capture_scalar_outputs_branch() -> nn.Module:
    """`capture_scalar_outputs`: a branch on `.item()`."""
    torch._dynamo.config.capture_scalar_outputs = True
    return Net(lambda h: h * 3 if h.sum().item() > 0 else h - 1)


def capture_scalar_outputs_double() -> nn.Module:
    """`capture_scalar_outputs`: a third of a float64 by `.item()`, into a list."""
    torch._dynamo.config.capture_scalar_outputs = True
    return Net(lambda h: SEEN.append(1e9 * (h.double().sum() / 3).item()))


def patch_dynamo_config() -> nn.Module:
    """`torch._dynamo.patch_dynamo_config(capture_scalar_outputs=True)` around an `.item()` into a list."""

    def told(h: torch.Tensor) -> None:
        with torch._dynamo.patch_dynamo_config(capture_scalar_outputs=True):
            SEEN.append(h.sum().item())

    return Net(told)


def patch_dynamo_config_of_function() -> nn.Module:
    """The same as decorator of a function that forward calls."""
    return Net(torch._dynamo.patch_dynamo_config(capture_scalar_outputs=True)(lambda h: SEEN.append(h.sum().item())))


class Patched(Net):
    """A model whose own forward has the option."""

    forward = torch._dynamo.patch_dynamo_config(capture_scalar_outputs=True)(Net.forward)


def patch_dynamo_config_of_forward() -> nn.Module:
    """The same as decorator of the forward of the model that is compiled."""
    return Patched(lambda h: SEEN.append(h.sum().item()))


def capture_dynamic_output_shape_ops() -> nn.Module:
    """`capture_dynamic_output_shape_ops`: a mask and `nonzero`."""
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    return Net(lambda h: h * 0 + h[h > 0].sum() + h.nonzero().shape[0])


def allow_rnn() -> nn.Module:
    """`allow_rnn`: an LSTM."""
    torch._dynamo.config.allow_rnn = True
    rnn = nn.LSTM(4, 4, batch_first=True)
    net = Net(lambda h: rnn(h.unsqueeze(0))[0][0])
    net.rnn = rnn
    return net


def assert_async() -> nn.Module:
    """`torch._assert_async` of a condition that holds."""
    return Net(lambda h: torch._assert_async((h > -2).all()))


def check() -> nn.Module:
    """`torch._check` of an `.item()`, with `capture_scalar_outputs`."""
    torch._dynamo.config.capture_scalar_outputs = True
    return Net(lambda h: torch._check((h > -2).sum().item() == 16))


HATCHES: dict[str, Callable[[], nn.Module]] = {
    name: each
    for name, each in list(globals().items())
    if callable(each) and getattr(each, "__annotations__", {}).get("return") == "nn.Module"
}


class Listener(logging.Handler):
    """Counts what is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember that a record came."""
        SEEN.append(len(record.getMessage()))


def calls(model: Any, call: Any, graphs: list[Any]) -> dict[str, Any]:
    """Results and gradients of some calls, how many graphs the first made, and the effects of those behind it."""
    SEEN.clear()
    said, results, first, told = io.StringIO(), [], 0, 0
    with contextlib.redirect_stdout(said):
        for seed in range(CALLS):
            torch.manual_seed(seed)
            x = torch.randn(4, 4, requires_grad=True)
            model.zero_grad()
            getattr(model, "prepare", lambda _: None)(x)
            out = call(x)
            if seed == 0:
                first, told = len(graphs), said.getvalue().count("\n")
                SEEN.clear()
            out.sum().backward()
            weight = next(model.parameters()).grad
            results.append([out.detach().clone(), x.grad, None if weight is None else weight.clone()])
    return {
        "results": results,
        "effects": len(SEEN) + said.getvalue().count("\n") - told,
        "values": list(SEEN),
        "graphs": first,
    }


def measured(name: str, backend: str) -> dict[str, Any]:
    """What one hatch does on one backend."""
    torch.manual_seed(0)
    answer: dict[str, Any] = {"error": "", "graphs": 0}
    try:
        model = HATCHES[name]()
        before = calls(model, model, [])
        graphs: list[Any] = []
        inner = torch._dynamo.lookup_backend(backend)

        def counting(graph: Any, inputs: Any) -> Any:
            graphs.append(graph)
            return inner(graph, inputs)

        after = calls(model, torch.compile(model, backend=counting), graphs)
        answer["graphs"] = after["graphs"]
        olds, news = ([each for result in kept["results"] for each in result] for kept in (before, after))
        close = list(map(same, olds, news))
        answer["outputs_equal"] = all(close[0::3])
        answer["gradients_equal"] = all(close[1::3]) and all(close[2::3])
        answer["effects"] = [before["effects"], after["effects"]]
        answer["effects_equal"] = [round(v, 3) for v in before["values"]] == [round(v, 3) for v in after["values"]]
    except Exception as error:  # noqa: BLE001 (that it fails is what is asked)
        text = str(error).strip().splitlines()
        first = re.sub(r" \(/[^)]*\)", "", text[0]) if text else ""  # without the folder of torch
        answer["error"] = f"{type(error).__name__}: {first}"[:160]
    return answer


def same(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    """Whether two tensors are alike, or both missing."""
    if one is None or other is None:
        return one is other
    return torch.allclose(one, other, atol=1e-5)


def main() -> None:
    """Measure every `NAME:BACKEND` that is asked for, each in a process of its own that starts with torch imported."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    LOGGER.addHandler(Listener())
    LOGGER.propagate = False
    importlib.import_module("torch._inductor.compile_fx")  # once, for all
    for pair in sys.argv[1:]:
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            answer = measured(*pair.split(":"))
            print("ANSWER " + json.dumps({"pair": pair, **answer}), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
