"""A choice said as people say it is a decision; a question, a wish or a condition is none."""

import pytest

from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import FactKind, Message, Origin, Role, Trust


def decisions(text: str) -> list[str]:
    said = Message(
        id=1,
        session_id="s",
        episode_id=1,
        at=1_767_603_600_000,
        role=Role.USER,
        text=text,
        origin=Origin.USER,
        trust=Trust.HIGH,
    )
    found = RuleExtractor().extract([said])
    return [each.text for each in found if each.kind is FactKind.DECISION]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("Let's go with Redis streams.", "Redis streams"),
        ("Let's go with Redis streams for the queue.", "Redis streams for the queue"),
        ("We'll use Postgres then.", "Postgres"),
        ("Ok, Postgres it is.", "Postgres"),
        ("OK, Hetzner it is then.", "Hetzner"),
        ("Going with SvelteKit.", "SvelteKit"),
        ("Final call: Redis streams.", "Redis streams"),
        ("Let's stick with Postgres.", "Postgres"),
        ("Alright, let's go with Vite for the frontend!", "Vite for the frontend"),
    ],
)
def test_a_choice_is_a_decision(text: str, chosen: str) -> None:
    assert decisions(text) == [f"User's team decided on {chosen}"]


@pytest.mark.parametrize(
    "text",
    [
        "Should we go with Redis streams?",
        "Let's go with Redis streams?",
        "Maybe let's go with Redis?",
        "If it scales, we'll go with Kafka.",
        "Let's go with Kafka unless it is too slow.",
        "We could go with Kafka.",
        "We might use Kafka then.",
        "Are we going with Kafka?",
        "I wouldn't go with Kafka.",
        "Let's not go with Kafka.",
        "He said let's go with Kafka.",
        "Going with Anna.",
        "Let's go with Anna to the park tonight.",
        "Let's go with the flow.",
        "Done, Henrike, tenors it is.",
        "New rule: migrations only through CI, no exceptions.",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert decisions(text) == []
