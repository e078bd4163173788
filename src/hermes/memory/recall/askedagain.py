"""Questions of the user's own that ask what is asked again: they are near it, and answer nothing.

Who asks a second time has the first time found before all else, with all its words. It is told
after what states something, and as no answer; so is a mere word that follows it. Pure.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from hermes.memory.recall.fuse import GIVEN_FROM, LEAST_GIVEN
from hermes.memory.recall.result import Item, Line
from hermes.memory.recall.task import Task, telling_words
from hermes.types import Role

LONGEST = 240  # letters of a message that does nothing but ask
SAME = 0.5  # of the words that are asked for, in a message that asks the same
_LEAD = r"\W*(?:(?:so|and|but|hey|hi|ok|okay|btw|well|sorry|again|quick question|remind me)\b\W*)*"
_ASKS = re.compile(
    rf"{_LEAD}(?:what|what's|when|where|who|whom|whose|which|why|how|do|does|did|is|are|am|was|were"
    r"|can|could|will|would|should|shall|any|anyone|remember)\b"
    # "Had a first look at it" asks nothing.
    rf"|{_LEAD}ha(?:ve|s|d) (?:i|we|you|he|she|they|it|any\w*|(?-i:[A-Z])\w+)\b",
    re.I,
)
# "Did I tell you that we moved?", "do you know I'm a nurse?" say it.
_TELLS = re.compile(
    r"\b(?:did (?:i|we) (?:tell|mention|say)|(?:know|remember|realise|realize|hear) (?:that )?"
    r"(?:i|we)(?:'m|'ve|\s)|remember that)\b",
    re.I,
)
_OF_ASKING = re.compile(
    r"\b(?:ask(?:ed|ing|s)?|questions?|wonder(?:ed|ing)?|wanted to know)\b", re.I
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")


def only_asks(text: str) -> bool:
    """Whether a message asks and states nothing."""
    said = text.strip()
    if len(text) > LONGEST or said.endswith((".", "!")) or not _ASKS.match(said):
        return False
    sentences = [each for each in _SENTENCE_END.split(said) if each.strip()]
    asks = all(_ASKS.match(each) and not each.rstrip().endswith((".", "!")) for each in sentences)
    return bool(sentences) and asks and not _TELLS.search(text)


def put_questions_last(
    task: Task, items: Sequence[Item], terms: Callable[[str], set[str]]
) -> list[Item]:
    """The messages; those that ask what the task asks after the others that are given.

    `terms` are those words of the task that a text holds.
    """
    if _OF_ASKING.search(task.text):
        return list(items)

    def asks_same(line: Line) -> bool:
        is_asked = line.role is Role.USER and only_asks(line.text)
        return is_asked and len(terms(line.text)) >= SAME * wanted() > 0

    @cache
    def wanted() -> int:  # most messages ask nothing: then it is not needed
        return len(terms(task.text))

    def says_nothing(item: Item) -> bool:
        line = item.lines[item.hit]
        if asks_same(line):
            return True
        before = item.lines[item.hit - 1] if item.hit else None
        follows = before is not None and before.role is line.role and asks_same(before)
        return follows and len(telling_words(line.text)) < 2

    last = [i.ref for i in items if i.lines and i.relevance >= GIVEN_FROM and says_nothing(i)]
    if not last:
        return list(items)
    given = [item for item in items if item.relevance >= GIVEN_FROM and item.ref not in last]
    asked = [
        replace(item, relevance=min(item.relevance, float(LEAST_GIVEN)), likely=False)
        for item in items
        if item.ref in last
    ]
    rest = [item for item in items if item.relevance < GIVEN_FROM]
    return [*given, *asked, *rest]
