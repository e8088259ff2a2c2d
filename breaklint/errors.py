"""The exceptions breaklint raises on purpose. Each message is one line with the error, its place and the remedy."""


class BreaklintError(Exception):
    """Base of every error a user may see; `str(error)` is the line to print."""


class UsageError(BreaklintError):
    """The command line is invalid."""


class ConfigError(BreaklintError):
    """A configuration file is wrong; the message names the file and the key."""


class SourceError(BreaklintError):
    """A file cannot be read, decoded, parsed or written; the message names the file and the place."""

    def __init__(self, path: str, reason: str, row: int | None = None, column: int | None = None) -> None:
        where = path if row is None else f"{path}:{row}" if column is None else f"{path}:{row}:{column}"
        super().__init__(f"{where}: {reason}")
        self.path, self.reason, self.row, self.column = path, reason, row, column


class CardError(BreaklintError):
    """A rule card is wrong; the message names the card and the key."""


class RuleBug(BreaklintError):
    """A rule or a fix raised: a bug in breaklint, shown with the file and the rule, never swallowed."""


class TargetError(BreaklintError):
    """A verify target cannot be found or loaded."""
