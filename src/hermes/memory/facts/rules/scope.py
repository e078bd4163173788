"""Whose attribute it is: the user's team, or the project, environment or product it is said of."""

import re

from hermes.memory.facts.candidate import USER
from hermes.memory.facts.rules.grammar import short
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, tool_purpose

_FOR_NAME = re.compile(
    r"\s+(?:for|on|in|at|across)\s+(?:(?:the|our|project)\s+)?"
    r"(?P<name>(?-i:[A-Z])[\w.-]*(?:\s(?-i:[A-Z\d])[\w.-]*){0,2})(?:\s+(?:project|app|"
    r"service|repo|team))?"
    r"(?P<rest>.*)$",
    re.I,
)
_LEADING = re.compile(
    r"(?:for|on|in|at)\s+(?:(?:the|our|"
    r"project)\s+)?(?P<name>(?-i:[A-Z])[\w.-]*(?:\s(?-i:[A-Z\d])[\w.-]*)?)"
    r"(?:\s+(?:project|app|service|repo|team))?\s*,?\s+(?=(?:we|i|our|the)\b)",
    re.I,
)
_FOR_PURPOSE = re.compile(
    r"\s+(?:for|as)\s+(?:(?:the|our|my|all|an?|its|their)\s+)?(?P<purpose>[\w/ -]{2,40}?)$", re.I
)
_CALENDAR = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|"
    r"q[1-4]\b|english\b)",
    re.I,
)


def split_scope(value: str) -> tuple[str, str]:
    """ "Postgres for Atlas" → ("Postgres", "Atlas"); without a name the subject is the user."""
    found = _FOR_NAME.search(value)
    if found and _is_scope(found["name"]):
        return (value[: found.start()] + _kept(found["rest"])).strip(), found["name"]
    return value, USER


def _is_scope(name: str) -> bool:
    known = tool_purpose(name) or name.lower() in PURPOSE_WORDS
    return not known and not _CALENDAR.match(name)


def _kept(rest: str) -> str:
    return rest if re.match(r"\s+(?:from|instead|rather|over|and|not)\b", rest) else ""


def leading_scope(text: str) -> tuple[str, str]:
    """ "On Atlas we use Flask" → ("we use Flask", "Atlas")."""
    found = _LEADING.match(text)
    if found and _is_scope(found["name"]):
        return text[found.end() :], found["name"]
    return text, USER


def split_purpose(value: str) -> tuple[str, str]:
    """ "Redis as our cache" → ("Redis", "cache"); the purpose as an attribute, or blank."""
    found = _FOR_PURPOSE.search(value)
    if not found:
        return value, ""
    purpose = short(found["purpose"]).lower()
    if re.match(
        r"(?:\d|about|almost|over|many|years|months|ages|a while|now|work$|everything$|"
        r"this|that|me$|it$)",
        purpose,
    ):
        return value[: found.start()].strip(), ""
    return value[: found.start()].strip(), PURPOSE_WORDS.get(purpose, purpose)


def whose(subject: str) -> str:
    return "User's team" if subject == USER else subject


_CONTRAST = re.compile(
    r"(?:,\s*(?:and\s+|definitely\s+)?|"
    r"(?<!\bdo)(?<!\bdoes)(?<!\bis)(?<!\bam)(?<!\bare)(?<!\bwill)(?<!\bcan)"
    r"(?<!\bhave)(?<!\bhas)(?<!\bdid)(?<!\bwas)(?<!\bif)(?<!\bwhy)(?<!\bor)\s+)not\s+"
    r"(?P<old>(?:(?:an?|the|in|on|at|with)\s+)?[\w.+#@/'-]+(?:\s[\w.+#@/'-]+){0,3})$",
    re.I,
)


def split_contrast(text: str) -> tuple[str, str]:
    """ "GitLab CI, not GitHub Actions" → ("GitLab CI", "GitHub Actions")."""
    found = _CONTRAST.search(text)
    if not found or found.start() < 5:
        return text, ""
    old = re.sub(r"^(?:an?|the|in|on|at|with)\s+", "", found["old"], flags=re.I)
    return text[: found.start()].rstrip(" ,"), short(old)
