"""Markdown as safe HTML: rendered without raw HTML, then cleaned all the same.

Nothing in it makes a browser fetch anything: a picture becomes a link to it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

LONGEST = 60_000  # characters that are rendered; a longer text is shown as it is written
_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "del", "code", "pre", "blockquote"),
    *("ul", "ol", "li", "h4", "h5", "h6", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}


def render_markdown(text: str) -> Markup:
    """The text as HTML that holds no script, no style and no picture."""
    if len(text) > LONGEST:
        return Markup('<pre class="plain">{}</pre>').format(text)
    rendered = _renderer().render(text)
    clean = nh3.clean(
        rendered,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)  # noqa: S704 - cleaned in the line above


@lru_cache(1)
def _renderer() -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": False, "breaks": True})
    renderer.enable(["table", "strikethrough"])
    renderer.add_render_rule("image", _link_to_picture)
    renderer.add_render_rule("heading_open", _lower_heading)
    renderer.add_render_rule("heading_close", _lower_heading)
    return renderer


def _link_to_picture(
    renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: Any
) -> str:
    token = tokens[place]
    said = token.content or "picture"
    return str(Markup('<a href="{}">{}</a>').format(token.attrGet("src") or "", said))


def _lower_heading(
    renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: Any
) -> str:
    """Headings of a message stand below those of the page."""
    token = tokens[place]
    token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
    return str(renderer.renderToken(tokens, place, options, env))
