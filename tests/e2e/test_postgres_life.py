"""A profile on PostgreSQL by the real command line: moved there, used, backed up, moved back."""

from pathlib import Path

import pytest
from real_program import Program, message

from postgres_server import as_url, new_database

SAID = message("user", "My name is Mara. We moved off Kafka to NATS in May.")


@pytest.fixture
def moved(tmp_path: Path) -> tuple[Program, str]:
    """A memory that was begun in SQLite and copied to PostgreSQL, which is in use now."""
    address = as_url(new_database(empty=True))
    hermes = Program(tmp_path / "home")
    file = tmp_path / "talk.jsonl"
    file.write_text(SAID)
    hermes.ok("sessions", "import", file)
    hermes.ok("memory", "fact", "add", "The staging port is 8081")
    told = hermes.ok("db", "copy", "sqlite:", address)
    assert "both stores hold the same" in told
    assert f"{hermes.home / 'memory.db'} keeps everything, also what you erase" in told
    assert f"\n  rm {hermes.home / 'memory.db'}" in told
    (hermes.home / ".env").write_text(f"HERMES_DB_URL={address}\n")
    (hermes.home / ".env").chmod(0o600)
    move_store(hermes.home, tmp_path)
    hermes.ok("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    hermes.ok("config", "set", "memory.backend", "postgres")
    return hermes, address


def move_store(place: Path, to: Path) -> None:
    """The file of a SQLite store, with what lies beside it."""
    for part in place.glob("memory.db*"):
        part.rename(to / part.name)


def facts(hermes: Program) -> set[str]:
    return {fact["text"] for fact in hermes.json("memory", "facts", "list")}


def test_everything_is_there_and_status_says_where(moved: tuple[Program, str]) -> None:
    hermes, _ = moved
    assert "postgres" in hermes.ok("status")
    assert "hermes_test:" not in hermes.ok("status")  # the password is shown nowhere
    assert hermes.json("db", "status")["backend"] == "postgres"
    assert hermes.json("sessions", "search", "kafka")["hits"]
    assert "The staging port is 8081" in facts(hermes)
    assert not (hermes.home / "memory.db").exists()


def test_a_backup_is_verified_restored_and_taken_back(moved: tuple[Program, str]) -> None:
    hermes, _ = moved
    name = hermes.json("backup", "now")["name"]
    assert "sound" in hermes.ok("backup", "verify", name)
    hermes.ok("memory", "fact", "add", "The canary port is 9999")
    hermes.ok("backup", "restore", name, "--yes")
    assert facts(hermes) == {"The staging port is 8081"}
    hermes.ok("backup", "restore", "--undo", "--yes")
    assert facts(hermes) == {"The staging port is 8081", "The canary port is 9999"}
    assert "all as they were written" in hermes.ok("log", "verify")


def test_a_restore_leaves_the_file_that_was_copied_from(
    moved: tuple[Program, str], tmp_path: Path
) -> None:
    hermes, _ = moved
    move_store(tmp_path, hermes.home)
    before = (hermes.home / "memory.db").read_bytes()
    name = hermes.json("backup", "now")["name"]
    hermes.ok("memory", "fact", "add", "The canary port is 9999")
    for argv in ((name,), ("--undo",)):
        hermes.ok("backup", "restore", *argv, "--yes")
        assert (hermes.home / "memory.db").read_bytes() == before
        assert not list(hermes.home.glob(".restoring*"))
    assert facts(hermes) == {"The staging port is 8081", "The canary port is 9999"}


def test_a_proof_searches_the_server_and_the_file_that_was_copied_from(
    moved: tuple[Program, str], tmp_path: Path
) -> None:
    hermes, _ = moved
    move_store(tmp_path, hermes.home)
    told = hermes.run("memory", "erase", "--matching", "Kafka", "--prove", "--yes")
    assert told.returncode == 1
    assert "is clear of it; still found in\n  memory.db, which is not in use: " in told.stdout
    assert "  read: postgres, postgres" in told.stdout
    assert "write-ahead log" not in told.stdout
    (hermes.home / "memory.db").write_bytes(b"sealed by another key " * 400)
    told = hermes.run("memory", "erase", "--matching", "Kafka", "--prove", "--yes")
    assert told.returncode == 0, told.stdout + told.stderr
    assert "not searched: memory.db: " in told.stdout
    assert "cannot be read with this key" in told.stdout


def test_back_to_sqlite(moved: tuple[Program, str], tmp_path: Path) -> None:
    hermes, address = moved
    hermes.ok("memory", "fact", "add", "The canary port is 9999")
    hermes.ok("db", "copy", address, "sqlite:")
    hermes.ok("config", "set", "memory.backend", "sqlite")
    assert "The canary port is 9999" in facts(hermes)


def test_another_machine_needs_the_key_of_the_first(
    moved: tuple[Program, str], tmp_path: Path
) -> None:
    hermes, address = moved
    other = Program(tmp_path / "other", {"HERMES_DB_URL": address})
    other.ok("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    other.ok("config", "set", "memory.backend", "postgres")
    refused = other.run("status")
    assert refused.returncode == 1
    assert "another key" in refused.stderr
    assert not (other.home / "keys" / "database.key").exists()  # it would be in the way
    (other.home / "keys" / "database.key").write_bytes(
        (hermes.home / "keys" / "database.key").read_bytes()
    )
    (other.home / "keys" / "database.key").chmod(0o600)
    assert "The staging port is 8081" in facts(other)


def test_a_database_without_tables_says_what_to_do(tmp_path: Path) -> None:
    hermes = Program(tmp_path / "home", {"HERMES_DB_URL": as_url(new_database(empty=True))})
    hermes.ok("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    hermes.ok("config", "set", "memory.backend", "postgres")
    failed = hermes.run("status")
    assert failed.returncode == 1
    assert "hermes db migrate" in failed.stderr
    hermes.ok("db", "migrate")
    hermes.ok("status")


def test_an_address_that_leads_nowhere_leaves_no_key_and_one_message(tmp_path: Path) -> None:
    nowhere = f"postgres://hermes@/hermes?host={tmp_path}"
    hermes = Program(tmp_path / "home", {"HERMES_DB_URL": nowhere})
    hermes.ok("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    hermes.ok("config", "set", "memory.backend", "postgres")
    failed = hermes.run("status")
    assert failed.returncode == 1
    assert "cannot be reached" in failed.stderr
    assert len(failed.stderr.splitlines()) == 2  # the error and its hint
    assert not list((hermes.home / "keys").glob("*"))


def test_a_mistyped_source_makes_nothing(tmp_path: Path) -> None:
    hermes = Program(tmp_path / "home")
    hermes.ok("memory", "fact", "add", "The staging port is 8081")
    missing = tmp_path / "nowhere" / "memory.db"
    failed = hermes.run("db", "copy", f"sqlite:{missing}", f"sqlite:{tmp_path / 'new.db'}")
    assert failed.returncode == 1
    assert "There is no memory at" in failed.stderr
    assert not missing.parent.exists()
    same = hermes.run("db", "copy", "sqlite:", "sqlite:")
    assert "onto itself" in same.stderr
