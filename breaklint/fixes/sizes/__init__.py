"""Sizes that come from NumPy, lists or data."""
