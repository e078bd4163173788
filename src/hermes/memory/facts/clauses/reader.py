"""The extractor without a model: messages in, sure facts out, nothing where nothing was "
"asserted."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate, verify_quote
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.announced import read_announced, read_aside
from hermes.memory.facts.clauses.answers import read_question, statements_for
from hermes.memory.facts.clauses.apply import read_by_table
from hermes.memory.facts.clauses.certainty import is_sure
from hermes.memory.facts.clauses.correction import correct
from hermes.memory.facts.clauses.cues import (
    AFTERTHOUGHT,
    Opening,
    is_decided,
    is_verdict,
    read_opening,
)
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import read_dated_phrase, read_dates
from hermes.memory.facts.clauses.finishing import finished, new_ones, settled
from hermes.memory.facts.clauses.fragments import find_as_a, find_fragment, find_it_is
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.introductions import (
    find_introduction,
    find_marked,
    find_own_name,
    find_renamed,
)
from hermes.memory.facts.clauses.labels import read_label
from hermes.memory.facts.clauses.orders import find_annoyance, find_order
from hermes.memory.facts.clauses.people import find_named, find_people
from hermes.memory.facts.clauses.prose import closes_play, opens_play, own_prose
from hermes.memory.facts.clauses.remembered import find_remembered
from hermes.memory.facts.clauses.split import Clause, Sentence, split_clauses, split_sentences
from hermes.memory.facts.clauses.stance import (
    conditions,
    factive_part,
    has_laughter,
    is_asked,
    is_brief,
    is_doubtful,
    is_jest,
    is_reported,
    is_supposition,
)
from hermes.memory.facts.clauses.subjects import Subject, noun_subject
from hermes.memory.facts.clauses.talk import (
    Talk,
    is_elided,
    means_thing,
    notice,
    remember_subjects,
    scope_of,
    scoped,
)
from hermes.types import FactKind, Message, Origin, Role

_LASTING = frozenset({FactKind.DEADLINE, FactKind.EVENT, FactKind.DECISION})


class RuleExtractor:
    """Facts by rules alone. `owner` is the speaker whose memory this is, in chats of several."""

    name = "rules"

    def __init__(self, owner: str = "") -> None:
        self._owner = owner.casefold()

    def extract(self, messages: Sequence[Message]) -> list[Candidate]:
        found: list[Candidate] = []
        playing = False
        question = ""
        for message in messages:
            if message.role is Role.USER:
                playing = opens_play(message.text) or (playing and not closes_play(message.text))
            if speaks_for_user(message) and not playing:
                fresh = read_text(message.text, message.at, found, question)
                found += new_ones([self._signed(each, message) for each in fresh], found)
            question = read_question(message.text)
        return found

    def _signed(self, candidate: Candidate, message: Message) -> Candidate:
        speaker = message.speaker
        other = speaker and self._owner and speaker.casefold() != self._owner
        subject = speaker if other and candidate.subject == USER else candidate.subject
        signed = replace(candidate, message_id=message.id, at=message.at, subject=subject)
        return verify_quote(signed, message.text)


def speaks_for_user(message: Message) -> bool:
    """Only what a person typed: never the assistant's words, a tool's, or a page's."""
    return message.role is Role.USER and message.origin in {Origin.USER, Origin.IMPORT}


def read_text(
    text: str, at: int, earlier: Sequence[Candidate] = (), question: str = ""
) -> list[Candidate]:
    """The facts one message states; `earlier` and `question` are what it may lean on."""
    prose = own_prose(text)
    talk = Talk(text, at, list(earlier), question, laughing=has_laughter(text))
    talk.scope = scope_of(earlier)
    talk.greeted = prose[:40].lower().lstrip().startswith(("hi", "hey", "hello", "good "))
    sentences = list(split_sentences(prose))
    for index, sentence in enumerate(sentences):
        following = sentences[index + 1].text if index + 1 < len(sentences) else ""
        joking = is_jest(
            sentence.text
            + prose[sentence.start + len(sentence.text) : sentence.start + len(sentence.text) + 3],
            following,
        )
        if joking or (index and is_jest(sentences[index - 1].text, "")):
            continue
        fresh = _read_sentence(sentence, following, talk)
        talk.decided = talk.decided or is_verdict(sentence.text)
        if not fresh and talk.question and index < 2:
            talk.found += _read_answer(sentence, talk)
    return settled([each for each in new_ones(talk.found, ()) if is_sure(each, at)])


def _read_sentence(sentence: Sentence, following: str, talk: Talk) -> list[Candidate]:
    opening = read_opening(sentence.text)
    body = Sentence(sentence.text[opening.offset :], sentence.start + opening.offset, sentence.mark)
    if not body.text.strip():
        return []
    setting = _setting(sentence, following, opening, talk)
    clauses = split_clauses(body)
    texts = [_text_of(clause, body) for clause in clauses]
    if is_supposition(body.text) and not opening.explicit:
        return talk.keep(_taken_for_granted(clauses, body, setting))
    whole = (
        _as_correction(body, opening, talk) or find_renamed(body.text) or find_annoyance(body.text)
    )
    if whole:
        return talk.keep([finished(each, Clause(()), body, opening, talk) for each in whole])
    skipped = conditions(clauses, texts)
    found: list[Candidate] = []
    before: Subject | None = None
    for index, clause in enumerate(clauses):
        last, only = index == len(clauses) - 1, len(clauses) == 1
        frame = _frame(clause, before, talk)
        asked = is_asked(texts[index], body, is_last=last, is_only=only) and not opening.hearsay
        asked = asked and not _asks_only_after(frame)
        label = (
            _as_label(clauses, index, setting)
            if index + 1 < len(clauses) and not body.is_question
            else []
        )
        if asked or index in skipped:
            fresh = _granted(clause) if index not in skipped or asked else []
            fresh += _supposed_order(frame, texts[index], asked=asked)
        else:
            label = [scoped(each, frame, talk) for each in label]
            fresh = label or _read_clause(clause, frame, texts[index], setting, talk)
        if found and len(clauses) == 2 and clause.tokens[0].low == "no" and not frame.verb:
            fresh = []
        fresh = [finished(each, clause, body, opening, talk) for each in fresh]
        found += fresh
        talk.found += fresh
        before = _lean_on(frame, before)
        setting = _after(setting, fresh)
    if not found and opening.explicit:
        found += [
            finished(each, clauses[0], body, opening, talk) for each in find_remembered(body.text)
        ]
        talk.found += found
    return found


def _asks_only_after(frame: Frame) -> bool:
    """ "my partner has a Brazilian passport, same for him?": only what follows the comma asks."""
    told = frame.subject.kind in {"user", "team", "person", "own"}
    return told and bool(frame.tail) and frame.tail[0].text == ","


def _as_correction(body: Sentence, opening: Opening, talk: Talk) -> list[Candidate]:
    """The whole sentence as a correction of something said before: "Ana, not Anna"."""
    earlier = talk.recent
    short = len(body.text.split()) <= 8
    if not earlier or not short or body.is_question:
        return []
    if not opening.correction and not re.match(r"(?i)not \S", body.text):
        return []
    return correct(body.text, talk.at, earlier, marked=False)


def _setting(sentence: Sentence, following: str, opening: Opening, talk: Talk) -> Setting:
    explicit = opening.explicit or bool(
        AFTERTHOUGHT.search(sentence.text) or AFTERTHOUGHT.match(following)
    )
    return Setting(
        talk.at,
        decided=is_decided(sentence.text, following) or talk.decided or talk.has_decided,
        explicit=explicit,
        told=opening.told,
        correction=opening.correction,
        laughing=talk.laughing,
    )


def _after(setting: Setting, fresh: Sequence[Candidate]) -> Setting:
    decided = setting.decided or any(each.kind is FactKind.DECISION for each in fresh)
    return replace(setting, decided=decided)


def _text_of(clause: Clause, sentence: Sentence) -> str:
    return sentence.text[clause.start : clause.end]


def _frame(clause: Clause, before: Subject | None, talk: Talk) -> Frame:
    """The clause as a frame, its pronouns and gaps filled from what went before."""
    tokens = clause.tokens
    if shift := factive_part(" ".join(token.text for token in tokens)):
        words = len(" ".join(token.text for token in tokens)[:shift].split())
        tokens = tokens[words:]
    leans = clause.joint in {
        "and",
        ",",
        "but",
        "so",
        "then",
        "who",
        "which",
        "plus",
        "or",
        "because",
    }
    frame = parse(tokens, before if leans else None)
    subject = frame.subject
    if subject.kind == "none" and is_elided(frame):
        subject = Subject("user")
    elif subject.kind == "own" and subject.noun == "job" and frame.form == "VG":
        subject = Subject("user")
    elif subject.kind == "person" and not subject.owner and not subject.name:
        subject = talk.person or replace(subject, kind="other")
    elif subject.kind == "it" and subject.noun == "it" and means_thing(frame, talk):
        subject = talk.thing or subject
    return replace(frame, subject=subject)


def _lean_on(frame: Frame, before: Subject | None) -> Subject | None:
    if "say" in frame.classes and any(t.tag == "PRON" and t.low == "we" for t in frame.rest):
        return Subject("team", noun="we")
    if frame.subject.kind not in {"none", "you"}:
        return frame.subject
    if not frame.verb and frame.rest and frame.rest[0].tag in {"POSS", "NAME", "DET"}:
        return noun_subject(tuple(t for t in frame.rest if t.tag != "PUNCT"))
    return before


def _as_label(clauses: list[Clause], index: int, setting: Setting) -> list[Candidate]:
    if clauses[index + 1].joint != ":":
        return []
    return read_label(clauses[index].tokens, clauses[index + 1].tokens, setting)


def _granted(clause: Clause) -> list[Candidate]:
    return [*find_people(clause.tokens, clause.asides), *find_as_a(clause.tokens)]


def _taken_for_granted(clauses: list[Clause], body: Sentence, setting: Setting) -> list[Candidate]:
    opening = Opening(0)
    return [
        finished(each, clause, body, opening, None)
        for clause in clauses
        for each in _granted(clause)
    ]


def _supposed_order(frame: Frame, text: str, *, asked: bool) -> list[Candidate]:
    """ "can you stop apologising" is an order, whatever mark ends it."""
    return find_order(frame, text) if asked else []


def _read_clause(
    clause: Clause, frame: Frame, text: str, setting: Setting, talk: Talk
) -> list[Candidate]:
    people = (
        [] if setting.laughing and frame.verb == "be" else find_people(clause.tokens, clause.asides)
    )
    people += find_own_name(clause.tokens)
    notice(clause, frame, talk)
    inner = _embedded(frame, setting, talk) if "say" in frame.classes else None
    if inner is not None:
        return people + inner
    if is_doubtful(text) and not setting.explicit:
        return people + find_order(frame, text)
    if is_reported(frame):
        return people
    found = _by_frame(clause, frame, text, setting, talk) or read_announced(frame, text, setting)
    found = [scoped(each, frame, talk) for each in found]
    asides = [each for aside in clause.asides for each in read_aside(aside, frame, found, setting)]
    addressed = {each.attribute for each in asides if each.attribute and "/" in each.value}
    found = [each for each in found if each.attribute not in addressed] + asides
    remember_subjects(frame, people, found, talk)
    known = {each.value for each in people}
    return people + [
        each for each in found if not (each.kind is FactKind.RELATIONSHIP and each.value in known)
    ]


def _embedded(frame: Frame, setting: Setting, talk: Talk) -> list[Candidate] | None:
    """ "my boss said we are dropping Angular": what one's own people say counts, others' does "
    "not."""
    words = frame.rest
    begins = next(
        (
            n
            for n, t in enumerate(words)
            if (t.tag == "PRON" and t.low in {"we", "i"})
            or (t.tag == "POSS" and t.low in {"my", "our"})
        ),
        -1,
    )
    if begins < 0 or begins > 2 or not frame.subject.owner:
        return None
    inner = parse(tuple(words[begins:]))
    if inner.modal or is_doubtful(" ".join(t.text for t in words)):
        return []
    return read_by_table(inner, setting)


def _by_frame(  # noqa: C901, PLR0911 - one case after the other
    clause: Clause, frame: Frame, text: str, setting: Setting, talk: Talk
) -> list[Candidate]:
    if not frame.verb:
        earlier = talk.recent
        fixed = correct(text, talk.at, earlier, marked=setting.correction) if earlier else []
        return (
            fixed
            or find_it_is(frame.words)
            or read_dated_phrase(frame, setting, text)
            or find_fragment(frame, setting, introduced=talk.introduced)
        )
    if chosen := find_it_is(frame.words):
        return chosen
    earlier = talk.recent
    if text.lower().startswith(("it", "that")) and earlier and earlier[-1].ended:
        if fixed := correct(text, talk.at, earlier, marked=setting.correction):
            return fixed
    if marked := find_marked(frame):
        return marked
    intro = find_introduction(frame, greeted=talk.greeted)
    if intro:
        talk.introduced = True
        return intro
    if named := find_named(frame):
        return named if not setting.laughing else []
    dated = read_dates(frame, setting, text)
    if dated:
        return dated
    if orders := find_order(frame, text, standing=setting.told):
        return orders
    if frame.subject.kind in {"it", "none"} or setting.correction:
        if fixed := correct(text, talk.at, earlier, marked=setting.correction):
            return fixed
    found = read_by_table(frame, setting)
    if _is_passing(frame, text, found):
        return []
    return found


def _is_passing(frame: Frame, text: str, found: Sequence[Candidate]) -> bool:
    """True of this hour only."""
    if not found:
        return False
    if (
        frame.verb == "be"
        and frame.object
        and values.is_momentary(frame.object)
        and not values.is_role(frame.object)
    ):
        return not values.is_diet(frame.object) and not values.is_trait(frame.object)
    lasting = any(each.kind in _LASTING for each in found)
    return is_brief(text) and not lasting


def _read_answer(sentence: Sentence, talk: Talk) -> list[Candidate]:
    """What the sentence says as an answer to the message before it."""
    found: list[Candidate] = []
    opening = read_opening(sentence.text)
    answer = sentence.text[opening.offset :].strip(" ,.!")
    for statement, body in statements_for(talk.question, answer):
        said = statement.format(body)
        inner = Talk(said, talk.at, [])
        covered = " ".join(other.value for other in found).casefold()
        for each in _read_sentence(Sentence(said, 0), "", inner):
            fresh = each.value.casefold() not in covered and each.kind is not FactKind.DEADLINE
            if fresh and body not in covered:
                found.append(replace(each, quote=sentence.text))
    talk.question = "" if found else talk.question
    return found
