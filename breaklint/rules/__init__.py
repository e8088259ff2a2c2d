"""Rules: cards, their selection, how they match events, and visitors of events for what a card cannot say."""
