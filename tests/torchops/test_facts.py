"""Facts about torch: that the generated table says what torch does, and that asking is cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

from breaklint.model import NEWEST_TORCH
from breaklint.torchops.facts import Facts, doubt, for_target
from breaklint.torchops.results import OpFact, Result, parse_result

TENSOR = Result("tensor", "same", "same")


@pytest.fixture
def known() -> Facts:
    return for_target(NEWEST_TORCH)


def operator(known: Facts, name: str) -> OpFact:
    fact = known.function(name) if "." in name else known.method(name)
    assert fact is not None
    return fact


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("torch.nn.functional.relu", TENSOR),
        ("torch.isnan", Result("tensor", "bool", "same")),
        ("torch.sigmoid", Result("tensor", "float", "same")),
        ("argmax", Result("tensor", "int", "scalar")),
        ("mean", Result("tensor", "same", "scalar")),
        ("all", Result("tensor", "bool", "scalar")),
        ("nonzero", Result("tensor", "int", "other", dynamic_shape=True)),
        ("item", Result("number", data_dependent=True)),
        ("torch.equal", Result("bool", data_dependent=True)),
        ("dim", Result("int")),
        ("is_floating_point", Result("bool")),
        ("unbind", Result("list", items=(Result("tensor", "same", "less"),))),
        ("frexp", Result("tuple", items=(TENSOR, Result("tensor", "int", "same")))),
    ],
)
def test_what_a_call_gives(known: Facts, name: str, result: Result) -> None:
    assert operator(known, name).plain == result


def test_what_depends_on_the_arguments(known: Facts) -> None:
    largest = operator(known, "torch.max")
    assert largest.result().shape == "scalar"
    assert [item.dtype for item in largest.result(dim=True).items] == ["same", "int"]
    assert largest.result(number=True) == largest.result(dim=True)
    assert largest.result(tensors=2) == TENSOR


def test_where_of_three_tensors_has_a_fixed_shape(known: Facts) -> None:
    where = operator(known, "torch.where")
    assert where.result().dynamic_shape
    assert where.result(tensors=3) == TENSOR


def test_repeats_from_a_tensor_make_the_shape_dynamic(known: Facts) -> None:
    repeat = operator(known, "repeat_interleave")
    assert repeat.result(tensors=2).dynamic_shape
    assert not repeat.result(number=True).dynamic_shape


@pytest.mark.parametrize(
    ("name", "flag"), [("add_", "inplace"), ("expand", "view"), ("torch.exp", "pointwise"), ("torch.rand", "random")]
)
def test_flags(known: Facts, name: str, flag: str) -> None:
    assert getattr(operator(known, name), flag)


def test_modules(known: Facts) -> None:
    lstm, linear = known.module("torch.nn.LSTM"), known.module("torch.nn.Linear")
    assert lstm is not None
    assert (lstm.kind, len(lstm.items)) == ("tuple", 2)
    assert linear is not None
    assert linear.kind == "tensor"


@pytest.mark.parametrize("name", ["warnings.warn", "random.gauss", "time.time", "os.path.exists", "torch.manual_seed"])
def test_skipped_functions(known: Facts, name: str) -> None:
    assert known.skipped(name)


@pytest.mark.parametrize("name", ["random.uniform", "math.sqrt", "os.path.join", "torch.relu", "no.such.thing"])
def test_traced_functions(known: Facts, name: str) -> None:
    assert not known.skipped(name)


@pytest.mark.parametrize(
    ("use", "rows"),
    [
        ("threading.Lock.acquire()", ("GB0156", "GB0156")),
        ("contextvars.ContextVar.get()", ("GB0156", "")),
        ("logging.Logger.level", ("GB4841", "GB4841")),
        ("logging.Logger.propagate=", ("GB0467", "GB0467")),
        ("with threading.Lock", ("GB0142", "GB0142")),
        ("torch.distributed.all_reduce(async_op)", ("GB0172", "GB0172")),
        ("torch.distributed.all_reduce()", ("", "")),
        ("torch.distributed.all_gather_object()", ("error", "error")),
        ("re.Pattern.match()", ("", "")),
    ],
)
def test_uses_of_objects(use: str, rows: tuple[str, str]) -> None:
    assert (for_target("2.13").use(use), for_target("2.15").use(use)) == rows


@pytest.mark.parametrize(("function", "row"), [("log2", "symbolic"), ("log10", "specialized"), ("isqrt", "GB0208")])
def test_functions_of_sizes_are_measured(known: Facts, function: str, row: str) -> None:
    assert known.of_size(f"math.{function}") == row


def test_a_section_that_was_not_measured_has_the_rows_of_the_next_version() -> None:
    older, measured = for_target("2.11"), for_target("2.13")
    assert older.table["packages"] == measured.table["packages"]
    assert older.table["skipped"] != measured.table["skipped"]


def test_registry(known: Facts) -> None:
    assert known.graph_breaks["GB0170"] == "Data-dependent branching"


@pytest.mark.parametrize("target", [NEWEST_TORCH, f"{NEWEST_TORCH}.1", "2.99", "3.0"])
def test_a_newer_target_gets_the_newest_column(target: str) -> None:
    assert for_target(target).version == NEWEST_TORCH


def test_an_older_version_has_rows_of_its_own() -> None:
    old, new = for_target("2.13"), for_target("2.15")
    assert (old.skip_reason("time.time"), new.skip_reason("time.time")) == ("GB0007", "GB9193")
    assert (old.skipped("cmath.sqrt"), new.skipped("cmath.sqrt")) == (True, False)
    assert (old.function("torch.linalg.polar"), new.method("qr")) == (None, None)
    assert old.method("qr") is not None
    assert "shapes_spec" in str(old.signature("torch.compile").overloads)
    assert "dynamic_shapes" in str(new.signature("torch.compile").overloads)


@pytest.mark.parametrize("target", ["2.11", "2.13", "2.14", "2.15"])
def test_a_measured_version_is_taken_without_a_note(target: str) -> None:
    assert (doubt(target), for_target(target).version) == ("", target)


def test_nested_results_are_understood() -> None:
    inner = Result("tuple", items=(Result("bool"), Result("list", items=(Result("int"),))))
    outer = Result("tuple", items=(Result("tensor", "same", "rank"), inner), data_dependent=True)
    assert parse_result("(tensor/same/rank,(bool,[int]))!data") == outer


def test_reading_facts_does_not_import_torch() -> None:
    code = "import sys; from breaklint.torchops.facts import for_target as f; f('2.13'); print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
