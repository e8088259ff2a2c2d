"""`breaklint server`."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Any, BinaryIO

from breaklint.commands.options import config_options, environment_options, fix_options, selection_options, settings_for
from breaklint.commands.terminal import click
from breaklint.errors import UsageError


@click.command()
@selection_options
@fix_options
@config_options
@environment_options
def server(**options: Any) -> int:
    """Run the language server: findings while you type, rule pages, fixes.

    Editors start it and use its standard input and output; docs/editors.md shows how to configure them. Options
    override the configuration nearest to each file.
    """
    if find_spec("pygls") is None:
        raise UsageError("breaklint server needs pygls: pip install pygls lsprotocol")
    from breaklint.editor.features import make_server

    if sys.stdin.isatty():
        click.echo("breaklint: note: this is for an editor to start (docs/editors.md); Ctrl-D ends it", err=True)
    serving = make_server(lambda path: settings_for(path, options))
    serving.start_io(None, _replies())
    return serving.exit_code


def _replies() -> BinaryIO:
    """The replacement of standard output, which is redirected to standard error.

    The server closes it at exit; output of rules cannot mix with its messages.
    """
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream
