"""A hook of mkdocs: links from pages to files outside docs/ become plain text, since the site has only the pages."""

from __future__ import annotations

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./(?!\.\.)[^)]*\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Keep the text of a link that leads out of docs/; pages in folders reach their siblings by `../`."""
    return markdown if "/" in page.file.src_uri else OUTSIDE.sub(r"\1", markdown)
