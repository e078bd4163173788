"""What a proof of erasing has to search: every database under the home that a key is here for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.keys import key_request
from hermes.app.sharing import list_other_homes
from hermes.config.load import load_config
from hermes.config.paths import ProfilePaths
from hermes.config.profiles import list_profiles
from hermes.errors import HermesError, Unavailable
from hermes.guard.crypto import Encryption, open_key
from hermes.memory.backup.manifest import DATABASE
from hermes.memory.backup.swap import list_replaced
from hermes.memory.erase.prove import EARLIER, Scan, Scope, Searchable
from hermes.store.base.erase import Look, ScanReport
from hermes.store.sqlite import Database
from hermes.store.sqlite.scan import scan_database

if TYPE_CHECKING:
    from hermes.app.root import App


def proof_scope(app: App, database: Path, *, own_only: bool = False) -> Scope:
    """Ours first, then the states we moved aside, then other profiles, each with what it moved.

    `own_only` is for whoever may see this profile and no other.
    """
    own = app.key.secret if app.key else None
    found = list(_own(app, database, own))
    found += _replaced(app.paths, own)
    home, root = app.paths.home, app.paths.root
    if own_only:
        closed = [home.profiles, home.trash] if root == home.root else []
        return Scope(root, root, found, app.backups.list(), closed, _elsewhere(app))
    for profile in list_profiles(home):
        if profile.name != app.paths.name:
            found += _of_other(app, home.profile(profile.name))
    return Scope(home.root, root, found, app.backups.list(), elsewhere=_elsewhere(app))


def _own(app: App, database: Path, key: bytes | None) -> Iterator[Searchable]:
    """What is in use; where that is a server, also the file that the memory was copied from."""
    if app.config.memory.backend == "sqlite":
        yield Searchable(database, app.store.scan)
        return
    status = app.store.status()
    yield Searchable(None, app.store.scan, name=f"{status.backend}, {status.location}")
    if database.exists():
        owner = f"{database.name}, which is not in use"
        yield Searchable(database, _scan(database, key), owner)


def _elsewhere(app: App) -> list[tuple[str, str]]:
    """The other homes of the profile: their files are cleared by a Hermes that runs there."""
    behind = "its notes and logs may still hold it, until Hermes is next used there"
    followed = "its notes were cleared since; its backups and exports are its own"
    return [
        (f"the home {home.name}", behind if home.is_behind else followed)
        for home in list_other_homes(app)
    ]


def _of_other(app: App, paths: ProfilePaths) -> Iterator[Searchable]:
    """The databases of another profile, searched with its own key."""
    owner = f"profile {paths.name}"
    try:
        config = load_config(paths, app.environ, {})
        file = paths.resolve(config.memory.path, paths.database)
        if not file.exists():
            return
        key = _key(app, paths)
    except HermesError as error:
        yield Searchable(paths.database, _refusing(error), owner)
        return
    yield Searchable(file, _scan(file, key), owner)
    yield from _replaced(paths, key, owner)


def _key(app: App, paths: ProfilePaths) -> bytes | None:
    """The key of a profile that has a database; nobody is asked for a passphrase."""
    settings = load_config(paths, app.environ, {}).memory
    if Encryption(settings.encryption) is Encryption.PASSPHRASE:
        raise Unavailable(
            "It is opened by a passphrase that is not known here.",
            f"Run `hermes --profile {paths.name} memory erase … --prove`.",
        )
    key = open_key(key_request(paths, settings, app.environ))
    return key.secret if key else None


def _replaced(paths: ProfilePaths, key: bytes | None, owner: str = "") -> Iterator[Searchable]:
    for state in list_replaced(paths):
        file = state / DATABASE
        if file.exists():
            name = f"{EARLIER} {state.relative_to(paths.home.root)}"
            yield Searchable(file, _scan(file, key), f"{owner}, {name}" if owner else name)


def _scan(file: Path, key: bytes | None) -> Scan:
    return lambda look: scan_database(Database(file, key), look)


def _refusing(error: HermesError) -> Scan:
    def refuse(_: Look) -> ScanReport:
        raise error

    return refuse
