"""One key per database: made once however many ask, never replaced, clear when it is gone."""

import multiprocessing
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.errors import Conflict, Corrupt, Refused, Unavailable, UserError
from hermes.guard.crypto import (
    DatabaseKey,
    Encryption,
    KeyRequest,
    open_key,
    render_recovery_key,
    restore_key,
)
from hermes.guard.keyfile import _write_once, create_once


class DictKeyring:
    """A keyring in memory, with the three calls of the real one."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str, /) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str, /) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str, /) -> None:
        del self.entries[service, username]


class LosingKeyring(DictKeyring):
    """Another process names its own entry between our storing a key and our naming it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def set_password(self, service: str, username: str, password: str, /) -> None:
        super().set_password(service, username, password)
        if create_once(self._path, b"theirs\n"):
            super().set_password(service, "theirs", "ab" * 32)


def requested(home: Path, mode: Encryption = Encryption.KEYFILE) -> KeyRequest:
    return KeyRequest(mode, home / "keys", has_database=False)


def opened(request: KeyRequest) -> DatabaseKey:
    key = open_key(request)
    assert key is not None
    return key


def test_off_has_no_key_and_leaves_no_file(tmp_path: Path) -> None:
    assert open_key(requested(tmp_path, Encryption.OFF)) is None
    assert not list(tmp_path.iterdir())


def test_key_file_is_made_once_and_found_again(tmp_path: Path) -> None:
    first, second = opened(requested(tmp_path)), opened(requested(tmp_path))
    assert first.created and not second.created
    assert first.secret == second.secret
    assert len(first.secret) == 32


def test_key_file_and_its_directory_are_private_and_nothing_else_is_left(tmp_path: Path) -> None:
    opened(requested(tmp_path))
    path = tmp_path / "keys" / "database.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_two_homes_have_two_keys(tmp_path: Path) -> None:
    assert opened(requested(tmp_path / "a")).secret != opened(requested(tmp_path / "b")).secret


def _race(
    home: Path, barrier: object, answers: "multiprocessing.Queue[tuple[bytes, bool]]"
) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    key = opened(requested(home))
    answers.put((key.secret, key.created))


def test_racing_processes_make_one_key(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("fork")
    for attempt in range(5):
        barrier, answers = spawn.Barrier(4), spawn.Queue()
        home = tmp_path / str(attempt)
        racers = [spawn.Process(target=_race, args=(home, barrier, answers)) for _ in range(4)]
        for racer in racers:
            racer.start()
        got = [answers.get(timeout=30) for _ in racers]
        for racer in racers:
            racer.join()
        assert len({secret for secret, _ in got}) == 1
        assert sum(created for _, created in got) == 1


def test_without_hard_links_the_first_writer_wins_as_well(tmp_path: Path) -> None:
    path = tmp_path / "database.key"
    assert _write_once(path, b"first")
    assert not _write_once(path, b"second")
    assert path.read_bytes() == b"first"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [Encryption.KEYFILE, Encryption.PASSPHRASE, Encryption.KEYRING])
def test_a_database_without_its_key_is_an_error_and_makes_no_new_key(
    tmp_path: Path, mode: Encryption
) -> None:
    ring = DictKeyring()
    request = replace(requested(tmp_path, mode), has_database=True, passphrase="x", keyring=ring)
    with pytest.raises(Unavailable, match="missing") as caught:
        open_key(request)
    assert "recovery key" in caught.value.hint
    assert not list(tmp_path.rglob("*")) and not ring.entries


def test_a_key_file_of_the_wrong_length_is_corrupt(tmp_path: Path) -> None:
    create_once(tmp_path / "keys" / "database.key", b"short")
    with pytest.raises(Corrupt, match="5 bytes instead of 32"):
        open_key(requested(tmp_path))


def test_a_key_file_others_can_read_is_refused_with_the_command_that_mends_it(
    tmp_path: Path,
) -> None:
    opened(requested(tmp_path))
    path = tmp_path / "keys" / "database.key"
    path.chmod(0o644)
    with pytest.raises(Refused, match="0644") as caught:
        open_key(requested(tmp_path))
    assert caught.value.hint == f"Run: chmod 600 {path}"


def test_a_link_in_the_home_is_refused_but_a_chosen_path_may_be_one(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere"
    create_once(real, bytes(range(32)))
    (tmp_path / "keys").mkdir()
    link = tmp_path / "keys" / "database.key"
    link.symlink_to(real)
    with pytest.raises(Refused, match="symbolic link"):
        open_key(requested(tmp_path))
    assert opened(replace(requested(tmp_path), key_path=link)).secret == bytes(range(32))


def test_a_chosen_path_is_used_instead_of_the_home(tmp_path: Path) -> None:
    request = replace(requested(tmp_path), key_path=tmp_path / "usb" / "my.key")
    assert opened(request).created
    assert (tmp_path / "usb" / "my.key").exists()
    assert not (tmp_path / "keys").exists()


def test_a_directory_in_the_place_of_the_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "database.key").mkdir()
    with pytest.raises(Refused, match="not a plain file"):
        open_key(requested(tmp_path))


def test_a_lost_key_comes_back_from_its_recovery_key(tmp_path: Path) -> None:
    key = opened(requested(tmp_path))
    written = render_recovery_key(key.secret)
    (tmp_path / "keys" / "database.key").unlink()
    restored = restore_key(requested(tmp_path), written)
    assert restored == DatabaseKey(key.secret)
    assert opened(replace(requested(tmp_path), has_database=True)).secret == key.secret


def test_restoring_twice_is_fine_and_restoring_another_key_is_not(tmp_path: Path) -> None:
    key = opened(requested(tmp_path))
    restore_key(requested(tmp_path), render_recovery_key(key.secret))
    with pytest.raises(Conflict, match="different key"):
        restore_key(requested(tmp_path), render_recovery_key(bytes(32)))
    assert opened(requested(tmp_path)).secret == key.secret


def test_a_passphrase_gives_the_same_key_again_in_any_composition(tmp_path: Path) -> None:
    request = requested(tmp_path, Encryption.PASSPHRASE)
    first = opened(replace(request, passphrase="caf\u00e9 au lait"))
    again = opened(replace(request, passphrase="cafe\u0301 au lait", has_database=True))
    assert first.created and not again.created
    assert first.secret == again.secret


def test_a_wrong_passphrase_is_refused(tmp_path: Path) -> None:
    request = requested(tmp_path, Encryption.PASSPHRASE)
    opened(replace(request, passphrase="right"))
    with pytest.raises(Refused, match="not right"):
        open_key(replace(request, passphrase="wrong"))


def test_no_passphrase_says_how_to_give_one(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        open_key(requested(tmp_path, Encryption.PASSPHRASE))
    assert "HERMES_PASSPHRASE" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"n": 3, "r": 8, "p": 1}'])
def test_a_damaged_passphrase_file_is_corrupt(tmp_path: Path, content: bytes) -> None:
    create_once(tmp_path / "keys" / "passphrase.json", content)
    with pytest.raises(Corrupt, match="damaged"):
        open_key(replace(requested(tmp_path, Encryption.PASSPHRASE), passphrase="x"))


def test_the_keyring_keeps_the_key_and_the_home_only_its_name(tmp_path: Path) -> None:
    request = replace(requested(tmp_path, Encryption.KEYRING), keyring=DictKeyring())
    first, again = opened(request), opened(replace(request, has_database=True))
    assert first.created and not again.created
    assert first.secret == again.secret
    kept = b"".join(path.read_bytes() for path in (tmp_path / "keys").iterdir())
    assert first.secret not in kept and first.secret.hex().encode() not in kept


def test_the_loser_of_a_race_for_the_keyring_takes_the_winners_key(tmp_path: Path) -> None:
    ring = LosingKeyring(tmp_path / "keys" / "keyring.id")
    key = opened(replace(requested(tmp_path, Encryption.KEYRING), keyring=ring))
    assert key == DatabaseKey(bytes.fromhex("ab" * 32))
    assert [name for _, name in ring.entries] == ["theirs"]


def test_an_emptied_keyring_is_named(tmp_path: Path) -> None:
    request = requested(tmp_path, Encryption.KEYRING)
    opened(replace(request, keyring=DictKeyring()))
    with pytest.raises(Unavailable, match="no entry"):
        open_key(replace(request, keyring=DictKeyring()))


def test_a_secret_is_not_shown(tmp_path: Path) -> None:
    request = replace(requested(tmp_path), passphrase="hunter2")
    assert "hunter2" not in repr(request)
    assert opened(request).secret.hex() not in repr(opened(request))
    assert repr(opened(request)) == "DatabaseKey(created=False)"
