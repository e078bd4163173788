"""What kind of answer a question wants, and whether a text could hold one.

A cue only ranks: where the question asks when, a text that tells a time goes a little before one
that does not. `matches` runs over every candidate, so it looks at words, not at grammar.
"""

import re
from dataclasses import dataclass
from typing import Literal

from hermes.memory.recall.when.folding import fold

Cue = Literal["when", "how_many", "where", "who", "how_long", "why", "yes_no", "list", "other"]
STRONG, WEAK = 1.0, 0.4
QUESTION_CHARS = 1000

# In order: the first pattern that fits a folded question names its cue.
_UNITS = r"(?:second|minute|hour|day|night|week|weekend|month|year|decade)s?"
_QUESTIONS: tuple[tuple[Cue, str], ...] = (
    (
        "how_long",
        rf"\bhow long\b(?! ago)|\bhow many {_UNITS} (?:did|does|do|has|have|had|was|were|is|will"
        r"|passed)|\bfor how many\b|\bwie lange\b|\bcombien de temps\b|\bcuanto tiempo\b"
        r"|\bquanto tempo\b|多久|多长时间|どのくらい|どれくらい",
    ),
    (
        "when",
        r"^(?:and |so )?when\b|\bwhen (?:did|was|were|is|will|does|do|has|have|had)\b"
        r"|\b(?:what|which) (?:date|day|month|year|time|week|weekend)\b|\bhow long ago\b"
        r"|\bhow (?:recently|soon)\b|\bsince when\b|\bwann\b|\bwelche[nrsm]? (?:tag|monat|jahr)\b"
        r"|\bquand\b|\bcuando\b|\bquando\b|什么时候|何时|哪天|哪年|几点|いつ|何日|何年|何時",
    ),
    (
        "how_many",
        r"\bhow (?:many|much|old|often|tall|far|big|large|heavy|expensive)\b|\bwhat (?:number|age"
        r"|percentage|amount|fraction|price|score|size|total)\b|\bnumber of\b"
        r"|\bwie (?:viele?|oft|alt)\b|\bcombien\b|\bcuant[oa]s?\b|\bquant[oaie]s?\b"
        r"|多少|几个|多大|いくつ|いくら|何人|何回|何個",
    ),
    (
        "where",
        r"\bwhere\b|\b(?:what|which) (?:city|cities|country|countries|place|town|state|location"
        r"|hotel|restaurant|store|shop|street|airport|area|region|venue)\b|\bwo(?:her|hin)?\b|^ou\b"
        r"|\bdonde\b|\bonde\b|\bdove\b|哪里|哪儿|在哪|どこ",
    ),
    (
        "who",
        r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|friend|colleague|artist|author|band|actor"
        r"|singer|company)\b|\bname of\b|\bwe[rmn]\b|\bqui\b|\bquien(?:es)?\b|\bquem\b|\bchi\b"
        r"|谁|誰|だれ",
    ),
    (
        "why",
        r"\bwhy\b|\bhow come\b|\bwhat (?:made|caused|motivated|inspired|prompted|led)\b"
        r"|\bwhat (?:is|was|were) the (?:reasons?|cause)\b|\bwarum\b|\bwieso\b|\bweshalb\b"
        r"|\bpourquoi\b|\bpor que\b|\bperche\b|为什么|为何|なぜ|どうして",
    ),
    (
        "list",
        r"\b(?:kinds|types|sorts) of\b|\b(?:kind|type|sort) of \w+s\b|\bwhat (?:are|were)\b|^list\b"
        r"|\b(?:what|which)(?: \w+){0,2} (?!was\b|does\b|has\b|this\b)\w{3,}s (?:did|do|does|has"
        r"|have|are|were|can|would|should)\b|\bname (?:all|some|two|three|the)\b|\bwelche\b"
        r"|\bquel(?:le)?s\b|\bcuales\b|\bquais\b|\bquali\b|哪些",
    ),
    (
        "yes_no",
        r"^(?:is|are|was|were|am|do|does|did|has|have|had|will|would|should|may|might)\b"
        r"|^(?:can|could) (?!you\b)|\btrue or false\b|^(?:hat|haben|ist|sind|kann|wird|bin|habe)\b"
        r"|^est-ce\b|吗|ですか|ましたか",
    ),
)
_QUESTION_PATTERNS = tuple((cue, re.compile(pattern)) for cue, pattern in _QUESTIONS)


@dataclass(frozen=True, slots=True)
class Signs:
    """What shows in a text: words, phrases of folded text, and a pattern tried where digits are."""

    words: frozenset[str]
    phrases: tuple[str, ...] = ()
    with_digits: re.Pattern[str] | None = None


def _signs(words: str, *phrases: str, with_digits: str = "") -> Signs:
    pattern = re.compile(with_digits) if with_digits else None
    return Signs(frozenset(words.split()), phrases, pattern)


_UNIT_WORDS = (
    "second minute hour day night week weekend month year decade"
    " seconds minutes hours days nights weeks weekends months years decades"
)
_STEPPED = tuple(
    f"{step} {unit}"
    for step in ("last", "next", "this", "past")
    for unit in ("week", "month", "year", "night", "summer", "winter", "spring", "fall", "autumn")
)
# Per cue what surely holds such an answer. Names and durations are looked for apart.
_STRONG: dict[Cue, Signs] = {
    "when": _signs(
        "yesterday today tonight tomorrow ago january february april june july august september"
        " october november december jan feb apr jun jul aug sept oct nov dec monday tuesday"
        " wednesday thursday friday saturday sunday christmas easter thanksgiving halloween gestern"
        " vorgestern heute ayer hoy anoche ontem hoje ieri oggi montag dienstag mittwoch donnerstag"
        " freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche",
        *_STEPPED,
        *(f"last {day}" for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")),
        *("in may", "in march", "new year", "hier soir", "letzte woche", "semaine derniere"),
        *("semana pasada", "昨天", "今天", "明天", "上周", "去年", "昨日", "先週", "先月"),
        with_digits=r"\b(?:19|20)\d\d\b|\d:\d\d|\d\s?[ap]m\b|\d/\d|\d[月日年]"
        r"|(?:may|march) \d|\d(?:th|st|nd|rd)? (?:of )?(?:may|march)",
    ),
    "how_many": _signs(
        "two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty"
        " forty fifty hundred thousand dozen half double both twice thrice single pair zwei drei"
        " vier deux trois quatre dos tres cuatro dois due tre quattro",
        *("二", "三", "四", "五", "六", "七", "八", "九", "十", "两"),
        with_digits=r"\d",
    ),
    "how_long": _signs(
        "forever tagen tage wochen monaten monate jahren jahre heures jours semaines mois ans dias"
        " semanas meses anos giorni settimane mesi anni",
        *("all day", "all night", "all week", "all year", "since i was", "since childhood"),
        *("个月", "天了", "年了", "週間", "年間", "か月"),
    ),
    "why": _signs(
        "because reason reasons inspired motivated caused weil denn deshalb porque perche",
        *("so that", "due to", "in order to", "that's why", "thanks to", "as a result"),
        *("since i ", "parce que", "pour que", "因为", "所以", "ので"),
    ),
    "yes_no": _signs(
        "yes yeah yep yup no nope nah never not definitely absolutely sure already still ja nein"
        " oui non sim nao",
        *("of course", "n't ", "是的", "不是", "没有", "はい", "いいえ"),
    ),
}
# Per cue what may hold one.
_WEAK: dict[Cue, Signs] = {
    "when": _signs(
        "recently lately soon earlier later just now morning evening afternoon when during before"
        f" after since until {_UNIT_WORDS}"
    ),
    "how_many": _signs("one once few several many couple lots some first second third"),
    "where": _signs(
        "home park beach city town country school office hotel restaurant cafe street house lake"
        " museum mountain mountains store shop gym church hospital airport here there near live"
        " lived lives moved"
    ),
    "who": _signs(
        "mom mum mother dad father sister brother wife husband son daughter friend friends"
        " colleague colleagues boss teacher partner kids parents cousin uncle aunt grandma grandpa"
        " neighbor neighbour team he she they"
    ),
    "how_long": _signs(f"long while since until during always ages for {_UNIT_WORDS}"),
    "why": _signs("so since want wanted wants help helps helped feel felt love hope make"),
    "yes_no": _signs("maybe probably ok okay right true false"),
    "list": _signs("and also both plus too like"),
}
_PLACE_LEADS = frozenset(
    "in at near from to visit visited visiting around outside across into through via nach aus bei"
    " dans chez en em nel presso".split()
)
_ARTICLES = frozenset("the my our a an der die das la le el il".split())
_COUNTS = _STRONG["how_many"].words | frozenset("a an few several many couple".split())
_UNIT_SET = frozenset(_UNIT_WORDS.split())
_WORDS = re.compile(r"[^\W_]+")
_LETTERS = "".join(chr(n) if chr(n).isalnum() else " " for n in range(128))
_DIGIT = re.compile(r"\d")


def answer_cue(question: str) -> Cue:
    """The kind of answer a question wants."""
    folded = fold(question[:QUESTION_CHARS]).strip()
    for cue, pattern in _QUESTION_PATTERNS:
        if pattern.search(folded):
            return cue
    return "other"


def matches(cue: Cue, text: str) -> float:
    """How well a text could hold an answer of that kind: 0, 0.4 or 1."""
    if cue == "other":
        return 0.0
    folded = fold(text)
    words = _words(folded)
    if _holds(cue, text, folded, words):
        return STRONG
    return 0.0 if _WEAK[cue].words.isdisjoint(words) else WEAK


def _holds(cue: Cue, text: str, folded: str, words: list[str]) -> bool:
    if cue == "list":
        return folded.count(",") + folded.count("、") >= 2 or folded.count("\n") >= 2
    if cue in ("where", "who"):
        return _has_name(text, placed=cue == "where")
    if cue == "how_long" and _has_duration(words):
        return True
    signs = _STRONG[cue]
    if not signs.words.isdisjoint(words):
        return True
    for phrase in signs.phrases:  # a plain loop: a generator takes longer than what it looks for
        if phrase in folded:
            return True
    return bool(signs.with_digits and _DIGIT.search(folded) and signs.with_digits.search(folded))


def _words(folded: str) -> list[str]:
    """Its words; the quick way needs a table that knows all its characters."""
    return folded.translate(_LETTERS).split() if folded.isascii() else _WORDS.findall(folded)


def _has_name(text: str, *, placed: bool) -> bool:
    """A capital inside a sentence; for a place, after a preposition of place."""
    before, last = "", "."
    for word in text.split():
        named = (
            last[-1] not in ".!?:" and len(word) > 1 and word[0].isupper() and word[1] not in "'’"
        )
        lead = before if last in _ARTICLES else last
        if named and (not placed or lead.lower() in _PLACE_LEADS):
            return True
        before, last = last, word
    return False


def _has_duration(words: list[str]) -> bool:
    """A count and a unit, with at most one word between them."""
    for place, word in enumerate(words):
        if word in _UNIT_SET:
            near = words[max(0, place - 2) : place]
            if any(each in _COUNTS or each[0].isdecimal() for each in near):
                return True
    return False


_PAST_SAYING = (
    r"(?:told|said|recommended|suggested|gave|mentioned|advised|explained|listed|provided|shared"
    r"|wrote|proposed|described|answered|replied|offered|showed|taught|created|made|generated"
    r"|drafted|helped|cited|named|called|came up with|sent|summari[sz]ed|outlined|pointed)"
)
_SAYING = (
    r"(?:tell|say|recommend|suggest|give|mention|advise|explain|list|provide|share|write|propose"
    r"|describe|answer|reply|offer|show|create|make|generate|draft|come up with|send|call|think"
    r"|reckon|estimate|calculate)"
)
_EARLIER_TALK = r"(?:previous|last|earlier|past) (?:conversation|chat|discussion|session)"
_OF_ASSISTANT = re.compile(
    rf"\byou(?:'ve| have| had)?(?: \w+ly| just| also| once| already)? {_PAST_SAYING}\b"
    rf"|\bdid you (?:\w+ly )?{_SAYING}\b|\byou were (?:saying|telling|suggesting|recommending)\b"
    r"|\byour (?:\w+ )?(?:advice|suggestions?|recommendations?|answers?|response|reply|list|tips?"
    r"|explanation|instructions|example|analysis|summary|draft|plan|recipe|proposal)\b"
    r"|\b(?:tricks?|tips?|ideas?|hints?|words|points?|rules?|lines?|methods?|examples?) of yours\b"
    rf"|\bremind me\b.{{0,200}}\b{_EARLIER_TALK}|\b{_EARLIER_TALK}\b.{{0,200}}\bremind me\b"
    r"|\bassistant(?:'s)? (?:say|said|told|recommend|suggest|gave|advice|answer|reply)"
    r"|\bhast du (?:\w+ ){0,4}(?:gesagt|empfohlen|vorgeschlagen|geraten|erklart)\b"
    r"|\bdu (?:mir |uns )?(?:\w+ )?(?:gesagt|empfohlen|vorgeschlagen|geraten|erklart)\b"
    r"|\bdeine? (?:rat|empfehlung|vorschlag|antwort)\b"
    r"|\btu (?:m'|nous )?as (?:dit|recommande|conseille|suggere|propose|explique)\b|\bton conseil\b"
    r"|\b(?:me|nos) (?:dijiste|recomendaste|sugeriste|aconsejaste|explicaste)\b|\btu consejo\b"
    r"|\bvoce (?:me )?(?:disse|recomendou|sugeriu|aconselhou|explicou)\b"
    r"|\bmi hai (?:detto|consigliato|suggerito|raccomandato|spiegato)\b"
    r"|[你您](?:之前|上次)?(?:给我)?(?:推荐|建议|说过|说的|告诉|提到)"
    r"|(?:勧めて|教えて|提案して|言って)くれた"
)


def asks_about_assistant(question: str) -> bool:
    """Whether a question asks for what the assistant said, not for what it was told."""
    return _OF_ASSISTANT.search(fold(question[:QUESTION_CHARS])) is not None
