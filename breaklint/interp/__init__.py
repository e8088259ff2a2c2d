"""Abstract interpretation: runs functions on abstract values the way Dynamo traces them. Knows no rule."""
