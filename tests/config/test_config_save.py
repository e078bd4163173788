"""Writing the config file: checked first, whole or not at all, one writer at a time."""

import json
import multiprocessing
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.config.keys import list_settings
from hermes.config.load import load_config, load_settings
from hermes.config.paths import Home, ProfilePaths
from hermes.config.reference import describe, render_reference
from hermes.config.save import Change, remove_setting, replace_config, save_changes
from hermes.config.text import list_comments
from hermes.config.view import show_value
from hermes.errors import Conflict, NotFound, UserError

Write = Callable[[str], None]
COMMENTED = """\
// mine
{
  "memory": { /* the heart */
    "poolSize": 6, // six
  },
}
"""


@pytest.fixture
def write(paths: ProfilePaths) -> Write:
    """Puts a text into config.json."""

    def write_config(text: str) -> None:
        paths.config_file.write_bytes(text.encode())

    return write_config


def change(paths: ProfilePaths, *pairs: str, environ: Mapping[str, str] | None = None) -> None:
    changes = tuple(map(Change, pairs[::2], pairs[1::2]))
    save_changes(paths, environ or {}, changes)


def test_set_keeps_comments_and_the_file_private(paths: ProfilePaths, write: Write) -> None:
    write(COMMENTED)
    paths.config_file.chmod(0o644)
    change(paths, "memory.poolSize", "9", "memory.retrieval.semanticTopK", "7")
    text = paths.config_file.read_text()
    assert list_comments(text) == list_comments(COMMENTED)
    assert '"poolSize": 9, // six' in text
    assert paths.config_file.stat().st_mode & 0o777 == 0o600
    memory = load_config(paths, {}).memory
    assert (memory.pool_size, memory.retrieval.semantic_top_k) == (9, 7)


SAMPLES = {
    "memory.poolSize": ("12", 12),
    "memory.walMode": ("no", False),
    "memory.path": ("5", "5"),
    "memory.sslMode": ("prefer", "prefer"),
    "memory.retrieval.minRelevanceScore": ("0.5", 0.5),
    "memory.retrieval.deadlineMs": ("null", None),
    "memory.embeddings.provider": ("ollama", "ollama"),
    "memory.embeddings.model": ("nomic-embed-text", "nomic-embed-text"),
    "backups.recipients": ("a,b", ["a", "b"]),
    "model.model": ("модель\n⚕", "модель\n⚕"),
    "mcpServers.gh": ('{"command": "npx"}', None),
    "mcpServers.gh.url": ("http://x", "http://x"),
    "gateways.telegram.allowedUsers": ('["1"]', ["1"]),
}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([k for k in SAMPLES if k != "mcpServers.gh"]), min_size=1))
def test_what_was_set_is_what_is_got(paths: ProfilePaths, keys: list[str]) -> None:
    paths.config_file.write_text(COMMENTED)
    for key in keys:
        change(paths, key, SAMPLES[key][0])
    loaded = load_settings(paths, {})
    for key in keys:
        assert show_value(loaded, tuple(key.split("."))) == SAMPLES[key][1]
        assert loaded.origin(tuple(key.split("."))) == "file"
    assert list_comments(paths.config_file.read_text()) == list_comments(COMMENTED)


def test_a_section_is_set_as_json(paths: ProfilePaths) -> None:
    change(paths, "mcpServers.gh", SAMPLES["mcpServers.gh"][0])
    assert load_config(paths, {}).mcp_servers["gh"].command == "npx"


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        (("memory.poolSze", "5"), "did you mean memory.poolSize?"),
        (("memory.poolSize", "many"), "memory.poolSize must be a whole number, not 'many'"),
        (("memory.poolSize", "9", "server.port", "0"), "server.port must be greater"),
        (("memory.backend", "postgres"), "needs 'connectionString'"),
        (("memory", "5"), "memory must be a section"),
        (("memory.poolSize.x", "5"), "is not a setting"),
        (("model.model", "\udcff"), "not valid text"),
        (("", "5"), "is not a setting"),
    ],
)
def test_a_wrong_change_is_refused_and_the_file_stays(
    paths: ProfilePaths, write: Write, pairs: tuple[str, ...], words: str
) -> None:
    write(COMMENTED)
    with pytest.raises(UserError) as caught:
        change(paths, *pairs)
    assert words in caught.value.message
    assert paths.config_file.read_text() == COMMENTED


def test_keys_that_need_each_other_are_set_together(paths: ProfilePaths) -> None:
    with pytest.raises(UserError) as caught:
        change(paths, "server.tlsCert", "c")
    assert "KEY VALUE KEY VALUE" in caught.value.hint
    change(paths, "server.tlsCert", "c", "server.tlsKey", "k")
    assert load_config(paths, {}).server.tls_key == "k"


def test_a_reference_may_be_set_before_its_variable(paths: ProfilePaths) -> None:
    change(paths, "model.apiKey", "${LATER}", "server.port", "${PORT}")
    assert json.loads(paths.config_file.read_text())["server"] == {"port": "${PORT}"}
    assert load_config(paths, {"LATER": "k", "PORT": "81"}).server.port == 81
    with pytest.raises(UserError, match="must be a whole number"):
        change(paths, "memory.poolSize", "5", environ={"PORT": "x"})


def test_unset_mends_a_broken_file(paths: ProfilePaths, write: Write) -> None:
    write('{\n  "foo": 1, // odd\n  "bar": 2\n}\n')
    with pytest.raises(UserError):
        change(paths, "memory.poolSize", "5")
    remove_setting(paths, {}, "foo")
    remove_setting(paths, {}, "bar")
    assert paths.config_file.read_text() == "{\n  // odd\n}\n"
    change(paths, "memory.poolSize", "7")
    assert load_config(paths, {}).memory.pool_size == 7


def test_unset_refuses_to_make_the_rest_wrong(paths: ProfilePaths) -> None:
    change(paths, "memory.backend", "postgres", "memory.connectionString", "${DB}")
    with pytest.raises(UserError, match="needs 'connectionString'"):
        remove_setting(paths, {}, "memory.connectionString")
    with pytest.raises(NotFound, match="is not set in"):
        remove_setting(paths, {}, "memory.path")


def test_a_hand_edit_is_not_overwritten(paths: ProfilePaths, write: Write) -> None:
    write("{}")
    write("{ }")
    with pytest.raises(Conflict, match="while it was being edited"):
        replace_config(paths, {}, '{"memory": {}}', instead_of="{}")
    assert paths.config_file.read_text() == "{ }"
    replace_config(paths, {}, '{"memory": {}}', instead_of="{ }")
    assert paths.config_file.read_text() == '{"memory": {}}'


def _set_many(root: Path, key: str, count: int) -> None:
    paths = Home(root).profile("default")
    for number in range(1, count + 1):
        save_changes(paths, {}, (Change(f"{key}{number}.command", "x"),))


def test_two_processes_lose_nothing_of_each_other(home: Home, paths: ProfilePaths) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_set_many, args=(home.root, f"mcpServers.{name}", 12))
        for name in ("a", "b")
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    expected = {f"{name}{number}" for name in "ab" for number in range(1, 13)}
    assert set(load_config(paths, {}).mcp_servers) == expected
    assert not list(paths.root.glob(".config.json.*"))


def test_the_reference_page_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "config.md"
    assert page.read_text("utf-8") == render_reference(), (
        "write it again: python -m hermes.config.reference > docs/config.md"
    )


def test_every_setting_is_described() -> None:
    assert [s.key for s in list_settings() if not describe(s.path)] == []
    for setting in list_settings():
        assert f"| `{setting.key}` |" in render_reference()


def test_a_section_set_whole_drops_nothing_unsaid(paths: ProfilePaths, write: Write) -> None:
    write(COMMENTED)
    for text in ("{}", '{"retrieval": {"semanticTopK": 4}}'):
        with pytest.raises(UserError, match=r"would drop what is set now: memory\.poolSize"):
            save_changes(paths, {}, (Change("memory", text),))
    assert paths.config_file.read_text() == COMMENTED
    save_changes(paths, {}, (Change("memory", '{"poolSize": 7, "walMode": true}'),))
    assert load_config(paths, {}).memory.pool_size == 7
