"""`breaklint server`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

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
    from breaklint.editor.streams import messages, replies

    if sys.stdin.isatty():
        click.echo("breaklint: note: this is for an editor to start (docs/editors.md); Ctrl-D ends it", err=True)
    serving = make_server(lambda path: settings_for(path, options))
    serving.start_io(messages(), replies())
    return serving.exit_code
