"""Serving with a certificate: by which name, to whom, and that `hermes open` finds the way."""

import ssl
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from certificates import make_certificate
from doors import Address, open_doors
from hermes.app import open_app
from hermes.client import Client
from hermes.config.paths import Home
from hermes.errors import Unavailable, UserError
from hermes.server.http.certificate import read_names
from hermes.server.http.listen import name_for
from hermes.server.http.serve import serving

EVERYWHERE = "0.0.0.0"  # noqa: S104 (what is tested)


def settings(cert: Path, key: Path, host: str = "127.0.0.1") -> dict[str, str]:
    return {"server.tlsCert": str(cert), "server.tlsKey": str(key), "server.host": host}


def test_tls(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "localhost", "127.0.0.1")
    context = ssl.create_default_context(cafile=str(cert))
    with open_doors(tmp_path / "home", settings(cert, key)) as plain:
        address = Address(plain.url, plain.token, plain.app, plain.api, context)
        assert address.url.startswith("https://127.0.0.1:")
        assert address.ask("GET", "/v1/status").status == 200
        assert address.ask("GET", "/v1/status", headers={"origin": address.url}).status == 200
        assert address.login().startswith("__Host-hermes=")


@pytest.mark.parametrize("signed_by_other", [False, True])
@pytest.mark.parametrize("host", [EVERYWHERE, "127.0.0.1"])
def test_open_finds_a_server_that_listens_everywhere(
    tmp_path: Path, host: str, signed_by_other: bool
) -> None:
    """Its name is known to nobody here, and whoever signed its certificate neither."""
    cert, key = make_certificate(
        tmp_path, "localhost", "hermes.test", signed_by_other=signed_by_other
    )
    with open_doors(tmp_path / "home", settings(cert, key, host)) as address:
        with Client.local(address.app.paths, ca_file=str(cert)) as client:
            assert client.status().profile == "default"
            link = urlsplit(client.login_link().url)
        wanted = "hermes.test" if host == EVERYWHERE else "localhost"
        assert (link.scheme, link.hostname) == ("https", wanted)
        assert link.netloc == urlsplit(address.url).netloc
        with Client.local(address.app.paths) as stranger, pytest.raises(Unavailable):
            stranger.status()


def test_a_name_that_is_not_in_the_certificate_is_refused(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "hermes.test")
    with open_doors(tmp_path / "home", settings(cert, key, EVERYWHERE)) as address:
        context = ssl.create_default_context(cafile=str(cert))
        context.check_hostname = False
        here = address.url.replace("hermes.test", "127.0.0.1")
        called = Address(here, address.token, address.app, address.api, context)
        for host, status in (("hermes.test", 200), ("localhost", 200), ("evil.test", 421)):
            assert called.ask("GET", "/v1/status", headers={"host": host}).status == status, host


@pytest.mark.parametrize(
    ("host", "names", "called"),
    [
        (EVERYWHERE, [], "localhost"),
        (EVERYWHERE, ["localhost", "127.0.0.1", "hermes.lan"], "hermes.lan"),
        (EVERYWHERE, ["*.example.org", "localhost"], "localhost"),
        ("::", ["*.example.org"], "localhost"),
        ("192.0.2.7", ["hermes.lan", "192.0.2.7"], "192.0.2.7"),
        ("192.0.2.7", ["hermes.lan"], "hermes.lan"),
        ("192.0.2.7", [], "192.0.2.7"),
    ],
)
def test_a_server_is_called_by_a_name_its_certificate_proves(
    host: str, names: list[str], called: str
) -> None:
    assert name_for(host, names) == called


def test_names_are_read_in_order_and_none_of_an_old_certificate(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "b.test", "192.0.2.7", "a.test")
    assert list(read_names(str(cert), str(key))) == ["b.test", "192.0.2.7", "a.test"]
    cert, key = make_certificate(tmp_path, "b.test", expired=True)
    assert list(read_names(str(cert), str(key))) == []


def test_files_that_are_no_certificate_are_said_so(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "localhost")
    for pair in (("none.pem", "none.pem"), (str(key), str(key)), (str(cert), str(cert))):
        flags = {"server.tlsCert": pair[0], "server.tlsKey": pair[1]}
        with open_app(Home(tmp_path).profile("default"), {}, flags=flags) as app:
            with pytest.raises(UserError, match=r"none\.pem|cannot be used"), serving(app):
                pass
    with pytest.raises(UserError, match="cannot be used"):
        Client("https://localhost:1", "t", ca_file=str(key))
