"""REFLECTIONS.md: the reflections for people to read, between two marks; all else is theirs.

Hermes renews what stands between its marks and touches nothing around them. A line that somebody
changed or added between the marks is moved below them, so that no hand edit is lost.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from hermes.clock import to_datetime
from hermes.config.files import locked, make_private_dir, write_atomic
from hermes.errors import Conflict
from hermes.memory.notes.files import load_notes
from hermes.types import Reflection

MOST_LINES = 500
_ATTEMPTS = 5
_TITLE = "# Reflections\n\n"
_BLOCK = re.compile(
    r"^<!-- hermes:reflections(?P<marks>[^\n>]*) -->\n(?P<body>.*?)^<!-- /hermes -->\n?",
    re.M | re.S,
)


def render_reflection(reflection: Reflection) -> str:
    """One line: what failed is a warning, and how often each was seen stands behind it."""
    sign = "Warning: " if reflection.is_warning else ""
    counts = f"worked {reflection.successes}×, failed {reflection.failures}×"
    then = f" {reflection.next_time}" if reflection.next_time else ""
    day = f"{to_datetime(reflection.updated_at):%Y-%m-%d}"
    text = f"{sign}{_ended(reflection.lesson)}{then} ({counts}, {day}, reflection:{reflection.id})"
    return " ".join(text.split())


def render_block(reflections: Sequence[Reflection]) -> str:
    """All of them by type of task, what was met most often first."""
    lines: list[str] = []
    shown = [each for each in reflections if not each.held][:MOST_LINES]
    for kind in sorted({each.task_type for each in shown}):
        lines += ["", f"## {kind}", ""]
        own = [each for each in shown if each.task_type == kind]
        own.sort(key=lambda each: (-(each.successes + each.failures), -each.id))
        lines += [f"- {render_reflection(each)}" for each in own]
    return "\n".join(lines).strip()


def project(text: str, block: str) -> str:
    """The page with the block renewed."""
    found = _BLOCK.search(text)
    own = text[: found.start()] + text[found.end() :] if found else text
    by_hand = _hand_written(found) if found else []
    marks = " ".join(_mark(line) for line in block.split("\n") if line.strip())
    written = f"<!-- hermes:reflections {marks} -->\n{block}\n<!-- /hermes -->\n"
    kept = "\n".join(by_hand)
    before, after = (text[: found.start()], text[found.end() :]) if found else (own, "")
    if not before.strip() and not found:
        before = _TITLE
    elif not found:
        before = before.rstrip("\n") + "\n\n"
    return before + written + (f"\n{kept}\n" if kept else "") + after


def save_page(path: Path, reflections: Sequence[Reflection]) -> bool:
    """Bring the page on disk up to date; whether that changed it."""
    block = render_block(reflections)
    make_private_dir(path.parent)
    with locked(path.with_name(f".{path.name}.lock")):
        for _ in range(_ATTEMPTS):
            text = load_notes(path)
            if not block and not text:
                return False
            page = project(text, block)
            if page == text:
                return False
            if load_notes(path) == text:
                write_atomic(path, page)
                return True
    raise Conflict(f"{path.name} kept changing under our hands.", "Close the editor and try again.")


def _hand_written(found: re.Match[str]) -> list[str]:
    ours = set(found["marks"].split())
    lines = [line for line in found["body"].split("\n") if line.strip()]
    return [line for line in lines if _mark(line) not in ours]


def _mark(line: str) -> str:
    return hashlib.sha256(line.strip().encode()).hexdigest()[:6]


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
