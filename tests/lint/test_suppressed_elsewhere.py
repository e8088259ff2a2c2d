"""A comment that silences a finding which only a caller in another file leads to is needed, not unused."""

from __future__ import annotations

from harness import RunBreaklint, WriteFiles

FILES = {
    "pkg/__init__.py": "",
    "pkg/ops.py": (
        "import torch\n\n\ndef shout(x):\n    print(x)  # breaklint: ignore[BRK101] wanted\n"
        "    return torch.relu(x)\n\n\n"
        "class Own(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n"
    ),
    "pkg/net.py": (
        "import torch\n\nfrom pkg.ops import shout\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return shout(x)\n"
    ),
}


def test_the_comment_is_not_reported_as_unused(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files(FILES)
    done = breaklint("check", "--isolated", "--output-format", "concise", str(folder))
    assert (done.returncode, done.stdout) == (0, "No findings in 3 files (2 entries: 2 forward).\n")
