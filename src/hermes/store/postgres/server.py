"""Which server to speak to, as whom, and how a connection to it is set up."""

import logging
import os
import socket
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from hermes.errors import UserError
from hermes.store.postgres.values import register_values

SCHEMA = "hermes"
CONNECT_TIMEOUT_S = 10
STATEMENT_TIMEOUT_S = 60
LOCK_TIMEOUT_S = 30
PREPARED_MAX = 512
SEND_BYTES = 4 << 20
# The pool logs what we raise: without a log of the program's own it would land on stderr.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class Server:
    """An address, the profile whose rows are wanted, and how many connections may be open.

    `ssl_mode` counts where the address says nothing of it; a socket of this machine needs none.
    """

    address: str = field(repr=False)
    profile: str = "default"
    pool_size: int = 5
    ssl_mode: str = ""
    key: bytes | None = field(default=None, repr=False)

    @property
    def location(self) -> str:
        """The address as it may be shown: without the password."""
        parts = self._parts()
        host = parts.get("host") or parts.get("hostaddr") or "localhost"
        port = f":{parts['port']}" if parts.get("port") else ""
        return f"postgres://{host}{port}/{parts.get('dbname', '')} (profile {self.profile})"

    @property
    def conninfo(self) -> str:
        parts = self._parts()
        parts.setdefault("connect_timeout", CONNECT_TIMEOUT_S)
        parts.setdefault("application_name", "hermes")
        if self.ssl_mode and "sslmode" not in parts and not self._is_local(parts):
            parts["sslmode"] = self.ssl_mode
        return make_conninfo(**parts)

    def _parts(self) -> dict[str, Any]:
        try:
            return dict(conninfo_to_dict(self.address))
        except psycopg.Error as error:
            raise UserError(
                "memory.connectionString is not an address of a PostgreSQL database.",
                "Write it as postgres://user:password@host:5432/database, e.g. in HERMES_DB_URL.",
            ) from error

    @staticmethod
    def _is_local(parts: dict[str, Any]) -> bool:
        host = str(parts.get("host") or "")
        return not host or host.startswith(("/", "@"))


Raw = psycopg.Connection[tuple[Any, ...]]


def connect(server: Server) -> Raw:
    """A connection of its own, outside any pool."""
    raw = psycopg.connect(server.conninfo, autocommit=True)
    try:
        configure(raw)
    except BaseException:
        raw.close()
        raise
    return raw


def widen(raw: Raw) -> None:
    """Let a socket of this machine take a whole batch, so that nobody waits to hand it over.

    As much as the system allows; those to other machines grow by themselves.
    """
    with socket.socket(fileno=os.dup(raw.fileno())) as pipe:
        if pipe.family == socket.AF_UNIX:
            pipe.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)


def configure(raw: Raw) -> None:
    """What holds for every connection: where the tables are, and how long anything may take."""
    register_values(raw.adapters)
    raw.prepare_threshold = 2
    raw.prepared_max = PREPARED_MAX
    raw.execute(
        f"""SET search_path = {SCHEMA}, public;
        SET statement_timeout = '{STATEMENT_TIMEOUT_S}s';
        SET lock_timeout = '{LOCK_TIMEOUT_S}s';
        SET idle_in_transaction_session_timeout = '300s';
        SET client_encoding = 'UTF8';
        SET default_transaction_isolation = 'read committed';
        SET random_page_cost = 1.1;
        SET jit = off"""
    )
