"""Calls: of functions of the program, of classes, of torch and of builtins."""

# ruff: noqa: D102 - the methods of one kind of node are named by it

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final

from breaklint.project.module import ClassInfo
from breaklint.recompiles import builtin_calls, layers, more_operations, optimizers
from breaklint.recompiles.attributes import COMPILERS, Attributes
from breaklint.recompiles.changes import Site
from breaklint.recompiles.objects import (
    UNKNOWN,
    Bound,
    Closure,
    External,
    LocalClass,
    Obj,
    Super,
    Tensor,
    Unknown,
    unguarded,
)
from breaklint.recompiles.operations import apply, first_tensor
from breaklint.recompiles.python_operations import run_python
from breaklint.recompiles.scopes import MISSING, OutOfBudget, Raised, Returned, Scope, Undecided
from breaklint.recompiles.symbols import Sym, specialised, symbolic

MAX_DEPTH: Final = 40
# Where the same operation goes by several names.
FUNCTIONAL: Final = ("torch.nn.functional.", "torch.special.", "torch.linalg.", "torch.Tensor.", "torch.")
SKIPPED: Final = frozenset({"item", "tolist", "numpy", "data_ptr", "nonzero", "unique", "backward"})  # they break
# What SymInt keeps symbolic of math: counted, no schema says it.
MATH: Final = {"sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc"}
# Functions of torch that put nothing into a graph.
NO_OPERATION: Final = ("torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.autocast", "torch.device",
                       "torch.manual_seed", "torch.is_grad_enabled", "torch.finfo", "torch.iinfo")  # fmt: skip
# Methods of Python's containers that change them.
CHANGING: Final = frozenset(
    "__iadd__ add append appendleft clear discard extend insert pop popitem popleft remove reverse setdefault sort "
    "update".split()
)
_ = more_operations  # enters its functions in the table


class Calls(Attributes):
    """Calls what has been looked up."""

    depth = 0

    @abstractmethod
    def run_block(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Run statements one after the other."""

    def eval_Call(self, node: ast.Call, scope: Scope) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and scope.find("super") is MISSING:
            return self._super(scope)
        callee = self.eval(node.func, scope)
        args, kwargs = self.arguments(node, scope)
        self.site = Site(scope.module, node)
        return self.call(callee, args, kwargs, scope)

    def arguments(self, node: ast.Call, scope: Scope) -> tuple[list[Any], dict[str, Any]]:
        """What a call is given."""
        args: list[Any] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                args.extend(self.iterated(self.eval(each.value, scope)) or [])
            else:
                args.append(self.eval_lazy(each, scope))
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.eval_lazy(keyword.value, scope)
            if keyword.arg is None:
                value = self.force(value)
                kwargs.update({str(key): each for key, each in value.items()} if isinstance(value, dict) else {})
            else:
                kwargs[keyword.arg] = value
        return args, kwargs

    def _super(self, scope: Scope) -> Any:
        holder: Scope | None = scope
        while holder is not None and holder.cls is None:
            holder = holder.parent
        owner = next(iter(holder.names.values()), UNKNOWN) if holder is not None else UNKNOWN
        return Super(self.force(owner), holder.cls) if holder is not None and holder.cls is not None else UNKNOWN

    def call(self, callee: Any, args: list[Any], kwargs: dict[str, Any], scope: Scope | None = None) -> Any:
        """What a call gives."""
        if isinstance(callee, Closure):
            return self.call_function(callee, args, kwargs)
        if isinstance(callee, Bound) and isinstance(callee.function, Closure):
            return self.call_function(callee.function, [callee.owner, *args], kwargs)
        if isinstance(callee, ClassInfo):
            return self.instantiate(callee, args, kwargs)
        if isinstance(callee, LocalClass):
            return self._local_instance(callee, args, kwargs)
        if isinstance(callee, Obj):
            return self.call_object(callee, args, kwargs)
        if isinstance(callee, External) and callee.name.startswith("builtins."):
            return builtin_calls.call(self, callee.name.removeprefix("builtins."), args, kwargs)
        args = [self._deep(each) for each in args]
        kwargs = {key: self._deep(each) for key, each in kwargs.items()}
        if isinstance(callee, Bound):
            return self._method_of_value(callee.owner, str(callee.function), args, kwargs)
        if isinstance(callee, External):
            return self._external(callee.name, args, kwargs)
        return self._unfollowed(args, kwargs)

    def _deep(self, value: Any) -> Any:
        value = self.force(value)
        if isinstance(value, tuple):
            return tuple(self._deep(each) for each in value)
        if isinstance(value, list):
            value[:] = [self._deep(each) for each in value]
        return value

    def call_object(self, callee: Obj, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of an instance: `forward` of a module, `__call__` of another."""
        if isinstance(callee.cls, str):
            return self._layer(callee, args, kwargs)
        for name in ("__call__", "forward"):
            info = self.project.method(callee.cls, name)
            if info is not None:
                return self.call_function(self.function(info), [callee, *args], kwargs)
        kinds = [each for each in self.project.external_bases(callee.cls) if each.startswith(layers.NN)]
        return self._layer(Obj(kinds[0], callee.attrs, True), args, kwargs) if kinds else UNKNOWN

    def _layer(self, callee: Obj, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if str(callee.cls).endswith(".Sequential"):
            value: Any = args[0] if args else UNKNOWN
            parts = self.iterated(callee)
            for part in [UNKNOWN] if parts is None else parts:
                value = self.call(self.force(part), [value], {})
            return value
        if not str(callee.cls).startswith(layers.NN):
            return self._unfollowed(args, kwargs)
        self.count()
        if "weight" in callee.attrs:
            self.force(callee.load("weight"))
        if str(callee.cls).rpartition(".")[2] in layers.RECURRENT and self.trace is not None:
            if self.depth > 1 or not self.trace.options.skips_recurrent:
                raise Undecided  # the frames behind the break are compiled alone
            self.trace.broke = True
            self.trace.operations = -(10**9)  # Dynamo skips the frame that calls one
        args = [self._deep(each) for each in args]
        options = {
            name: self._deep(callee.load(name)) if name in layers.READ else unguarded(value)
            for name, value in [*callee.attrs.items()]
        }
        kind = str(callee.cls).rpartition(".")[2]
        if any(name not in options for name in layers.NAMES.get(kind, ())):
            return UNKNOWN  # a class whose constructor was not followed
        return layers.call(kind, options, args, {key: self._deep(each) for key, each in kwargs.items()})

    def _unfollowed(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        tensor = first_tensor(tuple(self.force(each) for each in args), kwargs)
        if self.trace is not None:
            self.trace.is_partial = True
        if tensor is None:
            return UNKNOWN
        self.count()
        return UNKNOWN

    def call_function(self, function: Closure, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Run the body of a function of the program."""
        if self.depth > MAX_DEPTH:
            return UNKNOWN
        info = function.info
        if info is not None and any(self._is_opaque(each, function) for each in info.decorators):
            return UNKNOWN
        scope = Scope(function.module, function.scope, function.cls)
        self.bind_arguments(function, args, kwargs, scope)
        node, self.depth = function.node, self.depth + 1
        try:
            if isinstance(node, ast.Lambda):
                return self.eval_lazy(node.body, scope)
            self.run_block(node.body, scope)
        except Returned as done:
            return done.value
        finally:
            self.depth -= 1
        return scope.yields or None

    def _is_opaque(self, decorator: ast.expr, function: Closure) -> bool:
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = self.eval(node, Scope(function.module)) if isinstance(node, (ast.Name, ast.Attribute)) else UNKNOWN
        return isinstance(found, External) and found.name in COMPILERS[1:]

    def eval_Yield(self, node: ast.Yield, scope: Scope) -> Any:
        scope.yields.append(None if node.value is None else self.eval_lazy(node.value, scope))

    def bind_arguments(self, function: Closure, args: list[Any], kwargs: dict[str, Any], scope: Scope) -> None:
        """Give the parameters of a function their values; those that are left out have their defaults."""
        spec = function.node.args
        names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
        scope.names.update(zip(names, args, strict=False))
        if spec.vararg is not None:
            scope.names[spec.vararg.arg] = tuple(args[len(names) :])
        known = {*names, *(each.arg for each in spec.kwonlyargs)}
        scope.names.update((key, value) for key, value in kwargs.items() if key in known)
        if spec.kwarg is not None:
            scope.names[spec.kwarg.arg] = {key: value for key, value in kwargs.items() if key not in known}
        pairs = [*zip(names[::-1], spec.defaults[::-1], strict=False)]
        pairs += [(each.arg, value) for each, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
        for name, default in pairs:
            if name not in scope.names:
                scope.names[name] = self.eval(default, Scope(function.module, function.scope))
        for name in known:
            scope.names.setdefault(name, UNKNOWN)

    def instantiate(self, cls: ClassInfo, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """An instance of a class of the program."""
        bases = self.project.external_bases(cls)
        kinds = [each for each in bases if each.startswith(layers.NN)]
        made = Obj(cls, {}, is_module=bool(kinds) or any("LightningModule" in each for each in bases))
        if made.is_module:
            made.attrs["training"] = True
        if any("Enum" in each for each in bases):
            return UNKNOWN
        init = self.project.method(cls, "__init__")
        if init is not None:
            try:
                self.call_function(self.function(init), [made, *args], kwargs)
            except (Raised, OutOfBudget):
                return made
        elif kinds and kinds[0] != "torch.nn.Module":
            made.attrs.update(layers.build(kinds[0], args, kwargs).attrs)
        elif not made.is_module:
            self._fields(cls, made, args, kwargs)
        return made

    def _local_instance(self, cls: LocalClass, args: list[Any], kwargs: dict[str, Any]) -> Obj:
        """An instance of a class that a function makes: each time that it runs, it makes another class."""
        made = Obj(f"{cls.name} {cls.number}", {})
        for name, value in cls.names.items():
            made.attrs[name] = Bound(made, value) if isinstance(value, Closure) else value
        if isinstance(init := made.attrs.get("__init__"), Bound):
            self.call(init, args, kwargs)
        return made

    def _fields(self, cls: ClassInfo, made: Obj, args: list[Any], kwargs: dict[str, Any]) -> None:
        """A dataclass or a named tuple: its annotated names are its fields."""
        classes = [each for each in reversed(self.project.mro(cls)) if isinstance(each, ClassInfo)]
        names = dict.fromkeys(name for each in classes for name in each.annotations)
        defaults = {name: (each, node) for each in classes for name, node in each.attributes.items() if name in names}
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        for name in names:
            if name in given:
                made.attrs[name] = given[name]
            elif name in defaults:
                made.attrs[name] = self.eval(defaults[name][1], Scope(defaults[name][0].module))

    def _method_of_value(self, owner: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if isinstance(owner, Tensor):
            return self._tensor_method(owner, name, args, kwargs)
        if isinstance(owner, Obj):
            return self._method_of_object(owner, name, args, kwargs)
        if isinstance(owner, dict):
            self._note_method(owner, name)
            return builtin_calls.dict_method(self, owner, name, args, kwargs)
        owner = specialised(owner)
        if isinstance(owner, list) and name in ("append", "insert", "appendleft"):
            self._note_method(owner, name)
            return run_python(run_python(getattr, owner, name), *args, **kwargs)
        if any(isinstance(each, Unknown) for each in args):
            if isinstance(owner, set) and self.changes is not None and self.site is not None:
                self.changes.unknown.add(self.site.node)
            return UNKNOWN
        self._note_method(owner, name)
        return run_python(run_python(getattr, owner, name), *args, **kwargs)

    def _method_of_object(self, owner: Obj, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A method of a class outside of the program."""
        if not optimizers.is_optimizer(owner, self.project) and not str(owner.cls).startswith(optimizers.SCHEDULERS):
            return builtin_calls.module_method(self, owner, name, args)
        if name == "__init__":
            defaults = self.force(args[1]) if len(args) > 1 else kwargs
            params = args[0] if args else UNKNOWN
            optimizers.construct(self, owner, params, defaults if isinstance(defaults, dict) else {})
            return None
        return optimizers.call_method(self, owner, name, args)

    def _note_method(self, owner: Any, name: str) -> None:
        if isinstance(owner, (list, dict, set)) and name in CHANGING:
            self.note_change(owner)

    def _tensor_method(self, owner: Tensor, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name == "size":
            return self.sizes(owner, [*args, *kwargs.values()])
        if name in ("dim", "ndimension"):
            return UNKNOWN if owner.ndim is None else owner.ndim
        if name in ("numel", "nelement"):
            return self.numel(owner)
        if name == "__len__":
            return self.sizes(owner, [0])
        if name in ("is_floating_point", "is_complex"):
            return owner.dtype.startswith("float" if name == "is_floating_point" else "complex")
        if name in ("is_contiguous", "get_device", "stride"):
            return True if name == "is_contiguous" else UNKNOWN
        self.count()
        if name in SKIPPED:
            if self.trace is not None:
                self.trace.broke = True
            return UNKNOWN
        if name.startswith("new_"):
            return apply(name.removeprefix("new_"), tuple(args), {**kwargs})
        return apply(name, (owner, *args), kwargs)

    def _external(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name.startswith("math."):
            return self._math(name.removeprefix("math."), args)
        if name in COMPILERS[:1]:
            return self._compiled(args, kwargs)
        if name.startswith(layers.NN) and name.rpartition(".")[0] in ("torch.nn", *self._module_homes(name)):
            return self._constructed(name, args, kwargs)
        if name.startswith(optimizers.OPTIM):
            return optimizers.make(self, name, args, kwargs)
        if name in ("numpy.prod", "math.prod"):
            return builtin_calls.product_of(*args[:1])
        if name.startswith("numpy."):
            for each in args:
                specialised(each)
            return UNKNOWN
        if name in NO_OPERATION or not name.startswith("torch"):
            return builtin_calls.library_call(self, name, args, kwargs)
        prefix = next((each for each in FUNCTIONAL if name.startswith(each)), "")
        self.count()
        return apply(name.removeprefix(prefix).rpartition(".")[2], tuple(args), kwargs)

    def _module_homes(self, name: str) -> tuple[str, ...]:
        return (name.rpartition(".")[0],) if name.startswith("torch.nn.modules.") else ()

    def _constructed(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        kind = name.rpartition(".")[2]
        if kind in ("Parameter", "Buffer"):
            value = args[0] if args and isinstance(args[0], Tensor) else Tensor(None)
            return Tensor(value.shape, value.dtype, kind == "Parameter", is_static=True)
        return layers.build(f"torch.nn.{kind}", args, kwargs) if kind[:1].isupper() else UNKNOWN

    def _compiled(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if not args:
            return External("torch.compile")
        given = args[0]
        if isinstance(given, Closure):
            return Closure(given.info, given.node, given.module, given.scope, given.cls, kwargs)
        return given

    def _math(self, name: str, args: list[Any]) -> Any:
        if name == "prod":
            return builtin_calls.product_of(*args[:1])
        if any(isinstance(each, Unknown) for each in args):
            return UNKNOWN
        if name in MATH and isinstance(args[0], Sym):
            return symbolic(MATH[name], args[0])
        if name == "pow":
            return run_python(pow, *args)
        import math

        function: Callable[..., Any] | None = getattr(math, name, None)
        return UNKNOWN if function is None else run_python(function, *(specialised(each) for each in args))
