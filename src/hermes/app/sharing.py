"""Notes that homes share: the files of this home follow the store, and the store the files.

Nothing happens here where one home alone has the memory.
"""

from __future__ import annotations

import logging
import secrets
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.clock import HOUR_MS
from hermes.config.files import locked, make_private_dir, write_atomic
from hermes.config.paths import ProfilePaths
from hermes.errors import HermesError
from hermes.memory.notes.files import ALONE, Sharing, follow_page, load_notes, locked_page
from hermes.memory.notes.shared import HomeState, SharedHome, SharedPage, find_shown, list_homes
from hermes.store.base import Store, Tx
from hermes.store.base.notes import KeptPage
from hermes.types import Reflection

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.memory.erase.tombs import Graveyard

log = logging.getLogger(__name__)
CLOCKS_DIFFER_MS = HOUR_MS  # at most, between machines
_NAME = "home"  # in run/: what this home goes by; who copies a home leaves run/ out
_SHOWN = "notes"  # in run/: what the files of this home last showed


def shares(app: App) -> bool:
    """Whether other homes may have the notes of this profile; SQLite is not opened to tell."""
    return app.config.memory.backend != "sqlite" and app.absent is None and app.store.is_shared


def this_home(app: App) -> SharedHome:
    return SharedHome(_name_of(app.paths), app.paths.run / _SHOWN, app.clock.now)


def _name_of(paths: ProfilePaths) -> str:
    """What this home goes by: given once, with a number nobody else has. Machines may bear the same
    name and the same folders, and a machine may be renamed.
    """
    file = paths.run / _NAME
    if name := _read_name(file):
        return name
    try:
        make_private_dir(file.parent)
        with locked(file.with_name(f".{_NAME}.lock")):
            if not _read_name(file):  # or another process was quicker
                write_atomic(file, f"{_called(paths)}#{secrets.token_hex(4)}")
            return _read_name(file)
    except OSError:  # a home that can only be read shows nothing anew
        return _called(paths)


def _read_name(file: Path) -> str:
    """What a file calls its home; nothing where it is missing, or a power cut left it empty."""
    with suppress(FileNotFoundError):
        return file.read_text("utf-8").strip()
    return ""


def _called(paths: ProfilePaths) -> str:
    """The machine and folder: what told homes apart before each had a number."""
    return f"{socket.gethostname()}:{paths.root}"


def page_files(app: App) -> tuple[Path, ...]:
    return app.paths.memory_note, app.paths.user_note


def sharing_of(app: App, file: Path) -> Sharing:
    """How a change of a page reaches the other homes; whoever changes it has followed first."""
    if not shares(app):
        return ALONE
    kept = app.store.read(lambda tx: tx.notes.find(file.name))
    return SharedPage(app.store, this_home(app), file, erased=kept.erased if kept else 0)


def follow(app: App) -> None:
    """Bring the pages of this home up to what the other homes have made of them, and they to us."""
    if shares(app):
        follow_store(app, app.store)


def follow_quietly(app: App, store: Store) -> None:
    """As the store is opened: a page that cannot be read must not keep anybody from the rest."""
    try:
        follow_store(app, store)
    except (HermesError, OSError) as error:
        log.warning("The notes of this home do not follow: %s", error)


def follow_store(app: App, store: Store) -> None:
    home = this_home(app)
    kept, versions = store.read(lambda tx: _read_state(tx, home.name))
    if kept and not versions:
        versions = store.write(lambda tx: _take_name(tx, _called(app.paths), home.name))
    if any(page.erased > versions.get(page.name, 0) for page in kept.values()):
        _clear(app, store, home)
    for file in page_files(app):
        page = kept.get(file.name)
        if page is None or versions.get(file.name) != page.version or not _shows(home, file, page):
            erased = page.erased if page else 0
            follow_page(file, SharedPage(store, home, file, erased=erased))


def take_files(app: App) -> None:
    """Have the files of this home as the pages when it next follows: they were restored.

    A file that is missing is written again, but an empty one is an empty page.
    """
    for file in page_files(app):
        if not file.exists() and find_shown(this_home(app), file.name) is not None:
            write_atomic(file, "")


def list_other_homes(app: App) -> list[HomeState]:
    """The homes of other machines and folders that have the notes of this profile."""
    if not shares(app):
        return []
    own = this_home(app).name
    return [home for home in app.store.read(list_homes) if home.name != own]


def _read_state(tx: Tx, home: str) -> tuple[dict[str, KeptPage], dict[str, int]]:
    versions = {copy.page: copy.version for copy in tx.notes.list_copies(home)}
    return {page.name: page for page in tx.notes.list()}, versions


def _take_name(tx: Tx, old: str, new: str) -> dict[str, int]:
    """Go on under a new name with what a home shows under its old one; the versions of that."""
    copies = tx.notes.list_copies(old)
    tx.notes.forget_home(old)
    for copy in copies:
        tx.notes.note_copy(replace(copy, home=new))
    return {copy.page: copy.version for copy in copies}


def _shows(home: SharedHome, file: Path, page: KeptPage) -> bool:
    return find_shown(home, file.name) == page.text == load_notes(file)


def _clear(app: App, store: Store, home: SharedHome) -> None:
    """Take out of the files of this home what was erased in another one since it last followed.

    What was erased before that may have been written anew by hand.
    """
    # Erasing brings encryption and more: only a home that missed an erasure needs it.
    from hermes.memory.erase.files import clear_files, clear_page  # noqa: PLC0415
    from hermes.memory.reflect.page import save_page  # noqa: PLC0415

    def read(tx: Tx) -> tuple[Graveyard, list[Reflection]]:
        followed = (copy.at for copy in tx.notes.list_copies(home.name))
        since = min(followed, default=0) - CLOCKS_DIFFER_MS
        return app.erasing.graveyard(tx, since), tx.reflections.list(limit=1 << 40)

    yard, learnt = store.read(read)

    def is_gone(line: str) -> bool:
        return yard.has_echo([line])

    clear_files(app.paths, is_gone)
    for file in page_files(app):
        with locked_page(file):
            shown = find_shown(home, file.name)
            if shown is not None:
                write_atomic(home.shown_file(file.name), clear_page(shown, is_gone))
    if app.paths.reflections_file.exists():
        save_page(app.paths.reflections_file, learnt)
