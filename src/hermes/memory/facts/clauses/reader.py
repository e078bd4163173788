"""The extractor without a model: messages in, sure facts out, nothing where nothing was "
"asserted."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo

from hermes.clock import DAY_MS, wall_time
from hermes.errors import Refused
from hermes.memory.facts.candidate import Candidate, verify_quote
from hermes.memory.facts.clauses.alone import Heard, stand_alone
from hermes.memory.facts.clauses.answers import is_addressed, read_question, statements_for
from hermes.memory.facts.clauses.certainty import is_doubted
from hermes.memory.facts.clauses.changes import leaning, untold, with_changes, with_told
from hermes.memory.facts.clauses.chatter import without_chatter
from hermes.memory.facts.clauses.copies import without_copies
from hermes.memory.facts.clauses.cues import is_verdict, read_opening
from hermes.memory.facts.clauses.finishing import GAP, is_quotable, new_ones, settled
from hermes.memory.facts.clauses.freed import ALONE, WRITTEN, is_freed, with_marks, with_sign
from hermes.memory.facts.clauses.gate import AS_SAID, EXPLICIT, Judge
from hermes.memory.facts.clauses.misread import without_misread
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.prose import closes_play, is_foreign, opens_play, own_prose
from hermes.memory.facts.clauses.rest import read_rest
from hermes.memory.facts.clauses.sentences import read_sentence
from hermes.memory.facts.clauses.signs import chat_signs, message_signs
from hermes.memory.facts.clauses.spans import spanned
from hermes.memory.facts.clauses.speakers import Speakers, is_own_name, tell_of
from hermes.memory.facts.clauses.split import Sentence, split_sentences
from hermes.memory.facts.clauses.stance import (
    has_laughter,
    is_jest,
)
from hermes.memory.facts.clauses.statements import Before
from hermes.memory.facts.clauses.sureness import as_told
from hermes.memory.facts.clauses.talk import (
    Talk,
    scope_of,
)
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.updates import read_updates
from hermes.memory.facts.clauses.us import Around, name_us
from hermes.memory.facts.clauses.vetoes import is_vetoed
from hermes.memory.facts.clauses.wellformed import unshouted
from hermes.types import FactKind, Message, Origin, Role

_GREETING = re.compile(r"(?i)\s*(?:hi+|hiya|hey+|hello|good (?:morning|evening|afternoon|day))\b")
EARLIER = 9  # messages before a reading that may say what it is about
GAME_MS = DAY_MS // 4
Judged = Callable[[Candidate, Said], Candidate | None]


class RuleExtractor:
    """Facts by rules alone. `owners` are the names of whose memory this is, in chats of several.
    "Tomorrow" is the day after the one it was said on in `zone`.

    `judge` gives back a reading with its confidence, or None where it is not sure enough. With
    `lean`, what is not sure and tells a change comes, too, for whoever knows what it may change.
    """

    name = "rules"

    def __init__(
        self,
        owners: Sequence[str] = (),
        *,
        judge: Judged | None = None,
        lean: bool = False,
        zone: tzinfo = UTC,
    ) -> None:
        self._owners = owners
        self._zone = zone
        self._lean = lean
        self._judge = judge or Judge()

    def extract(self, messages: Sequence[Message]) -> list[Candidate]:
        said_at = {message.id: message.at for message in messages}
        heard = [replace(each, at=wall_time(each.at, self._zone)) for each in messages]
        return [told_at(each, said_at[each.message_id or 0]) for each in self._read(heard)]

    def _read(self, messages: Sequence[Message]) -> list[Candidate]:
        found: list[Candidate] = []
        read: list[Candidate] = []  # sure or not: a correction may lean on it
        playing = False
        speakers = Speakers(messages, self._owners)
        asked: Message | None = None
        for index, message in enumerate(messages):
            if message.role is Role.USER:
                playing = playing and not _is_later(message, asked)
                playing = opens_play(message.text) or (playing and not closes_play(message.text))
            if speaks_for_user(message) and not playing:
                question = _question_to(message, asked)
                around = chat_signs(messages, index)
                told = propose(message.text, message.at, read, question, around=around)
                read += new_ones([each for each in told if AS_SAID not in each.signs], read)
                sentences = _sentences(message.text)
                changed = with_changes(told, sentences, message.at)
                before = _before(messages[:index], message)
                rest = _rest(message, told, question, before=before, around=around)
                rest = with_told(rest, sentences)
                meant = without_misread([*changed, *rest], sentences, message.text)
                whole = (each for each in meant if GAP not in each.quote)
                marked = [with_marks(each, message.at) for each in whole]
                placed = _understood(marked, messages[: index + 1], question)
                other = speakers.other(message)
                said = Said.of(message, asked, other)
                judged = (self._weigh(each, said) for each in placed)
                sure = [each for each in judged if each is not None]
                fresh = untold(without_copies(settled(sure)))
                fresh = [spanned(unshouted(each, message.text), message.at) for each in fresh]
                named = [tell_of(other, without_chatter(each)) for each in fresh]
                signed = [_signed(e, message) for e in named if not is_own_name(e, other)]
                found += new_ones([each for each in signed if each is not None], ())
            asked = message
        return found

    def _weigh(self, candidate: Candidate, said: Said) -> Candidate | None:
        """As it is judged; what is not sure by itself may lean on what is known."""
        told = candidate.text and not is_vetoed(candidate, said.text)
        sure = self._judge(candidate, said) if told else None
        if sure is not None:
            return as_told(sure)
        return leaning(candidate) if self._lean and not is_freed(candidate) else None


def _is_later(message: Message, before: Message | None) -> bool:
    """Whether so long has passed that a game which was played before is over."""
    return before is not None and message.at - before.at > GAME_MS


def told_at(candidate: Candidate, at: int) -> Candidate:
    """A candidate that was read by the clock on the wall, said at this moment.

    What holds since it was said holds since then; a day is a day wherever it was named.
    """
    since = at if candidate.valid_from == candidate.at else candidate.valid_from
    return replace(candidate, at=at, valid_from=since)


def _signed(candidate: Candidate, message: Message) -> Candidate | None:
    """Where it was said; none where its quote runs over what was cut out."""
    signed = replace(candidate, message_id=message.id, at=message.at)
    try:
        return verify_quote(signed, message.text)
    except Refused:
        return None  # one that nothing proves costs no other


def _before(messages: Sequence[Message], message: Message) -> Before:
    """What the user said before, and what the last other one to speak asked, if only by a word."""
    said = [each.text for each in reversed(messages[-EARLIER:]) if each.role is Role.USER]
    last = messages[-1] if messages else None
    other = last is not None and not (last.role is Role.USER and last.speaker == message.speaker)
    return Before(said, last.text if last is not None and other else "")


def _rest(
    message: Message,
    told: Sequence[Candidate],
    question: str,
    *,
    before: Before,
    around: tuple[str, ...],
) -> list[Candidate]:
    """What the readers left of a message, for whoever can judge it by its text."""
    text, own = message.text, own_prose(message.text)
    prose = own_prose(text, with_drafts=True)
    if is_foreign(prose):
        return []
    sentences = list(split_sentences(prose))
    talk = Talk(text, message.at, [], question, laughing=has_laughter(text))
    talk.signs = (*message_signs(text, own, len(sentences)), *around)
    meant = [each for n, each in enumerate(sentences) if not _is_joke(sentences, n, prose)]
    found = new_ones(read_rest(prose, meant, told, talk, before), told)
    plain = " ".join(own.split())
    return [each if each.quote in plain else with_sign(each, WRITTEN) for each in found]


def _understood(
    found: Sequence[Candidate], messages: Sequence[Message], question: str
) -> list[Candidate]:
    """Each with what it is about and who "we" are, as far as was said; what nobody could
    understand by itself has a sign of it."""
    last = messages[-1]
    said = [each.text for each in reversed(messages[-EARLIER:-1]) if each.role is Role.USER]
    heard = Heard(own_prose(last.text), said, question, last.at)
    around, team = Around(last.text, said), bool(last.speaker)
    placed = (_placed(each, heard) for each in found)
    return [name_us(each, around, in_team=team) for each in placed]


def _placed(candidate: Candidate, heard: Heard) -> Candidate:
    if not candidate.text:
        return candidate
    if (placed := stand_alone(candidate, heard)) is not None:
        return placed
    if EXPLICIT in candidate.signs:
        return candidate  # who asked for it to be remembered knows what it is about
    return with_sign(candidate, ALONE)


def _sentences(text: str) -> list[Sentence]:
    return list(split_sentences(own_prose(text)))


def _question_to(message: Message, before: Message | None) -> str:
    """What the message before asked, unless it was by the same person."""
    if before is None or (before.role is Role.USER and before.speaker == message.speaker):
        return ""
    return read_question(before.text)


def speaks_for_user(message: Message) -> bool:
    """Only what a person typed: never the assistant's words, a tool's, or a page's."""
    return message.role is Role.USER and message.origin in {Origin.USER, Origin.IMPORT}


def read_text(
    text: str, at: int, earlier: Sequence[Candidate] = (), question: str = ""
) -> list[Candidate]:
    """What the readers make of one message by itself, doubts aside; the gate is not asked."""
    found = propose(text, at, earlier, question)
    known = [each for each in found if AS_SAID not in each.signs]
    return settled([each for each in known if not is_doubted(each, at)])


def propose(
    text: str,
    at: int,
    earlier: Sequence[Candidate] = (),
    question: str = "",
    *,
    around: tuple[str, ...] = (),
) -> list[Candidate]:
    """All that could be read out of a message, sure or not, each with its signs."""
    prose = own_prose(text)
    if is_foreign(prose):
        return []
    talk = Talk(text, at, list(earlier), question, laughing=has_laughter(text))
    talk.scope = talk.brought = scope_of(earlier)
    talk.greeted = bool(_GREETING.match(prose))
    sentences = list(split_sentences(prose))
    talk.signs = (*message_signs(text, prose, len(sentences)), *around)
    for index, sentence in enumerate(sentences):
        following = sentences[index + 1].text if index + 1 < len(sentences) else ""
        if _is_joke(sentences, index, prose):
            continue
        fresh = read_sentence(sentence, following, talk)
        fresh = [*fresh, *read_updates(sentence, talk, fresh)]
        talk.decided = talk.decided or is_verdict(sentence.text)
        if not fresh and talk.question and index < 2:
            answers = _read_answer(sentence, talk)
            talk.found += answers
            talk.as_said = [each for each in talk.as_said if not _is_told(each, answers)]
    as_said = [each for each in talk.as_said if is_quotable(each.quote)]
    return [*new_ones([*talk.found, *as_said], ())]


def _is_told(said: Candidate, answers: Sequence[Candidate]) -> bool:
    """Whether an answer has all the words of a clause: "climbing" is what is liked, not done."""
    words = {token.low for token in tokenize(said.quote)}
    return any(words <= {token.low for token in tokenize(each.value)} for each in answers)


def _is_joke(sentences: Sequence[Sentence], index: int, prose: str) -> bool:
    """Whether a sentence is meant in jest, by its own words or those beside it."""
    sentence = sentences[index]
    following = sentences[index + 1].text if index + 1 < len(sentences) else ""
    end = sentence.start + len(sentence.text)
    joking = is_jest(sentence.text + prose[end : end + 3], following)
    return joking or (index > 0 and is_jest(sentences[index - 1].text, ""))


def _read_answer(sentence: Sentence, talk: Talk) -> list[Candidate]:
    """What the sentence says as an answer to the message before it."""
    found: list[Candidate] = []
    if is_addressed(sentence.text):
        return found
    opening = read_opening(sentence.text)
    answer = sentence.text[opening.offset :].strip(" ,.!")
    for statement, body in statements_for(talk.question, answer):
        said = statement.format(body)
        inner = Talk(said, talk.at, [])
        covered = " ".join(other.value for other in found).casefold()
        for each in read_sentence(Sentence(said, 0), "", inner):
            fresh = each.value.casefold() not in covered and each.kind is not FactKind.DEADLINE
            if fresh and body not in covered:
                signs = (*each.signs, "by:answer")
                found.append(replace(each, quote=sentence.text, signs=signs))
    talk.question = "" if found else talk.question
    return found
