"""Check classes: visitors of events, for conditions that a card cannot express. A card names a class."""
