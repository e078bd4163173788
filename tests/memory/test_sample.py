"""The sample history: whole, varied, and kept once."""

import pytest

from hermes.app import open_app
from hermes.config.paths import ProfilePaths
from hermes.memory.sample import BANK, load_sample
from hermes.types import Role


def test_it_is_a_believable_three_months() -> None:
    turns = load_sample()
    sessions = {turn.session.id: turn.session for turn in turns}
    assert len(sessions) >= 40 and 150 <= len(turns) <= 200
    starts = [session.started_at or 0 for session in sessions.values()]
    assert starts == sorted(starts)
    assert 80 <= (starts[-1] - starts[0]) / 86_400_000 <= 92
    assert len({session.platform for session in sessions.values()}) >= 3


def test_every_turn_begins_with_the_user_and_is_answered() -> None:
    for turn in load_sample():
        roles = [message.role for message in turn.messages]
        assert roles[0] is Role.USER and roles[-1] is Role.ASSISTANT
        times = [message.at or 0 for message in turn.messages]
        assert times == sorted(times)
        assert all(message.text.strip() for message in turn.messages)


def test_tool_results_answer_calls() -> None:
    messages = [message for turn in load_sample() for message in turn.messages]
    results = [m for m in messages if m.role is Role.TOOL]
    assert results and all("\n" in m.text for m in results)
    asked = {call.id for m in messages for call in m.calls}
    assert {m.call_id for m in results} <= asked


def test_it_is_kept_once_in_a_bank_of_its_own(paths: ProfilePaths) -> None:
    with open_app(paths, {}) as app:
        first = app.conversations.record(load_sample())
        again = app.conversations.record(load_sample())
        assert not any(r.duplicate for r in first) and all(r.duplicate for r in again)
        assert app.conversations.get_bank(BANK).sessions == len({r.session_id for r in first})


@pytest.mark.parametrize(
    ("query", "session"),
    [
        ("数据库迁移", "atlas-202509171550"),
        ("پشتیبان", "atlas-202510081645"),
        ("test_windows.py", "atlas-202509101725"),
        ("what replaced Redis for the queue", "atlas-202509290920"),
    ],
)
def test_questions_in_any_script_are_scored(paths: ProfilePaths, query: str, session: str) -> None:
    with open_app(paths, {}) as app:
        app.conversations.record(load_sample())
        best = app.conversations.search(query).hits[0]
    assert best.session.id == session and best.score > 1
