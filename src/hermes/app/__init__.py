"""The composition root: the only place that chooses and names adapters.

Every surface (command line, REST, MCP, dashboard, chat) opens an `App` and calls its methods; they
parse, call and render, and nothing else.
"""

from hermes.app.root import App, diagnose, open_app

__all__ = ["App", "diagnose", "open_app"]
