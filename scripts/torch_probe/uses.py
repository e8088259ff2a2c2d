"""How Dynamo traces uses of objects of the standard library and of torch: each method, attribute, store and `with`.

An object is created outside of the traced function, like a global variable or an attribute of a model. Every public
method is called with each row of ARGUMENTS that fits, on a new object. A row is the id of the graph break, or `error`
if compiling raises; a use that Dynamo traces in one of these ways has no row.

    contextvars.ContextVar.get()              a method, or a function
    torch.distributed.all_reduce(async_op)    a call with this flag set
    logging.Logger.level                      an attribute that is read, and tested
    logging.Logger.propagate=                 an attribute that is stored
    os.environ[]=                             an item that is stored; `[]` one that is read
    with threading.Lock                       an object that is entered
"""

from __future__ import annotations

import concurrent.futures  # noqa: F401 (`concurrent` alone has no `futures`)
import contextlib
import importlib
import importlib.metadata
import importlib.util
import itertools
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
import torch.distributed
import torch.distributed.nn
import torch.utils._triton
import torch.utils.benchmark
import torch.utils.flop_counter
from torch._dynamo.exc import Unsupported

from . import lightning_methods
from .dynamo import identify

# The modules that the expressions below name.
MODULES = {
    name: importlib.import_module(name)
    for name in (
        "array asyncio collections concurrent contextlib contextvars dataclasses datetime decimal fractions functools "
        "heapq importlib inspect io logging numpy os pathlib queue random re string struct sys threading torch types "
        "typing uuid weakref"
    ).split()
}
# The expression that creates an object, by the name of its class or of the object.
OBJECTS = {
    "contextvars.ContextVar": "contextvars.ContextVar('v', default=2)",
    "contextlib.chdir": "contextlib.chdir('.')",
    "functools.cache": "functools.cache(len)",
    "contextvars.Context": "contextvars.copy_context()",
    "logging.Logger": "logging.getLogger('breaklint.probe')",
    "logging.LoggerAdapter": "logging.LoggerAdapter(logging.getLogger('breaklint.probe'), {})",
    "logging.root": "logging.root",
    "threading.Lock": "threading.Lock()",
    "threading.RLock": "threading.RLock()",
    "threading.Event": "threading.Event()",
    "threading.Condition": "threading.Condition()",
    "threading.Semaphore": "threading.Semaphore()",
    "threading.BoundedSemaphore": "threading.BoundedSemaphore()",
    "threading.Thread": "threading.Thread()",
    "threading.local": "threading.local()",
    "queue.Queue": "queue.Queue()",
    "queue.LifoQueue": "queue.LifoQueue()",
    "queue.PriorityQueue": "queue.PriorityQueue()",
    "queue.SimpleQueue": "queue.SimpleQueue()",
    "collections.deque": "collections.deque([1, 2])",
    "collections.Counter": "collections.Counter([1, 1, 2])",
    "collections.ChainMap": "collections.ChainMap({1: 2})",
    "collections.UserDict": "collections.UserDict({1: 2})",
    "re.Pattern": "re.compile('a')",
    "re.Match": "re.match('a', 'ab')",
    "datetime.datetime": "datetime.datetime(2020, 1, 1)",
    "datetime.date": "datetime.date(2020, 1, 1)",
    "datetime.timedelta": "datetime.timedelta(days=1)",
    "pathlib.Path": "pathlib.Path('no/such.file')",
    "pathlib.PurePath": "pathlib.PurePath('no/such.file')",
    "decimal.Decimal": "decimal.Decimal('1.5')",
    "fractions.Fraction": "fractions.Fraction(1, 2)",
    "random.Random": "random.Random(0)",
    "random.SystemRandom": "random.SystemRandom()",
    "io.StringIO": "io.StringIO()",
    "io.BytesIO": "io.BytesIO()",
    "weakref.WeakKeyDictionary": "weakref.WeakKeyDictionary()",
    "weakref.WeakValueDictionary": "weakref.WeakValueDictionary()",
    "weakref.WeakSet": "weakref.WeakSet()",
    "types.SimpleNamespace": "types.SimpleNamespace(a=2)",
    "types.MappingProxyType": "types.MappingProxyType({1: 2})",
    "string.Template": "string.Template('a')",
    "string.Formatter": "string.Formatter()",
    "uuid.UUID": "uuid.UUID(int=1)",
    "array.array": "array.array('i', [1])",
    "struct.Struct": "struct.Struct('i')",
    "os.environ": "os.environ",
    "sys.stdout": "sys.stdout",
    "sys.stderr": "sys.stderr",
    "concurrent.futures.ThreadPoolExecutor": "concurrent.futures.ThreadPoolExecutor(1)",
    "concurrent.futures.Future": "concurrent.futures.Future()",
    "numpy.random.Generator": "numpy.random.default_rng(0)",
    "numpy.random.RandomState": "numpy.random.RandomState(0)",
    "numpy.dtype": "numpy.dtype('float32')",
    "numpy.ndarray": "numpy.ones((2, 3), dtype='float32')",
    "torch.Generator": "torch.Generator()",
    "torch.device": "torch.device('cpu')",
    "torch.UntypedStorage": "torch.UntypedStorage(4)",
    "torch.utils.flop_counter.FlopCounterMode": "torch.utils.flop_counter.FlopCounterMode(display=False)",
    "torch.optim.SGD": "torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], 0.1)",
    "torch.optim.Adam": "torch.optim.Adam([torch.nn.Parameter(torch.ones(2))], 0.1)",
    "torch.optim.AdamW": "torch.optim.AdamW([torch.nn.Parameter(torch.ones(2))], 0.1)",
    "torch.amp.GradScaler": "torch.amp.GradScaler('cpu')",
    "torch.quasirandom.SobolEngine": "torch.quasirandom.SobolEngine(2)",
    "torch.distributed.Work": "torch.distributed.all_reduce(torch.ones(2), async_op=True)",
}  # fmt: skip
# The expression that creates an object, if not a call of its class.
MAKERS = {
    "re.compile": "re.Pattern", "re.match": "re.Match", "re.search": "re.Match", "re.fullmatch": "re.Match",
    "logging.getLogger": "logging.Logger", "logging.Logger.getChild": "logging.Logger",
    "contextvars.copy_context": "contextvars.Context",
    "datetime.datetime.now": "datetime.datetime", "datetime.datetime.utcnow": "datetime.datetime",
    "datetime.datetime.fromtimestamp": "datetime.datetime", "datetime.date.today": "datetime.date",
    "numpy.random.default_rng": "numpy.random.Generator", "pathlib.Path.cwd": "pathlib.Path",
    "pathlib.Path.home": "pathlib.Path", "uuid.uuid4": "uuid.UUID", "uuid.uuid1": "uuid.UUID",
    "rich.console.Console": "rich.console.Console",
    "torch.distributed.isend": "torch.distributed.Work", "torch.distributed.irecv": "torch.distributed.Work",
}  # fmt: skip
# Calls of functions that need more than one of ARGUMENTS, or a process group; `x` is a tensor.
CALLS = {
    "contextvars.copy_context": "contextvars.copy_context()",
    "dataclasses.make_dataclass": "dataclasses.make_dataclass('C', ['a'])",
    "logging.disable": "logging.disable(0)",
    "collections.namedtuple": "collections.namedtuple('P', 'a b')",
    "functools.singledispatch": "functools.singledispatch(len)",
    "weakref.finalize": "weakref.finalize(torch.nn.Module, print)",
    "importlib.util.find_spec": "importlib.util.find_spec('math')",
    "importlib.import_module": "importlib.import_module('math')",
    "importlib.metadata.version": "importlib.metadata.version('torch')",
    "inspect.signature": "inspect.signature(torch.nn.Module.forward)",
    "typing.get_type_hints": "typing.get_type_hints(torch.nn.Linear.forward)",
    "random.Random": "random.Random(0)",
    "string.Template": "string.Template('a')",
    "heapq.nlargest": "heapq.nlargest(2, [1, 2, 3])",
    "heapq.nsmallest": "heapq.nsmallest(2, [1, 2, 3])",
    "types.MethodType": "types.MethodType(abs, 1)",
    "torch._dynamo.reset": "torch._dynamo.reset()",
    "torch._dynamo.mark_dynamic": "torch._dynamo.mark_dynamic(x, 0)",
    "torch._dynamo.maybe_mark_dynamic": "torch._dynamo.maybe_mark_dynamic(x, 0)",
    "torch._dynamo.mark_static": "torch._dynamo.mark_static(x)",
    "torch._dynamo.config.patch": "torch._dynamo.config.patch(suppress_errors=False)",
    "torch.export.export": "torch.export.export(torch.nn.Identity(), (torch.ones(2),))",
    "torch.fx.symbolic_trace": "torch.fx.symbolic_trace(torch.nn.Identity())",
    "torch.utils.swap_tensors": "torch.utils.swap_tensors(torch.ones(2), torch.ones(2))",
    "torch.utils.benchmark.Timer": "torch.utils.benchmark.Timer('1')",
    "torch.nn.init.trunc_normal_": "torch.nn.init.trunc_normal_(torch.empty(2))",
    "torch.distributions.Distribution.set_default_validate_args": (
        "torch.distributions.Distribution.set_default_validate_args(True)"
    ),
    "builtins.compile": "compile('1', 'a', 'eval')",
    "torch.frombuffer": "torch.frombuffer(bytearray(b'abcd'), dtype=torch.uint8)",
    "torch.utils.dlpack.to_dlpack": "torch.utils.dlpack.to_dlpack(x)",
    "torch.utils.dlpack.from_dlpack": "torch.utils.dlpack.from_dlpack(x)",
    "torch.cpu.current_stream": "torch.cpu.current_stream()",
    "torch.cuda.device_count": "torch.cuda.device_count()",
    "torch.futures.Future": "torch.futures.Future()",
    **{
        call.partition("(")[0]: call
        for call in (
            "asyncio.run(asyncio.sleep(0))", "contextlib.redirect_stdout(None)", "contextlib.redirect_stderr(None)",
            "contextvars.ContextVar('v')", "inspect.getdoc(abs)", "numpy.errstate(all='ignore')",
            "numpy.ma.array([1], mask=[0])", "numpy.ma.masked_array([1], [0])", "numpy.ma.masked_where([True], [1])",
            "numpy.ma.masked_invalid(numpy.ones(2))", "numpy.lib.stride_tricks.sliding_window_view(numpy.ones(3), 2)",
            "numpy.lib.stride_tricks.as_strided(numpy.ones(3), (2,), (8,))",
        )
    },
    **{
        f"torch.{call.partition('(')[0]}": f"torch.{call}"
        for call in (
            "autograd.graph.saved_tensors_hooks(abs, abs)", "autograd.graph.save_on_cpu()",
            "autograd.graph.allow_mutation_on_saved_tensors()", "autograd.profiler.emit_nvtx()",
            "autograd.profiler.emit_itt()", "autograd.profiler.kineto_available()", "profiler.itt.is_available()",
            "profiler.supported_activities()", "backends.cudnn.flags()", "backends.mkldnn.flags()",
            "backends.mkldnn.verbose(0)", "backends.mkl.verbose(0)", "backends.nnpack.flags()",
            "backends.nnpack.is_available()", "backends.cuda.sdp_kernel()", "backends.cuda.preferred_linalg_library()",
            "backends.opt_einsum.get_opt_einsum()", "random.fork_rng(devices=[])", "jit.optimized_execution(True)",
            "jit.fuser('fuser1')", "sparse.check_sparse_tensor_invariants.is_enabled()",
            "utils.checkpoint.set_checkpoint_early_stop(False)", "amp.GradScaler('cpu')", "cpu.stream(None)",
            "utils.checkpoint.set_checkpoint_debug_enabled(False)", "nn.utils.skip_init(torch.nn.Linear, 2, 2)",
            "nn.parameter.is_lazy(x)", "is_storage(x)", "Tensor._is_view(x)", "_is_functional_tensor(x)",
            "overrides.get_ignored_functions()", "overrides.get_overridable_functions()", "utils.get_cpp_backtrace()",
            "fx.Graph()", "fx.Tracer()", "fx.GraphModule(torch.nn.Identity(), torch.fx.Graph())", "export.Dim('a')",
            "serialization.add_safe_globals([])",
        )
    },
    **{
        f"torch.{call}": f"torch.{call}()"
        for call in (
            "backends.mps.is_available", "backends.mkldnn.is_available", "backends.openmp.is_available",
            "backends.cpu.get_cpu_capability", "backends.cudnn.is_available", "backends.cudnn.version",
            "backends.opt_einsum.is_available", "backends.cusparselt.is_available", "cuda.is_bf16_supported",
            "cuda.is_tf32_supported", "utils._triton.has_triton", "utils._triton.has_triton_package",
            "_C._get_cudnn_enabled", "_C._get_flash_sdp_enabled",
        )
    },
    "torch.Tensor.int_repr": "torch.quantize_per_tensor(x, 0.1, 0, torch.quint8).int_repr()",
    "torch.Tensor.q_scale": "torch.quantize_per_tensor(x, 0.1, 0, torch.quint8).q_scale()",
    "torch.Tensor.q_zero_point": "torch.quantize_per_tensor(x, 0.1, 0, torch.quint8).q_zero_point()",
    "torch.use_deterministic_algorithms": "torch.use_deterministic_algorithms(False)",
    "torch.set_float32_matmul_precision": "torch.set_float32_matmul_precision('highest')",
    "torch.set_default_dtype": "torch.set_default_dtype(torch.float32)",
    "torch.set_default_device": "torch.set_default_device('cpu')",
    "torch.compiler.set_stance": "torch.compiler.set_stance('default')",
    "torch.optim.SGD": "torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], 0.1)",
    "torch.optim.Adam": "torch.optim.Adam([torch.nn.Parameter(torch.ones(2))], 0.1)",
    "torch.optim.AdamW": "torch.optim.AdamW([torch.nn.Parameter(torch.ones(2))], 0.1)",
    **{
        f"torch.distributed.{call.partition('(')[0]}": f"torch.distributed.{call}"
        for call in (
            "all_reduce(x)", "all_gather([x + 1], x)", "all_gather_into_tensor(x + 1, x)",
            "reduce_scatter_tensor(x + 1, x)", "all_to_all_single(x + 1, x)", "broadcast(x, 0)", "reduce(x, 0)",
            "scatter(x + 1, [x], src=0)", "gather(x, [x + 1], dst=0)", "reduce_scatter(x + 1, [x])",
            "all_to_all([x + 1], [x])", "barrier()", "all_reduce_coalesced([x])", "new_group([0])",
            "monitored_barrier()", "all_gather_object([None], 1)", "broadcast_object_list([1], 0)",
            "gather_object(1, [None], 0)", "scatter_object_list([None], [1], 0)", "get_rank()", "get_world_size()",
            "get_backend()", "is_initialized()", "is_available()", "is_nccl_available()", "is_gloo_available()",
            "is_mpi_available()", "is_torchelastic_launched()", "get_group_rank(torch.distributed.group.WORLD, 0)",
            "get_global_rank(torch.distributed.group.WORLD, 0)", "get_node_local_rank(0)",
            "get_process_group_ranks(torch.distributed.group.WORLD)", "init_device_mesh('cpu', (1,))",
            "device_mesh.init_device_mesh('cpu', (1,))",
        )
    },
    **{
        f"torch.distributed.{module}.{call.partition('(')[0]}": f"torch.distributed.{module}.{call}"
        for module in ("nn", "nn.functional")
        for call in (
            "all_gather(x)", "all_reduce(x)", "broadcast(x, 0)", "reduce(x, 0)", "gather(x, 0)", "scatter([x], 0)",
            "reduce_scatter(x + 1, [x])", "all_to_all([x + 1], [x])", "all_to_all_single(x + 1, x)",
        )
    },
}  # fmt: skip
FLAGS = {
    "torch.distributed.all_reduce(async_op)": "torch.distributed.all_reduce(x, async_op=True)",
    "torch.distributed.all_gather(async_op)": "torch.distributed.all_gather([x + 1], x, async_op=True)",
    "torch.distributed.all_gather_into_tensor(async_op)": (
        "torch.distributed.all_gather_into_tensor(x + 1, x, async_op=True)"
    ),
    "torch.distributed.reduce_scatter_tensor(async_op)": (
        "torch.distributed.reduce_scatter_tensor(x + 1, x, async_op=True)"
    ),
    "torch.distributed.all_to_all_single(async_op)": (
        "torch.distributed.all_to_all_single(x + 1, x, async_op=True)"
    ),
}  # fmt: skip
# Classes of other packages, with a call of the class.
CLASSES = {
    "pydantic.BaseModel()": "class C(pydantic.BaseModel):\n    n: int = 1",
    "pydantic.dataclasses.dataclass()": "@pydantic.dataclasses.dataclass\nclass C:\n    n: int = 1",
    "attrs.define()": "@attrs.define\nclass C:\n    n: int = 1",
    "attrs.frozen()": "@attrs.frozen\nclass C:\n    n: int = 1",
    "attrs.field(validator)": (
        "@attrs.define\nclass C:\n    n: int = attrs.field(default=1, validator=attrs.validators.instance_of(int))"
    ),
    "attrs.field(converter)": "@attrs.define\nclass C:\n    n: int = attrs.field(default=1, converter=int)",
}  # fmt: skip
# Calls that need another process, or another call before, each with one of the same kind.
SAME = {
    **dict.fromkeys(
        (f"torch.distributed.{name}()" for name in ("send", "recv", "isend", "irecv", "P2POp", "batch_isend_irecv")),
        "torch.distributed.broadcast()",
    ),
    "contextvars.ContextVar.reset()": "contextvars.ContextVar.set()",
    "with torch.utils._python_dispatch.TorchDispatchMode": "with torch.utils.flop_counter.FlopCounterMode",
    "concurrent.futures.ThreadPoolExecutor.map()": "concurrent.futures.ThreadPoolExecutor.submit()",
    "threading.Thread.join()": "threading.Thread.start()",
    "threading.Lock.release()": "threading.Lock.acquire()",
    "threading.RLock.release()": "threading.RLock.acquire()",
    "threading.Condition.release()": "threading.Condition.acquire()",
}
NUMBERS = itertools.count()
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (1,), ("a",), (2, 3), ("a", "ab"), ("a", 2), ([1, 2],), (torch.ones(2),))
# Methods that wait, start or stop, or that change this process.
UNTRIED = frozenset({
    "chmod", "chdir", "close", "detach", "get", "get_nowait", "join", "kill", "lchmod", "mkdir", "open",
    "put", "rename", "replace", "rmdir", "run", "shutdown", "start", "symlink_to", "terminate", "touch", "unlink",
    "wait", "wait_for", "write_bytes", "write_text", "hardlink_to", "result", "exception", "abort",
    "unsetenv", "putenv", "clear", "popitem", "size",  # `x.untyped_storage().size()` is traced
    "profile_hook_step", "resize_", "share_memory_", "from_file", "buffer", "rglob", "group", "fileno", "reconfigure",
})  # fmt: skip
# Of these, the ones that are harmless for an object: calls that do not wait.
TRIED = {
    "logging.Logger": ("exception",), "threading.Thread": ("start",),
    "contextvars.ContextVar": ("get",), "contextvars.Context": ("get", "run"), "queue.Queue": ("put", "put_nowait"),
    "queue.SimpleQueue": ("put",), "queue.LifoQueue": ("put",), "queue.PriorityQueue": ("put",),
    "types.MappingProxyType": ("get",), "collections.ChainMap": ("get",), "collections.Counter": ("get",),
    "collections.UserDict": ("get",), "weakref.WeakKeyDictionary": ("get",), "os.environ": ("get",),
    "weakref.WeakValueDictionary": ("get",), "re.Match": ("group",), "torch.distributed.Work": ("wait",),
    "io.StringIO": ("close",), "datetime.datetime": ("replace",), "datetime.date": ("replace",),
}  # fmt: skip


def packages() -> dict[str, str]:
    """The objects of other packages that Dynamo does not create or use; none if one of these is not installed."""
    try:
        names = ("attrs", "lightning", "pydantic", "pydantic.dataclasses")
        MODULES.update({name: importlib.import_module(name) for name in names})
    except ImportError:
        return {}
    rows = {name: _refused(_code("thing(n=2)"), _class_of(text)) for name, text in CLASSES.items()}
    model = _class_of(CLASSES["pydantic.BaseModel()"])
    rows |= _of_object("pydantic.BaseModel", lambda: model()())
    rows |= lightning_methods.methods()
    rows["pydantic.BaseModel.model_validate()"] = _refused(_code("thing.model_validate({'n': 3})"), model)
    return {name: row for name, row in sorted(rows.items()) if row}


def uses() -> dict[str, str]:
    """The uses that Dynamo does not trace, each with the id of the graph break or `error`."""
    _start_group()
    logging.disable()
    rows: dict[str, str] = {}
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        warnings.simplefilter("ignore")
        for name, expression in OBJECTS.items():
            rows |= _of_object(name, _maker(expression))
        calls = {f"{name}()": call for name, call in CALLS.items()}
        rows |= {name: _refused(_code(call), object) for name, call in (calls | FLAGS).items()}
    rows |= {name: rows[other] for name, other in SAME.items()}
    return {name: row for name, row in sorted(rows.items()) if row}


def makers() -> dict[str, str]:
    """The class of the object that a function or class creates, by names of `uses`."""
    classes = {name: name for name, expression in OBJECTS.items() if expression.startswith(f"{name}(")}
    return dict(sorted({**classes, **MAKERS}.items()))


def _start_group() -> None:
    if torch.distributed.is_available() and not torch.distributed.is_initialized():
        store = torch.distributed.HashStore()
        torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)


def _of_object(name: str, make: Callable[[], Any]) -> dict[str, str]:
    rows: dict[str, str] = {}
    thing = make()
    for attribute in dir(thing):
        if attribute.startswith("_") or (attribute in UNTRIED and attribute not in TRIED.get(name, ())):
            continue
        try:
            value = getattr(thing, attribute)
        except Exception:  # noqa: BLE001 (an attribute that this object has not)
            continue
        if callable(value):
            rows[f"{name}.{attribute}()"] = _method(make, attribute)
        else:
            rows[f"{name}.{attribute}"] = _refused(_read(attribute), make)
            rows[f"{name}.{attribute}="] = _refused(_store(attribute, value), make)
    items = (("[]", "return thing[{}]"), ("[]=", "thing[{}] = {}"))
    for suffix, text in items:
        ways = [_defined(f"    {text.format(*pair)}\n") for pair in (("0", "1"), ("'a'", "'b'"))]
        rows[f"{name}{suffix}"] = next((_refused(way, make) for way in ways if _works(way, make)), "")
    rows = {use: row for use, row in rows.items() if row != "error"}  # the arguments may not fit a traced call
    if hasattr(type(thing), "__enter__") and not name.startswith("sys."):  # leaving closes it
        rows[f"with {name}"] = _refused(_entered, make)
    return rows


def _method(make: Callable[[], Any], name: str) -> str:
    """The row of a method: of the first call that fits, if no call that fits is traced."""
    rows = [_refused(_call(name, arguments), make) for arguments in ARGUMENTS if _works(_call(name, arguments), make)]
    return rows[0] if rows and all(rows) else ""


def _works(use: Callable[[Any, torch.Tensor], object], make: Callable[[], Any]) -> bool:
    try:
        use(make(), torch.ones(2))
    except Exception:  # noqa: BLE001 (whatever it is, the arguments do not fit)
        return False
    return True


def _refused(use: Callable[[Any, torch.Tensor], object], make: Callable[[], Any]) -> str:
    """The id of the graph break of a use, `error` if only compiling it raises, or "" if it is traced or fails."""
    if not _works(use, make):
        return ""
    torch._dynamo.reset()
    thing = make()

    def traced(x: torch.Tensor) -> torch.Tensor:
        use(thing, x)
        return x + 1

    try:
        torch.compile(traced, backend="eager", fullgraph=True)(torch.ones(2))
    except Unsupported as error:
        return identify(error) or "error"
    except Exception:  # noqa: BLE001 (it works without the compiler)
        return "error"
    return ""


def _call(name: str, arguments: tuple[Any, ...]) -> Callable[[Any, torch.Tensor], object]:
    return _code(f"thing.{name}(*arguments)", arguments=arguments)


def _read(name: str) -> Callable[[Any, torch.Tensor], object]:
    return _code(f"1 if thing.{name} else 2")


def _store(name: str, value: object) -> Callable[[Any, torch.Tensor], object]:
    return _defined(f"    thing.{name} = value\n", value=value)


def _code(expression: str, **names: object) -> Callable[[Any, torch.Tensor], object]:
    return _defined(f"    return {expression}\n", **names)


def _defined(body: str, **names: object) -> Callable[[Any, torch.Tensor], object]:
    use: Callable[[Any, torch.Tensor], object] = _executed(f"def use(thing, x):\n{body}", **names)["use"]
    return use


def _class_of(text: str) -> Callable[[], Any]:
    cls = _executed(text)["C"]
    return lambda: cls


def _executed(text: str, **names: object) -> dict[str, Any]:
    module = ModuleType(f"breaklint_probed_{next(NUMBERS)}")  # where Dynamo looks globals up, whenever it guards on one
    sys.modules[module.__name__] = module
    vars(module).update(MODULES | names)
    exec(text, vars(module))
    return vars(module)


def _entered(thing: Any, x: torch.Tensor) -> object:
    with thing:
        return x * 2


def _maker(expression: str) -> Callable[[], Any]:
    return lambda: eval(expression, MODULES)
