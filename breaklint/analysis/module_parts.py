"""What puts other code in the place of modules that others hold, or of what these run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.reading import only_reads
from breaklint.analysis.stores import Stores
from breaklint.project.module import Module
from breaklint.torchops.names import functional

RUN: Final = frozenset({"forward", "_call_impl"})  # what a module runs where it is called
LIBRARY: Final = "torch.nn."  # whose classes and functions modules run
SET, HELD = "set_submodule", "_modules"
WALKING: Final = frozenset({"named_children", "named_modules", "children", "modules"})  # which lead to others' modules


def replaces_parts(module: Module, nodes: FileNodes, stores: Stores, replaced: Iterable[str]) -> bool:
    """Whether a file may do so; `replaced` are the qualified names of what it replaces."""
    named = (name for name in replaced if name.startswith(LIBRARY) or name.rpartition(".")[2] in functional())
    if not RUN.isdisjoint(stores.names) or stores.adds_modules or any(named):
        return True
    words = {SET, HELD} | (WALKING if stores.anywhere else frozenset())
    held = module.words_among(words)
    places = nodes.named(held) if held else ()
    return any(HELD not in named or not only_reads(nodes.around[node], node) for node, named in places)
