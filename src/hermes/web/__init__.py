"""The dashboard: pages made on the server that show a memory and let a person put it right.

Handlers parse what was asked, call a method of the App, and render. They work without scripts;
scripts only make the same links and forms quicker.
"""

from hermes.web.pages import create_pages

__all__ = ["create_pages"]
