"""The codemod for `python -m libcst.tool`: breaklint's fixes, as `breaklint check --fix` makes them.

python -m libcst.tool codemod -x breaklint.codemod.FixGraphBreaks --select BRK201 src/
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext

from breaklint.lint.config import load_settings
from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.source.decoding import decode, encode

STDIN = "<stdin>.py"


class FixGraphBreaks(CodemodCommand):
    """Fixes code that breaks the graph of torch.compile, makes it recompile or unrolls.

    Only fixes that change nothing in eager mode are made, unless `unsafe_fixes` is given. The configuration is the one
    nearest to the file; `select`, `ignore` and `target_torch` go over it as the options of `breaklint check` do.
    ConfigError when a configuration is wrong, UsageError when a rule is named that does not exist.
    """

    DESCRIPTION = "Fix code that breaks the graph of torch.compile (breaklint check --fix)."

    def __init__(
        self,
        context: CodemodContext,
        unsafe_fixes: bool = False,
        select: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        target_torch: str | None = None,
    ) -> None:
        super().__init__(context)
        self._unsafe = unsafe_fixes
        self._over = {
            "select": None if select is None else tuple(select),
            "ignore": None if ignore is None else tuple(ignore),
            "target_torch": target_torch,
        }

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Take the options of `breaklint check` that select fixes."""
        arg_parser.add_argument("--unsafe-fixes", action="store_true", help="Also fixes that may change behaviour.")
        arg_parser.add_argument(
            "--target-torch", metavar="VERSION", help="The torch whose behaviour counts, e.g. 2.13."
        )
        arg_parser.add_argument(
            "--select", type=_codes, metavar="CODES", help="Enable only these rules: BRK2,tensor-item."
        )
        arg_parser.add_argument("--ignore", type=_codes, metavar="CODES", help="Disable these rules.")

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The file after its fixes; remaining findings are reported as warnings.

        RuleBug, with nothing changed, when the fixes do not compile.
        """
        path = self.context.filename or STDIN
        source = decode(path, tree.bytes)
        engine = _engine(self._settings(path), self._root())
        if not engine.may_matter(source.text):
            return tree
        result = engine.fix(path, source.text, self._unsafe)
        for line in result.errors:
            self.warn(line)
        if result.text is None:
            return tree
        return cst.parse_module(encode(source, result.text), tree.config_for_parsing)

    def _settings(self, path: str) -> Settings:
        return load_settings(Path(path).resolve().parent, overrides=self._over)

    def _root(self) -> str:
        """The folder in which the imports of the project begin, if the tool has it."""
        manager = self.context.metadata_manager
        return "" if manager is None else str(manager.root_path)


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.split(",") if code.strip())


@cache
def _engine(settings: Settings, root: str) -> Engine:
    """One engine for all files with the same settings: it reads their imports once."""
    return Engine(settings, [Path(root)] if root else [])
