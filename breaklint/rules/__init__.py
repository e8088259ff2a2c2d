"""Rules: cards, their selection, how they match events, and check classes for what a card cannot say."""
