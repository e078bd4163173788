"""What in a message is prose and what is material (code, logs, tables), which becomes its gist."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes.guard.fence import strip_fences

SHORT_OUTPUT_CHARS = 160
GIST_LINES = 3
LINE_CHARS = 110
NAMES = 5
LOG_RUN = 3

# No fence in what follows a fence on its line, or a megabyte of them would take hours.
_FENCE = re.compile(r"(```|~~~)(?P<lang>[\w+#-]*)[^`~\n]*\n(?P<body>.*?)(?:\1|\Z)", re.S)
_LOG_LINE = re.compile(
    r"""\s*(?:[>|+]|\[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d|\[?\d\d:\d\d:\d\d
    |\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b|Traceback\ \(|File\ "
    |at\ [\w.$<>]+\(|[\w.]*(?:Error|Exception|Warning):|\$\ |>>>\ |@@|\+\+\+|---|===
    |diff\ --git)""",
    re.X,
)
_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|struct|interface|enum|type|const|let|var|table|view|index)\s+"
    r"(?:if\s+not\s+exists\s+)?([A-Za-z_][\w.]{2,40})",
    re.I,
)
_TELLING_LINE = re.compile(
    r"error|exception|fail|fatal|denied|refused|timeout|not found|warning|passed|total|success|"
    r"done in|finished|real\s|version|created|deployed|exit",
    re.I,
)
_RULE = re.compile(r"[=\-_*#~]{4,}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a message: prose, or the gist of material."""

    text: str
    prose: bool


def split_matter(text: str, *, is_output: bool = False) -> list[Piece]:
    """A message as prose and gists, in order; `is_output` for what a tool gave back."""
    text = strip_fences(text).strip()
    if is_output:
        return [Piece(gist_of(text, "output"), prose=False)] if text else []
    found: list[Piece] = []
    place = 0
    for block in _FENCE.finditer(text):
        found += _prose_and_logs(text[place : block.start()])
        found.append(Piece(gist_of(block["body"], block["lang"] or "code"), prose=False))
        place = block.end()
    found += _prose_and_logs(text[place:])
    return [piece for piece in found if piece.text.strip()]


def gist_of(text: str, label: str) -> str:
    """Material in a line: all of it if it is short, else what it defines or its telling lines."""
    flat = " ".join(_RULE.sub(" ", text).split())
    if len(flat) <= SHORT_OUTPUT_CHARS:
        return flat
    lines = [" ".join(_RULE.sub(" ", line).split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    names = list(dict.fromkeys(_DEFINED.findall(text)))[:NAMES]
    told = [line[:LINE_CHARS] for line in lines if _TELLING_LINE.search(line)]
    said = list(dict.fromkeys([*names, *told[: GIST_LINES - 1], *told[-1:]]))
    if not said:
        said = [line[:LINE_CHARS] for line in (lines[0], lines[-1])]
    return f"[{label}, {len(lines)} lines: {'; '.join(said)}]"


def _prose_and_logs(text: str) -> Iterator[Piece]:
    """Runs of lines that no person writes are a log, all else is prose."""
    kept: list[str] = []
    run: list[str] = []
    for line in [*text.splitlines(), None]:
        if line is not None and _LOG_LINE.match(line):
            run.append(line)
            continue
        if len(run) >= LOG_RUN:
            yield from _as_prose(kept)
            kept = []
            yield Piece(gist_of("\n".join(run), "log"), prose=False)
        else:
            kept += run
        run = []
        if line is not None:
            kept.append(line)
    yield from _as_prose(kept)


def _as_prose(lines: list[str]) -> Iterator[Piece]:
    text = "\n".join(lines).strip()
    if text:
        yield Piece(text, prose=True)
