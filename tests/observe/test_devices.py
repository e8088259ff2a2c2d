"""What copies of a process do about CUDA, on a machine that has none."""

from __future__ import annotations

from functools import partial
from unittest.mock import Mock

import pytest
import torch
from torch import nn

from breaklint.observe.process.devices import can_run_backward, held_tensors, is_refused, leave_alone


class OnCuda(torch.Tensor):
    is_cuda = True


@pytest.mark.parametrize("place", ["module", "argument", "inside a list"])
def test_a_tensor_on_cuda_is_found_wherever_a_call_holds_it(place: str) -> None:
    here, there = torch.ones(2), torch.ones(2).as_subclass(OnCuda)
    module = nn.Module()
    module.register_buffer("scale", there if place == "module" else here)
    argument = [here, [there]] if place == "inside a list" else there if place == "argument" else here
    assert [each.is_cuda for each in held_tensors(module, (argument,), {})].count(True) == 1


@pytest.mark.parametrize(("looked", "devices", "can"), [(True, 1, False), (True, 0, True), (False, 1, True)])
def test_a_copy_starts_no_device_that_its_process_has_looked_for(
    looked: bool, devices: int, can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "_is_in_bad_fork", lambda: looked)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)
    assert can_run_backward() == can


@pytest.mark.parametrize("stand_in", [lambda: True, Mock(return_value=True), partial(bool, 1)])
def test_a_copy_is_told_that_there_is_no_cuda(stand_in: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", stand_in)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 8)
    leave_alone()
    assert (torch.cuda.is_available(), torch.cuda.device_count()) == (False, 0)


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (RuntimeError("Cannot re-initialize CUDA in forked subprocess. To use CUDA with ..."), True),
        (RuntimeError("CUDA error: initialization error"), True),
        (RuntimeError("CUDA out of memory"), False),
    ],
)
def test_what_a_copy_could_not_do_is_no_fault_of_the_module(error: BaseException, refused: bool) -> None:
    assert is_refused(error) == refused
