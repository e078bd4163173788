"""Backups by the real command line: made, listed, verified, restored, also from the key alone."""

import io
import json
import re
import shutil
import tarfile

import pyrage
import pytest

from conftest import Hermes
from hermes.config.files import locked
from hermes.config.paths import Home
from hermes.config.running import lock_file
from hermes.guard.crypto import render_recovery_key

SAID = '{"role": "user", "content": "The launch code name is Bluebird."}\n'


def _record(hermes: Hermes, home: Home, text: str = SAID, name: str = "talk") -> str:
    file = home.root.parent / f"{name}.jsonl"
    file.write_text(text)
    done = hermes("sessions", "import", str(file), "--session", name)
    assert done.code == 0, done.err
    return done.err


def _recovery_key(err: str) -> str:
    lines = re.findall(r"^  ([0-9A-Z-]{10,})$", err, re.M)
    return "".join(lines)


def _found(hermes: Hermes, word: str) -> bool:
    done = hermes("sessions", "search", word, "--json")
    return done.code == 0 and bool(json.loads(done.out)["hits"])


def test_a_backup_is_made_listed_and_verified(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    made = hermes("backup", "now", "--json")
    assert made.code == 0, made.err
    name = json.loads(made.out)["name"]
    listed = json.loads(hermes("backup", "list", "--json").out)
    assert [each["name"] for each in listed] == [name]
    checked = hermes("backup", "verify")
    assert checked.code == 0
    assert "sound" in checked.out


def test_a_restore_brings_back_what_was_there_and_can_be_undone(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    (home.root / "memories" / "MEMORY.md").write_text("- likes tea\n")
    hermes("backup", "now")
    _record(hermes, home, SAID.replace("Bluebird", "Kingfisher"), "later")
    (home.root / "memories" / "MEMORY.md").write_text("- likes coffee\n")
    done = hermes("backup", "restore", "--yes")
    assert done.code == 0, done.err
    assert _found(hermes, "Bluebird")
    assert not _found(hermes, "Kingfisher")
    assert (home.root / "memories" / "MEMORY.md").read_text() == "- likes tea\n"
    assert hermes("backup", "restore", "--undo", "--yes").code == 0
    assert _found(hermes, "Kingfisher")
    assert (home.root / "memories" / "MEMORY.md").read_text() == "- likes coffee\n"


def test_the_recovery_key_and_the_file_are_enough(
    hermes: Hermes, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = _recovery_key(_record(hermes, home))
    hermes("backup", "now")
    backup = next((home.root / "backups").glob("*.age"))
    kept = home.root.parent / backup.name
    shutil.move(backup, kept)
    shutil.rmtree(home.root)
    refused = hermes("backup", "restore", str(kept), "--yes")
    assert refused.code == 2
    assert "--recovery-key" in refused.err
    half = (len(key) + 1) // 2
    shown = io.StringIO(f"  {key[:half]}\n  {key[half:]}\nand more\n")  # on two lines, as printed
    monkeypatch.setattr("sys.stdin", shown)
    done = hermes("backup", "restore", str(kept), "--recovery-key", "-", "--yes")
    assert done.code == 0, done.err
    assert shown.read() == "and more\n"
    assert _found(hermes, "Bluebird")
    assert hermes("doctor").code == 0


def test_a_wrong_recovery_key_restores_nothing(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    hermes("backup", "now")
    other = "0000-" * 13 + "0000"
    assert hermes("backup", "restore", "--recovery-key", other, "--yes").code == 2
    assert _found(hermes, "Bluebird")


def test_a_damaged_backup_is_refused_and_nothing_changes(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    sound = json.loads(hermes("backup", "now", "--json").out)["name"]
    damaged = json.loads(hermes("backup", "now", "--json").out)["name"]
    backup = home.root / "backups" / damaged
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 1
    backup.write_bytes(content)
    checked = hermes("backup", "verify")
    assert checked.code == 1
    assert checked.out.count(damaged) == 1
    assert checked.err == "`hermes backup verify --all` tells which can be trusted\n"
    checked = hermes("backup", "verify", "--all")
    assert checked.err == f"the newest sound one: `hermes backup restore {sound}`\n"
    done = hermes("backup", "restore", "--yes")
    assert done.code == 1
    assert "damaged" in done.err
    assert _found(hermes, "Bluebird")


def test_nothing_secret_lies_in_a_backup(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    (home.root / ".env").write_text("TOKEN=very-secret\n")
    made = json.loads(hermes("backup", "now", "--json").out)
    content = (home.root / "backups" / made["name"]).read_bytes()
    assert content.startswith(b"age-encryption.org/v1")
    assert b"very-secret" not in content
    assert b"Bluebird" not in content


def test_restoring_while_the_store_is_open_elsewhere_is_refused(hermes: Hermes, home: Home) -> None:
    from hermes.app import open_app

    _record(hermes, home)
    hermes("backup", "now")
    with open_app(home.profile("default"), {}) as other:
        other.store.status()
        done = hermes("backup", "restore", "--yes")
    assert done.code == 1
    assert "in use" in done.err
    assert _found(hermes, "Bluebird")


def test_a_key_of_another_memory_is_not_put_in_place(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    hermes("backup", "now")
    backup = next((home.root / "backups").glob("*.age"))
    kept = home.root.parent / backup.name
    shutil.move(backup, kept)
    shutil.rmtree(home.root)
    other = render_recovery_key(bytes(range(32)))
    done = hermes("backup", "restore", str(kept), "--recovery-key", other, "--yes")
    assert done.code == 1
    assert not list((home.root / "keys").iterdir())
    assert not (home.root / "memory.db").exists()


def test_a_swap_that_was_cut_short_is_finished(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    (home.root / "memories" / "MEMORY.md").write_text("- likes tea\n")
    hermes("backup", "now")
    (home.root / "memories" / "MEMORY.md").write_text("- likes coffee\n")
    hermes("backup", "restore", "--yes")
    aside = next((home.root / "replaced").iterdir())
    # as if the power had gone after the notes were moved aside, before the restored ones came
    shutil.move(home.root / "memories", home.root / "run" / "restored")
    moves = {
        "out": [[str(home.root / "memories"), str(aside / "memories")]],
        "in": [[str(home.root / "run" / "restored"), str(home.root / "memories")]],
        "scratch": str(home.root / "run" / "none"),
    }
    (home.root / "run" / "swap.json").write_text(json.dumps(moves))
    assert hermes("status").code == 0
    assert (home.root / "memories" / "MEMORY.md").read_text() == "- likes tea\n"
    assert (aside / "memories" / "MEMORY.md").read_text() == "- likes coffee\n"
    assert not (home.root / "run" / "swap.json").exists()


def test_other_keys_may_open_the_envelope(hermes: Hermes, home: Home) -> None:
    mine = pyrage.x25519.Identity.generate()
    _record(hermes, home)
    given = f'backups.recipients=["{mine.to_public()}"]'
    made = hermes("--set", given, "backup", "now", "--json")
    assert made.code == 0, made.err
    content = (home.root / "backups" / json.loads(made.out)["name"]).read_bytes()
    inside = pyrage.decrypt(content, [mine])
    with tarfile.open(fileobj=io.BytesIO(inside)) as tar:
        assert tar.getnames()[:2] == ["manifest.json", "memory.db"]
    assert b"Bluebird" not in inside


def test_a_memory_without_encryption_can_be_backed_up(hermes: Hermes, home: Home) -> None:
    hermes("config", "set", "memory.encryption", "off")
    _record(hermes, home)
    assert hermes("backup", "now").code == 0
    _record(hermes, home, SAID.replace("Bluebird", "Kingfisher"), "later")
    done = hermes("backup", "restore", "--yes")
    assert done.code == 0, done.err
    assert _found(hermes, "Bluebird")
    assert not _found(hermes, "Kingfisher")


def test_restoring_while_a_daemon_runs_is_refused(hermes: Hermes, home: Home) -> None:
    _record(hermes, home)
    hermes("backup", "now")
    with locked(lock_file(home.profile("default"))):
        done = hermes("backup", "restore", "--yes")
    assert done.code == 1
    assert "hermes stop" in done.err
