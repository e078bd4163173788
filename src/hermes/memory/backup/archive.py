"""One encrypted file from many and back: a tar stream inside an age envelope.

Both are plain formats: `age -d -i KEY backup.tar.age | tar x` opens a backup without Hermes. The
stream goes through a pipe, so that nothing lies on disk unencrypted that did not before.
"""

import hashlib
import io
import os
import tarfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

import pyrage

from hermes.config.files import inside, make_private_dir
from hermes.errors import Corrupt, UserError
from hermes.memory.backup.manifest import (
    MAX_BYTES,
    NAME,
    Entry,
    Manifest,
    parse_manifest,
    render_manifest,
)

_CHUNK = 1 << 20
_FLUSH_BYTES = 8 << 20
_DAMAGED = "Use another backup; `hermes backup verify --all` tells which can be trusted."


def pack(root: Path, manifest: Manifest, target: Path, recipients: Sequence[str]) -> None:
    """Encrypt the files of a manifest, which lie below `root`, into a new file."""
    keys = [parse_recipient(text) for text in recipients]
    with _new_file(target) as sink, _fed(lambda pipe: _write_tar(root, manifest, pipe)) as source:
        try:
            pyrage.encrypt_io(source, sink, keys)
        except pyrage.EncryptError as error:
            what = f"The backup cannot be encrypted: {error}."
            raise UserError(what, "See backups.recipients.") from error


def unpack(file: Path, identity: str, target: Path) -> Manifest:
    """Decrypt a backup into an empty folder; Corrupt at the first thing that is not as it was."""
    key = pyrage.x25519.Identity.from_str(identity)
    make_private_dir(target)

    def decrypt(pipe: IO[bytes]) -> None:
        try:
            with file.open("rb") as source:
                pyrage.decrypt_io(source, pipe, [key])
        except pyrage.DecryptError as error:
            raise _unreadable(file, error) from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise _unreadable(file, error) from error  # a chunk whose tag does not hold

    try:
        with _fed(decrypt) as stream:
            return _read_tar(stream, target)
    except (tarfile.TarError, EOFError) as error:
        raise Corrupt(f"{file.name} is damaged: {error}.", _DAMAGED) from error


def parse_recipient(text: str) -> Any:
    """An age or SSH public key; UserError if it is none."""
    reader: Callable[[str], Any] = (
        pyrage.ssh.Recipient.from_str
        if text.startswith("ssh-")
        else pyrage.x25519.Recipient.from_str
    )
    try:
        return reader(text.strip())
    except pyrage.RecipientError as error:
        raise UserError(
            f"backups.recipients: {text[:20]!r}… is no public key ({error}).",
            "Give a key that begins with age1 or ssh-.",
        ) from error


def _unreadable(file: Path, error: Exception) -> Corrupt:
    if "No matching keys" in str(error):
        return Corrupt(
            f"{file.name} was encrypted for another key, or its head is damaged.",
            "Give the recovery key of the memory it was made of with --recovery-key.",
        )
    return Corrupt(f"{file.name} is damaged: {error}.", _DAMAGED)


def _write_tar(root: Path, manifest: Manifest, pipe: IO[bytes]) -> None:
    with tarfile.open(fileobj=pipe, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        head = render_manifest(manifest)
        tar.addfile(_member(NAME, len(head), manifest), io.BytesIO(head))
        for entry in manifest.entries:
            with (root / entry.name).open("rb") as file:
                tar.addfile(_member(entry.name, entry.size, manifest), file)


def _member(name: str, size: int, manifest: Manifest) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = 0o600
    member.mtime = manifest.created_at // 1000
    return member


def _read_tar(stream: BinaryIO, target: Path) -> Manifest:
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        manifest = _read_manifest(tar)
        awaited = iter(manifest.entries)
        while (member := tar.next()) is not None:
            entry = next(awaited, None)
            if entry is None or member.name != entry.name or not member.isreg():
                raise Corrupt(f"The backup holds {member.name!r} unannounced.", _DAMAGED)
            _extract(tar, member, entry, target)
        if (missing := next(awaited, None)) is not None:
            raise Corrupt(f"The backup lacks {missing.name!r}.", _DAMAGED)
    while stream.read(_CHUNK):  # the rest is padding; reading it checks that it is untouched
        pass
    return manifest


def _read_manifest(tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    if first is None or first.name != NAME or first.size > MAX_BYTES:
        raise Corrupt("The backup does not begin with a manifest.", _DAMAGED)
    content = tar.extractfile(first)
    return parse_manifest(content.read() if content is not None else b"")


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, entry: Entry, target: Path) -> None:
    path = inside(target, entry.name)
    make_private_dir(path.parent)
    source = tar.extractfile(member)
    digest = hashlib.sha256()
    with _new_file(path) as sink:
        while source is not None and (chunk := source.read(_CHUNK)):
            digest.update(chunk)
            sink.write(chunk)
    if digest.hexdigest() != entry.sha256:
        raise Corrupt(f"{entry.name} in the backup is not what was put in.", _DAMAGED)


class _Paced:
    """A new file that goes to disk as it grows: flushing a gigabyte would hold up every writer."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._unflushed = 0

    def write(self, content: bytes) -> int:
        written = self._file.write(content)
        self._unflushed += len(content)
        if self._unflushed >= _FLUSH_BYTES:
            self.flush()
        return written

    def flush(self) -> None:
        self._file.flush()
        os.fdatasync(self._file.fileno())
        self._unflushed = 0


@contextmanager
def _new_file(path: Path) -> Iterator[_Paced]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb", buffering=_CHUNK) as file:
        paced = _Paced(file)
        yield paced
        paced.flush()


@contextmanager
def _fed(produce: Callable[[IO[bytes]], None]) -> Iterator[BinaryIO]:
    """A stream of what `produce` writes on another thread.

    Where both fail, what failed first is raised: the other is only its consequence.
    """
    reading, writing = os.pipe()
    failure: list[BaseException] = []
    given_up = threading.Event()

    def run() -> None:
        pipe = os.fdopen(writing, "wb", buffering=_CHUNK)
        try:
            produce(pipe)
            pipe.flush()
        except BaseException as error:  # carried over to the reader's thread
            if not given_up.is_set():
                failure.append(error)
        finally:  # only now: the end of the stream must not be seen before the failure
            with suppress(BrokenPipeError):
                pipe.close()

    thread = threading.Thread(target=run, name="hermes-archive", daemon=True)
    with os.fdopen(reading, "rb", buffering=_CHUNK) as stream:
        thread.start()
        try:
            yield stream
        except Exception:
            given_up.set()
            stream.close()
            thread.join()
            if failure:
                raise failure[0] from None
            raise
    thread.join()
    if failure:
        raise failure[0]
