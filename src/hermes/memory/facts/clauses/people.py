"""Who is who: "my sister Ana", "two cats, Milo and Otis", "Jorge (my co-founder)".

That there is such a person is taken for granted even in a question, so every clause is read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    KIN_MANY,
    KIN_ONE,
    KIN_PLURAL,
    PETS,
    RELATIONS,
    ROLE_NOUNS,
)
from hermes.memory.facts.clauses.relations import head_of, relation_at
from hermes.memory.facts.clauses.slots import list_items, spell
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.wording import render
from hermes.types import FactKind

_OWN = frozenset({"my", "our"})
_LIKED = frozenset("favourite favorite fave fav preferred go-to".split())
_FAMILY = frozenset("wife husband kids children daughter son daughters sons twins".split())
_SHORT = {"gf": "girlfriend", "bf": "boyfriend", "hubby": "husband"}
_MANAGERS = frozenset({"boss", "manager"})
_HAVING = frozenset("have 've got adopted had has own bought rescued foster keep".split())
_SEVERAL = frozenset("two three four five six both several".split())


def find_people(words: Sequence[Token], asides: Sequence[Sequence[Token]] = ()) -> list[Candidate]:
    """Everyone who is introduced in these words."""
    found = [*_beside_nouns(words), *_before_nouns(words), *_in_asides(words, asides)]
    return list({(each.attribute, each.value): each for each in found}.values())


def _beside_nouns(words: Sequence[Token]) -> Iterator[Candidate]:
    for index, token in enumerate(words):
        relation = KIN_PLURAL.get(token.low, token.low)
        role = relation in ROLE_NOUNS and any(
            t.low in _OWN for t in words[max(0, index - 3) : index]
        )
        if not (relation in RELATIONS or role) or (
            index + 1 < len(words) and words[index + 1].tag == "GEN"
        ):
            continue
        if any(t.low in _LIKED for t in words[max(0, index - 2) : index]):
            continue  # "my favourite composer is Arvo Pärt": liked, not known
        if not _is_introduced(words, index, relation):
            continue
        relation = relation_at(words, index)
        names = list(_names_after(words, index + 1, several=token.low in KIN_PLURAL))
        if token.low in KIN_PLURAL and len(names) == 1:
            names = [] if index and words[index - 1].low in _SEVERAL else names
        for name in names if relation else ():
            yield person(relation, name)


def _before_nouns(words: Sequence[Token]) -> Iterator[Candidate]:
    """ "Salma, our designer, …", "Piotr, my brother in law"."""
    for index, token in enumerate(words[:-2]):
        if token.tag == "NAME" and words[index + 1].text == "," and words[index + 2].low in _OWN:
            relation = _whole(words[index + 3 : index + 8])
            if relation and values.is_person([token]):
                yield person(relation, token.text)


def _whole(phrase: Sequence[Token]) -> str:
    """What "my …" names: nothing where it is somebody else's ("my father's brother")."""
    named = values.role_words(phrase)
    place = next((n for n, t in enumerate(named) if t.low in RELATIONS | ROLE_NOUNS), -1)
    while 0 <= place < len(named) - 1 and named[place + 1].low in RELATIONS | ROLE_NOUNS:
        place += 1  # "my coach trainer"
    if place < 0 or any(t.tag == "GEN" for t in named):
        return ""
    return relation_at(named, place)


def _is_introduced(words: Sequence[Token], index: int, relation: str) -> bool:
    """Owned by the speaker ("my older sister"), had ("I have a brother"), or a pet with a name."""
    after = words[index + 1] if index + 1 < len(words) else None
    listed = index == 0 or words[index - 1].text in {",", "and", ":"}
    if listed and after is not None and after.tag == "NAME" and words[index].low in _FAMILY:
        return values.is_person([after])
    for back in range(index - 1, max(-1, index - 5), -1):
        token = words[back]
        if token.low in _OWN:
            return True
        if token.tag in {"DET", "NUM"}:
            before = {t.low for t in words[:back]}
            had = bool(before & _HAVING) and bool(before & {"i", "we"})
            listed = bool(before & _OWN) or (
                relation in KIN_ONE and token.low == "the" and _is_naming(words, index + 1)
            )
            pet = relation in PETS and _is_named_after(words, index)
            return had or listed or (pet and _is_bare(words[:back]))
        if token.tag not in {"ADJ", "NOUN", "NAME", "VERB", "ADV"}:
            return False
    if after is None or not all(_is_lead(t) for t in words[: _start_of(words, index)]):
        return False
    return after.text == ":" or _is_told_bare(words, index, relation)


def _start_of(words: Sequence[Token], index: int) -> int:
    """Where the phrase begins of which a noun is the head."""
    while index and words[index - 1].tag in {"ADJ", "NOUN", "VERB"}:
        index -= 1
    return index


def _is_lead(token: Token) -> bool:
    return token.tag in {"INTJ", "PUNCT", "CONJ", "ADV"}


def _is_told_bare(words: Sequence[Token], index: int, relation: str) -> bool:
    """ "manager is Henrike": nobody's but the speaker's, where nobody else is spoken of."""
    linked = words[index + 1].low in {"is", "'s", "="} and relation in RELATIONS
    return linked and _is_naming(words, index + 1)


def _is_bare(before: Sequence[Token]) -> bool:
    """Whether nothing but the animal is named: "a dog called Bruno", and not "I met a dog …"."""
    return not any(t.tag in {"VERB", "BE", "HAVE", "AUX", "NAME"} for t in before)


def _is_named_after(words: Sequence[Token], index: int) -> bool:
    return any(t.low in {"named", "called"} for t in words[index + 1 : index + 4])


def _names_after(words: Sequence[Token], start: int, *, several: bool) -> Iterator[str]:  # noqa: C901 - one case after the other
    index = start
    called = next(
        (
            n
            for n in range(start, min(start + 6, len(words)))
            if words[n].low in {"called", "named"}
        ),
        -1,
    )
    if called >= 0 and start < len(words) and words[start].low in {"is", "'s"}:
        index = called
    if [t.low for t in words[index : index + 2]] == ["in", "law"]:
        index += 2
    while index < len(words) and (
        words[index].low in {"named", "called", ",", ":", "is", "are"} or words[index].tag == "ADV"
    ):
        if words[index].low in {"is", "are"} and not _is_naming(words, index):
            return
        index += 1
    while index < len(words):
        end = index
        while end < len(words) and end - index < 3 and words[end].tag == "NAME":
            end += 1
        if end == index or not values.is_person(words[index:end]):
            return
        yield spell(words[index:end])
        if end < len(words) and words[end].tag == "NUM":
            end += 1  # "Zuzia 11, Franek 8"
        if not several or end >= len(words):
            return
        if words[end].text not in {",", "and", "&"}:
            return
        index = end + 1
        while index < len(words) and words[index].low == "and":
            index += 1


def _is_naming(words: Sequence[Token], index: int) -> bool:
    """ "my boss is Ilse" names; "my sister is Dutch" does not."""
    following = [t for t in words[index + 1 : index + 6] if t.low.strip(".") not in _TITLES]
    while following and following[0].low in {"now", "actually", "currently"}:
        following.pop(0)
    return bool(following) and (
        following[0].low in {"called", "named"}
        or (
            following[0].tag == "NAME"
            and values.is_person(following[:1])
            and (
                len(following) == 1
                or following[1].tag in {"NAME", "ADV", "PUNCT", "CONJ", "INTJ"}
                or following[1].low == "and"
            )
        )
    )


_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "herr", "frau"})


def _in_asides(words: Sequence[Token], asides: Sequence[Sequence[Token]]) -> Iterator[Candidate]:
    """ "Jorge (my co-founder)", "my physio (Callum)", "a family of four (husband Jan, …)"."""
    for aside in asides:
        yield from _beside_nouns(aside)
        yield from _named_aside(words, aside)
        yield from _children(words, aside)
        if [t.low for t in aside[:1]] == ["the"] and [t.low for t in aside[1:]] in _THE_PETS:
            if words and values.is_person(words[:1]) and words[0].tag == "NAME":
                yield person(aside[1].low, words[0].text)  # "Pixel says thanks (the cat)"
        elif len(aside) >= 2 and aside[0].low in _OWN and (relation := _whole(aside[1:])):
            names = [t for t in words if t.end <= aside[0].start and t.tag == "NAME"][-1:]
            if names and values.is_person(names):
                yield person(relation, names[0].text)


_THE_PETS = [[pet] for pet in sorted(PETS)]


def _children(words: Sequence[Token], aside: Sequence[Token]) -> Iterator[Candidate]:
    """ "3 kids (Mila 9, Jonte 6, baby Ove)", each by name."""
    before = [t for t in words if aside and t.end <= aside[0].start]
    if not before or before[-1].low not in _FAMILY or before[-1].low not in KIN_PLURAL:
        return
    lead = before[:-1]
    had = {t.low for t in lead} & (_OWN | _HAVING) or all(t.tag in {"NUM", "INTJ"} for t in lead)
    if not had or any(t.tag == "POSS" and t.low not in _OWN for t in lead):
        return
    for part in list_items(tuple(aside)):
        names = [t for t in part if t.tag == "NAME"]
        others = [t for t in part if t.tag not in {"NAME", "NUM"}]
        if names and values.is_person(names) and all(t.low in _SMALL for t in others):
            child = "baby" if others else KIN_PLURAL[before[-1].low]
            age = next((t.text for t in part if t.tag == "NUM"), "")
            found = person(child, spell(names))
            yield replace(found, text=f"{found.text} ({age})") if age else found


_SMALL = frozenset({"baby", "little"})


def _named_aside(words: Sequence[Token], aside: Sequence[Token]) -> Iterator[Candidate]:
    """ "my physio (Callum)": the name of whom the words before it speak of."""
    named = bool(aside) and len(aside) <= 2 and all(t.tag == "NAME" for t in aside)
    before = [t for t in words if aside and t.end <= aside[0].start][-4:]
    bare = len(before) == 1 and before[0].low in KIN_ONE  # "husband (Tarek) does mornings"
    if not named or not before or not (bare or any(t.low in _OWN for t in before[:-1])):
        return
    owner = next((n for n, t in enumerate(before) if t.low in _OWN), -1)
    relation = _whole(before[owner + 1 :]) if before[-1].low in RELATIONS | ROLE_NOUNS else ""
    if relation and values.is_person(list(aside)):
        yield person(relation, spell(aside))


_LONGEST_RELATION = 3  # words
_LETTERS = frozenset("cto ceo cfo coo pm vp gp".split())


def person(relation: str, name: str) -> Candidate:
    """The fact that someone is related to the user in some way."""
    relation = _SHORT.get(relation, relation)
    head = head_of(relation)
    single = head not in KIN_MANY | PETS
    attribute = relation.lower() if single else "pet" if head in PETS else head
    attribute = "manager" if relation in _MANAGERS else attribute
    shown = relation.upper() if relation in _LETTERS else relation
    return Candidate(
        f"User's {shown} is {name}", FactKind.RELATIONSHIP, USER, attribute, name, single=single
    )


def _at(someone: Candidate, frame: Frame) -> Candidate:
    """ "our contact at Corvid": whose they are."""
    slot = frame.slot("at")
    if slot is None or not values.names_in(slot.words):
        return someone
    text = someone.text.replace(" is ", f" at {spell(values.core(slot.words))} is ", 1)
    return replace(someone, text=text)


def find_named(frame: Frame) -> list[Candidate]:
    """ "Ingrid is my therapist", "the boss's name is Radka", "client is called Zephyr Textiles"."""
    words, subject = list(frame.rest), frame.subject
    if frame.verb == "be" and frame.tense == "present" and not frame.negated and words:
        if subject.kind == "name" and words[0].low in _OWN:
            return _is_mine(frame)
        return _is_name_of(frame)
    if frame.verb in {"call", "name"} and frame.passive and subject.noun in RELATIONS:
        name, relation = spell(frame.object), _whole(values.core(subject.words))
        if name[:1].isupper() and relation:
            return [person(relation, name)]
    return []


def _is_mine(frame: Frame) -> list[Candidate]:
    """ "Ingrid is my therapist"; but "Leila is my colleague's sister" tells of the sister."""
    words, subject = list(frame.rest), frame.subject
    named = values.role_words(words)
    someone = values.is_person(values.names_in(subject.words))
    if not someone or any(t.tag == "GEN" for t in named):
        return []
    relation = _whole(named)
    known = any(t.low in RELATIONS for t in named) and len(named) <= _LONGEST_RELATION
    if relation and known and (words[0].low == "my" or not values.is_role(words)):
        return [_at(person(relation, subject.name), frame)]
    role = re.sub(r"^(?:new|current|old) ", "", spell([t for t in named if t.low not in _OWN]))
    if not role or not values.is_role(words):
        return []
    told = f"{subject.name} is the team's {role}"
    return [Candidate(told, FactKind.RELATIONSHIP, subject.name, "role", role)]


def _is_name_of(frame: Frame) -> list[Candidate]:
    """ "the boss's name is Radka"; of "my sister's boss's name" the sister is no part."""
    words, subject = list(frame.rest), frame.subject.words
    owner = [n for n, t in enumerate(subject) if t.tag == "GEN"]
    named = len(owner) == 1 and [t.low for t in subject[owner[0] + 1 :]] == ["name"]
    relation = _whole(values.core(subject[: owner[0]])) if named else ""
    if not relation or head_of(relation) not in RELATIONS or not values.is_person(words[:1]):
        return []
    end = next((n for n, t in enumerate(words) if t.tag != "NAME"), len(words))
    return [person(relation, spell(words[: end or 1]))]


def find_successor(frame: Frame) -> list[Candidate]:
    """ "prof Okonkwo took over as my supervisor": who is it from then on."""
    began = frame.verb in {"take", "come", "start"} and frame.tense in {"past", "perfect"}
    post, subject = frame.slot("as"), frame.subject
    if not began or frame.negated or post is None or subject.kind != "name":
        return []
    owned = bool(post.words) and post.words[0].low in _OWN
    relation = _whole(post.words[1:]) if owned else ""
    someone = values.is_person(values.names_in(subject.words))
    if not (relation and head_of(relation) in RELATIONS and someone):
        return []
    told = render(frame)
    return [replace(person(relation, subject.name), text=told[:1].upper() + told[1:])]


def says_more(frame: Frame, people: Sequence[Candidate]) -> bool:
    """Whether a clause that names people tells something else, too."""
    named = " ".join(each.value for each in people)
    if frame.verb in {"be", "call", "name", ""}:
        owned = frame.verb == "be" and bool(frame.subject.owner)  # "my daughter Tilda is six"
        told = owned and not values.names_in(frame.rest)
        return told and bool(people) and all(e.value in frame.subject.text for e in people)
    return any(t.tag in {"NAME", "NUM"} and t.text not in named for t in frame.words)
