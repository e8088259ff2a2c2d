"""The rules: declarative cards matched against what the machine sees, and small classes for what a card cannot say."""
