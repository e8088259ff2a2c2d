"""Check classes: visitors of events, for what a card cannot say. A card names one by its class alone."""
