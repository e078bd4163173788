"""What the user does for a living, where, and what they study."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    person_name,
    phrase,
    points_elsewhere,
    rule,
    short,
    words,
)
from hermes.memory.facts.rules.lexicon import is_role, tool_purpose
from hermes.memory.facts.rules.person import HAVE, NOW, identity_fact, third_person
from hermes.memory.facts.rules.places import organisation, place
from hermes.types import FactKind


def role_facts(rest: str) -> Iterator[Candidate]:
    found = re.match(r"(?:(?:i am |and )?(?:an?|the|your) )?(?P<value>.+)", rest, re.I)
    if found and is_role(_role_value(found["value"])):
        yield from _work(found["value"])


def _role(found: Found, said: Said) -> Iterator[Candidate]:
    yield from _work(found["value"])


def _role_value(raw: str) -> str:
    return re.split(
        r"\s+(?:at|for|with|who|that|which|based|living|from|working|in|by|on|and|but|"
        r"so|now|not|after|since|these|if|when|because)\b(?! of)|[,;(!]|\.\s|\s[-–—]\s",
        raw,
        maxsplit=1,
    )[0].strip(" .")


def _work(raw: str) -> Iterator[Candidate]:
    """ "senior data engineer at Kestrel Labs in Leeds" → role, employer."""
    role = short(_role_value(raw))
    role = re.sub(r"^(?:(?:an?|the|only|sole)\s+)+", "", role, flags=re.I)
    if not is_role(role):
        return
    yield identity_fact("role", role, f"User works as {_article(role)}")
    rest = raw[len(_role_value(raw)) :]
    if at := re.match(r"\s*(?:at|for|with|@)\s+(?P<value>.+)", rest):
        yield from _schooled(at["value"]) if _STUDENT.search(role) else _employed(at["value"])


def _article(noun: str) -> str:
    if re.match(r"(?:head|vp|director|chief|ceo|cto|cfo|coo|cpo)\b", noun, re.I):
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' or noun.startswith('SRE') else 'a'} {noun}"


_STUDENT = re.compile(r"\b(?:student|undergrad|postgrad|trainee|phd)\b", re.I)


def _schooled(raw: str) -> Iterator[Candidate]:
    if where := organisation(raw):
        yield identity_fact("school", where, f"User studies at {where}")


def _teaches(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I teach chemistry at Kongsberg", "I do frontend at Lumio", "I head up QA at Fennel"."""
    what = phrase(re.split(r"\s+(?:at|for|in|to|with|because|so|since)\s", found["value"])[0])
    if points_elsewhere(what) or words(what) > 5:
        return
    verb = re.sub(r"\s+", " ", found["verb"].lower())
    yield identity_fact("role", f"{third_person(verb)} {what}", f"User {third_person(verb)} {what}")
    if at := re.search(r"\s(?:at|for)\s+(?P<value>.+)", found["value"]):
        yield from _employed(at["value"])


def _card(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Mateo, 29, product designer from Bogotá"."""
    if not is_role(_role_value(found["role"])) or not person_name(found["name"]):
        return
    yield identity_fact("name", found["name"], f"User's name is {found['name']}")
    if found["age"]:
        yield identity_fact("age", found["age"], f"User is {found['age']} years old")
    yield from _work(found["role"])
    if (home := re.search(r"\sfrom\s+(?P<value>.+)", found["role"])) and (
        town := place(home["value"])
    ):
        yield identity_fact("hometown", town, f"User is from {town}")


def _for_a_living(found: Found, said: Said) -> Iterator[Candidate]:
    doing = f"{third_person(found['verb'].lower())} {found['value']}"
    yield identity_fact("role", f"{doing} for a living", f"User {doing} for a living")


def _for_years(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I've been a beekeeper for ten years": any trade, if it has lasted."""
    role = found["value"]
    if (
        words(role) <= 3
        and not points_elsewhere(role)
        and not re.search(r"\b(?:fan|member|user|customer)\b", role)
    ):
        yield identity_fact(
            "role", role, f"User is {_article(role)} ({found['span']})", single=False
        )


def _licence(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["value"]
    yield Candidate(f"User has a {value}", FactKind.OTHER, USER, "licence", value)


def _works_how(found: Found, said: Said) -> Iterator[Candidate]:
    value = re.sub(r"\s+", " ", found["value"].lower())
    yield identity_fact("work_mode", value, f"User works {value}")


def _status(found: Found, said: Said) -> Iterator[Candidate]:
    value = re.sub(r"\s+", " ", found["value"].lower())
    yield identity_fact("role", value, f"User is {value}")


def _employed(raw: str) -> Iterator[Candidate]:
    company = organisation(raw)
    if company:
        yield identity_fact("employer", company, f"User works at {company}")


def _employer(found: Found, said: Said) -> Iterator[Candidate]:
    yield from _employed(found["value"])
    if as_role := re.search(r"\bas (?:an?|the|their|its)? ?(?P<value>[^,.;]+)", found["value"]):
        yield from _work(as_role["value"])


def _former_employer(found: Found, said: Said) -> Iterator[Candidate]:
    company = organisation(found["value"])
    if company and company in found["value"] and not tool_purpose(company):
        yield identity_fact("employer", company, f"User no longer works at {company}", ended=True)


_BUSINESS = (
    r"(?:shop|store|company|business|startup|start-up|agency|studio|restaurant|bakery|"
    r"caf[eé]|clinic|farm|team|"
    r"newsletter|podcast|blog|consultancy|practice|school|gym|bar|nonprofit|"
    r"non-profit|charity|bookshop|brewery|"
    r"lab|department|group|channel|firm|salon|garage|nursery|hotel|hostel|b&b|workshop)"
)


def _runs_business(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I run a small print shop in Aarhus" → role, location."""
    what = found["value"]
    if points_elsewhere(what) or words(what) > 7:
        return
    yield identity_fact(
        "role",
        f"{found['verb'].lower()}s {what}",
        f"User {found['verb'].lower()}s {what}",
        single=False,
    )
    if found["where"] and (town := place(found["where"])):
        yield identity_fact("location", town, f"User lives in {town}")


def _team(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["team"]
    yield from (fact for fact in _team_employer(found))
    if not points_elsewhere(value) and words(value) <= 4:
        yield identity_fact("team", f"{value} team", f"User is in the {value} team")


def _team_employer(found: Found) -> Iterator[Candidate]:
    if found.groupdict().get("org"):
        yield from _employed(found["org"])


def _bare_work(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Backend dev at Parcelo": a whole clause, as people write under their name."""
    if re.match(r"[A-Z]", found["org"]) and not re.match(r"(?:i|we|my|he|she)\b", said.text, re.I):
        yield from _work(said.text)


def _studies(found: Found, said: Said) -> Iterator[Candidate]:
    field, _, school = found["value"].partition(" at ")
    subject = short(re.split(r"\s+(?:in|for|with)\s", field)[0])
    if subject and not points_elsewhere(subject) and words(subject) <= 4:
        yield identity_fact("studies", subject, f"User studies {subject}", single=False)
    if school and (where := organisation(school)):
        yield identity_fact("school", where, f"User studies at {where}")


def _school(found: Found, said: Said) -> Iterator[Candidate]:
    if where := organisation(found["value"]):
        yield identity_fact("school", where, f"User {found['verb'].lower()} {where}", single=False)


_FIELDS = (
    r"(?:front[- ]?end|back[- ]?end|full[- ]?stack|devops|qa|design|sales|marketing|"
    r"data(?:\s+\w+)?|ops|"
    r"security|support|hr|accounting|research|mobile|ml|machine\s+learning|finance|logistics|"
    r"operations|embedded|infra(?:structure)?|ux|pr|legal|it|growth|analytics|recruiting)"
)

RULES: tuple[Rule, ...] = (
    rule(
        r"i\s+have\s+been\s+an?\s+(?P<value>[\w -]{3,40}?)\s+"
        r"(?P<span>for\s+(?:about\s+|over\s+|almost\s+)?(?:\d+|\w+)\s+years|"
        r"since\s+(?:19|20)\d\d)",
        _for_years,
    ),
    rule(
        r"i\s+(?:hold|have)\s+an?\s+(?P<value>(?:[\w-]+\s){1,3}?(?:licen[cs]e|degree|"
        r"passport|visa|certificate|"
        r"certification|diploma|residence\s+permit))\b",
        _licence,
    ),
    rule(
        r"i\s+work\s+(?P<value>(?:mostly\s+|fully\s+)?(?:part[- ]time|full[- ]time|"
        r"remotely|remote|from\s+home|nights|"
        r"night\s+shifts|weekends|four\s+days\s+a\s+week|\d\s+days\s+a\s+week|"
        r"shifts))(?=$|[,.!]|\s+(?:and|but|so|now|since))",
        _works_how,
    ),
    rule(
        r"i\s+(?:also\s+|mostly\s+)?(?P<verb>teach)\s+(?P<value>(?!you|him|her|them|myself).+)",
        _teaches,
    ),
    rule(
        rf"i\s+(?:mostly\s+|mainly\s+)?(?P<verb>do)\s+(?P<value>{_FIELDS}\s+(?:at|for|in)\s+.+)",
        _teaches,
    ),
    rule(
        rf"i\s+(?P<verb>head\s+up|head|lead|run|manage)\s+(?P<value>(?:the\s+)?{_FIELDS}\b.*)",
        _teaches,
    ),
    rule(
        r"(?P<name>(?-i:[A-Z])[\w'’-]+(?:\s(?-i:[A-Z])[\w'’-]+)?)"
        r"(?:,\s*(?P<age>\d\d))?,\s+(?:an?\s+|the\s+)?"
        r"(?P<role>.+)",
        _card,
    ),
    rule(r"i\s+(?P<verb>\w+)\s+(?P<value>[\w -]{2,30})\s+for\s+a\s+living", _for_a_living),
    rule(
        rf"i\s+am{NOW}\s+(?P<value>retired|unemployed|self[- ]employed|between\s+jobs|freelance|"
        rf"freelancing|on\s+(?:parental|maternity|paternity|sick)\s+leave|on\s+(?:a\s+)?sabbatical|"
        rf"semi-retired|a\s+stay-at-home\s+\w+)(?=$|[,.!]|\s+(?:now|since|until|and|so|but))",
        _status,
    ),
    rule(
        rf"i\s+(?:am{NOW}\s+(?:freelancing|working|volunteering)|freelance|"
        rf"work\s+(?:\w+\s+){{0,2}}?)"
        rf"\s*as\s+(?:an?\s+|the\s+)?(?P<value>.+)",
        _role,
    ),
    rule(r"my\s+(?:day\s+)?(?:job|role|title)(?:\s+is|:)\s*(?:an?\s+)?(?P<value>.+)", _role),
    rule(
        rf"i\s+(?:am|have\s+been){NOW}\s+(?:working\s+as\s+|employed\s+as\s+)?(?:an?|the|"
        rf"one\s+of\s+the)\s+(?P<value>.+)",
        _role,
    ),
    rule(
        rf"i{NOW}\s+(?P<verb>run|own|manage|lead|head)\s+(?P<value>(?:an?|the|my\s+own|"
        rf"our)\s+(?:[\w'’&-]+\s+){{0,4}}?{_BUSINESS})\b(?:\s+"
        rf"(?:here\s+)?in\s+(?P<where>.+))?",
        _runs_business,
    ),
    rule(
        rf"i\s+(?:work|am){NOW}\s+(?:(?:at|for)\s+(?P<org>.+?)\s*,?\s+)?(?:in|on|"
        rf"part\s+of)\s+(?:the|our)\s+(?P<team>[\w&/-]+(?:\s[\w&/-]+){{0,2}}?)\s+team\b",
        _team,
    ),
    rule(
        rf"i\s+am{NOW}\s+(?:working\s+as\s+)?(?P<value>(?:head|vp|director|chief|lead|cto|"
        rf"ceo|cfo|coo|cpo)\b.+|cto|ceo|cfo|coo|cpo)",
        _role,
    ),
    rule(
        rf"i{NOW}\s+(?:work|worked|freelance|consult){NOW}\s+as\s+(?:an?\s+|"
        rf"the\s+)?(?P<value>.+)",
        _role,
    ),
    rule(
        rf"i{NOW}{HAVE}{NOW}\s+(?:(?:became|become)|got\s+promoted\s+to|(?:been|was|"
        rf"got)\s+promoted\s+to|started\s+as|started\s+working\s+as)\s+(?:an?\s+|"
        rf"the\s+)?(?P<value>.+)",
        _role,
    ),
    rule(
        rf"i{NOW}\s+(?:am\s+)?(?:no\s+longer\s+(?:work(?:ing)?|employed)|do\s+not\s+work|"
        rf"quit|left|was\s+laid\s+off|got\s+laid\s+off|resigned|"
        rf"am\s+no\s+longer)\s*(?:my\s+job\s+|working\s+)?"
        rf"(?:at|for|from|with|by)?\s+(?P<value>.+)",
        _former_employer,
    ),
    rule(
        rf"i{NOW}\s+(?:work|am\s+working|am\s+employed){NOW}\s+(?:at|for|with|"
        rf"@)\s+(?P<value>.+)",
        _employer,
    ),
    rule(
        rf"i{NOW}{HAVE}{NOW}\s+(?:started|joined|got\s+(?:a\s+(?:new\s+)?job|hired)|"
        rf"accepted\s+(?:a\s+job|an\s+offer)|took\s+a\s+job|started\s+(?:a\s+new\s+job|"
        rf"working)|switched\s+jobs)\s*(?:at|with|by|from|to|"
        rf"for)?\s+(?P<value>(?-i:[A-Z]).+)",
        _employer,
    ),
    rule(
        r"i\s+(?:am\s+)?(?:currently\s+)?(?:study(?:ing)?|major(?:ed|ing)?\s+in|(?:doing|"
        r"do)\s+(?:a|my)\s+(?:phd|masters?|degree|ba|bsc|msc)\s+in)\s+(?P<value>.+)",
        _studies,
    ),
    rule(
        r"i\s+(?P<verb>graduated\s+from|went\s+to\s+(?:school|college|university)\s+at|"
        r"studied\s+at|attend(?:ed)?)\s+(?P<value>(?-i:[A-Z]).+)",
        _school,
    ),
    rule(
        r"(?P<role>[\w/ -]{3,50}?)\s+at\s+(?P<org>(?-i:[A-Z])[\w&.'-]*"
        r"(?:\s[\w&.'-]+){0,3})$",
        _bare_work,
    ),
)
