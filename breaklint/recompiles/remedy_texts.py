"""The text of each remedy as the torch version that counts has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from breaklint.recompiles.options import Mark
from breaklint.recompiles.sources import GLOBAL, MODULE, Guard, Source
from breaklint.torchops.tables import nearest, read_api, versions

SPECS: Final = "torch.fx.experimental.dynamic_spec"
# What a program passes to have a guard's value the same at each call, by a part of the guard's text.
ADVICE: Final = {
    ".dtype ==": "give {name} the same dtype at each call, as {name}.float()",
    ".ndim ==": "give {name} the same number of dimensions at each call",
    ".requires_grad ==": "call under one grad mode: compile training and inference as two regions",
    ".layout ==": "give {name} the same memory layout at each call, as {name}.contiguous()",
    ".device ==": "keep {name} on one device",
    "__code__": "define the function once, outside of the calls: each new one compiles again",
    "len(": "give {name} one length: stack it into a tensor, or pad it",
    "list(": "give {name} the same keys at each call",
    " in ": "give {name} the same keys at each call",
    "type(": "give {name} one type at each call",
    " is None": "compiles once with {name} and once without: give it always, as zeros or ones, to compile once",
}


class Texts:
    """The remedies of one torch version: what `torch.compile` takes is asked of its generated table."""

    def __init__(self, target: str) -> None:
        version = nearest(target, versions())
        options = read_api(version)["names"].get("torch.compile", "").split(" ")
        self.shapes = next((name for name in ("dynamic_shapes", "shapes_spec") if name in options), "")
        self.limits_regions = "recompile_limit" in options

    def mark_dynamic(self, marks: Sequence[Mark]) -> str:
        """Sizes that are dynamic from the first graph on."""
        calls = [
            f"torch._dynamo.{'maybe_' if mark.is_weak else ''}mark_dynamic({mark.argument}, {mark.dim})"
            for mark in marks
        ]
        return f"{'; '.join(calls)} before the call"

    def without_range(self, marks: Sequence[Mark]) -> str:
        """A mark that a branch on the size does not violate."""
        return f"{self.mark_dynamic([Mark(each.argument, each.dim) for each in marks])}, without min= and max="

    def spec(self, ints: Sequence[str]) -> str:
        """Int arguments that are dynamic from the first graph on."""
        items = ", ".join(f'"{name}": IntVar("{name}")' for name in ints)
        return f"torch.compile(…, {self.shapes}={{{items}}}), with the names of {SPECS}"

    def tensor(self, source: Source) -> str:
        """A tensor in place of a number."""
        name = source.text.rpartition(".")[2]
        if source.kind == MODULE and source.text.startswith("self."):
            owner = source.text.rpartition(".")[0]
            return f'{owner}.register_buffer("{name}", torch.tensor({source.text}), persistent=False)'
        return f"pass torch.tensor({source.text}) for {source.text}"

    def allow_unspec_int(self) -> str:
        """Ints of modules as those of arguments."""
        return "torch._dynamo.config.allow_unspec_int_on_nn_module = True"

    def limit(self, guard: Guard, count: int) -> str:
        """A higher limit for this region."""
        where = f"torch.compile(…, recompile_limit={count})"
        if not self.limits_regions:
            where = f"torch._dynamo.config.recompile_limit = {count}"
        sizes = [source for source in guard.sources if source.dim is not None]
        pad = f"pad dimension {sizes[0].dim} of {sizes[0].tensor} to a few sizes; or, " if sizes else ""
        return f"{pad}if these are all its values, {where}".lstrip()

    def advice(self, guard: Guard) -> str:
        """What can be said where nothing has been shown to help."""
        source = guard.sources[0]
        for part, text in ADVICE.items():
            if part in guard.text:
                return text.format(name=source.text)
        value = guard.text.rpartition(" == ")[2]
        if value in ("True", "False") or value[:1] in "'\"":
            return f"{source.text} compiles once for each of its values: nothing to write while they are few"
        if value.lstrip("-").isdigit() and source.dim is None and source.kind not in (GLOBAL, MODULE):
            return f"{source.text} is dynamic from its second value on; each branch on it compiles once"
        row = "" if guard.row is None else f" (row {guard.row} fixes it)"
        if source.dim is not None:
            return f"pad dimension {source.dim} of {source.tensor} to a few sizes{row}"
        if source.kind == GLOBAL:
            return f"make {source.text} an argument, or a tensor"
        return f"{source.text} compiles once for each value{row}: keep it the same, or give it as a tensor"
