"""Which calls of a compiled entry compile again: counted by running them under Dynamo."""
