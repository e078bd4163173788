"""The rule-based extractor: messages in, sure facts out, nothing where nothing was asserted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.entities import name_mentions
from hermes.memory.facts.candidate import USER, Candidate, verify_quote
from hermes.memory.facts.rules.announced import find_announced, is_announced
from hermes.memory.facts.rules.answers import Asked, asked, find_answers
from hermes.memory.facts.rules.clauses import Clause, assertions, plain, sentences, split_clauses
from hermes.memory.facts.rules.correction import correct
from hermes.memory.facts.rules.cues import find_cues
from hermes.memory.facts.rules.fragments import find_listed
from hermes.memory.facts.rules.grammar import Said
from hermes.memory.facts.rules.markers import strip_markers
from hermes.memory.facts.rules.orders import find_conditional_orders
from hermes.memory.facts.rules.people import deeds
from hermes.memory.facts.rules.prose import closes_play, opens_play, own_prose
from hermes.memory.facts.rules.relationship import find_relatives
from hermes.memory.facts.rules.scope import leading_scope, split_contrast
from hermes.memory.facts.rules.stance import is_jest, is_meant, is_question, is_supposition
from hermes.memory.facts.rules.statement import parse_remembered
from hermes.memory.facts.rules.tables import read_by_rules
from hermes.types import Confidence, FactKind, Message, Origin, Role

_ABOUT_THINGS = frozenset({FactKind.DECISION, FactKind.DEADLINE, FactKind.ENVIRONMENT})
_NAMED_DEADLINE = re.compile(r"Deadline for (?P<name>[A-Z][a-z]\w+)\b")
_OWN = re.compile(r"(?:i|my)\b", re.I)
_PRONOUN = re.compile(r"(?:he|she)\b(?!')", re.I)


class RuleExtractor:
    """Facts by rules alone. `owner` is the speaker whose memory this is, in chats of several."""

    name = "rules"

    def __init__(self, owner: str = "") -> None:
        self._owner = owner.casefold()

    def extract(self, messages: Sequence[Message]) -> list[Candidate]:
        found: list[Candidate] = []
        playing = False
        question: Asked | None = None
        for message in messages:
            if message.role is Role.USER:
                playing = opens_play(message.text) or (playing and not closes_play(message.text))
            if speaks_for_user(message) and not playing:
                fresh = read_text(message.text, message.at, found, question)
                found += _new_ones([self._signed(each, message) for each in fresh], found)
            question = asked(message.text)
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
    text: str, at: int, earlier: Sequence[Candidate] = (), question: Asked | None = None
) -> list[Candidate]:
    """The facts one message states; `earlier` and `question` are what it may lean on."""
    found: list[Candidate] = []
    listed = list(sentences(own_prose(text)))
    marker: Clause | None = None
    for index, (start, sentence, mark) in enumerate(listed):
        following = listed[index + 1][1] if index + 1 < len(listed) else ""
        clauses = split_clauses(start, sentence, mark, after=marker)
        marker = clauses[-1] if not clauses[-1].text else None
        if marker or is_jest(sentence, following):
            continue
        if is_supposition(clauses[0]):
            orders = find_conditional_orders(sentence)
            found += (_finished(each, replace(clauses[0], quote=sentence), at) for each in orders)
            continue
        if is_question(clauses):
            found += _taken_for_granted(clauses, at)
        else:
            fresh = _read_sentence(clauses, at, [*earlier, *found])
            if not fresh and question:
                fresh = _read_answer(question, clauses[0], at)
            question = None
            if not fresh and is_announced(sentence, following):
                fresh = [_finished(each, clauses[0], at) for each in find_announced(sentence)]
            found += fresh
    return _settled(list(_new_ones(found, ())))


def _settled(found: list[Candidate]) -> list[Candidate]:
    """Without the endings that a new value in the same message already tells."""
    replaced = {each.replaces.casefold() for each in found if each.replaces and not each.ended}
    return [each for each in found if not (each.ended and each.value.casefold() in replaced)]


def _read_sentence(clauses: list[Clause], at: int, earlier: list[Candidate]) -> list[Candidate]:
    found: list[Candidate] = []
    for clause in clauses:
        said = Said(clause, at)
        fresh = _read_clause(said, [*earlier, *found]) if is_meant(clause) else []
        if not fresh and is_meant(clause):
            fresh = _read_pronoun(said, found)
        fresh += find_listed(clause.aside) if is_meant(clause) else []
        fresh += _presupposed(said, fresh)
        scope = next((name for each in found if (name := _project(each)) != USER), USER)
        if not _OWN.match(clause.text):
            fresh = [_scoped(each, scope) for each in fresh]
        found += (_finished(each, clause, at) for each in fresh)
    if not found and clauses[0].explicit:
        found += (_finished(each, clauses[0], at) for each in parse_remembered(clauses, at))
    return found


def _read_answer(question: Asked, clause: Clause, at: int) -> list[Candidate]:
    """What the sentence says as an answer to the message before it."""
    whole = replace(clause, quote=clause.sentence)
    answer = clause.sentence[clause.sentence.find(clause.quote) :]
    found = find_answers(question, strip_markers(answer)[0], Said(whole, at))
    return [_finished(each, whole, at) for each in found]


def _taken_for_granted(clauses: list[Clause], at: int) -> list[Candidate]:
    """What even a question presupposes: that the user has a sister called Ana."""
    return [
        _finished(each, clause, at)
        for clause in clauses
        for each in _presupposed(Said(clause, at), ())
    ]


def _presupposed(said: Said, known: Sequence[Candidate]) -> list[Candidate]:
    found = [*find_relatives(said), *find_cues(said)]
    told = {(each.attribute, each.value) for each in known}
    values = {each.value for each in known}
    return [
        each
        for each in found
        if (each.attribute, each.value) not in told
        and (each.kind is FactKind.RELATIONSHIP or each.value not in values)
    ]


def _read_pronoun(said: Said, found: Sequence[Candidate]) -> list[Candidate]:
    """ "he", "she": what is said of the person who was just named."""
    pronoun = _PRONOUN.match(said.text)
    person = next((each for each in reversed(found) if _is_of_person(each)), None)
    if not pronoun or not person:
        return []
    named = person.kind is FactKind.RELATIONSHIP and person.subject == USER
    name = person.value if named else person.subject
    spoken = name if not name.startswith("user's ") else f"My {name[7:]}"
    rest = said.text[pronoun.end() :]
    inner = Said(replace(said.clause, text=spoken + rest), said.at)
    return read_by_rules(inner) or list(deeds(name, rest))


def _is_of_person(candidate: Candidate) -> bool:
    if candidate.kind is FactKind.RELATIONSHIP:
        return candidate.value[:1].isupper() or candidate.subject != USER
    return candidate.subject.startswith("user's ")


def _project(candidate: Candidate) -> str:
    """The project a fact is about, for the clauses after it."""
    if candidate.kind is FactKind.DEADLINE and (found := _NAMED_DEADLINE.match(candidate.text)):
        return found["name"]
    return candidate.subject if candidate.kind in _ABOUT_THINGS else USER


def _read_clause(said: Said, earlier: Sequence[Candidate]) -> list[Candidate]:
    for start in assertions(said.text):
        text, scope = leading_scope(start)
        text, old = split_contrast(text)
        inner = Said(replace(said.clause, text=text), said.at)
        if found := read_by_rules(inner):
            return [_scoped(_against(each, old), scope) for each in found]
    return list(correct(said, earlier))


def _against(candidate: Candidate, old: str) -> Candidate:
    """ "GitLab CI, not GitHub Actions": the value that is denied is replaced, if it was known."""
    return replace(candidate, replaces=old) if old and not candidate.replaces else candidate


def _scoped(candidate: Candidate, scope: str) -> Candidate:
    """The candidate as said of a project, where the clause leaves its subject to the context."""
    if scope == USER or candidate.subject != USER or candidate.kind not in _ABOUT_THINGS:
        return candidate
    if candidate.kind is FactKind.DEADLINE:
        kind, _, thing = candidate.attribute.partition(":")
        text = candidate.text.replace("Deadline for ", f"Deadline for {scope} ", 1)
        return replace(candidate, text=text, attribute=f"{kind}:{scope.lower()} {thing}")
    text = candidate.text.replace("User's team", scope, 1)
    return replace(candidate, subject=scope, text=text)


def _finished(candidate: Candidate, clause: Clause, at: int) -> Candidate:
    names = [candidate.subject] if candidate.subject != USER else []
    names += (name for name in name_mentions(candidate.text) if name not in {"User", "Hermes"})
    text = candidate.text
    if _OWN.match(clause.text) and text.startswith("User's team "):
        text = text.replace("User's team ", "User ", 1)
    return replace(
        candidate,
        text=text,
        quote=candidate.quote or clause.quote,
        correction=candidate.correction or clause.correction,
        confidence=Confidence.LOW if clause.hearsay else candidate.confidence,
        entities=tuple(dict.fromkeys(names)),
        valid_from=candidate.valid_from if candidate.valid_from is not None else at,
    )


def _new_ones(fresh: Sequence[Candidate], known: Sequence[Candidate]) -> Iterator[Candidate]:
    """Each statement once: the same words about the same thing add nothing."""
    seen = {_key(each) for each in known}
    for candidate in fresh:
        if _key(candidate) not in seen:
            seen.add(_key(candidate))
            yield candidate


def _key(candidate: Candidate) -> tuple[str, str, str, bool]:
    return (
        candidate.subject.casefold(),
        candidate.attribute,
        plain(candidate.value).casefold(),
        candidate.ended,
    )
