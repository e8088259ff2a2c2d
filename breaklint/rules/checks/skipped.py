"""Functions that Dynamo refuses to trace: from the facts of the target torch version, and by their library."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call, Index, SetAttribute
from breaklint.interp.transfer.decorators import DISPATCHER
from breaklint.interp.transfer.functions import DISABLING
from breaklint.interp.values import ExternalInstance, ExternalName
from breaklint.project.module import ClassInfo, ImportedName
from breaklint.project.walking import dotted_name, walk
from breaklint.rules.base import Check, Hit
from breaklint.rules.checks.shapes import VARYING
from breaklint.rules.checks.sizes import METHODS, measured
from breaklint.torchops.tables import read_table

NAMESPACE: Final = ExternalInstance("types.SimpleNamespace")
ATTRS: Final = frozenset({"attr", "attrs"})


def _is_of_project(target: str) -> bool:
    return target[:1] != "" and target.partition(".")[0] not in ("torch", "numpy", "builtins", "math")


def is_checked_by_attrs(call: Call) -> bool:
    """Whether a call makes an object of a class of attrs that is frozen, or that checks or converts its fields."""
    made = call.frame.interp.values.get(call.node.func) if isinstance(call.node, ast.Call) else None
    return isinstance(made, ClassValue) and any(_checks(made.info, each) for each in made.info.decorators)


def _checks(cls: ClassInfo, decorator: ast.expr) -> bool:
    name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    bound = cls.module.names.get(name.partition(".")[0])
    if not isinstance(bound, ImportedName) or bound.qualified.partition(".")[0] not in ATTRS:
        return False
    if name.endswith("frozen") or (isinstance(decorator, ast.Call) and _has_flag(decorator, "frozen")):
        return True
    fields = (node for node in walk(cls.node) if isinstance(node, ast.Call))
    return any(keyword.arg in ("validator", "converter") for field in fields for keyword in field.keywords)


def _has_flag(call: ast.Call, name: str) -> bool:
    return any(
        each.arg == name and isinstance(each.value, ast.Constant) and each.value.value is True for each in call.keywords
    )


class SkippedCall(Check):
    """A call of a function in the table of skipped functions; NumPy's index objects (`np.ogrid[:4]`) are written in
    C too."""

    grids = frozenset({"numpy.ogrid", "numpy.mgrid", "numpy.r_", "numpy.c_"})

    def applies_to(self, target: str, method: str) -> bool:
        return bool(target) and (
            not target.startswith("builtins.") or target.removeprefix("builtins.") in read_table()["skipped"]
        )

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.frame.interp.facts.skipped(call.target.removeprefix("builtins.")):
            yield Hit(call.node, target="disabled" if call.target in DISABLING else "")

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if isinstance(index.base, ExternalName) and index.base.name in self.grids:
            yield Hit(index.node)


class UntracedCall(Check):
    """A call of a function or class that Dynamo does not trace whatever it is given, of a function that Numba
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
        named = method == "calculate_qparams" or not (target or method) or bool(self._library(target))
        return named or target.startswith("math.") or method in METHODS or _is_of_project(target)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if measured(call).startswith("GB"):
            yield Hit(call.node, given=(VARYING,), target="math-of-size")
        elif is_checked_by_attrs(call):
            yield Hit(call.node, target="attrs")
        elif library := self._library(call.target):
            yield Hit(call.node, target=library)
        elif call.instance == DISPATCHER:
            yield Hit(call.node, target="numba")
        elif self._is_observer(call):
            yield Hit(call.node, target="quantization-observer")

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
        used = call.method == "calculate_qparams" or not (call.target or call.method)
        return used and cls.startswith(self.packages) and cls.endswith(self.observers)


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
