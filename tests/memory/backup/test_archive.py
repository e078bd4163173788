"""The envelope: whatever is changed in it, anywhere, is noticed; what is not, comes back whole."""

import hashlib
import secrets
from pathlib import Path

import pyrage
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import Corrupt, HermesError, UserError
from hermes.memory.backup.archive import pack, parse_recipient, unpack
from hermes.memory.backup.identity import backup_identity
from hermes.memory.backup.manifest import Entry, Manifest, describe_file

SECRET = bytes(range(32))


def _content(folder: Path) -> Manifest:
    (folder / "memories").mkdir(parents=True)
    (folder / "memory.db").write_bytes(bytes(range(256)) * 300)
    (folder / "memories" / "MEMORY.md").write_text("- likes tea\n")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    entries = tuple(describe_file(folder, file) for file in files)
    return Manifest("1", "default", 1_767_603_600_000, 6, 1, {"messages": 1}, entries)


def _packed(folder: Path) -> tuple[Path, Manifest]:
    manifest = _content(folder / "content")
    own = str(pyrage.x25519.Identity.from_str(backup_identity(SECRET)).to_public())
    file = folder / "one.age"
    pack(folder / "content", manifest, file, [own])
    return file, manifest


def test_what_is_packed_comes_back(tmp_path: Path) -> None:
    file, manifest = _packed(tmp_path)
    assert unpack(file, backup_identity(SECRET), tmp_path / "out") == manifest
    for entry in manifest.entries:
        content = (tmp_path / "out" / entry.name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry.sha256


@pytest.mark.slow
def test_a_flipped_bit_anywhere_is_noticed(tmp_path: Path) -> None:
    file, _ = _packed(tmp_path)
    content = file.read_bytes()
    head = content.index(b"---") + 60  # every byte of the head, then all through the rest
    places = [
        *range(head),
        *range(head, len(content), 997),
        *range(len(content) - 40, len(content)),
    ]
    for n, place in enumerate(places):
        damaged = bytearray(content)
        damaged[place] ^= 1 << (n % 8)
        file.write_bytes(damaged)
        with pytest.raises(Corrupt):
            unpack(file, backup_identity(SECRET), tmp_path / f"out{n}")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_cut_off_backup_is_noticed(tmp_path: Path, share: float) -> None:
    file, _ = _packed(tmp_path)
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(Corrupt):
        unpack(file, backup_identity(SECRET), tmp_path / "out")


def test_what_is_added_at_the_end_is_noticed(tmp_path: Path) -> None:
    file, _ = _packed(tmp_path)
    file.write_bytes(file.read_bytes() + b"more")
    with pytest.raises(Corrupt):
        unpack(file, backup_identity(SECRET), tmp_path / "out")


def test_another_key_opens_nothing(tmp_path: Path) -> None:
    file, _ = _packed(tmp_path)
    with pytest.raises(Corrupt, match="another key"):
        unpack(file, backup_identity(secrets.token_bytes(32)), tmp_path / "out")


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil"])
def test_no_file_leaves_the_folder(tmp_path: Path, name: str) -> None:
    content = tmp_path / "content"
    content.mkdir()
    evil = content / "evil"
    evil.write_text("x")
    entry = Entry(name, 1, hashlib.sha256(b"x").hexdigest())
    manifest = Manifest("1", "default", 0, 1, 1, {}, (entry,))
    target = content / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        target.write_text("x")
    own = str(pyrage.x25519.Identity.from_str(backup_identity(SECRET)).to_public())
    file = tmp_path / "one.age"
    pack(content, manifest, file, [own])
    with pytest.raises(HermesError):
        unpack(file, backup_identity(SECRET), tmp_path / "deep" / "out")
    assert not (tmp_path / "deep" / "evil").exists()


@given(st.binary(min_size=32, max_size=32))
def test_every_secret_gives_an_identity_that_age_reads(secret: bytes) -> None:
    identity = pyrage.x25519.Identity.from_str(backup_identity(secret))
    assert str(identity) == backup_identity(secret)


def test_identities_are_as_other_implementations_write_them() -> None:
    made = pyrage.x25519.Identity.generate()
    assert str(made).startswith("AGE-SECRET-KEY-1")
    assert len(backup_identity(SECRET)) == len(str(made))


def test_a_recipient_that_is_no_key_is_named() -> None:
    with pytest.raises(UserError, match="recipients"):
        parse_recipient("age1nonsense")
