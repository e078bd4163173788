"""The readable text of a web page: headings, paragraphs, lists and links, without the rest."""

import re
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
        self._links: list[str] = []
        self._pre = 0
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
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
            if tag in self._skipping:
                del self._skipping[self._skipping.index(tag) :]
            return
        if tag == "a" and self._links:
            self.parts.append(self._close_link(self._links.pop()))
        if tag == "pre" and self._pre:
            self._pre -= 1
        if tag in _BLOCKS - _VOID:
            self.parts.append("\n")

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
    reader.feed(html)
    reader.close()
    text = re.sub(r"\[\s*\](?!\()", "", "".join(reader.parts))
    lines = (line.rstrip() for line in re.sub(r"[ \t]+\n", "\n", text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
