"""Dynamo on the inputs of the user's tests: recorded there, stored as a profile, joined with findings."""
