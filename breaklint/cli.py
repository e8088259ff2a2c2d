"""The command line `breaklint`: finds the command, and converts errors to exit codes."""

from __future__ import annotations

import errno
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from click.exceptions import NoArgsIsHelpError

from breaklint import __version__
from breaklint.commands.terminal import Group, click
from breaklint.errors import BreaklintError

COMMANDS = (
    "check",
    "verify",
    "capture",
    "observe",
    "trace",
    "recompiles",
    "upgrade",
    "report",
    "rule",
    "why",
    "new-rule",
    "test",
    "config",
    "clean",
    "server",
)
_ELSEWHERE = {"fix": "check --fix", "version": "--version", "help": "--help"}
_OF_THE_SYSTEM = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)  # too many open files, too many processes …
_UNWRITABLE = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
FAILED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141


class _Commands(Group):
    """The commands, each imported from `breaklint.commands` when it is called: `check` shall start at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name != "check":
            gc.enable()
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"breaklint.commands.{name}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, or an error with the most similar name."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}{_suggest(args[0])}")
        return super().resolve_command(ctx, args)


def _suggest(word: str) -> str:
    from breaklint.source.did_you_mean import did_you_mean, suggestion

    if word in _ELSEWHERE:
        return suggestion([f"breaklint {_ELSEWHERE[word]}"])
    return suggestion([f"breaklint check {word}"]) if os.path.exists(word) else did_you_mean(word, COMMANDS)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog="Start: breaklint check .")
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def cli() -> None:
    """Find graph breaks of torch.compile, fix them, and verify the fixes."""


def main() -> NoReturn:
    """Run the command line and exit: 0 well, 1 findings or a failed gate, 2 an error, 3 inconclusive."""
    _open_streams()
    gc.disable()  # loading modules makes no garbage, and `check` collects its own
    code = _exit_code()
    if gc.isenabled():
        sys.exit(code)
    os._exit(code)  # without taking apart what `check` has built, which would take longer than starting did


def _open_streams() -> None:
    """See that both streams take any text, also those that the process which started this one has closed."""
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a file may have any name


def _exit_code() -> int:
    try:
        code = _run()
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError as error:  # every other error ends in `_run`
        # Without this, closing standard output at exit would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader (`| head`) went away
            return PIPE_CLOSED
        _tell(f"standard output cannot be written: {error.strerror}")
        return FAILED
    return code


def _run() -> int:
    """Run the command line and return the exit code. Raises OSError if the output cannot be written."""
    try:
        os.getcwd()  # paths are relative to it, and results are kept for it
    except OSError as error:
        _tell(f"the current folder cannot be used: {error.strerror}")
        return FAILED
    try:
        return int(cli.main(prog_name="breaklint", standalone_mode=False) or 0)
    except BreaklintError as error:
        from breaklint.output.wording import printable

        _tell(printable(str(error)))
    except NoArgsIsHelpError as error:
        error.show()
    except click.ClickException as error:
        _tell(_in_a_line(error))
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITABLE:
            raise
        if isinstance(error, OSError) and error.errno in _OF_THE_SYSTEM:
            _tell(f"the system does not permit this run: {error.strerror}")
            return FAILED
        import traceback  # slow to import, and hopefully never needed

        traceback.print_exc()
        _tell("a bug in breaklint; please report it with the lines above")  # 1 would say that findings remain
    return FAILED


def _in_a_line(error: click.ClickException) -> str:
    """The error of a command line, and the command that lists its options."""
    message = " ".join(error.format_message().split())
    if not isinstance(error, click.UsageError) or not error.ctx:
        return message
    end = "" if message.endswith((".", "?", ")")) else "."
    return f"{message}{end} See `{error.ctx.command_path} --help`"


def _tell(line: str) -> None:
    with suppress(OSError):  # standard error may be full as well
        click.echo(f"breaklint: error: {line}", err=True)
