"""Loops over tensors."""
