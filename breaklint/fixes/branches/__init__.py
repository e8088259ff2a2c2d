"""Branches, assertions and conditions on tensors."""
