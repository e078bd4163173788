"""What is said where a memory was moved to another model than the one configured here."""

from pathlib import Path

from hermes.app import open_app
from hermes.cli.status import _embeddings
from hermes.config.paths import read_home
from hermes.testing import ScriptedServer
from hermes.types import NewSession, Role, Turn, Utterance


def test_status_doctor_and_recall_say_that_the_memory_was_moved(tmp_path: Path) -> None:
    paths = read_home({}, str(tmp_path)).profile("default")
    with ScriptedServer(dimensions=16) as server:
        other = {
            "memory.embeddings.provider": "openai",
            "memory.embeddings.baseUrl": f"{server.url}/v1",
            "memory.embeddings.model": "m16",
            "memory.embeddings.apiKey": "k",
            "memory.embeddings.dimensions": "16",
        }
        with open_app(paths, {}, flags=other) as theirs, open_app(paths, {}) as ours:
            said = Utterance(Role.USER, "the heron nests by the canal")
            ours.conversations.record([Turn(NewSession(id="s"), (said,))])
            assert ours.memory.reindex(lambda _: None) == 1
            assert ours.health.status().moved == ""
            assert theirs.memory.reindex(lambda _: None) == 1
            ours.memory.catch_up()
            status = ours.health.status()
            told = "the memory was moved to openai/m16/16"
            assert told in status.moved
            assert (status.backlog, status.embedded) == (0, 1.0)
            todo = (
                "`hermes memory reindex` moves it to local/e5-small-int8/384; "
                "or set memory.embeddings back to openai/m16/16"
            )
            shown = _embeddings(status, ours.daemon.status())
            assert shown.startswith("local/e5-small-int8/384; the memory was moved to openai")
            assert shown.endswith(todo)
            reason = ours.memory.recall("heron", bank="default").trace.reason
            assert told in reason and todo in reason
            (found,) = (each for each in ours.health.doctor() if each.part == "vectors")
            assert told in found.message and f"{todo}." == found.hint
            assert theirs.health.status().moved == ""
            assert ours.memory.reindex(lambda _: None) == 1
            assert ours.health.status().moved == ""
            assert "was moved to local" in theirs.health.status().moved
            reason = theirs.memory.recall("heron", bank="default").trace.reason
            assert reason.startswith("answered by the vectors of local/e5-small-int8/384; ")
            assert "set memory.embeddings back to local/e5-small-int8/384" in reason


def test_vectors_that_nobody_wants_any_more_are_no_matter_for_doctor(tmp_path: Path) -> None:
    paths = read_home({}, str(tmp_path)).profile("default")
    with open_app(paths, {}) as app:
        said = Utterance(Role.USER, "the heron nests by the canal")
        app.conversations.record([Turn(NewSession(id="s"), (said,))])
        assert app.memory.reindex(lambda _: None) == 1
    with open_app(paths, {}, flags={"memory.embeddings.provider": "none"}) as app:
        assert [each for each in app.health.doctor() if each.part == "vectors"] == []
