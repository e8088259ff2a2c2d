"""The installed packages of a project: their folders, and which of them imports are followed into."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Final

from breaklint.project.folders import Folders

MARK: Final = "pyvenv.cfg"  # the marker of a virtual environment
NAMES: Final = (".venv", "venv")
ACTIVE: Final = ("VIRTUAL_ENV", "CONDA_PREFIX")
# Not followed: torch and libraries that rules know by name, packages that Dynamo does not trace
# (torch/_dynamo/trace_rules.py), and packages that only describe types.
OPAQUE: Final = frozenset(
    "torch torchgen functorch triton numpy scipy einops tqdm attr attrs typing_extensions jaxtyping beartype typeguard "
    "fx2trt_oss hypothesis networkx onnx onnxruntime pandas sklearn tabulate tensorflow tensorrt torch2trt tree tvm "
    "xarray setuptools pkg_resources pip pytest _pytest torch_xla cupy jax".split()
)
_TORCH: Final = re.compile(r"^__version__ = '(\d+\.\d+[.\d]*)", re.MULTILINE)
_VERSION: Final = re.compile(r"python3\.(\d+)t?")


class Environment:
    """The installed packages below `folder`, a `site-packages`; none if it is "". Only their sources are read.

    `roots` are that folder, those of its `.pth` files, and that of the interpreter whose packages it includes.
    """

    def __init__(self, folder: str, folders: Folders) -> None:
        self._folders = folders
        self.roots = _roots(folder)
        self._follows: dict[str, bool] = {}
        self._packages: set[str] | None = None

    @property
    def python(self) -> int:
        """The minor version of its Python; 0 if there is none, or on Windows."""
        return _minor(os.path.basename(os.path.dirname(self.roots[0]))) if self.roots else 0

    def file_of(self, name: str) -> str | None:
        """The file of a dotted module name, None if it is not installed or not followed."""
        if not self.roots:
            return None
        package = name.partition(".")[0]
        follows = self._follows.get(package)
        if follows is None:
            follows = self._follows[package] = package not in OPAQUE and package not in sys.stdlib_module_names
        return self._folders.file_of(self.roots, name) if follows else None

    def lacks(self, name: str) -> bool:
        """Whether an import of this module fails: the environment exists, and has no package of the name."""
        package = name.partition(".")[0]
        if not self.roots or package in sys.stdlib_module_names:
            return False
        if self._packages is None:
            self._packages = {entry.partition(".")[0] for root in self.roots for entry in _list_folder(root)}
        editable = any(entry.startswith("__editable__") for entry in self._packages)  # imports by code of its own
        return not editable and package not in self._packages

    def links_to(self, path: str) -> bool:
        """Whether a file is outside of the environment itself, in a folder of a `.pth` file."""
        return not path.startswith(self.roots[0] + os.sep)


def find(start: str) -> str:
    """The `site-packages` of the nearest environment in `start` or a folder above, else of the active one, else of the
    one that breaklint is installed in if it has torch, else "".

    The nearest comes first: tools that run others, such as pre-commit, activate environments of their own.
    """
    folder = os.path.abspath(start)
    while True:
        for name in NAMES:
            place = os.path.join(folder, name)
            if os.path.isfile(os.path.join(place, MARK)) and (site := site_packages(place)):
                return site
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    active = (os.environ.get(variable) for variable in ACTIVE)
    own = site_packages(sys.prefix)
    return next((site for place in active if place and (site := site_packages(place))), own if torch_of(own) else "")


def site_packages(place: str) -> str:
    """The `site-packages` of an environment: `place` is its folder, its interpreter or the `site-packages`; "" for
    none."""
    place = os.path.abspath(place)
    if os.path.isfile(place):  # bin/python, which is often a link to another folder: not followed
        place = os.path.dirname(os.path.dirname(place))
    if os.path.basename(place) in ("site-packages", "dist-packages") and os.path.isdir(place):
        return place
    library = os.path.join(place, "lib")
    versions = sorted((name for name in _list_folder(library) if _VERSION.fullmatch(name)), key=_minor, reverse=True)
    candidates = [os.path.join(library, name, kind) for name in versions for kind in ("site-packages", "dist-packages")]
    candidates.append(os.path.join(place, "Lib", "site-packages"))  # on Windows
    return next((folder for folder in candidates if os.path.isdir(folder)), "")


def torch_of(folder: str) -> str:
    """The version of the torch that is installed for a `site-packages`, such as 2.13.0; "" for none."""
    for root in _roots(folder):
        if (match := _TORCH.search(_text(os.path.join(root, "torch", "version.py")))) is not None:
            return match[1]
    return ""


def interpreter(folder: str) -> str:
    """The interpreter of the environment with this `site-packages`; "" for none."""
    place = os.path.dirname(folder)
    while (above := os.path.dirname(place)) != place:
        for program in (os.path.join(place, "bin", "python"), os.path.join(place, "Scripts", "python.exe")):
            if os.path.isfile(program):
                return program
        place = above
    return ""


def _minor(name: str) -> int:
    match = _VERSION.fullmatch(name)
    return int(match[1]) if match else 0


def _roots(folder: str) -> list[str]:
    return [folder, *_linked(folder), *_included(folder)] if folder else []


def _included(folder: str) -> Iterator[str]:
    """The `site-packages` of the interpreter that a virtual environment includes, if it does."""
    place = os.path.dirname(os.path.dirname(os.path.dirname(folder)))  # lib/python3.11/site-packages
    lines = (line.partition("=") for line in _text(os.path.join(place, MARK)).splitlines())
    options = {key.strip(): value.strip() for key, _, value in lines}
    if options.get("include-system-site-packages") == "true" and (home := options.get("home")):
        yield from filter(None, [site_packages(os.path.dirname(home))])


def _linked(folder: str) -> Iterator[str]:
    """The folders that `.pth` files add, as editable installs do."""
    for name in sorted(_list_folder(folder)):
        if name.endswith(".pth"):
            for line in _text(os.path.join(folder, name)).splitlines():
                place = os.path.join(folder, line.strip())
                if line.strip() and not line.startswith(("#", "import ", "import\t")) and os.path.isdir(place):
                    yield os.path.abspath(place)


def _text(path: str) -> str:
    """The beginning of a small file; "" for none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(100_000)
    except OSError:
        return ""


def _list_folder(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
