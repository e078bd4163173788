"""Settings from defaults, file, environment and flags; mistakes named where they were made."""

import json
import logging
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hermes.config.keys import find_nearest, list_settings
from hermes.config.load import Given, load_config, load_settings
from hermes.config.model import Config, MemorySettings, RetrievalSettings
from hermes.config.paths import ProfilePaths
from hermes.config.unset import variable_of
from hermes.config.view import show_value
from hermes.errors import Refused, UserError

Write = Callable[[str], None]


@pytest.fixture
def write(paths: ProfilePaths) -> Write:
    """Puts a text into config.json."""

    def write_config(text: str) -> None:
        paths.config_file.write_bytes(text.encode())

    return write_config


def fails(paths: ProfilePaths, environ: dict[str, str] | None = None, **flags: str) -> str:
    """The message a configuration is refused with."""
    dotted = {key.replace("__", "."): value for key, value in flags.items()}
    with pytest.raises(UserError) as caught:
        load_config(paths, environ or {}, dotted)
    assert caught.value.hint
    return caught.value.message


def test_defaults_are_those_of_the_spec(paths: ProfilePaths) -> None:
    config = load_config(paths, {})
    assert config == Config()
    memory = config.memory
    assert (memory.backend, memory.vacuum_schedule, memory.wal_mode) == ("sqlite", "weekly", True)
    assert (memory.pool_size, memory.ssl_mode) == (5, "require")
    assert memory.retrieval == RetrievalSettings(
        context_budget_tokens=20_000,
        recency_episodes=3,
        semantic_top_k=5,
        min_relevance_score=0.65,
    )
    assert (memory.embeddings.provider, memory.embeddings.batch_size) == ("local", 100)
    assert (memory.memory_char_limit, memory.user_char_limit, memory.nudge_interval) == (
        2_200,
        1_375,
        10,
    )
    assert memory.encryption == "keyfile"


def test_the_examples_of_the_spec_are_valid(paths: ProfilePaths, write: Write) -> None:
    write(
        """{
  "memory": {
    "backend": "postgres",
    "connectionString": "${HERMES_DB_URL}",
    // e.g. postgres://user:password@localhost:5432/hermes
    "poolSize": 5,
    "sslMode":  "require",
    "path": "~/.hermes/memory.db",
    "retrieval": { "contextBudgetTokens": 40000, },
    "embeddings": { "provider": "anthropic", "model": "text-embedding-3-small",
                    "dimensions": 1536, "batchSize":  100 }
  }
}"""
    )
    config = load_config(paths, {"HERMES_DB_URL": "postgres://u:p@h/db"})
    assert config.memory.connection_string is not None
    assert config.memory.connection_string.get_secret_value() == "postgres://u:p@h/db"
    assert config.memory.retrieval.context_budget_tokens == 40_000
    assert "u:p" not in repr(config)


def test_later_layers_win(paths: ProfilePaths, write: Write) -> None:
    environ: dict[str, str] = {}
    flags: dict[str, str] = {}
    path = ("memory", "poolSize")

    def seen() -> tuple[int, str]:
        loaded = load_settings(paths, environ, flags)
        return loaded.config.memory.pool_size, loaded.origin(path)

    assert seen() == (5, "default")
    write('{"memory": {"poolSize": 6}}')
    assert seen() == (6, "file")
    paths.env_file.write_text("HERMES_MEMORY_POOL_SIZE=7")
    paths.env_file.chmod(0o600)
    assert seen() == (7, "env")
    environ["HERMES_MEMORY_POOL_SIZE"] = "8"
    assert seen() == (8, "env")
    flags["memory.poolSize"] = "9"
    assert seen() == (9, "flag")


def test_variables_of_every_type(paths: ProfilePaths) -> None:
    config = load_config(
        paths,
        {
            "HERMES_MEMORY_RETRIEVAL_SEMANTIC_TOP_K": "12",
            "HERMES_MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE": "1",
            "HERMES_MEMORY_WAL_MODE": "off",
            "HERMES_MEMORY_PATH": "~/m.db",
            "HERMES_LIGHT_MODEL_MODEL": "5",
            "HERMES_BACKUPS_RECIPIENTS": "age1a, age1b",
            "HERMES_SERVER_ALLOWED_ORIGINS": '["https://a"]',
            "HERMES_MCP_SERVERS": '{"gh": {"command": "npx", "env": {"TOKEN": "t"}}}',
            "HERMES_MEMORY_POOL_SIZE": "",
        },
    )
    assert config.memory.retrieval.semantic_top_k == 12
    assert config.memory.retrieval.min_relevance_score == 1
    assert config.memory.wal_mode is False
    assert config.memory.path == "~/m.db"
    assert config.light_model.model == "5"
    assert config.backups.recipients == ("age1a", "age1b")
    assert config.server.allowed_origins == ("https://a",)
    assert config.mcp_servers["gh"].env["TOKEN"].get_secret_value() == "t"
    assert config.memory.pool_size == 5


def test_every_setting_has_a_variable_of_its_own() -> None:
    names = [setting.env for setting in list_settings()]
    assert len(set(names)) == len(names)
    assert all(name.startswith("HERMES_") and name == name.upper() for name in names)


@pytest.mark.parametrize(
    "name",
    ["HERMES_MEMORY_RETREIVAL_SEMANTIC_TOP_K", "HERMES_MEMROY_POOL_SIZE", "HERMES_SERVER_PROT"],
)
def test_a_misspelt_variable_is_an_error(paths: ProfilePaths, name: str) -> None:
    message = fails(paths, {name: "1"})
    assert message.startswith(f"{name}: no setting has this name; did you mean HERMES_")


def test_other_variables_are_left_alone(paths: ProfilePaths, write: Write) -> None:
    write('{"model": {"apiKey": "${HERMES_MODEL_KEY_OF_MINE}"}}')
    environ = {
        "HERMES_HOME": "x",
        "HERMES_PROFILE": "x",
        "HERMES_DEBUG": "1",
        "HERMES_TEST_MEMORY_POOL_SIZE": "x",
        "HERMES_DB_URL": "x",
        "HERMES_MODEL_KEY_OF_MINE": "key",
        "MEMORY_POOL_SIZE": "x",
    }
    key = load_config(paths, environ).model.api_key
    assert key is not None and key.get_secret_value() == "key"


def test_references_come_from_the_env_file_first(paths: ProfilePaths, write: Write) -> None:
    write('{"model": {"apiKey": "${K}", "baseUrl": "http://${HOST:-localhost}:${PORT}/v1"}}')
    paths.env_file.write_text("K=profile\nPORT=1")
    paths.env_file.chmod(0o600)
    model = load_config(paths, {"K": "shell", "PORT": "2"}).model
    assert model.api_key is not None and model.api_key.get_secret_value() == "profile"
    assert model.base_url == "http://localhost:1/v1"


def test_references_may_stand_for_numbers_and_be_escaped(paths: ProfilePaths, write: Write) -> None:
    write(
        '{"memory": {"poolSize": "${POOL}", "path": "$${x}"},'
        '"server": {"allowedOrigins": ["${O}"]}}'
    )
    config = load_config(paths, {"POOL": "7", "O": "https://a,b"})
    assert config.memory.pool_size == 7
    assert config.memory.path == "${x}"
    assert config.server.allowed_origins == ("https://a,b",)


def test_variables_that_are_not_set_are_all_named(paths: ProfilePaths, write: Write) -> None:
    write(
        '{\n"backups": {"path": "${AA}"},\n'
        '"server": {"port": "${BB}", "allowedOrigins": ["${CC}"]}}'
    )
    message = fails(paths)
    assert "3 mistakes" in message
    assert "config.json:2: backups.path uses ${AA}, which is not set" in message
    assert "config.json:3: server.port uses ${BB}" in message
    assert "server.allowedOrigins uses ${CC}" in message
    environ = {"HERMES_BACKUPS_PATH": "k", "BB": "80", "CC": "x"}
    assert load_config(paths, environ).server.port == 80


SECRETS = """{
"model": {"apiKey": "${AA}"}, "memory": {"backend": "postgres", "connectionString": "${BB}"},
"mcpServers": {"x": {"command": "x", "env": {"KEY": "${CC}"}}}
}"""


def test_a_secret_that_is_not_set_stops_only_who_asks_for_it(
    paths: ProfilePaths, write: Write
) -> None:
    write(SECRETS)
    loaded = load_settings(paths, {})
    config = loaded.config
    asked = (config.model.api_key, config.memory.connection_string)
    for secret, name in zip((*asked, config.mcp_servers["x"].env["KEY"]), "ABC", strict=True):
        assert secret is not None
        with pytest.raises(
            UserError, match=rf"config.json:[23]: .* uses \$\{{{name * 2}\}}"
        ) as told:
            secret.get_secret_value()
        assert ".env" in told.value.hint
    assert len(loaded.unset) == 3
    assert config == load_config(paths, {})
    assert show_value(loaded, ("model", "apiKey"), reveal=True) == "${AA}"


def test_settings_are_shown_whatever_is_not_set(paths: ProfilePaths, write: Write) -> None:
    write('{"memory": {"path": "${DIR}/m.db", "poolSize": "${POOL}"}}')
    loaded = load_settings(paths, {}, showing=True)
    assert show_value(loaded, ("memory", "path")) == "${DIR}/m.db"
    assert show_value(loaded, ("memory", "poolSize")) == 5
    assert [problem.message for problem in loaded.unset] == [
        "memory.path uses ${DIR}, which is not set",
        "memory.poolSize uses ${POOL}, which is not set",
    ]


def test_a_value_is_not_read_for_references_again(paths: ProfilePaths, write: Write) -> None:
    write('{"model": {"apiKey": "${A}"}}')
    key = load_config(paths, {"A": "${B} $${C}", "B": "no"}).model.api_key
    assert key is not None and key.get_secret_value() == "${B} $${C}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{\n "memory": {\n  "semantcTopK": 4 } }',
            "config.json:3: memory.semantcTopK is not a setting; "
            "did you mean memory.retrieval.semanticTopK?",
        ),
        ('{"memroy": {}}', "config.json:1: memroy is not a setting; did you mean memory?"),
        ('{"memory": {"pool_size": 5}}', "did you mean memory.poolSize?"),
        ('{"memory": {"BACKEND": "sqlite"}}', "did you mean memory.backend?"),
        ('{"memory": {"poolSize": "5"}}', "memory.poolSize must be a whole number, not '5'"),
        ('{"memory": {"poolSize": true}}', "memory.poolSize must be a whole number, not True"),
        ('{"memory": {"poolSize": 5.5}}', "memory.poolSize must be a whole number, not 5.5"),
        ('{"memory": {"poolSize": 0}}', "memory.poolSize must be greater than or equal to 1"),
        ('{"memory": {"walMode": 1}}', "memory.walMode must be true or false, not 1"),
        ('{"memory": 5}', "memory must be a section: { … }, not 5"),
        ('{"memory": {"path": []}}', "memory.path must be text in double quotes, not []"),
        ('{"server": {"allowedOrigins": "x"}}', "server.allowedOrigins must be a list"),
        (
            '{"memory": {"backend": "sqllite"}}',
            "memory.backend: 'sqllite' is not one of sqlite, postgres; did you mean 'sqlite'?",
        ),
        (
            '{"memory": {"sslMode": "requir"}}',
            "memory.sslMode: 'requir' is not one of disable, allow, prefer, require, verify-ca, "
            "verify-full; did you mean 'require'?",
        ),
        ('{"memory": {"backend": "postgres"}}', "needs 'connectionString'"),
        ('{"terminal": {"default": "gpu"}}', "'gpu' is not one of the backends: local"),
        ('{"terminal": {"backends": {"d": {}}}}', "terminal.backends.d.type is missing"),
        ('{"terminal": {"backends": {"d": {"type": "docker"}}}}', "needs 'image'"),
        ('{"gateways": {"telegrm": {}}}', "did you mean 'telegram'?"),
        (
            '{"gateways": {"slack": {"tokn": ""}}}',
            "gateways.slack.tokn is not a setting; did you mean gateways.slack.token?",
        ),
        ('{"mcpServers": {"x": {}}}', "mcpServers.x: set either 'command'"),
        ('{"server": {"tlsCert": "x"}}', "set together"),
    ],
)
def test_mistakes_name_key_place_and_neighbour(
    paths: ProfilePaths, write: Write, text: str, expected: str
) -> None:
    write(text)
    message = fails(paths)
    assert expected in message
    assert message.startswith(str(paths.config_file))


def test_all_mistakes_are_told_at_once(paths: ProfilePaths, write: Write) -> None:
    write('{"memory": {"poolSize": "x",\n "foo": 1,\n "walMode": 2}}')
    message = fails(paths, {"HERMES_SERVER_PORT": "high"}, nope__x="1")
    assert message.startswith("5 mistakes")
    for part in ("json:1:", "json:2:", "json:3:", "HERMES_SERVER_PORT: ", "--set: nope.x"):
        assert part in message


def test_a_wrong_secret_is_not_repeated(paths: ProfilePaths, write: Write) -> None:
    write(
        '{"model": {"apiKey": ["hunter2"]},'
        '"mcpServers": {"a": {"command": "x", "env": {"T": 7777}}}}'
    )
    message = fails(paths)
    assert "hunter2" not in message and "7777" not in message
    assert "model.apiKey must be text" in message


def test_secrets_are_covered_when_shown(paths: ProfilePaths, write: Write) -> None:
    write(
        '{"model": {"apiKey": "hunter2"}, "lightModel": {"apiKey": "${K}"},'
        '"gateways": {"slack": {"token": "hunter2"}}}'
    )
    loaded = load_settings(paths, {"K": "hunter2"})
    shown = json.dumps([show_value(loaded, s.path) for s in list_settings()])
    assert "hunter2" not in shown and "${K}" in shown
    assert show_value(loaded, ("lightModel", "apiKey"), reveal=True) == "hunter2"


def test_an_env_file_others_can_read_is_warned_of(
    paths: ProfilePaths, caplog: pytest.LogCaptureFixture
) -> None:
    paths.env_file.write_text("A=1")
    paths.env_file.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        load_config(paths, {})
    assert f"chmod 600 {paths.env_file}" in caplog.text
    caplog.clear()
    paths.env_file.chmod(0o600)
    load_config(paths, {})
    assert not caplog.text


def test_files_that_cannot_be_read_as_text(paths: ProfilePaths) -> None:
    paths.config_file.write_bytes(b'{\n"memory": "\xff"}')
    assert "config.json:2: this is not UTF-8" in fails(paths)
    paths.config_file.write_bytes(b" " * 8_000_001)
    assert "larger than" in fails(paths)
    paths.config_file.unlink()
    paths.config_file.mkdir()
    assert "is a folder" in fails(paths)


def test_a_linked_config_is_refused(paths: ProfilePaths) -> None:
    paths.config_file.symlink_to("/etc/hostname")
    with pytest.raises(Refused, match="symbolic link"):
        load_config(paths, {})


def test_bom_and_crlf_are_read(paths: ProfilePaths, write: Write) -> None:
    write('\ufeff{\r\n  "memory": { // x\r\n "poolSize": 9 }\r\n}\r\n')
    assert load_config(paths, {}).memory.pool_size == 9


def test_a_megabyte_of_servers_is_loaded(paths: ProfilePaths, write: Write) -> None:
    servers = {f"s{i}": {"command": "x", "args": ["y" * 60], "cwd": "/ü"} for i in range(8_000)}
    text = json.dumps({"mcpServers": servers}, ensure_ascii=False, indent=1)
    assert len(text) > 1_000_000
    write(text)
    assert len(load_config(paths, {}).mcp_servers) == 8_000


def test_config_is_frozen_and_snake_case_in_python() -> None:
    memory = MemorySettings(pool_size=9)
    with pytest.raises(ValidationError):
        memory.pool_size = 3


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4).map(tuple))
def test_any_wrong_key_has_a_neighbour_or_none(path: tuple[str, ...]) -> None:
    assert isinstance(find_nearest(path), str)


def test_a_variable_in_a_flag_is_filled_in(paths: ProfilePaths) -> None:
    config = load_config(paths, {"MINE": "sk-1234"}, {"model.apiKey": "${MINE}"})
    assert config.model.api_key is not None
    assert config.model.api_key.get_secret_value() == "sk-1234"
    assert variable_of(config.model.api_key) == "MINE"


def test_a_secret_knows_the_variable_it_came_from(paths: ProfilePaths, write: Write) -> None:
    write('{"model": {"apiKey": "${MINE}"}, "lightModel": {"apiKey": "plain"}}')
    config = load_config(paths, {"MINE": "sk-1234"})
    assert variable_of(config.model.api_key) == "MINE"
    assert variable_of(config.light_model.api_key) == ""
    unset = load_config(paths, {}).model.api_key
    assert unset is not None
    with pytest.raises(UserError, match=r"model\.apiKey uses \$\{MINE\}"):
        unset.get_secret_value()


def test_a_variable_that_a_flag_asks_for_is_named(paths: ProfilePaths) -> None:
    assert "--set: memory.path uses ${DIR}" in fails(paths, memory__path="${DIR}/x.db")
    with pytest.raises(UserError, match=r"^settings: memory\.pth is not a setting; did you mean"):
        load_config(paths, {}, Given({"memory.pth": "x"}))
