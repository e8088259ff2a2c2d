"""Targets by name, their sources before and after, and inputs in words."""
