"""What a person chooses of recall: whose days are meant, and which types of memory."""

from pathlib import Path
from typing import Any

import pytest

from conftest import Hermes
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.errors import UserError
from hermes.memory.recall.when.zone import find_zone
from hermes.types import NewSession, Role, Turn, Utterance

NO_VECTORS = {"memory.embeddings.provider": "none"}


def test_days_are_those_of_the_person(tmp_path: Path) -> None:
    environ = {"TZ": "Asia/Tokyo"}
    with open_app(Home(tmp_path).profile("default"), environ, flags=NO_VECTORS) as app:
        assert app.memory.engine.options.zone == "Asia/Tokyo"


def test_a_zone_nobody_knows_is_not_taken() -> None:
    assert find_zone({"TZ": ":Asia/Tokyo"}) == "Asia/Tokyo"
    assert find_zone({"TZ": "Nowhere/Atlantis"}) == find_zone({})
    assert find_zone({"TZ": "../../etc/passwd"}) == find_zone({})


@pytest.mark.parametrize("limit", [0, -1, 2.5, None])
def test_a_limit_is_a_whole_number_from_one_on(tmp_path: Path, limit: Any) -> None:
    with open_app(Home(tmp_path).profile("default"), {}, flags=NO_VECTORS) as app:
        for ask in (
            lambda: app.memory.search("deploy", bank="default", limit=limit),
            lambda: app.memory.search("", bank="default", limit=limit),
            lambda: app.facts.search("deploy", limit=limit),
            lambda: app.facts.list(limit=limit),
        ):
            with pytest.raises(UserError, match=r"limit (must be at least 1|is a whole number)"):
                ask()


@pytest.mark.parametrize(("zone", "is_known"), [("Asia/Tokyo", False), ("America/Lima", True)])
def test_as_of_ends_with_the_persons_day(
    hermes: Hermes, home: Home, zone: str, is_known: bool
) -> None:
    """At 20:00 UTC the day is over in Tokyo, and is not in Lima."""
    said = Utterance(Role.USER, "the heron nests by the canal", 1_767_643_200_000)  # 2026-01-05
    with open_app(home.profile("default"), {}, flags=NO_VECTORS) as app:
        app.conversations.record([Turn(NewSession(id="s"), (said,))])
    flags = {"TZ": zone, "HERMES_MEMORY_EMBEDDINGS_PROVIDER": "none"}
    done = hermes("memory", "recall", "heron canal", "--as-of", "2026-01-05", **flags)
    assert done.code == 0, done.err
    assert ("heron" in done.out) is is_known


def test_what_was_told_twice_is_as_sure_as_before(tmp_path: Path) -> None:
    said = [
        Utterance(Role.USER, "We moved Atlas to PostgreSQL 16, for PostGIS.", 1_767_643_200_000),
        Utterance(Role.ASSISTANT, "Noted.", 1_767_643_201_000),
    ]
    told = []
    with open_app(Home(tmp_path).profile("default"), {}, flags=NO_VECTORS) as app:
        for session in ("monday", "tuesday", "wednesday"):
            app.conversations.record([Turn(NewSession(id=session), tuple(said))])
            recall = app.memory.recall("what did we move Atlas to", bank="default")
            told.append((recall.is_sure, "None of it" in recall.context()))
            assert "PostgreSQL 16" in recall.items[0].text
    assert told == [(True, False)] * 3
