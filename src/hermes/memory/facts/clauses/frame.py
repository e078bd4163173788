"""What a clause says, taken apart: who, does what, how (tense, doubt, denial), to what, where.

A frame is a reading of words, not a judgement: whether what it says is meant and lasting is decided
by `stance` and by the table of facts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hermes.memory.facts.clauses.lexicon import KIN_PLURAL, RELATIONS
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.verbs import CLASS_OF

Words = tuple[Token, ...]


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


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of what follows the verb: the preposition before it, and its words."""

    prep: str
    words: Words

    @property
    def text(self) -> str:
        return spell(self.words)


@dataclass(frozen=True, slots=True)
class Frame:
    words: Words
    subject: Subject = field(default_factory=Subject)
    lead: Words = ()
    group: Words = ()
    verb: str = ""
    form: str = ""
    tense: str = "present"
    modal: str = ""
    negated: bool = False
    passive: bool = False
    rest: Words = ()
    slots: tuple[Slot, ...] = ()
    tail: Words = ()

    @property
    def classes(self) -> frozenset[str]:
        return CLASS_OF.get(self.verb, frozenset())

    @property
    def object(self) -> Words:
        return self.slots[0].words if self.slots and not self.slots[0].prep else ()

    def slot(self, *preps: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.prep in preps), None)

    def has(self, *words: str) -> bool:
        """Whether one of these words stands in the clause."""
        return any(token.low in words for token in self.words)


def spell(words: Sequence[Token]) -> str:
    """The words as they were written, marks at the edges aside; gaps of other text are closed."""
    text, end = "", None
    for token in words:
        if end is not None and token.start > end:
            text += " "
        text += token.text
        end = token.end
    return text.strip(" ,;:.!?\"'“”`*…-—")


_NOT_LEAD = frozenset({"no", "right", "home", "one", "note", "update", "great", "nice", "cool"})
_NOMINAL = frozenset({"POSS", "DET", "NAME", "NOUN", "ADJ", "NUM", "GEN", "ADDR", "PREP", "OBJ"})


def parse(words: Words, inherited: Subject | None = None) -> Frame:
    """The frame of a clause; `inherited` is the subject a bare predicate leans on."""
    start = _skip_lead(words)
    lead_end, verb_at = start, _find_verb(words, start)
    while verb_at < 0 and lead_end < len(words) and (further := _after_lead(words, lead_end)):
        lead_end, verb_at = further, _find_verb(words, further)
    if verb_at > lead_end and (shift := _inner_lead(words, lead_end, verb_at)):
        lead_end = shift
    if verb_at < 0:
        return Frame(
            words, lead=words[:start], rest=words[start:], slots=split_slots(words[start:])[0]
        )
    subject = _subject(words[lead_end:verb_at])
    if subject.kind == "none" and inherited is not None:
        orders = words[verb_at].form == "VB" and inherited.kind not in {"user", "team", "person"}
        subject = subject if orders else inherited
    elif subject.kind == "who" and inherited is not None:
        subject = inherited
    return _predicate(words, subject, lead_end, verb_at)


def _skip_lead(words: Words) -> int:
    index = 0
    while index < len(words):
        token = words[index]
        is_filler = token.tag in {"INTJ", "CONJ", "PUNCT", "EMOJI"} or (
            token.tag == "ADV" and token.low not in {"home"}
        )
        if not is_filler or (token.low in _NOT_LEAD and token.tag != "INTJ"):
            break
        index += 1
    return index


def _after_lead(words: Words, start: int) -> int:
    """Where the clause goes on after an opening such as "for Atlas," or "at work"; 0 if nowhere."""
    for index in range(start, min(len(words), start + 9)):
        if words[index].text == "," and index + 1 < len(words):
            return index + 1
    return 0


def _inner_lead(words: Words, start: int, verb_at: int) -> int:
    """ "On Atlas we use": the subject is the pronoun, what stands before it opens the clause."""
    for index in range(verb_at - 1, start, -1):
        if words[index].tag == "PRON" and words[index].low not in {
            "one",
            "that",
            "this",
            "something",
        }:
            return index
        if words[index].text == ",":
            return index + 1
        if words[index].tag == "POSS" and words[start].tag in {
            "PREP",
            "CONJ",
            "ADV",
            "NOUN",
            "DET",
            "NUM",
        }:
            if words[index].low in {"my", "our"} and words[index - 1].tag != "PREP":
                return index
    if words[start].tag == "PREP" and words[start].low != "of":
        for index in range(start + 1, verb_at):
            if words[index].tag == "DET" and words[index - 1].tag in {"NAME", "NOUN", "ADV", "NUM"}:
                return index
    return 0


def _find_verb(words: Words, start: int) -> int:
    """Where the verb group begins, with only a subject before it; -1 if there is none."""
    for index in range(start, len(words)):
        token = words[index]
        if _opens_group(words, index, start):
            return index
        if token.tag in _NOMINAL or token.tag in {"PRON", "ADV", "WH"}:
            continue
        if token.low == "and" or (token.tag == "VERB" and index > start):
            continue
        if token.text in {'"', "`", "“", "”", "'", "-", "/", "&", "+"} or token.tag == "INTJ":
            continue
        return -1
    return -1


def _opens_group(words: Words, index: int, start: int) -> bool:
    token = words[index]
    if token.tag in {"BE", "HAVE", "AUX"}:
        return True
    if token.tag == "NEG":
        return True
    if token.tag != "VERB":
        return False
    if index == start:
        return True
    if token.form in {"VZ", "VD", "VN"} or token.low in {"put", "set", "cut", "quit"}:
        return True
    before = words[index - 1]
    if token.form == "VB":
        return before.tag in {"PRON", "ADV"} or before.low.endswith("s") or before.tag == "NAME"
    return before.tag in {"PRON", "ADV"}


def _subject(words: Words) -> Subject:
    words = tuple(
        token for token in words if token.tag not in {"ADV", "INTJ"} and token.text != ","
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


def noun_subject(words: Words) -> Subject:
    """The subject a noun phrase makes: whose it is, its head noun, and a name beside it."""
    if len(words) > 1 and words[0].low in {"all", "both", "most"} and words[1].tag == "POSS":
        words = words[1:]
    first = words[0]
    owner = {
        "my": "user",
        "our": "team",
        **dict.fromkeys(("mum", "mom", "dad", "grandma", "grandpa"), "user"),
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


def _head(core: Sequence[Token]) -> str:
    """The last noun before a preposition."""
    head = ""
    for token in core:
        if token.tag == "PREP":
            break
        if token.tag in {"NOUN", "NAME", "VERB"}:
            head = token.low
    return head


def _predicate(words: Words, subject: Subject, lead_end: int, verb_at: int) -> Frame:  # noqa: C901 - one case after the other
    index, modal, negated = verb_at, "", False
    group: list[Token] = []
    main: Token | None = None
    while index < len(words):
        token = words[index]
        if token.tag in {"ADV", "NEG"} or (
            token.low in {"no", "going"} and _continues(words, index)
        ):
            negated |= token.tag == "NEG" or token.low == "no"
            modal = "going" if token.low == "going" else modal
        elif token.tag == "AUX" and _has_verb_after(words, index):
            modal = token.low if token.low not in {"do", "does", "did"} else modal
        elif token.tag in {"BE", "HAVE", "AUX", "VERB"}:
            main = token
        elif not (token.low == "to" and group):
            break
        else:
            modal = modal or group[-1].low
        group.append(token)
        index += 1
        if token is main and not _goes_on(words, index, token):
            break
        if token is main and token.tag == "VERB" and token.lemma != "get":
            modal = token.lemma
    while index < len(words) and words[index].tag in {"NEG", "ADV"} and words[index].low != "home":
        if main is None or main.tag == "VERB":
            break
        negated |= words[index].tag == "NEG"
        group.append(words[index])
        index += 1
    if [t.low for t in words[index : index + 2]] == ["no", "longer"]:
        negated, index = True, index + 2
        group += words[index - 2 : index]
    return _finished(
        words, subject, (lead_end, verb_at, index), (tuple(group), modal, negated, main)
    )


def _goes_on(words: Words, index: int, token: Token) -> bool:
    """Whether the verb just read only leads to another."""
    if token.tag == "VERB" and token.lemma == "get" and index < len(words):
        return words[index].tag == "VERB" and words[index].form in {"VD", "VN"}
    if token.tag == "VERB":
        return _is_modal_chain(words, index, token)
    return _has_verb_after(words, index - 1)


def _continues(words: Words, index: int) -> bool:
    if words[index].low == "no":
        return index + 1 < len(words) and words[index + 1].low == "longer"
    return (
        index + 2 < len(words)
        and words[index + 1].low == "to"
        and words[index + 2].tag in {"VERB", "BE"}
    )


def _has_verb_after(words: Words, index: int) -> bool:
    """Whether an auxiliary has its verb still ahead of it."""
    token = words[index]
    for further in words[index + 1 : index + 5]:
        if further.tag in {"ADV", "NEG"} or further.low == "both":
            continue
        if token.low in {"have", "has", "had", "'ve"} and further.low == "to":
            return True
        if (
            token.low in {"is", "am", "are", "'m", "'re", "'s", "was", "were"}
            and further.low == "to"
        ):
            return True
        if token.tag == "AUX":
            return further.tag in {"VERB", "BE", "HAVE", "AUX"}
        if token.tag == "HAVE":
            return further.low in {"been", "had", "got", "done"} or (
                further.tag == "VERB" and further.form in {"VN", "VD"}
            )
        return further.low in {"being", "been"} or (
            further.tag == "VERB"
            and (further.form in {"VN", "VD", "VG"} or further.low in _SAME_PARTICIPLE)
        )
    return False


def _is_modal_chain(words: Words, index: int, token: Token) -> bool:
    if token.lemma not in {"want", "need", "try", "plan", "hope", "expect", "use", "go", "have"}:
        return False
    return (
        index + 1 < len(words)
        and words[index].low == "to"
        and words[index + 1].tag in {"VERB", "BE", "HAVE", "NOUN", "AUX"}
        and (token.lemma != "use" or token.form == "VD")
    )


_PAST_BE = frozenset({"was", "were"})
_SAME_PARTICIPLE = frozenset({"set", "cut", "put", "run", "read", "shut", "hit"})


def _finished(
    words: Words,
    subject: Subject,
    at: tuple[int, int, int],
    read: tuple[Words, str, bool, Token | None],
) -> Frame:
    lead_end, _, index = at
    group, modal, negated, main = read
    lows = [token.low for token in group]
    verb, form = _lemma(main)
    be_before = any(t.tag == "BE" for t in group[:-1]) and main is not None and main.tag == "VERB"
    passive = be_before and (form in {"VD", "VN"} or verb in _SAME_PARTICIPLE)
    passive = passive or (form in {"VD", "VN"} and "got" in lows[:-1])
    if modal in {"have", "need"} and form not in {"VG"}:
        tense = "present"
    elif form == "VG" and (be_before or subject.kind != "none"):
        tense = "progressive"
    elif any(t.tag == "HAVE" for t in group[:-1]):
        tense = "perfect"
    elif (
        _PAST_BE & set(lows)
        or "did" in lows
        or (form == "VD" and not passive)
        or lows[-1:] == ["had"]
    ):
        tense = "past"
    else:
        tense = "present"
    if modal in {"will", "'ll", "wo", "going"}:
        tense = "future"
    if lows[:1] == ["been"] or lows[:2] in (["'ve", "been"], ["have", "been"], ["has", "been"]):
        tense = "perfect" if form != "VG" else "progressive"
    rest = words[index:]
    slots, tail = split_slots(rest)
    return Frame(
        words,
        subject,
        words[:lead_end],
        group,
        verb,
        form,
        tense,
        modal,
        negated,
        passive,
        rest,
        slots,
        tail,
    )


def _lemma(main: Token | None) -> tuple[str, str]:
    if main is None:
        return "", ""
    if main.tag == "BE":
        return "be", ""
    if main.tag == "HAVE" or main.low == "got":
        return "have", ""
    if main.tag == "AUX":
        return {"do": "do", "does": "do", "did": "do"}.get(main.low, ""), ""
    return main.lemma, main.form


_STOPPING = frozenset(
    "because cause cuz since so but though although while whereas which who if when "
    "where unless whether".split()
)
_TIMES = frozenset(
    "now today tomorrow yesterday tonight nowadays lately recently again too also anymore "
    "instead already soon ago later here there btw lol haha please pls thanks".split()
)


def split_slots(rest: Sequence[Token]) -> tuple[tuple[Slot, ...], Words]:
    """The parts after a verb: the object first, then each preposition with its words; the tail."""
    slots: list[Slot] = []
    prep = ""
    held: list[Token] = []
    rest = _without_times(rest)
    for index, token in enumerate(rest):
        if token.low in {"about", "around", "over", "under", "roughly"} and _is_before_number(
            rest, index
        ):
            continue
        if _ends(rest, index):
            return _closed(slots, prep, held), tuple(rest[index:])
        if token.tag == "PREP" and token.low != "of" and not (token.low == "up" and not held):
            slots = [*_closed(slots, prep, held)]
            prep, held = token.low, []
        elif token.low == "since" and _is_time(rest, index):
            slots = [*_closed(slots, prep, held)]
            prep, held = "since", []
        elif token.low not in _TIMES and token.tag not in {"INTJ", "EMOJI"}:
            held.append(token)
    return _closed(slots, prep, held), ()


_SPANS = frozenset(
    "days day week weeks month months year years night summer winter spring autumn fall weekend "
    "quarter "
    "sprint morning monday tuesday wednesday thursday friday saturday sunday moment end".split()
)
_FIXED = (
    ("in", "the", "end"),
    ("at", "the", "moment"),
    ("for", "now"),
    ("from", "now", "on"),
    ("as", "well"),
    ("any", "more"),
    ("in", "advance"),
    ("so", "far"),
    ("right", "now"),
    ("by", "the", "way"),
    ("for", "good"),
    ("as", "of", "today"),
    ("of", "course"),
)


def _without_times(rest: Sequence[Token]) -> list[Token]:
    """Without "these days", "last week" and the like: they say when, not what."""
    kept: list[Token] = []
    index = 0
    while index < len(rest):
        lows = tuple(t.low for t in rest[index : index + 3])
        fixed = next((f for f in _FIXED if lows[: len(f)] == f), None)
        if fixed:
            index += len(fixed)
        elif lows[0] in {"these", "this", "last", "next"} and len(lows) > 1 and lows[1] in _SPANS:
            index += 2
        else:
            kept.append(rest[index])
            index += 1
    return kept


def _is_before_number(rest: Sequence[Token], index: int) -> bool:
    return index + 1 < len(rest) and rest[index + 1].tag == "NUM"


def _closed(slots: Sequence[Slot], prep: str, held: list[Token]) -> tuple[Slot, ...]:
    while held and (held[-1].tag in {"PUNCT", "CONJ"} or held[-1].tag == "ADV"):
        held = held[:-1]
    if not held and not (prep and not slots):
        return tuple(slots) if not prep else (*slots, Slot(prep, ()))
    return (*slots, Slot(prep, tuple(held)))


def _is_time(rest: Sequence[Token], index: int) -> bool:
    following = rest[index + 1] if index + 1 < len(rest) else None
    return following is not None and following.tag in {"NUM", "NAME", "ADJ", "DET", "NOUN", "ADV"}


def _ends(rest: Sequence[Token], index: int) -> bool:
    token = rest[index]
    if token.low in _STOPPING and not (token.low == "since" and _is_time(rest, index)):
        return True
    if token.text in {";", "—", "–", "-"} and token.tag == "PUNCT":
        return True
    if token.text != ",":
        return False
    return not _is_list_comma(rest, index)


def _is_list_comma(rest: Sequence[Token], index: int) -> bool:
    """A comma between things of one kind: "Python 3.12, FastAPI, SQLAlchemy 2 and Redis"."""
    before, after = rest[index - 1] if index else None, rest[index + 1 : index + 8]
    if before is None or not after:
        return False
    if before.tag not in {"NAME", "NOUN", "NUM", "ADDR"}:
        return False
    if before.tag in {"NAME", "NUM"} and (after[0].tag == "NAME" or after[0].text[:1].isdigit()):
        return True
    if after[0].low in {"no", "not", "and"} or after[0].tag in {"POSS", "PRON"}:
        return after[0].low == "and"
    joins = [n for n, token in enumerate(after) if token.low in {"and", "or"}]
    return bool(joins) and all(
        t.tag in {"NAME", "NOUN", "NUM", "ADJ", "DET"} or t.text == "," for t in after[: joins[0]]
    )


def list_items(words: Sequence[Token]) -> Iterator[Words]:
    """The members of an enumeration, each without its article."""
    item: list[Token] = []
    for token in words:
        if token.text in {",", "+", "&", "/"} or token.low in {"and", "plus", "or"}:
            if item:
                yield tuple(item)
            item = []
        elif item or token.tag not in {"DET"}:
            item.append(token)
    if item:
        yield tuple(item)
