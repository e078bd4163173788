"""A conversation that is read back has all in sight that its summary does not tell."""

import asyncio

import pytest
from talking import messages_of, talk_with

from hermes.agent.compact import Compactor
from hermes.agent.keepsakes import Branch, Summary, pack_branch, pack_prefix, pack_summary
from hermes.agent.thread import PAGE, Thread, open_thread, reopen_thread
from hermes.app import App
from hermes.app.agent_desk import AppJournal
from hermes.types import NewSession, Payload, Role, Turn, Utterance


def record(app: App, session_id: str, count: int, *payloads: Payload) -> list[int]:
    """Say `count` short things; what goes with the first of them lies on it."""
    said = [Utterance(Role.USER, f"item {n}") for n in range(count)]
    said[0] = Utterance(Role.USER, "item 0", payloads=payloads)
    [receipt] = app.conversations.record([Turn(NewSession(session_id), tuple(said))])
    return list(receipt.message_ids)


def ids_in_sight(thread: Thread) -> list[int]:
    return [line.id for line in thread.lines]


@pytest.mark.parametrize("kept", [PAGE - 1, PAGE, 3 * PAGE + 7])
def test_all_after_what_a_summary_tells_is_in_sight(app: App, kept: int) -> None:
    ids = record(app, "s", 50 + kept, pack_prefix("prefix"))
    ids += record(app, "s", 3, pack_summary(Summary(ids[49], "in few words")))
    thread = open_thread(AppJournal(app), "s")
    assert thread.summary is not None
    assert thread.summary.upto == ids[49]
    assert ids_in_sight(thread) == ids[50:]


def test_a_branch_brings_what_its_summary_does_not_tell_from_where_it_began(app: App) -> None:
    trunk = record(app, "trunk", 2 * PAGE + 50)
    summary = pack_summary(Summary(trunk[9], "in few words"))
    twig = record(app, "twig", PAGE + 5, pack_branch(Branch("trunk", trunk[-11])), summary)
    thread = open_thread(AppJournal(app), "twig")
    assert ids_in_sight(thread) == [*trunk[10:-10], *twig]


def test_the_newest_summary_counts(app: App) -> None:
    ids = record(app, "s", PAGE)
    ids += record(app, "s", PAGE, pack_summary(Summary(ids[10], "the first")))
    ids += record(app, "s", 5, pack_summary(Summary(ids[90], "the second")))
    thread = open_thread(AppJournal(app), "s")
    assert thread.summary is not None
    assert (thread.summary.text, ids_in_sight(thread)) == ("the second", ids[91:])


def test_what_was_read_again_because_it_went_on_elsewhere_has_no_gap(app: App) -> None:
    ids = record(app, "s", 2 * PAGE)
    ids += record(app, "s", 1, pack_summary(Summary(ids[19], "in few words")))
    journal = AppJournal(app)
    thread = open_thread(journal, "s")
    ids += record(app, "s", 4)
    again = reopen_thread(journal, thread)
    assert again is not None
    assert ids_in_sight(again) == ids[20:]


def test_a_conversation_that_was_compacted_is_the_same_after_resuming(app: App) -> None:
    ids = record(app, "s", 2 * PAGE + 60)
    talk = talk_with(app, ["one", "two"])
    thread = asyncio.run(talk.chat.resume("s"))
    compactor = Compactor(16_000, lambda _: (), lambda _id, _messages: "in few words")
    gone = asyncio.run(compactor.compact(thread, len(thread.lines) - 1, 0))
    assert 0 < gone < len(ids) - PAGE, "more stays than one page holds"
    talk.say("and now?")
    had = ids_in_sight(talk.chat.thread)
    resumed = asyncio.run(talk_with(app, ["three"]).chat.resume("s"))
    assert ids_in_sight(resumed) == had == [m.id for m in messages_of(app, "s")][gone:]
