"""LibCST metadata providers for the inference of breaklint.

    wrapper = libcst.metadata.MetadataWrapper(libcst.parse_module(text))
    values = wrapper.resolve(InferredValueProvider)

A wrapper alone analyzes a file without its imports. To follow the imports of a project, get the wrapper from
`FullRepoManager(root, paths, {GraphBreakProvider, InferredValueProvider}).get_metadata_wrapper_for_path(path)`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import BaseMetadataProvider, PositionProvider

from breaklint.codemod.facts import ModuleFacts, Place, module_facts, part_place, span_place
from breaklint.codemod.values import TRACED, UNKNOWN_VALUE, UNTRACED, InferredValue, TraceInfo
from breaklint.errors import SourceError
from breaklint.lint.config import load_settings
from breaklint.lint.engine import Engine
from breaklint.model import Finding, Position, Settings, Span
from breaklint.source.decoding import read_source

Metadata = TypeVar("Metadata", covariant=True)
Stamp = tuple[str, int, int]  # path, size and time of a file
ALONE = "<module>.py"


class FactsProvider(BaseMetadataProvider[Metadata]):
    """Base of the providers: sets the metadata of every node by the method `metadata_of`."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, cache: object = None) -> None:
        super().__init__(ModuleFacts() if cache is None else cache)
        self._alone = cache is None

    @classmethod
    def gen_cache(
        cls, root_path: Path, paths: list[str], *, timeout: int | None = None, use_pyproject_toml: bool = False
    ) -> Mapping[str, object]:
        """The inference for every file of a project, by path; for `FullRepoManager`.

        The settings are those of `breaklint check` in that folder. A file that cannot be read or parsed has no facts.
        """
        root = os.path.realpath(root_path)
        return dict(zip(paths, _facts_of_files(root, tuple(_stamp(root, path) for path in paths)), strict=True))

    def _gen_impl(self, module: cst.Module) -> None:
        if self._alone:
            text = module.code.replace("\r\n", "\n").replace("\r", "\n")
            self.cache = facts_of(Engine(Settings()), ALONE, text)
        assert isinstance(self.cache, ModuleFacts)
        # Of every node there is a position. Visiting the tree once more would take twenty times as long.
        for node in self.metadata[PositionProvider]:
            self.set_metadata(node, self.metadata_of(node, self.cache))

    def metadata_of(self, node: cst.CSTNode, facts: ModuleFacts) -> Metadata:
        """The metadata of a node."""
        raise NotImplementedError

    def place(self, node: cst.CSTNode) -> Place:
        """The place of an expression, in the form of the facts."""
        if isinstance(node, cst.Tuple):
            if node.elements:
                return part_place("tuple", self.place(node.elements[0]))
            return span_place(Span(self.span(node.lpar[-1]).start, self.span(node.rpar[0]).end))
        if isinstance(node, cst.GeneratorExp):
            return part_place("generator", self.place(node.elt))
        if isinstance(node, cst.StarredElement):
            return part_place("starred", self.place(node.value))
        return self.place(node.value) if isinstance(node, cst.Element) else span_place(self.span(node))

    def span(self, node: cst.CSTNode) -> Span:
        """The span of a node, without parentheses around it."""
        return span_of_range(self.metadata[PositionProvider][node])


class GraphBreakProvider(FactsProvider[TraceInfo]):
    """Whether Dynamo traces a node, and whether the graph breaks there: a `TraceInfo` for every node."""

    def metadata_of(self, node: cst.CSTNode, facts: ModuleFacts) -> TraceInfo:
        """The traces and breaks of a node."""
        findings: tuple[Finding, ...] = ()
        if isinstance(node, (cst.BaseExpression, cst.BaseElement)):
            place = self.place(node)
            traced, findings = place in facts.values, facts.at.get(place, ())
        elif isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            start = self.span(node).start
            traced, findings = start in facts.statements, facts.from_statement.get(start, ())
        elif isinstance(node, cst.SimpleStatementLine):
            traced = any(self.span(part).start in facts.statements for part in node.body)
        else:
            return UNTRACED
        return TraceInfo(traced, findings) if findings else TRACED if traced else UNTRACED


class InferredValueProvider(FactsProvider[InferredValue]):
    """The kind and the qualified name of an expression: an `InferredValue` for every node.

    A node that is not an expression, or not traced, has the kind `unknown`.
    """

    def metadata_of(self, node: cst.CSTNode, facts: ModuleFacts) -> InferredValue:
        """The inferred value of a node."""
        if not isinstance(node, (cst.BaseExpression, cst.BaseElement)):
            return UNKNOWN_VALUE
        return facts.values.get(self.place(node), UNKNOWN_VALUE)


@lru_cache(maxsize=1)
def _facts_of_files(root: str, files: tuple[Stamp, ...]) -> tuple[ModuleFacts, ...]:
    """The inference for each file; requested by one provider after the other."""
    engine = Engine(load_settings(Path(root)), [Path(root)])
    return tuple(_facts_of_file(engine, path) for path, _, _ in files)


def _facts_of_file(engine: Engine, path: str) -> ModuleFacts:
    try:
        return facts_of(engine, path, read_source(path).text)
    except SourceError:
        return ModuleFacts()  # LibCST reports the same when it parses it


def _stamp(root: str, path: str) -> Stamp:
    place = os.path.join(root, path)
    try:
        status = os.stat(place)
    except OSError:
        return place, 0, 0
    return place, status.st_size, status.st_mtime_ns


def facts_of(engine: Engine, path: str, text: str) -> ModuleFacts:
    """The inference of an engine for a text; raises SourceError if it is not Python."""
    return module_facts(engine.analyse(path, text))


def span_of_range(code_range: Any) -> Span:
    """A range of LibCST as breaklint counts: columns from 1."""
    start, end = code_range.start, code_range.end
    return Span(Position(start.line, start.column + 1), Position(end.line, end.column + 1))
