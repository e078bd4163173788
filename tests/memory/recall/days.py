"""What tests of recall share: one thing said on each of some days, and the vectors of all of it."""

from collections.abc import Mapping

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.indexing import index_pending
from hermes.types import Origin, Role, Utterance


def say_by_day(
    memory: Hermes, said: Mapping[str, str], *, hour: int = 9, origin: Origin | None = None
) -> None:
    """Each in a conversation named after its day."""
    for day, text in said.items():
        at = parse_time(f"{day}T{hour:02}:00:00Z")
        memory.record([Utterance(Role.USER, text, at, origin=origin)], session=day)


def embed_all(memory: Hermes) -> None:
    app = memory.app
    assert app.embedder is not None
    index_pending(app.store, app.embedder, app.clock)
