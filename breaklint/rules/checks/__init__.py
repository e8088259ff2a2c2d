"""Check classes: for what a card cannot say."""
