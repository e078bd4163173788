"""The routes of the REST API, one topic a file: each parses, calls the App, and renders."""

from hermes.server.http.routes import state, talk

ROUTERS = (talk.router, state.router, state.outside)
