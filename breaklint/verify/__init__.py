"""Proof on real models: run a target before and after the fixes, each arm in a process of its own.

Torch is imported in three kinds of process only, by modules that need nothing else beside the standard library and each
other: in an arm, by what lies in `arm`; in the proof of cards, by what `prove.on_dynamo` imports; and in a program that
is captured, by what `capture.recorder` imports. The process that runs `breaklint verify` never imports it.
"""
