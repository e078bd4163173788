"""What the user says of themselves in any words: the classes of verbs that tell something lasting.

Read last, when no narrower rule spoke. The simple present of a lasting verb is a habit; the value
is kept in the user's words. Anything that points at the moment or at the talk itself is left.
"""

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
    words,
)
from hermes.memory.facts.rules.lexicon import SPOKEN_LANGUAGES, is_role, tool_purpose
from hermes.memory.facts.rules.person import NOW, identity_fact, their, third_person
from hermes.memory.facts.rules.places import organisation, place
from hermes.types import FactKind

_MOMENT = re.compile(
    r"\b(?:this|that|these|those|it|them|today|tonight|tomorrow|yesterday|right now|at the moment|"
    r"here|there|you|your|lately|again|a lot|error|bug|problem|for now|in a (?:sec|minute)|just)\b",
    re.I,
)
LONGEST_HABIT = 12  # words


def _location(found: Found, said: Said) -> Iterator[Candidate]:
    town = place(found["value"])
    if town and town[:1].isupper() and not tool_purpose(town):
        yield identity_fact("location", town, f"User lives in {town}")


def _grew_up(found: Found, said: Said) -> Iterator[Candidate]:
    if town := place(found["value"]):
        yield identity_fact("hometown", town, f"User is from {town}")


def _trade(found: Found, said: Said) -> Iterator[Candidate]:
    """ "carpenter by trade", "I work nights as an anaesthetist", "I'm a violin maker"."""
    raw = re.split(
        r"\s+(?:at|for|in|by|who|and|but|so|with|from|of|on|these|now|over|since|that|to)\b|"
        r"[,;.!(]",
        found["value"],
        maxsplit=1,
    )[0].strip()
    sure = is_role(raw) or found.groupdict().get("sure") or _TRADE.search(raw)
    if not sure or not 1 <= words(raw) <= 5 or points_elsewhere(raw) or _NO_TRADE.search(raw):
        return
    yield identity_fact("role", raw, f"User works as {raw}")
    where = re.search(r"\b(?:at|for|with)\s+(?P<org>(?-i:[A-Z]).*)", found["value"])
    if where and (company := organisation(where["org"])):
        yield identity_fact("employer", company, f"User works at {company}")


_TRADE = re.compile(
    r"(?:keeper|maker|smith|wright|ologist|trist|tician|therapist|worker|grapher)$", re.I
)
_NO_TRADE = re.compile(
    r"\b(?:beginner|newcomer|fan|user|member|customer|loser|believer|stranger|bit|mess|wreck|"
    r"trouble\w*|night|person|idiot|genius|noob|newbie|hard worker|slow|fast|quick|bad|good|great|"
    r"big|huge|terrible|better)\b",
    re.I,
)


def _employer(found: Found, said: Said) -> Iterator[Candidate]:
    company = organisation(found["value"])
    if company and not tool_purpose(company) and not _is_no_company(company):
        yield identity_fact("employer", company, f"User works at {company}")
    role = re.search(r"\bas\s+(?:an?\s+|their\s+|the\s+)?(?P<role>[\w -]{3,40})", said.text)
    if role and is_role(role["role"].strip()):
        yield identity_fact("role", role["role"].strip(), f"User works as {role['role'].strip()}")


def _founder(found: Found, said: Said) -> Iterator[Candidate]:
    company = organisation(re.split(r"\s(?:of|at)\s", said.text, maxsplit=2)[-1])
    if company:
        yield identity_fact("role", f"founder of {company}", f"User is a founder of {company}")
        yield identity_fact("employer", company, f"User works at {company}")


def _is_no_company(name: str) -> bool:
    return bool(re.match(r"(?:Monday|Tuesday|Christmas|Easter|Mum|Dad|Home)\b", name))


def _studies(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if value and words(value) <= 10 and not _MOMENT.search(value):
        yield identity_fact("studies", value, f"User's studies: {value}", single=False)
    at = re.search(r"\bat\s+(?P<org>.+)", value)
    if at and (school := organisation(at["org"])):
        yield identity_fact("school", school, f"User studies at {school}")


def _name(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["value"])
    if re.match(
        r"(?:Dr|Mr|Mrs|Ms|Prof|Mx|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b", found["value"]
    ):
        return
    if name and not is_role(name) and not tool_purpose(name):
        yield identity_fact("name", name, f"User's name is {name}")


def _language(found: Found, said: Said) -> Iterator[Candidate]:
    if found["value"].lower() in SPOKEN_LANGUAGES:
        value = found["value"].title()
        yield identity_fact("language", value, f"User speaks {value}", single=False)


def _contact(found: Found, said: Said) -> Iterator[Candidate]:
    kind = "email" if "@" in found["value"] else "phone"
    value = found["value"].rstrip(".,!")
    yield identity_fact(kind, value, f"User's {kind} is {value}")


def _zone(found: Found, said: Said) -> Iterator[Candidate]:
    yield identity_fact("timezone", found["value"], f"User's timezone is {found['value']}")


def _pronouns(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["value"].lower()
    yield identity_fact("pronouns", value, f"User's pronouns are {value}")


def _hours(found: Found, said: Said) -> Iterator[Candidate]:
    yield identity_fact("working_hours", found["value"], f"User works {found['value']}")


def _family(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if words(value) <= 8 and not _MOMENT.search(value):
        text = f"User has {value}" if found["has"] else f"User is {value}"
        yield Candidate(text, FactKind.RELATIONSHIP, USER, "family", value)


def _health(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if words(value) <= 7 and not _MOMENT.search(value):
        text = f"User {their(re.sub(r'^i ', '', said.text[: found.end('value')], flags=re.I))}"
        yield Candidate(text, FactKind.OTHER, USER, "health", value)


def _habit(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I sing in a choir", "I commute by electric bike", "I take my coffee black"."""
    rest = phrase(found["value"])
    value = f"{found['verb']} {rest}".strip()
    if _MOMENT.search(rest) or not rest or words(value) > LONGEST_HABIT:
        return
    if points_elsewhere(rest) and not re.match(r"(?:in|on|at|with|by)\s+\w", rest, re.I):
        return
    doing = third_person(value) if found["verb"][-3:] != "ing" else f"is {value}"
    text = f"User {their(doing)}"
    yield Candidate(text, FactKind.OTHER, USER, f"habit:{found['verb'].lower()}", value)


def _favours(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if points_elsewhere(value) or words(value) > 6 or _MOMENT.search(value):
        return
    verb, kind = (
        ("prefers", "prefers") if not found.groupdict().get("no") else ("dislikes", "dislikes")
    )
    yield Candidate(f"User {verb} {their(value)}", FactKind.PREFERENCE, USER, kind, value)


_WORK_VERB = (
    r"(?:work(?:ed)?|earn\s+my\s+living|make\s+my\s+living|am\s+working|trained|am\s+training)"
)
_HABITS = (
    r"(?:play|sing|commute|volunteer|collect|grow|bake|brew|knit|paint|climb|surf|ride|coach|rent|"
    r"shoot|garden|dance|meditate|foster|breed|restore|photograph|wear|drive|cycle|row|fence|"
    r"practi[sc]e|take\s+my\s+(?:coffee|tea)|keep\s+my|get\s+up|sleep|write\s+(?:tests|my|all)|"
    r"do\s+(?:pottery|yoga|pilates|judo|karate|crossfit|woodworking|ceramics)|own|"
    r"speak\s+at|host|moderate|organi[sz]e)"
)

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:i|we){NOW}\s+(?:have\s+)?(?:been\s+)?(?:settled|live[ds]?|ended\s+up|landed|stayed|"
        rf"am\s+"
        rf"writing|am\s+settled|are\s+settled|are\s+living|moved\s+into\s+[\w ]{{2,25}}?|"
        rf"bought\s+an?\s+"
        rf"(?:house|flat|apartment|place)|rent(?:\s+an?\s+\w+)?)\s+"
        rf"(?:over\s+|down\s+|up\s+|out\s+|here\s+)*(?:in|from|near)\s+(?P<value>(?-i:[A-Z]).+)",
        _location,
    ),
    rule(
        rf"(?:i\s+am|we\s+are|currently|now){NOW}\s+(?:over|up|down|out|settled|"
        rf"staying)\s+(?:here\s+)?in\s+"
        rf"(?P<value>(?-i:[A-Z]).+)",
        _location,
    ),
    rule(
        r"(?:my\s+home\s+is|home\s+for\s+me\s+is|home\s+is|my\s+(?:city|"
        r"town)\s+is)\s+(?P<value>.+)",
        _location,
    ),
    rule(r"(?P<value>(?-i:[A-Z])[\w' -]{2,25}?)\s+is\s+where\s+(?:i|we)\s+live\b", _location),
    rule(
        r"(?:i\s+work\s+(?:remotely\s+)?from|greetings\s+from|hello\s+from|hi\s+from|"
        r"i\s+(?:am\s+)?(?:sit|sitting)\s+in|"
        r"i\s+study\s+\w+\s+in|we\s+(?:have\s+)?(?:just\s+)?bought\s+an?\s+\w+\s+in)\s+(?:the\s+)?"
        r"(?P<value>(?-i:[A-Z]).+)",
        _location,
    ),
    rule(r"from\s+(?P<value>(?-i:[A-Z])[\w' -]+?)\s+originally$", _grew_up),
    rule(
        r"i\s+have\s+(?:been\s+)?work(?:ed|ing)\s+(?:at|for|"
        r"with)\s+(?P<value>(?-i:[A-Z]).+?)\s+(?:for|since)\s",
        _employer,
    ),
    rule(
        r"i\s+am\s+(?:one\s+of\s+the\s+|the\s+|an?\s+)?(?P<value>(?:co-?)?founders?)\s+(?:of|"
        r"at)\s+(?-i:[A-Z]).*",
        _founder,
    ),
    rule(r"i\s+call\s+(?P<value>(?-i:[A-Z])[\w' -]{2,30}?)\s+home", _location),
    rule(r"(?:i\s+am|we\s+are)\s+(?P<value>(?-i:[A-Z])[\w'-]+)[- ]based\b", _location),
    rule(
        r"(?:i|we)\s+(?:grew\s+up|was\s+raised|am|come)\s+(?:in|"
        r"from)\s+an?\s+(?:\w+\s+)?(?:village|town|"
        r"place|suburb)\s+(?:in|near|outside|called)\s+(?P<value>(?-i:[A-Z]).+)",
        _grew_up,
    ),
    rule(r"(?P<value>[\w -]{3,30}?)\s+by\s+(?P<sure>trade|training|profession|day)\b", _trade),
    rule(
        rf"i\s+{_WORK_VERB}\s+(?:[\w-]+\s+){{0,2}}?(?P<sure>as)\s+(?:an?\s+|the\s+)?(?P<value>.+)",
        _trade,
    ),
    rule(r"i\s+am\s+training\s+to\s+be(?:come)?\s+an?\s+(?P<value>.+)", _trade),
    rule(rf"i\s+am{NOW}\s+(?:an?\s+|the\s+)?(?P<value>.+)", _trade),
    rule(r"(?:my\s+background\s*(?:is|:)|background\s*:)\s*(?:in\s+|an?\s+)?(?P<value>.+)", _trade),
    rule(
        rf"i\s+(?:am|have\s+been){NOW}\s+(?:(?:over\s+)?(?:at|"
        rf"with))\s+(?P<value>(?-i:[A-Z])[\w&.' -]+?"
        rf"(?=\s+(?:for\s+)?(?:\d+|two|three|four|five|six|ten|a\s+few)\s+years?|\s+since|\s+now|"
        rf"\s+these|"
        rf",\s+(?:on|in|as|doing)\b|\s+as\s+an?\b)).*",
        _employer,
    ),
    rule(
        r"(?P<value>(?-i:[A-Z])[\w&.' -]{1,30}?)\s+(?:hired|employs|pays|headhunted|"
        r"recruited)\s+me\b",
        _employer,
    ),
    rule(
        r"(?:my\s+new\s+job|i\s+got\s+an?\s+(?:new\s+)?job)\s+(?:is\s+)?(?:at|"
        r"with)\s+(?P<value>.+)",
        _employer,
    ),
    rule(
        r"i\s+(?:am\s+)?(?:have\s+)?(?:just\s+)?join(?:ing|"
        r"ed)\s+(?:an?\s+[\w -]{3,25}?\s+called\s+)?"
        r"(?P<value>(?-i:[A-Z]).+)",
        _employer,
    ),
    rule(
        r"i\s+am\s+(?:currently\s+)?(?:in\s+(?:my\s+)?|an?\s+)?(?P<value>(?:first|second|third|"
        r"fourth|fifth|"
        r"final|last|1st|2nd|3rd|4th)[- ](?:year|semester|term)\b.*)",
        _studies,
    ),
    rule(
        r"i\s+(?:am\s+)?(?:doing|finishing|starting|have|did|hold|got)\s+(?:my\s+|"
        r"an?\s+)?(?P<value>(?:master'?s?|"
        r"phd|bachelor'?s?|bsc|msc|mba|degree|doctorate|apprenticeship)\b.*)",
        _studies,
    ),
    rule(r"this\s+is\s+(?P<value>(?-i:[A-Z][a-z]+))(?=$|,?\s+(?:from|here|by))", _name),
    rule(r"it\s+is\s+(?P<value>(?P<first>(?-i:[A-Z]))[a-z]+),?\s+not\s+(?P=first)[a-z]+$", _name),
    rule(
        r"(?:everyone|everybody|people|friends|folks)\s+(?:just\s+)?(?:says?|calls?\s+me|"
        r"call\s+me)\s+(?P<value>.+)",
        _name,
    ),
    rule(
        r"sign\s+(?:it|them|everything|my\s+\w+)\s+(?:as|with)\s+(?P<value>(?-i:[A-Z])\w+)$", _name
    ),
    rule(
        r"(?P<value>[A-Za-z]+)\s+is\s+my\s+(?:first|native|mother|second|third)\s+(?:language|"
        r"tongue)",
        _language,
    ),
    rule(r"we\s+speak\s+(?P<value>[A-Za-z]+)\s+at\s+home", _language),
    rule(r"i\s+am\s+learning\s+(?P<value>[A-Za-z]+)", _language),
    rule(
        r"(?:you\s+can\s+)?(?:e-?mail|mail|"
        r"write)\s+(?:to\s+)?me\s+at\s+(?P<value>[\w.+-]+@[\w.-]+)",
        _contact,
    ),
    rule(
        r"(?:send|forward)\s+(?:it|them|everything|"
        r"that)\s+to\s+(?P<value>[\w.+-]+@[\w.-]+\w),?\s+(?:that\s+is\s+)?my\b",
        _contact,
    ),
    rule(
        r"my\s+(?:phone\s+|mobile\s+|cell\s+)?number\s+is\s+(?P<value>\+?\d[\d ()-]{6,20})",
        _contact,
    ),
    rule(r"(?:please\s+)?use\s+(?P<value>(?-i:[A-Z])[a-z]+/(?-i:[A-Z])\w+)\b", _zone),
    rule(
        r"(?:my\s+)?(?:pronouns\s*(?::|are)\s*)?(?P<value>(?:he|she|they)/(?:him|her|"
        r"them)(?:/\w+)?)\b",
        _pronouns,
    ),
    rule(
        r"i\s+(?:do|work)\s+(?P<value>\d+\s+(?:hours|days|shifts)\s+(?:a|per)\s+(?:week|month)\b)",
        _hours,
    ),
    rule(
        r"(?:i|we)\s+(?:(?P<has>have|have\s+got)\s+)(?P<value>(?:an?\s+|one\s+|two\s+|three\s+|"
        r"four\s+|five\s+|\d\s+)?"
        r"(?:[\w-]+\s+)?(?:twins|kids?|children|sons?|daughters?|toddlers?|teenagers?|cats?|"
        r"dogs?|siblings|"
        r"brothers|sisters|grandchildren|grandkids|chickens|horses|bab(?:y|ies))\b.*)",
        _family,
    ),
    rule(
        r"i\s+am\s+(?P<has>)(?P<value>(?:happily\s+)?(?:married|divorced|widowed|single|"
        r"engaged)(?:\s+(?:with|to)\s.+)?)$",
        _family,
    ),
    rule(
        r"i\s+(?:often\s+|always\s+|sometimes\s+)?(?:get|suffer\s+from|"
        r"have)\s+(?P<value>(?:bad\s+|chronic\s+)?(?:migraines?|"
        r"panic\s+attacks|hay\s+fever|back\s+pain|insomnia|vertigo|seizures|asthma|allergies)\b.*)",
        _health,
    ),
    rule(r"i\s+(?:have\s+to|must|need\s+to|should)\s+avoid\s+(?P<value>[\w -]{3,30})$", _health),
    rule(
        r"i\s+use\s+an?\s+(?P<value>wheelchair|hearing\s+aid|screen\s+reader|cane|cpap\b.*|"
        r"insulin\s+pump)",
        _health,
    ),
    rule(
        r"(?:i\s+(?:am|have\s+been)\s+(?:taking|on)|i\s+take|(?:my\s+\w+\s+)?(?:put\s+me\s+on|"
        r"prescribed(?:\s+me)?))\s+"
        r"(?P<value>(?:insulin|warfarin|blood\s+thinners|antidepressants|\w+(?:pril|sartan|"
        r"statin|olol|azole|"
        r"formin|oxetine|traline|opram|zepam|dipine|thyroxine|tidine|phenidate)|statins|"
        r"beta\s+blockers)\b)",
        _health,
    ),
    rule(
        rf"i\s+(?:also\s+|usually\s+|always\s+|mostly\s+|"
        rf"still\s+)*(?P<verb>{_HABITS})\s+(?P<value>.+)",
        _habit,
    ),
    rule(
        r"i\s+(?:am|have\s+been)\s+(?P<verb>learning|writing|building|restoring|training|playing|"
        r"collecting)\s+"
        r"(?P<value>(?:an?\s+(?:novel|book|memoir|thesis|boat|house|game|startup|screenplay)|"
        r"for\s+(?:an?|the|my)\s+"
        r"(?:\w+\s+)?(?:marathon|triathlon|race|ironman)|(?-i:[A-Z])\w+|\w+\s+since\s).*)",
        _habit,
    ),
    rule(r"(?P<value>[\w -]{3,30}?)\s+(?:work|works|suit|suits)\s+best\s+for\s+me\b", _favours),
    rule(
        r"(?P<value>[\w -]{3,30}?)(?:\s+only)?\s+for\s+me,?\s+(?:always|please|every\s+time)$",
        _favours,
    ),
    rule(r"(?P<value>[\w -]{3,30}?)\s+only\s+for\s+me$", _favours),
    rule(
        r"(?P<value>[\w -]{3,30}?)\s+is\s+my\s+(?:favou?rite|fave|jam|thing|happy\s+place)$",
        _favours,
    ),
    rule(
        r"(?P<value>[\w -]{3,30}?)\s+(?P<no>tastes\s+like\s+soap\s+to\s+me|is\s+not\s+for\s+me|"
        r"makes\s+me\s+(?:sick|ill))",
        _favours,
    ),
    rule(r"i\s+(?P<no>can\s+not)\s+(?:watch|handle|deal\s+with|take)\s+(?P<value>.+)", _favours),
    rule(r"i(?:'d|\s+would)\s+rather\s+(?P<no>not)\s+(?P<value>.+)", _favours),
    rule(
        r"(?:please\s+)?(?P<no>do\s+not\s+be)\s+(?:so\s+)?(?P<value>\w+(?:\s+with\s+me)?)$",
        _favours,
    ),
    rule(
        r"(?:please\s+)?(?P<value>be\s+(?:more\s+)?(?:concise|brief|direct|blunt|honest|formal|"
        r"informal|casual|terse|"
        r"precise|specific|gentle|kind)\s+(?:with\s+me|please|always|in\s+your\s+\w+).*)",
        _favours,
    ),
)
