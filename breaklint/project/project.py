"""The files of a project, parsed at their first use, and the resolution of names between them."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from breaklint.errors import SourceError
from breaklint.project.binding import build, exports
from breaklint.project.class_hierarchy import ClassHierarchy, Resolved
from breaklint.project.definitions import parse_outline
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.project.memory import Memory
from breaklint.project.module import Answer, ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.walking import dotted_name
from breaklint.source.syntax import parse

BUILTINS: Final = frozenset(dir(builtins))
MAX_HOPS: Final = 12
MAX_STARS: Final = 48  # star imports that are searched; of more, those from packages that begin the name


class Project(ClassHierarchy):
    """Modules by path and by dotted name.

    `roots` are folders from which absolute imports are looked up, besides the folder that holds the outermost
    package of the checked file. Those that hold the file come first: two of them may each have a `utils.py`.
    `read` turns a path into source text and raises SourceError or OSError.
    `environment` is the `site-packages` for imports of modules that the project does not have.
    """

    def __init__(self, roots: Iterable[str], read: Callable[[str], str], environment: str = "") -> None:
        super().__init__()
        self.read = read
        self.imported: dict[str, str | None] = {}  # the modules requested since `begin`, and their files
        self.reached: dict[str, set[str]] = {}  # by file: the names of its top level that were looked up since
        self._requested: list[str] = []  # these modules, in order
        self._looked_up: list[tuple[str, str]] = []  # these names with their files, in order
        self._absolute = False  # imported files are named like the checked ones
        self._by_path: dict[str, Module | None] = {}
        self._by_name: dict[str, Module | None] = {}
        self._files: dict[str, str | None] = {}
        self._names: dict[str, list[str]] = {}  # by path: the dotted names under which a file was found
        self._unparsed: dict[str, SourceError] = {}  # by path: why an imported file is not parsed
        self._memory = Memory()
        self._turn = 0  # how many files have been checked
        self.folders = Folders()
        self._environment = Environment(environment, self.folders)
        self.python = self._environment.python  # the minor version of the project's Python; 0 if unknown
        # A package is imported from the folder above it: `import math` does not mean its own `math.py`.
        self._base_roots = [self.folders.root_of(os.path.join(os.path.abspath(root), "__init__.py")) for root in roots]
        self.roots = list(self._base_roots)
        self._checked: Module | None = None

    def begin(self) -> None:
        """Begin another file: results of the previous one must not affect it.

        Only the trees of imported files are kept.
        """
        if self._checked is not None:
            self._drop(os.path.abspath(self._checked.path))
        self._checked = None
        self._turn += 1
        self._memory.begin(self._turn, self._count())
        self.imported, self.reached = {}, {}
        self._requested.clear()
        self._looked_up.clear()
        self.forget_classes()

    @property
    def checked(self) -> Module | None:
        """The checked file."""
        return self._checked

    def _count(self) -> list[str]:
        """Bring the count of parsed characters up to date: it grows only in files that were requested since `begin`,
        which are returned."""
        requested = []
        for path in dict.fromkeys(self.imported.values()):
            module = None if path is None else self._by_path.get(path)
            if path is not None and module is not None:
                self._memory.count(path, module.parsed)
                requested.append(path)
        return requested

    def _make_room(self, length: int) -> None:
        """Drop files that have not been requested since `begin`, until a text of a length fits in."""
        self._count()
        in_use = {self._checked, *(self._by_path.get(path or "") for path in self.imported.values()), None}
        others = [path for path, module in self._by_path.items() if module not in in_use]
        for path in self._memory.to_drop(others, length):
            self._drop(path)

    def _drop(self, path: str) -> None:
        self._memory.drop(path)
        self._unparsed.pop(path, None)
        module = self._by_path.pop(path)
        for name in self._names.pop(path, ()):
            if self._files.get(name) == path:
                self._by_name.pop(name, None)
        for other in self._by_path.values():
            if other is not None and path in other.rests_on:
                other.forget_answers()
        if module is not None:
            module.forget()

    def refresh(self, texts: Mapping[str, str]) -> None:
        """Drop the files, by absolute path, that have another text now; no file is being checked."""
        for path, text in texts.items():
            module = self._by_path.get(path)
            if path in self._by_path and (module is None or module.text != text):
                self._drop(path)

    def add(self, path: str, text: str) -> Module:
        """Parse `text` as the file at `path`; raises SourceError if it is not Python."""
        full = os.path.abspath(path)
        self._absolute = self._absolute or os.path.isabs(path)
        roots = [*self.folders.import_roots(full, self._base_roots), *self.folders.script_root(full, text)]
        if self.roots != roots:
            self.roots = roots
            self._by_name.clear()
            for other in filter(None, self._by_path.values()):
                other.forget_answers()  # the same names may resolve to other files
        module = self._by_path.get(full)
        if module is None or module.text != text or module.places or module.installed:
            if full in self._by_path:
                self._drop(full)
            self._make_room(len(text))
            module = self._checked = self._parse(path, text, whole=True)
            self._memory.count(full, module.parsed)
        return module

    def _parse(self, path: str, text: str, whole: bool, installed: str = "") -> Module:
        """Parse a checked file as a `whole`, an imported one as far as needed.

        `installed` is the dotted name of a module of the environment.
        """
        full = os.path.abspath(path)
        root, name, is_package = self.folders.dotted(full)
        tree, cut, size, parts = (parse(path, text), {}, len(text), [text]) if whole else parse_outline(path, text)
        name = installed or name
        module = build(Module(path, name, tree, parts, is_package, cut, size, installed=bool(installed)))
        if root not in self.roots and not installed:
            self.roots.append(root)
        self._by_path[full] = self._by_name[name] = module
        self._note_file(name, full)
        return module

    def _note_file(self, name: str, path: str | None) -> None:
        self._files[name] = path
        if path is not None:
            self._names.setdefault(path, []).append(name)

    def module(self, name: str) -> Module | None:
        """The project's module of that dotted name, None when it is not part of the project or cannot be read."""
        if name not in self._by_name:
            path = self.folders.file_of(self.roots, name)
            installed = path is None
            path = path or self._environment.file_of(name)
            installed = installed and path is not None and not self._is_own(path)
            self._note_file(name, path)
            self._by_name[name] = None if path is None else self._load(path, name if installed else "")
        self._request(name)
        return self._by_name[name]

    def _request(self, module: str) -> None:
        self.imported[module] = self._files[module]
        self._requested.append(module)

    def _look_up(self, path: str, name: str) -> None:
        self.reached.setdefault(path, set()).add(name)
        self._looked_up.append((path, name))

    def _is_own(self, path: str) -> bool:
        """Whether a file of the environment belongs to the project: an editable install."""
        return self._environment.links_to(path) and any(path.startswith(root + os.sep) for root in self.roots)

    def resolve(self, module: Module, dotted: str) -> Resolved | None:
        """The definition of a dotted name at the top level of `module`; None if nothing binds it."""
        answer = module.answers.get(dotted)
        if answer is None:
            answer = module.answers[dotted] = self._answer(module, dotted)
        elif answer.turn != self._turn:
            answer.turn = self._turn
            self.imported.update(answer.imported)
            for path, name in answer.reached:
                self.reached.setdefault(path, set()).add(name)
        return answer.value

    def _answer(self, module: Module, dotted: str) -> Answer:
        """The definition of a dotted name with all look-ups that it depends on, so that other files can reuse it."""
        modules, names = len(self._requested), len(self._looked_up)
        head, _, rest = dotted.partition(".")
        bound = self._top_level(module, head)
        definition = None if bound is None else self._descend(bound, rest)
        imported = {name: self._files[name] for name in self._requested[modules:]}
        module.rests_on.update(path for path in imported.values() if path is not None)
        return Answer(definition, self._turn, imported, tuple(dict.fromkeys(self._looked_up[names:])))

    def lacks(self, name: str) -> bool:
        """Whether an import of this module fails: neither the project nor its environment has it."""
        return self.module(name.partition(".")[0]) is None and self._environment.lacks(name)

    def is_compiled(self, name: str) -> bool:
        """Whether a module is an extension of the project or of a package of the environment: Cython, C or C++."""
        return self.folders.is_compiled([*self.roots, *self._environment.roots], name)

    def lookup(self, qualified: str, hops: int = MAX_HOPS) -> Resolved:
        """The class, function, module or expression of the project with a qualified name, else the name itself."""
        parts = qualified.split(".")
        for cut in range(len(parts), 0, -1):
            module = self.module(".".join(parts[:cut]))
            if module is None:
                continue
            if cut == len(parts):
                return self._rebound(qualified, hops) or module
            bound = self._top_level(module, parts[cut], hops - 1)
            if bound is not None:
                return self._descend(bound, ".".join(parts[cut + 1 :]), hops - 1) or qualified
            return qualified
        return qualified

    def _rebound(self, qualified: str, hops: int) -> Resolved | None:
        """The value that a package binds to a submodule's name: `from .solve import solve` in `__init__`."""
        parent, _, name = qualified.rpartition(".")
        package = self.module(parent) if parent and hops > 0 else None
        bound = None if package is None else package.names.get(name)
        if package is None or (bound is None and qualified not in package.stars):
            return None
        if isinstance(bound, ImportedName) and bound.qualified == qualified:
            return None
        return self._top_level(package, name, hops - 1)

    def _top_level(self, module: Module, name: str, hops: int = MAX_HOPS) -> Resolved | None:
        self._look_up(module.path, name)
        bound = module.bound(name)
        if bound is None:
            return self._unbound(module, name, hops)
        if isinstance(bound, ImportedName):
            return self.lookup(bound.qualified, hops) if hops > 0 else bound.qualified
        if isinstance(bound, (ClassInfo, FunctionInfo)):
            return bound
        alias = dotted_name(bound)
        if alias and alias.partition(".")[0] != name and hops > 0:
            head, _, rest = alias.partition(".")
            target = self._top_level(module, head, hops - 1)
            definition = None if target is None else self._descend(target, rest, hops - 1)
            if definition is not None:
                return definition
        return (module, bound)

    def _unbound(self, module: Module, name: str, hops: int) -> Resolved | None:
        """The value of a name that no top-level statement binds."""
        submodule = self._submodule(module, name)
        if submodule is not None:  # `from .solve import *` may replace the submodule by its name `solve`
            starred = submodule.name in module.stars and hops > 0 and exports(submodule, name)
            return (self._top_level(submodule, name, hops - 1) if starred else None) or submodule
        definition = self._from_stars(module, name, hops)
        imported = module.inner_imports.get(name) if definition is None else None
        return definition if imported is None or hops <= 0 else self.lookup(imported.qualified, hops)

    def _from_stars(self, module: Module, name: str, hops: int) -> Resolved | None:
        many = len(module.stars) > MAX_STARS
        for source in (each for each in module.stars if _is_named_after(each, name)) if many else module.stars:
            other = self.module(source) if self._may_bind(source, name) else None
            if other is None or other is module or hops <= 0:
                if source.partition(".")[0] == "torch" and name not in BUILTINS and name[:1].isupper():
                    return f"{source}.{name}"
                continue
            definition = self._top_level(other, name, hops - 1) if exports(other, name) else None
            if definition is not None:
                return definition
        return None

    def _may_bind(self, source: str, name: str) -> bool:
        """Whether a module's text contains a name: parsing every `from .x import *` of a package is slow."""
        if source in self._by_name:
            return True
        path = self.folders.file_of(self.roots, source) or self._environment.file_of(source)
        self._files[source] = path
        self._request(source)
        if path is None:
            return False
        self._look_up(path, name)
        try:
            text = self.read(path)
        except (SourceError, OSError):
            return False
        return name in text or "import *" in text

    def _submodule(self, module: Module, name: str) -> Module | None:
        return self.module(f"{module.name}.{name}") if module.is_package else None

    def _descend(self, bound: Resolved, rest: str, hops: int = MAX_HOPS) -> Resolved | None:
        if not rest:
            return bound
        if isinstance(bound, str):
            return f"{bound}.{rest}"
        head, _, tail = rest.partition(".")
        if isinstance(bound, Module):
            definition = self._top_level(bound, head, hops - 1) if hops > 0 else None
            return None if definition is None else self._descend(definition, tail, hops - 1)
        if isinstance(bound, ClassInfo) and head in bound.methods and not tail:
            return bound.methods[head]
        return None

    def _load(self, path: str, installed: str) -> Module | None:
        if path not in self._by_path:
            self._make_room(0)  # its length is not known yet, and little of it may be parsed
            try:
                display_path = path if self._absolute else os.path.relpath(path)
                self._parse(display_path, self.read(path), whole=False, installed=installed)
            except (SourceError, OSError) as error:
                self._by_path[path] = None
                if isinstance(error, SourceError) and not installed:
                    self._unparsed[path] = error
        return self._by_path[path]

    def unparsed(self) -> list[SourceError]:
        """The reasons why imported files, or their definitions, are missing since `begin`."""
        paths = dict.fromkeys(path for path in self.imported.values() if path is not None)
        modules = (self._by_path.get(path) for path in paths)
        errors = (None if module is None or module.installed else module.unparsed for module in modules)
        reasons = (self._unparsed.get(path) or error for path, error in zip(paths, errors, strict=True))
        return [error for error in reasons if error is not None]


def _is_named_after(source: str, name: str) -> bool:
    """Whether a name begins with that of a package: `BertModel` of `models.bert`."""
    return name.lower().startswith(source.rpartition(".")[2].replace("_", ""))
