"""The scorer tells a hit from a near miss, and no copy or stray link makes a figure better."""

from dataclasses import dataclass, replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.bench.facts.loader import (
    ChatMessage,
    Conversation,
    Expected,
    Half,
    Reach,
    load_half,
)
from hermes.bench.facts.match import is_match
from hermes.bench.facts.scorer import Extraction, Verdict, judge, score
from hermes.clock import parse_time
from hermes.errors import UserError
from hermes.types import FactKind, Role


@dataclass(frozen=True)
class Found:
    text: str
    value: str = ""
    subject: str = "user"
    kind: str = "identity"
    quote: str = ""
    message: int = 0
    valid_from: int | None = None


def want(value: str, **changes: object) -> Expected:
    label = Expected(
        id=f"w.{value}",
        kind=FactKind.IDENTITY,
        subject="user",
        attribute="location",
        value=value,
        quote=f"I live in {value}",
        message=0,
    )
    return replace(label, **changes)  # type: ignore[arg-type]


def chat(*labels: Expected, count: int = 3) -> Conversation:
    messages = (ChatMessage(Role.USER, "…", at) for at in range(count))
    return Conversation("w", tuple(messages), labels)


PORTO = want("Porto")
DUE = want(
    "grant application",
    kind=FactKind.DEADLINE,
    attribute="due",
    quote="the grant application is due by 1 March",
    day=date(2026, 3, 1),
)
PYTHON = want("Python 3.12", kind=FactKind.ENVIRONMENT, subject="Atlas", attribute="python")
SISTER = want("Ana", kind=FactKind.RELATIONSHIP, attribute="sister", quote="my sister Ana")
CILANTRO = want("cilantro", kind=FactKind.PREFERENCE, attribute="dislikes", quote="ugh, cilantro")
TABS = want("tabs", kind=FactKind.PREFERENCE, attribute="prefers", quote="I prefer tabs")
QUEUE = want(
    "RabbitMQ", kind=FactKind.DECISION, subject="team", attribute="queue", quote="queue: RabbitMQ"
)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (Found("User lives in Porto", "Porto"), PORTO),
        (Found("User lives in porto"), PORTO),
        (Found("I live in Porto", "Porto", message=2, quote="I live in Porto now"), PORTO),
        (Found("Maya lives in Porto", "Porto", subject="Maya"), PORTO),
        (Found("The grant application is due 2026-03-01", "2026-03-01"), DUE),
        (Found("Grant applications close on March 1, 2026", "March 1"), DUE),
        (
            Found(
                "Grant application is due",
                "grant application",
                valid_from=parse_time("2026-03-01T00:00"),
            ),
            DUE,
        ),
        (Found("Grant application due 2026-03-01", subject="grant application"), DUE),
        (Found("Atlas uses Python 3.12", "Python 3.12", subject="Atlas"), PYTHON),
        (Found("Atlas uses Python 3.12", "Python 3.12", subject="user"), PYTHON),
        (Found("User's sister is Ana", "Ana"), SISTER),
        (Found("Ana is the user's sister", "sister", subject="Ana"), SISTER),
        (Found("User dislikes cilantro", "cilantro"), CILANTRO),
        (Found("User can't stand cilantro", "cilantro"), CILANTRO),
        (Found("User prefers tabs", "tabs"), TABS),
        (Found("The queue is RabbitMQ", "RabbitMQ", subject="the queue"), QUEUE),
    ],
)
def test_the_same_fact_in_other_words_is_a_hit(found: Found, wanted: Expected) -> None:
    assert is_match(found, wanted, speaker="Maya")


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        pytest.param(Found("User lives in Lisbon", "Lisbon"), PORTO, id="wrong value"),
        pytest.param(Found("Not Porto but Lisbon", "Lisbon"), PORTO, id="other value in text"),
        pytest.param(Found("Ana lives in Porto", "Porto", subject="Ana"), PORTO, id="wrong person"),
        pytest.param(Found("User lives in Porto", "Porto", message=1), PORTO, id="other message"),
        pytest.param(
            Found("User lives in Porto", "Porto", message=1, quote="Porto"), PORTO, id="short quote"
        ),
        pytest.param(Found("Atlas uses Python 3.11", "Python 3.11"), PYTHON, id="wrong number"),
        pytest.param(Found("User uses Python 3.12", "Python 3.12"), PYTHON, id="project lost"),
        pytest.param(Found("Grant application is due 1 March"), DUE, id="year not resolved"),
        pytest.param(Found("Grant application is due 2026-03-02"), DUE, id="wrong day"),
        pytest.param(Found("User likes cilantro", "cilantro"), CILANTRO, id="dislike turned"),
        pytest.param(Found("User hates tabs", "tabs"), TABS, id="liking turned"),
        pytest.param(Found("Team dropped it, no RabbitMQ"), QUEUE, id="decision turned"),
        pytest.param(Found("Bob's queue: RabbitMQ", subject="Bob"), QUEUE, id="not the team's"),
        pytest.param(Found("User's sister is Eva", "Eva"), SISTER, id="wrong name"),
    ],
)
def test_a_near_miss_is_no_hit(found: Found, wanted: Expected) -> None:
    assert not is_match(found, wanted)


def test_values_need_most_of_their_words() -> None:
    wanted = want("support tickets get deleted after 24 months", kind=FactKind.DECISION)
    assert is_match(Found("Support tickets are deleted after 24 months"), wanted)
    assert not is_match(Found("Support tickets exist for 24 hours"), wanted)


def test_the_figures_of_a_mixed_extraction() -> None:
    maybe = want("Kyoto", optional=True, message=1)
    missed = want("Oslo", message=2, reach=Reach.MODEL)
    found = [
        Found("User lives in Porto", "Porto"),
        Found("User would live in Kyoto", "Kyoto", message=1),
        Found("User said hello", "hello", message=2, kind="other"),
    ]
    result = score([chat(PORTO, maybe, missed)], {"w": Extraction(found)})
    assert result.overall.precision == pytest.approx(1 / 2)
    assert result.overall.recall == pytest.approx(1 / 2)
    assert result.overall.junk_rate == pytest.approx(1 / 3)
    assert result.by_kind[FactKind.IDENTITY].precision == 1
    assert result.by_kind[FactKind.OTHER].junk == 1
    assert result.by_reach["model"].recall == 0
    assert [item.fact for item in result.junk] == [found[2]]
    assert result.missed == (missed,)


def test_nothing_found_has_no_precision_to_boast_of() -> None:
    result = score([chat(PORTO)], {"w": Extraction()})
    assert result.overall.precision is None
    assert result.overall.recall == 0


def test_a_copy_is_junk_and_the_other_half_of_a_fact_is_not() -> None:
    moved = want("moved from Heroku to Fly", kind=FactKind.DECISION, subject="team")
    found = [
        Found("Team moved from Heroku to Fly", "Fly"),
        Found("Team moved from Heroku to Fly", "Heroku"),
        Found("Team moved from Heroku to the Fly", "fly"),
    ]
    verdicts = [item.verdict for item in judge(chat(moved), found)]
    assert verdicts == [Verdict.CORRECT, Verdict.CORRECT, Verdict.JUNK]


OLD = want("Leeds")
NEW = want("York", message=1, supersedes=OLD.id)
CAT, DOG = want("Biscuit", message=2), want("Toast", message=2)
MOVES = [
    Found("User lives in Leeds", "Leeds"),
    Found("User lives in York", "York", message=1),
    Found("User has Biscuit", "Biscuit", message=2),
    Found("User has Toast", "Toast", message=2),
]


def test_supersessions_are_counted_in_their_direction() -> None:
    chats = [chat(OLD, NEW, CAT, DOG)]
    right = score(chats, {"w": Extraction(MOVES, supersessions=[(1, 0)])}).supersession
    assert (right.accuracy, right.wrong_rate) == (1, 0)
    turned = score(chats, {"w": Extraction(MOVES, supersessions=[(0, 1)])}).supersession
    assert (turned.accuracy, turned.wrong_rate) == (0, 1)
    both = score(chats, {"w": Extraction(MOVES, supersessions=[(1, 0), (3, 2)])}).supersession
    assert (both.accuracy, both.wrong_rate) == (1, 0.5)
    none = score(chats, {"w": Extraction(MOVES)}).supersession
    assert (none.accuracy, none.wrong_rate) == (0, None)


def test_a_link_to_junk_is_wrong_and_one_to_an_optional_fact_is_free() -> None:
    chats = [chat(OLD, replace(NEW, optional=True))]
    links = score(chats, {"w": Extraction(MOVES, supersessions=[(1, 0), (2, 0)])}).supersession
    assert (links.expected, links.made, links.wrong) == (0, 1, 1)


@pytest.mark.parametrize("link", [(0, 1), (1, 0)])
def test_contradictions_have_no_direction_and_are_no_supersessions(link: tuple[int, int]) -> None:
    unclear = replace(NEW, supersedes="", contradicts=OLD.id)
    found = Extraction(MOVES, contradictions=[link], supersessions=[link])
    result = score([chat(OLD, unclear, CAT, DOG)], {"w": found})
    assert result.contradiction.accuracy == 1
    assert result.supersession.wrong == 1


def test_a_day_of_an_event_is_counted_apart() -> None:
    moved = want("York", kind=FactKind.EVENT, day=date(2025, 5, 1))
    found = [Found("User moved to York"), Found("User moved to York on 2025-05-01", "York")]
    result = score([chat(moved)], {"w": Extraction(found)})
    assert (result.dates.expected, result.dates.found) == (2, 1)


def test_a_conversation_without_an_extraction_is_an_error() -> None:
    with pytest.raises(UserError):
        score([chat(PORTO)], {})


def echo(label: Expected) -> Found:
    """The fact that a perfect extractor would give for a label."""
    day = label.day or ""
    text = f"{label.subject} {label.attribute} {label.value} {day}"
    return Found(text, label.value, label.subject, label.kind, label.quote, label.message)


@pytest.mark.parametrize("half", list(Half))
def test_the_labels_themselves_score_full_marks(half: Half) -> None:
    chats = load_half(half)
    perfect = {}
    for item in chats:
        ids = [label.id for label in item.facts]
        links = [(n, ids.index(x.supersedes)) for n, x in enumerate(item.facts) if x.supersedes]
        perfect[item.id] = Extraction([echo(x) for x in item.facts], supersessions=links)
    result = score(chats, perfect)
    assert (result.overall.precision, result.overall.recall) == (1, 1)
    has_links = any(label.supersedes for item in chats for label in item.facts)
    assert result.supersession.accuracy == (1 if has_links else None)
    assert result.supersession.wrong == 0


@pytest.mark.parametrize("half", list(Half))
def test_the_labels_of_another_chat_score_next_to_nothing(half: Half) -> None:
    chats = load_half(half)
    shifted = zip(chats, chats[1:] + chats[:1], strict=True)
    strange = {one.id: Extraction([echo(x) for x in other.facts]) for one, other in shifted}
    recall = score(chats, strange).overall.recall
    assert recall is not None and recall < 0.02


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=20), st.integers(0, 2))
def test_any_fact_is_judged_and_counted_once(
    text: str, value: str, subject: str, message: int
) -> None:
    found = Found(text, value, subject, message=message, quote=value)
    tally = score([chat(PORTO, DUE, CILANTRO)], {"w": Extraction([found])}).overall
    assert tally.extracted == 1
