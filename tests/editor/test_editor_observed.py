"""What an editor says of a finding when there is a profile."""

from __future__ import annotations

from harness import WriteFiles
from pygls.workspace import PositionCodec

from breaklint.editor.observed import observed
from breaklint.editor.wire import diagnostic
from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.observe.functions import Functions
from breaklint.observe.profile import Break, FunctionState, Key, text_of

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print("one")
        return x
"""


def test_the_message_says_what_tests_showed_of_the_text_as_it_stands(write_files: WriteFiles) -> None:
    digest = Functions("net.py", NET).all[0].digest
    seen = FunctionState(frozenset({2}), (Break(2, "GB0059", "why", by=("test_net.py",)),), by=("test_net.py",))
    profile = {Key("net.py", "Net.forward", digest, "2.13.0"): seen}
    folder = write_files({"net.py": "", ".breaklint/observed.json": text_of(profile)})

    def message(text: str) -> str:
        result = check_source(text, str(folder / "net.py"), Settings()).findings
        (finding,) = observed(result, str(folder / "net.py"), text, Settings())
        return diagnostic(finding, finding.span, text.split("\n"), PositionCodec()).message

    assert message(NET).endswith("confirmed by test_net.py (torch 2.13.0)")
    assert "test_net.py" not in message(NET.replace("return x", "return x + 1"))
