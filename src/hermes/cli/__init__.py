"""The command line: parse, call the App, render."""
