"""The routes of the REST API, one topic a file: each parses, calls the App, and renders."""

from hermes.server.http.routes import beliefs, facts, keeping, recalled, state, talk, work

# Those with a fixed path after a session's id stand before those that end with it.
ROUTERS = (
    *(keeping.carrying, beliefs.reflections, talk.router, recalled.router, facts.router),
    *(beliefs.entities, beliefs.notes, beliefs.pending, work.log, work.jobs, work.banks),
    *(work.profiles, keeping.backups, keeping.forgetting, state.router, state.outside),
)
