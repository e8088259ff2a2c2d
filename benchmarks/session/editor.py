"""Talks to `breaklint server` as an editor does, and prints what goes over the wire, shortened."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

server = subprocess.Popen(["breaklint", "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert server.stdin is not None
assert server.stdout is not None
to_server, from_server = server.stdin, server.stdout


def send(method: str, params: Any = None, number: int | None = None) -> None:
    """Send a request with a number, or a notification."""
    message = {"jsonrpc": "2.0", "method": method}
    message |= {} if params is None else {"params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    to_server.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    to_server.flush()
    print("->", method)


def receive() -> None:
    """Print the next message."""
    length = 0
    while line := from_server.readline().strip():
        length = int(line[16:]) if line.startswith(b"Content-Length: ") else length
    message = json.loads(from_server.read(length))
    params = message.get("params")
    if message.get("method") != "textDocument/publishDiagnostics":
        print("<-", message.get("method") or f"answer to {message['id']}: {', '.join(message['result'] or ())}")
        return
    shown = [f"line {each['range']['start']['line'] + 1}: {each['code']}" for each in params["diagnostics"]]
    print(f"<- diagnostics of {Path(params['uri']).name}, version {params['version']}:", ", ".join(shown) or "none")


helper = Path("helper.py").absolute()
uri, text = helper.as_uri(), helper.read_text("utf-8").replace("x.mean()", "x.mean().item()")
send("initialize", {"processId": None, "rootUri": Path.cwd().as_uri(), "capabilities": {}}, 1)
receive()
send("initialized", {})
document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
send("textDocument/didOpen", {"textDocument": document})
receive()  # the file by itself
receive()  # as the file that calls it leads to it
for version, what, new in ((2, "does not parse", text + "def f(:"), (3, "is fixed", text.replace(".item()", ""))):
    print(f"   version {version} {what}")
    changed = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": new}]}
    send("textDocument/didChange", changed)
receive()
send("shutdown", number=2)
receive()
send("exit")
print("exit code", server.wait(30))
