"""Chats by four authors without labels, but with a verdict on all that could be read of them.

To check the gate by; README.md of `bench.facts` says how they were written and judged.
"""

import json
from functools import cache
from importlib.resources import files

from hermes.bench.facts.loader import Conversation, parse_conversations
from hermes.bench.facts.rulings import Word

AUTHORS = ("a", "b", "c", "d")

Verdicts = dict[tuple[str, int, str], Word]
"""What becomes of a reading, by its chat, the place of its message and its words."""


@cache
def load_judged(author: str) -> tuple[tuple[Conversation, ...], Verdicts]:
    """The chats of an author, and the verdicts."""
    here = files("hermes.bench.facts.judged")
    chats = (here / f"{author}.chats.jsonl").read_text("utf-8")
    rows = map(json.loads, (here / f"{author}.rulings.jsonl").read_text("utf-8").splitlines())
    verdicts = {(row["chat"], row["message"], row["reading"]): Word(row["verdict"]) for row in rows}
    return parse_conversations(chats, source=f"{author}.chats.jsonl"), verdicts
