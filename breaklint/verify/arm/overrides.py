"""Import modules from given texts instead of their files. Runs inside an arm's process."""

from __future__ import annotations

import importlib.util
import linecache
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from breaklint.verify.arm.branches import Rows, instrumented


class TextLoader(SourceFileLoader):
    """Runs a given text as if it were the file's; tracebacks and `inspect.getsource` show it."""

    def __init__(self, name: str, path: str, text: str, watch: Sequence[Rows] = ()) -> None:
        super().__init__(name, path)
        self._text, self._watch = text, watch

    def get_code(self, fullname: str) -> CodeType:
        """Compile the text, past every cache."""
        linecache.cache[self.path] = (len(self._text), None, self._text.splitlines(keepends=True), self.path)
        source = instrumented(self._text, self.path, self._watch) if self._watch else self._text
        code: CodeType = compile(source, self.path, "exec", dont_inherit=True)
        return code


class Overrides(MetaPathFinder):
    """Finds modules whose text is given, also those whose file is gone; leaves all others to the usual finders."""

    texts: dict[str, str]
    watch: Sequence[Rows]

    @classmethod
    def install(cls, texts: dict[str, str], watch: Sequence[Rows] = ()) -> None:
        """From now on these texts hold, by path, and no earlier ones; branches on the rows to `watch` tell."""
        finder = next((finder for finder in sys.meta_path if isinstance(finder, cls)), None)
        if finder is None:
            finder = cls()
            sys.meta_path.insert(0, finder)
        finder.texts, finder.watch = texts, watch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module whose text is given."""
        if not self.texts:
            return None
        last = fullname.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            package, module = Path(folder, last, "__init__.py").resolve(), Path(folder, f"{last}.py").resolve()
            for file, places in ((package, [str(package.parent)]), (module, None)):
                if str(file) in self.texts:
                    loader = TextLoader(fullname, str(file), self.texts[str(file)], self.watch)
                    return importlib.util.spec_from_file_location(
                        fullname, str(file), loader=loader, submodule_search_locations=places
                    )
                if file.is_file():
                    return None
        return None
