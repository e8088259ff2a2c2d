"""Three forms of a loop over experts with stacked weights, compiled by Inductor on CUDA.

    python benchmarks/speed/experts.py [--out RESULTS.json]

`loop` is the loop of a model, which breaks the graph; `masked` a loop over all experts, each with all rows; `stacked`
what the codemod moe-experts writes: one call of torch.vmap. Outputs and gradients are compared with those of the loop
in eager mode. A time is that of a call, or of a call and its backward; every sample is written.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.benchmark import Timer

WIDTH, INNER, CHOSEN = 1024, 2048, 2
EXPERTS, TOKENS, DTYPES = (8, 32), (64, 1024), (torch.bfloat16, torch.float32)
TOLERANCE = {torch.bfloat16: 3e-2, torch.float32: 1e-4}  # of the largest value: sums are made in another order


class Loop(nn.Module):
    """The experts of a mixture, as transformers has them."""

    def __init__(self, experts: int) -> None:
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.randn(experts, 2 * INNER, WIDTH) * WIDTH**-0.5)
        self.down_proj = nn.Parameter(torch.randn(experts, WIDTH, INNER) * INNER**-0.5)

    def forward(self, x: torch.Tensor, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Rows of the width of the model, the experts of each row, and their weights."""
        y = torch.zeros_like(x)
        expert_mask = F.one_hot(places, self.gate_up_proj.shape[0]).permute(2, 1, 0)
        for k in torch.greater(expert_mask.sum(dim=(-1, -2)), 0).nonzero():
            k = k[0]
            i, rows = torch.where(expert_mask[k])
            h = x[rows]
            gate, up = F.linear(h, self.gate_up_proj[k]).chunk(2, dim=-1)
            h = F.linear(F.silu(gate) * up, self.down_proj[k]) * weights[rows, i, None]
            y.index_add_(0, rows, h.to(y.dtype))
        return y


class Masked(Loop):
    """Every expert runs on all rows, one after the other."""

    def forward(self, x: torch.Tensor, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Rows of the width of the model, the experts of each row, and their weights."""
        y = torch.zeros_like(x)
        expert_mask = F.one_hot(places, self.gate_up_proj.shape[0]).permute(2, 1, 0)
        for k in range(expert_mask.shape[0]):
            chosen = expert_mask[k].bool()
            rows = torch.arange(chosen.shape[1], device=chosen.device)
            h = x[rows]
            gate, up = F.linear(h, self.gate_up_proj[k]).chunk(2, dim=-1)
            h = F.linear(F.silu(gate) * up, self.down_proj[k]) * torch.where(chosen.T, weights, 0).sum(1)[:, None]
            y.index_add_(0, rows, torch.where(chosen.any(0)[:, None], h.to(y.dtype), 0))
        return y


class Stacked(Loop):
    """All experts at once."""

    def forward(self, x: torch.Tensor, places: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Rows of the width of the model, the experts of each row, and their weights."""
        y = torch.zeros_like(x)
        expert_mask = F.one_hot(places, self.gate_up_proj.shape[0]).permute(2, 1, 0)

        def expert(mask_of_expert: torch.Tensor, gate_up_proj: torch.Tensor, down_proj: torch.Tensor) -> torch.Tensor:
            chosen = mask_of_expert.bool()
            rows = torch.arange(chosen.shape[1], device=chosen.device)
            h = x[rows]
            gate, up = F.linear(h, gate_up_proj).chunk(2, dim=-1)
            h = F.linear(F.silu(gate) * up, down_proj) * torch.where(chosen.T, weights, 0).sum(1)[:, None]
            return torch.where(chosen.any(0)[:, None], h.to(y.dtype), 0)

        y[: expert_mask.shape[2]] += torch.vmap(expert, randomness="different")(
            expert_mask[: self.gate_up_proj.shape[0]],
            self.gate_up_proj,
            self.down_proj,
        ).sum(0)
        return y


def measured(form: type[Loop], experts: int, tokens: int, dtype: torch.dtype, training: bool) -> dict[str, Any]:
    """Time of a form, in ms, and what it gives beside the loop in eager mode."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    original = Loop(experts).to("cuda", dtype)
    model = form(experts).to("cuda", dtype)
    model.load_state_dict(original.state_dict())
    x = torch.randn(tokens, WIDTH, device="cuda", dtype=dtype, requires_grad=training)
    places = torch.rand(tokens, experts, device="cuda").topk(CHOSEN).indices
    weights = torch.rand(tokens, CHOSEN, device="cuda", dtype=dtype)
    compiled = torch.compile(model, fullgraph=form is not Loop)

    def call(module: Any) -> list[torch.Tensor]:
        if not training:
            with torch.no_grad():
                return [module(x, places, weights)]
        x.grad = None
        module.zero_grad()
        output = module(x, places, weights)
        output.float().square().mean().backward()
        return [output.detach(), x.grad, *(each.grad for each in module.parameters())]  # type: ignore[list-item]

    expected = [each.clone() for each in call(original)]
    began = time.perf_counter()
    found = call(compiled)
    torch.cuda.synchronize()
    compile_s = time.perf_counter() - began
    off = max(((a - b).abs().max() / a.abs().max()).item() for a, b in zip(expected, found, strict=True))
    torch.cuda.reset_peak_memory_stats()
    timing = Timer("call(module)", globals={"call": call, "module": compiled}).blocked_autorange(min_run_time=1.0)
    return {
        "form": form.__name__.lower(), "experts": experts, "tokens": tokens, "dtype": str(dtype), "training": training,
        "median_ms": 1e3 * timing.median, "iqr_ms": 1e3 * timing.iqr,
        "samples_ms": [round(1e3 * each, 4) for each in timing.times],
        "compile_s": compile_s, "peak_mb": torch.cuda.max_memory_allocated() / 2**20, "off": off,
        "equal": off <= TOLERANCE[dtype],
    }  # fmt: skip


def main() -> None:
    """Measure, print a line for each case, and write all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    environment = {
        "torch": torch.__version__, "cuda": torch.version.cuda, "device": torch.cuda.get_device_name(),
        "width": WIDTH, "inner": INNER, "chosen": CHOSEN,
    }  # fmt: skip
    rows = []
    for dtype, training, experts, tokens in product(DTYPES, (False, True), EXPERTS, TOKENS):
        for form in (Loop, Masked, Stacked):
            row = measured(form, experts, tokens, dtype, training)
            rows.append(row)
            print({key: value for key, value in row.items() if key != "samples_ms"}, flush=True)
            if options.out:
                options.out.write_text(json.dumps({"environment": environment, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
