"""The extractor without a model: messages in, sure facts out, nothing where nothing was "
"asserted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from hermes.memory.entities import name_mentions
from hermes.memory.facts.candidate import USER, Candidate, verify_quote
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.answers import read_question, statements_for
from hermes.memory.facts.clauses.apply import clause_value, noun_of, read_by_table
from hermes.memory.facts.clauses.correction import correct
from hermes.memory.facts.clauses.cues import (
    AFTERTHOUGHT,
    Opening,
    is_decided,
    is_verdict,
    read_opening,
)
from hermes.memory.facts.clauses.dated import read_dated_phrase, read_dates
from hermes.memory.facts.clauses.fragments import (
    find_as_a,
    find_fragment,
    find_introduction,
    find_it_is,
    find_marked,
    find_own_name,
    find_renamed,
    read_label,
    tool_fact,
)
from hermes.memory.facts.clauses.frame import Frame, Subject, noun_subject, parse, spell
from hermes.memory.facts.clauses.lexicon import PASSING_NOUNS
from hermes.memory.facts.clauses.marks import Setting
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
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.clauses.verbs import FORMS
from hermes.memory.facts.clauses.wording import render
from hermes.types import Confidence, FactKind, Message, Origin, Role

RECENT = 40  # facts that a later clause may lean on
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
                found += _new_ones([self._signed(each, message) for each in fresh], found)
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


@dataclass
class Talk:
    """What one message has said so far, for the clauses that lean on it."""

    text: str
    at: int
    earlier: list[Candidate]
    question: str = ""
    found: list[Candidate] = field(default_factory=list)
    person: Subject | None = None
    thing: Subject | None = None
    greeted: bool = False
    introduced: bool = False
    decided: bool = False
    laughing: bool = False
    scope: str = ""

    @property
    def recent(self) -> list[Candidate]:
        """What a correction may mean: the last things said, in this message and before it."""
        return [*self.earlier[-RECENT:], *self.found[-RECENT:]]

    @property
    def has_decided(self) -> bool:
        return any(each.kind is FactKind.DECISION for each in self.found[-RECENT:])

    def keep(self, fresh: list[Candidate]) -> list[Candidate]:
        self.found += fresh
        return fresh


def read_text(
    text: str, at: int, earlier: Sequence[Candidate] = (), question: str = ""
) -> list[Candidate]:
    """The facts one message states; `earlier` and `question` are what it may lean on."""
    prose = own_prose(text)
    talk = Talk(text, at, list(earlier), question, laughing=has_laughter(text))
    talk.scope = _scope_of(earlier)
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
    return _settled(list(_new_ones(talk.found, ())))


def _scope_of(earlier: Sequence[Candidate]) -> str:
    """The project that the last fact about one named: what is decided next is decided of it."""
    last = earlier[-1] if earlier else None
    if last is None or last.kind not in {FactKind.DEADLINE, FactKind.DECISION}:
        return ""
    names = [
        name
        for name in last.entities
        if name.isalpha() and name.lower() not in values.CALENDAR and not find_purpose(name)
    ]
    return names[0] if len(names) == 1 else ""


def _settled(found: list[Candidate]) -> list[Candidate]:
    """Without the endings that a new value in the same message already tells."""
    replaced = {each.replaces.casefold() for each in found if each.replaces and not each.ended}
    gone = [each for each in found if each.ended]
    kept = [each for each in found if not each.ended]
    for index, each in enumerate(kept):
        old = next((g for g in gone if g.attribute == each.attribute and not each.replaces), None)
        if old is not None and each.value.casefold() != old.value.casefold():
            kept[index] = replace(each, replaces=old.value, single=True)
            replaced.add(old.value.casefold())
    return kept + [each for each in gone if each.value.casefold() not in replaced]


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
        return talk.keep([_finished(each, Clause(()), body, opening, talk) for each in whole])
    skipped = conditions(clauses, texts)
    found: list[Candidate] = []
    before: Subject | None = None
    for index, clause in enumerate(clauses):
        last, only = index == len(clauses) - 1, len(clauses) == 1
        frame = _frame(clause, before, talk)
        asked = is_asked(texts[index], body, is_last=last, is_only=only) and not opening.hearsay
        asked = asked and not (
            frame.tail
            and frame.subject.kind in {"user", "team", "person", "own"}
            and frame.tail[0].text == ","
        )
        label = (
            _as_label(clauses, index, setting)
            if index + 1 < len(clauses) and not body.is_question
            else []
        )
        if asked or index in skipped:
            fresh = _granted(clause) if index not in skipped or asked else []
            fresh += _supposed_order(frame, texts[index], asked=asked)
        else:
            label = [_scoped(each, frame, talk) for each in label]
            fresh = label or _read_clause(clause, frame, texts[index], setting, talk)
        if found and len(clauses) == 2 and clause.tokens[0].low == "no" and not frame.verb:
            fresh = []
        fresh = [_finished(each, clause, body, opening, talk) for each in fresh]
        found += fresh
        talk.found += fresh
        before = _lean_on(frame, before)
        setting = _after(setting, fresh)
    if not found and opening.explicit:
        found += [
            _finished(each, clauses[0], body, opening, talk) for each in find_remembered(body.text)
        ]
        talk.found += found
    return found


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
    if subject.kind == "none" and _is_elided(frame):
        subject = Subject("user")
    elif subject.kind == "own" and subject.noun == "job" and frame.form == "VG":
        subject = Subject("user")
    elif subject.kind == "person" and not subject.owner and not subject.name:
        subject = talk.person or replace(subject, kind="other")
    elif subject.kind == "it" and subject.noun == "it" and _means_thing(frame, talk):
        subject = talk.thing or subject
    return replace(frame, subject=subject)


def _means_thing(frame: Frame, talk: Talk) -> bool:
    """Whether "it" means the last thing: not "at work it is all Java", nor a second value."""
    elsewhere = any(t.low in {"work", "home", "side", "office"} for t in frame.lead)
    another = frame.verb == "be" and bool(frame.object) and bool(talk.found)
    return not elsewhere and not another


def _is_elided(frame: Frame) -> bool:
    """A gap where "I" would stand: "living in Seville", "can't eat nuts", "prefer dark roast"."""
    if not frame.group:
        return False
    first = frame.group[0]
    if first.tag == "VERB":
        known = first.low in FORMS
        return (known and first.form in {"VG", "VN", "VD"}) or first.lemma in {
            "prefer",
            "like",
            "love",
            "hate",
            "live",
        }
    return first.low in {"been", "ca", "can", "'ve", "'m", "have"} and (
        frame.negated or first.low != "can"
    )


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
        _finished(each, clause, body, opening, None)
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
    _notice(clause, frame, talk)
    inner = _embedded(frame, setting, talk) if "say" in frame.classes else None
    if inner is not None:
        return people + inner
    if is_doubtful(text) and not setting.explicit:
        return people + find_order(frame, text)
    if is_reported(frame):
        return people
    found = _by_frame(clause, frame, text, setting, talk) or _announced(frame, text, setting)
    found = [_scoped(each, frame, talk) for each in found]
    asides = [each for aside in clause.asides for each in _in_aside(aside, frame, found, setting)]
    addressed = {each.attribute for each in asides if each.attribute and "/" in each.value}
    found = [each for each in found if each.attribute not in addressed] + asides
    _remember_subjects(frame, people, found, talk)
    known = {each.value for each in people}
    return people + [
        each for each in found if not (each.kind is FactKind.RELATIONSHIP and each.value in known)
    ]


def _notice(clause: Clause, frame: Frame, talk: Talk) -> None:
    """Whom and what the next "she" or "it" may mean: the last person and thing that were named."""
    slots = [slot for slot in frame.slots if slot.prep in {"", "with"}]
    for slot in slots:
        names = values.names_in(slot.words)
        if names and len(slot.words) <= 3 and values.is_person(names) and frame.verb != "be":
            talk.person = Subject("person", (), name=names[0].text)
    if frame.verb in {"move", "push", "postpone", "think"} and frame.object:
        own = next((n for n, t in enumerate(frame.object) if t.low in {"my", "the", "our"}), -1)
        end = next(
            (n for n, t in enumerate(frame.object) if n > own and t.tag in {"BE", "HAVE", "AUX"}),
            None,
        )
        if own >= 0:
            talk.thing = noun_subject(tuple(frame.object[own:end]))
    subject = frame.subject.words
    of = [
        t
        for n, t in enumerate(subject)
        if n and t.tag == "NAME" and subject[n - 1].low in {"for", "of"}
    ]
    if of and not find_purpose(of[0].text):
        talk.scope = of[0].text
        return
    named = [
        slot
        for slot in frame.slots
        if slot.prep in {"for", "of", "on"} and values.is_place(slot.words)
    ]
    if frame.subject.kind == "name" and not find_purpose(frame.subject.name):
        talk.scope = frame.subject.name
    elif named:
        talk.scope = named[0].text
    lead = [t for t in frame.lead if t.tag == "NAME" and t.low not in values.CALENDAR]
    if (
        lead
        and any(t.low in {"for", "on", "in"} for t in frame.lead)
        and not find_purpose(lead[0].text)
    ):
        talk.scope = lead[0].text


def _scoped(candidate: Candidate, frame: Frame, talk: Talk) -> Candidate:
    """What is said of "the demo" right after a project was named is said of its demo."""
    about = candidate.kind in {FactKind.DEADLINE, FactKind.DECISION, FactKind.ENVIRONMENT} or (
        candidate.attribute.endswith(("lead", "owner", "manager"))
        and candidate.kind is FactKind.RELATIONSHIP
    )
    if not about or not talk.scope or candidate.subject != USER or talk.scope in candidate.text:
        return candidate
    tool = frame.subject.kind == "name" and bool(find_purpose(frame.subject.name))
    if not (tool or frame.subject.kind in {"thing", "none"}) or talk.scope in candidate.value:
        return candidate
    return replace(candidate, text=f"{talk.scope}: {candidate.text}")


def _in_aside(
    aside: tuple[Token, ...], frame: Frame, found: Sequence[Candidate], setting: Setting
) -> list[Candidate]:
    """ "(lives alone in Bari)" says more of the subject; "(laravel, forge)" more of the same."""
    parts = [part for part in _comma_parts(aside) if part]
    fresh: list[Candidate] = []
    for part in parts:
        inner = parse(tuple(part), frame.subject)
        if values.is_zone(spell(part)):
            zone = spell(part)
            fresh.append(
                Candidate(
                    f"User's timezone is {zone}",
                    FactKind.IDENTITY,
                    USER,
                    "timezone",
                    zone,
                    single=True,
                )
            )
        elif values.is_address(part) and any(each.kind is FactKind.ENVIRONMENT for each in found):
            fresh.append(replace(found[0], value=spell(part)))
        elif inner.verb and inner.subject == frame.subject:
            fresh += read_by_table(inner, setting)
        elif any(each.kind is FactKind.ENVIRONMENT for each in found) or frame.has("stack", "runs"):
            fresh += [tool_fact(spell(part))] if find_purpose(spell(part)) else []
    return fresh


def _comma_parts(words: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in words:
        if token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _announced(frame: Frame, text: str, setting: Setting) -> list[Candidate]:
    """What was announced as decided or to be remembered needs no row of its own."""
    thing = frame.subject.kind in {"own", "thing", "name"} and frame.verb
    lasting = frame.tense in {"present", "progressive", "future"} and not is_brief(text)
    if not thing or not lasting or not (setting.decided or setting.explicit):
        return []
    if (
        frame.subject.noun in PASSING_NOUNS
        or values.is_momentary(frame.rest)
        or (len(frame.rest) < 2 and not frame.passive)
    ):
        return []
    if values.points_elsewhere(frame.rest) or len(frame.words) > 22:
        return []
    noun = noun_of(frame)
    value = f"{frame.subject.text} {clause_value(frame)}".strip()
    kind = FactKind.DECISION if setting.decided else FactKind.OTHER
    return [Candidate(render(frame), kind, USER, f"policy:{noun}", value, single=True)]


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


def _remember_subjects(
    frame: Frame, people: Sequence[Candidate], found: Sequence[Candidate], talk: Talk
) -> None:
    if people and people[-1].value[:1].isupper():
        talk.person = Subject("person", (), name=people[-1].value)
    elif frame.subject.owner and any(t.tag == "GEN" for t in frame.subject.words):
        cut = next(n for n, t in enumerate(frame.subject.words) if t.tag == "GEN")
        owner = noun_subject(frame.subject.words[:cut]) if cut else frame.subject
        talk.person = owner if owner.kind == "person" else talk.person
    elif frame.subject.kind == "person" and (frame.subject.owner or frame.subject.name):
        talk.person = frame.subject
    elif frame.subject.kind == "name":
        talk.person = frame.subject
    if frame.subject.kind in {"own", "thing", "name"}:
        talk.thing = frame.subject


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


def _finished(
    candidate: Candidate, clause: Clause, sentence: Sentence, opening: Opening, talk: Talk | None
) -> Candidate:
    names = (
        [candidate.subject]
        if candidate.subject != USER and not candidate.subject.startswith("user's")
        else []
    )
    names += (name for name in name_mentions(candidate.text) if name not in {"User", "Hermes"})
    quote = sentence.text[clause.start : clause.end] if clause.tokens else sentence.text
    aside = " ".join(spell(each) for each in clause.asides)
    if aside and candidate.kind not in {FactKind.RELATIONSHIP} and aside not in candidate.text:
        candidate = replace(candidate, text=f"{candidate.text} ({aside})")
        if 0 <= sentence.text.find(aside) < clause.end + len(aside) + 3:
            quote = sentence.text[
                clause.start : max(clause.end, sentence.text.find(aside) + len(aside))
            ]
    at = talk.at if talk else None
    return replace(
        candidate,
        quote=candidate.quote or _long_enough(quote, sentence.text),
        correction=candidate.correction or opening.correction,
        confidence=Confidence.LOW if opening.hearsay else candidate.confidence,
        entities=tuple(dict.fromkeys(names)),
        valid_from=candidate.valid_from if candidate.valid_from is not None else at,
    )


def _long_enough(quote: str, sentence: str) -> str:
    return quote if sum(map(str.isalnum, quote)) >= 3 else sentence


def _new_ones(fresh: Sequence[Candidate], known: Sequence[Candidate]) -> Iterator[Candidate]:
    """Each statement once: the same words about the same thing add nothing."""
    seen = {_key(each) for each in known}
    for candidate in fresh:
        if _key(candidate) not in seen:
            seen.add(_key(candidate))
            yield candidate


def _key(candidate: Candidate) -> tuple[str, str, str, bool]:
    value = " ".join(candidate.value.casefold().replace("’", "'").split())
    return candidate.subject.casefold(), candidate.attribute, value, candidate.ended
