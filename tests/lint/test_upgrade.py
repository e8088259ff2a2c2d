"""What another torch version changes: names that are gone, and lines that break in one version alone."""

from __future__ import annotations

import pytest

from breaklint.lint.upgrade import api_findings
from breaklint.torchops.api import Changes, changes
from breaklint.torchops.tables import versions

WHAT = Changes(
    removed=frozenset({"torch.fx.experimental.symbolic_shapes.hint_int"}),
    options=frozenset({"torch._inductor.config.gone"}),
    dead=frozenset({"torch._dynamo.config.idle"}),
    arguments={"torch.compile": {"old": "new", "lost": ""}},
)
FOUND = {
    "an import": ("from torch.fx.experimental.symbolic_shapes import hint_int", "UPG101"),
    "an attribute": (
        "import torch.fx.experimental.symbolic_shapes as s\nprint(s.hint_int)",
        "UPG101",
    ),
    "an option that is gone": ("import torch\ntorch._inductor.config.gone = 1", "UPG102"),
    "an option by an alias": ("import torch._inductor.config as c\nc.gone = 1", "UPG102"),
    "an option from its package": ("from torch._inductor import config\nconfig.gone = 1", "UPG102"),
    "an option that is read": ("import torch\nif torch._inductor.config.gone:\n    pass", "UPG102"),
    "an option that is imported": ("from torch._inductor.config import gone", "UPG102"),
    "an option in patch": ("import torch\ntorch._inductor.config.patch(gone=1)", "UPG102"),
    "an option in the dictionary of patch": ("import torch\ntorch._inductor.config.patch({'gone': 1})", "UPG102"),
    "an option of compile": ("import torch\ntorch.compile(f, options={'gone': 1})", "UPG102"),
    "an option that nothing reads": ("import torch\ntorch._dynamo.config.idle = True", "UPG103"),
    "an option inside a function": ("import torch\ndef f():\n    torch._dynamo.config.idle = True", "UPG103"),
    "an argument": ("import torch\ntorch.compile(f, old=1)", "UPG104"),
    "an argument of a function by its name": ("from torch import compile\ncompile(f, lost=1)", "UPG104"),
}
SILENT = {
    "a name of another module": "from other import hint_int",
    "a module of the program's own": "from .torch.fx.experimental.symbolic_shapes import hint_int",
    "a name that is stored as well": "import torch\ntorch = make()\ntorch._dynamo.config.idle = True",
    "a parameter of that name": "import torch\ndef f(torch):\n    torch._dynamo.config.idle = True",
    "an option of another module": "import other\nother._dynamo.config.idle = True",
    "an option that is there": "import torch\ntorch._dynamo.config.suppress_errors = True",
    "another argument": "import torch\ntorch.compile(f, new=1)",
    "what is no Python": "import torch\ndef",
}


@pytest.mark.parametrize(("text", "code"), FOUND.values(), ids=FOUND)
def test_what_is_gone_is_found_where_it_is_named(text: str, code: str) -> None:
    assert [finding.code for finding in api_findings("a.py", text, WHAT, "2.15")] == [code]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_is_not_torchs_is_left_alone(text: str) -> None:
    assert api_findings("a.py", text, WHAT, "2.15") == []


def test_what_the_wheels_say() -> None:
    early, late = changes("2.11", "2.13"), changes("2.13", "2.15")
    assert "torch.fx.experimental.symbolic_shapes.hint_int" in early.removed
    assert "torch._dynamo.config.skip_fsdp_hooks" in early.options
    assert "torch._dynamo.config.enable_faithful_generator_behavior" in late.dead
    assert late.arguments["torch.compile"] == {"shapes_spec": "dynamic_shapes"}


@pytest.mark.parametrize("version", versions())
def test_a_version_changes_nothing_to_itself(version: str) -> None:
    assert not any(changes(version, version))
