"""Who or what a clause is about: the user, the team, a person, something owned, a name, a thing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.clauses.lexicon import KIN_PLURAL, RELATIONS
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.tokens import Token

_OWN_BARE = ("mum", "mom", "dad", "grandma", "grandpa", "husband", "wife", "hubby")
_FOR_GOOD = frozenset("favourite favorite go-to preferred default usual".split())
_OF_TALK = frozenset("part thing way idea point option version example reason case".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what a clause is about.

    kind: user, team, you, person (he, she, my sister), own (my laptop, our API), name (Atlas, Tom),
    thing (the lease, deploys), it, who (which, who), none.
    """

    kind: str = "none"
    words: Words = ()
    owner: str = ""
    noun: str = ""
    name: str = ""

    @property
    def text(self) -> str:
        return spell(self.words)


def read_subject(words: Words) -> Subject:
    if [token.low for token in words[:3]] == ["from", "now", "on"]:
        words = words[3:]
    owned = bool(words) and words[0].tag == "POSS"  # "my back": no adverb after its owner
    words = tuple(
        token
        for index, token in enumerate(words)
        if (token.tag not in {"ADV", "INTJ"} or _is_kept(words, index, owned=owned))
        and token.text != ","
    )
    if not words or all(token.tag in {"PREP", "CONJ"} for token in words):
        return Subject()
    first, last = words[0], words[-1]
    if first.low in {"this", "that", "these", "those"} and len(words) > 1:
        return Subject("other", words, noun=_head(words))
    if last.tag == "PRON" or first.tag == "PRON":
        pronoun = last if last.tag == "PRON" else first
        kinds = {
            "i": "user",
            "we": "team",
            "you": "you",
            "he": "person",
            "she": "person",
            "they": "person",
            "who": "who",
            "it": "it",
            "this": "it",
            "that": "it",
        }
        if words[:-1] and last.low == "i":
            return Subject("team", words, noun="we")  # "my wife and i"
        if pronoun.low == "everything":
            return Subject("thing", words, noun="everything")
        return Subject(kinds.get(pronoun.low, "other"), words, noun=pronoun.low)
    if first.low in {"which", "what"} and len(words) == 1:
        return Subject("who", words)
    return noun_subject(words)


def _is_kept(words: Words, index: int, *, owned: bool) -> bool:
    """ "my back", "my home laptop", "the printer at home", "the weekly report": no adverb."""
    before = words[index - 1].tag if index else ""
    within = before in {"DET", "POSS", "ADJ"} and words[index].low.endswith("ly")
    if within and index + 1 < len(words) and words[index + 1].tag == "NOUN":
        return True
    at_home = words[index].low == "home" and (before == "PREP" or (owned and before == "POSS"))
    return at_home or (owned and index == len(words) - 1)


def noun_subject(words: Words) -> Subject:
    """The subject a noun phrase makes: whose it is, its head noun, and a name beside it."""
    if len(words) > 1 and words[0].low in {"all", "both", "most"} and words[1].tag == "POSS":
        words = words[1:]
    if len(words) > 3 and words[0].low == "one" and words[1].low == "of" and words[2].tag == "POSS":
        one = KIN_PLURAL.get(words[3].low, words[3].text)  # "one of my students, Ilyas"
        words = (words[2], replace(words[3], text=one), *words[4:])
    first = words[0]
    owner = {
        "my": "user",
        "our": "team",
        **dict.fromkeys(_OWN_BARE, "user"),
    }.get(first.low, "")
    core = [t for t in words if t.tag not in {"POSS", "DET"}]
    head = _head(core)
    name = spell([t for t in core if t.tag == "NAME" and t.low not in RELATIONS])
    if owner:
        relation = next(
            (
                t.low
                for n, t in enumerate(core)
                if (t.low in RELATIONS or t.low in KIN_PLURAL)
                and (n + 1 == len(core) or core[n + 1].tag != "NOUN")
            ),
            "",
        )
        owned_thing = any(t.tag == "GEN" for t in core)
        if relation and not owned_thing:
            return Subject("person", words, owner, KIN_PLURAL.get(relation, relation), name)
        return Subject("own", words, owner, head, name)
    if any(t.tag == "POSS" for t in words[:1]):
        return Subject("other", words, noun=head)
    if len(core) > 1 and core[-1].tag == "NAME" and core[-2].low in RELATIONS | {"one"}:
        return Subject("name", words, noun=core[-2].low, name=core[-1].text)
    plain = [t for t in core if t.tag == "NAME"]
    if first.tag == "DET" and len(core) == 1 and core[0].text.isupper():
        return Subject("thing", words, noun=head, name="")
    if plain and all(
        t.tag in {"NAME", "NUM"}
        or t.low in {"and", "&", "from", "project"}
        or (t.tag == "NOUN" and core.index(t) > 0)
        for t in core
    ):
        return Subject("name", words, noun=head, name=spell(plain))
    return Subject("thing", words, noun=head, name=name)


def is_for_good(subject: Subject) -> bool:
    """ "my go-to lunch", "the default branch": not the one of this hour."""
    lasting = any(t.low in _FOR_GOOD for t in subject.words)
    return lasting and subject.noun not in _OF_TALK


def _head(core: Sequence[Token]) -> str:
    """The last noun before a preposition."""
    head = ""
    for token in core:
        if token.tag == "PREP":
            break
        if token.tag in {"NOUN", "NAME", "VERB"}:
            head = token.low
    return head
