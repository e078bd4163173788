"""The readable text of a web page: headings, paragraphs, lists and links, without the rest.

Run as a program it reads an address, a line end and a page on standard input and writes
the text: the parser of the standard library takes its time with some pages, and a page is
somebody else's.
"""

import re
import sys
from html.parser import HTMLParser
from urllib.parse import urljoin

_SKIPPED = frozenset("script style noscript template svg iframe nav footer form button".split())
_BLOCKS = frozenset(
    "p div section article main header table tr ul ol dl dt dd blockquote figure h1 h2 h3 h4 h5 h6 "
    "li pre br hr title".split()
)
_VOID = frozenset("br hr img input meta link".split())
_MARKS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "li": "- ", "title": "Title: "}


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__(convert_charrefs=True)
        self._url = url
        self._skipping: list[str] = []
        self._first: dict[str, int] = {}  # where each of the tags above stands first
        self._links: list[str] = []
        self._pre = 0
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._first.setdefault(tag, len(self._skipping))
            self._skipping.append(tag)
        if self._skipping:
            return
        if tag in _BLOCKS:
            self.parts.append("\n" + _MARKS.get(tag, ""))
        self._pre += tag == "pre"
        if tag == "a":
            self._links.append(dict(attrs).get("href") or "")
            self.parts.append("[")
        if tag == "img" and (told := dict(attrs).get("alt")):
            self.parts.append(f"(image: {told})")

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            if (place := self._first.get(tag)) is not None:
                del self._skipping[place:]
                self._first = {name: at for name, at in self._first.items() if at < place}
            return
        if tag == "a" and self._links:
            self.parts.append(self._close_link(self._links.pop()))
        if tag == "pre" and self._pre:
            self._pre -= 1
        if tag in _BLOCKS - _VOID:
            self.parts.append("\n")

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """`<![CDATA[` in a page is a comment that ends at the next `>`, as browsers have it."""
        return self.parse_bogus_comment(i, report)

    def handle_data(self, data: str) -> None:  # the name is HTMLParser's
        if not self._skipping:
            self.parts.append(data if self._pre else re.sub(r"\s+", " ", data))

    def _close_link(self, href: str) -> str:
        if not href or href.startswith(("#", "javascript:", "data:")):
            return "]"
        try:
            return f"]({urljoin(self._url, href)})"
        except ValueError:
            return "]"


def render_page(html: str, url: str = "") -> str:
    """The text of a page; whatever the markup, it ends and it is plain text."""
    reader = _Reader(url)
    reader.feed(_without_begun_tag(html))
    reader.close()
    text = re.sub(r"\[\s*\](?!\()", "", "".join(reader.parts))
    lines = (line.rstrip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _without_begun_tag(html: str) -> str:
    """A page up to a tag that never ends: looking for its end at each sign of it is what takes."""
    begun = html.find("<", html.rfind(">") + 1)
    return html if begun < 0 else html[:begun]


def main() -> None:
    url, _, html = sys.stdin.buffer.read().decode("utf-8", "replace").partition("\n")
    sys.stdout.buffer.write(render_page(html, url).encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
