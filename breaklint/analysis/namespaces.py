"""What a file replaces behind the back of its own statements: attributes of libraries, entries of namespaces."""

from __future__ import annotations

import ast
import re

from breaklint.analysis.reading import only_reads
from breaklint.project.module import ImportedName, Module
from breaklint.project.own_names import FUNCTIONS, ShadowedNames
from breaklint.project.syntax import last_name
from breaklint.project.walking import FOR_ATTRIBUTE, children, dotted_name, has_row, stored_attributes, walk

# Where attributes are replaced, or names bound, by more than the targets of statements: by these words, and by
# `for torch.x in` in a comprehension.
WORDS = tuple(
    "setattr delattr exec eval( vars( globals locals( __builtins__ __globals__ f_globals f_builtins __dict__ "
    "sys.modules __import__ import_module".split()
)
PATCH = re.compile(r"patch\W")  # no `patches`, of which vision models have many
# The names of a file, as a dict; of any file; of Python.
NAMESPACES = frozenset({"__builtins__", "__globals__", "f_globals", "f_builtins"})
GLOBALS, OF_BUILTINS = frozenset({"__globals__"}), frozenset({"__builtins__", "f_builtins"})
MAKING = frozenset("__bases__ __class__ __code__ __defaults__ __kwdefaults__".split())  # what functions and classes are
OF_THE_PLACE = frozenset({"vars", "locals"})  # without arguments, the names where they are called
LOADING = frozenset({"__import__", "import_module"})
FUNCTION_TYPE = "FunctionType"  # a function that is made of the names of another stores none of them
REPLACING = frozenset("setattr delattr patch object".split())  # the last two of `mock.patch.object(torch, "where")`
MAX_NAMES = 12  # that are given to one another
BINDING_TEXT = re.compile(r":=|\bexec\b|\bglobals\b|\bsetattr\b")


class Namespaces:
    """What is bound and replaced in ways that are not followed.

    `anything`: any name of the file may be bound behind its back, as an entry of `globals()` or by text that is run.
    `replaced` are the attributes that are stored or deleted, in full where they are those of a dotted name, and
    `patched` those of them that are told as a text; `bound` are names that are stored in a module that is looked up,
    which may be the file, `own` those that are stored in the file as a module; `taken` are the namespaces that are
    more than read.
    """

    def __init__(self, module: Module) -> None:
        self.module, text = module, module.text
        self.anything = False
        self.replaced: set[str] = set()
        self.patched: set[str] = set()
        self.bound: set[str] = set()
        self.own: set[str] = set()
        self.taken: set[str] = set()
        self._read: set[ast.AST] = set()  # what the node around it only reads
        seen: set[str | None] = {None}
        for node in stored_attributes(module.tree):
            name = dotted_name(node)
            if name is None or name not in seen:
                seen.add(name)
                self._stored(node)
        rows = module.rows_with_any({*WORDS, *FOR_ATTRIBUTE.findall(text), *PATCH.findall(text)})
        if rows:
            self._visit(module.tree, rows, False)

    def _visit(self, node: ast.AST, rows: list[int], inside: bool) -> None:
        """Look at a node and those below it; `inside` a function, whose own names are not those of the file."""
        self._note_read(node, inside)
        self._stored(node)
        self._named(node, inside)
        if isinstance(node, ast.Call):
            self._called(node, inside)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and self._is_found(node):
            told = node.slice.value if isinstance(node.slice, ast.Constant) else ""
            self.patched.update([f"{told}."] if isinstance(told, str) and told else [])  # another module of that name
        deeper = inside or isinstance(node, FUNCTIONS)
        for child in children(node):
            if not isinstance(child, ast.stmt) or has_row(child, rows):
                self._visit(child, rows, deeper)

    def _note_read(self, node: ast.AST, inside: bool) -> None:
        """Remember the children of a node of which it reads entries alone, or gives them a name of the file."""
        for child in children(node):
            named = isinstance(node, ast.Assign) and not inside and all(isinstance(t, ast.Name) for t in node.targets)
            asked = isinstance(node, ast.Call) and dotted_name(node.func) == "getattr" and child is node.args[0]
            asked |= isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
            self._read.update([child] if isinstance(node, ast.Call) and last_name(node.func) == FUNCTION_TYPE else [])
            if only_reads(node, child) or ((named or asked) and self._is_found(child)):
                self._read.add(child)

    def _stored(self, node: ast.AST) -> None:
        """An attribute that is stored or deleted."""
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            self.replaced.add(dotted_name(node) or f"?.{node.attr}")
            self.anything |= node.attr in MAKING
            self._bind(node.value, node.attr)

    def _take(self, owner: ast.expr) -> None:
        """Note that the dictionary of an object is taken: that of a module that is looked up holds names of a file."""
        if self._is_found(self._behind(owner)) and not self._is_itself(owner):
            self.taken |= GLOBALS

    def _is_itself(self, owner: ast.expr) -> bool:
        """Whether a module that is looked up is that of the file."""
        found = self._behind(owner)
        itself = isinstance(found, ast.Subscript) and dotted_name(found.slice) == "__name__"
        return itself and self._means_one(owner)

    def _bind(self, owner: ast.expr, name: str) -> bool:
        """Note a name that is stored in an object, and say whether that is a module that is looked up."""
        found = self._behind(owner)
        if not self._is_found(found) or is_shadowed(self.module, owner):
            return False
        (self.own if self._is_itself(owner) else self.bound).add(name)
        return True

    def _means_one(self, node: ast.expr) -> bool:
        """Whether an expression, and each name that it stands for, is bound once in the whole file."""
        while isinstance(node, ast.Name):
            stores = (each for each in walk(self.module.tree) if isinstance(each, ast.Name) and each.id == node.id)
            bound = self.module.names.get(node.id)
            if not isinstance(bound, ast.expr) or sum(not isinstance(each.ctx, ast.Load) for each in stores) != 1:
                return False
            node = bound
        return True

    def _named(self, node: ast.AST, inside: bool) -> None:
        """A namespace that is more than read."""
        if node in self._read:
            return
        if isinstance(node, ast.Call):
            name = dotted_name(node.func)
            place = name in OF_THE_PLACE and not node.args and not inside
            self.anything |= name == "globals" or place or (name == "vars" and any(map(self._is_namespace, node.args)))
            if name == "vars" and node.args:
                self._take(node.args[0])
        elif isinstance(node, ast.Attribute):
            self.anything |= node.attr in NAMESPACES or (node.attr == "__dict__" and self._is_namespace(node.value))
            self.taken |= NAMESPACES & {node.attr}
            if node.attr == "__dict__":
                self._take(node.value)
        elif isinstance(node, ast.Name):
            self.anything |= node.id in NAMESPACES or node.id == "globals"
            self.taken |= NAMESPACES & {node.id}
        elif isinstance(node, ast.Subscript):
            self.anything |= self._is_found(node)

    def _is_namespace(self, node: ast.expr) -> bool:
        """Whether an object may be a module, whose dictionary holds the names of a file or library."""
        head = (dotted_name(node) or "").partition(".")[0]
        return isinstance(self.module.names.get(head), ImportedName) or self._is_found(self._behind(node))

    def _behind(self, node: ast.AST) -> ast.AST:
        """What a name of the file is given, and what is behind that, as long as these are names."""
        for _ in range(MAX_NAMES):
            bound = self.module.names.get(node.id) if isinstance(node, ast.Name) else None
            if not isinstance(bound, ast.expr):
                break
            node = bound
        return node

    def _is_found(self, node: ast.AST) -> bool:
        """Whether an expression looks a module up: `sys.modules["torch"]`, `import_module("torch")`."""
        if isinstance(node, ast.Call):
            return last_name(node.func) in LOADING
        name = dotted_name(node.value) if isinstance(node, ast.Subscript) else None
        head, _, rest = (name or "").partition(".")
        bound = self.module.names.get(head)
        return name == "sys.modules" or (
            isinstance(bound, ImportedName) and f"{bound.qualified}.{rest}".strip(".") == "sys.modules"
        )

    def _called(self, node: ast.Call, inside: bool) -> None:
        name = last_name(node.func)
        if name in ("exec", "eval") and isinstance(node.func, ast.Name):
            text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            harmless = name == "eval" and (inside if text is None else not BINDING_TEXT.search(str(text)))
            self.anything |= len(node.args) < 2 and not harmless
        told = [each.value if isinstance(each, ast.Constant) else "" for each in node.args[:2]]
        if name == "getattr" and len(told) > 1:
            of_names = told[1] == "__dict__" and self._is_namespace(node.args[0])
            self.anything |= of_names or told[1] in NAMESPACES
        if name == "multiple" and node.args:  # patch.multiple(torch, where=...)
            library = told[0] if isinstance(told[0], str) and told[0] else dotted_name(node.args[0]) or "?"
            named = {f"{library}.{each.arg or ''}" for each in node.keywords}
            self.replaced |= named
            self.patched |= named if isinstance(told[0], str) and told[0] else set()
            self.anything |= any(each.arg is None for each in node.keywords)
        if name not in REPLACING or not node.args:
            return
        if isinstance(told[0], str) and "." in told[0]:  # patch("torch.where")
            self.replaced.add(told[0])
            self.patched.add(told[0])
        elif len(told) > 1:
            owner = dotted_name(node.args[0])
            self.replaced.add(f"{owner or '?'}.{told[1]!s}")
            found = self._bind(node.args[0], str(told[1]))
            self.anything |= told[1] in MAKING or (found and not told[1])


class Fills(tuple[bool, ...]):
    """Whether any name of a file may be bound behind its back."""

    __slots__ = ()


def fills_names(module: Module) -> bool:
    """Whether any name of a file may be bound behind its back: most files do not so much as have a word for it."""
    parts = module.parts
    worded = any(word in part for part in parts for word in WORDS)
    return module.derive(Fills, lambda: Fills([worded and Namespaces(module).anything]))[0]


def is_shadowed(module: Module, node: ast.AST) -> bool:
    """Whether an expression is a name that a function around it binds as its own."""
    if not isinstance(node, ast.Name):
        return False
    return node in module.derive(ShadowedNames, lambda: ShadowedNames(module.tree))[node.id]
