"""Compression: old episodes become dense summaries, once it is proved that nothing is missed."""
