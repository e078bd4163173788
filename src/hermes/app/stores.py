"""Opening a store: which adapter, where it lies, as whom; by the settings or by an address."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.app.adapters import load_adapter
from hermes.app.keys import key_request
from hermes.errors import NotFound, UserError
from hermes.guard.crypto import Encryption
from hermes.store.base import Store

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.store.postgres import Server

POSTGRES = ("postgres://", "postgresql://")


def open_backend(app: App) -> Store:
    """The store the settings name."""
    settings = app.config.memory
    if settings.backend == "sqlite":
        return _open_sqlite(app, app.paths.resolve(settings.path, app.paths.database))
    if settings.backend == "postgres":
        shared = open_postgres(app, postgres_server(app))
        # Loaded with the driver: what one home alone has needs none of it.
        from hermes.app.sharing import follow_quietly  # noqa: PLC0415

        follow_quietly(app, shared)
        return shared
    store: Store = load_adapter("hermes.stores", settings.backend)(app.config.memory)
    return store


def open_address(app: App, address: str, *, make: bool = False) -> Store:
    """The store at `sqlite:`, `sqlite:FILE` or `postgres://…`, with the keys of this profile.

    A file that is not there is made only where `make` says so.
    """
    if address.startswith(POSTGRES):
        return open_postgres(app, server_at(app, address))
    place = file_at(app, address)
    if not make and not place.exists():
        raise NotFound(f"There is no memory at {place}.", "Check the path; nothing was made.")
    return _open_sqlite(app, place)


def file_at(app: App, address: str) -> Path:
    """The file that `sqlite:` or `sqlite:FILE` names."""
    kind, _, file = address.partition(":")
    if kind != "sqlite":
        raise UserError(
            f"{address[:60]!r} is not the address of a store.",
            "Write sqlite: (this profile's own), sqlite:FILE, or postgres://user@host/database.",
        )
    own = app.paths.resolve(app.config.memory.path, app.paths.database)
    return Path(file).expanduser().absolute() if file else own


def postgres_server(app: App) -> Server:
    """The server that the settings name."""
    address = app.config.memory.connection_string
    if address is None:
        raise UserError(
            "There is no address of a PostgreSQL database.",
            "Set memory.connectionString, e.g. to ${HERMES_DB_URL}.",
        )
    return server_at(app, address.get_secret_value())


def server_at(app: App, address: str) -> Server:
    """A PostgreSQL server; the name of the profile keeps its rows apart."""
    settings = app.config.memory
    server: Server = load_postgres("server").Server(
        address, app.paths.name, settings.pool_size, settings.ssl_mode
    )
    return server


def expect_first_key(app: App) -> None:
    """Refuse to make a key for a memory that cannot be reached, or that has one elsewhere."""
    request = key_request(app.paths, app.config.memory, app.environ)
    if app.config.memory.backend != "postgres" or request.mode is Encryption.OFF:
        return
    if not request.place.exists():
        load_postgres("owner").refuse_second_key(postgres_server(app))


def load_postgres(module: str) -> Any:
    """A part of the PostgreSQL store, whose driver is an extra."""
    try:
        return import_module(f"hermes.store.postgres.{module}")
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("psycopg"):
            raise
        raise UserError(
            "The driver of PostgreSQL is not installed.",
            "Install it: pip install 'hermes-memory[postgres]'.",
        ) from error


def _open_sqlite(app: App, path: Path) -> Store:
    # The SQLite driver is loaded only when a store is opened: help and config need none.
    from hermes.store.sqlite import Database  # noqa: PLC0415

    secret = app.key.secret if app.key else None
    store: Store = load_adapter("hermes.stores", "sqlite")(
        Database(path, secret, app.config.memory.wal_mode)
    )
    return store


def open_postgres(app: App, server: Server) -> Store:
    """The rows of a profile on a server, for whoever has the profile's secret."""
    # Backups and what was erased need the profile's secret: encryption is loaded with it.
    from hermes.app.secret import profile_secret  # noqa: PLC0415

    store: Store = load_postgres("store").open_store(server)
    try:
        load_postgres("owner").settle_owner(store, profile_secret(app))
    except BaseException:
        store.close()
        raise
    return store
