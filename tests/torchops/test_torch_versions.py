"""The torch versions for which a card holds."""

from __future__ import annotations

import pytest

from breaklint.torchops.torch_versions import holds


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [("", True), (">=2.11", True), ("<2.13", False), (">=2.9,<2.14", True), ("==2.13", True), ("!=2.13", False)],
)
@pytest.mark.parametrize("version", ["2.13", "2.13.0+cpu"])
def test_versions(specifier: str, expected: bool, version: str) -> None:
    assert holds(specifier, version) is expected


def test_a_specifier_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="is not like"):
        holds("~=2.11", "2.13")
