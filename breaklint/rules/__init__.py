"""Rules: cards, selection, matching of events, and check classes."""
