"""Functions that Dynamo refuses to trace: from the facts of the target torch version, and by their library."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import Call, Index
from breaklint.interp.transfer.decorators import DISPATCHER
from breaklint.interp.values import ExternalInstance, ExternalName
from breaklint.rules.base import Check, Hit
from breaklint.torchops.tables import read_table


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
            yield Hit(call.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if isinstance(index.base, ExternalName) and index.base.name in self.grids:
            yield Hit(index.node)


class UntracedCall(Check):
    """A call of a function or class that Dynamo does not trace whatever it is given, or of a function that Numba
    compiles, or of an observer of torch.ao.quantization."""

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
        return method == "calculate_qparams" or not (target or method) or bool(self._library(target))

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if library := self._library(call.target):
            yield Hit(call.node, target=library)
        elif call.instance == DISPATCHER:
            yield Hit(call.node, target="numba")
        elif self._is_observer(call):
            yield Hit(call.node, target="quantization-observer")

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
