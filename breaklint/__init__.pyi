from breaklint.testing import assert_no_graph_breaks as assert_no_graph_breaks
from breaklint.testing import graph_breaks as graph_breaks

__version__: str
