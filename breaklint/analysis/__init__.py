"""What code means to Dynamo: which functions it traces, and the value of every expression in them. Knows no rule."""
