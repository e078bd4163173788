"""What `hermes doctor` says of an index that has no bound."""

from pathlib import Path

from fixed_embedder import WordEmbedder
from hermes.app import open_app
from hermes.app.work_checks import check_vectors
from hermes.config.paths import Home
from hermes.memory.indexing import index_pending
from hermes.types import NewSession, Role, Turn, Utterance


def test_an_index_beyond_a_size_is_told_with_what_it_takes(tmp_path: Path) -> None:
    flags = {"memory.embeddings.provider": "none"}
    with open_app(Home(tmp_path).profile("default"), {}, flags=flags) as app:
        assert check_vectors(app, most_in_memory=1) == []
        said = tuple(Utterance(Role.USER, f"message {n}") for n in range(3))
        app.conversations.record([Turn(NewSession(id="s"), said)])
        index_pending(app.store, WordEmbedder(dimensions=384), app.clock)
        assert check_vectors(app) == check_vectors(app, most_in_memory=3) == []
        (found,) = check_vectors(app, most_in_memory=2)
        assert (found.level, found.part) == ("warning", "vectors")
        assert found.message == "each process that recalls holds 3 vectors: 1 MB"
        assert "PostgreSQL" in found.hint
