"""Build a library's model, and find inputs with which it runs."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import torch

from breaklint.observe.process.library.inputs import inputs_of, lacking
from breaklint.observe.process.library.shrink import configs
from breaklint.verify.arm.library_models import library_model

MOST_PARAMETERS = 150_000_000


class Built(NamedTuple):
    """A model with arguments of a call that works."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class NotBuiltError(Exception):
    """No configuration and inputs were found with which the model runs; the message says what the first ones lacked."""


class NoModelError(Exception):
    """A class is a part of models, and has no configuration of its own."""


def seed() -> None:
    """The same random numbers from here on, in every run."""
    random.seed(0)
    torch.manual_seed(0)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(0)


def working(family: str, module: str, name: str) -> Built:
    """The first configuration and inputs with which the model runs in eval mode.

    Raises:
        NotBuiltError: there are none.
        NoModelError: it is not built by itself.
    """
    told: list[str] = []
    try:
        if family == "transformers" and not hasattr(getattr(importlib.import_module(module), name), "config_class"):
            raise NoModelError("it has no configuration of its own")
        for built in _candidates(family, module, name, told):
            try:
                seed()
                with torch.no_grad():
                    built.model.eval()(*built.args, **built.kwargs)
            except Exception as error:  # noqa: BLE001 - whatever the library's code raises for inputs that do not fit
                told.append(f"called: {_words(error)}")
                continue
            return built
    except NoModelError:
        raise
    except Exception as error:  # noqa: BLE001 - the same for imports and configurations
        told.append(_words(error))
    raise NotBuiltError(told[0] if told else "no inputs are known for it")


def _candidates(family: str, module: str, name: str, told: list[str]) -> Iterator[Built]:
    place = importlib.import_module(module)
    if family != "transformers":
        with torch.device("meta"), suppress(Exception):
            _refuse_large(library_model(family, place, name)[0])
        seed()
        model, (args, kwargs) = library_model(family, place, name)
        yield Built(model, args, kwargs)
        return
    cls = getattr(place, name)
    for config in configs(cls.config_class):
        if unknown := lacking(cls, config):
            raise NotBuiltError(f"forward needs {', '.join(unknown)}, of which breaklint knows no example")
        try:
            with torch.device("meta"):
                _refuse_large(cls(config))
            seed()
            model = cls(config)
            for kwargs in inputs_of(cls, config):
                yield Built(model, (), kwargs)
        except Exception as error:  # noqa: BLE001 - a configuration that its model does not take; the next one may do
            told.append(_words(error))


def _refuse_large(model: Any) -> None:
    count = sum(each.numel() for each in model.parameters())
    if count > MOST_PARAMETERS:
        raise NotBuiltError(f"it has {count / 1e6:.0f} million parameters in the smallest configuration that was tried")


def _words(error: Exception) -> str:
    kind = "" if type(error).__name__ in ("NotBuiltError", "LibraryError") else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())[:200]}"
