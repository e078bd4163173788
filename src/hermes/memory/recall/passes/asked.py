"""Facts that a question asks for by what they tell of the user: "where do I live?", "my manager".

Such a question has few words, and the fact that answers it may share none of them; the attribute it
is kept under says what it answers.
"""

import re
from collections.abc import Collection, Iterator

from hermes.memory.facts.candidate import USER
from hermes.memory.recall.belief import Belief
from hermes.memory.recall.task import telling_words
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

NAME = "asked"
RELEVANCE = 0.95
MOST = 8
_ALIKE = (
    frozenset({"location", "city", "home", "address", "hometown", "town"}),
    frozenset({"role", "job", "job title", "title", "position", "occupation", "profession"}),
    frozenset({"employer", "company", "workplace"}),
    frozenset({"manager", "boss", "supervisor", "lead", "team lead", "line manager"}),
    frozenset({"os", "operating system"}),
    frozenset({"child", "children", "kids", "daughter", "son"}),
    frozenset({"pet", "pets", "cat", "dog"}),
)
# What is asked with an attribute without asking for anything else.
_PLAIN = frozenset(
    """name names named called call currently now nowadays days today earlier latest again use uses
    used using have like prefer want need change changed exactly actually""".split()
)
_SAID = (
    (re.compile(r"(?i)\bwhere (?:do|did|am|was) i (?:live|living|based|located)\b"), "location"),
    (re.compile(r"(?i)\bwhat do i do(?: for a living| for work)?\W*$"), "role"),
    (re.compile(r"(?i)\b(?:where (?:do|did)|who do) i work(?: for| at)?\b"), "employer"),
    (re.compile(r"(?i)\bwho(?:m)? (?:do|did) i report to\b"), "manager"),
    (re.compile(r"(?i)\b(?:who am i|what am i called)\W*$"), "name"),
    (re.compile(r"(?i)\bhow old am i\b"), "age"),
    (re.compile(r"(?i)\bwhat am i allergic to\b"), "allergy"),
    *(
        (re.compile(rf"(?i)(?:^|\b(?:me|know|remember|say|tell) ){words}\W*$"), attribute)
        for words, attribute in (  # the whole of what is asked: "where I live", "tell me who I am"
            (r"where i(?:'m| am)? (?:live|living|based|located)", "location"),
            (r"what i do(?: for a living| for work)?", "role"),
            (r"(?:where|who) i work(?: for| at)?", "employer"),
            (r"whom? i report to", "manager"),
            (r"(?:who i am|what i(?:'m| am) called)", "name"),
            (r"how old i am", "age"),
            (r"what i(?:'m| am) allergic to", "allergy"),
        )
    ),
)
_OF_ANOTHER_TIME = r"(?:(?:previous|former|old|last(?! name)|new|current) |ex[ -])?"
_MY = re.compile(rf"(?i)\b(?:my|our) {_OF_ANOTHER_TIME}")
_MINE = re.compile(
    rf"(?i)\b(?:my|our) {_OF_ANOTHER_TIME}"
    r"((?:(?:[\w-]+) ){0,2}[\w-]+)"
)
_WHICH = re.compile(
    r"(?i)\b(?:what|which) ((?:[\w-]+ ){0,2}[\w-]+) (?:do|did|are|am|have) (?:i|we)\b"
)


def read_asked(text: str) -> frozenset[str]:
    """The attributes of the user that a question names, with all that are called otherwise."""
    named = {attribute for pattern, attribute in _SAID if pattern.search(text)}
    for match in _MINE.finditer(text):
        words = match[1].casefold().split()
        named.update(" ".join(words[: end + 1]) for end in range(len(words)))
    for match in _WHICH.finditer(text):  # "which python version": what it is of may be left out
        words = match[1].casefold().split()
        named.update(" ".join(words[start:]) for start in range(len(words)))
    alike = (each for group in _ALIKE for each in group if not group.isdisjoint(named))
    return frozenset((*named, *alike))


def asks_more(text: str, fact: Fact, aside: Collection[str] = ()) -> bool:
    """Whether a question asks for something beside a fact's attribute that the fact does not hold.

    "Which pill does my father take" does, of a father; "who was my boss in March" does not. `aside`
    are words that ask for nothing, such as those of a time.
    """
    if any(pattern.search(text) for pattern, _ in _SAID):
        return False
    own = {word for name in _called(fact.attribute) for word in _stems(name)}
    held = own.union(_stems(fact.text), _PLAIN, aside)
    return any(not _stems(word) <= held for word in telling_words(_MY.sub("", text)))


def _called(attribute: str) -> set[str]:
    """What an attribute is called."""
    groups = (group for group in _ALIKE if attribute in group)
    return {attribute.replace("_", " "), *(name for group in groups for name in group)}


def _stems(text: str) -> set[str]:
    words = re.findall(r"[\w-]+", text.casefold())
    return {word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words}


def asks_of_self(text: str) -> bool:
    """Whether a question asks how the user is: where they live, how old they are."""
    return any(pattern.search(text) for pattern, _ in _SAID)


def search(belief: Belief, text: str, bank: str, *, of_then: bool = False) -> list[Fact]:
    """The newest believed facts of the user that the text asks for.

    Where it asks how something was, what was replaced since is looked at, too (`belief.replaced`).
    """
    attributes = read_asked(text)
    if not attributes:
        return []
    return belief.first(_pages(belief, bank, attributes, of_then=of_then), MOST)


def _pages(
    belief: Belief, bank: str, attributes: frozenset[str], *, of_then: bool
) -> Iterator[list[Fact]]:
    is_now = belief.as_of is None and not of_then
    wanted = FactFilter(
        bank=bank, subject_key=USER, attributes=tuple(sorted(attributes)), current=is_now
    )
    yield belief.tx.facts.list(wanted, MOST * 4)
