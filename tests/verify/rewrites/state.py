"""Rewrites that leave another state in the model or in random generators."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import Rewrite

STATE = (
    Rewrite(
        "parameter-not-updated",
        "state.scale (norm) differs",
        (
            "y = x * self.scale\nwith torch.no_grad():\n    self.scale.clamp_(max=1.0)\nreturn y",
            "y = x * self.scale\nwith torch.no_grad():\n    pass\nreturn y",
        ),
    ),
    Rewrite(
        "momentum-changed",
        "state.norm.momentum is 0.2",
        "return self.norm(x) * self.scale",
        init=("self.norm = nn.BatchNorm1d(4, momentum=0.1)", "self.norm = nn.BatchNorm1d(4, momentum=0.2)"),
    ),
    Rewrite(
        "numpy-draws-lost",
        "the state of the random generators is",
        ("np.random.rand()\nreturn x * self.scale + 1", "pass\nreturn x * self.scale + 1"),
    ),
    Rewrite(
        "key-lost",
        "the state dict has no key 'offsets'",
        "return x * self.scale + self.offsets",
        init=(
            "self.register_buffer('offsets', torch.ones(4))",
            "self.register_buffer('offsets', torch.ones(4), persistent=False)",
        ),
    ),
    Rewrite(
        "timer-and-count-lost",
        "state.calls is 0",
        (
            "self.seconds = time.perf_counter()\nself.calls += 1\nreturn x * self.scale + 1",
            "self.seconds = time.perf_counter()\npass\nreturn x * self.scale + 1",
        ),
        init="self.seconds = 0.0\nself.calls = 0",
    ),
    Rewrite(
        "hook-on-part-skipped",
        "state.seen is 0",
        ("return self.inner(x * self.scale)", "return self.inner.forward(x * self.scale)"),
        init="self.inner = nn.Linear(4, 4)\nself.seen = 0\ndef hook(m, a, o):\n    self.seen += 1\nself.inner.register_forward_hook(hook)",
    ),
    Rewrite(
        "parameter-for-buffer",
        "class of state.m is gone",
        "return x * self.scale * self.m",
        init=("self.register_buffer('m', torch.ones(4))", "self.m = nn.Parameter(torch.ones(4))"),
    ),
    Rewrite(
        "extra-draw",
        "the state of the random generators is",
        ("return x * self.scale", "torch.rand(1)\nreturn x * self.scale"),
    ),
    Rewrite(
        "extra-state-lost",
        "the state dict has no key 'inner._extra_state'",
        "return x * self.scale",
        init="self.inner = Inner()",
        top=(
            "class Inner(nn.Module):\n    def get_extra_state(self):\n        return torch.ones(1)\n    def set_extra_state(self, state):\n        pass\n",
            "class Inner(nn.Module):\n    pass\n",
        ),
    ),
)
