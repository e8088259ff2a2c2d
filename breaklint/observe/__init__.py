"""What Dynamo does on the inputs of the user's own tests: recorded there, kept as a profile, joined with findings."""
