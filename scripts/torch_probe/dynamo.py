"""Facts about Dynamo: skipped functions, graph breaks by id, and the settings that change the breaks."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from torch._dynamo.exc import Unsupported

# Libraries that model code calls besides torch; one that cannot be imported has no rows.
LIBRARIES = (
    "builtins", "warnings", "logging", "random", "time", "os", "os.path", "sys", "copy", "json", "math", "cmath",
    "itertools", "functools", "operator", "collections", "contextlib", "inspect", "gc", "io", "re", "string", "types",
    "datetime", "pprint", "traceback", "threading", "uuid", "hashlib", "pathlib", "tempfile", "shutil", "glob",
    "pickle", "struct", "bisect", "heapq", "statistics", "textwrap", "enum", "dataclasses", "numbers", "weakref",
    "importlib", "numpy", "numpy.random", "numpy.linalg", "numpy.fft",
)  # fmt: skip
TORCH = (
    "torch", "torch.autograd", "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.init", "torch.random", "torch.jit",
    "torch.cuda", "torch.utils.checkpoint", "torch.backends.cudnn", "torch.sparse", "torch.onnx", "torch.distributed",
    "torch.nn.parallel", "torch.profiler", "torch.utils.data", "torch.nn.attention", "torch.accelerator", "torch.cpu",
    "torch.mps", "torch.xpu", "torch.compiler", "torch.hub", "torch.multiprocessing", "torch.backends.cuda",
    "torch.backends.mkl", "torch.backends.mkldnn", "torch.backends.mps",
)  # fmt: skip
# Ending, waiting or reading from the terminal even when only traced would stop this program.
UNTRIED = {
    "builtins.exit", "builtins.quit", "builtins.input", "builtins.breakpoint", "builtins.help", "sys.exit",
    "torch.multiprocessing.freeze_support",
}  # fmt: skip
# Modules of the standard library whose functions are also called with arguments that fit: none of them changes or waits
# for anything.
CALLED = (
    "array", "base64", "binascii", "bz2", "calendar", "csv", "datetime", "decimal", "fnmatch", "fractions", "gzip",
    "heapq", "html", "json", "lzma", "marshal", "queue", "secrets", "shlex", "statistics", "unicodedata",
    "urllib.parse", "uuid", "zlib",
)  # fmt: skip
OPENING = ("main", "open", "BZ2File", "GzipFile", "LZMAFile", "test")  # read or write files, or print
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (), ("a",), ("1",), (b"a",), (1,), ([1, 2],), (1, [1, 2, 3]), ("a", "b"), ("a", "utf8"), ("NFC", "a"), (2020, 1),
    (2020, 1, 1), ("f", [1.0]),
)  # fmt: skip
# Calls of other functions, which do nothing either.
CALLS: dict[str, tuple[Any, ...]] = {
    "builtins.bytes": (2,), "builtins.bytearray": (2,), "builtins.memoryview": (b"a",), "builtins.object": (),
    "ast.literal_eval": ("1",), "atexit.register": (print,), "codecs.decode": (b"a", "utf8"),
    "codecs.encode": ("a", "utf8"), "concurrent.futures.ThreadPoolExecutor": (1,), "functools.cache": (abs,),
    "functools.lru_cache": (abs,), "getpass.getuser": (), "io.BytesIO": (), "io.StringIO": (),
    "itertools.combinations_with_replacement": ("ab", 2), "locale.getlocale": (), "multiprocessing.cpu_count": (),
    "multiprocessing.current_process": (), "pathlib.Path.cwd": (), "resource.getrusage": (0,),
    "select.select": ([], [], [], 0), "signal.getsignal": (2,), "socket.gethostname": (),
    "subprocess.check_output": (["true"],), "subprocess.run": (["true"],), "tempfile.mkdtemp": (),
    "threading.active_count": (), "threading.current_thread": (), "threading.Event": (), "threading.local": (),
    "threading.Thread": (), "torch.autograd.detect_anomaly": (), "torch.autograd.set_detect_anomaly": (False,),
    "torch.autograd.set_multithreading_enabled": (True,),
}  # fmt: skip
SETTINGS = (
    "accumulated_recompile_limit", "allow_rnn", "assume_static_by_default", "automatic_dynamic_shapes",
    "capture_dynamic_output_shape_ops", "capture_scalar_outputs", "capture_sparse_compute",
    "enable_faithful_generator_behavior", "enable_trace_contextlib", "guard_nn_modules", "nested_graph_breaks",
    "recompile_limit", "rewrite_assert_with_torch_assert", "specialize_float", "specialize_int", "suppress_errors",
    "trace_numpy",
)  # fmt: skip
REGISTRY = Path(torch._dynamo.__file__).with_name("graph_break_registry.json")


def graph_breaks() -> dict[str, str]:
    """The kind of every graph break, by its id in torch's registry."""
    registry = json.loads(REGISTRY.read_text())
    return {identifier: entries[0]["Gb_type"] for identifier, entries in sorted(registry.items())}


def config() -> dict[str, str]:
    """The default of every setting that changes the breaks."""
    flags = torch._dynamo.config
    return {name: str(getattr(flags, name)) for name in sorted(SETTINGS) if hasattr(flags, name)}


def skipped() -> dict[str, str]:
    """Every function that Dynamo refuses to trace, with the id of the graph break it causes."""
    result = {}
    for library in (*LIBRARIES, *TORCH):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        for name in dir(module):
            qualified = name if library == "builtins" else f"{library}.{name}"
            function = getattr(module, name, None)
            query = not name.startswith("_") and worth_asking(f"{library}.{name}", function)
            if query and (identifier := refusal(function, library)):
                result[qualified] = identifier
    for qualified, function, calls in tried():
        errors = [break_of(function, arguments) for arguments in calls if works(function, arguments)]
        if errors and all(error is not None for error in errors):
            result.setdefault(qualified.removeprefix("builtins."), identify(errors[0]))
    return result


def tried() -> Iterator[tuple[str, Any, tuple[tuple[Any, ...], ...]]]:
    """The functions to call with arguments that fit, and these."""
    for library in CALLED:
        module = importlib.import_module(library)
        for name in dir(module):
            function = getattr(module, name, None)
            own = getattr(function, "__module__", None) in (library, f"_{library}", f"_py{library}")
            if own and not name.startswith("_") and name not in OPENING and worth_asking(f"{library}.{name}", function):
                yield f"{library}.{name}", function, ARGUMENTS
    for qualified, arguments in CALLS.items():
        yield qualified, pkgutil.resolve_name(qualified), (arguments,)


def works(function: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether a call does not raise in Python: Dynamo then refuses the call, not its arguments."""
    try:
        function(*arguments)
    except Exception:  # noqa: BLE001 (whatever it is, the arguments do not fit)
        return False
    return True


def worth_asking(qualified: str, function: Any) -> bool:
    """Whether to give it to Dynamo: a function or class of this library, not merely imported into it."""
    if qualified in UNTRIED or not callable(function):
        return False
    if isinstance(function, type) and issubclass(function, (BaseException, torch.nn.Module)):
        return False
    home = getattr(function, "__module__", None) or ""
    return not inspect.ismodule(function) and "typing" not in home


def refusal(function: Any, library: str) -> str:
    """The id of the graph break at a call of the function with any arguments.

    Without arguments most calls are wrong, but Dynamo refuses a skipped function before it reads them. For code inside
    the standard library the arguments have to fit; a string fits most functions.
    """
    error = break_of(function, ())
    if error is not None and not inlined(error) and (is_query(function, library) or is_about_the_function(error)):
        return identify(error)
    if library.startswith("torch"):
        return ""
    error = break_of(function, ("a",))
    return identify(error) if error is not None and is_about_the_function(error) else ""


def is_query(function: Any, library: str) -> bool:
    """Whether the function takes no arguments and can be called here, so that a break does not come from a wrong call.

    Without a GPU most of torch.cuda raises, which does not show the behaviour of Dynamo with one.
    """
    if not library.startswith("torch") or library == "torch.cuda":
        return False
    try:
        takes_none = not inspect.signature(function).parameters
    except ValueError:  # written in C
        takes_none = True
    if not takes_none:
        return False
    try:
        function()
    except Exception:  # noqa: BLE001 (whatever a call without arguments raises, it was a wrong one)
        return False
    return True


def break_of(function: Any, arguments: tuple[Any, ...]) -> Unsupported | None:
    """The graph break in tracing the call, if any."""
    torch._dynamo.reset()

    def traced(x: torch.Tensor) -> torch.Tensor:
        function(*arguments)
        return x + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.compile(traced, backend="eager", fullgraph=True)(torch.ones(2))
        except Unsupported as error:
            return error
        except Exception:  # noqa: BLE001 (a wrong call may raise anything, but Dynamo traced it)
            return None
    return None


# Skipped function; logging function; class made by a C function; disabled function; disabling one (two ids); logger;
# NumPy function that torch has no counterpart for; clock.
ABOUT_THE_FUNCTION = {"GB0007", "GB4841", "GB0008", "GB0098", "GB0376", "GB0377", "GB0291", "GB0294", "GB9193"}


def is_about_the_function(error: Unsupported) -> bool:
    """Whether Dynamo refused the function itself, before it looked at the arguments."""
    return identify(error) in ABOUT_THE_FUNCTION


def identify(error: Unsupported | None) -> str:
    """The registry's id of a graph break."""
    match = re.search(r"gb(\d{4})", str(error), re.IGNORECASE)
    if match:
        return f"GB{match[1]}"
    kind = getattr(error, "gb_type", None) or str(error).split("\n", 1)[0]
    return next((identifier for identifier, text in graph_breaks().items() if text == kind), "")


def inlined(error: Unsupported) -> bool:
    """Whether the refused call is one that the function makes inside, not the function itself."""
    stack = getattr(error, "real_stack", None) or []
    return bool(stack) and stack[-1].name != "traced"
