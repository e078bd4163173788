"""Chats whose readings were judged, for gates to learn from: see README.md of `bench.facts`."""
