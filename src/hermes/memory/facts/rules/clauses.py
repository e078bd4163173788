"""A message as the short assertions its writer makes, each with its place in the text.

Rules match at the start of a clause, so the work here is to bring what is asserted to the start:
greetings and markers are dropped (and remembered), a subject left out after "and" is put back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

LONGEST_CLAUSE = 300

_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie dr mr mrs ms vs approx st no inc ltd jr sr u.s u.k a.m p.m prof dept".split()
)
_END = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|\n+|;(?=\s)|\s(?:-{1,2}|–|—)\s|—")

_SPEAKERS = (
    r"i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|we'll|our|he|he's|she|she's|they|"
    r"they're|it|it's|"
    r"his|her|their|please|the|this|that's|there|there's|can|could|do|does|is|are|how|what|which|"
    r"where|why|who|should|would|will|any|let's|don't|always|never|also|remember|but|everything|"
    r"nobody|everyone|everybody|nothing|someone|prod|production|staging|same|tell|"
    r"give|write|make|keep|here|so|then|even though|or"
)
_NAMED_VERB = (
    r"(?-i:[A-Z])[\w.-]*(?:\s(?-i:[A-Z])[\w.-]*)?\s+(?:is|are|was|uses|runs|has|leads|"
    r"owns|will|lives|works)\b"
)
_SPLIT = re.compile(
    rf"(?:,?\s+(?P<joint>and|but|so|plus|because|since|cuz|cause|though|although|while|whereas|"
    rf"then|yet)\s+(?:also\s+|then\s+|now\s+|honestly\s+|btw\s+)?|[,:]\s+)"
    rf"(?=(?:{_SPEAKERS})\b|{_NAMED_VERB})|\s+and\s+(?=(?:if|when|once)\b)",
    re.I,
)
_ELIDED = re.compile(
    r"(?:,\s+|,?\s+(?:and|but|then)\s+)(?:also\s+|currently\s+|now\s+|mostly\s+|mainly\s+|just\s+)?"
    r"(?=(?:work|works|working|live|lives|living|use|uses|using|prefer|love|like|hate|"
    r"run|runs|moved|"
    r"switched|migrated|decided|chose|went with|am|have|has|report|reports|lead|leads|"
    r"manage|manages|"
    r"study|studies|speak|speaks|deploy|deploys|host|based in|joined|own|owns|can't stand|don't|"
    r"do not|never|always|from|originally from|need|write|writes|maintain|maintains)\b)",
    re.I,
)
_SUBJECT = re.compile(
    r"(?:i|we|he|she|they|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)\b(?!')(?: am\b| are\b)?"
)
_NEEDS_BE = re.compile(r"(?:working|living|using|based|from|originally)\b", re.I)

_PAUSE = r"(?:\s*[,:!.…-]+\s*|\s+|$)"
_FILLER = re.compile(
    r"(?:ok(?:ay)?|so|well|oh|ah|aha|hey|hi|hiya|hello|yo|there|hermes|folks|all|team|"
    r"yeah|yep|yup|yes|"
    r"sure|right|cool|great|nice|perfect|awesome|thanks(?: a lot| so much)?|thank you|thx|ty|btw|"
    r"by the way|also|and|but|plus|because|since|anyway|anyways|um+|uh+|hm+|lol|haha|fwiw|tbh|imo|"
    r"honestly|to be honest|basically|just|fyi|for context|(?:some |"
    r"a bit of )?(?:background|context)|"
    r"(?:quick |small |tiny |important |status )?(?:update|note|heads[ -]up|intro|"
    r"question|reminder|"
    r"announcement|thing)(?: (?:for you|from me|on that|here))?(?=\s*[:,!—-])|one more thing|"
    r"another thing|side ?note|"
    r"for what it's worth|as you (?:may )?know|as i said|as (?:i )?mentioned|like i said|"
    r"just so you know|jsyk|so you know|important|ps|p\.s\.?|to be clear|in general|"
    r"generally|usually|"
    r"normally|personally|these days|nowadays|now|currently|at the moment|(?:good |"
    r"big |great )?news|"
    r"it turns out|turns out(?: that)?|the thing is|first(?: of all| off)?|second(?:ly)?|finally|"
    r"lastly|good (?:morning|afternoon|evening)|morning|(?:let me|to) introduce myself|"
    r"about me|a bit about me|speaking of which|on (?:that|another) note|"
    r"in case (?:it|that) (?:helps|matters)|"
    r"in fact|as of (?:today|now|this week)|starting today|good to know|mind you|obviously|"
    r"of course|then|whoa|wow|ugh|ooh|sweet|alright|fine|got it|understood|makes sense|true|agreed|"
    r"i should (?:mention|add|say)(?: that)?|i forgot to (?:mention|say)(?: that)?|"
    r"(?:did i|have i) mention(?:ed)?(?: that)?|worth (?:mentioning|noting|knowing)(?: that)?|"
    r"i (?:can|wanted to) (?:tell you|mention|say|let you know)(?: that)?|"
    r"(?:just )?(?:letting you know|to let you know)(?: that)?|you know|"
    r"i'm (?:happy|glad|excited|pleased|sad) to (?:say|report|announce)(?: that)?)" + _PAUSE,
    re.I,
)
_CORRECTION = re.compile(
    r"(?:actually|nope?|nah|wait|hang on|hold on|(?:i'm )?sorry|apologies|correction|"
    r"(?:scratch|strike) (?:that|this|what i said)(?: last (?:bit|part|one))?|"
    r"(?:that was )?my (?:bad|mistake)|"
    r"oops|whoops|i misspoke|i (?:was|am) wrong|i got (?:that|it) wrong|i made a mistake|"
    r"(?:that's|that is) (?:wrong|incorrect|not right|outdated|no longer true|not true anymore)|"
    r"change of plans?|never ?mind(?: that)?|on second thoughts?|let me correct (?:that|myself)|"
    r"forget (?:that|what i said)(?: (?:about|earlier).{0,30}?)?|edit|"
    r"i take that back|i stand corrected|"
    r"small correction|quick correction|to correct myself|typo|i meant(?: to say)?(?: that)?)"
    + _PAUSE,
    re.I,
)
_EXPLICIT = re.compile(
    r"(?:(?:please |pls |also |just )?"
    r"(?:(?:(?:can|could|would|will) you (?:please |also )?|i (?:want|need) you to |"
    r"i'd like you to |"
    r"you should |make sure (?:to|you) |always )?"
    r"(?:remember|keep in mind|bear in mind|memori[sz]e|make a (?:mental )?note|"
    r"take (?:a )?note|note down|"
    r"jot down|save|store|write down|record|don't forget|do not forget|never forget|note)"
    r"(?: (?:this|it))?(?: (?:for (?:me|later|next time|future sessions?|the future)|"
    r"(?:to|in) (?:your )?memory))?"
    r"(?:\s*[:,-]\s*(?:that )?| that(?: down)?:? | of the fact that | (?=(?:i|i'm|my|"
    r"we|we're|our|the)\b)))"
    r"|for (?:the|future|your) (?:record|records|reference|memory)(?:\s*[:,]\s*|\s+)(?:that )?"
    r"|(?:add|commit|save|put) (?:this |that |it |the following )?(?:to|in|"
    r"into) (?:your )?(?:long-term )?"
    r"memory(?:\s*[:,-]\s*(?:that )?| that )"
    r"|note to self\s*[:,-]\s*|i want you to know that )",
    re.I,
)
_HEARSAY = re.compile(
    r"(?:according to (?:(?:my|our|the|their|this|his|her) )?[\w' -]{2,30}?,?\s+"
    r"(?=(?:the|my|our|we|it|i|[A-Z])\b)|"
    r"(?:(?:my|our|the|their) )?(?:\w+ )?(?:notes?|wiki|contract|docs?|documentation|"
    r"calendar|policy|"
    r"ticket|handbook|readme|invoice|website|site|e-?mail|invitation|invite|spreadsheet|sheet|"
    r"roadmap|spec|letter|ad|listing|table|page|board|form|receipt|label|"
    r"manual)\s+(?:says?|states?|claims?|lists?|has it|shows?|has)\s+"
    r"(?:that\s+)?(?=(?:the|my|our|we|it|i)\b|[A-Z]))",
    re.I,
)
_LEAD_IN = re.compile(
    r"(?:(?:in (?:that|this) case|as of \w+(?: \w+)?|at (?:work|home|school|"
    r"the moment|my (?:job|company|work))|"
    r"these days|right now|this (?:week|month|year|summer|spring|autumn|fall|winter)|"
    r"last (?:week|month|year|summer|spring|autumn|fall|winter)|on (?:weekdays|weekends|\w+days)|"
    r"for (?:work|now|years|my job)|since (?:\w+ )?\w+|so far|in (?:19|20)\d\d|"
    r"until recently|by now|"
    r"after (?:the|a|some|my) \w+(?: \w+)?|long story short|in short|either way|to be fair|"
    r"for the record|fun fact|with that|outside (?:of )?work|in my (?:free|spare) time|"
    r"anyway|anyways|yeah|as a (?:rule|matter of fact)|on (?:my|the) (?:side|team))[,:]?\s+)+",
    re.I,
)
_CORRECTING = re.compile(r"\bcorrection\b", re.I)
_PARENTHESIS = re.compile(r"\s*\(([^()]{1,120})\)")
_OPENS_IN_PAST = re.compile(
    r"(?:moved|sold|bought|joined|quit|switched|migrated|started|graduated|relocated|"
    r"adopted|retired|got "
    r"(?:married|engaged|divorced|promoted|hired|laid off)|turned \d\d)\b",
    re.I,
)
_CONTRACTIONS = (
    (re.compile(r"\b(i)'?m\b", re.I), r"\1 am"),
    (re.compile(r"\b(we|they|you)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|we|they|you)'?ve\b", re.I), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|name)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b(\w+)'s (?=(?:in|on|at|written|called|built|running|hosted) )"), r"\1 is "),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have)n'?t\b", re.I), r"\1 not"),
    (re.compile(r"\bcan'?t\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\b(i|we|they|you|he|she|it)'ll\b", re.I), r"\1 will"),
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One assertion: `text` is what rules match, `quote` the words of the message, from `start`."""

    text: str
    quote: str
    start: int
    sentence: str
    correction: bool = False
    explicit: bool = False
    asks: bool = False
    aside: str = ""
    hearsay: bool = False


def sentences(prose: str) -> Iterator[tuple[int, str, str]]:
    """Start, text and closing mark of every sentence."""
    start = 0
    for end in _END.finditer(prose):
        if end.group().startswith(".") and _abbreviates(prose[start : end.start()]):
            continue
        yield from _sentence(prose, start, end.start(), end.group())
        start = end.end()
    yield from _sentence(prose, start, len(prose), "")


def split_clauses(
    start: int, sentence: str, mark: str, *, after: Clause | None = None
) -> list[Clause]:
    """The clauses of one sentence; only the last of them asks, if the sentence does.

    `after` is a bare marker that stood as a sentence of its own: "Scratch that."
    """
    cuts = _cuts(sentence)
    spans = list(zip([0, *(end for _, end in cuts)], [*(at for at, _ in cuts), None], strict=True))
    clauses = [after] if after else []
    for begin, end in spans:
        quote = sentence[begin:end]
        lead = len(quote) - len(quote.lstrip())
        clauses.append(_clause(quote.strip(), start + begin + lead, sentence, clauses))
    spoken = [clause for clause in clauses if clause.text]
    if spoken and "?" in mark:
        spoken[-1] = replace(spoken[-1], asks=True)
    return spoken or clauses[-1:]


def assertions(text: str) -> Iterator[str]:
    """The places a clause may start asserting at: as it stands, after a lead-in, after a colon."""
    yield text
    if (lead := _LEAD_IN.match(text)) and lead.end() < len(text):
        yield text[lead.end() :]
    _, colon, rest = text.rpartition(": ")
    if colon and len(rest.split()) >= 3:
        yield _strip_markers(rest)[0]


def plain(text: str) -> str:
    """Straight apostrophes and contractions written out, for matching."""
    text = text.replace("’", "'").replace("“", '"').replace("”", '"')
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return re.sub(r"\s+", " ", text).strip()


def _sentence(prose: str, start: int, end: int, mark: str) -> Iterator[tuple[int, str, str]]:
    text = prose[start:end]
    lead = len(text) - len(text.lstrip(" \t\n-*•#\"'“()"))
    body = text[lead:].rstrip()
    if body and len(body) <= LONGEST_CLAUSE * 3:
        yield start + lead, body, mark.strip()


def _abbreviates(text: str) -> bool:
    word = text.rsplit(None, 1)[-1] if text.split() else ""
    return word.lower().strip("(") in _ABBREVIATIONS or (word.isdigit() and len(word) <= 2)


def _cuts(sentence: str) -> list[tuple[int, int]]:
    straight = sentence.replace("’", "'")
    found = [*_SPLIT.finditer(straight), *_ELIDED.finditer(straight)]
    cuts: list[tuple[int, int]] = []
    for cut in sorted(found, key=lambda match: match.span()):
        inside = _open_quotes(straight[: cut.start()])
        if not inside and (not cuts or cut.start() >= cuts[-1][1]):
            cuts.append(cut.span())
    return cuts


def _open_quotes(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”")


def _clause(quote: str, start: int, sentence: str, before: list[Clause]) -> Clause:
    text, correction, explicit = _strip_markers(quote.replace("’", "'"))
    if before:
        correction = (
            correction or before[-1].correction or bool(_CORRECTING.search(before[-1].text))
        )
        explicit = explicit or before[-1].explicit
    hearsay = _HEARSAY.match(text)
    text = text[hearsay.end() :] if hearsay else text
    aside = _PARENTHESIS.search(text)
    full = plain(_PARENTHESIS.sub("", text))[:LONGEST_CLAUSE]
    if _OPENS_IN_PAST.match(full):
        full = f"I {full[:1].lower()}{full[1:]}"
    if before and (subject := _SUBJECT.match(before[-1].text)) and _elides(full):
        full = f"{_joined(subject.group(), full)} {full}"
    inner = aside.group(1) if aside else ""
    return Clause(
        full,
        quote,
        start,
        sentence,
        correction,
        explicit,
        aside=inner,
        hearsay=hearsay is not None,
    )


def _elides(text: str) -> bool:
    return _ELIDED.match(f" and {text}") is not None


def _joined(subject: str, rest: str) -> str:
    person = subject.split(" am", maxsplit=1)[0].split(" are", maxsplit=1)[0]
    if not _NEEDS_BE.match(rest):
        return person
    return (
        f"{person} {'am' if person.lower() == 'i' else 'are' if person.lower() == 'we' else 'is'}"
    )


def _strip_markers(text: str) -> tuple[str, bool, bool]:
    correction = explicit = False
    for _ in range(6):
        if found := _EXPLICIT.match(text):
            explicit = True
        elif found := _CORRECTION.match(text):
            correction = True
        elif not (found := _FILLER.match(text)):
            break
        text = text[found.end() :]
    return text, correction, explicit
