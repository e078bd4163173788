"""Templates into HTML: everything is escaped unless `markdown` cleaned it."""

import json
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.runtime import Context
from jinja2.utils import pass_context

from hermes.clock import DAY_MS, HOUR_MS, MINUTE_MS, render_time, to_datetime
from hermes.counted import many
from hermes.memory.facts.reference import render_ref
from hermes.web.asking import link
from hermes.web.assets import load_assets
from hermes.web.markdown import render_markdown
from hermes.web.views.lab import href_of
from hermes.web.views.marks import mark_spans


def render(template: str, values: Mapping[str, Any]) -> str:
    return _environment().get_template(template).render(values)


@lru_cache(1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("hermes.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "ago": ago,
        "bytes": render_bytes,
        "day": render_day,
        "iso": render_time,
        "json": lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
        "marked": mark_spans,
        "md": render_markdown,
        "ms": lambda value: f"{value:,.1f} ms",
        "daystamp": _daystamp,
        "many": many,
        "many_of": lambda found, word: many(len(found), word),
        "ref": render_ref,
        "when": _when,
    }
    environment.globals |= {
        "asset": lambda name: load_assets()[name].path,
        "href_of": href_of,
        "link": link,
        "to": _to,
    }
    return environment


@pass_context
def _to(context: Context, path: str, **fields: object) -> str:
    """A link that takes along what was chosen: a bank, an entity."""
    return link(path, **{**context.get("carried", {}), **fields})


@pass_context
def _when(context: Context, at: int | None) -> str:
    """A moment in the zone of whoever runs Hermes."""
    if at is None:
        return "never"
    return f"{to_datetime(at).astimezone(context['zone']):%-d %b %Y, %H:%M}"


@pass_context
def _daystamp(context: Context, at: int | None) -> str:
    """The day of a moment as a date field holds it."""
    return "" if at is None else to_datetime(at).astimezone(context["zone"]).date().isoformat()


def render_day(day: date) -> str:
    return f"{day:%A, %-d %B %Y}"


def ago(at: int | None, now: int) -> str:
    """About how long ago a moment was."""
    if at is None:
        return "never"
    passed = now - at
    if passed < MINUTE_MS:
        return "just now" if passed >= 0 else "in the future"
    for size, word in ((365 * DAY_MS, "year"), (30 * DAY_MS, "month"), (DAY_MS, "day")):
        if passed >= size:
            return f"{many(passed // size, word)} ago"
    if passed >= HOUR_MS:
        return f"{many(passed // HOUR_MS, 'hour')} ago"
    return f"{many(passed // MINUTE_MS, 'minute')} ago"


def render_bytes(size: int) -> str:
    amount = float(size)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.2f} GB"
