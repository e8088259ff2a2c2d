"""Functions that Dynamo refuses to trace by their library, their kind, or how they are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Sequence
from breaklint.interp.context import Condition
from breaklint.interp.events import (
    Arithmetic,
    BreakingCall,
    Call,
    Event,
    FailingImport,
    Format,
    Loop,
    OwnFrame,
    SetAttribute,
)
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value
from breaklint.interp.models import special_methods
from breaklint.interp.models.operators import has_fake
from breaklint.interp.transfer.decorators import DISPATCHER
from breaklint.interp.values import ExternalInstance, Size, Tensor
from breaklint.project.module import ClassInfo
from breaklint.project.syntax import is_literal, keyword_of
from breaklint.project.walking import dotted_name, walk
from breaklint.rules.base import NO_RESUME, OBJECT, Check, Hit
from breaklint.rules.checks.loops import iterated
from breaklint.rules.checks.sizes import measured
from breaklint.rules.comprehension_frames import COMPREHENSIONS
from breaklint.rules.lost_objects import TENSOR_METHOD
from breaklint.torchops.tables import read_table

CONSUMING: Final = frozenset(f"builtins.{name}" for name in ("next", "dict", *special_methods.ITERATING))
VARYING: Final = Condition(ast.Name("the size varies"), True)
NAMESPACE: Final = ExternalInstance("types.SimpleNamespace")


def _is_of_project(target: str) -> bool:
    return target[:1] != "" and target.partition(".")[0] not in ("torch", "numpy", "builtins", "math")


def is_validated(call: Call) -> bool:
    """Whether a call creates an object of a class of attrs or pydantic whose constructor Dynamo does not trace."""
    interp = call.frame.interp
    callee = interp.values.get(call.node.func) if isinstance(call.node, ast.Call) else None
    if not isinstance(callee, ClassValue):
        return False
    cls, project = callee.info, interp.project
    uses = {f"{base}()" for base in project.external_bases(cls)}
    for decorator in cls.decorators:
        maker = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = project.resolve(cls.module, dotted_name(maker) or "")
        uses |= {f"{qualified}()"} if isinstance(qualified, str) else set()
        if isinstance(qualified, str) and qualified.partition(".")[0] in ("attr", "attrs"):
            uses |= (
                {"attrs.frozen()"}
                if qualified.endswith("frozen") or is_literal(keyword_of(decorator, "frozen"), True)
                else set()
            )
            options = {word.arg for node in walk(cls.node) if isinstance(node, ast.Call) for word in node.keywords}
            marks = (dotted_name(mark) or "" for method in cls.methods.values() for mark in method.decorators)
            options |= {mark.rpartition(".")[2] for mark in marks}  # `@count.validator`
            uses |= {f"attrs.field({option})" for option in options}
    return any(map(interp.facts.use, uses))


def is_outer_iterator(event: Event, node: ast.expr, value: Value) -> bool:
    """Whether an attribute, or an argument of the compiled function, is an iterator or a view of a dict that the
    compiled code does not create."""
    frame = event.frame
    while isinstance(frame.closure, Frame) and frame.closure.function is frame.function:
        frame = frame.closure  # out of comprehensions
    if not (isinstance(value, Sequence) and value.kind == "generator" and value.serial < frame.interp.region_start):
        return False
    if isinstance(node, ast.Name) and frame.function is not None:
        is_argument = not frame.module.scope(frame.function.node).stores(node.id)
        return is_argument and frame.serial == frame.interp.region_start
    return isinstance(node, ast.Attribute)


def has_own_check(call: Call) -> bool:
    """Whether `isinstance` asks a metaclass of the project, or of jaxtyping, about a tensor."""
    interp, node = call.frame.interp, call.node
    if not (isinstance(node, ast.Call) and len(node.args) == 2 and isinstance(call.args[0], Tensor)):
        return False
    if isinstance(kind := call.args[1], ClassValue):
        metaclass = dotted_name(keyword_of(kind.info.node, "metaclass"))
        resolved = interp.project.resolve(kind.info.module, metaclass) if metaclass else None
        return isinstance(resolved, ClassInfo) and "__instancecheck__" in resolved.methods
    name = dotted_name(node.args[1].value) if isinstance(node.args[1], ast.Subscript) else None
    alias = interp.project.resolve(call.frame.module, name) if name else None
    return isinstance(alias, str) and alias.startswith("jaxtyping.")


def is_operator_without_fake(call: Call) -> bool:
    """Whether a call is of an operator of `torch.ops` that the file defines, and for which it registers no fake."""
    if not call.target.startswith("torch.ops."):
        return False
    name = call.target.removeprefix("torch.ops.").split(".")
    if len(name) < 2:
        return False
    rows = call.frame.module.rows_with
    defined = any(rows(f"{quote}{name[0]}{end}") for quote in "'\"" for end in ("::", quote))
    return defined and not has_fake(call.frame.module, name[1])


class UntracedCall(Check):
    """A call of a function or class that Dynamo does not trace for any arguments, of a function that Numba or Cython
    compiles, of an observer of torch.ao.quantization, of a class of attrs, or of math with a size that varies."""

    # The few functions of SciPy that consist of NumPy functions that Dynamo traces.
    traced = frozenset({"scipy.special.softmax", "scipy.linalg.hadamard", "scipy.fft.fftfreq"})
    # torch/_dynamo/trace_rules.py: THIRDPARTY_SKIPLIST without NumPy, traced as torch, and tqdm; and PyWavelets,
    # whose functions and classes are compiled.
    libraries = frozenset(
        "fx2trt_oss hypothesis networkx onnx onnxruntime onnx_tf pandas pywt sklearn tabulate tensorflow tensorrt "
        "torch2trt tree tvm xarray".split()
    )
    # Exceptions are plain objects to Dynamo, and so are classes without a constructor of their own, which base classes
    # and mixins often are.
    plain = ("Error", "Exception", "Warning", "Mixin")
    packages = ("torch.ao.quantization.", "torch.quantization.")
    observers = ("Observer", "FakeQuantize")

    def applies_to(self, target: str, method: str) -> bool:
        by_name = method == "calculate_qparams" or not (target or method) or bool(self._library(target))
        by_name = by_name or target == "builtins.isinstance"
        is_operator = by_name or target.startswith("torch.ops.") or (target or f"int.{method}") in read_table()["sizes"]
        return is_operator or target in CONSUMING or _is_of_project(target)

    def visit_arithmetic(self, arithmetic: Arithmetic) -> Iterator[Hit]:
        if arithmetic.has_object and not arithmetic.earlier:
            yield Hit(arithmetic.node, target="object-operator")

    def visit_loop(self, loop: Loop) -> Iterator[Hit]:
        node = iterated(loop)
        if loop.iterable is not None and isinstance(node, ast.expr) and is_outer_iterator(loop, node, loop.iterable):
            yield Hit(node, target="iterator", end=NO_RESUME if isinstance(loop.node, ast.For) else "")

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target == "builtins.isinstance":
            if call.frame.interp.facts.does("skips instance checks") and has_own_check(call):
                yield Hit(call.node, target="own-check")
        elif call.target in CONSUMING:
            nodes = call.node.args if isinstance(call.node, ast.Call) else []
            if any(is_outer_iterator(call, node, value) for node, value in zip(nodes, call.args, strict=False)):
                yield Hit(call.node, target="iterator")
        elif measured(call).startswith("GB"):
            yield Hit(call.node, conditions=(VARYING,), target="math-of-size")
        elif is_validated(call):
            yield Hit(call.node, target="validated")
        elif is_operator_without_fake(call):
            by_library = call.frame.module.rows_with("Library(") or call.frame.module.rows_with("library.define")
            message = "`{source}` breaks the graph: the operator has no register_fake" if by_library else ""
            yield Hit(call.node, message, target="operator-without-fake")
        elif library := self._library(call.target):
            yield Hit(call.node, target=library)
        elif call.instance == DISPATCHER:
            yield Hit(call.node, target="numba")
        elif self._is_observer(call):
            yield Hit(call.node, target="quantization-observer")
        elif "." in call.target and call.frame.interp.project.is_compiled(call.target.rpartition(".")[0]):
            yield Hit(call.node)

    def visit_breaking_call(self, call: BreakingCall) -> Iterator[Hit]:
        if call.lost:
            yield Hit(call.node, target=call.lost, end="" if call.lost == TENSOR_METHOD else OBJECT)

    def visit_own_frame(self, start: OwnFrame) -> Iterator[Hit]:
        if isinstance(start.node, COMPREHENSIONS):
            yield Hit(start.node, target="comprehension")

    def visit_format(self, text: Format) -> Iterator[Hit]:
        fails = text.frame.interp.facts.of_size("builtins.format") == "error"
        if text.how == "format spec" and isinstance(text.value, Size) and fails:
            message = "`{source}` in a text with a format raises an error if the size varies"
            yield Hit(text.node, message, (VARYING,), "math-of-size")

    def visit_failing_import(self, failing: FailingImport) -> Iterator[Hit]:
        yield Hit(failing.node, target="failing-import")

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if attribute.base == NAMESPACE and not attribute.frame.interp.facts.does("makes namespaces"):
            yield Hit(attribute.node, target="simple-namespace")

    def _library(self, target: str) -> str:
        """The target of the card that a function or class is one of."""
        library, last = target.partition(".")[0], target.rpartition(".")[2]
        if library == "scipy" and target != library:
            return "" if target in self.traced else "scipy"
        untraced = library in self.libraries and not target.endswith(self.plain) and not last.startswith("Base")
        return "library" if untraced else ""

    def _is_observer(self, call: Call) -> bool:
        cls = call.instance or (call.owner.cls if isinstance(call.owner, ExternalInstance) else "")
        is_call = call.method == "calculate_qparams" or not (call.target or call.method)
        return is_call and cls.startswith(self.packages) and cls.endswith(self.observers)


class ImageTransform(Check):
    """A call of a transform of torchvision that is random, or of one that normalizes."""

    package = "torchvision.transforms."
    reading = ("Random", "ColorJitter", "GaussianBlur", "Normalize")

    def applies_to(self, target: str, method: str) -> bool:
        return target == "torchvision.transforms.functional.normalize" or not (target or method)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target or (
            call.instance.startswith(self.package) and call.instance.removeprefix(self.package).startswith(self.reading)
        ):
            yield Hit(call.node)
