"""What a proof looks for: every text that was erased, by the phrases that tell it from others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hermes.memory.erase.plan import Plan
from hermes.memory.erase.texts import iter_texts
from hermes.memory.erase.traces import Traces
from hermes.memory.erase.words import ECHO_WORDS, Phrases, Words, echoes, is_short
from hermes.store.base import Tx
from hermes.store.base.erase import TextKind

MOST_WORDS = 12
MOST_PIECES = 40
_SAYING = (TextKind.MESSAGE, TextKind.FACT, TextKind.REFLECTION)
_STAYING = (TextKind.MESSAGE, TextKind.ARCHIVE, TextKind.FACT)


@dataclass(frozen=True, slots=True)
class Sought:
    """Phrases of each text, the one it is known by first; `asked` are those a person named, and
    `common` texts cannot be told from what stays, which says them, too.
    """

    texts: tuple[tuple[Words, ...], ...]
    asked: tuple[Words, ...] = ()
    common: int = 0

    @property
    def phrases(self) -> list[Words]:
        return list(dict.fromkeys(phrase for text in self.texts for phrase in text))

    @property
    def known_by(self) -> list[Words]:
        return list(dict.fromkeys(text[0] for text in self.texts))


def sought_words(phrases: Iterable[Words]) -> Sought:
    asked = tuple(phrase for phrase in phrases if phrase)
    return Sought(tuple((phrase,) for phrase in asked), asked)


def list_sought(plan: Plan) -> Sought:
    """The words that were asked for, and each erased text that those words do not find, or find
    only where they cannot be told from chance; and the names that nothing says any more.
    """
    wanted = Phrases(phrase for phrase in plan.wanted if not is_short(phrase))
    said = [row.texts[0] for kind in _SAYING for row in plan.rows.get(kind, {}).values()]
    pieces = [_pieces(text) for text in dict.fromkeys(said) if not wanted.is_in(text)]
    asked = sought_words(plan.wanted)
    names = tuple((name,) for name in plan.names if not wanted.is_in(" ".join(name)))
    return replace(asked, texts=(*asked.texts, *(each for each in pieces if each), *names))


def tell_apart(tx: Tx, sought: Sought) -> Sought:
    """Without short texts that what stays says as well ("thank you"), or that are a few letters;
    all of them where there is nothing else to look for.
    """
    short = {text[0] for text in sought.texts if len(text[0]) < ECHO_WORDS} - set(sought.asked)
    if not short:
        return sought
    common = {phrase for phrase in short if is_short(phrase)}
    common |= _said_by_what_stays(tx, short - common)
    left = tuple(text for text in sought.texts if text[0] not in common)
    if not left:
        return sought
    return replace(sought, texts=left, common=len(sought.texts) - len(left))


def _said_by_what_stays(tx: Tx, phrases: set[Words]) -> set[Words]:
    traces = Traces(phrases)
    staying = (row.texts[0] for kind in _STAYING for row in iter_texts(tx, kind))
    return {phrase for text in staying for phrase in traces.list_in(text)} if traces else set()


def _pieces(text: str) -> tuple[Words, ...]:
    """The beginning of a text, and of some of its sentences, spread over all of it."""
    whole, *sentences = echoes(text)
    step = max(1, -(-len(sentences) // (MOST_PIECES - 1)))
    chosen = [whole, *sentences[::step], *sentences[-1:]]
    return tuple(dict.fromkeys(_cut(chosen)))


def _cut(phrases: Iterable[Words]) -> Iterator[Words]:
    return (phrase[:MOST_WORDS] for phrase in phrases if phrase)
