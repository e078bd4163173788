"""The connection is protected as the settings say: on Debian's server; the wheel's has no TLS."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from hermes.errors import Unavailable
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.schema import look, migrate
from postgres_server import ROLE, Cluster, execute, make_role, new_cluster

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
PORT = 54_329
pytestmark = pytest.mark.skipif(
    not DEBIAN,
    reason="NO TLS TESTED: install Debian's postgresql (apt install postgresql), .ci/run does",
)


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, Path]]:
    """A server with a certificate for localhost, and the certificate that vouches for it."""
    cluster = new_cluster(DEBIAN[-1].parent)
    cluster.stop()
    folder = cluster.folder / "data"
    files = ("ssl_cert_file=server.crt", "ssl_key_file=server.key")
    cluster.settings = ("ssl=on", *files, f"port={PORT}")
    root = tmp_path_factory.mktemp("tls") / "root.crt"
    made = cluster.folder / "made"
    made.mkdir()
    command = f"""openssl req -new -x509 -days 2 -nodes -newkey rsa:2048 -subj /CN=localhost
      -addext subjectAltName=DNS:localhost -keyout {made}/server.key -out {made}/server.crt"""
    subprocess.run(command.split(), check=True, capture_output=True)
    root.write_bytes((made / "server.crt").read_bytes())
    for name in ("server.key", "server.crt"):
        target = folder / name
        target.write_bytes((made / name).read_bytes())
        target.chmod(0o600)
        _give(target, cluster)
    (folder / "pg_hba.conf").write_text(
        "local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n"
    )
    cluster.listen = "localhost"
    cluster.start()
    local = make_conninfo(host=str(cluster.folder), port=PORT, user="postgres", dbname="postgres")
    make_role(local)
    execute(local, f"CREATE DATABASE secured OWNER {ROLE}")
    yield cluster, root
    cluster.remove()


def _give(file: Path, cluster: Cluster) -> None:
    import shutil

    if cluster.user is not None:
        shutil.chown(file, cluster.user)


def address(host: str, **more: str) -> str:
    return make_conninfo(host=host, port=PORT, user=ROLE, dbname="secured", **more)


def test_require_encrypts_the_connection(secured: tuple[Cluster, Path]) -> None:
    server = Server(address("localhost"), ssl_mode="require")
    migrate(server)
    assert "encrypted connection" in look(server)[2]
    open_store(server).close()


def test_a_server_that_takes_encrypted_connections_only_is_not_reached_without(
    secured: tuple[Cluster, Path],
) -> None:
    with pytest.raises(Unavailable, match="no encryption") as refused:
        look(Server(address("localhost"), ssl_mode="disable"))
    assert "memory.sslMode to require" in refused.value.hint


def test_verify_full_wants_a_known_certificate_for_the_right_host(
    secured: tuple[Cluster, Path],
) -> None:
    _, root = secured
    known = Server(address("localhost", sslrootcert=str(root)), ssl_mode="verify-full")
    assert "encrypted connection" in look(known)[2]
    with pytest.raises(Unavailable, match=r"certificate|root"):
        look(Server(address("localhost", sslrootcert="/nowhere/root.crt"), ssl_mode="verify-full"))
    elsewhere = Server(address("127.0.0.1", sslrootcert=str(root)), ssl_mode="verify-full")
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1"):
        look(elsewhere)
