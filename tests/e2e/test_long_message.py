"""A message of a book's length: read for facts in bounded time, and told where reading ended."""

from conftest import Hermes
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.types import NewSession, Role, Turn, Utterance

LONG = "I live in Utrecht. " + "We moved the billing service to Oslo last week. " * 5_000


def test_who_asks_for_facts_sees_what_was_not_read(hermes: Hermes, home: Home) -> None:
    with open_app(home.profile("default"), {}) as app:
        said = Utterance(Role.USER, LONG)
        app.conversations.record([Turn(NewSession(id="s1"), (said,))])
    done = hermes("memory", "extract")
    assert done.code == 0
    assert "User lives in Utrecht" in done.out
    assert "The rest of message:1 was not read for facts" in done.err
    assert "The rest of message:1 was not read for facts" in hermes("log").out
