"""Vectors of any store: how they are coded, kept in blocks, and searched in this process."""
