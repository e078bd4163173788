"""Fetching pages: readable text, bounded, never a way into the private network unasked."""

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from working import Working, open_working

from hermes.errors import HermesError, Refused, Unavailable, UserError
from hermes.terminals.environment import public_environ
from hermes.tools.addresses import is_private
from hermes.tools.html import render_page
from hermes.tools.web_fetch import TOOL as FETCH
from hermes.tools.web_fetch import render_aside
from hermes.types import Origin

PAGE = """<!doctype html><html><head><title>Moth guide</title><style>p{}</style></head><body>
<nav>menu</nav><h1>Moths</h1><p>A <b>fine</b> moth &amp; more. <a href="/next">Next</a></p>
<ul><li>one</li><li>two</li></ul><pre>a
  b</pre><script>alert(1)</script></body></html>"""


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        replies = {
            "/page": (200, "text/html; charset=utf-8", PAGE.encode()),
            "/pdf": (200, "application/pdf", b"%PDF"),
            "/big": (200, "text/plain", b"x" * 5_000_000),
            "/odd": (200, "text/plain; charset=nonsense", "née".encode()),
            "/gone": (404, "text/plain", b"no"),
        }
        if self.path == "/round":
            self.send_response(302)
            self.send_header("Location", "/round")
            self.end_headers()
            return
        if self.path == "/on":
            self.send_response(302)
            self.send_header("Location", "/page")
            self.end_headers()
            return
        status, kind, body = replies[self.path]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            return  # the reader had enough

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def working(tmp_path: Path) -> Working:
    return open_working(tmp_path)


def test_a_page_becomes_readable_text(working: Working, site: str) -> None:
    text = working.run(FETCH, url=f"{site}/page").text
    assert "Title: Moth guide" in text
    assert "# Moths" in text
    assert f"A fine moth & more. [Next]({site}/next)" in text
    assert "- one" in text
    assert "a\n  b" in text
    assert "alert" not in text
    assert "menu" not in text


def test_its_words_are_the_webs(working: Working) -> None:
    assert FETCH.origin is Origin.WEB


def test_redirects_are_followed_and_end(working: Working, site: str) -> None:
    assert working.run(FETCH, url=f"{site}/on").text.startswith(f"{site}/page")
    with pytest.raises(Unavailable, match="without end"):
        working.run(FETCH, url=f"{site}/round")


def test_what_is_no_text_or_not_there(working: Working, site: str) -> None:
    with pytest.raises(UserError, match="application/pdf"):
        working.run(FETCH, url=f"{site}/pdf")
    with pytest.raises(Unavailable, match="404"):
        working.run(FETCH, url=f"{site}/gone")
    assert "née" in working.run(FETCH, url=f"{site}/odd").text


def test_a_long_page_is_read_in_parts(working: Working, site: str) -> None:
    text = working.run(FETCH, url=f"{site}/big", start=10).text
    assert len(text) < 16_000
    assert "more characters: start 15010" in text
    assert text.endswith("of this page only the first 3 MB are read")
    assert "only the first" not in working.run(FETCH, url=f"{site}/odd").text


def test_a_server_that_is_not_there(working: Working) -> None:
    with pytest.raises(HermesError, match="no connection"):
        working.run(FETCH, url="http://127.0.0.1:9/")


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 10.0.0.8 192.168.1.1 169.254.169.254 localhost db.internal 0.0.0.0 ::1 "
    "::ffff:127.0.0.1 fd00::1 fe80::1".split(),
)
def test_private_hosts_are_known_and_asked_about(working: Working, host: str) -> None:
    assert is_private(host)
    url = f"http://[{host}]/" if ":" in host else f"http://{host}/"
    assert working.asked(FETCH, url=url) is not None


def test_open_hosts_are_not_asked_about(working: Working) -> None:
    assert working.asked(FETCH, url="https://example.com/a") is None
    assert working.asked(FETCH, url="http://93.184.216.34/") is None


def test_a_name_that_hides_a_private_address_is_refused(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = Path("/etc/hosts").read_text()
    names = [line.split()[1] for line in hosts.splitlines() if line.startswith("127.")]
    hidden = [name for name in names if not is_private(name)]
    if not hidden:
        pytest.skip("this machine has no second name for 127.0.0.1")
    with pytest.raises(Refused, match="private address"):
        working.run(FETCH, url=f"http://{hidden[0]}/")


@pytest.mark.parametrize(
    "url", ["ftp://x/", "file:///etc/passwd", "http://", "x", "http://a:99999/"]
)
def test_what_is_no_web_address(working: Working, url: str) -> None:
    with pytest.raises(UserError, match="not a web address"):
        working.run(FETCH, url=url)


def test_a_page_that_holds_readers_up_is_given_up(working: Working) -> None:
    """The event loop is free meanwhile: else no deadline could end it."""
    slow = "<html>" + "<p>" * 1_000_000
    environ = public_environ(working.context().environ)
    with pytest.raises(Unavailable, match=r"took longer than 0\.3 s"):
        asyncio.run(render_aside(slow, "", environ, timeout_s=0.3))


def test_a_page_ends_before_a_tag_that_never_does() -> None:
    assert render_page("<html><p>Moths</p> are <a href='x") == "Moths\n are"
    assert render_page("<html><p>5 > 4") == "5 > 4"
    assert render_page("<html>a<![CDATA[b]]>c<![odd[d]>e") == "ace"


@given(st.text(alphabet="<>/ab=\"' \n&;!-phrefli[]", max_size=200))
def test_any_markup_ends_as_text(html: str) -> None:
    assert "<script" not in render_page(html)
