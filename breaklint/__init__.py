"""breaklint: find, fix and prove away the graph breaks that torch.compile hides."""

__version__ = "0.1.0"
_TESTING = ("assert_no_graph_breaks", "graph_breaks")


def __getattr__(name: str) -> object:
    """`assert_no_graph_breaks` and `graph_breaks` of breaklint.testing, imported when they are first used."""
    if name in _TESTING:
        from importlib import import_module  # the command line does not need it

        return getattr(import_module("breaklint.testing"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
