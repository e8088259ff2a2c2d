"""Rewrites that differ in a later call of one model."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import EQUAL, Rewrite

REPEATED_CALLS = (
    Rewrite(
        "buffer-momentum-changed",
        "in a second call on other values, output differs",
        (
            "self.seen.mul_(0.9).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
            "self.seen.mul_(0.99).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
        ),
        init="self.register_buffer('seen', torch.zeros(4))",
    ),
    Rewrite(
        "third-call-differs",
        "in a second call on other values, output differs",
        (
            "self.calls += 1\nif self.calls > 2:\n    return -x * self.scale\nreturn x * self.scale",
            "self.calls += 1\nreturn x * self.scale",
        ),
        init="self.calls = 0",
    ),
    Rewrite(
        "state-after-calls",
        "in call 3 of one model, of other sizes before: state.steps is 2",
        (
            "self.steps = self.steps + 1\nreturn x * self.scale",
            "self.steps = min(self.steps + 1, 2)\nreturn x * self.scale",
        ),
        init="self.steps = 0",
    ),
    Rewrite(
        "cache-of-first-shape",
        "in call 2 of one model, of other sizes before: it raises RuntimeError",
        (
            "return x * self.scale + torch.arange(len(x), dtype=x.dtype)[:, None]",
            "key = 0\nif key not in self.kept:\n    self.kept[key] = torch.arange(len(x), dtype=x.dtype)[:, None]\nreturn x * self.scale + self.kept[key]",
        ),
        init=("pass", "self.kept = {}"),
    ),
    Rewrite(
        "cache-of-longest",
        "in call 3 of one model, of other sizes before: output differs",
        (
            "return x * self.scale + torch.arange(len(x), dtype=x.dtype)[:, None]",
            "if self.kept is None or len(self.kept) < len(x):\n    self.kept = torch.arange(len(x), dtype=x.dtype)[:, None]\nreturn x * self.scale + self.kept[-len(x):]",
        ),
        init=("pass", "self.kept = None"),
    ),
    Rewrite(
        "cache-by-address",
        "in a second call on other values, output differs",
        (
            "return x * self.scale + x.mean()",
            "key = x.data_ptr()\nif key not in self.means:\n    self.means[key] = x.mean()\nreturn x * self.scale + self.means[key]",
        ),
        init=("pass", "self.means = {}"),
    ),
    Rewrite(
        "cache-by-version-of-an-input-that-is-held",
        EQUAL,
        (
            "return x * self.scale + x.mean()",
            "if self.of is None or (self.of.data_ptr(), self.version) != (x.data_ptr(), x._version):\n    self.of, self.version, self.mean = x, x._version, x.mean()\nreturn x * self.scale + self.mean",
        ),
        init=("pass", "self.of = self.mean = None"),
    ),
    Rewrite(
        "cache-of-last-input",
        "in a second call on other values, output differs",
        (
            "return x * self.scale + x.mean()",
            "if self.of is not x:\n    self.of, self.mean = x, x.mean()\nreturn x * self.scale + self.mean",
        ),
        init=("pass", "self.of = self.mean = None"),
    ),
)
