"""Find the model of a library by its name, without importing the library."""

from __future__ import annotations

import re
from pathlib import Path

from breaklint.errors import SourceError, TargetError
from breaklint.source.decoding import read_source
from breaklint.source.did_you_mean import did_you_mean

FAMILIES = {"transformers": "models", "timm": "models", "diffusers": "models", "torch_geometric": "nn"}
"""Libraries whose models build from a configuration, and the folders in which they are defined."""
CONFIG = "Config"


def file_of(family: str, package: Path, name: str) -> Path:
    """The file below the folder `package` that defines a model: of `T5Config` the one that has the model.

    Raises:
        TargetError: no file defines it.
    """
    is_config = family == "transformers" and name.endswith(CONFIG)
    pattern = {"transformers": "configuration_*.py" if is_config else "modeling_*.py"}.get(family, "*.py")
    keyword = "def" if family == "timm" else "class"
    defined = re.compile(rf"^{keyword} (\w+)\b", re.MULTILINE)
    folder = package / FAMILIES[family]
    for path in sorted(folder.rglob(pattern)):
        if name in defined.findall(_text(path)):
            return _model_beside(path, name) if is_config else path
    known = {each for path in folder.rglob("*.py") for each in defined.findall(_text(path))}
    raise TargetError(f"{family}:{name}: {family} in {package} defines no such model{did_you_mean(name, known)}")


def _model_beside(path: Path, name: str) -> Path:
    model = path.with_name(path.name.replace("configuration_", "modeling_"))
    if not model.is_file():
        raise TargetError(f"transformers:{name}: no {model.name} beside {path}; name a model's class")
    return model


def _text(path: Path) -> str:
    try:
        return read_source(str(path)).text
    except SourceError:
        return ""
