"""breaklint: find, fix and prove away the graph breaks that torch.compile hides."""

__version__ = "0.1.0"
