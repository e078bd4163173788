"""How facts fare in chats whose authors judged every reading of them.

Run it as `python -m hermes.bench.facts.authors [X ...]`. Each author (`taught/e.*` to `j.*`,
`unseen/k.*` and `l.*`) wrote chats, then what should be remembered of them (`X.gold.jsonl`), then
judged all that can be read there with the gate open (`X.jsonl`); of `m` and `n` only what was kept
is judged. Here the product reads the chats (record, extract, decide, keep), and what it keeps is
looked up among the verdicts. What nobody judged in that wording is counted apart. What a later
message of the chat replaced is history and not held against anyone, if the product closed it.
"""

import json
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from hermes.bench.facts.loader import Conversation, parse_conversations
from hermes.bench.facts.rulings import Key, Word, key_of
from hermes.bench.facts.runner import extract_chat, rule_reader
from hermes.errors import HermesError, NotFound
from hermes.memory.facts.extraction import Reader
from hermes.store.base import Store
from hermes.store.sqlite import Database, open_store

TAUGHT_WITH_GOLD = ("e", "f", "g", "h", "i", "j", "m")
UNSEEN = ("k", "l", "n")
UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Verdict:
    word: Word
    finds: frozenset[str]
    copy_of: Key | None = None


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    chats: tuple[Conversation, ...]
    verdicts: dict[Key, Verdict]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fared:
    """How many readings were kept of each verdict, and which wanted facts they say."""

    author: str
    counts: Counter[str]
    found: int
    gold: int

    def __str__(self) -> str:
        right, junk = self.counts[Word.RIGHT], self.counts[Word.JUNK] + self.counts[Word.COPY]
        judged = right + junk + self.counts[Word.FINE]
        return (
            f"{self.author}: precision {right / max(1, right + junk):.3f}, "
            f"recall {self.found / max(1, self.gold):.3f}, junk {junk / max(1, judged):.3f} "
            f"({judged} judged, {self.counts[Word.COPY]} of them copies; "
            f"{self.counts[UNJUDGED]} nobody judged)"
        )


def load_author(name: str) -> Author:
    folder = _folder(name)
    text = (folder / f"{name}.chats.jsonl").read_text(encoding="utf-8")
    chats = parse_conversations(text, source=f"{name}.chats.jsonl")
    rows = list(_rows(folder / f"{name}.jsonl"))
    verdicts = {_key(row): _verdict(row, rows) for row in rows}
    gold = frozenset(str(row["id"]) for row in _rows(folder / f"{name}.gold.jsonl"))
    return Author(name, tuple(chats), verdicts, gold)


def measure(author: Author, reader: Reader) -> Fared:
    counts: Counter[str] = Counter()
    found: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="hermes-authors-") as folder:
        store = open_store(Database(Path(folder) / "memory.db", secrets.token_bytes(32)))
        for chat in author.chats:
            for word, finds in _kept(store, chat, author, reader):
                counts[word] += 1
                found |= finds
        store.close()
    return Fared(author.name, counts, len(found & author.gold), len(author.gold))


def _kept(
    store: Store, chat: Conversation, author: Author, reader: Reader
) -> Iterator[tuple[str, frozenset[str]]]:
    extraction = extract_chat(store, chat, reader)
    replaced = {old for _, old in extraction.supersessions}
    keys = [key_of(chat.id, fact.message, fact.text) for fact in extraction.facts]
    for place, key in enumerate(keys):
        verdict = author.verdicts.get(key)
        if place in replaced and (verdict is None or verdict.word is Word.JUNK):
            continue
        if verdict is None:
            yield UNJUDGED, frozenset()
        elif verdict.word is Word.COPY and verdict.copy_of not in keys:
            original = author.verdicts.get(verdict.copy_of) if verdict.copy_of else None
            yield Word.RIGHT, original.finds if original else frozenset()
        else:
            yield verdict.word, verdict.finds


def _verdict(row: dict[str, object], rows: Sequence[dict[str, object]]) -> Verdict:
    finds = row.get("finds", [])
    labels = frozenset(map(str, finds)) if isinstance(finds, list) else frozenset[str]()
    same = (r for r in rows if r["chat"] == row["chat"] and r["reading"] == row.get("copy_of"))
    original = next(same, None)
    copied = None if original is None else _key(original)
    return Verdict(Word(str(row["verdict"])), labels, copied)


def _key(row: dict[str, object]) -> Key:
    return key_of(str(row["chat"]), int(str(row["message"])), str(row["reading"]))


def _rows(file: Traversable) -> Iterator[dict[str, object]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _folder(name: str) -> Traversable:
    if name not in (*TAUGHT_WITH_GOLD, *UNSEEN):
        known = ", ".join((*TAUGHT_WITH_GOLD, *UNSEEN))
        raise NotFound(f"There is no author {name!r} with gold facts.", f"There are {known}.")
    folder = "unseen" if name in UNSEEN else "taught"
    return resources.files("hermes.bench.facts") / folder


def main(names: Sequence[str]) -> None:
    reader, fared = rule_reader(), list[Fared]()
    for name in names or UNSEEN:
        fared.append(measure(load_author(name), reader))
        sys.stdout.write(f"{fared[-1]}\n")
    counts = sum((each.counts for each in fared), Counter[str]())
    found, gold = sum(each.found for each in fared), sum(each.gold for each in fared)
    sys.stdout.write(f"{Fared('all', counts, found, gold)}\n")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except HermesError as error:
        sys.exit(f"error: {error.message}\nhint: {error.hint}")
