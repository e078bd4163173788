"""Who the user is: name, age, place, time zone, birthday, languages, diet, accounts."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    bare,
    is_proper,
    person_name,
    phrase,
    points_elsewhere,
    rule,
    short,
    words,
)
from hermes.memory.facts.rules.lexicon import NATIONALITIES, SPOKEN_LANGUAGES, is_role, tool_purpose
from hermes.memory.facts.rules.person import HAVE, NOW, identity_fact
from hermes.memory.facts.rules.places import place
from hermes.memory.facts.rules.work import role_facts
from hermes.types import FactKind

_ZONE = re.compile(
    r"(?:[A-Z][a-zA-Z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?|(?:UTC|"
    r"GMT)\s?(?:[+-−–]\s?\d{1,2}(?::?\d\d)?)?|"
    r"(?:CES?T|EES?T|WES?T|BST|IST|JST|KST|SGT|HKT|AES?T|AEDT|ACST|AWST|NZS?T|NZDT|"
    r"[PMCE][SD]?T|EAT|CAT|WAT|SAST|AKST|HST|BRT|ART|MSK|GST|PKT|WIB|PHT)\b|"
    r"(?:pacific|eastern|central|mountain|atlantic)(?: (?:standard|daylight))?(?: time)?)",
    re.I,
)


def _name(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(_NAME_ENDS.split(found["value"], maxsplit=1)[0])
    if name and not (name != found["value"][: len(name)] and _BY_BIKE.match(found["value"])):
        yield identity_fact("name", name, f"User's name is {name}")


_NAME_ENDS = re.compile(
    r"\s+(?:at|on|in|for|with|when|everywhere|professionally|most|these|not|please|from|instead|"
    r"only|now|unless|because|since|though)\b|\s[-–—(]",
    re.I,
)
_BY_BIKE = re.compile(
    r"(?:bike|car|train|bus|foot|tube|metro|tram|plane|many|the|feel|gut)\b", re.I
)


def _introduction(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm Priya": only as written, and only if nothing but a role or an aside follows."""
    raw = found["value"]
    name = re.match(
        r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?(?=$|[,.!(]| from| and|, | - | the | at )", raw
    )
    if not name or not person_name(name.group()) or name.group().lower() in NATIONALITIES:
        return
    if name.group().lower() in SPOKEN_LANGUAGES:
        return
    yield identity_fact("name", name.group(), f"User's name is {name.group()}")
    yield from role_facts(raw[name.end() :].lstrip(" ,"))


def _here(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Ellie here, data analyst"."""
    yield from _name(found, said)
    yield from role_facts(found["role"])


def _location(found: Found, said: Said) -> Iterator[Candidate]:
    """Where the user lives; "Nairobi (EAT)" tells the time zone too."""
    town = place(found["value"])
    if not town:
        return
    yield identity_fact("location", town, f"User lives in {town}")
    if _ZONE.fullmatch(said.clause.aside):
        zone = said.clause.aside
        yield identity_fact("timezone", zone, f"User's timezone is {zone}")


def _moved(found: Found, said: Said) -> Iterator[Candidate]:
    town = place(found["value"])
    if not town or not (found["who"].lower() == "i" or is_proper(town)) or tool_purpose(town):
        return
    if re.search(r"\b(?:next|soon|later this|in (?:a|two|three|\d+))\b", found["value"]):
        return
    old = place(found["old"]) if found["old"] else ""
    gone = f" from {old}" if old else ""
    yield Candidate(
        f"User moved{gone} to {town}",
        FactKind.IDENTITY,
        USER,
        "location",
        town,
        single=True,
        replaces=old,
    )


def _is_in(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm in Montreal now": only if the clause says no more, or says it is so now."""
    town = place(found["value"])
    rest = found["value"][len(town) :].strip(" .,!") if town else ""
    settled = re.fullmatch(
        r"(?:now|currently|at the moment|these days|full[- ]time|permanently)?", rest
    )
    if town and settled and re.match(r"[A-Z]", found["value"]) and town.upper() != town:
        yield identity_fact("location", town, f"User lives in {town}")


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def _email(found: Found, said: Said) -> Iterator[Candidate]:
    if address := _EMAIL.search(said.text):
        yield identity_fact(
            "email", address.group().rstrip("."), f"User's email is {address.group().rstrip('.')}"
        )


def _account(found: Found, said: Said) -> Iterator[Candidate]:
    site, handle = found["site"].lower(), found["value"].rstrip(".,!)")
    yield identity_fact(f"{site} handle", handle, f"User's {site} handle is {handle}")


def _hometown(found: Found, said: Said) -> Iterator[Candidate]:
    town = place(found["value"])
    if town:
        yield identity_fact("hometown", town, f"User is from {town}")


def _timezone(found: Found, said: Said) -> Iterator[Candidate]:
    if zone := _ZONE.match(found["value"]):
        value = zone.group().strip()
        yield identity_fact("timezone", value, f"User's timezone is {value}")
    elif town := place(re.sub(r"\s+time(?:zone)?\b.*", "", found["value"])):
        yield identity_fact("timezone", town, f"User's timezone is {town} time")


_BIRTHDAY = re.compile(
    r"(?:(?:on|the)\s+)*((?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|"
    r"[A-Z][a-z]+\.? \d{1,2}(?:st|nd|rd|th)?|"
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2})(?:,? (?:19|20)\d\d)?|(?:19|20)\d\d)",
    re.I,
)


def _birthday(found: Found, said: Said) -> Iterator[Candidate]:
    if day := _BIRTHDAY.match(found["value"]):
        yield identity_fact("birthday", day.group(1), f"User's birthday is {day.group(1)}")


_MY_OWN = {
    "email": "email",
    "email address": "email",
    "work email": "work email",
    "phone number": "phone",
    "pronouns": "pronouns",
    "github": "github",
    "github username": "github",
    "github handle": "github",
    "gitlab username": "gitlab",
    "twitter handle": "twitter",
    "slack handle": "slack",
    "username": "username",
    "handle": "handle",
    "surname": "surname",
    "last name": "surname",
    "first name": "name",
    "nickname": "nickname",
    "job title": "role",
    "title": "role",
    "job": "role",
    "role": "role",
    "company": "employer",
    "employer": "employer",
    "hometown": "hometown",
    "native language": "native_language",
    "mother tongue": "native_language",
    "first language": "native_language",
    "blood type": "blood type",
    "shoe size": "shoe size",
    "major": "major",
    "team": "team",
    "department": "department",
    "office": "office",
    "working hours": "working_hours",
    "work hours": "working_hours",
    "office hours": "working_hours",
    "lunch break": "lunch_break",
    "website": "website",
    "blog": "website",
    "employee id": "employee id",
    "star sign": "star sign",
    "zodiac sign": "star sign",
    "height": "height",
    "license plate": "license plate",
    "car": "car",
}


def _own(found: Found, said: Said) -> Iterator[Candidate]:
    label = found["label"].lower()
    attribute = _MY_OWN[label]
    value = short(found["value"]) if attribute != "working_hours" else phrase(found["value"])
    if attribute in {"team", "office", "employer", "department"} and not is_proper(value):
        return
    if attribute == "role" and not is_role(bare(value)):
        return
    if attribute == "car" and not is_proper(bare(value)):
        return
    if not points_elsewhere(value) and words(value) <= 8 and not _is_state(value):
        yield identity_fact(attribute, bare(value), f"User's {label} is {bare(value)}")


_STATE = re.compile(
    r"(?:broken|down|slow|great|good|bad|fine|stressful|boring|hard|easy|killing|"
    r"going|full|empty|ready|"
    r"closed|open|done|awesome|terrible|dying|driving|working|getting|being|making|having|annoying|"
    r"hacked|blocked|locked|late|big|small|huge|tiny|fun|hiring|growing|remote|stuck|"
    r"at risk|right|wrong|"
    r"important|urgent|clean|messy|different|private|public|gone|missing|toast|dead|"
    r"lost|in|on|at|about|up)\b",
    re.I,
)


def _is_state(value: str) -> bool:
    return bool(_STATE.match(value))


_LABELS = "|".join(
    sorted((re.escape(label).replace(r"\ ", r"\s+") for label in _MY_OWN), key=len, reverse=True)
)


_SITE = (
    r"(?P<site>mastodon|twitter|x|bluesky|instagram|insta|linkedin|github|gitlab|codeberg|"
    r"discord|slack|telegram|signal|threads|reddit|youtube|twitch|strava|stack\s?overflow|"
    r"hacker\s?news|hn)"
)


RULES: tuple[Rule, ...] = (
    rule(r"i\s+(?:have\s+|just\s+|legally\s+)*changed\s+my\s+name\s+to\s+(?P<value>.+)", _name),
    rule(r"(?:the\s+)?name\s+is\s+(?P<value>(?-i:[A-Z]).+)", _name),
    rule(
        r"(?:home\s+is|(?:currently\s+|now\s+)?(?:living|based)\s+in|we\s+(?:now\s+)?live\s+"
        r"(?:in|near|outside))\s+(?P<value>(?-i:[A-Z]).+)",
        _location,
    ),
    rule(
        r"i\s+am\s+back\s+(?:home\s+)?in\s+(?P<value>.+?)\s+(?:for\s+good|now|again|after\s+"
        r"[\w ]{1,20}(?:years?|months?|decades?)|permanently)",
        _location,
    ),
    rule(r"i\s+(?:mostly\s+|mainly\s+)?work\s+out\s+of\s+(?P<value>(?-i:[A-Z]).+)", _location),
    rule(
        rf"i{NOW}\s+(?:live|am\s+living|am\s+staying)\s+(?:with|at)\s+my\s+[\w -]{{2,30}}?\s+"
        rf"in\s+(?P<value>(?-i:[A-Z]).+)",
        _location,
    ),
    rule(
        r"(?:my\s+(?:work\s+|personal\s+|new\s+)?(?:e-?)?mail(?:\s+address)?\b|"
        r"(?:the\s+best\s+|best\s+)?e-?mail\s*(?:is|:|me)|(?:you\s+can\s+)?(?:reach|"
        r"contact|e-?mail)\s+me)\b.*@",
        _email,
    ),
    rule(
        rf"my\s+{_SITE}(?:\s+(?:handle|username|user|account|name|id))?\s*(?:is|"
        rf":)\s*(?P<value>@?[\w@./-]{{2,60}})(?=$|[\s,.!])",
        _account,
    ),
    rule(
        rf"(?:you\s+can\s+|people\s+can\s+)?(?:reach|find|contact|ping|follow|dm|"
        rf"message)\s+me\s+(?:on|at|via|through)\s+{_SITE}\s*(?:as|at|under|:|,|"
        rf"@)?\s*(?P<value>@?[\w@./-]{{2,60}})$",
        _account,
    ),
    rule(rf"on\s+{_SITE}\s+i\s+am\s+(?P<value>@[\w@./-]{{2,60}})", _account),
    rule(rf"i\s+am{NOW}\s+(?P<value>@[\w@./-]{{2,60}})\s+on\s+{_SITE}\b", _account),
    rule(
        rf"my{NOW}\s+(?:full\s+|real\s+|first\s+|"
        rf"actual\s+)?name\s+is{NOW}\s+(?:spelled\s+|spelt\s+)?(?P<value>.+)",
        _name,
    ),
    rule(
        r"(?:please\s+|you\s+can\s+|just\s+)*call\s+me\s+(?P<value>(?!back|at|on|when|if|"
        r"later|crazy|old|a\b|paranoid).+)",
        _name,
    ),
    rule(r"i\s+(?:go|went)\s+by\s+(?P<value>.+)", _name),
    rule(
        r"(?:everyone|everybody|people|friends|my\s+friends|"
        r"colleagues)\s+(?:\s+\w+)?\s+calls?\s+me\s+(?P<value>.+)",
        _name,
    ),
    rule(
        rf"i{NOW}\s+(?:live|have\s+been\s+living|am\s+living|am\s+based|reside|"
        rf"am\s+located){NOW}\s+(?:out\s+of\s+|in\s+|near\s+|"
        rf"outside\s+(?:of\s+)?)+(?P<value>.+)",
        _location,
    ),
    rule(rf"i\s+am{NOW}\s+(?:living\s+)?in\s+(?P<value>.+)", _is_in),
    rule(
        rf"(?P<who>i|we){NOW}{HAVE}{NOW}\s+(?:moved|relocated)\s+(?:(?:back|over|out|"
        rf"down|up)\s+)?(?:from\s+(?P<old>[\w .'-]{{2,40}}?)\s+)?to\s+(?P<value>.+)",
        _moved,
    ),
    rule(
        rf"(?:i|we){NOW}\s+(?:am\s+)?(?:come\s+from|(?:originally\s+)?from|grew\s+up\s+in|"
        rf"was\s+born\s+in|born\s+in|was\s+raised\s+in)\s+(?P<value>.+)",
        _hometown,
    ),
    rule(r"my\s+(?:local\s+)?time\s?zone\s+is\s+(?:now\s+)?(?P<value>.+)", _timezone),
    rule(
        rf"(?:i\s+am|we\s+are){NOW}\s+(?:on|in)\s+(?:the\s+)?(?P<value>(?:[A-Z]\w+/[A-Z]\w+|(?:UTC|"
        rf"GMT)\b|(?-i:[A-Z]{{2,4}}T)\b|\w+\s+time\b|\w+\s+time\s?zone).*)",
        _timezone,
    ),
    rule(
        r"my\s+(?:birthday|birth\s+date|date\s+of\s+birth|dob|bday)\s+is\s+(?P<value>.+)", _birthday
    ),
    rule(
        r"i\s+was\s+born\s+(?:on|in)\s+(?P<value>(?:the\s+)?\w*\d.*|[A-Z][a-z]+\s+\d.*)", _birthday
    ),
    rule(
        rf"my\s+(?:current\s+|new\s+)?(?P<label>{_LABELS})\s+(?:is|are|was\s+changed\s+to|"
        rf"changed\s+to)(?:\s+now)?:?\s+(?P<value>.+)",
        _own,
    ),
    rule(rf"i\s+am{NOW}\s+(?P<value>(?-i:[A-Z]).+)", _introduction),
    rule(
        r"(?P<value>(?-i:[A-Z][a-z]\w*))\s+here\s*,\s+(?:an?\s+|the\s+)?(?P<role>.+)",
        _here,
    ),
    rule(
        r"(?P<value>(?!Same\b|Look|Over\b|Up\b|Down\b|Nothing|Everyone|Everything|Me\b|Newbie|Noob)"
        r"(?-i:[A-Z][a-z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]+)?)\s+here(?:$|[,.!:-]|\s+(?=from\s))",
        _name,
    ),
)
