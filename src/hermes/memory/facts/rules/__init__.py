"""Facts found by rules alone: what is sure is taken, the rest is left."""
