"""Generated models, run before and after a fix: what a caller can see must be the same.

`kinds` says what is generated, `inputs` what it is called with, and `judging` what disagrees. Tests draw a few variants
of every kind of fix, `benchmarks/fixes/fix_differential.py` thousands.
"""
