"""The user's own configuration, and whose rules in Python are run.

Loading Python runs it, so that a configuration that came with a repository cannot name any: its files are not loaded
without the user's consent. The user consents by naming them on the command line or in the user configuration, or by
installing a package with rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from breaklint.errors import ConfigError
from breaklint.lint.config_files import read_table
from breaklint.lint.config_values import strings, suggestion
from breaklint.model import Settings
from breaklint.rules.python_sources import installed_rules, python_files
from breaklint.source.resources import user_folder

KEYS = ("rules", "trusted-folders")


class UserConfig(NamedTuple):
    """The decisions of the user for all projects: rules to load, and folders with trusted rules."""

    rules: tuple[str, ...] = ()
    trusted_folders: tuple[str, ...] = ()

    def trusts(self, folder: str) -> bool:
        """Whether a folder is one of those that are trusted, or lies in one."""
        place = Path(folder).resolve()
        return any(place.is_relative_to(trusted) for trusted in self.trusted_folders)


def user_config_file() -> Path | None:
    """The path of the user configuration: in XDG_CONFIG_HOME, else ~/.config; in APPDATA on Windows.

    None if the user has no home folder.
    """
    folder = user_folder("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", ".config")
    return folder and folder / "breaklint" / "breaklint.toml"


def read_user_config() -> UserConfig:
    """The user's own configuration; ConfigError when it cannot be read or is wrong."""
    path = user_config_file()
    if path is None or not os.path.isfile(path):
        return UserConfig()
    result: dict[str, tuple[str, ...]] = {}
    for key, value in read_table(path).items():
        if key not in KEYS:
            raise ConfigError(f"{path}: unknown key `{key}`{suggestion(key, KEYS)}")
        places = strings(value, f"{path}: `{key}`")
        result[key] = tuple(str((path.parent / os.path.expanduser(place)).resolve()) for place in places)
    return UserConfig(result.get("rules", ()), result.get("trusted-folders", ()))


def with_rules(settings: Settings, paths: Sequence[str], isolated: bool) -> Settings:
    """The settings with the rules at `paths` of the command line, those of the user, and the rules to run.

    With `isolated` only those that are named count.
    """
    user = UserConfig() if isolated else read_user_config()
    own = (*(os.path.abspath(place) for place in paths), *user.rules)
    modules = _written_in_python(settings.rules)
    trusted = user.trusts(settings.root) if modules else False
    installed = () if isolated else installed_rules()
    return settings._replace(
        rules=tuple(dict.fromkeys((*settings.rules, *own))),
        python_rules=tuple(dict.fromkeys((*_written_in_python(own), *(modules if trusted else ()), *installed))),
        untrusted_rules=() if trusted else tuple(place for place in modules if place not in _written_in_python(own)),
    )


def _written_in_python(places: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str, python_files(map(Path, places))))


def untrusted_notice(settings: Settings) -> str:
    """The note on rules in Python that are not run; "" when there are none."""
    if not settings.untrusted_rules:
        return ""
    names = ", ".join(os.path.relpath(path) for path in settings.untrusted_rules)
    place = user_config_file() or "your own configuration"
    remedy = f"give --rules, or list the folder as one of `trusted-folders` in {place}"
    return f"not run, because the configuration in {settings.root} names them and you did not: {names}; {remedy}"
