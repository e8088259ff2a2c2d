"""Codemods: from a finding to text edits, each with an applicability and its reason, or to why there is none."""
