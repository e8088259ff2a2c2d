"""Hostile surroundings for generated models: what may stand before, between and after the lines that a fix rewrites.

`drafts` is a model in parts that can be changed. Each other module changes one thing: `names` binds the names that
fixes rely on or write, `changes` changes values between definition and use, `control` puts lines into blocks and
functions, `layouts` writes the same lines differently. `hunting` draws variants and holds what safe fixes make of them
against what they were.
"""
