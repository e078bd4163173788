"""Any text is worked through in time that grows as the text does, whatever it consists of."""

import base64
import random
import time
from collections.abc import Callable

import pytest

from hermes.cli.layout import fit, wrap
from hermes.cli.render import clean as clean_shown
from hermes.embed.e5 import clean_text
from hermes.guard.kept import kept_text
from hermes.guard.redact import redact
from hermes.guard.scan import scan
from hermes.guard.text import clean
from hermes.memory.compress.extract import extract_lines
from hermes.memory.compress.matter import split_matter
from hermes.memory.payloads import take_payloads
from hermes.memory.recall.passage import windows_of
from hermes.memory.snippet import cut_snippet
from hermes.store.text import index_form, indexed_part, parse_query
from hermes.tools.html import render_page
from hermes.types import Message, Origin, Role, Trust
from hermes.web.markdown import render_markdown

CHARS = 80_000
NOTICED_S = 0.1  # what takes less than this for the longer text is quick enough
MOST = 4.0  # twice the text may take four times as long: clocks and other work are uneven

PIECES = {
    "blanks": " ",
    "newlines": "\n",
    "blank lines": " \n",
    "one letter": "a",
    "letters and blanks": "a ",
    "parentheses": "(",
    "brackets": "[",
    "backticks": "`",
    "fences": "``` ",
    "a sign": "§",
    "addresses": "https://example.com/a?b=c&d=%20 ",
    "one address": "a/",
    "digits": "1",
    "zero width": "\u200b",
    "right to left": "שלום ",
    "stars": "*",
    "pictures": "![",
    "quotations": "> ",
    "list": "- a\n",
    "table": "| a ",
    "without spaces": "会議",
    "accents": "\u0301",
    "sentences": "I like it. ",
}


def encoded(chars: int) -> str:
    return base64.b64encode(random.Random(7).randbytes(chars)).decode()[:chars]


def text_of(name: str, chars: int) -> str:
    piece = PIECES.get(name)
    return encoded(chars) if piece is None else (piece * (chars // len(piece) + 1))[:chars]


def said(text: str) -> Message:
    return Message(
        id=1,
        session_id="s",
        episode_id=1,
        at=10**12,
        role=Role.USER,
        text=text,
        origin=Origin.USER,
        trust=Trust.HIGH,
    )


WORK: dict[str, Callable[[str], object]] = {
    "kept": kept_text,
    "cleaned": clean,
    "redacted": redact,
    "scanned": scan,
    "payloads": take_payloads,
    "index form": index_form,
    "indexed output": lambda text: indexed_part(Role.TOOL, text),
    "query": parse_query,
    "windows": windows_of,
    "for the model": clean_text,
    "snippet": lambda text: cut_snippet(text, ["queue", "a"]),
    "matter": split_matter,
    "output": lambda text: split_matter(text, is_output=True),
    "summary": lambda text: extract_lines([said(text)]),
    "wrapped": lambda text: [wrap(line, 60) for line in text.splitlines()],
    "fitted": lambda text: fit(text, 60),
    "shown": clean_shown,
    "page": render_markdown,
}


PAGES = {
    "begun tags": "<a ",
    "begun comments": "<!--",
    "begun sections": "<![CDATA[ >",
    "begun ends": "</",
    "begun quotations": "<a x='",
    "skipped, and others' ends": "<nav></p>",
    "skipped in skipped": "<nav><form></form>",
    "blanks": "<pre>" + " " * 50,
    "links": "<a href=x>",
}


def cost_s(work: Callable[[str], object], text: str) -> float:
    begun = time.thread_time()
    work(text)
    return time.thread_time() - begun


@pytest.mark.parametrize("name", [*PIECES, "base64"])
@pytest.mark.parametrize("kind", WORK)
def test_twice_the_text_takes_about_twice_as_long(kind: str, name: str) -> None:
    short, long = text_of(name, CHARS), text_of(name, 2 * CHARS)
    assert_linear(WORK[kind], short, long, f"{kind} of {name}")


@pytest.mark.parametrize("name", PAGES)
def test_twice_the_page_takes_about_twice_as_long(name: str) -> None:
    """The tags of one kind together, then their ends: what is open at once grows with a page."""
    piece = PAGES[name]
    first, mark, rest = piece.partition(">")
    short, long = (
        f"<html>{(first + mark) * n}{rest * n}"
        for n in (CHARS // len(piece), 2 * CHARS // len(piece))
    )
    assert_linear(render_page, short, long, f"a page of {name}")


def assert_linear(work: Callable[[str], object], short: str, long: str, name: str) -> None:
    for _ in range(3):  # the processor's time is uneven, too, beside other work
        least, most = cost_s(work, short), cost_s(work, long)
        if most < NOTICED_S or most <= MOST * least:
            return
    pytest.fail(f"{name}: {least:.2f} s for a text, {most:.2f} s for one twice as long")
