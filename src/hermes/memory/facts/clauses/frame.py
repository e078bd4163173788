"""What a clause says, taken apart: who, does what, how (tense, doubt, denial), to what, where.

A frame is a reading of words, not a judgement: whether what it says is meant and lasting is decided
by `stance` and by the table of facts.
"""

from dataclasses import dataclass, field, replace

from hermes.memory.facts.clauses.slots import Slot, Words, split_slots
from hermes.memory.facts.clauses.subjects import Subject, read_subject
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.verbs import CLASS_OF


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
    if verb_at < 0 and (guessed := _guess_verb(words, start)):
        words = guessed
        lead_end, verb_at = start, _find_verb(words, start)
    if verb_at < 0:
        return Frame(
            words, lead=words[:start], rest=words[start:], slots=split_slots(words[start:])[0]
        )
    if told := _after_gerund(words, verb_at) if verb_at == lead_end else 0:
        return _predicate(words, Subject("other", words[verb_at:told]), lead_end, told)
    subject = _resumed(words[start:lead_end], words[lead_end]) or read_subject(
        words[lead_end:verb_at]
    )
    if subject.kind == "none" and inherited is not None:
        orders = words[verb_at].form == "VB" and inherited.kind not in {"user", "team", "person"}
        subject = subject if orders else inherited
    elif subject.kind == "who" and inherited is not None:
        subject = inherited
    return _predicate(words, subject, lead_end, verb_at)


def _resumed(lead: Words, pronoun: Token) -> Subject | None:
    """ "my daughter Graziella she comes back": who is named first and taken up by a pronoun."""
    owned = bool(lead) and lead[0].tag == "POSS" and pronoun.low in {"he", "she", "they"}
    plain = owned and all(t.tag in _NOMINAL - {"PREP"} for t in lead)
    return read_subject(lead) if plain else None


def _guess_verb(words: Words, start: int) -> Words:
    """The words with an unknown one as their verb: "the choir rehearses on Tuesdays"."""
    for index in range(start + 1, len(words) - 1):
        token, before, after = words[index], words[index - 1], words[index + 1]
        if token.tag in {"PUNCT", "CONJ", "WH"}:
            return ()
        opens = token.tag == "NOUN" and token.text.islower() and len(token.text) > 3
        follows = after.tag in {"PREP", "DET", "POSS", "NUM"} and after.low != "of"
        if not (opens and follows and before.tag in {"NOUN", "NAME"}):
            continue
        plural = before.low.endswith("s")
        if token.low.endswith("ed") or (token.low.endswith("s") and not plural):
            form = "VD" if token.low.endswith("ed") else "VZ"
            lemma = token.low[:-2] if form == "VD" else token.low[:-1]
            verb = replace(token, tag="VERB", lemma=lemma, form=form)
            return (*words[:index], verb, *words[index + 1 :])
    return ()


def _after_gerund(words: Words, start: int) -> int:
    """Where the verb stands of which an act is the subject, as in "juggling both is hard"; or 0."""
    if words[start].form != "VG":
        return 0
    for index in range(start + 1, len(words)):
        token = words[index]
        if (
            token.tag in {"WH", "PRON"}
            or token.low in {"who", "and", "but", "so"}
            or token.text == ","
        ):
            return 0
        if token.tag in {"BE", "HAVE", "AUX"} or token.form == "VZ":
            return index
    return 0


def _skip_lead(words: Words) -> int:
    index = 0
    while index < len(words):
        token = words[index]
        is_filler = token.tag in {"INTJ", "CONJ", "PUNCT", "EMOJI"} or (
            token.tag == "ADV" and token.low not in {"home"}
        )
        if token.text in {"'", "`"} and token.text in [
            t.text for t in words[index + 1 : index + 4]
        ]:
            break  # "'otter' runs proxmox"
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
            modal = modal or ("have" if group[-1].low == "has" else group[-1].low)
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


_GET = frozenset({"get", "gets", "got", "getting"})
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
    same = verb in _SAME_PARTICIPLE and form != "VG"
    passive = be_before and (form in {"VD", "VN"} or same)
    passive = passive or (form in {"VD", "VN"} and bool(_GET & set(lows[:-1])))
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
