"""Attributes of values, and names of top levels."""

from __future__ import annotations

import ast
import operator
from typing import Any, Final

from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.recompiles import optimizers
from breaklint.recompiles.expressions import Expressions
from breaklint.recompiles.objects import (
    UNKNOWN,
    Bound,
    Closure,
    External,
    Lazy,
    Obj,
    Super,
    Tensor,
    Unknown,
    copied,
    lazy,
)
from breaklint.recompiles.python_operations import run_python
from breaklint.recompiles.scopes import MISSING, Scope, Undecided
from breaklint.recompiles.shapes import product
from breaklint.recompiles.symbols import Sym
from breaklint.recompiles.tracing import global_name

BUILTINS: Final = frozenset(
    "range len zip enumerate sum min max sorted isinstance list tuple dict set str int float bool abs round any all "
    "map filter getattr setattr hasattr super type print reversed iter next divmod pow slice frozenset callable "
    "id".split()
)
# What changes whether a function is compiled, not what it computes; no schema has it.
COMPILERS: Final = ("torch.compile", "torch.compiler.disable", "torch.jit.ignore", "torch.jit.unused")


def class_key(cls: ClassInfo, name: str) -> tuple[str, str]:
    """Where the attribute of a class is kept among the names of modules."""
    return (cls.module.name, f"{cls.name}.{name}")


def function_key(function: Closure, name: str) -> tuple[str, str]:
    """Where the attribute of a function is kept among the names of modules."""
    return (function.module.name, f"{getattr(function.node, 'name', '<lambda>')}.{name}")


def _unpacked(module: Module, name: str) -> tuple[Module, ast.expr] | None:
    """What a name of the top level is that a statement unpacks: `p, q = first, second`."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for target in node.targets:
                elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
                names = [getattr(each, "id", "") for each in elements]
                if name in names and len(names) == len(node.value.elts):
                    return module, node.value.elts[names.index(name)]
    return None


class Attributes(Expressions):
    """Looks up attributes and global names."""

    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute of a value."""
        owner = self.force(owner)
        if not isinstance(name, str):
            raise Undecided
        if isinstance(owner, Tensor):
            return self._of_tensor(owner, name)
        if isinstance(owner, Obj):
            return self._of_object(owner, name)
        if isinstance(owner, Super):
            return self._of_super(owner, name)
        if isinstance(owner, External):
            return self.resolved(self.project.lookup(f"{owner.name}.{name}"))
        if isinstance(owner, Module):
            return self.load_global(owner, name)
        if isinstance(owner, ClassInfo):
            return self._of_class(owner, owner, name)
        if isinstance(owner, Closure) and function_key(owner, name) in self.world.globals:
            return self._stored_name(function_key(owner, name), function_key(owner, name)[1])
        if isinstance(owner, (Sym, list, dict, str, tuple, set, float, int)):
            return Bound(owner, name)
        return UNKNOWN

    def _of_tensor(self, owner: Tensor, name: str) -> Any:
        if name == "shape":
            return UNKNOWN if owner.shape is None else tuple(owner.shape)
        if name == "ndim":
            return UNKNOWN if owner.ndim is None else owner.ndim
        if name == "dtype":
            return External(f"torch.{owner.dtype}")
        if name == "device":
            return External(f"device:{owner.device}")
        if name in ("T", "mT"):
            self.count()
            return owner.like(None if owner.shape is None else (*owner.shape[:-2], *owner.shape[-2:][::-1]))
        if name == "requires_grad":
            return owner.requires_grad
        if name in ("data", "grad", "real"):
            return owner.like(owner.shape)
        if name in ("is_cuda", "is_sparse", "is_quantized"):
            return False
        return Bound(owner, name)

    def _of_object(self, owner: Obj, name: str) -> Any:
        if name in owner.attrs:
            return owner.load(name)
        if isinstance(owner.cls, ClassInfo):
            found = self._of_class(owner.cls, owner, name)
            if found is not MISSING:
                return found
        if name == "training" and owner.is_module:
            owner.attrs[name] = True
            return owner.load(name)
        if optimizers.is_optimizer(owner, self.project):
            return optimizers.step_function(owner) if name == "step" else Bound(owner, name)
        if owner.is_module or "modules" in owner.attrs or str(owner.cls).startswith(optimizers.SCHEDULERS):
            return Bound(owner, name)
        return UNKNOWN

    def _of_super(self, owner: Super, name: str) -> Any:
        cls = owner.owner.cls if isinstance(owner.owner, Obj) else owner.owner
        info = self.project.method(cls, name, owner.after) if isinstance(cls, ClassInfo) else None
        return Bound(owner.owner, name) if info is None else Bound(owner.owner, self.function(info))

    def _of_class(self, cls: ClassInfo, owner: Any, name: str) -> Any:
        info = self.project.method(cls, name)
        if info is not None:
            return self._method(info, owner, cls)
        for above in self.project.mro(cls):
            if isinstance(above, ClassInfo) and class_key(above, name) in self.world.globals:
                return self._stored_name(class_key(above, name), f"{above.name}.{name}")
        definer = self.project.definer(cls, name)
        if definer is not None and name in definer.attributes:
            value = self._module_level(definer.module, definer.attributes[name])
            if isinstance(value, (Unknown, Closure, External, ClassInfo, Module)):
                return value
            self._keep_name(class_key(definer, name), value)
            return self._stored_name(class_key(definer, name), f"{definer.name}.{name}")
        return MISSING if isinstance(owner, Obj) else UNKNOWN

    def _method(self, info: FunctionInfo, owner: Any, cls: ClassInfo) -> Any:
        kinds = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in info.decorators}
        function = self.function(info)
        if "staticmethod" in kinds:
            return function
        if "classmethod" in kinds:
            return Bound(cls, function)
        if isinstance(owner, Obj) and kinds & {"property", "cached_property"}:
            return self.call(Bound(owner, function), [], {})
        return Bound(owner, function) if isinstance(owner, Obj) else function

    def function(self, info: FunctionInfo) -> Closure:
        """A function of the project as a value."""
        return Closure(info, info.node, info.module, None, info.cls)

    def resolved(self, found: Any) -> Any:
        """What a name that the project has resolved is as a value."""
        if isinstance(found, FunctionInfo):
            return self.function(found)
        if isinstance(found, (ClassInfo, Module)):
            return found
        if isinstance(found, ImportedName):
            return self.resolved(self.project.lookup(found.qualified))
        if isinstance(found, str):
            return External(found)
        if isinstance(found, tuple):
            return self._module_level(found[0], found[1])
        return UNKNOWN

    def load_global(self, module: Module, name: str) -> Any:
        """A name of a module's top level, or a builtin."""
        known = self.world.globals.get((module.name, name), MISSING)
        if known is MISSING:
            found = self.project.resolve(module, name) or _unpacked(module, name)
            if found is None:
                return External(f"builtins.{name}") if name in BUILTINS else UNKNOWN
            known = self.resolved(found)
            if isinstance(known, (ClassInfo, FunctionInfo, External, Module)):
                return known
            self._keep_name((module.name, name), known)
        return self._stored_name((module.name, name), name)

    def _keep_name(self, key: tuple[str, str], value: Any) -> None:
        """Keep what a name holds from now on, in the world that a copy was made of, too."""
        self.world.globals[key] = value
        if self.world.origin is not None:
            self.world.origin.globals[key] = copied(value, {})

    def _stored_name(self, key: tuple[str, str], text: str) -> Any:
        """What a name holds, guarded where it is used."""
        known = self.world.globals[key]
        if self.trace is None or isinstance(known, (Lazy, Sym, Closure)):
            return known
        made = lazy(known, global_name(*key, text))
        self.world.globals[key] = made
        return made

    def store_global(self, module: Module, name: str, value: Any) -> None:
        """Set a name of a module's top level."""
        self.world.globals[module.name, name] = value

    def _module_level(self, module: Module, node: ast.expr) -> Any:
        saved, self.trace = self.trace, None
        try:
            return self.eval(node, Scope(module))
        finally:
            self.trace = saved

    def sizes(self, tensor: Tensor, args: list[Any]) -> Any:
        """`x.size()` and `x.size(0)`."""
        if tensor.shape is None:
            return UNKNOWN
        return run_python(operator.getitem, tensor.shape, args[0]) if args else tuple(tensor.shape)

    def numel(self, tensor: Tensor) -> Any:
        """The number of elements."""
        return UNKNOWN if tensor.shape is None else product(tensor.shape)
