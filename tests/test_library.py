"""The library, as a builder of agents uses it."""

from pathlib import Path

import pytest

from hermes import Hermes
from hermes.errors import UserError

WAIT_S = 120.0


def test_what_one_object_records_another_recalls(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        memory.record(
            [("user", "The staging server is called bluefin."), ("assistant", "Noted.")],
            session="ops",
        )
    with Hermes(tmp_path / "home") as memory:
        assert memory.wait_until_indexed(WAIT_S)
        found = memory.search("what is the name of the staging machine?")
        assert found[0].session_id == "ops"
        assert "bluefin" in memory.recall("name of the staging server").context()


def test_a_key_makes_a_retry_harmless(tmp_path: Path) -> None:
    with Hermes(tmp_path, settings={"memory.embeddings.provider": "none"}) as memory:
        first = memory.record([("user", "once")], session="s", key="k")
        again = memory.record([("user", "once")], session="s", key="k")
        assert again.duplicate
        assert again.message_ids == first.message_ids


def test_banks_do_not_see_each_other(tmp_path: Path) -> None:
    settings = {"memory.embeddings.provider": "none"}
    with Hermes(tmp_path, bank="acme", settings=settings) as acme:
        acme.record([("user", "The contract is worth nine million.")], session="a")
    with Hermes(tmp_path, bank="globex", settings=settings) as globex:
        globex.record([("user", "Nothing to see.")], session="g")
        assert "nine million" not in globex.recall("what is the contract worth?").context()
        assert not globex.search_sessions("contract").hits


def test_a_message_without_a_role_is_refused(tmp_path: Path) -> None:
    with Hermes(tmp_path) as memory, pytest.raises(UserError, match="no message"):
        memory.record([{"content": "who said this?"}])
