"""Benchmarks that ship with Hermes: labelled sets, scorers and the commands that run them.

They stand above the App and measure it from outside; nothing below may import them.
"""
