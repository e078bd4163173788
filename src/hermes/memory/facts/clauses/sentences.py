"""One sentence taken apart, its clauses given to the readers in turn, each fact with its signs."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.amendment import find_corrected, restate, settle_on
from hermes.memory.facts.clauses.announced import read_announced, read_aside
from hermes.memory.facts.clauses.apply import read_by_table
from hermes.memory.facts.clauses.as_said import read_as_said
from hermes.memory.facts.clauses.called import find_called, find_self
from hermes.memory.facts.clauses.correction import correct
from hermes.memory.facts.clauses.cues import (
    POLITE,
    Opening,
    has_afterthought,
    is_asked_for,
    is_decided,
    read_opening,
    without_asking,
)
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import read_aim, read_dated_phrase, read_dates
from hermes.memory.facts.clauses.ellipsis import Around
from hermes.memory.facts.clauses.embedded import read_embedded
from hermes.memory.facts.clauses.finishing import finished
from hermes.memory.facts.clauses.fragments import find_as_a, find_fragment, find_it_is
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.introductions import (
    find_introduction,
    find_marked,
)
from hermes.memory.facts.clauses.labels import read_label
from hermes.memory.facts.clauses.limits import with_occasion
from hermes.memory.facts.clauses.orders import (
    find_annoyance,
    find_order,
    has_order,
    is_standing,
    is_task,
)
from hermes.memory.facts.clauses.passing import is_of_the_hour
from hermes.memory.facts.clauses.people import (
    find_named,
    find_people,
    find_successor,
    says_more,
)
from hermes.memory.facts.clauses.plans import read_plan
from hermes.memory.facts.clauses.pronouns import is_anyones, is_no_longer, is_order_to
from hermes.memory.facts.clauses.prose import has_foreign_words
from hermes.memory.facts.clauses.remembered import find_remembered
from hermes.memory.facts.clauses.returned import find_return
from hermes.memory.facts.clauses.signs import with_signs
from hermes.memory.facts.clauses.split import Clause, Sentence, split_clauses
from hermes.memory.facts.clauses.stance import (
    conditions,
    factive_part,
    is_asked,
    is_doubtful,
    is_likened,
    is_reported,
    is_supposition,
    refuted_upto,
)
from hermes.memory.facts.clauses.subjects import Subject, noun_subject
from hermes.memory.facts.clauses.talk import (
    Talk,
    is_elided,
    means_thing,
    notice,
    remember_subjects,
    scoped,
    with_noun_first,
)
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.wishes import find_wishes, is_within, of_thing, without_told
from hermes.types import FactKind

LONGEST_TOLD = 4_000  # letters; in what is longer, only known forms are read
_LEANING = frozenset("and , but so then who which plus or because".split())


def read_sentence(sentence: Sentence, following: str, talk: Talk) -> list[Candidate]:
    if told := _put_right(sentence, talk):
        return told
    opening = read_opening(sentence.text)
    body = _body(sentence, opening)
    if not body.text.strip() or has_foreign_words(body.text):
        return []
    setting = setting_of(sentence, following, opening, talk)
    clauses = split_clauses(body)
    wishes = [] if opening.hearsay else find_wishes(body, talk.text, explicit=setting.explicit)
    if is_supposition(body.text) and not opening.explicit:
        granted = _taken_for_granted(clauses, body, setting, talk)
        return talk.keep([*granted, *_wished(wishes, body, opening, setting, talk)])
    if whole := _as_whole(body, opening, talk):
        done = [finished(each, Clause(()), body, opening, talk) for each in whole]
        frame = parse(clauses[0].tokens) if clauses else Frame(())
        return talk.keep(with_signs(_by("whole", done), frame, body.text, body, setting, talk))
    others = [each for each in clauses if not is_within(each, wishes, body.text)]
    found = _read_clauses(others, body, opening, setting, talk) if others else []
    found += talk.keep(_wished(without_told(wishes, found), body, opening, setting, talk))
    asked_for = opening.explicit or is_asked_for(following)
    if not found and not body.is_question and asked_for:
        return talk.keep(_as_asked(clauses[0], body, opening, setting, talk))
    return found


def _read_clauses(
    clauses: list[Clause], body: Sentence, opening: Opening, setting: Setting, talk: Talk
) -> list[Candidate]:
    texts = [_text_of(clause, body) for clause in clauses]
    skipped = _unsaid(clauses, texts, body)
    found: list[Candidate] = []
    before: Subject | None = None
    around = Around(question=talk.question)
    tasked = False
    for index, clause in enumerate(clauses):
        last, only = index == len(clauses) - 1, len(clauses) == 1
        frame = _frame(clause, before, talk, body.start)
        around = around.at(clause.joint, body.text[: clause.start])
        asked = is_asked(texts[index], body, is_last=last, is_only=only) and not opening.hearsay
        asked = asked and not (_asks_only_after(frame) or _goes_on(clause, frame, body))
        if asked or index in skipped:
            fresh = _granted(clause) if index not in skipped or asked else []
            fresh += _by("order", find_order(frame, texts[index])) if asked else []  # "can you …"
        else:
            label = [] if body.is_question else _as_label(clauses, index, frame, setting, talk)
            fresh = _by("label", label) or _read_clause(clause, frame, texts[index], setting, talk)
            heads = not last and clauses[index + 1].joint == ":"
            if not heads and not _is_told(frame, fresh) and len(talk.text) <= LONGEST_TOLD:
                said = read_as_said(frame, setting, texts[index], around)
                said = [scoped(each, frame, talk) for each in _by("as_said", said)]
                said = [finished(each, clause, body, opening, talk) for each in said]
                talk.as_said += with_signs(said, frame, texts[index], body, setting, talk)
        denied = [each.tokens[0].low == "no" for each in clauses] == [False, True]
        others = (tasked or opening.hearsay) and has_order(fresh)  # "the wiki says always …"
        fresh = [] if (found and denied and not frame.verb) or others else fresh
        tasked = tasked or (is_task(frame) and not fresh and not is_standing(body.text))
        fresh = with_occasion(fresh, frame, clauses, index, body.text)
        fresh = [finished(each, clause, body, opening, talk) for each in fresh]
        fresh = talk.keep(with_signs(fresh, frame, texts[index], body, setting, talk))
        found += fresh
        before = _lean_on(frame, before)
        around = around.after(frame)
        setting = _after(setting, fresh)
    return found


def _wished(
    wishes: list[Candidate], body: Sentence, opening: Opening, setting: Setting, talk: Talk
) -> list[Candidate]:
    told = [of_thing(each, talk.thing) for each in _by("order", wishes)]
    done = [finished(each, Clause(()), body, opening, talk) for each in told]
    return [
        signed
        for each in done
        for signed in with_signs(
            [each], parse(tuple(tokenize(each.quote))), each.quote, body, setting, talk
        )
    ]


def _body(sentence: Sentence, opening: Opening) -> Sentence:
    """A sentence without what announces it, before or after."""
    mark = "" if opening.explicit and POLITE.match(sentence.text) else sentence.mark
    told = sentence.text[opening.offset : opening.end]
    return Sentence(told, sentence.start + opening.offset, mark)


def _put_right(sentence: Sentence, talk: Talk) -> list[Candidate]:
    """ "I was wrong about my sister: her name is Mina": it holds, and nothing else of her does."""
    told = "" if sentence.is_question else restate(sentence.text)
    read = read_sentence(Sentence(told, 0), "", Talk(told, talk.at, [])) if told else []
    return talk.keep(settle_on(read, talk.recent, sentence.text.strip()))


def _unsaid(clauses: list[Clause], texts: list[str], body: Sentence) -> set[int]:
    """The clauses that are supposed, denied by the rest, or said for comparison."""
    upto = refuted_upto(body.text)
    refuted = {n for n, clause in enumerate(clauses) if clause.end <= upto}
    return conditions(clauses, texts) | refuted | {n for n, t in enumerate(texts) if is_likened(t)}


def _as_asked(
    clause: Clause, body: Sentence, opening: Opening, setting: Setting, talk: Talk
) -> list[Candidate]:
    """What is to be remembered, in its own words, where no reader knows its form."""
    told = find_remembered(without_asking(body.text))
    noted = [finished(each, clause, body, opening, talk) for each in told]
    frame = parse(clause.tokens)
    return with_signs(_by("remembered", noted), frame, body.text, body, setting, talk)


def _is_told(frame: Frame, fresh: Sequence[Candidate]) -> bool:
    """Whether the readers took out of a clause what it says."""
    told = any(each.kind is not FactKind.RELATIONSHIP for each in fresh)
    return told or (bool(fresh) and not says_more(frame, fresh))


def _asks_only_after(frame: Frame) -> bool:
    """ "my partner has a Brazilian passport, same for him?": only what follows the comma asks."""
    told = frame.subject.kind in {"user", "team", "person", "own"}
    return told and bool(frame.tail) and frame.tail[0].text == ","


def _goes_on(clause: Clause, frame: Frame, body: Sentence) -> bool:
    """ "we changed our minds and are going with NATS": what leads is what the first did."""
    leads = clause.tokens[0].tag in {"BE", "HAVE"} and frame.subject.kind in {"user", "team"}
    return clause.joint in {"and", "but"} and leads and not body.is_question


def _as_whole(body: Sentence, opening: Opening, talk: Talk) -> list[Candidate]:
    fixed = find_corrected(body, opening, talk)
    return fixed or find_called(body, talk) or find_return(body.text) or find_annoyance(body.text)


def setting_of(sentence: Sentence, following: str, opening: Opening, talk: Talk) -> Setting:
    asked_for = talk.notes(sentence, asked_for=opening.explicit or is_asked_for(following))
    return Setting(
        talk.at,
        decided=is_decided(sentence.text, following) or talk.decided or talk.has_decided,
        explicit=asked_for or has_afterthought(sentence.text),
        told=opening.told,
        correction=opening.correction and not talk.is_of_itself(sentence),
        laughing=talk.laughs_at(sentence),
        standing=is_standing(sentence.text),
    )


def _after(setting: Setting, fresh: Sequence[Candidate]) -> Setting:
    decided = setting.decided or any(each.kind is FactKind.DECISION for each in fresh)
    days = [each.valid_from or 0 for each in fresh if (each.valid_from or 0) > setting.at]
    return replace(setting, decided=decided, ahead=days[-1] if days else setting.ahead)


def _text_of(clause: Clause, sentence: Sentence) -> str:
    return sentence.text[clause.start : clause.end]


def _frame(clause: Clause, before: Subject | None, talk: Talk, start: int) -> Frame:
    """The clause as a frame, its pronouns and gaps filled from what went before."""
    tokens, talk.place = clause.tokens, start + clause.start
    if shift := factive_part(" ".join(token.text for token in tokens)):
        words = len(" ".join(token.text for token in tokens)[:shift].split())
        tokens = tokens[words:]
    leans = clause.joint in _LEANING and not (is_order_to(clause) or talk.is_of_other(tokens))
    frame = parse(with_noun_first(tokens), before if leans else None)
    subject = frame.subject
    if subject.kind == "none" and (is_no_longer(frame) or is_elided(frame, talk.before)):
        subject = Subject("user")
    elif subject.kind == "own" and subject.noun == "job" and frame.form == "VG":
        subject = Subject("user")
    elif subject.kind == "person" and not subject.owner and not subject.name:
        meant = None if is_anyones(subject, talk) else talk.person
        subject = meant or replace(subject, kind="other")
    elif subject.kind == "it" and subject.noun == "it" and means_thing(frame, talk, clause.joint):
        subject = talk.thing or subject
    return replace(frame, subject=subject)


def _lean_on(frame: Frame, before: Subject | None) -> Subject | None:
    if "say" in frame.classes and any(t.tag == "PRON" and t.low == "we" for t in frame.rest):
        return Subject("team", noun="we")
    nested = any(t.tag == "WH" for t in frame.rest) and any(t.low == "you" for t in frame.rest)
    if frame.subject.kind == "you" or nested:
        return None  # "I love how you use it and teach people": not the speaker's
    if frame.subject.kind != "none":
        return frame.subject
    if not frame.verb and frame.rest and frame.rest[0].tag in {"POSS", "NAME", "DET"}:
        if any(t.tag == "ADV" or t.low == "only" for t in frame.rest):
            return before  # "iOS only so far, written in Swift": a remark, no subject
        return noun_subject(tuple(t for t in frame.rest if t.tag != "PUNCT"))
    return before


def _as_label(
    clauses: list[Clause], index: int, frame: Frame, setting: Setting, talk: Talk
) -> list[Candidate]:
    if index + 1 == len(clauses) or clauses[index + 1].joint != ":":
        return []
    found = read_label(clauses[index].tokens, clauses[index + 1].tokens)
    return [scoped(each, frame, talk) for each in found]


def _granted(clause: Clause) -> list[Candidate]:
    return _by("granted", [*find_people(clause.tokens, clause.asides), *find_as_a(clause.tokens)])


def _taken_for_granted(
    clauses: list[Clause], body: Sentence, setting: Setting, talk: Talk
) -> list[Candidate]:
    opening = Opening(0)
    found: list[Candidate] = []
    for clause in clauses:
        fresh = [finished(each, clause, body, opening, None) for each in _granted(clause)]
        if fresh:
            frame, text = parse(clause.tokens), _text_of(clause, body)
            found += with_signs(fresh, frame, text, body, setting, talk)
    return found


def _by(reader: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Each with the name of who read it."""
    return [replace(each, signs=(*each.signs, f"by:{reader}")) for each in found]


def _read_clause(
    clause: Clause, frame: Frame, text: str, setting: Setting, talk: Talk
) -> list[Candidate]:
    people = find_people(clause.tokens, clause.asides)
    if setting.laughing and frame.verb == "be":  # "my boss is Satan lol"
        people = [each for each in people if each.value in frame.subject.text]
    people = _by("people", people) + _by("own_name", find_self(clause.tokens, clause.asides))
    notice(frame, talk)
    inner = read_embedded(frame, setting) if "say" in frame.classes else None
    if inner is not None:
        return people + _by("embedded", inner)
    if is_doubtful(text) and not setting.explicit:
        aim = _by("dated", read_aim(frame, setting, text))
        return people + (aim or _by("order", find_order(frame, text)))
    if is_reported(frame):
        return people
    found = _by_frame(frame, text, setting, talk)
    found = found or _by("announced", read_announced(frame, text, setting))
    found = [scoped(each, frame, talk) for each in found]
    asides = [each for aside in clause.asides for each in read_aside(aside, frame, found, setting)]
    asides = _by("aside", asides)
    addressed = {each.attribute for each in asides if each.attribute and "/" in each.value}
    found = [each for each in found if each.attribute not in addressed] + asides
    remember_subjects(frame, people, talk)
    known = {each.value for each in people}
    return people + [
        each for each in found if not (each.kind is FactKind.RELATIONSHIP and each.value in known)
    ]


def _is_for_hermes(text: str) -> bool:
    return bool(POLITE.search(text)) or is_standing(text)


def _by_frame(  # noqa: C901, PLR0911 - one case after the other
    frame: Frame, text: str, setting: Setting, talk: Talk
) -> list[Candidate]:
    earlier = talk.recent
    if not frame.verb:
        fixed = correct(text, talk.at, earlier, marked=setting.correction) if earlier else []
        return (
            _by("correction", fixed)
            or (_by("order", find_order(frame, text)) if _is_for_hermes(text) else [])
            or _by("it_is", find_it_is(frame.words))
            or _by("dated_phrase", read_dated_phrase(frame, setting, text))
            or _by("fragment", find_fragment(frame, setting, introduced=talk.introduced))
        )
    if chosen := find_it_is(frame.words, talk.text[: talk.place]):
        return _by("it_is", chosen)
    if text.lower().startswith(("it", "that")) and earlier and earlier[-1].ended:
        if fixed := correct(text, talk.at, earlier, marked=setting.correction):
            return _by("correction", fixed)
    if marked := find_marked(frame):
        return _by("marked", marked)
    intro = find_introduction(frame, greeted=talk.greeted or "name" in talk.question)
    if intro:
        talk.introduced = True
        return _by("introduction", intro)
    if named := find_named(frame) or find_successor(frame):
        return _by("named", named) if not setting.laughing else []
    dated = read_dates(frame, setting, text, before=talk.text[: talk.place])
    if dated:
        return _by("dated", dated)
    if orders := find_order(frame, text, standing=setting.told or setting.standing):
        return _by("order", orders)
    if frame.subject.kind in {"it", "none"} or setting.correction:
        if fixed := correct(text, talk.at, earlier, marked=setting.correction):
            return _by("correction", fixed)
    found = read_by_table(frame, setting)
    if is_of_the_hour(frame, text, found):
        return []
    plan = (
        []
        if any(each.kind is FactKind.IDENTITY for each in found)
        else read_plan(frame, setting, text)
    )
    return _by("dated", plan) or _by("table", found)
