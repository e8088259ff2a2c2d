"""What the compiler made of a model, read from the structured trace: graphs, kernels, guards, reasons to recompile."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from breaklint.dynamo.events import FailedGuard
from breaklint.dynamo.guards import guards_of
from breaklint.dynamo.trace_events import REASONS, is_artifact

Metadata = dict[str, Any]
_LINE = re.compile(r"^\s+# File: (.+?):(\d+) in ", re.MULTILINE)
_OPERATION = re.compile(r'^\s+\w+(?:: "[^"]*")? = (?!\w+(?:;|$))', re.MULTILINE)  # anything but a mere new name
_KERNEL = re.compile(r"^(\w+) = async_compile\.(\w+)\(", re.MULTILINE)
_EXTERN = re.compile(r"\bextern_kernels\.(\w+)\(|\b(torch\.ops\.aten\.\w+)\.\w+\(")
_ORIGIN = re.compile(r"Original ATen: \[(.*?)\]")
_SAMPLES = "def benchmark_compiled_module"
GRAPH, CODE = "dynamo_output_graph", "inductor_output_code"


class CompileArtifacts:
    """Gathers from the events of one compilation.

    `folder`, where given, keeps the graphs and the code as files, and the trace itself where `tlparse` finds it.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else None
        self.handlers = [_trace_file(self._folder)] if self._folder else []
        self._graphs: list[dict[str, Any]] = []
        self._kernels: list[dict[str, Any]] = []
        self._reasons: list[str] = []
        self._guards: dict[str, int] = {}

    def take(self, metadata: Metadata, payload: str) -> None:
        """Note what one event of the trace tells."""
        if GRAPH in metadata:
            self._keep(f"graph-{len(self._graphs)}.py", payload)
            self._graphs.append(read_graph(payload))
        elif CODE in metadata:
            self._keep(f"code-{len(list(self._folder.glob('code-*'))) if self._folder else 0}.py", payload)
            self._kernels += read_kernels(payload)
        elif is_artifact(metadata, REASONS):
            self._reasons += read_reasons(payload)
        elif "compilation_metrics" in metadata:
            figures = metadata["compilation_metrics"]
            self._guards[str(figures.get("compile_id"))] = figures.get("guard_count") or 0

    def summary(self) -> dict[str, Any]:
        """All of it as plain data, in the order it was made."""
        return {
            "graphs": self._graphs,
            "kernels": self._kernels,
            "guards": sum(self._guards.values()),
            "recompile_reasons": list(dict.fromkeys(self._reasons)),
        }

    def _keep(self, name: str, text: str) -> None:
        if self._folder is not None:
            (self._folder / name).write_text(text, encoding="utf-8")


def _trace_file(folder: Path) -> logging.Handler:
    from torch._logging._internal import TorchLogsFormatter

    folder.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(folder / "dedicated_log_torch_trace.log", encoding="utf-8")
    handler.setFormatter(TorchLogsFormatter(trace=True))  # type: ignore[no-untyped-call,unused-ignore]
    return handler


def read_graph(text: str) -> dict[str, Any]:
    """The number of operations in a readable FX graph, and the source lines they come from, each once."""
    lines = dict.fromkeys((path, int(row)) for path, row in _LINE.findall(text))
    return {"ops": len(_OPERATION.findall(text)), "lines": [list(place) for place in lines]}


def read_kernels(code: str) -> list[dict[str, Any]]:
    """The kernels that Inductor's code calls: name, language (`library` for those not generated), operations fused."""
    generated = {name: "C++" if maker.startswith("cpp") else maker for name, maker in _KERNEL.findall(code)}
    found: dict[str, dict[str, Any]] = {}
    operations: list[str] = []
    body = code.split("def call(", 1)[-1].split(_SAMPLES, 1)[0]
    for line in body.splitlines():
        if origin := _ORIGIN.search(line):
            operations = [name.strip().removeprefix("aten.") for name in origin[1].split(",") if name.strip()]
        library = _EXTERN.search(line)
        name = next((n for n in generated if re.search(rf"\b{n}[.(]", line)), library and (library[1] or library[2]))
        if name:
            entry = {"name": name, "language": generated.get(name, "library"), "ops": operations, "calls": 0}
            found.setdefault(name, entry)["calls"] += 1
            if name in generated and not found[name]["ops"]:
                found[name]["ops"] = _from_name(name)
            operations = []
    return list(found.values())


def _from_name(name: str) -> list[str]:
    """CPU kernels tell their operations only by their names, in which underscores both part and join words."""
    fused = re.search(r"fused_(.+)_\d+$", name)
    return [fused[1]] if fused else []


def read_reasons(payload: str) -> list[str]:
    """Why a frame recompiled: the guards that failed, as `condition (file:row)`."""
    return [_in_plain_words(guard) for guard in guards_of(payload)]


def _in_plain_words(guard: FailedGuard) -> str:
    held = re.sub(r"___(?:check_)?|L\['(\w+)'\]", lambda m: m[1] or "", guard.text)
    place = "" if guard.row is None else f" ({guard.filename}:{guard.row})"
    return f"it was compiled for `{held}`, which no longer holds{place}"
