"""`breaklint server` as a process: how its streams begin and end, message by message as the protocol writes them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cli_server
import pytest
from harness import PROJECT, WriteFiles

pytest.importorskip("pygls")

SECONDS = 60
NET = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n"


def framed(message: Mapping[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def answers(stream: bytes) -> Iterator[dict[str, Any]]:
    """The messages in a stream; there is nothing between them."""
    while stream:
        head, _, rest = stream.partition(b"\r\n\r\n")
        fields = dict(line.split(b": ") for line in head.split(b"\r\n"))
        length = int(fields[b"Content-Length"])
        yield json.loads(rest[:length])
        stream = rest[length:]


INITIALIZE = framed(
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
)
SHUTDOWN, EXIT = framed({"id": 2, "method": "shutdown"}), framed({"method": "exit"})


def opened(path: Path, text: str) -> bytes:
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
    return framed({"method": "textDocument/didOpen", "params": {"textDocument": document}})


def serve(folder: Path, stream: bytes, *options: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A session, forked where the system can."""
    if server := cli_server.forking():
        return server.run_on_bytes(["server", *options], folder, stream, **environment)
    return start(folder, stream, *options, **environment)


def start(folder: Path, stream: bytes, *options: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "breaklint", "server", *options],
        cwd=folder,
        input=stream,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize(
    ("ending", "code"),
    [(SHUTDOWN + EXIT, 0), (EXIT, 1), (SHUTDOWN, 0), (b"", 0)],
    ids=["shutdown and exit", "exit without shutdown", "the editor goes away", "the editor goes away at once"],
)
def test_a_session_ends_with_the_code_of_the_protocol_and_nothing_on_standard_error(
    tmp_path: Path, ending: bytes, code: int
) -> None:
    done = serve(tmp_path, INITIALIZE + opened(tmp_path / "net.py", NET) + ending)
    assert (done.returncode, done.stderr.decode()) == (code, "")
    output = [answer for answer in answers(done.stdout) if answer.get("method") == "textDocument/publishDiagnostics"]
    assert [result["code"] for result in output[0]["params"]["diagnostics"]] == ["BRK201"]


def test_a_forked_session_is_what_a_started_one_is(tmp_path: Path) -> None:
    stream = INITIALIZE + opened(tmp_path / "net.py", NET) + SHUTDOWN + EXIT
    started, forked = start(tmp_path, stream), serve(tmp_path, stream)
    assert (started.returncode, started.stderr.decode()) == (forked.returncode, forked.stderr.decode()) == (0, "")
    assert [*answers(started.stdout)] == [*answers(forked.stdout)]


def test_a_text_that_takes_too_long_is_given_up_as_check_does_and_the_session_goes_on(tmp_path: Path) -> None:
    head = NET.replace("        return x.item()\n", "")
    slow = head + "        if x.sum() > 0:\n            x = x + 1\n" * 15_000 + "        return x\n"
    stream = INITIALIZE + opened(tmp_path / "slow.py", slow) + opened(tmp_path / "net.py", NET) + SHUTDOWN + EXIT
    done = serve(tmp_path, stream, BREAKLINT_FILE_SECONDS="1")  # net.py needs much less, where it is forked
    assert done.returncode == 0
    output = [*answers(done.stdout)]
    shown = [item["params"]["message"] for item in output if item.get("method") == "window/showMessage"]
    assert [item.partition("slow.py: ")[2] for item in shown] == [
        "took more than 1 s of processor time: exclude it, or set BREAKLINT_FILE_SECONDS higher"
    ]
    published = [item["params"] for item in output if item.get("method") == "textDocument/publishDiagnostics"]
    assert [len(item["diagnostics"]) for item in published if item["uri"].endswith("net.py")] == [1]


def test_what_a_rule_prints_does_not_get_in_between_messages(write_files: WriteFiles) -> None:
    rule = "import os\nfrom breaklint.codemod import LintRule\nprint('loud')\nos.system('echo louder')\n"
    folder = write_files({"rule.py": rule, "breaklint.toml": ""})
    stream = INITIALIZE + opened(folder / "net.py", NET) + SHUTDOWN + EXIT
    done = start(folder, stream, "--rules", str(folder / "rule.py"))
    assert done.returncode == 0
    assert [*answers(done.stdout)][-1]["id"] == 2
    assert b"louder" in done.stderr
