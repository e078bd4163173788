"""`hermes profile`, and `-p` for every command."""

import json
from pathlib import Path

from conftest import Hermes
from hermes.config.paths import Home


def test_create_use_show_delete_restore(hermes: Hermes, home: Home) -> None:
    assert hermes("profile", "create", "work").code == 0
    hermes("-p", "work", "config", "set", "memory.poolSize", "9")
    assert (home.root / "profiles" / "work" / "config.json").exists()
    assert not (home.root / "config.json").exists()
    hermes("profile", "use", "work")
    assert hermes("config", "get", "memory.poolSize").out == "9\n"
    assert hermes("config", "get", "memory.poolSize", HERMES_PROFILE="default").out == "5\n"
    assert hermes("-p", "default", "config", "get", "memory.poolSize").out == "5\n"
    shown = json.loads(hermes("profile", "show", "--json").out)
    assert (shown["name"], shown["active"]) == ("work", True)
    assert hermes("profile", "delete", "work", "--yes").code == 2
    hermes("profile", "use", "default")
    assert hermes("profile", "delete", "work", "--yes").code == 0
    assert "work@" in hermes("profile", "list", "--deleted").out
    assert hermes("profile", "restore", "work").code == 0
    assert hermes("-p", "work", "config", "get", "memory.poolSize").out == "9\n"


def test_list(hermes: Hermes) -> None:
    hermes("profile", "create", "work", "--use")
    assert "*\twork\t" in hermes("profile", "list").out
    rows = json.loads(hermes("profile", "list", "--json").out)
    assert [(row["name"], row["active"]) for row in rows] == [("default", False), ("work", True)]
    assert json.loads(hermes("profile", "list", "--deleted", "--json").out) == []


def test_deleting_asks_first(hermes: Hermes, home: Home) -> None:
    hermes("profile", "create", "work")
    outcome = hermes("profile", "delete", "work")
    assert outcome.code == 2 and "--yes" in outcome.err
    assert (home.root / "profiles" / "work").is_dir()


def test_a_profile_that_is_not_there(hermes: Hermes, home: Home) -> None:
    for argv in (("-p", "nope", "config", "list"), ("profile", "use", "nope")):
        outcome = hermes(*argv)
        assert outcome.code == 1
        assert "there is no profile 'nope'" in outcome.err
    assert not home.root.exists()


def test_names_that_lead_elsewhere(hermes: Hermes, home: Home) -> None:
    for name in ("../x", "A", "", "a/b"):
        assert hermes("profile", "create", name).code == 2
    assert hermes("-p", "../x", "config", "list").code == 2
    assert not home.root.exists()


def test_a_broken_pointer_can_be_mended(hermes: Hermes, home: Home) -> None:
    home.root.mkdir()
    (home.root / "active-profile").write_text("gone")
    assert hermes("config", "list").code == 1
    assert hermes("profile", "use", "default").code == 0
    assert hermes("config", "list").code == 0


def test_home_option(hermes: Hermes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    hermes("--home", str(other), "profile", "create", "work")
    assert (other / "profiles" / "work").is_dir()
