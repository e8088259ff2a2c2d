"""Functions that Dynamo refuses to trace, from the facts of the target torch."""

from __future__ import annotations

import pytest
from harness import RunBreaklint, WriteFiles, findings, marked, model

from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.rules.checks.skipped import UntracedCall

CASES = {
    "garbage collection": """
        import gc
        gc.collect()  # BRK618
        return x
    """,
    "the standard library, where it is written in C or keeps state": """
        import base64, datetime, decimal, json, statistics, uuid
        from queue import Queue
        name = uuid.uuid4().hex  # BRK618
        since = datetime.datetime(2020, 1, 1)  # BRK618
        text = base64.b64encode(b"a")  # BRK618
        waiting = Queue()  # BRK618
        mean = statistics.mean([1, 2])  # BRK618
        raw, options = bytes(2), json.loads("{}")  # BRK618 BRK618
        return x * float(decimal.Decimal("1.5"))  # BRK618
    """,
    "the standard library, where it is plain Python": """
        import math, re, textwrap
        text = textwrap.dedent("a") + re.sub("a", "b", "c")
        return x * math.sqrt(4) * len(text)
    """,
    "a rule that says more wins": """
        import random
        return x * random.random()  # BRK608
    """,
    "SciPy, of constants too": """
        import scipy.special
        from scipy.ndimage import gaussian_filter
        y = torch.as_tensor(gaussian_filter(x.numpy(), 1.0))  # BRK659
        return y * scipy.special.gamma(3)  # BRK659
    """,
    "three functions of SciPy consist of NumPy": """
        import scipy.fft, scipy.linalg, scipy.special
        scipy.fft.fftfreq(8), scipy.linalg.hadamard(4)
        return torch.as_tensor(scipy.special.softmax(x.numpy()))
    """,
    "libraries that Dynamo never traces": """
        import networkx as nx
        import pandas as pd
        from sklearn.metrics import f1_score
        from sklearn.utils import check_random_state
        rng = check_random_state(0)  # BRK659
        graph = nx.path_graph(4)  # BRK659
        if isinstance(graph, pd.DataFrame):
            raise nx.NetworkXError("no graph")
        return x * rng.uniform() * f1_score([0, 1], [1, 1])  # BRK639 BRK659
    """,
    "a progress bar that counts by hand": """
        from tqdm.auto import tqdm
        bar = tqdm(total=3)  # BRK106
        x = x + 1
        bar.update()  # BRK106
        return x
    """,
    "observers by any of their names": """
        from torch.ao.quantization import observer
        seen = torch.quantization.MovingAverageMinMaxObserver()
        seen(x)  # BRK659
        return observer.MinMaxObserver()(x)  # BRK659
    """,
    "stubs for quantization are traced": """
        return torch.ao.quantization.QuantStub()(x)
    """,
    "a random transform of images, alone and in a composition": """
        from torchvision import transforms as T
        x = T.ColorJitter(0.4)(x)  # BRK656
        x = T.functional.normalize(x, 0.5, 0.5)  # BRK656
        return torch.nn.Sequential(T.CenterCrop(4), T.RandomHorizontalFlip())(x)  # BRK656
    """,
    "a composition of transforms": """
        from torchvision.transforms import Compose, Normalize, Resize
        x = Compose([Resize(4), Normalize(0.5, 0.5)])(x)  # BRK656
        return Compose([Resize(4)])(x)
    """,
    "transforms without chance": """
        import torchvision.transforms as T
        return T.Grayscale()(T.Pad(1)(T.CenterCrop(4)(x)))
    """,
    "mathematics is traced": """
        import math
        return x * math.sqrt(x.shape[-1]) + math.pi
    """,
    "itertools and functools are traced": """
        import functools, itertools, operator
        scale = functools.reduce(operator.mul, [2, 3])
        for a, b in itertools.product([1, 2], [3]):
            x = x * a + b
        return x * scale
    """,
    "copying a list is another thing": """
        rows = [x, x * 2].copy()
        return rows[0]
    """,
    "torch functions are traced": "return torch.einsum('ij,kj->ik', x, x).softmax(-1)",
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))


def test_a_function_that_numba_compiles() -> None:
    source = """\
import numba
import torch
from numba import njit


@numba.vectorize
def add(a, b):
    return a + b


@njit(parallel=True)
def total(a):
    print(a)
    return a.sum()


@numba.jit(nopython=True)
def plain(n):
    return n + 1


class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.from_numpy(add(x.numpy(), 1))  # BRK659
        n = plain(3)  # BRK659
        return x * total(y.numpy()) + n  # BRK659
"""
    assert findings(source) == marked(source)


def test_the_libraries_that_are_never_traced_are_those_of_dynamo() -> None:
    rules = pytest.importorskip("torch._dynamo.trace_rules")
    assert UntracedCall.libraries == set(rules.THIRDPARTY_SKIPLIST) - {"numpy", "tqdm"} | {"pywt"}


def test_an_import_that_fails_in_the_environment(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    body = "try:\n    import absent_package\nexcept ImportError:\n    pass\nreturn x"
    write_files(
        {
            "net.py": model(body),
            "env/pyvenv.cfg": "",
            "env/lib/python3.11/site-packages/present_package/__init__.py": "",
        }
    )
    done = breaklint("check", "--isolated", "--python", "env", "--output-format", "concise", "net.py")
    assert "BRK659 `import absent_package` fails in the environment" in done.stdout
    write_files({"net.py": model(body.replace("absent", "present"))})
    assert "No findings" in breaklint("check", "--isolated", "--python", "env", "net.py").stdout


def test_a_rule_about_several_things_says_what_helps_with_each() -> None:
    body = """
        import scipy.special
        from collections import Counter
        most = Counter([1, 1]).most_common(1)
        return torch.as_tensor(scipy.special.gamma(3)) * most[0][1] + x
    """
    result = check_source(model(body), "net.py", Settings(target_torch="2.13")).findings
    output = {item.message: item.help for item in result if item.code == "BRK659"}
    assert len(output) == 2
    (most, sorted_help), (gamma, torch_help) = output.items()
    assert "most_common" in most
    assert "most_common()[0]" in sorted_help
    assert "scipy.special.gamma" in gamma
    assert "torch.special" in torch_help
    assert any("a counterpart in torch rounds differently" in item.no_fix for item in result)
