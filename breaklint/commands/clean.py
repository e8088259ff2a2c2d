"""`breaklint clean`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from breaklint.commands.options import PLACE, refuse_missing
from breaklint.commands.terminal import click
from breaklint.errors import UsageError


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--cache-dir", type=PLACE, metavar="DIR", help="The cache folder, if it is not the default one.")
def clean(path: Path, cache_dir: str | None) -> None:
    """Remove the cached results of `check` for PATH (default: the current folder), and the user's cache.

    The user's cache (~/.cache/breaklint) contains parsed rule cards. Only folders that breaklint created are removed.
    """
    from breaklint.lint.cache_files import is_cache
    from breaklint.lint.config_files import find_config
    from breaklint.lint.run import CACHE, cache_folder
    from breaklint.model import Settings
    from breaklint.source.resources import user_cache

    refuse_missing(path)
    source = find_config(path)
    beside = source.parent if source else path if os.path.isdir(path) else path.parent
    users = user_cache()
    for folder in dict.fromkeys((cache_folder(Settings(root=str(beside)), cache_dir), beside / CACHE, users)):
        if folder is not None and (folder.is_dir() if folder == users else is_cache(folder)):
            try:
                shutil.rmtree(folder)
            except OSError as error:
                raise UsageError(f"{folder}: cannot be removed: {error.strerror or error}") from error
            click.echo(f"Removed {folder}")
