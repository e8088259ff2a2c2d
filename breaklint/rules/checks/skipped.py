"""Functions that Dynamo refuses to trace: from the facts of the target torch version, SciPy's, those that Numba
compiles, and those of torch.ao.quantization."""

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


class ScipyCall(Check):
    """A call of a function or class of SciPy, save the few that consist of NumPy functions that Dynamo traces."""

    traced = frozenset({"scipy.special.softmax", "scipy.linalg.hadamard", "scipy.fft.fftfreq"})

    def applies_to(self, target: str, method: str) -> bool:
        return target.startswith("scipy.") and target not in self.traced

    def visit_call(self, call: Call) -> Iterator[Hit]:
        yield Hit(call.node)


class NumbaCall(Check):
    """A call of a function that Numba compiles (`@numba.njit`, `@numba.vectorize`)."""

    def applies_to(self, target: str, method: str) -> bool:
        return not (target or method)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.instance == DISPATCHER:
            yield Hit(call.node)


class UntracedLibraryCall(Check):
    """A call of a function or class of a library on Dynamo's list of those that it skips. Exceptions are plain objects
    to it, and so are classes without a constructor of their own, which base classes and mixins often are."""

    # torch/_dynamo/trace_rules.py: THIRDPARTY_SKIPLIST without NumPy, traced as torch, and tqdm; and PyWavelets,
    # whose functions and classes are compiled.
    libraries = frozenset(
        "fx2trt_oss hypothesis networkx onnx onnxruntime onnx_tf pandas pywt sklearn tabulate tensorflow tensorrt "
        "torch2trt tree tvm xarray".split()
    )
    plain = ("Error", "Exception", "Warning", "Mixin")

    def applies_to(self, target: str, method: str) -> bool:
        return target.partition(".")[0] in self.libraries and not target.endswith(self.plain)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if not call.target.rpartition(".")[2].startswith("Base"):
            yield Hit(call.node)


class QuantizationObserver(Check):
    """A call of an observer or a fake-quantize module, or of a method that computes its scale."""

    packages = ("torch.ao.quantization.", "torch.quantization.")
    suffixes = ("Observer", "FakeQuantize")

    def applies_to(self, target: str, method: str) -> bool:
        return method == "calculate_qparams" or not (target or method)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        cls = call.instance or (call.owner.cls if isinstance(call.owner, ExternalInstance) else "")
        if cls.startswith(self.packages) and cls.endswith(self.suffixes):
            yield Hit(call.node)


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
