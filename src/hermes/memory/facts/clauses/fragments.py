"""What is said without a verb: introductions, labels, "Postgres it is", "no Friday deploys"."""

import re
from collections.abc import Iterator, Sequence

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame, list_items, spell, split_slots
from hermes.memory.facts.clauses.lexicon import (
    ANSWER_NOUNS,
    DIETS,
    ENVIRONMENTS,
    KIN_PLURAL,
    NATIONALITIES,
    PASSING_NOUNS,
    RELATIONS,
)
from hermes.memory.facts.clauses.marks import Setting
from hermes.memory.facts.clauses.people import person
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import SAME_PURPOSE, find_purpose, is_versioned
from hermes.types import FactKind

Words = Sequence[Token]
_STACK = frozenset("setup stack rig gear tools tooling infra kit desk environment".split())
_CUES = frozenset("decision outcome decided final agreed verdict result conclusion recap".split())


def find_fragment(frame: Frame, setting: Setting, *, introduced: bool) -> list[Candidate]:
    """The fact of a clause that has no verb; `introduced` says that the speaker was just named."""
    words = [t for t in frame.rest if t.tag not in {"EMOJI"}]
    while words and words[-1].tag in {"INTJ", "PUNCT"}:
        words.pop()
    if not words:
        return []
    for read in (_fan, _here, _parent, _diet, _refusal, _home, _where, _rhythm, _still):
        if found := read(words, frame, setting):
            return found
    if values.is_role(words) and words[0].tag not in {"POSS", "PRON"}:
        return list(_role(words, introduced=introduced))
    return []


def name_fact(name: str) -> Candidate:
    return Candidate(f"User's name is {name}", FactKind.IDENTITY, USER, "name", name, single=True)


def find_introduction(frame: Frame, *, greeted: bool) -> list[Candidate]:
    """ "I'm Nadia, backend dev at Parcelo", "it's Priyanka from the Leeds depot"."""
    words = list(frame.rest)
    if frame.verb != "be" or frame.tense != "present" or frame.negated or not words:
        return []
    own = frame.subject.kind == "user"
    if not own and frame.subject.kind != "it":
        return []
    spoken = frame.subject.kind == "it" and frame.subject.noun in {"it", "this"}
    end = 0
    while end < len(words) and words[end].tag == "NAME" and end < 3:
        end += 1
    name = words[:end]
    if not name or not values.is_person(name) or any(t.low in NATIONALITIES for t in name):
        return _small_name(words) if own and greeted else []
    after = words[end] if end < len(words) else None
    closes = (
        after is None
        or after.tag in {"PUNCT", "CONJ", "INTJ", "ADV"}
        or after.low in {"from", "with", "at"}
    )
    if not closes or (
        spoken and (after is None or after.low not in {"from", "again", "at", "with"})
    ):
        return []
    found = [name_fact(spell(name))]
    slots, _ = split_slots(words[end:])
    found += _whereabouts(slots_of(slots, "from"), slots_of(slots, "at", "with"), role=own)
    tail = [t for t in frame.tail if t.tag != "PUNCT"] if frame.tail else []
    for part in _parts(frame.tail) if tail else ():
        found += _intro_part(part)
    return found


def find_own_name(words: Words) -> list[Candidate]:
    """ "my preferred name, Ren"."""
    for index, token in enumerate(words[:-1]):
        after = [t for t in words[index + 1 : index + 3] if t.text != ","]
        mine = any(t.low == "my" for t in words[max(0, index - 2) : index])
        if (
            token.low == "name"
            and mine
            and after
            and after[0].tag == "NAME"
            and values.is_person(after[:1])
        ):
            return [name_fact(after[0].text)]
    return []


def find_as_a(words: Words) -> list[Candidate]:
    """ "as a diabetic, what should I": what one is, taken for granted."""
    lows = [t.low for t in words[:4]]
    if lows[:2] not in (["as", "a"], ["as", "an"]) or not values.is_condition(words[2:4]):
        return []
    end = 3 if values.is_condition(words[2:3]) else 4
    value = spell(words[2:end])
    return [Candidate(f"User is {value}", FactKind.OTHER, USER, "trait", value)]


def find_marked(frame: Frame) -> list[Candidate]:
    """Birthdays and the like: a day of the year, not a date ahead; and one's name, however put."""
    noun = frame.subject.noun
    if frame.verb not in {"be", "spell", "call"} or frame.negated or frame.tense != "present":
        return []
    if frame.subject.kind == "own" and noun in {"birthday", "anniversary"}:
        words = [t for t in (*frame.rest,) if t.low not in {"on", "the", "is"}]
        value = spell(words)
        owner = next((t.low for t in frame.subject.words if t.low in RELATIONS), "")
        subject = f"user's {owner}" if owner else USER
        who = f"User's {owner}'s" if owner else "User's"
        return [
            Candidate(
                f"{who} {noun} is {value}", FactKind.IDENTITY, subject, noun, value, single=True
            )
        ]
    if (
        frame.subject.owner == "user"
        and noun == "name"
        and not any(t.tag == "GEN" for t in frame.subject.words)
    ):
        small = {"de", "del", "van", "von", "la", "bin", "da", "der", "di", "al"}
        end = next(
            (n for n, t in enumerate(frame.rest) if t.tag != "NAME" and t.low not in small),
            len(frame.rest),
        )
        words = list(frame.rest[: end or 1])
        bad = not words or words[0].tag in {"PRON", "DET", "ADV", "PREP", "WH", "POSS"}
        return (
            []
            if bad or len(words) > 5
            else [name_fact(spell(words)[:1].upper() + spell(words)[1:])]
        )
    return []


def slots_of(slots: Sequence, *preps: str) -> Words:  # type: ignore[type-arg]
    return next((slot.words for slot in slots if slot.prep in preps), ())


def _small_name(words: Words) -> list[Candidate]:
    """ "hi, i'm tomasz": typed small, and no word that is anything else."""
    first = words[0]
    alone = len(words) == 1 or words[1].tag in {"PUNCT", "CONJ"}
    if not alone or first.tag != "NOUN" or not first.text.isalpha() or len(first.text) < 3:
        return []
    if (
        first.low in DIETS | RELATIONS | NATIONALITIES
        or values.is_role(words[:1])
        or values.is_condition(words[:1])
    ):
        return []
    return [name_fact(first.text.title())]


def _whereabouts(place: Words, org: Words, *, role: bool) -> list[Candidate]:
    found = []
    if (place and values.is_org(place) and not values.is_place(place)) or (
        place
        and any(t.low in {"&", "sons", "depot", "office", "team", "ltd", "gmbh"} for t in place)
    ):
        found.append(_employer(spell(values.core(place))))
    elif place and values.is_place(place):
        text = spell(values.core(place))
        found.append(
            Candidate(
                f"User is from {text}", FactKind.IDENTITY, USER, "location", text, single=True
            )
        )
    if org and values.is_org(org):
        found.append(_employer(spell(values.core(org))))
    return found if role or found else []


def _employer(name: str) -> Candidate:
    return Candidate(
        f"User works at {name}", FactKind.IDENTITY, USER, "employer", name, single=True
    )


def _parts(words: Words) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in words:
        if token.text == ",":
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _intro_part(part: list[Token]) -> list[Candidate]:
    if values.is_role(part):
        return list(_role(part, introduced=True))
    if values.is_age(part):
        return [
            Candidate(
                f"User is {part[0].text} years old",
                FactKind.IDENTITY,
                USER,
                "age",
                part[0].text,
                single=True,
            )
        ]
    return []


def _role(words: Words, *, introduced: bool) -> Iterator[Candidate]:
    """A line of work as a fragment: sure with an employer, or where the speaker is introduced."""
    slots, _ = split_slots(words)
    org = slots_of(slots, "at", "for")
    named = bool(org) and values.is_org(org)
    lows = {t.low for t in words}
    if (
        not named
        and not introduced
        and not lows & {"here", "btw", "now"}
        and not {"as", "today"} <= lows
    ):
        return
    role = [t for t in values.role_words(words) if t.low not in {"here", "btw"}]
    yield Candidate(
        f"User's role is {spell(role)}", FactKind.IDENTITY, USER, "role", spell(role), single=True
    )
    if named:
        yield _employer(spell(values.core(org)))
    place = slots_of(slots, "from", "in")
    if place and values.is_place(place):
        text = spell(values.core(place))
        yield Candidate(
            f"User is from {text}", FactKind.IDENTITY, USER, "location", text, single=True
        )


def find_it_is(words: Words) -> list[Candidate]:
    """ "Postgres it is then": something with a name was chosen."""
    plain = [
        t
        for t in words
        if t.tag not in {"INTJ", "PUNCT", "EMOJI"} and t.low not in {"then", "so", "ok"}
    ]
    if (
        len(plain) < 3
        or len(plain) > 7
        or [t.low for t in plain[-2:]] not in (["it", "is"], ["it", "'s"])
    ):
        return []
    chosen = plain[:-2]
    named = [t for t in chosen if t.tag == "NAME"]
    if (
        not named
        or values.points_elsewhere(chosen)
        or not (find_purpose(spell(chosen)) or chosen[0].is_capital)
    ):
        return []
    value = spell(chosen)
    attribute = find_purpose(value) or f"decision:{value.lower()}"
    return [
        Candidate(
            f"User's team decided on {value}",
            FactKind.DECISION,
            USER,
            attribute,
            value,
            single=":" not in attribute,
        )
    ]


def _here(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "Tom Haversham here from Lockwood & Sons"."""
    end = 0
    while end < len(words) and words[end].tag == "NAME" and end < 3:
        end += 1
    if (
        not end
        or end >= len(words)
        or words[end].low != "here"
        or not values.is_person(words[:end])
    ):
        return []
    slots, _ = split_slots(words[end + 1 :])
    return [
        name_fact(spell(words[:end])),
        *_whereabouts(slots_of(slots, "from"), slots_of(slots, "at"), role=True),
    ]


def _parent(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "mum of three here"."""
    lows = [t.low for t in words]
    if (
        lows[0] not in {"mum", "mom", "dad", "mother", "father", "parent"}
        or "of" not in lows[:2]
        or len(lows) < 3
    ):
        return []
    text = f"User is a {' '.join(lows[:3])}"
    return [Candidate(text, FactKind.RELATIONSHIP, USER, "children", lows[2])]


def _diet(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    plain = [t for t in words if t.tag not in {"ADV", "INTJ", "DET"}]
    if not plain or not values.is_diet(plain[:2]) or len(plain) > 2:
        return []
    marked = any(t.low in {"btw", "here", "fyi"} for t in frame.words)
    value = plain[0].low
    return (
        [Candidate(f"User is {value}", FactKind.PREFERENCE, USER, "diet", value, single=True)]
        if marked
        else []
    )


def _refusal(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "no more Friday deploys", "no dairy for me", "no meetings on Wednesdays" once announced."""
    if words[0].low != "no" or len(words) < 2 or len(words) > 9:
        return []
    lows = {t.low for t in words}
    if lows & {
        "idea",
        "problem",
        "worries",
        "way",
        "rush",
        "clue",
        "luck",
        "fever",
        "one",
        "wonder",
        "objections",
        "bugs",
        "pressure",
        "need",
        "thanks",
        "doubt",
        "coffee",
        "discussion",
        "please",
        "pls",
        "ui",
        "readme",
    }:
        return []
    value = spell(words)
    if lows & ANSWER_NOUNS:
        return []
    if {"for", "me"} <= lows and "today" not in lows:
        return [
            Candidate(
                f"User wants {value}", FactKind.PREFERENCE, USER, "avoids", spell(words[1:-2])
            )
        ]
    more = words[1].low == "more" and any(t.tag == "NAME" for t in words)
    if setting.decided or setting.explicit or more:
        return [
            Candidate(
                f"User's team decided: {value}",
                FactKind.DECISION,
                USER,
                f"decision:{value.lower()[:40]}",
                value,
            )
        ]
    return []


def _fan(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "not a fan of horror movies", "big fan of boring technology here"."""
    lows = [t.low for t in words]
    if "fan" not in lows[:4] or "of" not in lows[1:6]:
        return []
    value = spell([t for t in words[lows.index("of") + 1 :] if t.low != "here"])
    denied = any(t.low in {"not", "no"} for t in frame.words[: lows.index("fan") + 2])
    attribute = "dislikes" if denied else "likes"
    return (
        [Candidate(f"User {attribute} {value}", FactKind.PREFERENCE, USER, attribute, value)]
        if value
        else []
    )


def _where(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "dev on minikube, live on GKE"."""
    if len(words) < 3 or words[0].low not in ENVIRONMENTS or words[1].tag != "PREP":
        return []
    value = spell(words[2:])
    return [
        Candidate(
            f"{words[0].text} {words[1].low} {value}",
            FactKind.ENVIRONMENT,
            words[0].low,
            "runs on",
            value,
            single=True,
        )
    ]


def _rhythm(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "releases every second Tuesday", once announced."""
    lows = {t.low for t in words}
    if not (setting.decided or setting.told or setting.explicit) or not lows & {
        "every",
        "each",
        "daily",
        "weekly",
        "anytime",
    }:
        return []
    if words[0].tag not in {"NOUN", "NAME"} or len(words) > 9:
        return []
    value = spell(words)
    return [
        Candidate(
            f"User's team: {value}",
            FactKind.DECISION,
            USER,
            f"schedule:{words[0].low}",
            value,
            single=True,
        )
    ]


def _still(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "Node 18 still on our side"."""
    lows = {t.low for t in frame.words}
    if not ({"on", "our", "side"} <= lows or {"here", "still"} <= lows or {"at", "work"} <= lows):
        return []
    value = spell([t for t in words[:3] if t.tag in {"NAME", "NUM"}])
    return [tool_fact(value)] if value and find_purpose(value) else []


def _home(words: Words, frame: Frame, setting: Setting) -> list[Candidate]:
    """ "back home in Tallinn after 4 years in London"."""
    lows = [t.low for t in frame.words if t.tag != "INTJ"]
    if not lows or "home" not in lows[:2]:
        return []
    slots, _ = split_slots(words)
    place = slots_of(slots, "in")
    if not place or not values.is_place(place):
        return []
    text = spell(values.core(place))
    return [
        Candidate(f"User lives in {text}", FactKind.IDENTITY, USER, "location", text, single=True)
    ]


def read_label(label: Words, body: Words, setting: Setting) -> list[Candidate]:  # noqa: C901, PLR0911 - one case after the other
    """ "Tech lead: Yusuf", "repo: github.com/osprey/core", "kids: Aarav and Meera"."""
    words = [t for t in label if t.tag not in {"INTJ", "PUNCT", "CONJ"}]
    if not words or len(words) > 6 or not body:
        return []
    lows = [t.low for t in words]
    last = lows[-1]
    if last in KIN_PLURAL or (last in RELATIONS and words[0].low in {"my", "our"}):
        relation = KIN_PLURAL.get(last, last)
        parts = [part for part in list_items(body) if values.is_person(part[:1])]
        return [person(relation, spell([t for t in part if t.tag == "NAME"])) for part in parts]
    if last in _STACK:
        parts = [part for part in list_items(body) if not values.is_amount(part)]
        return [tool_fact(spell(part)) for part in parts if values.is_value(part) or len(part) == 1]
    if (
        set(lows) <= _CUES | {"ok", "finally", "and"}
        and len(body) <= 3
        and (body[0].is_capital or values.names_in(body))
    ):
        value = spell(body)
        return [
            Candidate(
                f"User's team decided on {value}",
                FactKind.DECISION,
                USER,
                find_purpose(value) or f"decision:{value.lower()}",
                value,
                single=bool(find_purpose(value)),
            )
        ]
    if last in PASSING_NOUNS:
        return []
    if lows[0] == "my" and last in {
        "pronouns",
        "name",
        "timezone",
        "email",
        "birthday",
        "handle",
        "surname",
    }:
        value = spell(body)
        return [
            Candidate(f"User's {last}: {value}", FactKind.IDENTITY, USER, last, value, single=True)
        ]
    if set(lows) & {"projects", "project", "apps"}:
        named = [
            part[0].text
            for part in list_items(body)
            if part[0].tag == "NAME" and part[0].is_capital
        ]
        return [
            Candidate(f"User's project: {name}", FactKind.ENVIRONMENT, USER, "project", name)
            for name in named[:1]
        ]
    if set(lows) & {"policy", "rule", "rules", "process"}:
        value = spell(body)
        return [
            Candidate(
                f"{spell(words)}: {value}",
                FactKind.DECISION,
                USER,
                f"policy:{noun_in(lows)}",
                value,
                single=True,
            )
        ]
    noun = SAME_PURPOSE.get(
        " ".join(lows), " ".join(t for t in lows if t not in {"the", "my", "our"})
    )
    if values.is_address(body):
        address = spell([t for t in body if t.tag == "ADDR"][:1])
        kind = (
            "email"
            if "@" in address
            and "email" in [*lows, "email"]
            and "." in address
            and "/" not in address
            else ""
        )
        attribute = "email" if kind and set(lows) & {"email", "mail", "e-mail"} else f"{noun} url"
        return [
            Candidate(
                f"User's {noun}: {address}",
                FactKind.ENVIRONMENT,
                USER,
                attribute,
                address,
                single=True,
            )
        ]
    if values.is_role(words) and values.is_person(list(body)[:2]) and len(body) <= 3:
        return [
            Candidate(
                f"The {noun} is {spell(body)}",
                FactKind.RELATIONSHIP,
                USER,
                noun,
                spell(body),
                single=True,
            )
        ]
    if set(lows) & {"job", "role", "title", "occupation"} and values.is_role(body):
        return list(_role(body, introduced=True))
    return []


def noun_in(lows: Sequence[str]) -> str:
    return " ".join(
        word for word in lows if word not in {"the", "our", "my", "new", "changed", "is"}
    )


_RENAMED = re.compile(
    r"""not\ ["“']?(?P<old>[A-Z][\w-]+)["”']?,?\ (?:but|it's|it\ is)\ 
    ["“']?(?P<new>[A-Z][\w-]+)["”']?(?:$|[,.\ ])""",
    re.I | re.X,
)


def find_renamed(text: str) -> list[Candidate]:
    """ "Not Kim but Kym": the user's own name, spelt right, where two spellings are near."""
    found = _RENAMED.match(text)
    if found is None or not found["new"][:1].isupper() or found["old"][:1] != found["new"][:1]:
        return []
    return [name_fact(found["new"])] if abs(len(found["old"]) - len(found["new"])) <= 2 else []


def tool_fact(value: str) -> Candidate:
    """ "User uses zsh", filed under what it is for."""
    if is_versioned(value):
        attribute = re.sub(r"\s*v?\d+(?:\.\d+)*\+?$", "", value).lower() + " version"
        return Candidate(
            f"User uses {value}", FactKind.ENVIRONMENT, USER, attribute, value, single=True
        )
    return Candidate(
        f"User uses {value}", FactKind.ENVIRONMENT, USER, find_purpose(value) or "uses", value
    )
