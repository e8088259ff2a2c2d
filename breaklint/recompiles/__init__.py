"""How often a program compiles, and why: Dynamo's guards, evaluated for one call after another without running code."""
