"""Reads facts out of prose by what its clauses say: who, does what, to what, and how surely."""
