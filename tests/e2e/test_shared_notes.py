"""Two homes of one profile on one PostgreSQL: each has the notes of both, and an erasure reaches
both. Everything is done by the real program.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_program import Program

from postgres_server import as_url, new_database

WAIT_S = 20.0
LIMIT = 200


def page(hermes: Program, name: str = "MEMORY.md") -> str:
    file = hermes.home / "memories" / name
    return file.read_text() if file.exists() else ""


def edit(hermes: Program, text: str, name: str = "MEMORY.md") -> None:
    (hermes.home / "memories" / name).write_text(text)


def notes(hermes: Program) -> list[str]:
    return [note["text"] for note in hermes.json("memory", "notes", "show")["notes"]]


def until(is_so: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < give_up_s
        time.sleep(0.05)


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[tuple[Program, Program]]:
    environ = {"HERMES_DB_URL": as_url(new_database())}
    one, two = (Program(tmp_path / name, environ) for name in ("one", "two"))
    for hermes in (one, two):
        hermes.home.mkdir(mode=0o700)
        named = {"backend": "postgres", "connectionString": "${HERMES_DB_URL}"}
        settings = {"memory": {**named, "memoryCharLimit": LIMIT}}
        (hermes.home / "config.json").write_text(json.dumps(settings))
    one.ok("status")
    shutil.copytree(one.home / "keys", two.home / "keys")
    yield one, two


def test_what_one_home_notes_the_other_has(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "Deploys go through Fly.")
    two.ok("memory", "notes", "add", "The staging port is 8081.")
    assert notes(two) == ["Deploys go through Fly.", "The staging port is 8081."]
    one.ok("status")  # any command that opens the memory
    assert page(one) == page(two) == "- Deploys go through Fly.\n- The staging port is 8081.\n"
    two.ok("memory", "notes", "remove", "Fly")
    assert notes(one) == ["The staging port is 8081."]


def test_edits_by_hand_in_both_homes_are_both_taken_in(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "Deploys go through Fly.")
    two.ok("status")
    edit(one, "# Ours\n\n- Deploys go through Fly.\n- Written in one.\n")
    edit(two, "- Deploys go through Render.\n")
    for hermes in (one, two, one):
        hermes.ok("status")
    assert page(one) == page(two)
    assert page(one).startswith("# Ours")
    assert set(notes(one)) == {"Deploys go through Render.", "Written in one."}


def test_a_page_that_cannot_be_read_keeps_nobody_from_the_rest(
    homes: tuple[Program, Program],
) -> None:
    one, _ = homes
    (one.home / "memories" / "MEMORY.md").write_bytes(b"- caf\xe9\n")
    one.ok("status")
    for command in (("doctor",), ("memory", "notes", "show")):
        failed = one.run(*command)
        assert failed.returncode == 1
        assert "not UTF-8" in failed.stdout + failed.stderr
    assert (one.home / "memories" / "MEMORY.md").read_bytes() == b"- caf\xe9\n"


def test_the_cap_holds_over_all_homes(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "A note of one. " * 9)
    full = two.ok("memory", "notes", "add", "A note of two. " * 9)
    assert "fact" in full  # it is kept, elsewhere
    assert "two" not in str(notes(two))


def test_a_new_home_brings_its_own_notes_along(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "Known to all.")
    (two.home / "memories").mkdir(mode=0o700)
    edit(two, "- Known to two.\n")
    two.ok("status")
    assert notes(two) == ["Known to all.", "Known to two."] == notes(one)


def test_an_erasure_reaches_the_other_home_and_the_proof_names_it(
    homes: tuple[Program, Program],
) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "The codename is Bluefinch.")
    two.ok("memory", "fact", "add", "My dog is called Bluefinch")
    two.ok("user", "sync")
    edit(two, page(two) + "- Bluefinch barks, says two.\n")
    told = one.json("memory", "erase", "--matching", "Bluefinch", "--yes", "--prove")
    assert told["proof"]["found"] == []
    assert "memories/MEMORY.md" in told["files"]
    (name,) = [name for name in told["proof"]["not_searched"] if name.startswith("the home")]
    assert str(two.home) in name
    assert "may still hold it" in told["proof"]["not_searched"][name]
    assert "Bluefinch" in page(two)
    assert "hermes db forget-home" in one.ok("doctor")
    two.ok("status")
    assert not [f for f in two.home.rglob("*") if f.is_file() and b"Bluefinch" in f.read_bytes()]
    assert "Bluefinch" not in page(one) + page(one, "USER.md")


@pytest.mark.slow
def test_a_daemon_follows_by_itself(homes: tuple[Program, Program]) -> None:
    one, two = homes
    two.ok("start")
    one.ok("memory", "notes", "add", "Heard of at once.")
    try:
        until(lambda: "Heard of at once." in page(two))
        edit(two, page(two) + "- Written beside the daemon.\n")
        until(lambda: "Written beside the daemon." in str(notes(one)))
        name = one.json("backup", "now")["name"]
        refused = one.run("backup", "restore", name, "--yes")
        assert refused.returncode == 1
        assert f"{two.home.parent.name}/two" in refused.stderr
    finally:
        two.ok("stop")


@pytest.mark.slow
def test_an_erasure_reaches_the_log_of_a_daemon_that_runs(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "The codename is Bluefinch.")
    two.ok("start")
    try:
        until(lambda: "Bluefinch" in page(two))
        log = next((two.home / "logs").glob("*.log"))
        with log.open("a") as stream:
            stream.write("a line that says Bluefinch\n")
        one.ok("memory", "erase", "--matching", "Bluefinch", "--yes")
        until(lambda: "Bluefinch" not in page(two) + log.read_text())
        assert "[erased]" in log.read_text()
    finally:
        two.ok("stop")


@pytest.mark.slow
def test_a_restore_brings_the_notes_back_in_every_home(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "From before.")
    name = one.json("backup", "now")["name"]
    two.ok("memory", "notes", "add", "From after.")
    two.ok("memory", "notes", "remove", "before")
    one.ok("backup", "restore", name, "--yes")
    assert notes(one) == ["From before."] == notes(two)
    one.ok("backup", "restore", "--undo", "--yes")
    assert notes(two) == ["From after."] == notes(one)


def test_what_another_home_erased_stays_out_of_a_restore(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "fact", "add", "The vault code is Zanzibarflower")
    name = one.json("backup", "now")["name"]
    two.ok("memory", "erase", "--matching", "Zanzibarflower", "--yes")
    one.ok("backup", "restore", name, "--yes")
    assert "Zanzibarflower" not in one.ok("memory", "facts", "list")


def test_what_only_notes_held_stays_out_of_a_restore(homes: tuple[Program, Program]) -> None:
    one, two = homes
    one.ok("memory", "notes", "add", "The gate opens with Gnomeplover.")
    name = one.json("backup", "now")["name"]
    one.ok("memory", "erase", "--matching", "Gnomeplover", "--yes")
    one.ok("backup", "restore", name, "--yes")
    assert "Gnomeplover" not in page(one)
    assert notes(two) == []
