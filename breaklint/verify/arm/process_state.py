"""What holds for the whole process: settings, random states, and functions of libraries that code has replaced.

Values are texts, so that a difference reads as one line.
"""

from __future__ import annotations

import builtins
import decimal
import gc
import hashlib
import locale
import logging
import math
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Container
from contextlib import suppress
from functools import lru_cache
from typing import Any

import torch
from torch.utils._config_module import ConfigModule

from breaklint.verify.arm.guard import MEASURED_WITH

NAMESPACES: tuple[Any, ...] = (
    *(builtins, math, random, time, os, gc, warnings),
    *(torch, torch.Tensor, torch._C.TensorBase, torch.linalg, torch.nn.functional, torch.autograd, torch.optim),
    *(torch.nn, *sorted({kind for kind in vars(torch.nn).values() if isinstance(kind, type)}, key=str)),
)
"""Where a replaced function changes what other code does."""
_WATCHED_ELSEWHERE = {(owner, name) for owner, names in MEASURED_WITH for name in names.split()}


class ProcessState:
    """Compares the process with what it was when this was made, before any code of a target ran."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._functions = [_Held(owner) for owner in NAMESPACES]
        self._levels = _levels()

    def settings(self, own: Container[str] = ()) -> dict[str, str]:
        """All settings by name, `own` being the target's modules. What this version of torch lacks is left out."""
        told = {"python_threads": str(sum(_is_own(thread, own) for thread in threading.enumerate()))}
        for name, read in _SETTINGS.items():
            with suppress(Exception):  # a version of torch without it
                told[name] = str(read())
        for module, name, of_module in _OF_MODULES:
            if module in sys.modules:
                told[name] = str(of_module(sys.modules[module]))
        with suppress(Exception):
            told |= _configured()
        replaced = {f"replaced.{name}": "True" for held in self._functions for name in held.replaced()}
        return told | self._changed_levels() | self._changed_environment() | replaced

    def _changed_levels(self) -> dict[str, str]:
        now = _levels()
        changed = (name for name, level in self._levels.items() if now.get(name, level) != level)
        return {f"logging.{name}": f"level {now[name][0]}{', disabled' * now[name][1]}" for name in changed}

    def _changed_environment(self) -> dict[str, str]:
        names = {*self._environment, *os.environ}
        changed = (name for name in sorted(names) if self._environment.get(name) != os.environ.get(name))
        return {f"environ.{name}": str(os.environ.get(name)) for name in changed}


class _Held:
    """What a namespace held when this was made."""

    def __init__(self, owner: Any) -> None:
        self._owner, self._held = owner, dict(vars(owner))
        self._seen = self._held

    def replaced(self) -> list[str]:
        """The functions and classes that are others now."""
        now = vars(self._owner)
        if now == self._seen:  # which ends at once where both hold the same objects
            return []
        changed = [
            f"{self._owner.__name__}.{name}"
            for name, value in self._held.items()
            if now.get(name) is not value
            and callable(value)
            and (self._owner, name) not in _WATCHED_ELSEWHERE
            and not _is_same(now.get(name), value)
        ]
        above = getattr(self._owner, "__mro__", ())[1:]
        hidden = (name for name in now.keys() - self._held.keys() if any(name in vars(kind) for kind in above))
        changed += [f"{self._owner.__name__}.{name}" for name in sorted(hidden) if not _is_same(now[name], None)]
        self._seen = self._seen if changed else dict(now)
        return changed


def _is_same(now: Any, before: Any) -> bool:
    """Dynamo itself replaces a few functions of torch when it first compiles."""
    return now is before or str(getattr(now, "__module__", "")).startswith("torch._dynamo")


def drawn() -> str:
    """A digest of the states of the random generators: it differs where another number of draws was made."""
    told = hashlib.sha256(bytes(torch.get_rng_state().tolist()))
    told.update(repr(random.getstate()).encode())
    if "numpy" in sys.modules:
        kind, keys, *rest = sys.modules["numpy"].random.get_state()
        told.update(keys.tobytes() + repr((kind, *rest)).encode())
    for number, generator in enumerate(torch.cuda.default_generators):  # none before CUDA starts
        state = generator.get_offset(), generator.initial_seed()
        if state != (0, torch.initial_seed()):
            told.update(repr((number, *state)).encode())
    return told.hexdigest()[:12]


def _filters() -> list[tuple[object, ...]]:
    """Those of warnings, but SymPy's own, which comes when something loads the compiler."""
    return [(f[0], getattr(f[1], "pattern", f[1]), _name(f[2]), getattr(f[3], "pattern", f[3]), f[4])
            for f in warnings.filters if not f[2].__module__.startswith("sympy.")]  # fmt: skip


def _handlers() -> list[str]:
    numbers = (signal.SIGINT, signal.SIGTERM, *filter(None, [getattr(signal, "SIGALRM", None)]))
    return [_name(signal.getsignal(number)) for number in numbers]


def _is_own(thread: threading.Thread, own: Container[str]) -> bool:
    """Whether the code started a thread, and no library did for itself: tqdm watches its bars from a daemon."""
    if isinstance(thread, threading._DummyThread):
        return False
    module = type(thread).__module__
    if module == threading.__name__:
        module = getattr(getattr(thread, "_target", None), "__module__", None) or module
    return not thread.daemon or module in own or module.partition(".")[0] in {*sys.stdlib_module_names, "__main__"}


def _configured() -> dict[str, str]:
    """What code has set of torch's own configuration, as of the compiler's, of what is loaded of it."""
    lines = [line for each in _configurations(len(sys.modules)) for line in each.codegen_config().splitlines()]
    return {f"{CONFIGURED}{name.strip()}": value.strip() for name, _, value in (line.partition("=") for line in lines)}


@lru_cache(maxsize=1)
def _configurations(_: int) -> list[ConfigModule]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("torch.")]
    return [module for module in modules if isinstance(module, ConfigModule)]


def _levels() -> dict[str, tuple[int, bool]]:
    """The levels of loggers, and whether they are silent."""
    loggers = logging.root.manager.loggerDict.items()
    return {name: (each.level, each.disabled) for name, each in loggers if isinstance(each, logging.Logger)}


def _global_hooks() -> list[str]:
    """Those that every module calls."""
    held = vars(torch.nn.modules.module)
    return [f"{name}: {len(hooks)}" for name, hooks in held.items() if name.startswith("_global") and hooks]


def _attribute(owner: Any, name: str) -> Any:
    """An attribute that torch's type hints leave out."""
    return getattr(owner, name)


def _name(value: Any) -> str:
    return str(getattr(value, "__qualname__", value))


_CUDA, _CUDNN = torch.backends.cuda, torch.backends.cudnn
_SETTINGS: dict[str, Callable[[], object]] = {
    "default_dtype": torch.get_default_dtype,
    "default_device": torch.get_default_device,
    "threads": torch.get_num_threads,
    "interop_threads": torch.get_num_interop_threads,
    "matmul_precision": lambda: torch._C._get_float32_matmul_precision(),
    "deterministic": torch.are_deterministic_algorithms_enabled,
    "deterministic.warn_only": torch.is_deterministic_algorithms_warn_only_enabled,
    "module_hooks": _global_hooks,
    "sparse_invariants": torch.sparse.check_sparse_tensor_invariants.is_enabled,
    "fill_uninitialized_memory": lambda: _attribute(torch.utils.deterministic, "fill_uninitialized_memory"),
    "grad_enabled": torch.is_grad_enabled,
    "inference_mode": torch.is_inference_mode_enabled,
    "detect_anomaly": torch.is_anomaly_enabled,
    "autocast.cpu": lambda: (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")),
    "autocast.cuda": lambda: (torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")),
    "autocast.cache": torch.is_autocast_cache_enabled,
    "default_device_mode": lambda: [type(m).__name__ for m in torch.overrides._get_current_function_mode_stack()],
    "saved_tensor_hooks": lambda: _attribute(torch._C._autograd, "_saved_tensors_hooks_is_enabled")(),
    "multithreaded_backward": torch.autograd.is_multithreading_enabled,
    "flush_denormal": lambda: sys.float_info.min / 2.0 == 0.0,
    "mkldnn": lambda: torch.backends.mkldnn.enabled,
    "mkldnn.deterministic": lambda: torch.backends.mkldnn.deterministic,
    "mha.fastpath": lambda: torch.backends.mha.get_fastpath_enabled(),
    "opt_einsum": lambda: torch.backends.opt_einsum.enabled,
    "cudnn": lambda: _CUDNN.enabled,
    "cudnn.benchmark": lambda: _CUDNN.benchmark,
    "cudnn.deterministic": lambda: _CUDNN.deterministic,
    "cudnn.allow_tf32": lambda: _CUDNN.allow_tf32,
    "cuda.matmul.allow_tf32": lambda: _CUDA.matmul.allow_tf32,
    "cuda.matmul.reduced_fp16": lambda: _CUDA.matmul.allow_fp16_reduced_precision_reduction,
    "cuda.matmul.reduced_bf16": lambda: _CUDA.matmul.allow_bf16_reduced_precision_reduction,
    "sdp": lambda: (_CUDA.flash_sdp_enabled(), _CUDA.mem_efficient_sdp_enabled(), _CUDA.math_sdp_enabled()),
    "sdp.cudnn": _CUDA.cudnn_sdp_enabled,
    "printoptions": lambda: vars(torch._tensor_str.PRINT_OPTS),
    "sharing_strategy": lambda: torch.multiprocessing.get_sharing_strategy(),
    "gc.enabled": gc.isenabled,
    "gc.threshold": gc.get_threshold,
    "gc.debug": gc.get_debug,
    "recursion_limit": sys.getrecursionlimit,
    "switch_interval": sys.getswitchinterval,
    "int_max_str_digits": lambda: sys.get_int_max_str_digits(),
    "tracing": lambda: (sys.gettrace() is None, sys.getprofile() is None),
    "hooks": lambda: [_name(f) for f in (sys.excepthook, sys.displayhook, sys.unraisablehook, threading.excepthook)],
    "signal_handlers": _handlers,
    "warnings.filters": _filters,
    "logging": lambda: (logging.getLogger().level, logging.root.manager.disable, logging.raiseExceptions),
    "decimal": lambda: str(decimal.getcontext()).partition(" flags")[0],
    "locale": lambda: locale.setlocale(locale.LC_ALL),
    "working_directory": os.getcwd,
    "time_zone": lambda: time.tzname,
}
_OF_MODULES: tuple[tuple[str, str, Callable[[Any], object]], ...] = (
    ("numpy", "numpy.errors", lambda numpy: numpy.geterr()),
    ("numpy", "numpy.printoptions", lambda numpy: numpy.get_printoptions()),
)
"""What a library is set to, read only where something has loaded it."""
CONFIGURED = "config."
APPEARING = ("environ.", "replaced.", "logging.", CONFIGURED)
"""How the names begin that are there only where something was changed; others count where both sources have them."""
